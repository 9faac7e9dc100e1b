package mission

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// mostInADay returns the most of some times that are within QuotaSpan.
func mostInADay(times []time.Time) (most int) {
	for _, first := range times {
		n := 0
		for _, t := range times {
			if d := t.Sub(first); d >= 0 && d < QuotaSpan {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

var quotaBegin = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// drawTimes draws times of five days, many of them near each other or a day apart.
func drawTimes(t *rapid.T, name string, most int) []time.Time {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) time.Time {
		return quotaBegin.Add(time.Duration(rapid.IntRange(0, 5*12).Draw(t, "at")) * 2 * time.Hour)
	}), 0, most).Draw(t, name)
}

// A quota allows a post if, and only if, no day has more than it with the post, and the next time that it
// allows is the first.
func TestQuotaAllows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "quota")
		var taken []time.Time
		for _, at := range drawTimes(t, "taken", 20) {
			if mostInADay(append(slices.Clone(taken), at)) <= n {
				taken = append(taken, at)
			}
		}
		q := NewQuota(n, taken)
		at := quotaBegin.Add(time.Duration(rapid.IntRange(-24, 6*24).Draw(t, "wanted")) * time.Hour)
		if got, want := q.Allows(at), mostInADay(append(slices.Clone(taken), at)) <= n; got != want {
			t.Fatalf("%d of %v allow %s: %v", n, taken, at, got)
		}
		next := q.Next(at)
		for u := at; !u.After(next); u = u.Add(time.Hour) {
			if ok := mostInADay(append(slices.Clone(taken), u)) <= n; ok != u.Equal(next) {
				t.Fatalf("%d of %v: the next after %s is %s, but %s is allowed: %v", n, taken, at, next, u, ok)
			}
		}
	})
}

// A plan within quotas has no day with more posts of an account than its quota, together with what the
// account has; it moves and leaves out no other slots, and no two slots are at one time.
func TestPlanWithinQuotas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := Window{Start: quotaBegin.Add(48 * time.Hour), End: quotaBegin.Add(72 * time.Hour)}
		b := Blackouts{{StartsAt: w.Start.Add(9 * time.Hour), EndsAt: w.Start.Add(time.Duration(rapid.IntRange(9, 24).Draw(t, "silent")) * time.Hour)}}
		taken, quotas := map[string][]time.Time{}, map[string]*Quota{}
		limits := map[string]int{"a": rapid.IntRange(1, 6).Draw(t, "quota"), "b": rapid.IntRange(1, 6).Draw(t, "other quota")}
		for id, n := range limits {
			for _, at := range drawTimes(t, "taken by "+id, 20) {
				if mostInADay(append(slices.Clone(taken[id]), at)) <= n {
					taken[id] = append(taken[id], at)
				}
			}
			quotas[id] = NewQuota(n, taken[id])
		}
		p := Plan{Reasons: []string{"Why."}}
		for i := range rapid.IntRange(0, 12).Draw(t, "slots") {
			at := w.Start.Add(time.Duration(i) * 2 * time.Hour)
			if _, silent := b.At(at); silent {
				continue
			}
			p.Slots = append(p.Slots, Slot{
				Position: len(p.Slots), At: at, Platform: Threads, IntegrationID: rapid.SampledFrom([]string{"a", "b", "c", ""}).Draw(t, "account"),
				Objective: at.String(),
			})
		}
		before := slices.Clone(p.Slots)
		got := p.Within(quotas, b, w)
		if !slices.Equal(p.Slots, before) {
			t.Fatal("the plan itself was changed")
		}
		var free []Slot // of accounts without a quota
		times := map[int64]bool{}
		for i, s := range got.Slots {
			_, silent := b.At(s.At)
			if s.Position != i || times[s.At.UnixMilli()] || silent || s.At.Before(w.Start) || !s.At.Before(w.End) {
				t.Fatalf("slot %d of %+v", i, got.Slots)
			}
			times[s.At.UnixMilli()] = true
			if taken[s.IntegrationID] = append(taken[s.IntegrationID], s.At); limits[s.IntegrationID] == 0 {
				free = append(free, s)
			}
		}
		for id, n := range limits {
			if most := mostInADay(taken[id]); most > n {
				t.Fatalf("%s has %d posts in a day, and may have %d: %v", id, most, n, taken[id])
			}
		}
		changed := len(got.Slots) < len(before)
		for _, s := range before {
			i := slices.IndexFunc(got.Slots, func(g Slot) bool { return g.Objective == s.Objective })
			if limits[s.IntegrationID] == 0 && (i < 0 || !got.Slots[i].At.Equal(s.At)) {
				t.Fatalf("the slot %+v of an account without a quota became %+v", s, free)
			}
			changed = changed || i >= 0 && !got.Slots[i].At.Equal(s.At)
		}
		if more := len(got.Reasons) > 1; more != changed || got.Reasons[0] != "Why." {
			t.Fatalf("it was changed: %v, and its reasons are %q", changed, got.Reasons)
		}
	})
}

