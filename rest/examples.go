package rest

import (
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"missiond/mission"
)

// field is what the description says of a field beside its type: what it is,
// where that isn't said at its declaration, one of its values, and all of them
// where they are a closed set.
type field struct {
	about   string
	example any
	values  []any
}

// list returns an example of many.
func list(items ...any) []any { return items }

// values returns a closed set as the description has it.
func values[T ~string](set ...T) []any {
	all := make([]any, len(set))
	for i, v := range set {
		all[i] = string(v)
	}
	return all
}

const (
	exampleTime    = "2025-03-03T09:00:00Z"
	exampleMission = "msn_01jnd2x6k8e4rvt0m7y3bqz5ca"
	exampleContent = "cnt_01jnd2x6k8e4rvt0m7y3bqz5cb"
	exampleKey     = "key_01jnd2x6k8e4rvt0m7y3bqz5cd"
	exampleWebhook = "whk_01jnd2x6k8e4rvt0m7y3bqz5ce"
	exampleEvent   = "evt_01jnd2x6k8e4rvt0m7y3bqz5cf"
	exampleLink    = "int_01jnd2x6k8e4rvt0m7y3bqz5cp"
	exampleTenant  = "tnt_01jnd2x6k8e4rvt0m7y3bqz5cg"
	exampleUser    = "usr_01jnd2x6k8e4rvt0m7y3bqz5ch"
	exampleJob     = "job_01jnd2x6k8e4rvt0m7y3bqz5cj"
	exampleSecret  = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" //nolint:gosec // nobody's
)

var exampleMetrics = map[string]any{"impressions": 1240.0, "likes": 37.0, "engagement_rate": 2.98}

