package rest

import (
	"context"

	"missiond/mission"
)

const tagPlatforms tag = "Platforms"

// routePlatforms registers the route of platforms' limits.
func (a *API) routePlatforms() {
	handle(a, tagPlatforms.get(mission.OpPlatformsList, "/v1/platforms", "List the platforms with their limits"), a.listPlatforms)
}

// unitNames are the units of lengths as shown.
var unitNames = map[mission.LengthUnit]string{
	mission.UnitCharacters: "characters", mission.UnitWeighted: "weighted", mission.UnitGraphemes: "graphemes",
	mission.UnitMastodon: "mastodon", mission.UnitEscaped: "escaped", mission.UnitThreads: "threads",
}

type shownLimits struct {
	MaxLength   int    `json:"max_length" doc:"The longest text of a post, or of a part of a thread, in the unit" example:"500"`
	Unit        string `json:"unit" enum:"characters,weighted,graphemes,mastodon,escaped,threads" doc:"characters: Unicode characters; weighted: X's count, an emoji or a character of most Asian scripts as 2; graphemes: characters as people see them; mastodon: graphemes, and a mention as its name without the server; escaped: Unicode characters, a reserved one with its backslash; threads: Unicode characters, an emoji as its bytes of UTF-8" example:"mastodon"`
	LinkLength  *int   `json:"link_length" doc:"What a link counts for, however long it is; null if its characters count" example:"23"`
	MaxBytes    *int   `json:"max_bytes" doc:"The longest text in bytes of UTF-8; null for no further limit" example:"3000"`
	MaxCaption  int    `json:"max_caption" doc:"The longest text of a post, or of a part of a thread, that has files, in the unit" example:"500"`
	MaxTitle    *int   `json:"max_title" doc:"The longest first line of an article, which is its title there, in characters; null if articles have no title of their own. Their text is Markdown otherwise" example:"255"`
	MaxTags     *int   `json:"max_tags" doc:"How many hashtags it takes in a part; null for no bound" example:"30"`
	MaxMentions *int   `json:"max_mentions" doc:"How many mentions it takes in a part; null for no bound" example:"20"`
	MaxLinks    *int   `json:"max_links" doc:"How many links it takes in a part; null for no bound" example:"5"`
	MaxParts    int    `json:"max_parts" doc:"How many parts a thread may have; 1 if there are none" example:"6"`
}

func showLimits(c mission.Capabilities) shownLimits {
	return shownLimits{
		MaxLength: c.MaxLength, Unit: unitNames[c.Unit], LinkLength: positive(c.LinkLength),
		MaxBytes: positive(c.MaxBytes), MaxParts: c.MaxParts, MaxCaption: c.MaxCaption(), MaxTitle: positive(c.TitleLength),
		MaxTags: positive(c.MaxTags), MaxMentions: positive(c.MaxMentions), MaxLinks: positive(c.MaxLinks),
	}
}

// positive returns nil for 0.
func positive[N int | int64 | float64](n N) *N {
	if n == 0 {
		return nil
	}
	return &n
}

// PlatformFees are what a platform charges.
type PlatformFees struct {
	Post     float64 `json:"post_cents" doc:"For a post, or a part of a thread, without a link" example:"1.5"`
	LinkPost float64 `json:"link_post_cents" doc:"For a post, or a part of a thread, with a link" example:"20"`
	AltText  float64 `json:"alt_text_cents" doc:"For the alt text of each file of a post" example:"1.5"`
	Read     float64 `json:"read_cents" doc:"For reading a post's figures, which happens once a day" example:"0.5"`
	Reply    float64 `json:"reply_cents" doc:"For each reply to a post that is read; where it isn't 0, only missions whose constraints name the platform in paid_replies read them" example:"0.5"`
}

// PlatformReplies is what can be done about the replies to posts.
type PlatformReplies struct {
	Read     bool `json:"read" doc:"Whether they are read" example:"true"`
	PageOnly bool `json:"pages_only" doc:"Whether that is so for organisations' accounts alone" example:"false"`
	Paid     bool `json:"paid" doc:"Whether reading them costs, so that missions have to ask for it" example:"false"`
	Answer   bool `json:"answer" doc:"Whether they can be answered" example:"true"`
	Hide     bool `json:"hide" doc:"Whether they can be hidden" example:"false"`
	Mention  bool `json:"mention" doc:"Whether an answer begins with a mention of the reply's author, who wouldn't know of it otherwise" example:"true"`
}

