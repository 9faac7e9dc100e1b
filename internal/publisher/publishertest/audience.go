package publishertest

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Audienced is the stub of a platform that reports figures of accounts.
type Audienced interface {
	// AsksAudience reports whether a request asks for an account's figures.
	AsksAudience(r *http.Request) bool
	// Follow sets how many follow the account, as the JSON that the platform sends; "" leaves the
	// figure out.
	Follow(number string)
}

// Reached is the stub of a platform that also reports by day how many people an account reached.
type Reached interface {
	Audienced
	// Reach sets how many it reached on a day (YYYY-MM-DD in UTC), as Follow does.
	Reach(date, number string)
}

// Followers are an account's figures, for stubs to embed. The zero Followers are none: the figures
// are left out.
type Followers struct {
	mu      sync.Mutex
	count   string
	reached map[string]string
}

// Follow implements [Audienced].
func (f *Followers) Follow(number string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count = number
}

// Reach implements [Reached].
func (f *Followers) Reach(date, number string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.reached == nil {
		f.reached = map[string]string{}
	}
	f.reached[date] = number
}

// Tell adds how many follow the account to an object under a name, if it is told.
func (f *Followers) Tell(object map[string]any, name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count != "" {
		object[name] = Number(f.count)
	}
}

// ReachOn returns how many the account reached on a day; ok is false if that isn't told.
func (f *Followers) ReachOn(date string) (number Number, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	text, ok := f.reached[date]
	return Number(text), ok && text != ""
}

// Number is JSON that is sent as it is. It may be a number that no program can hold.
type Number string

// MarshalJSON implements [json.Marshaler].
func (n Number) MarshalJSON() ([]byte, error) { return json.RawMessage(n), nil }

// audience reports whether the platform reports figures of accounts.
func (p Platform) audience() bool {
	return len(mission.AudienceRuleOf(p.Name).Figures) > 0
}

// audiences reads an account's figures, those that no count can be among them.
func audiences(w *world) {
	creds, stub := w.connected(), w.stub.(Audienced)
	if w.p.NoAudience {
		stub.Follow("1204")
		if got, err := w.readAudience(creds); err != nil || !got.Now.None() || len(got.Days) > 0 {
			w.t.Errorf("of an account without figures: %+v, %v", got, err)
		}
		return
	}
	for number, want := range map[string]int64{"0": 0, "1": 1, "1204": 1204, "2147483647": mission.MaxAccountFigure} {
		stub.Follow(number)
		got, err := w.readAudience(creds)
		if err != nil || got.Now.Followers == nil || *got.Now.Followers != want || got.Now.Reach != nil || got.Now.Views != nil {
			w.t.Errorf("%s followers: got %+v, %v", number, got.Now, err)
		}
	}
	for _, number := range []string{"", "null", "-1", "-0.5", "1204.5", "1e30", "2147483648"} {
		stub.Follow(number)
		if got, err := w.readAudience(creds); err != nil || got.Now.Followers != nil {
			w.t.Errorf("followers %q: got %+v, %v; want none", number, got.Now, err)
		}
	}
	for _, number := range []string{"1e999", `"many"`, "[1]", `"NaN"`} {
		stub.Follow(number)
		got, err := w.readAudience(creds)
		if err != nil {
			_ = w.failed(err)
		}
		if got.Now.Followers != nil {
			w.t.Errorf("followers %s: got %d", number, *got.Now.Followers)
		}
	}
	if slices.Contains(mission.AudienceRuleOf(w.p.Name).Figures, mission.FigureReach) {
		w.reaches(creds, w.stub.(Reached))
	}
}

// readAudience reads an account's figures since the first day for which they are asked.
func (w *world) readAudience(creds mission.Credentials) (mission.Audience, error) {
	return w.adapter.(publisher.Audiences).Audience(w.t.Context(), creds, mission.AudienceSince(time.Now()))
}

// reaches reads figures by day: those of a day that isn't told are absent, not 0.
func (w *world) reaches(creds mission.Credentials, stub Reached) {
	w.t.Helper()
	stub.Follow("10")
	date := func(ago int) string { return time.Now().UTC().AddDate(0, 0, -ago).Format(time.DateOnly) }
	stub.Reach(date(2), "7")
	stub.Reach(date(3), "0")
	stub.Reach(date(4), "-5")
	stub.Reach(date(6), "12")
	got, err := w.readAudience(creds)
	if err != nil {
		w.t.Fatal(err)
	}
	want := map[string]int64{date(2): 7, date(3): 0, date(6): 12}
	for _, d := range got.Days {
		if d.Reach == nil {
			continue
		}
		if v, ok := want[d.Date]; !ok || v != *d.Reach {
			w.t.Errorf("%s reached %d; want %d (%t)", d.Date, *d.Reach, v, ok)
		}
		delete(want, d.Date)
	}
	if len(want) > 0 || got.Now.Reach != nil {
		w.t.Errorf("got %+v, without %v", got, want)
	}
}

// audienceFails reads an account's figures from a platform that doesn't give them now.
func audienceFails(w *world) {
	creds, stub := w.connected(), w.stub.(Audienced)
	stub.Follow("1204")
	for _, each := range []struct {
		fault fault
		check func(pe *mission.PublishError) bool
	}{
		{limited, func(pe *mission.PublishError) bool {
			off := pe.RetryAfter - limitedUntil
			return pe.Failure.Code == publisher.CodeRateLimited && !pe.Unauthorized && off <= 2*time.Second && off >= -time.Minute
		}},
		{failing, func(pe *mission.PublishError) bool { return pe.RetryAfter > 0 && !pe.Unauthorized }},
		{garbled, func(pe *mission.PublishError) bool { return pe.Failure.Code == publisher.CodeMalformed }},
		{echoing, func(pe *mission.PublishError) bool { return !pe.Unauthorized || pe.Forbidden }},
	} {
		w.mu.Lock()
		w.audience = each.fault
		w.mu.Unlock()
		got, err := w.readAudience(creds)
		if pe := w.failed(err); !each.check(pe) || !got.Now.None() || len(got.Days) > 0 {
			w.t.Errorf("fault %d: got %+v, %+v", each.fault, got, pe)
		}
	}
	got, err := w.readAudience(creds)
	if err != nil || got.Now.Followers == nil {
		w.t.Errorf("afterwards: got %+v, %v", got, err)
	}
	w.stub.Expire()
	_, err = w.readAudience(creds)
	if pe := w.failed(err); !pe.Unauthorized {
		w.t.Errorf("with a token that has expired: got %+v", pe)
	}
}