// fields has every field of the interface by its name; "Schema.name" goes
// before the name alone where the name means something of its own there.
var fields = map[string]field{
	"AuditEntry.id":               {example: "aud_01jnd2x6k8e4rvt0m7y3bqz5ck"},
	"CreatedKey.id":               {example: exampleKey},
	"CreatedWebhook.id":           {example: exampleWebhook},
	"DeletedWebhook.id":           {example: exampleWebhook},
	"ConnectedIntegration.id":     {example: exampleLink},
	"DeletedIntegration.id":       {example: exampleLink},
	"ShownIntegration.id":         {example: exampleLink},
	"TestedIntegration.id":        {example: exampleLink},
	"ShownAccount.id":             {example: "109302436954721982"},
	"ShownAccount.name":           {example: "Acme"},
	"ShownAccount.url":            {example: "https://mastodon.example/@acme"},
	"ConnectedIntegration.status": {about: "pending: its owner has yet to consent; needs_reconnect: the platform refused it, and posts wait", example: "connected", values: values(mission.AllIntegrationStatuses()...)},
	"ShownIntegration.status":     {about: "pending: its owner has yet to consent; needs_reconnect: the platform refused it, and posts wait", example: "connected", values: values(mission.AllIntegrationStatuses()...)},
	"TestedIntegration.status":    {about: "pending: its owner has yet to consent; needs_reconnect: the platform refused it, and posts wait", example: "connected", values: values(mission.AllIntegrationStatuses()...)},
	"TestedIntegration.error":     {example: "The platform refused the credentials."},
	"ShownIntegration.scopes":     {example: list("read:accounts", "write:statuses")},
	"ConnectedIntegration.scopes": {example: list("read:accounts", "write:statuses")},
	"integrations.connect.server": {about: "The Mastodon server or Bluesky PDS: a host, or its URL", example: "mastodon.example"},
	"DeliveryWithAttempts.id":     {example: "dlv_01jnd2x6k8e4rvt0m7y3bqz5cm"},
	"Member.id":                   {example: exampleUser},
	"NewKey.id":                   {example: exampleKey},
	"OldKey.id":                   {example: exampleKey},
	"OnboardedTenantStruct.id":    {example: exampleTenant},
	"ReadKey.id":                  {example: exampleKey},
	"Replayed.id":                 {example: exampleWebhook},
	"RevokedKey.id":               {example: exampleKey},
	"RotatedWebhook.id":           {example: exampleWebhook},
	"ShownContent.id":             {example: exampleContent},
	"ShownDelivery.id":            {example: "dlv_01jnd2x6k8e4rvt0m7y3bqz5cm"},
	"ShownEvent.id":               {example: exampleEvent},
	"ShownKey.id":                 {example: exampleKey},
	"ShownNotification.id":        {example: "ntf_01jnd2x6k8e4rvt0m7y3bqz5cn"},
	"ShownTenant.id":              {example: exampleTenant},
	"ShownUser.id":                {example: exampleUser},
	"ShownWebhook.id":             {example: exampleWebhook},
	"TenantSettings.id":           {example: exampleTenant},
	"WhoamiTenantStruct.id":       {example: exampleTenant},
	"WhoamiUserStruct.id":         {example: exampleUser},
	"CreatedKey.name":             {about: "What it is for", example: "Deploy"},
	"ReadKey.name":                {about: "What it is for", example: "Deploy"},
	"ShownKey.name":               {about: "What it is for", example: "Deploy"},
	"keys.create.expires_in_days": {about: "In how many days it expires, 1 to 3650; null: never. A key that is made with an API key ends with that one at the latest", example: 90},
	"keys.create.name":            {about: "What it is for: 1 to 100 characters", example: "Deploy"},
	"Member.name":                 {example: "Ada Lovelace"},
	"ShownUser.name":              {example: "Ada Lovelace"},
	"WhoamiUserStruct.name":       {example: "Ada Lovelace"},
	"OnboardedTenantStruct.name":  {about: "What people call it", example: "Acme"},
	"ShownTenant.name":            {about: "What people call it", example: "Acme"},
	"TenantSettings.name":         {about: "What people call it", example: "Acme"},
	"WhoamiTenantStruct.name":     {about: "What people call it", example: "Acme"},
	"onboarding.complete.name":    {about: "What people call it", example: "Acme"},
	"tenant.update.name":          {about: "What people call it", example: "Acme"},
	"CreatedKey.status":           {example: "active", values: values(mission.AllKeyStatuses()...)},
	"OldKey.status":               {about: "rotating keys work until valid_until", example: "rotating", values: values(mission.AllKeyStatuses()...)},
	"ReadKey.status":              {about: "An expired key is revoked", example: "active", values: values(mission.AllKeyStatuses()...)},
	"RevokedKey.status":           {about: "revoked", example: "revoked", values: values(mission.KeyRevoked)},
	"ShownKey.status":             {about: "An expired key is revoked", example: "active", values: values(mission.AllKeyStatuses()...)},
	"CreatedWebhook.status":       {about: "failing: an event was given up lately; it is still sent to", example: "active", values: values(mission.AllWebhookStatuses()...)},
	"ShownWebhook.status":         {about: "failing: an event was given up lately; it is still sent to", example: "active", values: values(mission.AllWebhookStatuses()...)},
	"DeliveryWithAttempts.status": {about: "What became of it", example: "delivered", values: values(mission.AllDeliveryStatuses()...)},
	"ShownDelivery.status":        {about: "What became of it", example: "delivered", values: values(mission.AllDeliveryStatuses()...)},
	"PipelineView.status":         {about: "The current job's state", example: "running", values: values(mission.AllRunStatuses()...)},
	"StageView.status":            {about: "The stage's state", example: "completed", values: values(mission.AllRunStatuses()...)},
	"ShownContent.status":         {about: "unknown: the platform's answer never came, and is looked for", example: "scheduled", values: values(mission.AllContentStatuses()...)},
	"ShownRevision.status":        {example: "rejected", values: values(mission.AllContentStatuses()...)},
	"KPI.platform":                {about: "Where it is measured; all: on every platform", example: "all", values: append(values(mission.AllPlatforms()...), string(mission.EveryPlatform))},
	"KPIInput.platform":           {about: "Where it is measured; all, the default: on every platform", example: "all", values: append(values(mission.AllPlatforms()...), string(mission.EveryPlatform))},
	"KPIProgress.platform":        {about: "Where it is measured; all: on every platform", example: "all", values: append(values(mission.AllPlatforms()...), string(mission.EveryPlatform))},
	"KPIProgress.needed_per_day":  {about: "What each day until the mission's end must bring for the target to be reached: of a count what it adds, of engagement_rate the rate of the posts to come. 0 where the target is reached, null where no days are left", example: 4.5},
	"KPIProgress.reported_by":     {about: "The mission's platforms that count and report the metric; where there are none, current stays null", example: list("twitter", "linkedin"), values: values(mission.AllPlatforms()...)},
	"Notice.message":              {about: "What is to be known", example: "None of the mission's platforms reports reach: this KPI stays without a current figure."},
	"Notice.param":                {about: "The path of the field", example: "kpis[0].metric"},
	"Failure.code":                {about: "What kind of failure it was", example: "platform_refused"},
	"Failure.message":             {about: "What went wrong, for people", example: "The platform refused the post: duplicate text."},
	"EnvelopeInnerStruct.code":    {example: "invalid_request", values: values(mission.AllCodes()...)},
	"EnvelopeInnerStruct.message": {example: "At least one platform is required."},
	"CreatedWebhook.events":       {about: "What it is sent", example: list("content.published", "mission.completed"), values: values(mission.AllEventTypes()...)},
	"ShownWebhook.events":         {about: "What it is sent", example: list("content.published", "mission.completed"), values: values(mission.AllEventTypes()...)},
	"webhooks.create.events":      {about: "What it is to be sent", example: list("content.published", "mission.completed"), values: values(mission.AllEventTypes()...)},
	"webhooks.update.events":      {about: "What it is to be sent", example: list("content.published", "mission.completed"), values: values(mission.AllEventTypes()...)},
	"Replayed.events":             {example: 12},
	"ShownAttempt.error":          {example: "timeout"},
	"TestedWebhook.error":         {example: "timeout"},
	"ShownEventType.description":  {about: "When it is sent", example: "A post was published on its platform."},
	"ShownEventType.type":         {about: "The type's name", example: "content.published", values: values(mission.AllEventTypes()...)},
	"ShownEvent.type":             {about: "The type's name", example: "content.published"},
	"ShownEvent.data":             {about: "As the type's schema has it", example: map[string]any{"mission_id": exampleMission}},
	"ShownDelivery.event_type":    {about: "The type's name", example: "content.published"},
	"DayReport.date":              {about: "The day of publication, in UTC", example: "2025-03-03"},
	"ShownReport.data":            {about: "A row each day that has posts, oldest first, or each platform, or each measured post, latest publication first", example: list(map[string]any{"date": "2025-03-03", "posts": 3, "metrics": exampleMetrics})},
	"ShownReport.total":           {about: "How many rows there are", example: 1},
	"DayUsage.date":               {about: "The day, in UTC", example: "2025-03-03"},
	"ShownNotification.message":   {about: "What happened, for people", example: "The webhook https://example.com/hooks fails: its last event was given up."},
	"content.list.status":         {example: "pending_review"},
	"deliveries.list.status":      {example: "failed"},
	"events.list.type":            {example: "content.published"},
	"Constraints.posting_times":   {about: "When posts go out, in the mission's time zone; more than posts a day are taken in turn; empty: the service chooses", example: list("09:00", "17:30")},
	"StageView.duration_ms":       {about: "How long it ran, while it ran", example: 340},
	"StageView.progress_percent":  {about: "0 to 100", example: 100},

	"action":                {about: "What was done", example: "api_key.created"},
	"adjusted_ends_at":      {about: "The end, moved by the pause", example: exampleTime},
	"age_seconds":           {example: 3600},
	"angle":                 {about: "How the post approaches its subject", example: "how_to", values: values(mission.AllAngles()...)},
	"approved":              {about: "Posts that are approved and not scheduled yet", example: 1},
	"at":                    {about: "When it was sent", example: exampleTime},
	"attempt_count":         {about: "How often it was sent", example: 1},
	"audience":              {about: "Whom the posts speak to", example: "Small teams that ship every week"},
	"auth_method":           {about: "How the caller showed who it is", example: "api_key", values: values(mission.AuthSession, mission.AuthAPIKey)},
	"author_id":             {example: exampleUser},
	"budget_cents":          {about: "What writing and publishing may cost, in US cents; null: no bound", example: 5000},
	"cadence":               {about: "On which days it posts", example: "daily", values: values(mission.AllCadences()...)},
	"clerk_token":           {example: "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c2VyXzEifQ.c2ln"},
	"clicks":                {example: 12.0},
	"comments":              {example: 4.0},
	"completed_at":          {about: "When it was taken or given up", example: exampleTime},
	"content_id":            {about: "The post", example: exampleContent},
	"cost_cents":            {example: 2},
	"created_at":            {about: "When it was made", example: exampleTime},
	"current":               {about: "The figure as last measured; null before the first measurement", example: 0.041},
	"current_stage":         {about: "The stage it is in", example: "publish", values: values(mission.AllStages()...)},
	"deleted":               {about: "true", example: true},
	"delivered":             {about: "Whether the receiver took the event", example: true},
	"delivery_id":           {about: "The delivery's id", example: "dlv_01jnd2x6k8e4rvt0m7y3bqz5cm"},
	"description":           {about: "What the mission is about", example: "Three weeks around the 2.0 release"},
	"details":               {about: "What changed; never a secret", example: map[string]any{"name": "Deploy"}},
	"duration_days":         {about: "How long it lasts: 1 to 366 days", example: 21},
	"duration_ms":           {about: "How long the answer took", example: 84},
	"email":                 {example: "ada@example.com"},
	"enabled":               {about: "Whether it is sent to", example: true},
	"engagement_rate":       {example: 3.71},
	"ends_at":               {about: "When it ends; null before its start is known", example: exampleTime},
	"estimated_posts":       {about: "How many posts it will write, budget permitting", example: 42},
	"event_id":              {about: "The event", example: exampleEvent},
	"event_type":            {about: "The event's type", example: "content.published"},
	"excluded_topic":        {example: "politics"},
	"excluded_topics":       {about: "What posts never mention", example: list("politics")},
	"expand":                {about: "What to answer beside: content, analytics", example: list("content")},
	"access_token":          {about: "An access token of the account's, on platforms that take one", example: "ZA-Yj3aBD8U8Cm7lKUp-lm9O9BmDgdhHzDeqsY8tlL0"},
	"account":               {about: "The LinkedIn organisation to post for; the member where it is left out", example: "urn:li:organization:2414183"},
	"app_password":          {about: "One of the Bluesky account's app passwords", example: "abcd-efgh-ijkl-mnop"},
	"auth":                  {about: "How it shows the platform whose it is", example: "access_token", values: values(mission.AllIntegrationAuths()...)},
	"authorize_url":         {example: "https://x.com/i/oauth2/authorize?state=kDyq7c"},
	"checked_at":            {example: exampleTime},
	"connected_at":          {example: exampleTime},
	"handle":                {example: "acme@mastodon.example"},
	"identifier":            {about: "A Bluesky handle, e-mail or DID", example: "acme.bsky.social"},
	"ok":                    {example: true},
	"refresh_token":         {about: "What renews the access token", example: "bWRWa3gzdnk3WHRGU1o0bmRRcTJ5V2ZmeU9t"},
	"return_url":            {about: "Where the owner's browser goes after the consent: a page of a configured origin", example: "https://app.example.com/settings"},
	"server":                {example: "https://mastodon.example"},
	"expires_at":            {about: "Until when it is valid", example: exampleTime},
	"expires_in_days":       {about: "1 to 365; without it the key doesn't expire", example: 90},
	"followers_gained":      {example: 2.0},
	"format":                {example: "csv"},
	"from":                  {example: "2025-03-01"},
	"generated":             {about: "All posts that were written", example: 6},
	"grace_period_days":     {example: 7},
	"group_by":              {example: "day", values: values(mission.AllGroupings()...)},
	"has_more":              {example: false},
	"id":                    {about: "Its id", example: exampleMission},
	"ids":                   {example: list("ntf_01jnd2x6k8e4rvt0m7y3bqz5cn")},
	"impressions":           {example: 1240.0},
	"instructions":          {example: "Shorter, and no question at the end"},
	"job_id":                {about: "The pipeline's job", example: exampleJob},
	"key":                   {example: "sk_live_4eC39HqLyjWDarjtT1zdp7dc4eC39HqL"}, //nolint:gosec // nobody's
	"key_id":                {example: exampleKey},
	"key_prefix":            {about: "How the secret begins", example: "sk_live_4eC3"},
	"kind":                  {about: "What kind of message it is", example: "webhook_failing", values: values(mission.AllNotificationKinds()...)},
	"last_30_days":          {example: 812},
	"last_used_at":          {example: exampleTime},
	"latest":                {example: true},
	"likes":                 {example: 37.0},
	"link_clicks":           {example: 9.0},
	"limit":                 {example: 20},
	"measured_at":           {about: "When it was measured last", example: exampleTime},
	"metric":                {about: "What is measured", example: "engagement_rate", values: values(mission.AllMetrics()...)},
	"metrics":               {about: "What the platform reports; figures it doesn't report are left out", example: exampleMetrics},
	"mission_id":            {about: "The mission", example: exampleMission},
	"name":                  {about: "What people call it: 1 to 200 characters", example: "Autumn launch"},
	"next_attempt_at":       {about: "When it is sent next; null where it isn't", example: exampleTime},
	"next_publish_at":       {about: "When the next post is due; null where none is", example: exampleTime},
	"next_steps":            {example: list("Connect a platform")},
	"objectives":            {about: "What the mission is to reach: 1 to 50", example: list("Announce the 2.0 release")},
	"param":                 {example: "platforms"},
	"parts":                 {about: "Of a thread, in order; else empty", example: list("First of all: it is faster.", "Second: it is smaller.")},
	"passed":                {about: "Whether no excluded topic was found", example: true},
	"paused_at":             {about: "Since when it is paused", example: exampleTime},
	"pending_review":        {about: "Posts that wait for a person", example: 2},
	"pipeline_job_id":       {about: "The current job; null in a draft", example: exampleJob},
	"plan":                  {about: "The tenant's plan", example: "pro", values: values(mission.AllPlans()...)},
	"platform":              {about: "The platform", example: "twitter", values: values(mission.AllPlatforms()...)},
	"platform_post_id":      {about: "The platform's id of the post", example: "1896500000000000000"},
	"platform_url":          {about: "Where the post is to be seen", example: "https://x.com/acme/status/1896500000000000000"},
	"platforms":             {about: "Where it posts", example: list("twitter", "linkedin"), values: values(mission.AllPlatforms()...)},
	"posting_times":         {about: "When posts go out, in the mission's time zone: HH:MM; more than posts a day are taken in turn", example: list("09:00", "17:30")},
	"posts":                 {example: 3},
	"posts_per_day":         {about: "On each posting day and platform: 1 to 50", example: 2},
	"previous_valid_until":  {example: exampleTime},
	"progress_percent":      {about: "0 to 100", example: 64},
	"published":             {about: "Posts that were published", example: 3},
	"published_at":          {about: "When it was published", example: exampleTime},
	"reach":                 {example: 980.0},
	"read_at":               {example: exampleTime},
	"reason":                {example: "Too loud"},
	"rejection_reason":      {about: "Why it was rejected", example: "Too loud"},
	"request_id":            {example: "req_01jnd2x6k8e4rvt0m7y3bqz5cp"},
	"requests":              {about: "How many requests there were", example: 312},
	"require_approval":      {about: "Whether a person approves each post", example: true},
	"reset_at":              {example: exampleTime},
	"response":              {example: "ok"},
	"resumed_at":            {about: "When it was resumed", example: exampleTime},
	"retry_after":           {example: 12},
	"reviewed_at":           {about: "When a person decided", example: exampleTime},
	"reviewed_by":           {about: "Who decided", example: exampleUser},
	"revision":              {about: "Counts the texts it has had, from 1", example: 1},
	"revoked_at":            {about: "When it was revoked", example: exampleTime},
	"role":                  {about: "What the person may do", example: "editor", values: values(mission.AllRoles()...)},
	"scheduled":             {about: "Posts that wait for their time", example: 1},
	"scheduled_at":          {about: "When it is to go out", example: exampleTime},
	"schema":                {example: map[string]any{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}},
	"tenant.delete.confirm": {example: "acme"},
	"members.delete.keys":   {example: "revoke"},
	"deletes_at":            {example: exampleTime},
	"sessions_ended":        {example: 2},
	"EndedSessions.id":      {example: exampleUser},
	"RemovedMember.id":      {example: exampleUser},
	"also_revoked":          {example: list("key_01jnd2x6k8e4rvt0m7y3bqz5cq")},
	"created_by_key_id":     {example: "key_01jnd2x6k8e4rvt0m7y3bqz5cr"},
	"created_by_user_id":    {example: exampleUser},
	"notice":                {example: mission.KeyInput{}.Notice()},
	"keys.create.scopes":    {about: "What it may do. LEFT OUT OR null, THE KEY HOLDS EVERY SCOPE, admin among them: name what it needs", example: list("missions:read")},
	"scopes":                {about: "What it allows", example: list("missions:read", "missions:write")},
	"secret":                {about: "The signing secret", example: exampleSecret},
	"shares":                {example: 5.0},
	"since":                 {example: exampleTime},
	"slug":                  {about: "Its short name; others may have the same", example: "acme"},
	"start_immediately":     {about: "Whether it starts at once; else it is a draft", example: true},
	"starting_after":        {example: exampleMission},
	"starts_at":             {about: "When it starts, or started", example: exampleTime},
	"status":                {about: "The mission's state", example: "active", values: values(mission.AllStatuses()...)},
	"status_code":           {example: 200},
	"subject_id":            {example: exampleWebhook},
	"success":               {about: "true", example: true},
	"target":                {about: "What is to be reached", example: 0.05},
	"target_id":             {example: exampleKey},
	"text":                  {about: "The text", example: "Version 2.0 is out: twice as fast, half the size."},
	"timezone":              {about: "An IANA time zone, in which days and posting times are meant", example: "Europe/Berlin"},
	"to":                    {example: "2025-03-31"},
	"token":                 {example: "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c3JfMSJ9.c2ln"},
	"tone":                  {about: "How posts sound", example: "friendly"},
	"topics_checked":        {about: "How many topics were looked for", example: 1},
	"total":                 {example: 1},
	"total_requests":        {example: 10482},
	"totals":                {example: exampleMetrics},
	"trend":                 {about: "Whether the figure grows", example: "improving", values: values(mission.TrendImproving, mission.TrendSteady, mission.TrendDeclining)},
	"type":                  {about: "The post's format", example: "post", values: values(mission.FormatPost, mission.FormatThread, mission.FormatArticle)},
	"undelivered":           {example: false},
	"unread":                {example: true},
	"updated_at":            {about: "When it changed last", example: exampleTime},
	"url":                   {about: "Where events are posted", example: "https://example.com/hooks"},
	"user_id":               {example: exampleUser},
	"valid_until":           {about: "Until when it works", example: exampleTime},
	"voice":                 {about: "How the brand speaks", example: "Plain, warm, never shouting"},
	"webhook_id":            {about: "The endpoint", example: exampleWebhook},
	"website":               {about: "Where the brand is at home", example: "https://acme.example"},
}

// fieldOf returns what is said of a field of a schema, or a parameter of an
// operation.
func fieldOf(owner, name string) field {
	f, ok := fields[owner+"."+name]
	if !ok {
		return fields[name]
	}
	if f.about == "" {
		f.about = fields[name].about
	}
	return f
}

// exemplify adds to a schema, of a name, what fields has of its fields, and to
// those of the schemas within.
func exemplify(name string, s *huma.Schema) {
	if s == nil {
		return
	}
	for property, schema := range s.Properties {
		fieldOf(name, property).describe(schema)
		exemplify(name, schema)
	}
	exemplify(name, s.Items)
}

func (f field) describe(s *huma.Schema) {
	if s.Description == "" {
		s.Description = f.about
	}
	if f.example == nil || s.Ref != "" {
		return
	}
	if len(s.Examples) == 0 {
		s.Examples = []any{f.example}
	}
	if s.Items != nil {
		s = s.Items
	}
	if len(s.Enum) > 0 || f.values == nil {
		return
	}
	s.Enum = f.values
	if s.Nullable {
		s.Enum = append(slices.Clone(f.values), nil)
	}
}
