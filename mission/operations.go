package mission

// Scope is a permission that a credential has (interface, section 5).
type Scope string

// The scopes. ScopeAdmin implies every other; every valid credential has
// ScopeAny.
const (
	ScopeAny               Scope = ""
	ScopeMissionsRead      Scope = "missions:read"
	ScopeMissionsWrite     Scope = "missions:write"
	ScopeContentRead       Scope = "content:read"
	ScopeContentWrite      Scope = "content:write"
	ScopeAnalyticsRead     Scope = "analytics:read"
	ScopeIntegrationsRead  Scope = "integrations:read"
	ScopeIntegrationsWrite Scope = "integrations:write"
	ScopeAdmin             Scope = "admin"
)

// AllScopes lists the scopes of the interface.
func AllScopes() []Scope {
	return []Scope{
		ScopeMissionsRead, ScopeMissionsWrite, ScopeContentRead, ScopeContentWrite, ScopeAnalyticsRead,
		ScopeIntegrationsRead, ScopeIntegrationsWrite, ScopeAdmin,
	}
}

// Operation names something that callers do. Each REST route and GraphQL field
// is registered with its operation.
type Operation string

// The operations.
const (
	OpLogin        Operation = "session.login"
	OpRefresh      Operation = "session.refresh"
	OpLogout       Operation = "session.logout"
	OpWhoami       Operation = "session.whoami"
	OpPreferences  Operation = "session.preferences"
	OpPrefer       Operation = "session.update_preferences"
	OpSessionsList Operation = "sessions.list"
	OpSessionsEnd  Operation = "sessions.end"
	OpKeysCreate   Operation = "keys.create"
	OpKeysList     Operation = "keys.list"
	OpKeysRead     Operation = "keys.read"
	OpKeysRevoke   Operation = "keys.revoke"
	OpKeysRotate   Operation = "keys.rotate"
	OpAgentsList   Operation = "agents.list"
	OpAgentsRead   Operation = "agents.read"
	// OpAgentsAsk reads what an application asks a person for, OpAgentsAllow lets it act for them.
	OpAgentsAsk     Operation = "agents.ask"
	OpAgentsAllow   Operation = "agents.allow"
	OpAgentsRevoke  Operation = "agents.revoke"
	OpOnboard       Operation = "tenant.onboard"
	OpTenantRead    Operation = "tenant.read"
	OpTenantUpdate  Operation = "tenant.update"
	OpMembersList   Operation = "members.list"
	OpMembersRead   Operation = "members.read"
	OpMembersUpdate Operation = "members.update"
	OpMembersDelete Operation = "members.delete"
	OpMembersEnd    Operation = "members.end_sessions"
	OpTenantDelete  Operation = "tenant.delete"
	OpTenantRestore Operation = "tenant.restore"
	OpHoldRead      Operation = "tenant.read_hold"
	OpHold          Operation = "tenant.hold"
	OpRelease       Operation = "tenant.release"
	// OpSample writes a sample post in the tenant's brand, and stores nothing.
	OpSample       Operation = "tenant.sample"
	OpWriterRead   Operation = "tenant.read_writer"
	OpWriterSet    Operation = "tenant.set_writer"
	OpWriterRemove Operation = "tenant.remove_writer"
	OpAppRead      Operation = "tenant.read_platform"
	OpAppSet       Operation = "tenant.set_platform"
	OpAppRemove    Operation = "tenant.remove_platform"
	OpAuditList    Operation = "audit.list"
	OpAuditRead    Operation = "audit.read"

	OpChanges           Operation = "changes.follow"
	OpUsage             Operation = "usage.read"
	OpNotificationsList Operation = "notifications.list"
	OpNotificationsRead Operation = "notifications.read"
	OpNotificationsMark Operation = "notifications.mark_read"

	OpMissionsList     Operation = "missions.list"
	OpMissionsCreate   Operation = "missions.create"
	OpMissionsRead     Operation = "missions.read"
	OpMissionsStatus   Operation = "missions.status"
	OpMissionsWhy      Operation = "missions.why"
	OpMissionsAutonomy Operation = "missions.autonomy"
	OpMissionsPause    Operation = "missions.pause"
	OpMissionsResume   Operation = "missions.resume"
	OpMissionsDelete   Operation = "missions.delete"
	OpMissionsUpdate   Operation = "missions.update"
	OpMissionsStart    Operation = "missions.start"
	OpMissionsComplete Operation = "missions.complete"
	OpMissionsRetry    Operation = "missions.retry"
	OpMissionsCopy     Operation = "missions.duplicate"
	OpMissionsEstimate Operation = "missions.estimate"
	OpMissionsLimits   Operation = "missions.limits"
	OpJobsList         Operation = "jobs.list"
	OpJobsRead         Operation = "jobs.read"
	OpPlatformsList    Operation = "platforms.list"

	OpContentList       Operation = "content.list"
	OpContentRead       Operation = "content.read"
	OpContentCreate     Operation = "content.create"
	OpContentImport     Operation = "content.import"
	OpContentEdit       Operation = "content.edit"
	OpContentReschedule Operation = "content.reschedule"
	OpContentCancel     Operation = "content.cancel"
	OpContentApprove    Operation = "content.approve"
	OpContentReject     Operation = "content.reject"
	OpContentReopen     Operation = "content.reopen"
	OpContentSettle     Operation = "content.settle"
	OpContentRegenerate Operation = "content.regenerate"
	OpContentRevisions  Operation = "content.revisions"
	OpContentWhy        Operation = "content.why"
	OpContentRecord     Operation = "content.record"
	OpContentValidate   Operation = "content.validate"
	OpContentComment    Operation = "content.comment"
	OpContentComments   Operation = "content.comments"
	OpRepliesList       Operation = "replies.list"
	OpRepliesRead       Operation = "replies.read"
	OpRepliesWhy        Operation = "replies.why"
	OpRepliesAnswer     Operation = "replies.answer"
	OpRepliesHide       Operation = "replies.hide"
	OpRepliesDone       Operation = "replies.mark_done"
	OpRepliesReopen     Operation = "replies.reopen"
	OpContentFreeSlots  Operation = "content.free_slots"
	OpCalendar          Operation = "calendar.read"

	OpDraftsList   Operation = "drafts.list"
	OpDraftsSave   Operation = "drafts.save"
	OpDraftsDelete Operation = "drafts.delete"

	OpReviewLinksCreate Operation = "review_links.create"
	OpReviewLinksList   Operation = "review_links.list"
	OpReviewLinksRead   Operation = "review_links.read"
	OpReviewLinksRevoke Operation = "review_links.revoke"

	OpMediaUpload Operation = "media.upload"
	// OpMediaPrepare prepares an upload at a signed address, to which
	// OpMediaReceive sends the bytes of an upload to a signed address, OpMediaComplete ends it.
	OpMediaPrepare  Operation = "media.prepare_upload"
	OpMediaReceive  Operation = "media.receive"
	OpMediaComplete Operation = "media.complete"
	OpMediaList     Operation = "media.list"
	OpMediaRead     Operation = "media.read"
	OpMediaFile     Operation = "media.file"
	// OpMediaFetch is a platform's that fetches a post's file at a signed address.
	OpMediaFetch  Operation = "media.fetch"
	OpMediaUpdate Operation = "media.update"
	OpMediaDelete Operation = "media.delete"
	// OpMediaPosts lists the posts that have a file.
	OpMediaPosts Operation = "media.posts"

	// OpAttention reads what needs a person: of each kind if the caller has its scope.
	OpAttention Operation = "attention.read"

	OpAnalyticsRead   Operation = "analytics.read"
	OpAnalyticsExport Operation = "analytics.export"

	OpEventTypes          Operation = "events.types"
	OpEventsList          Operation = "events.list"
	OpEventsRead          Operation = "events.read"
	OpWebhooksCreate      Operation = "webhooks.create"
	OpWebhooksList        Operation = "webhooks.list"
	OpWebhooksRead        Operation = "webhooks.read"
	OpWebhooksUpdate      Operation = "webhooks.update"
	OpWebhooksDelete      Operation = "webhooks.delete"
	OpWebhooksTest        Operation = "webhooks.test"
	OpWebhooksRotate      Operation = "webhooks.rotate_secret"
	OpDeliveriesList      Operation = "deliveries.list"
	OpDeliveriesRead      Operation = "deliveries.read"
	OpDeliveriesRedeliver Operation = "deliveries.redeliver"
	OpWebhooksReplay      Operation = "webhooks.replay"

	OpIntegrationsList    Operation = "integrations.list"
	OpIntegrationsRead    Operation = "integrations.read"
	OpIntegrationsConnect Operation = "integrations.connect"
	OpIntegrationsUpdate  Operation = "integrations.update"
	OpIntegrationsDelete  Operation = "integrations.delete"
	OpIntegrationsTest    Operation = "integrations.test"
	OpIntegrationsSeries  Operation = "integrations.series"

	// OpNode reads a record by its id alone; the operation of the record's type
	// is checked once the type is known.
	OpNode Operation = "node"
)

