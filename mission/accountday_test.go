package mission

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"
)

func figure(n int64) *int64 { return &n }

// What can't be true is left out, and is never 0.
func TestAudienceBounded(t *testing.T) {
	day := func(date string, f AccountFigures) DayFigures { return DayFigures{Date: date, AccountFigures: f} }
	reach := func(n int64) AccountFigures { return AccountFigures{Reach: figure(n)} }
	got := Audience{
		Now: AccountFigures{Followers: figure(math.MinInt64), Reach: figure(MaxAccountFigure + 1), Views: figure(0)},
		Days: []DayFigures{
			day("2026-03-02", reach(7)), day("2026-03-02", reach(8)), day("2026-03-01", reach(0)), day("2026-02-28", reach(1)),
			day("2026-03-03", reach(-1)), day("2026-03-04", AccountFigures{}), day("2026-3-5", reach(1)), day("2026-02-30", reach(1)),
			day("2026-03-31", reach(2)), day("2026-04-01", reach(3)), day("", reach(1)), day("9999-12-31", reach(1)),
		},
	}.Bounded("2026-03-01")
	want := Audience{
		Now:  AccountFigures{Views: figure(0)},
		Days: []DayFigures{day("2026-03-02", reach(7)), day("2026-03-01", reach(0)), day("2026-03-31", reach(2))},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := (Audience{Now: reach(1), Days: []DayFigures{day("2026-03-02", reach(7))}}).Bounded("soon"); got.Now.Reach == nil || len(got.Days) > 0 {
		t.Errorf("since no day: got %+v", got)
	}
}

// The figures of now are today's; days that may not be kept, or have yet to come, are left out.
func TestAccountDays(t *testing.T) {
	now := time.Date(2026, 3, 31, 23, 59, 0, 0, time.UTC)
	i := Integration{ID: "int_1", TenantID: "tnt_1", Platform: LinkedIn}
	all := func(date string, n int64) DayFigures {
		return DayFigures{Date: date, AccountFigures: AccountFigures{Reach: figure(n)}}
	}
	days := i.AccountDays(Audience{
		Now: AccountFigures{Followers: figure(10)}, Days: []DayFigures{all("2026-03-31", 3), all("2026-04-01", 4), all("2025-03-30", 5), all("2025-03-31", 6)},
	}, now)
	if len(days) != 2 || days[0].Date != "2025-03-31" || days[1].Date != "2026-03-31" || *days[1].Followers != 10 || *days[1].Reach != 3 || days[0].Followers != nil {
		t.Errorf("got %+v", days)
	}
	if days := i.AccountDays(Audience{}, now); len(days) != 0 {
		t.Errorf("without figures: got %+v", days)
	}
}

// Each account has a time of its own, and accounts are spread over the day.
func TestAudienceTimes(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	hours := map[int]int{}
	for n := range 2200 {
		i := Integration{ID: fmt.Sprintf("int_%026d", n)}
		first, next := i.FirstAudience(now), i.NextAudience(now)
		if !first.Equal(i.FirstAudience(now)) || first.Before(now) || first.Sub(now) > day || dayOf(next) != dayOf(now).Add(day) {
			t.Fatalf("%s: first %s, next %s", i.ID, first, next)
		}
		hours[next.Hour()]++
	}
	for hour := range 24 {
		if n := hours[hour]; hour < 22 && (n < 50 || n > 160) || hour >= 22 && n > 0 {
			t.Errorf("%d accounts at %d o'clock", n, hour)
		}
	}
	just := Integration{ID: "int_1", ConnectedAt: &now}
	if at := just.FirstAudience(now.Add(time.Minute)); !at.Equal(now.Add(time.Minute)) {
		t.Errorf("an account that was just connected is read at %s", at)
	}
}

// A reading is repeated on its day, and not for ever.
func TestAudienceAgain(t *testing.T) {
	i := Integration{ID: "int_1"}
	now := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		attempts int
		wait     time.Duration
		at       time.Time
		same     bool
	}{
		{1, 0, now.Add(15 * time.Minute), true},
		{1, time.Hour, now.Add(time.Hour), true},
		{3, 0, now.Add(15 * time.Minute), true},
		{4, 0, i.NextAudience(now), false},
		{1, 4 * time.Hour, later(i.NextAudience(now), now.Add(4*time.Hour)), false},
		{1, 72 * time.Hour, now.Add(72 * time.Hour), false},
	} {
		if at, same := i.AudienceAgain(c.attempts, c.wait, now); !at.Equal(c.at) || same != c.same {
			t.Errorf("attempt %d, asked to wait %s: got %s, %t", c.attempts, c.wait, at, same)
		}
	}
	midnight := dayOf(now).Add(day) // the last of the attempts of the day before may be late
	if at, same := i.AudienceAgain(4, 0, midnight); !at.Equal(i.audienceOn(midnight)) || same {
		t.Errorf("after midnight: got %s, %t", at, same)
	}
}

