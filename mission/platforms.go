package mission

import "time"

var (
	engagementMetrics = []Metric{Likes, Comments, Shares}
	viewMetrics       = []Metric{Views, Likes, Comments, Shares}
	// xMetrics are those of X's posts (platform-apis.md, "KPI coverage").
	xMetrics   = []Metric{EngagementRate, Impressions, Clicks, LinkClicks, Likes, Comments, Shares}
	allMetrics = []Metric{EngagementRate, Impressions, Clicks, LinkClicks, Likes, Comments, Shares, FollowersGained, Reach}
)

// xFees are X's prices of 2026-08: 1.5 cents a post, 20 with a link, 0.5 for a
// post that is read, be it a reply, 0.5 for an alt text. A lookup reads ten.
var xFees = Fees{Post: 15_000, LinkPost: 200_000, Read: 5_000, Lookup: 50_000, AltText: 5_000, Reply: 5_000}

// Lookups of the platforms that have an adapter (platforms' references, 2026). Bluesky's is
// by the record's key, which the service chooses. A server that speaks Mastodon's API may
// ignore the Idempotency-Key, so that nothing is built on it. X refuses the text of a post
// that the account has for a time that it doesn't publish. LinkedIn refuses it for ten
// minutes, less one for the call; only organisations' posts can be listed. The containers of
// Threads and Instagram say whether they were published; WordPress and Ghost know posts by a
// slug that the service chooses. A Page's posts can be listed. Discord knows a bot's message by its nonce for "a few minutes",
// on which nothing is built, and its messages can be listed; a webhook's can't, nor those of
// Telegram's bots.
var (
	exactLookup        = Lookup{Kind: LookupExact}
	noLookup           = Lookup{Kind: LookupNone}
	mastodonLookup     = Lookup{Kind: LookupByText, Lag: 2 * time.Minute}
	xLookup            = Lookup{Kind: LookupByText, Lag: time.Hour}
	linkedInLookup     = Lookup{Kind: LookupNone, ResendWindow: 9 * time.Minute}
	linkedInPageLookup = Lookup{Kind: LookupByText, Lag: 10 * time.Minute, ResendWindow: 9 * time.Minute}
	facebookLookup     = Lookup{Kind: LookupByText, Lag: 10 * time.Minute}
	discordBotLookup   = Lookup{Kind: LookupByText, Lag: 12 * time.Minute} // a call with files takes ten at most
)

// Daily quotas that platforms document of an account (platform-apis.md). Instagram's pages say 50 and
// 100. X, Facebook, Bluesky and Discord bound calls or points by the minute and by application, and the
// others document nothing.
var (
	linkedInDaily  = DailyQuota{Posts: 150, Source: "Posts API: about 150 posts of an account a day", AsOf: "2026-08-03"}
	instagramDaily = DailyQuota{Posts: 50, Source: "Content Publishing: 50 or 100 posts in 24 hours, as content_publishing_limit tells", AsOf: "2026-06-02"}
	threadsDaily   = DailyQuota{Posts: 250, Source: "Threads API: 250 posts in 24 hours, as threads_publishing_limit tells", AsOf: "2026-07-02"}
	tikTokDaily    = DailyQuota{Posts: 15, Source: "Content Posting API: about 15 posts of an account a day", AsOf: "2026-09-19"}
)

// containerLookup is that of Threads and Instagram: a container says what became of it, once the
// platform has done what a call that got no response asked for.
var containerLookup = Lookup{Kind: LookupExact, Lag: 2 * time.Minute}

// metaRenewAhead is how long before their end the tokens of Threads and Instagram are renewed, which
// last for 60 days: one that has ended can't be renewed.
const metaRenewAhead = 30 * 24 * time.Hour

var (
	tokenOrConsent = []IntegrationAuth{IntegrationToken, IntegrationOAuth2}
	tokenOnly      = []IntegrationAuth{IntegrationToken}
	passwordOnly   = []IntegrationAuth{IntegrationPassword}
)

