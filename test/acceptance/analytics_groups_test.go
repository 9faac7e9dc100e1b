package acceptance

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"missiond/mission"
)

// The figures of accounts and of missions add up to the totals; missions are sorted by the
// metric that is asked for, and nobody sees those of another tenant.
func TestAnalyticsByAccountAndMission(t *testing.T) {
	t.Parallel()
	for name, open := range dialects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			rest, gql := restAPI{s}, graphAPI{s}
			connected := rest.connect(object{"platform": "twitter", "access_token": "good"})
			account, _ := connected.Fields["id"].(string)
			handle, _ := at(connected.Fields, "account", "handle").(string)
			if account == "" {
				t.Fatalf("no account is connected: %+v", connected)
			}
			var ids []string
			for i, likes := range []float64{10, 30, 20} {
				id := s.make(rest, object{"start_immediately": true, "platforms": []string{"twitter", "mastodon"}})
				ids = append(ids, id)
				figures := map[string]mission.Metrics{}
				on := mission.Destination{Platform: mission.Mastodon}
				if i == 1 {
					on = mission.Destination{Platform: mission.Twitter, IntegrationID: account}
				}
				for range 3 - i {
					post := s.publishedOn(id, on, s.clock.Now().Add(-time.Hour))
					figures[post] = mission.Metrics{mission.Impressions: 1000, mission.Likes: likes}
				}
				s.measure(id, s.clock.Now(), figures)
			}
			const query = `query ($by: Metric, $group: AnalyticsGrouping!) { analytics(groupBy: $group) { posts totals { likes }
				accounts { platform integrationId integration { id } account { handle } posts metrics { likes } }
				missions(by: $by) { missionId mission { name } posts metrics { likes engagementRate } } } }`
			asked := func(group string, by any) map[string]any {
				t.Helper()
				data, failed := gql.call(query, map[string]any{"group": group, "by": by})
				if failed.Code != "" {
					t.Fatalf("got %s on %q", failed.Code, failed.Param)
				}
				return data["analytics"].(map[string]any)
			}
			order := func(by any) (list []string) {
				t.Helper()
				a := asked("MISSION", by)
				likes, posts := 0.0, 0.0
				for _, each := range a["missions"].([]any) {
					m := each.(map[string]any)
					list = append(list, m["missionId"].(string))
					likes += at(m, "metrics", "likes").(float64)
					posts += m["posts"].(float64)
					if at(m, "mission", "name") == nil {
						t.Errorf("%v has no mission", m)
					}
				}
				if likes != at(a, "totals", "likes") || posts != a["posts"] {
					t.Errorf("by %v %v likes of %v posts are in %v", by, likes, posts, a)
				}
				return list
			}
			for by, want := range map[any][]string{
				nil: ids, "LIKES": {ids[1], ids[0], ids[2]}, "ENGAGEMENT_RATE": {ids[1], ids[2], ids[0]}, "REACH": slices.Sorted(slices.Values(ids)),
			} {
				if got := order(by); !slices.Equal(got, want) {
					t.Errorf("by %v got %v, want %v", by, got, want)
				}
			}
			accounts := asked("ACCOUNT", nil)
			if accounts["missions"] != nil {
				t.Error("a report by account has missions")
			}
			want := fmt.Sprintf("[map[account:map[handle:%[2]s] integration:map[id:%[1]s] integrationId:%[1]s metrics:map[likes:60] platform:TWITTER posts:2] "+
				"map[account:<nil> integration:<nil> integrationId:<nil> metrics:map[likes:50] platform:MASTODON posts:4]]", account, handle)
			if got := fmt.Sprint(accounts["accounts"]); got != want {
				t.Errorf("got the accounts\n%s, want\n%s", got, want)
			}
			filtered, failed := gql.call(`query ($id: ID!) { analytics(integrationId: $id, groupBy: MISSION) { integration { id } posts missions { missionId posts } } }`, map[string]any{"id": account})
			if got, want := fmt.Sprint(filtered["analytics"]), fmt.Sprintf("map[integration:map[id:%s] missions:[map[missionId:%s posts:2]] posts:2]", account, ids[1]); failed.Code != "" || got != want {
				t.Errorf("got of the account\n%s, %+v, want\n%s", got, failed, want)
			}
			s.field(rest.disconnect(account), "deleted", true)
			former := at(asked("ACCOUNT", nil), "accounts").([]any)[0].(map[string]any)
			if former["integration"] != nil || at(former, "account", "handle") != handle {
				t.Errorf("the disconnected account is %v", former)
			}
			s.key = s.keys["theirs"]
			if got := asked("MISSION", nil)["missions"]; len(got.([]any)) != 0 {
				t.Errorf("another tenant sees %v", got)
			}
			if got := rest.analytics(map[string]any{"group_by": "mission"}); got.Code != "invalid_request" || got.Param != "group_by" {
				t.Errorf("REST groups by mission: %+v", got)
			}
		})
	}
}