// Days without figures have none: they aren't made up of their neighbours'.
func TestAccountSeries(t *testing.T) {
	known := []AccountDay{
		{DayFigures: DayFigures{Date: "2026-03-01", AccountFigures: AccountFigures{Followers: figure(10)}}},
		{DayFigures: DayFigures{Date: "2026-03-04", AccountFigures: AccountFigures{Followers: figure(16)}}},
	}
	got := AccountSeries(DateRange{From: "2026-02-28", To: "2026-03-05"}, known)
	want := []string{"2026-02-28 -", "2026-03-01 10", "2026-03-02 -", "2026-03-03 -", "2026-03-04 16", "2026-03-05 -"}
	for n, d := range got {
		text := d.Date + " -"
		if d.Followers != nil {
			text = fmt.Sprintf("%s %d", d.Date, *d.Followers)
		}
		if n >= len(want) || text != want[n] {
			t.Errorf("day %d is %s", n, text)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d days", len(got))
	}
}

func TestSeriesRange(t *testing.T) {
	now := time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct{ from, to, want, wrong string }{
		{"", "", "2026-03-02 2026-03-31", ""},
		{"2025-02-25", "", "2025-02-25 2026-03-31", ""},
		{"2025-02-24", "", "", "from"},
		{"", "2026-01-31", "2026-01-02 2026-01-31", ""},
		{"2026-04-01", "", "", "from"},
		{"soon", "", "", "from"},
		{"", "2026-02-30", "", "to"},
	} {
		r, err := SeriesRange(c.from, c.to, now)
		if c.wrong != "" {
			var e *Error
			if !errors.As(err, &e) || e.Param != c.wrong {
				t.Errorf("%q to %q: got %v, %v", c.from, c.to, r, err)
			}
			continue
		}
		if err != nil || r.From+" "+r.To != c.want {
			t.Errorf("%q to %q: got %v, %v", c.from, c.to, r, err)
		}
	}
}

// Nothing is kept longer than the terms of its platform allow, nor than 400 days; what wasn't read is
// kept for the shortest time, and each rule that allows a time says where it is from.
func TestAudienceRules(t *testing.T) {
	for _, p := range AllPlatforms() {
		r := AudienceRuleOf(p)
		if r.KeptDays < 1 || r.KeptDays > MaxAccountDays {
			t.Errorf("%s: kept for %d days", p, r.KeptDays)
		}
		if (r.Source == "") != (r.Read == "") {
			t.Errorf("%s: the source %q was read %q", p, r.Source, r.Read)
		}
	}
	for p, days := range map[Platform]int{LinkedIn: 365, YouTube: 30, Twitter: 30, Pinterest: 30, Instagram: 30, Threads: 30, Telegram: 30, Discord: 30, "unknown": 30} {
		if r := AudienceRuleOf(p); r.KeptDays > days {
			t.Errorf("%s: kept for %d days, its terms say %d", p, r.KeptDays, days)
		}
	}
	if first := AudienceRuleOf(LinkedIn).KeptSince(time.Date(2026, 3, 1, 5, 0, 0, 0, time.UTC)); first != "2025-03-01" {
		t.Errorf("LinkedIn's are kept since %s", first)
	}
	for _, paid := range []bool{false, true} {
		for _, p := range AudiencePlatforms(paid) {
			if p == Twitter && !paid {
				t.Error("X is asked, although nobody pays")
			}
		}
	}
}
