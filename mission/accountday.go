package mission

import (
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"time"
)

// AccountFigures are an account's figures of a day; nil where its platform reports none, which
// isn't 0.
type AccountFigures struct {
	// Followers is how many accounts follow it.
	Followers *int64
	// Reach is how many people saw something of it on the day, Views how often something of it was
	// seen.
	Reach *int64
	Views *int64
}

// MaxAccountFigure limits what is believed of a platform's figures: no account has as many, and
// GraphQL's Int can't hold more.
const MaxAccountFigure = math.MaxInt32

// Bounded returns the figures without those that can't be true, which are negative or over
// MaxAccountFigure.
func (f AccountFigures) Bounded() AccountFigures {
	return AccountFigures{Followers: believed(f.Followers), Reach: believed(f.Reach), Views: believed(f.Views)}
}

func believed(figure *int64) *int64 {
	if figure == nil || *figure < 0 || *figure > MaxAccountFigure {
		return nil
	}
	return figure
}

// None reports whether no figure is known.
func (f AccountFigures) None() bool { return f == AccountFigures{} }

// over returns the figures, with those of before where f has none.
func (f AccountFigures) over(before AccountFigures) AccountFigures {
	keep := func(a, b *int64) *int64 {
		if a != nil {
			return a
		}
		return b
	}
	return AccountFigures{Followers: keep(f.Followers, before.Followers), Reach: keep(f.Reach, before.Reach), Views: keep(f.Views, before.Views)}
}

// Audience is what a platform reports of an account's audience.
type Audience struct {
	// Now are the figures as the platform shows them now, which count for the day (UTC) on which
	// it was asked. Reach and Views of a day that isn't over don't belong here.
	Now AccountFigures
	// Days are the figures by day where the platform has a series, in any order, at most
	// MaxAudienceDays of them.
	Days []DayFigures
}

// DayFigures are the figures of a day.
type DayFigures struct {
	// Date is the day, YYYY-MM-DD in UTC.
	Date string `bun:"day,pk"`
	AccountFigures
}

// AccountDay is a day of an account. Days on which nothing was reported have no AccountDay: they
// are never made up from their neighbours.
type AccountDay struct {
	TenantID      string
	IntegrationID string `bun:",pk"`
	Platform      Platform
	DayFigures
}

// MaxAudienceDays is how many days of a series an adapter is asked for and may return: those that a
// platform may still correct, and those that were missed since.
const MaxAudienceDays = 30

// Bounded returns the audience without what can't be true: figures that [AccountFigures.Bounded]
// leaves out, and days that are no dates, come twice, or are before since or more than
// MaxAudienceDays after it.
func (a Audience) Bounded(since string) Audience {
	out := Audience{Now: a.Now.Bounded()}
	first := startOf(since, 0)
	if first == nil {
		return out
	}
	last, seen := utcDay(first.AddDate(0, 0, MaxAudienceDays)), map[string]bool{}
	for _, d := range a.Days {
		d.AccountFigures = d.AccountFigures.Bounded()
		at := startOf(d.Date, 0)
		if at == nil || utcDay(*at) != d.Date || d.Date < since || d.Date > last || d.None() || seen[d.Date] {
			continue
		}
		seen[d.Date] = true
		out.Days = append(out.Days, d)
	}
	return out
}

// AccountDays returns what an audience that was read at now adds to an account's days, oldest first:
// the figures of now are those of today, unless the series has it too. Days after today, and those
// before the first that may be kept, are left out.
func (i Integration) AccountDays(a Audience, now time.Time) []AccountDay {
	today, kept := utcDay(now), AudienceRuleOf(i.Platform).KeptSince(now)
	days := map[string]AccountFigures{}
	for _, d := range a.Days {
		days[d.Date] = d.AccountFigures
	}
	days[today] = days[today].over(a.Now)
	var list []AccountDay
	for _, date := range slices.Sorted(maps.Keys(days)) {
		if f := days[date]; !f.None() && date >= kept && date <= today {
			list = append(list, AccountDay{
				TenantID: i.TenantID, IntegrationID: i.ID, Platform: i.Platform, DayFigures: DayFigures{Date: date, AccountFigures: f},
			})
		}
	}
	return list
}

