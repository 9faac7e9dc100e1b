package mission

import (
	"cmp"
	"slices"
	"time"
)

// Platform is the name of a platform that posts are published on.
type Platform string

// The known platforms (decisions, "Mission").
const (
	Twitter   Platform = "twitter"
	LinkedIn  Platform = "linkedin"
	Facebook  Platform = "facebook"
	Instagram Platform = "instagram"
	Threads   Platform = "threads"
	TikTok    Platform = "tiktok"
	YouTube   Platform = "youtube"
	Pinterest Platform = "pinterest"
	Mastodon  Platform = "mastodon"
	Bluesky   Platform = "bluesky"
)

// names are what people call the platforms.
var names = map[Platform]string{
	Twitter: "X", LinkedIn: "LinkedIn", Facebook: "Facebook", Instagram: "Instagram", Threads: "Threads", TikTok: "TikTok", YouTube: "YouTube",
	Pinterest: "Pinterest", Mastodon: "Mastodon", Bluesky: "Bluesky",
}

// Name returns what people call the platform; for an unknown one, what it is called here.
func (p Platform) Name() string { return cmp.Or(names[p], string(p)) }

// CheckPlatform returns an error for an unknown platform. Errors: invalid_request on
// param, with the known ones.
func CheckPlatform(param string, p Platform) error {
	if p.Known() {
		return nil
	}
	return Invalid(param, "Unknown platform %q: must be one of %s.", p, list(AllPlatforms()))
}

// LengthUnit is the unit in which a platform counts a text's length.
type LengthUnit string

// The units. internal/textlimit measures them.
const (
	// UnitCharacters are Unicode code points.
	UnitCharacters LengthUnit = "characters"
	// UnitWeighted is X's: links count 23, emoji and most scripts of Asia 2.
	UnitWeighted LengthUnit = "weighted characters"
	// UnitGraphemes are characters as people see them.
	UnitGraphemes LengthUnit = "graphemes"
	// UnitMastodon are graphemes, all links counting the same and mentions their name.
	UnitMastodon LengthUnit = "characters, all links counting the same"
	// UnitEscaped are code points once reserved ones are escaped.
	UnitEscaped LengthUnit = "characters, escapes included"
)

// Capabilities are what a platform allows.
type Capabilities struct {
	Platform Platform
	// MaxLength bounds the text of one part, in Unit.
	MaxLength int
	Unit      LengthUnit
	// LinkLength is what a link counts for, however long it is; 0 where it counts its
	// characters.
	LinkLength int
	// OwnLimits reports whether servers have limits of their own (see TextLimits).
	OwnLimits bool
	// MaxBytes bounds the text of one part in UTF-8 bytes; 0 is no bound.
	MaxBytes int
	// Formats are the kinds of content that the platform takes, simplest first.
	Formats []Format
	// MaxParts bounds the parts of a thread.
	MaxParts int
	// MaxHashtags is how many hashtags its readers accept.
	MaxHashtags int
	// FirstComment reports whether a post can have a first comment: a reply where there
	// are threads, else a comment. The platform has an adapter.
	FirstComment bool
	// CommentLength bounds the text of a first comment, in Unit; 0 is MaxLength.
	CommentLength int
	// Language reports whether it is told the language of a post.
	Language bool
	// LinkCards reports whether it shows a card of a post's link only if it is given one. The
	// platform has an adapter.
	LinkCards bool
	// Visibilities are those that a post can have there; empty if it can't be chosen.
	Visibilities []Visibility
	// ReadBack reports whether it can be asked what it shows of a post.
	ReadBack bool
	// Labels are those that it has a field for.
	Labels Labels
	// Media are the files that posts can have.
	Media MediaRules
	// Metrics are the figures that the platform reports for a post.
	Metrics []Metric
	// MeasureBatch is how many posts are measured in one call.
	MeasureBatch int
	// Connect lists how a tenant can connect the platform; empty if the service
	// has no adapter for it.
	Connect []IntegrationAuth
	Fees    Fees
	// Lookup is how the outcome of a call without a response is found out. PageLookup is
	// how it is on organisations' accounts, if that differs.
	Lookup     Lookup
	PageLookup *Lookup
}

