package missions

import (
	"context"
	"errors"
	"time"

	"missiond/internal/database"
	"missiond/internal/links"
	"missiond/mission"
	"missiond/store"
)

// feesOf returns the platform's prices for a post; the sandbox is free.
func feesOf(c mission.Content) mission.Fees {
	if c.IntegrationID == "" {
		return mission.Fees{}
	}
	caps, _ := mission.CapabilitiesOf(c.Platform)
	return caps.Fees
}

// linkedOn returns a function that reports whether a platform finds a link in a
// text.
func linkedOn(p mission.Platform) func(text string) bool {
	return func(text string) bool { return len(links.On(p, text)) > 0 }
}

// lookupSubject returns the subject of the reservation for a post's lookup.
func lookupSubject(c mission.Content) string { return c.ID + "/look" }

// reserveFees reserves what publishing the rest of a post may cost, with one lookup.
// Errors: errOverBudget.
func reserveFees(ctx context.Context, tx store.Tx, m mission.Mission, c mission.Content, now time.Time) error {
	price, lookup := priceOf(c)
	if price == 0 {
		return nil
	}
	if !m.Affords(price + lookup) {
		return errOverBudget
	}
	if _, err := reserve(ctx, tx, m, c.JobID, mission.SpendPublishing, c.ID, price, now); err != nil {
		return err
	}
	_, err := reserve(ctx, tx, m, c.JobID, mission.SpendPublishing, lookupSubject(c), lookup, now)
	return err
}

// priceOf returns what publishing the rest of a post may cost, and one lookup; both are 0 if
// publishing is free.
func priceOf(c mission.Content) (price, lookup mission.Micros) {
	fees := feesOf(c)
	if price = fees.Posts(c.SentTexts()[len(c.Published):], linkedOn(c.Platform)); price > 0 {
		lookup = fees.Lookup
	}
	return price, lookup
}

// PublishingPrice returns what a post's platform may charge for publishing it, with one lookup, for an
// account of the tenant's.
func PublishingPrice(c mission.Content) mission.Micros {
	caps, _ := mission.CapabilitiesOf(c.Platform)
	price := caps.Fees.Posts(c.SentTexts()[len(c.Published):], linkedOn(c.Platform))
	if price > 0 {
		price += caps.Fees.Lookup
	}
	return price
}

// settleFees records what a post's publication has cost so far: the parts that were
// taken, the part whose outcome will never be known, and the lookup, if there was
// one.
func settleFees(ctx context.Context, tx store.Tx, m mission.Mission, c *mission.Content, looked bool, now time.Time) error {
	if m.Reserved == 0 {
		return nil
	}
	fees, charged, look := feesOf(*c), len(c.Published), mission.Micros(0)
	if looked {
		look = fees.Lookup
	}
	if c.Error != nil && c.Error.MayBePublished() {
		charged++
	}
	parts := fees.Posts(c.SentTexts()[:charged], linkedOn(c.Platform)) - c.Fees
	if err := tx.Settle(ctx, m.ID, mission.SpendPublishing, c.ID, parts, now); err != nil {
		return err
	}
	if err := tx.Settle(ctx, m.ID, mission.SpendPublishing, lookupSubject(*c), look, now); err != nil {
		return err
	}
	if err := tx.SettleLost(ctx, m.ID, mission.SpendPublishing, filesSubject(*c), now); err != nil {
		return err
	}
	c.Fees += parts
	c.Cost += parts + look
	return nil
}

// readingsOf returns the prefix of the subjects of a task's readings.
func readingsOf(t mission.Task) string { return t.ID + "/" }

// Reading is a reservation for reading posts.
type Reading struct {
	task    mission.Task
	subject string
	fees    mission.Fees
	fresh   map[string]bool // the posts that aren't paid for today, by id
	limit   int             // of the replies that are read; 0 if they cost nothing
}

// OpenReading reserves what reading posts of one platform may cost; ok is false if
// the budget can't pay for it in addition to publishing the posts that are already
// planned. A post that was read on the same day (UTC) is free.
func (s *Pipeline) OpenReading(ctx context.Context, t mission.Task, b Batch) (r Reading, ok bool, err error) {
	if b.Via == nil {
		return r, true, nil
	}
	r = Reading{task: t, fees: feesOf(b.Posts[0]), subject: readingsOf(t) + b.Posts[0].ID, fresh: map[string]bool{}}
	if r.fees.Read == 0 {
		return r, true, nil
	}
	err = s.store.Tx(ctx, func(tx store.Tx) error {
		now := s.clock.Now()
		m, err := tx.LockMission(ctx, t.TenantID, t.MissionID)
		if err != nil {
			return err
		}
		for _, c := range b.Posts {
			if c.MeasuredAt == nil || !sameDay(*c.MeasuredAt, now) {
				r.fresh[c.ID] = true
			}
		}
		if len(r.fresh) == 0 {
			return nil
		}
		price := r.fees.Read * mission.Micros(len(r.fresh))
		planned := m.Counts.PendingReview + m.Counts.Approved - m.Counts.Published
		if !m.Affords(price + (r.fees.Post+r.fees.Lookup)*mission.Micros(planned)) {
			return errOverBudget
		}
		_, err = reserve(ctx, tx, m, b.Posts[0].JobID, mission.SpendMeasuring, r.subject, price, now)
		return err
	})
	if errors.Is(err, errOverBudget) {
		return r, false, nil
	}
	return r, err == nil, err
}

func sameDay(a, b time.Time) bool {
	return a.UTC().Format(time.DateOnly) == b.UTC().Format(time.DateOnly)
}

// CloseReading records what reading posts cost: the posts that the platform returned,
// or all of them if its response was lost. It does so even if ctx is canceled.
func (s *Pipeline) CloseReading(ctx context.Context, r Reading, got map[string]mission.Metrics, lost bool) error {
	if len(r.fresh) == 0 {
		return nil
	}
	read := 0
	for id := range got {
		if r.fresh[id] {
			read++
		}
	}
	if lost {
		read = len(r.fresh)
	}
	return s.settleReading(ctx, r, r.fees.Read*mission.Micros(read))
}

// settleReading records what reading cost, even if ctx is canceled.
func (s *Pipeline) settleReading(ctx context.Context, r Reading, cost mission.Micros) error {
	return database.Insist(ctx, bookLimit, func(ctx context.Context) error {
		return s.store.Tx(ctx, func(tx store.Tx) error {
			if _, err := tx.LockMission(ctx, r.task.TenantID, r.task.MissionID); err != nil {
				return err
			}
			return tx.Settle(ctx, r.task.MissionID, mission.SpendMeasuring, r.subject, cost, s.clock.Now())
		})
	})
}