func showReplies(c mission.Capabilities) PlatformReplies {
	r := c.Replies
	return PlatformReplies{Read: r.Read, PageOnly: r.PageOnly, Paid: c.Fees.Reply > 0, Answer: r.Answer, Hide: r.Hide, Mention: r.Mention}
}

// PlatformLookup is how it is found out whether a platform has a post whose call got no
// response.
type PlatformLookup struct {
	Kind   mission.LookupKind `json:"kind" doc:"exact: by an id that the service chose; by_text: among the account's latest posts; none: not at all, so that a person has to settle the post" example:"by_text"`
	Window int                `json:"resend_window_seconds" doc:"How long after the first call the post may be sent again, since the platform refuses a second one; 0 if it doesn't" example:"540"`
}

func showLookup(l *mission.Lookup) (shown nullable[PlatformLookup]) {
	if l != nil && l.Kind != "" {
		shown.value = &PlatformLookup{Kind: l.Kind, Window: int(l.ResendWindow.Seconds())}
	}
	return shown
}

type shownConnectField struct {
	Name     string                   `json:"name" doc:"The field's name" example:"access_token"`
	Auth     *mission.IntegrationAuth `json:"auth" doc:"The way of connecting that takes it; null for each of the platform's" example:"access_token"`
	Required bool                     `json:"required" doc:"Whether it must be given" example:"true"`
	Label    string                   `json:"label" doc:"What people call it; empty if nobody types it in" example:"Access token"`
	Hint     string                   `json:"hint" doc:"How people get it; empty if that is clear" example:"Made by the channel's owner"`
}

type shownProof struct {
	Against mission.ProofKind `json:"against" doc:"stub: a strict stub, written from the platform's documentation; schema: the platform's own machine-readable description; server: the platform's own server software" example:"stub"`
	What    string            `json:"what" doc:"What it was, with its version" example:"API of 4.5, written from its documentation"`
	On      string            `json:"on" doc:"The day when that passed last" example:"2026-11-26"`
}

func showConnectField(f mission.ConnectField) shownConnectField {
	return shownConnectField{Name: f.Name, Auth: f.By(), Required: f.Required, Label: f.Label, Hint: f.Hint}
}