// Fees are what a platform charges an integration.
type Fees struct {
	// Post is for a part of a post without a link, LinkPost for one with.
	Post, LinkPost Micros
	// Read is for each post that is read.
	Read Micros
	// Lookup is for a lookup of a post with an unknown outcome.
	Lookup Micros
	// AltText is for each file of which an alt text is told.
	AltText Micros
}

// Files returns what uploading a post's files costs.
func (f Fees) Files(media []PostMedia) (sum Micros) {
	for _, m := range media {
		if m.AltText != "" {
			sum += f.AltText
		}
	}
	return sum
}

// Posts returns what publishing parts costs. linked reports whether the
// platform turns something in a text into a link.
func (f Fees) Posts(texts []string, linked func(text string) bool) (sum Micros) {
	if f.Post == f.LinkPost {
		return f.Post * Micros(len(texts))
	}
	for _, text := range texts {
		if linked(text) {
			sum += f.LinkPost
		} else {
			sum += f.Post
		}
	}
	return sum
}

var engagementMetrics = []Metric{Likes, Comments, Shares}

// xMetrics are those of X's posts (platform-apis.md, "KPI coverage").
var xMetrics = []Metric{EngagementRate, Impressions, Clicks, LinkClicks, Likes, Comments, Shares}

// xFees are X's prices of 2026-08: 1.5 cents a post, 20 with a link, 0.5 for a
// post that is read, 0.5 for an alt text. A lookup reads ten.
var xFees = Fees{Post: 15_000, LinkPost: 200_000, Read: 5_000, Lookup: 50_000, AltText: 5_000}

// Lookups of the platforms that have an adapter (platforms' references, 2026). Bluesky's is
// by the record's key, which the service chooses. A server that speaks Mastodon's API may
// ignore the Idempotency-Key, so that nothing is built on it. X refuses the text of a post
// that the account has for a time that it doesn't publish. LinkedIn refuses it for ten
// minutes, less one for the call; only organisations' posts can be listed.
var (
	blueskyLookup      = Lookup{Kind: LookupExact}
	mastodonLookup     = Lookup{Kind: LookupByText, Lag: 2 * time.Minute}
	xLookup            = Lookup{Kind: LookupByText, Lag: time.Hour}
	linkedInLookup     = Lookup{Kind: LookupNone, ResendWindow: 9 * time.Minute}
	linkedInPageLookup = Lookup{Kind: LookupByText, Lag: 10 * time.Minute, ResendWindow: 9 * time.Minute}
)

var tokenOrConsent = []IntegrationAuth{IntegrationToken, IntegrationOAuth2}

var allMetrics = AllMetrics()

