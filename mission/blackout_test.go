package mission

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// drawBlackouts returns blackouts around an instant, which may overlap and touch.
func drawBlackouts(t *rapid.T, around time.Time) []Blackout {
	var all []Blackout
	for i := range rapid.IntRange(1, 6).Draw(t, "blackouts") {
		at := Millis(around.Add(time.Duration(rapid.Int64Range(-24*60, 24*60*10).Draw(t, fmt.Sprint("start ", i))) * time.Minute))
		all = append(all, Blackout{StartsAt: at, EndsAt: at.Add(time.Duration(rapid.Int64Range(1, 3*24*60*60_000).Draw(t, fmt.Sprint("length ", i))) * time.Millisecond)})
		if rapid.Bool().Draw(t, fmt.Sprint("touched ", i)) {
			last := all[len(all)-1].EndsAt
			all = append(all, Blackout{StartsAt: last, EndsAt: last.Add(time.Hour)})
		}
	}
	return all
}

// No slot that is planned, moved or taken by a new post lies in a blackout, and slots in
// blackouts are moved.
func TestBlackoutsHaveNoSlots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMission(t)
		m.Blackouts = drawBlackouts(t, *m.StartsAt)
		free := func(what string, slots ...time.Time) {
			for _, at := range slots {
				if b, in := m.BlackoutAt(at); in && !at.IsZero() {
					t.Fatalf("%s: %s is in the blackout from %s to %s", what, at, b.StartsAt, b.EndsAt)
				}
			}
		}
		estimated, cycle := 0, 0
		for w, ok := m.NextWindow(0, *m.StartsAt); ok; w, ok = m.NextWindow(w.Day+1, *m.StartsAt) {
			slots := m.Slots(w, cycle)
			free("planned", slots...)
			estimated += len(slots)
			cycle++
		}
		if got := m.EstimatedPosts(*m.StartsAt); got != estimated {
			t.Fatalf("%d posts are estimated, and %d planned", got, estimated)
		}
		w := m.window(0)
		now := Millis(w.Start.Add(time.Duration(rapid.Int64Range(0, 30*3600_000).Draw(t, "now")) * time.Millisecond))
		planned := m.Constraints.Slots(w, 0)
		moved := m.Reslot(m.Constraints, w, planned, nil, now)
		free("moved", moved...)
		for i, at := range moved {
			if at.IsZero() {
				continue
			}
			if at.Before(now) || !at.Before(*m.EndsAt) {
				t.Fatalf("a slot moved to %s, now is %s and the mission ends at %s", at, now, m.EndsAt)
			}
			for j, other := range moved[:i] {
				if !at.Equal(planned[i]) && !other.Equal(planned[j]) && at.Sub(other).Abs() < slotGap {
					t.Fatalf("two slots moved to %s and %s", at, other)
				}
			}
		}
		posts := make([]Content, len(planned))
		for i := range planned {
			posts[i] = Content{Status: ContentScheduled, ScheduledAt: &planned[i]}
		}
		if at, ok := m.NextFree(posts, nil, now); ok {
			free("the next free", at)
		}
		free("the free", m.FreeSlot(now, posts))
	})
}

// The time without blackouts between two instants is what plus goes on by.
func TestTimeWithoutBlackouts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
		b := Blackouts(drawBlackouts(t, from))
		d := time.Duration(rapid.Int64Range(0, 20*24*3600_000).Draw(t, "d")) * time.Millisecond
		to := b.plus(from, d)
		if got := b.between(from, to); got != d {
			t.Fatalf("%s passes until %s, want %s", got, to, d)
		}
		if _, in := b.At(to); in {
			t.Fatalf("%s is in a blackout", to)
		}
	})
}

// A slot in a blackout that takes the rest of its day moves behind it, with as much time as the day
// had left; it isn't lost.
func TestLongBlackout(t *testing.T) {
	start := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	m := whyMission(StatusActive)
	m.DurationDays, m.StartsAt = 30, &start
	end := start.Add(30 * 24 * time.Hour)
	m.EndsAt = &end
	m.Blackouts = []Blackout{{StartsAt: start.Add(time.Hour), EndsAt: start.Add(10 * 24 * time.Hour)}}
	slots := []time.Time{start.Add(2 * time.Hour), start.Add(12 * time.Hour)}
	got := m.Reslot(m.Constraints, m.window(0), slots, nil, start.Add(90*time.Minute))
	for i, at := range got {
		if at.Before(m.Blackouts[0].EndsAt) || at.After(m.Blackouts[0].EndsAt.Add(24*time.Hour)) {
			t.Errorf("slot %d moved to %s", i, at)
		}
	}
	if apart := got[1].Sub(got[0]); apart < 6*time.Hour {
		t.Errorf("the slots moved to %s, which are %s apart", got, apart)
	}
	if w, ok := m.NextWindow(1, start); !ok || w.Day != 10 {
		t.Errorf("the next posting day is %d, want the first that isn't all blackout: 10", w.Day)
	}
	err := m.CheckSlot(start.Add(24*time.Hour), start)
	if err == nil || !strings.Contains(err.Error(), "(scheduled_at)") || !strings.Contains(err.Error(), "2026-03-12T08:00:00Z") {
		t.Errorf("got %v, want an error that names the blackout", err)
	}
	if err := m.CheckSlot(m.Blackouts[0].EndsAt, start); err != nil {
		t.Errorf("the blackout's end: %v", err)
	}
}