// How many rows weigh as much as a request: posts, deliveries, and slots of an estimate.
const (
	postsPerRequest      = 50
	deliveriesPerRequest = 100
	slotsPerRequest      = 2000
)

// eventScope is needed to read the event log, and so to have events sent
// somewhere.
const eventScope = ScopeMissionsRead

// operations is the policy of every operation.
var operations = map[Operation]Policy{
	OpLogin:         {Open: true},
	OpRefresh:       {Open: true},
	OpLogout:        {Scope: ScopeAny},
	OpWhoami:        {Scope: ScopeAny},
	OpPreferences:   {Scope: ScopeAny},
	OpPrefer:        {Scope: ScopeAny},
	OpSessionsList:  {Scope: ScopeAny},
	OpSessionsEnd:   {Scope: ScopeAny},
	OpKeysCreate:    {Scope: ScopeAdmin},
	OpKeysList:      {Scope: ScopeAdmin},
	OpKeysRead:      {Scope: ScopeAdmin},
	OpKeysRevoke:    {Scope: ScopeAdmin},
	OpKeysRotate:    {Scope: ScopeAdmin},
	OpAgentsList:    {Scope: ScopeAny},
	OpAgentsRead:    {Scope: ScopeAny},
	OpAgentsAsk:     {Scope: ScopeAny},
	OpAgentsAllow:   {Scope: ScopeAny},
	OpAgentsRevoke:  {Scope: ScopeAny},
	OpOnboard:       {Scope: ScopeAdmin, PerHour: 5, Rows: postsPerRequest},
	OpTenantRead:    {Scope: ScopeAdmin},
	OpTenantUpdate:  {Scope: ScopeAdmin, Rows: postsPerRequest},
	OpMembersList:   {Scope: ScopeAdmin},
	OpMembersRead:   {Scope: ScopeAdmin},
	OpMembersUpdate: {Scope: ScopeAdmin},
	OpMembersDelete: {Scope: ScopeAdmin},
	OpMembersEnd:    {Scope: ScopeAdmin},
	OpTenantDelete:  {Scope: ScopeAdmin},
	OpTenantRestore: {Scope: ScopeAdmin},
	OpHoldRead:      {Scope: ScopeMissionsRead},
	OpHold:          {Scope: ScopeMissionsWrite},
	OpRelease:       {Scope: ScopeMissionsWrite},
	OpSample:        {Scope: ScopeAdmin, PerHour: 20},
	OpWriterRead:    {Scope: ScopeAdmin},
	OpWriterSet:     {Scope: ScopeAdmin},
	OpWriterRemove:  {Scope: ScopeAdmin},
	OpAppRead:       {Scope: ScopeAdmin},
	OpAppSet:        {Scope: ScopeAdmin},
	OpAppRemove:     {Scope: ScopeAdmin},
	OpAuditList:     {Scope: ScopeAdmin},
	OpAuditRead:     {Scope: ScopeAdmin},

	OpUsage:             {Scope: ScopeAny},
	OpNotificationsList: {Scope: ScopeAdmin},
	OpNotificationsRead: {Scope: ScopeAdmin},
	OpNotificationsMark: {Scope: ScopeAdmin},

	OpMissionsList:     {Scope: ScopeMissionsRead},
	OpMissionsCreate:   {Scope: ScopeMissionsWrite, PerHour: 10},
	OpMissionsRead:     {Scope: ScopeMissionsRead},
	OpMissionsStatus:   {Scope: ScopeMissionsRead},
	OpMissionsWhy:      {Scope: ScopeMissionsRead},
	OpMissionsAutonomy: {Scope: ScopeMissionsRead},
	OpMissionsPause:    {Scope: ScopeMissionsWrite},
	OpMissionsResume:   {Scope: ScopeMissionsWrite},
	OpMissionsDelete:   {Scope: ScopeMissionsWrite},
	OpMissionsUpdate:   {Scope: ScopeMissionsWrite, Rows: postsPerRequest},
	OpMissionsStart:    {Scope: ScopeMissionsWrite},
	OpMissionsComplete: {Scope: ScopeMissionsWrite},
	OpMissionsRetry:    {Scope: ScopeMissionsWrite},
	OpMissionsCopy:     {Scope: ScopeMissionsWrite, Allowance: OpMissionsCreate},
	OpMissionsEstimate: {Scope: ScopeMissionsRead, Rows: slotsPerRequest},
	OpMissionsLimits:   {},
	OpJobsRead:         {Scope: ScopeMissionsRead},
	OpJobsList:         {Scope: ScopeMissionsRead},
	OpPlatformsList:    {},

	OpContentList:       {Scope: ScopeContentRead},
	OpContentRead:       {Scope: ScopeContentRead},
	OpContentRevisions:  {Scope: ScopeContentRead},
	OpContentWhy:        {Scope: ScopeContentRead},
	OpContentRecord:     {Scope: ScopeContentRead},
	OpContentValidate:   {Scope: ScopeContentRead},
	OpCalendar:          {Scope: ScopeContentRead, Also: ScopeMissionsRead, AlsoWhen: "for the planned slots, which are empty without it"},
	OpContentCreate:     {Scope: ScopeContentWrite, Rows: 1},
	OpContentImport:     {Scope: ScopeContentWrite, Rows: postsPerRequest},
	OpContentEdit:       {Scope: ScopeContentWrite},
	OpContentReschedule: {Scope: ScopeContentWrite, Rows: postsPerRequest},
	OpContentCancel:     {Scope: ScopeContentWrite, Rows: postsPerRequest},
	OpContentApprove:    {Scope: ScopeContentWrite, Rows: postsPerRequest},
	OpContentReject:     {Scope: ScopeContentWrite, Rows: postsPerRequest},
	OpContentReopen:     {Scope: ScopeContentWrite},
	OpContentSettle:     {Scope: ScopeContentWrite},
	OpContentRegenerate: {Scope: ScopeContentWrite, PerHour: 20},
	OpContentComment:    {Scope: ScopeContentWrite},
	OpContentComments:   {Scope: ScopeContentRead},
	OpRepliesList:       {Scope: ScopeContentRead},
	OpRepliesRead:       {Scope: ScopeContentRead},
	OpRepliesWhy:        {Scope: ScopeContentRead},
	OpRepliesAnswer:     {Scope: ScopeContentWrite},
	OpRepliesHide:       {Scope: ScopeContentWrite},
	OpRepliesDone:       {Scope: ScopeContentWrite},
	OpRepliesReopen:     {Scope: ScopeContentWrite},
	OpContentFreeSlots:  {Scope: ScopeContentRead},

	OpDraftsList:   {Scope: ScopeContentWrite},
	OpDraftsSave:   {Scope: ScopeContentWrite},
	OpDraftsDelete: {Scope: ScopeContentWrite},

	OpReviewLinksCreate: {Scope: ScopeContentWrite, Also: ScopeContentRead},
	OpReviewLinksList:   {Scope: ScopeContentWrite},
	OpReviewLinksRead:   {Scope: ScopeContentRead},
	OpReviewLinksRevoke: {Scope: ScopeContentWrite},

	OpMediaUpload:   {Scope: ScopeContentWrite},
	OpMediaPrepare:  {Scope: ScopeContentWrite},
	OpMediaReceive:  {Open: true},
	OpMediaComplete: {Scope: ScopeContentWrite},
	OpMediaList:     {Scope: ScopeContentRead},
	OpMediaRead:     {Scope: ScopeContentRead},
	OpMediaFile:     {Scope: ScopeContentRead},
	OpMediaFetch:    {Open: true},
	OpMediaUpdate:   {Scope: ScopeContentWrite},
	OpMediaDelete:   {Scope: ScopeContentWrite},
	OpMediaPosts:    {Scope: ScopeContentRead},

	OpAnalyticsRead:   {Scope: ScopeAnalyticsRead},
	OpAnalyticsExport: {Scope: ScopeAnalyticsRead, PerHour: 5},

	OpEventTypes:     {Scope: ScopeAny},
	OpEventsList:     {Scope: eventScope},
	OpEventsRead:     {Scope: eventScope},
	OpWebhooksCreate: {Scope: ScopeIntegrationsWrite, Also: eventScope},
	OpWebhooksList:   {Scope: ScopeIntegrationsRead},
	OpWebhooksRead:   {Scope: ScopeIntegrationsRead},
	OpWebhooksUpdate: {Scope: ScopeIntegrationsWrite, Also: eventScope, AlsoWhen: "if url or events is sent, or enabled is true"},
	OpWebhooksDelete: {Scope: ScopeIntegrationsWrite},
	OpWebhooksTest:   {Scope: ScopeIntegrationsWrite},
	OpWebhooksRotate: {Scope: ScopeIntegrationsWrite},
	OpDeliveriesList: {Scope: ScopeIntegrationsRead},
	OpDeliveriesRead: {
		Scope: ScopeIntegrationsRead, Also: eventScope,
		AlsoWhen: "for the receivers' responses, which are empty without it",
	},
	OpDeliveriesRedeliver: {Scope: ScopeIntegrationsWrite, Also: eventScope},
	OpWebhooksReplay:      {Scope: ScopeIntegrationsWrite, Also: eventScope, Rows: deliveriesPerRequest},

	OpIntegrationsList:    {Scope: ScopeIntegrationsRead},
	OpIntegrationsRead:    {Scope: ScopeIntegrationsRead},
	OpIntegrationsConnect: {Scope: ScopeIntegrationsWrite},
	OpIntegrationsUpdate:  {Scope: ScopeIntegrationsWrite},
	OpIntegrationsDelete:  {Scope: ScopeIntegrationsWrite},
	OpIntegrationsTest:    {Scope: ScopeIntegrationsWrite},
	OpIntegrationsSeries:  {Scope: ScopeIntegrationsRead},

	OpAttention: {Scope: ScopeAny},
	OpChanges:   {Scope: ScopeAny},

	OpNode: {Scope: ScopeAny},
}

