package mission

import (
	"slices"
	"time"
)

// AccountFigure is the name of a figure of an account.
type AccountFigure string

// The figures.
const (
	FigureFollowers AccountFigure = "followers"
	FigureReach     AccountFigure = "reach"
	FigureViews     AccountFigure = "views"
)

// AudienceRule is what a platform reports of accounts, and how long its terms let that be kept.
type AudienceRule struct {
	Platform Platform
	// Figures are those that the platform reports of some account; none if it isn't asked.
	Figures []AccountFigure
	// Paid reports whether the platform charges for them. Nobody's budget pays for that, so such
	// accounts aren't asked unless the operator wants it.
	Paid bool
	// KeptDays is for how many days a day's figures are kept.
	KeptDays int
	// Source is the rule's text, and Read when it was read; "" if none could be read, or none is
	// made.
	Source, Read string
}

// Days for which figures of accounts are kept.
const (
	// MaxAccountDays is the most.
	MaxAccountDays = 400
	// UnreadAccountDays is for a platform whose terms weren't read: the shortest that a platform
	// is known to ask for.
	UnreadAccountDays = 30
	// linkedInDays is LinkedIn's year.
	linkedInDays = 365
)

// audienceRules are what platforms report and allow. The platforms that aren't in it aren't asked,
// and what was kept of them is kept for UnreadAccountDays.
//
// LinkedIn's page has a row for what organisations' pages report in numbers ("number of followers,
// summary of social actions, visitor information"), for a year, and none for members' own: these
// aren't kept at all. YouTube's rule lets statistics be kept that the owner authorised, as long as
// that is verified every 30 days; what isn't refreshed by then goes. X, Meta, Mastodon's software and
// the AT Protocol's name no time: what an account's owner takes away goes with the connection. A Ghost
// is its owner's own, whose members are counted. Telegram's and Discord's terms weren't read.
var audienceRules = []AudienceRule{
	{
		Platform: LinkedIn, Figures: []AccountFigure{FigureFollowers, FigureReach}, KeptDays: linkedInDays,
		Source: "https://learn.microsoft.com/en-us/linkedin/marketing/data-storage-requirements (Organization Pages' Admin and Reporting Data: one year)",
		Read:   "2026-11-26",
	},
	{
		Platform: YouTube, KeptDays: UnreadAccountDays,
		Source: "https://developers.google.com/youtube/terms/developer-policies (III.E.4.b to d: 30 days, unless the owner's authorization is verified again)",
		Read:   "2026-11-26",
	},
	{
		Platform: Twitter, Figures: []AccountFigure{FigureFollowers}, Paid: true, KeptDays: UnreadAccountDays,
	},
	{Platform: Mastodon, Figures: []AccountFigure{FigureFollowers}, KeptDays: MaxAccountDays},
	{Platform: Bluesky, Figures: []AccountFigure{FigureFollowers}, KeptDays: MaxAccountDays},
	{Platform: Ghost, Figures: []AccountFigure{FigureFollowers}, KeptDays: MaxAccountDays},
	{Platform: Facebook, Figures: []AccountFigure{FigureFollowers, FigureReach, FigureViews}, KeptDays: UnreadAccountDays},
	{Platform: Instagram, Figures: []AccountFigure{FigureFollowers, FigureReach}, KeptDays: UnreadAccountDays},
	{Platform: Threads, Figures: []AccountFigure{FigureFollowers}, KeptDays: UnreadAccountDays},
	{Platform: Telegram, Figures: []AccountFigure{FigureFollowers}, KeptDays: UnreadAccountDays},
	{Platform: Discord, Figures: []AccountFigure{FigureFollowers}, KeptDays: UnreadAccountDays},
}

// AllAudienceRules lists the rules that are known.
func AllAudienceRules() []AudienceRule { return slices.Clone(audienceRules) }

// AudienceRuleOf returns a platform's rule.
func AudienceRuleOf(p Platform) AudienceRule {
	i := slices.IndexFunc(audienceRules, func(r AudienceRule) bool { return r.Platform == p })
	if i < 0 {
		return AudienceRule{Platform: p, KeptDays: UnreadAccountDays}
	}
	r := audienceRules[i]
	r.KeptDays = min(max(r.KeptDays, 0), MaxAccountDays)
	return r
}

// AccountFigures returns the figures that the platform reports of accounts by day; none if it isn't asked.
func (c Capabilities) AccountFigures() []AccountFigure { return AudienceRuleOf(c.Platform).Figures }

// Asked reports whether the platform is asked for the figures of accounts; paid is whether also for
// those that it charges for.
func (r AudienceRule) Asked(paid bool) bool { return len(r.Figures) > 0 && (paid || !r.Paid) }

// AudiencePlatforms returns the platforms whose accounts are asked for figures.
func AudiencePlatforms(paid bool) (on []Platform) {
	for _, r := range audienceRules {
		if r.Asked(paid) {
			on = append(on, r.Platform)
		}
	}
	return on
}

// KeptSince returns the first day (UTC) whose figures are kept at a time.
func (r AudienceRule) KeptSince(now time.Time) string { return utcDay(now.AddDate(0, 0, -r.KeptDays)) }
