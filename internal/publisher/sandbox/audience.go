package sandbox

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"time"

	"missiond/mission"
)

// Audience reacts to posts by a model (docs/install.md, "The sandbox platform"): a pure
// function of its seed, the mission, the post and the post's age.
type Audience struct {
	Seed uint64
	// Steady audiences have no preferences: every choice does equally well.
	Steady bool
	// Changes is when the preferences change: posts published from then on meet new
	// ones. Zero is never.
	Changes time.Time
	// Replies has the audience reply to posts.
	Replies bool
	// Drawn audiences draw a post's random factor separately for each choice of platform,
	// format, angle and time. For others it depends only on the post's id.
	Drawn bool
}

// Preferences are what an audience likes about a mission's posts, hidden from its
// optimizer: multipliers of engagement around 1.
type Preferences struct {
	Angles  map[mission.Angle]float64
	Formats map[mission.Format]float64
	// PeakHour is the hour of the day (UTC) at which posts do best.
	PeakHour float64
}

// Constants of the model.
const (
	leastLiked, mostLiked = 0.6, 1.6 // of an angle
	formatSpread          = 0.2      // of a format, around 1
	hourSwing             = 0.25     // between the peak hour and the hour opposite
	noise                 = 0.25     // sigma of the log-normal factor of a post
	engagedShare          = 0.04     // of impressions, before preferences
	mostEngaged           = 0.5      // of impressions, at most
)

// platform is how an audience behaves on a platform: how many impressions a post
// gets in the end, and how soon most of them come.
type platform struct {
	reach float64
	tau   time.Duration
}

var platforms = map[mission.Platform]platform{
	mission.Twitter:   {2400, 4 * time.Hour},
	mission.LinkedIn:  {1500, 18 * time.Hour},
	mission.Facebook:  {1200, 8 * time.Hour},
	mission.Instagram: {2800, 12 * time.Hour},
	mission.Threads:   {1100, 6 * time.Hour},
	mission.TikTok:    {5200, 24 * time.Hour},
	mission.YouTube:   {2000, 36 * time.Hour},
	mission.Pinterest: {900, 48 * time.Hour},
	mission.Mastodon:  {600, 5 * time.Hour},
	mission.Bluesky:   {800, 5 * time.Hour},
	mission.Telegram:  {700, 8 * time.Hour},
	mission.Discord:   {800, 6 * time.Hour},
	mission.WordPress: {500, 48 * time.Hour},
	mission.Ghost:     {500, 48 * time.Hour},
}

// chance returns a random source that is the same for the same texts.
func (a Audience) chance(texts ...string) *rand.Rand {
	h := fnv.New64a()
	for _, t := range texts {
		_, _ = h.Write([]byte(t))
		_, _ = h.Write([]byte{0})
	}
	return rand.New(rand.NewPCG(a.Seed, h.Sum64()))
}

// Preferences returns what the audience likes about a mission's posts that are
// published at an instant.
func (a Audience) Preferences(missionID string, at time.Time) Preferences {
	p := Preferences{Angles: map[mission.Angle]float64{}, Formats: map[mission.Format]float64{}}
	texts := []string{"preferences", missionID}
	if !a.Changes.IsZero() && !at.Before(a.Changes) {
		texts = append(texts, "changed")
	}
	r := a.chance(texts...)
	angles := mission.AllAngles()
	// Spread evenly, in random order: some angle is always well liked.
	for rank, at := range r.Perm(len(angles)) {
		share := float64(rank) / float64(len(angles)-1)
		p.Angles[angles[at]] = a.steadied(leastLiked + share*(mostLiked-leastLiked))
	}
	for _, f := range []mission.Format{mission.FormatPost, mission.FormatThread, mission.FormatArticle} {
		p.Formats[f] = a.steadied(1 + formatSpread*(2*r.Float64()-1))
	}
	p.PeakHour = 24 * r.Float64()
	return p
}

func (a Audience) steadied(multiplier float64) float64 {
	if a.Steady {
		return 1
	}
	return multiplier
}