// SeriesKeptDays returns for how many days figures of the account are kept.
func (i Integration) SeriesKeptDays() int { return AudienceRuleOf(i.Platform).KeptDays }

// AudienceSince returns since when a platform is asked for an account's figures by day at now.
func AudienceSince(now time.Time) string { return utcDay(now.AddDate(0, 0, -MaxAudienceDays)) }

// FirstAudience returns when the figures of an account are read for the first time, or again after a
// pause: at once if it was connected within the last day, else at its time of the day.
func (i Integration) FirstAudience(now time.Time) time.Time {
	at := i.audienceOn(dayOf(now))
	switch {
	case i.ConnectedAt != nil && now.Sub(*i.ConnectedAt) < day:
		return now
	case at.Before(now):
		return at.Add(day)
	}
	return at
}

// NextAudience returns when an account's figures are read next after they were: on the next day
// (UTC), at its time.
func (i Integration) NextAudience(now time.Time) time.Time { return i.audienceOn(dayOf(now).Add(day)) }

// audienceOn returns the account's time on the day that begins at a time: one of its own, so that not
// all accounts are read at once, and early enough for the day's repetitions.
func (i Integration) audienceOn(begins time.Time) time.Time {
	const minutes = uint64((day - audienceLast) / time.Minute)
	h := fnv.New64a()
	_, _ = h.Write([]byte(i.ID))
	return begins.Add(time.Duration(h.Sum64()%minutes) * time.Minute)
}

// Times of readings that fail.
const (
	// audienceLast is how long before a day's end no account is read for the first time.
	audienceLast = 2 * time.Hour
	// audienceRetry is the least wait before a reading is repeated, and maxAudienceTries how often
	// one is tried in a row.
	audienceRetry    = 15 * time.Minute
	maxAudienceTries = 4
)

// AudienceAgain returns when figures that couldn't be read at now are read again: within the day, and
// then same is true, or else at the account's next time, which is on this day if the attempts began on
// the one before; a day without a reading stays without figures. attempts counts those made, retryAfter
// is the wait that the platform requested, or 0.
func (i Integration) AudienceAgain(attempts int, retryAfter time.Duration, now time.Time) (at time.Time, same bool) {
	at = now.Add(max(retryAfter, audienceRetry))
	if attempts < maxAudienceTries && at.Before(dayOf(now).Add(day)) {
		return at, true
	}
	next := i.audienceOn(dayOf(now))
	if !next.After(now) {
		next = i.NextAudience(now)
	}
	return later(next, now.Add(retryAfter)), false
}

// AccountSeries is an account's figures by day, oldest first: one for each day of the range, whose
// figures are nil where none are known.
func AccountSeries(of DateRange, known []AccountDay) []DayFigures {
	by := make(map[string]AccountFigures, len(known))
	for _, d := range known {
		by[d.Date] = d.AccountFigures
	}
	var list []DayFigures
	for at, end := of.Since(), of.Until(); at.Before(*end); {
		date := utcDay(*at)
		list = append(list, DayFigures{Date: date, AccountFigures: by[date]})
		*at = at.AddDate(0, 0, 1)
	}
	return list
}

// SeriesRange returns the range of an account's series at now: without an end it ends today, without
// a start it has 30 days. Errors: invalid_request on from or to, also if the range has more than
// MaxAccountDays days.
func SeriesRange(from, to string, now time.Time) (DateRange, error) {
	r, err := ParseDateRange(from, to)
	if err != nil {
		return r, err
	}
	if r.To == "" {
		r.To = utcDay(now)
	}
	switch {
	case r.From == "":
		r.From = utcDay(startOf(r.To, 1-defaultReportDays).UTC())
	case r.From > r.To:
		return r, backward(r.From, r.To)
	case r.From < utcDay(startOf(r.To, 1-MaxAccountDays).UTC()):
		return r, Invalid("from", "The range must have at most %d days.", MaxAccountDays)
	}
	return r, nil
}
