package mcpserver

import (
	"slices"
	"strings"
	"testing"

	"missiond/mission"
)

// Why operations have no tool.
const (
	personal  = "it is about a person's own session or settings"
	keys      = "keys and members are people's to change"
	settings  = "the tenant's settings are an admin's to change"
	holds     = "a hold is a person's stop, which an agent neither sets nor releases"
	operators = "it is for admins and operators, in the console"
	programs  = "it is for programs that follow the service, not for conversations"
	connects  = "accounts are connected and disconnected by people"
	replies   = "what is said to strangers in the account's name is a person's to say"
	decisions = "it takes back or replaces a person's decision"
	outsiders = "it gives people outside the tenant access"
	other     = "another tool has the same"
	rawBytes  = "it is the bytes of a file, which no conversation needs"
)

// unserved are the operations without a tool, with the reason.
var unserved = map[mission.Operation]string{
	mission.OpLogin: personal, mission.OpRefresh: personal, mission.OpLogout: personal, mission.OpWhoami: personal, mission.OpPreferences: personal,
	mission.OpPrefer: personal, mission.OpSessionsList: personal, mission.OpSessionsEnd: personal,
	mission.OpDraftsList: personal, mission.OpDraftsSave: personal, mission.OpDraftsDelete: personal,

	mission.OpKeysCreate: keys, mission.OpKeysList: keys, mission.OpKeysRead: keys, mission.OpKeysRevoke: keys, mission.OpKeysRotate: keys,
	mission.OpMembersList: keys, mission.OpMembersRead: keys, mission.OpMembersUpdate: keys, mission.OpMembersDelete: keys, mission.OpMembersEnd: keys,

	mission.OpOnboard: settings, mission.OpTenantUpdate: settings, mission.OpTenantDelete: settings, mission.OpTenantRestore: settings,
	mission.OpSample: settings, mission.OpWriterRead: settings, mission.OpWriterSet: settings, mission.OpWriterRemove: settings,
	mission.OpAppRead: settings, mission.OpAppSet: settings, mission.OpAppRemove: settings,

	mission.OpHold: holds, mission.OpRelease: holds,
	mission.OpAuditList: operators, mission.OpAuditRead: operators,
	mission.OpNotificationsList: operators, mission.OpNotificationsRead: operators, mission.OpNotificationsMark: operators,

	mission.OpChanges: programs, mission.OpEventTypes: programs, mission.OpEventsList: programs, mission.OpEventsRead: programs,
	mission.OpWebhooksCreate: programs, mission.OpWebhooksList: programs, mission.OpWebhooksRead: programs, mission.OpWebhooksUpdate: programs,
	mission.OpWebhooksDelete: programs, mission.OpWebhooksTest: programs, mission.OpWebhooksRotate: programs, mission.OpWebhooksReplay: programs,
	mission.OpDeliveriesList: programs, mission.OpDeliveriesRead: programs, mission.OpDeliveriesRedeliver: programs,
	mission.OpAnalyticsExport: programs, mission.OpContentImport: programs, mission.OpNode: programs,

	mission.OpIntegrationsConnect: connects, mission.OpIntegrationsUpdate: connects, mission.OpIntegrationsDelete: connects, mission.OpIntegrationsTest: connects,

	mission.OpRepliesAnswer: replies, mission.OpRepliesHide: replies, mission.OpRepliesDone: replies, mission.OpRepliesReopen: replies, mission.OpRepliesWhy: replies,
	mission.OpContentComment: replies,

	mission.OpContentReopen: decisions, mission.OpContentSettle: decisions, mission.OpMissionsDelete: decisions,
	mission.OpReviewLinksCreate: outsiders, mission.OpReviewLinksList: outsiders, mission.OpReviewLinksRead: outsiders, mission.OpReviewLinksRevoke: outsiders,

	mission.OpMissionsCopy:       "mission_get with detail full has the brief, which mission_create takes",
	mission.OpJobsList:           "mission_get with detail full has the pipeline",
	mission.OpJobsRead:           "mission_get with detail full has the pipeline",
	mission.OpCalendar:           "posts_list in the order scheduled has the same posts",
	mission.OpIntegrationsRead:   "accounts_and_limits has all accounts",
	mission.OpIntegrationsSeries: "results_get grouped by account has their figures",
	mission.OpMediaUpdate:        "a file is described when it is added", mission.OpMediaDelete: decisions,
	mission.OpMediaPosts: other, mission.OpMediaReceive: rawBytes, mission.OpMediaFile: rawBytes, mission.OpMediaFetch: rawBytes,
}

// Each operation is served by a tool or a resource, or there is a reason why not.
func TestOperationsAreServed(t *testing.T) {
	served := map[mission.Operation]bool{}
	for _, tool := range allTools() {
		for _, op := range append(slices.Clone(tool.also), tool.op) {
			served[op] = true
		}
	}
	for _, res := range allResources() {
		served[res.op] = true
	}
	for op := range mission.Operations() {
		// What agents may do is decided by people.
		excused := unserved[op] != "" || strings.HasPrefix(string(op), "agents.")
		if served[op] == excused {
			t.Errorf("%s: served %t, and a reason why not: %t", op, served[op], excused)
		}
	}
	for op := range unserved {
		if _, ok := mission.PolicyOf(op); !ok {
			t.Errorf("there is no operation %s", op)
		}
	}
	if n := len(allTools()); n > 20 {
		t.Errorf("there are %d tools", n)
	}
}

// Cut texts are valid, and say that they are cut.
func TestCutTexts(t *testing.T) {
	for _, c := range []struct {
		words string
		most  int
		want  string
		cut   bool
	}{{"abc", 3, "abc", false}, {"abcd", 3, "abc", true}, {"aé", 2, "a", true}, {"日本", 4, "日", true}, {"a\xff", 9, "a\uFFFD", false}} {
		if got := cutTo(c.words, fromPost, c.most); got.Words != c.want || got.Cut != c.cut {
			t.Errorf("%q cut to %d is %+v", c.words, c.most, got)
		}
	}
}