// Fields that connect several platforms.
var (
	serverField    = ConnectField{Name: "server", Required: true, Label: "Server", Hint: "A host, or its URL."}
	tokenField     = ConnectField{Name: "access_token", Auth: IntegrationToken, Required: true, Label: "Access token"}
	longTokenField = ConnectField{Name: "access_token", Auth: IntegrationToken, Required: true, Label: "Access token", Hint: "A long-lived one, at least a day old so that it is renewed automatically."}
	refreshField   = ConnectField{Name: "refresh_token", Auth: IntegrationToken, Label: "Refresh token", Hint: "Renews the connection automatically."}
	returnField    = ConnectField{Name: "return_url", Auth: IntegrationOAuth2}
)

// capabilities: limits as the platforms document them (platform-apis.md, and
// the platforms' help pages for those without an adapter).
var capabilities = withMedia([]Capabilities{
	{
		Platform: Twitter, Name: "X", MaxLength: 280, Unit: UnitWeighted, LinkLength: 23,
		Formats: []Format{FormatPost, FormatThread}, MaxParts: 6, MaxHashtags: 2, FirstComment: true, RefusesTwins: true,
		Labels: Labels{MadeWithAI: true, PaidPartnership: true}, ReadBack: true,
		Metrics: xMetrics, MeasureBatch: 100, Fees: xFees, Lookup: xLookup, LimitsAsOf: "2026-08-22",
		Connect: tokenOrConsent, ConnectFields: []ConnectField{tokenField, refreshField, returnField},
		Replies: ReplyRules{Read: true, Answer: true, Hide: true, MostRead: 100, LeastRead: 10},
		Proofs:  []Proof{{ProofStub, "API v2, written from its reference and OpenAPI 2.167", "2026-11-26"}},
	},
	{
		Platform: LinkedIn, Name: "LinkedIn", MaxLength: 3000, Unit: UnitEscaped, Formats: []Format{FormatPost, FormatArticle},
		MaxParts: 1, MaxHashtags: 3, RefusesTwins: true, FirstComment: true, CommentLength: 1250, LinkCards: true, Metrics: allMetrics, MeasureBatch: 20,
		Daily: linkedInDaily, Lookup: linkedInLookup, PageLookup: &linkedInPageLookup, LimitsAsOf: "2026-08-03",
		Connect: tokenOrConsent, ConnectFields: []ConnectField{
			tokenField, refreshField,
			{Name: "account", Label: "Organization", Hint: "urn:li:organization:…, or empty to post as the member."}, returnField,
		},
		Replies: ReplyRules{Read: true, PageOnly: true, Answer: true},
		Proofs:  []Proof{{ProofStub, "REST API 202607, written from its reference", "2026-11-26"}},
	},
	{
		Platform: Facebook, Name: "Facebook", MaxLength: 5000, Unit: UnitCharacters, Formats: []Format{FormatPost, FormatArticle},
		MaxParts: 1, MaxHashtags: 2, RefusesTwins: true, FirstComment: true,
		Metrics: []Metric{Views, Reach, Likes, Comments, Shares, Clicks}, MeasureBatch: 20,
		Lookup: facebookLookup, CommentLookup: &facebookLookup, LimitsAsOf: "2026-09-19",
		Connect: tokenOrConsent, ConnectFields: []ConnectField{
			{
				Name: "access_token", Auth: IntegrationToken, Required: true, Label: "Access token",
				Hint: "A Page’s token, or that of a person who publishes for the Page: a long-lived one, or the connection ends with it.",
			},
			{Name: "account", Label: "Page", Hint: "The Page’s id or name in its address; needed by people with several Pages."}, returnField,
		},
		Replies: ReplyRules{Read: true, Answer: true, Hide: true},
		Proofs:  []Proof{{ProofStub, "Graph API v25.0, written from its pages of 2026 and the names in the specifications of Meta's SDKs", "2026-11-27"}},
	},
	{
		Platform: Instagram, Name: "Instagram", MaxLength: 2200, Unit: UnitCharacters, Formats: []Format{FormatPost}, MaxParts: 1,
		MaxHashtags: 5, MaxTags: 30, MaxMentions: 20, Labels: Labels{MadeWithAI: true},
		FirstComment: true, Metrics: []Metric{Views, Reach, Likes, Comments, Shares}, MeasureBatch: 20, LimitsAsOf: "2026-06-22",
		Drafts: true, Fetches: true, Quota: true, Daily: instagramDaily, RenewAhead: metaRenewAhead, Lookup: containerLookup,
		Connect: tokenOrConsent, ConnectFields: []ConnectField{longTokenField, returnField},
		Replies: ReplyRules{Read: true, Answer: true, Hide: true},
		Proofs:  []Proof{{ProofStub, "API with Instagram Login v25.0, written from its pages of 2026-06-02 to 2026-06-22", "2026-11-27"}},
	},
	{
		Platform: Threads, Name: "Threads", MaxLength: 500, Unit: UnitThreads, Formats: []Format{FormatPost, FormatThread},
		MaxParts: 6, MaxHashtags: 1, MaxTags: 1, MaxLinks: 5, FirstComment: true, Metrics: viewMetrics, MeasureBatch: 20, LimitsAsOf: "2026-07-02",
		Drafts: true, Fetches: true, Quota: true, Daily: threadsDaily, RenewAhead: metaRenewAhead, Lookup: containerLookup,
		Connect: tokenOrConsent, ConnectFields: []ConnectField{longTokenField, returnField},
		Replies: ReplyRules{Read: true, Answer: true, Hide: true},
		Proofs:  []Proof{{ProofStub, "API v1.0, written from its pages of 2026-04-14 to 2026-07-02", "2026-11-27"}},
	},
	{
		Platform: TikTok, Name: "TikTok", MaxLength: 2200, Unit: UnitCharacters, Formats: []Format{FormatPost}, MaxParts: 1,
		MaxHashtags: 4, Metrics: allMetrics, MeasureBatch: 20, Daily: tikTokDaily,
	},
	{
		Platform: YouTube, Name: "YouTube", MaxLength: 5000, Unit: UnitCharacters, Formats: []Format{FormatPost, FormatArticle},
		MaxParts: 1, MaxHashtags: 3, Metrics: allMetrics, MeasureBatch: 20,
	},
	{
		Platform: Pinterest, Name: "Pinterest", MaxLength: 500, Unit: UnitCharacters, Formats: []Format{FormatPost}, MaxParts: 1,
		MaxHashtags: 3, Metrics: allMetrics, MeasureBatch: 20,
	},
	{
		Platform: Mastodon, Name: "Mastodon", MaxLength: 500, Unit: UnitMastodon, LinkLength: 23, OwnLimits: true, OwnServers: true,
		Formats: []Format{FormatPost, FormatThread}, MaxParts: 6, MaxHashtags: 3, FirstComment: true, Language: true,
		Visibilities: AllVisibilities(), Metrics: engagementMetrics, MeasureBatch: 20,
		ReadBack: true, Lookup: mastodonLookup, LimitsAsOf: "2026-07-02",
		Connect: tokenOrConsent, ConnectFields: []ConnectField{serverField, tokenField, returnField},
		Replies: ReplyRules{Read: true, Answer: true, Mention: true},
		Proofs:  []Proof{{ProofStub, "API of 4.5, written from its documentation, with and without Idempotency-Key", "2026-11-26"}},
	},
	{
		Platform: Bluesky, Name: "Bluesky", MaxLength: 300, Unit: UnitGraphemes, MaxBytes: 3000,
		Formats: []Format{FormatPost, FormatThread}, MaxParts: 6, MaxHashtags: 2, FirstComment: true, Language: true,
		Metrics: engagementMetrics, MeasureBatch: 25, ReadBack: true, Lookup: exactLookup, LimitsAsOf: "2026-08-20",
		Connect: passwordOnly, ConnectFields: []ConnectField{
			{Name: "server", Label: "Server", Hint: "bsky.social by default."},
			{Name: "identifier", Required: true, Label: "Handle or e-mail", Hint: "Such as name.bsky.social."},
			{
				Name: "app_password", Required: true, Label: "App password",
				Hint: "Create one at Bluesky under Settings > Privacy and security > App passwords. Don’t use the account’s own password.",
			},
		},
		Replies: ReplyRules{Read: true, Answer: true},
		Proofs: []Proof{
			{ProofStub, "written from the lexicons of 2026-08-20", "2026-11-26"},
			{ProofServer, "the reference PDS (@atproto/dev-env)", "2026-11-22"},
		},
	},
	{
		Platform: Telegram, Name: "Telegram", MaxLength: 4096, CaptionLength: 1024, Unit: UnitCharacters,
		Formats: []Format{FormatPost, FormatThread}, MaxParts: 6, MaxHashtags: 2, FirstComment: true, FilesWithPost: true,
		MeasureBatch: 20, Lookup: noLookup, LimitsAsOf: "2026-06-11",
		Connect: tokenOnly, ConnectFields: []ConnectField{
			{Name: "access_token", Required: true, Label: "Bot’s token", Hint: "@BotFather makes the bot and its token."},
			{Name: "account", Required: true, Label: "Channel", Hint: "@name or -100… id. Make the bot an administrator there, who may post messages."},
		},
		Proofs: []Proof{{ProofStub, "Bot API 10.1, written from its machine-readable description", "2026-11-27"}},
	},
	{
		Platform: Discord, Name: "Discord", MaxLength: 2000, Unit: UnitCharacters,
		Formats: []Format{FormatPost}, MaxParts: 1, MaxHashtags: 1, Metrics: []Metric{Likes}, MeasureBatch: 10, LimitsAsOf: "2026-08-06",
		ReadBack: true, FilesWithPost: true, Lookup: noLookup, PageLookup: &discordBotLookup,
		Connect: tokenOnly, ConnectFields: []ConnectField{
			{
				Name: "access_token", Auth: IntegrationToken, Required: true, Label: "Webhook URL or bot token",
				Hint: "A webhook is made in a channel’s settings under Integrations. It can’t be asked whether a post is out; a bot can.",
			},
			{Name: "account", Auth: IntegrationToken, Label: "Channel id", Hint: "Of the channel that a bot posts to; empty with a webhook."},
		},
		Proofs: []Proof{
			{ProofStub, "API v10, written from its reference of 2026-08-06", "2026-11-27"},
			{ProofSchema, "the OpenAPI document of 2026-07-18: every request of the conformance suite, and the stub's responses", "2026-11-27"},
		},
	},
	{
		Platform: WordPress, Name: "WordPress", MaxLength: MaxArticle, TitleLength: 255, Unit: UnitCharacters, OwnServers: true,
		Formats: []Format{FormatArticle}, MaxParts: 1, MaxHashtags: 5, Metrics: []Metric{Comments}, MeasureBatch: 20,
		ReadBack: true, Lookup: exactLookup, LimitsAsOf: "2026-08-22",
		Connect: passwordOnly, ConnectFields: []ConnectField{
			{Name: "server", Required: true, Label: "Site", Hint: "The site's address, such as https://example.com/blog."},
			{Name: "identifier", Required: true, Label: "User", Hint: "The name of a user who may publish: an author or more."},
			{
				Name: "app_password", Required: true, Label: "Application password",
				Hint: "Create one at the site under Users > Profile > Application Passwords. Don’t use the user’s own password.",
			},
		},
		Proofs: []Proof{
			{ProofStub, "REST API v2, written from its handbook", "2026-11-27"},
			{ProofServer, "WordPress 6.1.9 (Debian), in WordPress Playground 3.1.56", "2026-11-27"},
		},
	},
	{
		Platform: Ghost, Name: "Ghost", MaxLength: MaxArticle, TitleLength: 255, Unit: UnitCharacters, OwnServers: true,
		Formats: []Format{FormatArticle}, MaxParts: 1, MaxHashtags: 5, MeasureBatch: 20,
		ReadBack: true, Lookup: exactLookup, LimitsAsOf: "2026-08-22",
		Connect: tokenOnly, ConnectFields: []ConnectField{
			{Name: "server", Required: true, Label: "Site", Hint: "The address of the site's admin area without /ghost, such as https://example.com."},
			{
				Name: "access_token", Auth: IntegrationToken, Required: true, Label: "Admin API key",
				Hint: "Create a custom integration at the site under Settings > Integrations.",
			},
		},
		Proofs: []Proof{
			{ProofStub, "Admin API v6, written from its documentation and its schemas (4.7.5)", "2026-11-27"},
			{ProofServer, "Ghost 6.65.0, on SQLite", "2026-11-27"},
		},
	},
})

// MaxArticle is the longest article, in characters: the service's own bound, since a list has
// a hundred posts.
const MaxArticle = MaxOwnLength