// Events and blackouts are checked, field by field.
func TestDatesAreChecked(t *testing.T) {
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	long, hidden := strings.Repeat("x", MaxDateNote+1), "a\u200bb"
	event := func(change func(o *OccasionInput)) CreateInput {
		last := "2026-03-05"
		o := OccasionInput{Name: "Sale", StartsOn: "2026-03-03", EndsOn: &last, Kind: OccasionSale}
		change(&o)
		return CreateInput{Occasions: []OccasionInput{{Name: "Easter", StartsOn: "2026-04-05", Kind: OccasionHoliday}, o}}
	}
	blackout := func(change func(b *BlackoutInput)) CreateInput {
		end := at.Add(time.Hour)
		b := BlackoutInput{StartsAt: &at, EndsAt: &end}
		change(&b)
		return CreateInput{Blackouts: []BlackoutInput{b}}
	}
	day, limit, over := "2026-03-02", at.Add(MaxBlackout), at.Add(MaxBlackout+time.Millisecond)
	for _, each := range []struct {
		in    CreateInput
		param string
	}{
		{event(func(*OccasionInput) {}), ""},
		{event(func(o *OccasionInput) { o.EndsOn = nil }), ""},
		{event(func(o *OccasionInput) { o.Name = " " }), "events[1].name"},
		{event(func(o *OccasionInput) { o.Name = strings.Repeat("x", MaxOccasionName+1) }), "events[1].name"},
		{event(func(o *OccasionInput) { o.Name = "a\nb" }), "events[1].name"},
		{event(func(o *OccasionInput) { o.StartsOn = "2026-3-3" }), "events[1].starts_on"},
		{event(func(o *OccasionInput) { o.StartsOn = "" }), "events[1].starts_on"},
		{event(func(o *OccasionInput) { o.EndsOn = &hidden }), "events[1].ends_on"},
		{event(func(o *OccasionInput) { o.EndsOn = &day }), "events[1].ends_on"},
		{event(func(o *OccasionInput) { o.Kind = "party" }), "events[1].kind"},
		{event(func(o *OccasionInput) { o.Note = &long }), "events[1].note"},
		{event(func(o *OccasionInput) { o.Note = &hidden }), "events[1].note"},
		{CreateInput{Occasions: make([]OccasionInput, MaxOccasions+1)}, "events"},
		{blackout(func(*BlackoutInput) {}), ""},
		{blackout(func(b *BlackoutInput) { b.EndsAt = &limit }), ""},
		{blackout(func(b *BlackoutInput) { b.EndsAt = &over }), "blackouts[0].ends_at"},
		{blackout(func(b *BlackoutInput) { b.EndsAt = b.StartsAt }), "blackouts[0].ends_at"},
		{blackout(func(b *BlackoutInput) { b.EndsAt = nil }), "blackouts[0].ends_at"},
		{blackout(func(b *BlackoutInput) { b.StartsAt = nil }), "blackouts[0].starts_at"},
		{blackout(func(b *BlackoutInput) { b.Reason = &long }), "blackouts[0].reason"},
		{CreateInput{Blackouts: make([]BlackoutInput, MaxBlackouts+1)}, "blackouts"},
	} {
		found := append(checkOccasions(each.in.Occasions), checkBlackouts(each.in.Blackouts)...)
		var params []string
		for _, p := range found {
			params = append(params, p.Param)
		}
		if want := slices.DeleteFunc([]string{each.param}, func(p string) bool { return p == "" }); !slices.Equal(params, want) {
			t.Errorf("%+v has problems with %v, want %v", each.in, params, want)
		}
	}
}

// Posts of an event's days are about it, and every second one of the seven days before; of several
// events the one that starts first.
func TestPostsLeadUpToEvents(t *testing.T) {
	b := Brief{Constraints: Constraints{Timezone: "Pacific/Auckland"}, Occasions: []Occasion{
		{Name: "launch", StartsOn: "2026-03-12", EndsOn: "2026-03-12"}, {Name: "sale", StartsOn: "2026-03-10", EndsOn: "2026-03-11"},
	}}
	for _, each := range []struct {
		day  string
		n    int
		want string
		days int
	}{
		{"2026-03-02", 0, "", 0}, {"2026-03-03", 0, "sale", 7}, {"2026-03-03", 1, "", 0}, {"2026-03-10", 1, "sale", 0}, {"2026-03-11", 0, "sale", 0},
		{"2026-03-11", 1, "sale", 0}, {"2026-03-12", 1, "launch", 0}, {"2026-03-13", 0, "", 0},
	} {
		at, err := time.ParseInLocation(time.DateOnly, each.day, b.Constraints.Zone())
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []time.Time{at, at.Add(24*time.Hour - 1)} {
			got := b.Ahead(at, each.n)
			switch {
			case got == nil && each.want != "", got != nil && got.Name != each.want:
				t.Errorf("post %d at %s leads to %+v, want %q", each.n, at, got, each.want)
			case got != nil && got.DaysUntil(at, b.Constraints.Zone()) != each.days:
				t.Errorf("the %s is %d days after %s, want %d", got.Name, got.DaysUntil(at, b.Constraints.Zone()), at, each.days)
			}
		}
	}
}