// Slots that fit stay where they are, and the reason names the account, its quota and how many slots were
// moved and left out.
func TestPlanSaysQuotas(t *testing.T) {
	w := Window{Start: quotaBegin, End: quotaBegin.Add(24 * time.Hour)}
	slot := func(i int) Slot {
		return Slot{Position: i, At: quotaBegin.Add(time.Duration(i) * time.Hour), Platform: Instagram, IntegrationID: "a", AccountHandle: "acme"}
	}
	q := NewQuota(2, []time.Time{quotaBegin.Add(-22 * time.Hour)})
	got := Plan{Slots: []Slot{slot(0), slot(1), slot(2)}}.Within(map[string]*Quota{"a": q}, nil, w)
	want := "Instagram (@acme) publishes at most 2 posts of an account in 24 hours, those of other missions included. Slots moved for that: 0, left out: 1."
	if len(got.Slots) != 2 || !got.Slots[0].At.Equal(quotaBegin) || !got.Slots[1].At.Equal(quotaBegin.Add(2*time.Hour)) || !slices.Equal(got.Reasons, []string{want}) {
		t.Errorf("got %+v", got)
	}
}

// Moves are made as long as each account keeps its quota afterwards, in whatever order they are given:
// posts may change places.
func TestMovesWithinQuotas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "quota")
		var taken []time.Time
		for _, at := range drawTimes(t, "taken", 12) {
			if mostInADay(append(slices.Clone(taken), at)) <= n {
				taken = append(taken, at)
			}
		}
		to := drawTimes(t, "to", len(taken))
		var moves []ContentChange
		for i, at := range to {
			moves = append(moves, ContentChange{FromSlot: &taken[i], To: Content{ID: string(rune('a' + i)), IntegrationID: "a", ScheduledAt: &at}})
		}
		made, over := WithinQuotas(map[string]*Quota{"a": NewQuota(n, taken)}, moves)
		times := slices.Clone(taken)
		for _, ch := range made {
			times[slices.IndexFunc(moves, func(m ContentChange) bool { return m.To.ID == ch.To.ID })] = *ch.To.ScheduledAt
		}
		if most := mostInADay(times); most > n || len(made)+len(over) != len(moves) {
			t.Fatalf("%d posts in a day of %d, %d made and %d over", most, n, len(made), len(over))
		}
		all := slices.Clone(taken)
		copy(all, to)
		if mostInADay(all) <= n && len(over) > 0 {
			t.Fatalf("all %d moves keep the quota of %d, but %d are refused", len(moves), n, len(over))
		}
	})
}

// What the table says of quotas has its source and its day, and what an account told comes first.
func TestDailyPosts(t *testing.T) {
	some := 0
	for _, c := range AllCapabilities() {
		d := c.Daily
		if (d.Posts > 0) != (d.Source != "" && d.AsOf != "") || c.Quota && d.Posts == 0 {
			t.Errorf("%s: %+v", c.Platform, d)
		}
		if _, err := time.Parse(time.DateOnly, d.AsOf); d.Posts > 0 && err != nil {
			t.Errorf("%s: %v", c.Platform, err)
		}
		if d.Posts == 0 {
			continue
		}
		some++
		i := Integration{Platform: c.Platform}
		if n := i.DailyPosts(); n != 0 {
			t.Errorf("%s: %d of an account that was never connected", c.Platform, n)
		}
		i.Account = &Account{}
		if n := i.DailyPosts(); n != d.Posts {
			t.Errorf("%s: got %d", c.Platform, n)
		}
		i.Account.Daily = 7
		if n := i.DailyPosts(); n != 7 {
			t.Errorf("%s: got %d, not what the account told", c.Platform, n)
		}
		if again := i.Taken(Account{}, quotaBegin); again.DailyPosts() != 7 {
			t.Errorf("%s: what it told was lost", c.Platform)
		}
	}
	if some == 0 {
		t.Error("no platform has a quota")
	}
}

func TestQuotaRefusal(t *testing.T) {
	q := NewQuota(1, []time.Time{quotaBegin})
	err := q.Refusal(Destination{Platform: Instagram}, quotaBegin.Add(time.Hour))
	if err.Param != "scheduled_at" || err.Code != CodeInvalidRequest || !strings.Contains(err.Message, "at most 1 ") || !strings.HasSuffix(err.Message, "2026-03-02T00:00:00Z.") {
		t.Errorf("got %+v", err)
	}
}
