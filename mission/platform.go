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
	Telegram  Platform = "telegram"
	Discord   Platform = "discord"
	WordPress Platform = "wordpress"
	Ghost     Platform = "ghost"
)

// Name returns what people call the platform; for an unknown one, what it is called here.
func (p Platform) Name() string {
	c, _ := CapabilitiesOf(p)
	return cmp.Or(c.Name, string(p))
}

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
	// UnitThreads are code points, an emoji counting its bytes of UTF-8.
	UnitThreads LengthUnit = "characters, an emoji counting its bytes"
)

// Capabilities are what a platform allows.
type Capabilities struct {
	Platform Platform
	// Name is what people call it.
	Name string
	// MaxLength bounds the text of one part, in Unit.
	MaxLength int
	Unit      LengthUnit
	// LinkLength is what a link counts for, however long it is; 0 where it counts its
	// characters.
	LinkLength int
	// Links is what becomes of a text's links, which count as they are sent; zero if they stay.
	Links LinkRule
	// OwnServers reports whether tenants have servers of their own, each with accounts and
	// ids of its own.
	OwnServers bool
	// OwnLimits reports whether servers have limits of their own (see TextLimits).
	OwnLimits bool
	// MaxBytes bounds the text of one part in UTF-8 bytes; 0 is no bound.
	MaxBytes int
	// CaptionLength bounds the text of one part that has files, in Unit; 0 is MaxLength.
	CaptionLength int
	// TitleLength bounds the first line of an article, which is its title, in characters; 0 if
	// articles have no title of their own. Their text is Markdown then.
	TitleLength int
	// MaxTags, MaxMentions and MaxLinks are how many of them it takes in a part; 0 is no bound.
	MaxTags, MaxMentions, MaxLinks int
	// Formats are the kinds of content that the platform takes, simplest first.
	Formats []Format
	// MaxParts bounds the parts of a thread.
	MaxParts int
	// RefusesTwins reports whether it refuses a post with the text of another of the account, if only
	// for a time.
	RefusesTwins bool
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
	// FilesWithPost reports whether files are sent in the call that publishes their part, since the
	// platform takes none before: its adapter's Upload makes no call.
	FilesWithPost bool
	// Metrics are the figures that the platform reports for a post.
	Metrics []Metric
	// MeasureBatch is how many posts are measured in one call.
	MeasureBatch int
	// Connect lists how a tenant can connect the platform; empty if the service
	// has no adapter for it.
	Connect []IntegrationAuth
	// ConnectFields are the fields of ConnectInput that it takes.
	ConnectFields []ConnectField
	// Proofs are what its adapter was tested against; LimitsAsOf is the day, as YYYY-MM-DD, of
	// the platform's documentation that its limits are from, "" if that wasn't recorded.
	Proofs     []Proof
	LimitsAsOf string
	Fees       Fees
	// Drafts reports whether a part is first made as a draft, which nobody sees, and then
	// published: see Content.Draft.
	Drafts bool
	// Fetches reports whether the platform fetches the files of posts from the service.
	Fetches bool
	// RenewAhead is how long before its end an access token is renewed; 0 for just before it.
	RenewAhead time.Duration
	// Quota reports whether the platform tells how many posts an account may still publish.
	Quota bool
	// Daily is how many posts of an account it publishes in a day, unless it tells the account another
	// number (see Account.Daily).
	Daily DailyQuota
	// Lookup is how the outcome of a call without a response is found out. PageLookup is
	// how it is on organisations' accounts, if that differs, CommentLookup how it is of comments where
	// these aren't posts; nil if the platform can't be asked about them.
	Lookup                    Lookup
	PageLookup, CommentLookup *Lookup
	// Replies is what can be done about the replies to posts.
	Replies ReplyRules
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
	// Reply is for each reply to a post that is read. Where it isn't 0, replies are read for
	// missions that say so only.
	Reply Micros
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

// Sending returns what the account allows for texts whose links a rule changes.
func (c Capabilities) Sending(r LinkRule) Capabilities {
	c.Links = r
	return c
}

// LimitsFrom returns LimitsAsOf; nil for "".
func (c Capabilities) LimitsFrom() *string {
	if c.LimitsAsOf == "" {
		return nil
	}
	return &c.LimitsAsOf
}

// MaxCaption is MaxLength of a part that has files.
func (c Capabilities) MaxCaption() int { return cmp.Or(c.CaptionLength, c.MaxLength) }

// Captioning returns what the account allows for a part that has files.
func (c Capabilities) Captioning() Capabilities {
	c.MaxLength = c.MaxCaption()
	return c
}

// Commenting returns what the account allows for a first comment.
func (c Capabilities) Commenting() Capabilities {
	c.MaxLength = cmp.Or(c.CommentLength, c.MaxLength)
	return c
}

// Single returns the format of a text that is published as one.
func (c Capabilities) Single() Format { return c.Formats[0] }

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