// PlatformAccount is an account that the tenant connected.
type PlatformAccount struct {
	ID      string                    `json:"id" doc:"The integration's id" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	Handle  *string                   `json:"handle" doc:"The account's handle, without a leading @; null if it has none, or isn't known yet" example:"acme@mastodon.example"`
	Default bool                      `json:"default" doc:"Whether it is the platform's default" example:"true"`
	Status  mission.IntegrationStatus `json:"status" doc:"pending: its owner has yet to consent; needs_reconnect: the platform refused it, and posts wait" example:"connected"`
	Text    shownLimits               `json:"text" doc:"The limits of its texts, its server's own ones included"`
}

type shownPlatform struct {
	Platform     mission.Platform            `json:"platform" doc:"The platform" example:"mastodon"`
	Text         shownLimits                 `json:"text" doc:"The limits of texts"`
	Formats      []mission.Format            `json:"formats" doc:"What can be published there, simplest first" example:"post,thread"`
	Hashtags     int                         `json:"max_hashtags" doc:"The most hashtags that a post should have there" example:"3"`
	FirstComment bool                        `json:"first_comment" doc:"Whether a post can have a first comment there" example:"true"`
	Language     bool                        `json:"language" doc:"Whether it is told the language of a post" example:"true"`
	Visibilities []mission.Visibility        `json:"visibilities" doc:"The visibilities that a post can have there; empty if that can't be chosen" example:"public,unlisted,private"`
	Media        shownMediaRules             `json:"media" doc:"The files that a post, or a part of a thread, can have there"`
	Metrics      []mission.Metric            `json:"metrics" doc:"The figures that it reports of a post" example:"likes,comments,shares"`
	Counted      []mission.Metric            `json:"counted_metrics" doc:"The figures that it doesn't report, and that the service counts itself if a mission has links tracked there" example:"link_clicks"`
	Replies      PlatformReplies             `json:"replies" doc:"What can be done about the replies to posts there"`
	Fees         PlatformFees                `json:"fees" doc:"What it charges, which counts against missions' budgets"`
	Connect      []mission.IntegrationAuth   `json:"connect" doc:"How it can be connected; empty if it can't be yet" example:"access_token,oauth2"`
	Fields       []shownConnectField         `json:"connect_fields" doc:"What connecting it takes: fields of POST /v1/integrations"`
	Proofs       []shownProof                `json:"proofs" doc:"What its adapter was tested against; empty if there is none. Nothing here was tested on the live platform"`
	LimitsAsOf   *string                     `json:"limits_as_of" doc:"The day of the platform's documentation that its limits are from; null if that wasn't recorded" example:"2026-07-02"`
	Figures      []mission.AccountFigure     `json:"account_figures" doc:"The figures that it reports of an account by day; members count as followers where it has those. Empty if it isn't asked" example:"followers,reach"`
	RefusesTwins bool                        `json:"refuses_twins" doc:"Whether it refuses a post with the text of another of the account, if only for a time" example:"false"`
	Quota        bool                        `json:"quota" doc:"Whether the platform tells how many posts an account may still publish, so that posts wait for that" example:"false"`
	Lookup       nullable[PlatformLookup]    `json:"lookup" doc:"How it is found out what became of a post whose call got no response; null if posts can't be published there yet"`
	PageLookup   nullable[PlatformLookup]    `json:"page_lookup" doc:"The same for an organisation's account, if that differs; null if it doesn't"`
	Accounts     nullable[[]PlatformAccount] `json:"accounts" doc:"The tenant's integrations with it, oldest first; null without the scope integrations:read"`
}

func showPlatform(c mission.Capabilities, on map[string][]mission.Integration) shownPlatform {
	shown := shownPlatform{
		Platform: c.Platform, Text: showLimits(c), Formats: c.Formats, Hashtags: c.MaxHashtags, FirstComment: c.FirstComment, Metrics: c.Metrics, Counted: c.CountedMetrics(), Media: showMediaRules(c.Media),
		Language: c.Language, Visibilities: append([]mission.Visibility{}, c.Visibilities...),
		Fees:       PlatformFees{Post: exactCents(c.Fees.Post), LinkPost: exactCents(c.Fees.LinkPost), AltText: exactCents(c.Fees.AltText), Read: exactCents(c.Fees.Read), Reply: exactCents(c.Fees.Reply)},
		Replies:    showReplies(c),
		Connect:    append([]mission.IntegrationAuth{}, c.Connect...),
		Fields:     shownAll(c.ConnectFields, showConnectField),
		Proofs:     shownAll(c.Proofs, func(p mission.Proof) shownProof { return shownProof(p) }),
		LimitsAsOf: c.LimitsFrom(), Quota: c.Quota, RefusesTwins: c.RefusesTwins,
		Figures: append([]mission.AccountFigure{}, c.AccountFigures()...),
		Lookup:  showLookup(&c.Lookup), PageLookup: showLookup(c.PageLookup),
	}
	if on == nil {
		return shown
	}
	accounts := []PlatformAccount{}
	for _, i := range on[string(c.Platform)] {
		account := PlatformAccount{ID: i.ID, Default: i.Default, Status: i.Status, Text: showLimits(c)}
		if i.Account != nil {
			account.Handle, account.Text = orNull(i.Account.Handle), showLimits(c.Within(i.Account.Limits))
		}
		accounts = append(accounts, account)
	}
	shown.Accounts.value = &accounts
	return shown
}

// exactCents returns an amount in US cents, not rounded.
func exactCents(m mission.Micros) float64 { return float64(m) / float64(mission.MicrosPerCent) }

func (a *API) listPlatforms(ctx context.Context, p mission.Principal, _ *struct{}) (page[shownPlatform], error) {
	var on map[string][]mission.Integration
	if p.Check(mission.OpIntegrationsList) == nil {
		var names []string
		for _, platform := range mission.AllPlatforms() {
			names = append(names, string(platform))
		}
		var err error
		if on, err = a.integrations.AccountsOn(ctx, p, names); err != nil {
			return page[shownPlatform]{}, err
		}
	}
	return whole(mission.AllCapabilities(), func(c mission.Capabilities) shownPlatform { return showPlatform(c, on) }), nil
}