// whileLeaving are the operations allowed for a tenant that is to be deleted:
// its admins can read, manage sessions, and take the deletion back.
var whileLeaving = []Operation{
	OpLogin, OpRefresh, OpLogout, OpWhoami, OpPreferences, OpSessionsList, OpSessionsEnd, OpTenantDelete, OpTenantRestore, OpMembersEnd, OpHoldRead,
	OpKeysList, OpKeysRead, OpAgentsList, OpAgentsRead, OpAgentsRevoke, OpTenantRead, OpMembersList, OpMembersRead, OpAuditList, OpAuditRead,
	OpChanges, OpUsage, OpNotificationsList, OpNotificationsRead, OpNotificationsMark,
	OpMissionsList, OpMissionsRead, OpMissionsStatus, OpMissionsWhy, OpMissionsAutonomy, OpMissionsLimits, OpJobsList, OpJobsRead, OpPlatformsList,
	OpContentList, OpContentRead, OpContentRevisions, OpContentWhy, OpContentComments, OpRepliesList, OpRepliesRead, OpRepliesWhy, OpReviewLinksList, OpReviewLinksRead, OpContentRecord, OpContentFreeSlots, OpDraftsList, OpCalendar, OpMediaList, OpMediaRead, OpMediaPosts, OpMediaFile, OpAnalyticsRead, OpAnalyticsExport,
	OpEventTypes, OpEventsList, OpEventsRead, OpWebhooksList, OpWebhooksRead, OpDeliveriesList, OpDeliveriesRead,
	OpIntegrationsList, OpIntegrationsRead, OpAttention, OpNode,
}

// Operations returns the policy of every operation.
func Operations() map[Operation]Policy {
	table := make(map[Operation]Policy, len(operations))
	for op, p := range operations {
		table[op] = p
	}
	return table
}

// PolicyOf returns op's policy; ok is false for an operation not in the table.
func PolicyOf(op Operation) (p Policy, ok bool) {
	p, ok = operations[op]
	return p, ok
}