// capabilities: limits as the platforms document them (platform-apis.md, and
// the platforms' help pages for those without an adapter).
var capabilities = withMedia([]Capabilities{
	{
		Platform: Twitter, MaxLength: 280, Unit: UnitWeighted, LinkLength: 23,
		Formats: []Format{FormatPost, FormatThread}, MaxParts: 6, MaxHashtags: 2, FirstComment: true,
		Labels: Labels{MadeWithAI: true, PaidPartnership: true}, ReadBack: true,
		Metrics: xMetrics, MeasureBatch: 100, Connect: tokenOrConsent, Fees: xFees, Lookup: xLookup,
	},
	{
		Platform: LinkedIn, MaxLength: 3000, Unit: UnitEscaped, Formats: []Format{FormatPost, FormatArticle},
		MaxParts: 1, MaxHashtags: 3, FirstComment: true, CommentLength: 1250, LinkCards: true, Metrics: allMetrics, MeasureBatch: 20,
		Connect: tokenOrConsent, Lookup: linkedInLookup, PageLookup: &linkedInPageLookup,
	},
	{
		Platform: Facebook, MaxLength: 5000, Unit: UnitCharacters, Formats: []Format{FormatPost, FormatArticle},
		MaxParts: 1, MaxHashtags: 2, Metrics: allMetrics, MeasureBatch: 20,
	},
	{
		Platform: Instagram, MaxLength: 2200, Unit: UnitCharacters, Formats: []Format{FormatPost}, MaxParts: 1,
		MaxHashtags: 5, Labels: Labels{MadeWithAI: true}, Metrics: allMetrics, MeasureBatch: 20,
	},
	{
		Platform: Threads, MaxLength: 500, Unit: UnitCharacters, Formats: []Format{FormatPost, FormatThread},
		MaxParts: 6, MaxHashtags: 1, Metrics: allMetrics, MeasureBatch: 20,
	},
	{
		Platform: TikTok, MaxLength: 2200, Unit: UnitCharacters, Formats: []Format{FormatPost}, MaxParts: 1,
		MaxHashtags: 4, Metrics: allMetrics, MeasureBatch: 20,
	},
	{
		Platform: YouTube, MaxLength: 5000, Unit: UnitCharacters, Formats: []Format{FormatPost, FormatArticle},
		MaxParts: 1, MaxHashtags: 3, Metrics: allMetrics, MeasureBatch: 20,
	},
	{
		Platform: Pinterest, MaxLength: 500, Unit: UnitCharacters, Formats: []Format{FormatPost}, MaxParts: 1,
		MaxHashtags: 3, Metrics: allMetrics, MeasureBatch: 20,
	},
	{
		Platform: Mastodon, MaxLength: 500, Unit: UnitMastodon, LinkLength: 23, OwnLimits: true,
		Formats: []Format{FormatPost, FormatThread}, MaxParts: 6, MaxHashtags: 3, FirstComment: true, Language: true,
		Visibilities: AllVisibilities(), Metrics: engagementMetrics, MeasureBatch: 20, Connect: tokenOrConsent,
		ReadBack: true, Lookup: mastodonLookup,
	},
	{
		Platform: Bluesky, MaxLength: 300, Unit: UnitGraphemes, MaxBytes: 3000,
		Formats: []Format{FormatPost, FormatThread}, MaxParts: 6, MaxHashtags: 2, FirstComment: true, Language: true,
		Metrics: engagementMetrics, MeasureBatch: 25, Connect: []IntegrationAuth{IntegrationPassword},
		ReadBack: true, Lookup: blueskyLookup,
	},
})

// TextLimits are the limits of an account's server instead of its platform's; 0 is the
// platform's.
type TextLimits struct {
	MaxLength  int `json:"max_length,omitempty"`
	LinkLength int `json:"link_length,omitempty"`
}

// MaxOwnLength is the greatest MaxLength of TextLimits: a list has a hundred posts.
const MaxOwnLength = 9_000

// Bounded returns limits that a server reported, as far as they make sense.
func (l TextLimits) Bounded() TextLimits {
	l.MaxLength = min(max(l.MaxLength, 0), MaxOwnLength)
	if l.LinkLength < 0 || l.LinkLength > max(l.MaxLength, 1) {
		l.LinkLength = 0
	}
	return l
}

// Within returns what an account with the given limits allows.
func (c Capabilities) Within(l TextLimits) Capabilities {
	if c.OwnLimits {
		c.MaxLength, c.LinkLength = cmp.Or(l.MaxLength, c.MaxLength), cmp.Or(l.LinkLength, c.LinkLength)
	}
	return c
}

// Commenting returns what the account allows for a first comment.
func (c Capabilities) Commenting() Capabilities {
	c.MaxLength = cmp.Or(c.CommentLength, c.MaxLength)
	return c
}

// Threads reports whether the platform takes threads.
func (c Capabilities) Threads() bool { return slices.Contains(c.Formats, FormatThread) }

// AllCapabilities returns what each known platform allows.
func AllCapabilities() []Capabilities { return slices.Clone(capabilities) }

// AllPlatforms lists the known platforms.
func AllPlatforms() []Platform {
	ps := make([]Platform, len(capabilities))
	for i, c := range capabilities {
		ps[i] = c.Platform
	}
	return ps
}

// CapabilitiesOf returns what p allows; ok is false for an unknown platform.
func CapabilitiesOf(p Platform) (c Capabilities, ok bool) {
	i := slices.IndexFunc(capabilities, func(c Capabilities) bool { return c.Platform == p })
	if i < 0 {
		return Capabilities{}, false
	}
	return capabilities[i], true
}

// Known reports whether p is a platform of the interface.
func (p Platform) Known() bool {
	_, ok := CapabilitiesOf(p)
	return ok
}