// liking returns how much better than a plain post c does, before chance.
func (a Audience) liking(c mission.Content) float64 {
	var published time.Time
	if c.PublishedAt != nil {
		published = *c.PublishedAt
	}
	p := a.Preferences(c.MissionID, published)
	l := 1.0
	if m, ok := p.Angles[c.Angle]; ok {
		l *= m
	}
	if m, ok := p.Formats[c.Format]; ok {
		l *= m
	}
	if c.PublishedAt != nil {
		at := c.PublishedAt.UTC()
		hour := float64(at.Hour()) + float64(at.Minute())/60
		l *= a.steadied(1 + hourSwing*math.Cos(2*math.Pi*(hour-p.PeakHour)/24))
	}
	return l
}

// Metrics returns the figures of post c at an age that its platform reports: whole
// counts that never fall, and engagement_rate in percent if there are impressions.
// A post that isn't published yet has counts of 0.
func (a Audience) Metrics(c mission.Content, age time.Duration) mission.Metrics {
	p, caps := platforms[c.Platform], capabilities(c.Platform)
	r := a.chance(a.drawnBy(c)...)
	seen := p.reach * math.Exp(noise*r.NormFloat64()) * ripe(age, p.tau)
	engaged := min(engagedShare*a.liking(c)*math.Exp(noise*r.NormFloat64()), mostEngaged)
	impressions := math.Floor(seen)
	all := mission.Metrics{
		mission.Impressions: impressions,
		mission.Views:       impressions,
		mission.Reach:       math.Floor(0.8 * seen),
		mission.Likes:       math.Floor(0.75 * engaged * seen),
		mission.Comments:    math.Floor(0.1 * engaged * seen),
		mission.Shares:      math.Floor(0.15 * engaged * seen),
		mission.Clicks:      math.Floor(0.5 * engaged * seen), mission.LinkClicks: math.Floor(0.3 * engaged * seen),
		mission.FollowersGained: math.Floor(0.02 * engaged * seen),
	}
	reported := mission.Metrics{}
	for _, m := range caps.Metrics {
		if v, ok := all[m]; ok {
			reported[m] = v
		}
	}
	if rate, ok := reported.Rate(); ok {
		reported[mission.EngagementRate] = rate
	}
	return reported
}

// Constants of how many follow the sandbox.
const (
	firstFollowers = 1000
	dailyFollowers = 12  // on average
	dailySwing     = 10  // around that, from day to day
	reachedShare   = 0.3 // of the followers, on a day
)

// begins is the day on which the sandbox has firstFollowers.
var begins = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Followers returns how many follow the sandbox on a day (UTC) and how many it reached: the same for
// the same seed, and more followers from day to day. Before begins there are none of either.
func (a Audience) Followers(at time.Time) mission.AccountFigures {
	const hours = 24
	n := int64(at.UTC().Sub(begins).Hours() / hours)
	if at.Before(begins) {
		return mission.AccountFigures{}
	}
	followers := firstFollowers + dailyFollowers*n + a.chance("followers", at.UTC().Format(time.DateOnly)).Int64N(dailySwing)
	reach := int64(reachedShare * float64(followers))
	return mission.AccountFigures{Followers: &followers, Reach: &reach}
}

// drawnBy returns the texts that seed the random factor of post c.
func (a Audience) drawnBy(c mission.Content) []string {
	texts := []string{"post", c.MissionID, c.ID}
	if !a.Drawn {
		return texts
	}
	texts = append(texts, string(c.Platform), string(c.Format), string(c.Angle))
	if c.PublishedAt != nil {
		texts = append(texts, c.PublishedAt.UTC().Format(time.RFC3339Nano))
	}
	return texts
}

func capabilities(p mission.Platform) mission.Capabilities {
	caps, _ := mission.CapabilitiesOf(p)
	return caps
}

// ripe returns the share of a post's readers that have come by an age.
func ripe(age, tau time.Duration) float64 {
	if age <= 0 || tau <= 0 {
		return 0
	}
	return 1 - math.Exp(-float64(age)/float64(tau))
}
