package mission

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// estimateAccount is the id of the account on X of estimating.
const estimateAccount = "int_01jnd2x6k8e4rvt0m7y3bqz5cp"

// estimating returns what an estimate of goodInput follows from, with a default account on
// Mastodon and a chosen one on X, where a post costs a cent and a half.
func estimating(now time.Time) Estimating {
	account := func(id string, p Platform, usual bool) Integration {
		return Integration{ID: id, Platform: p, Default: usual, Account: &Account{Handle: "us"}}
	}
	return Estimating{
		TenantID: "tnt_1", Now: now, Plan: plannedInTurn, Weigh: func(int) error { return nil }, Accounts: []Integration{account("int_m", Mastodon, true), account(estimateAccount, Twitter, false)},
		Price: func(_ Job, s Slot) Micros {
			if s.IntegrationID == "" || s.Platform != Twitter {
				return 0
			}
			return 15_000
		},
		Supply: func(b Brief, _ []Fact) int {
			if b.Description == "We bake." {
				return 1
			}
			return math.MaxInt
		},
	}
}

// plannedInTurn plans a job's posts for the destinations in turn.
func plannedInTurn(j Job, to []Destination) (p Plan) {
	for i, at := range j.Brief.Constraints.Slots(j.Window, j.Cycle-1) {
		n := (j.Cycle-1)*j.Brief.Constraints.PostsPerDay + i
		d := to[n%len(to)]
		p.Slots = append(p.Slots, Slot{Position: i, At: at, Platform: d.Platform, IntegrationID: d.IntegrationID, AccountHandle: d.Handle})
	}
	return p
}

// estimated describes an estimate in a line.
func estimated(e Estimate) string {
	posts, ends, cost := "?", "?", "?"
	if e.Posts != nil {
		posts = fmt.Sprint(*e.Posts)
	}
	if e.EndsAt != nil {
		ends = e.EndsAt.Format("01-02T15:04")
	}
	if e.Cost != nil {
		cost = fmt.Sprint(e.Cost.Cents())
	}
	var slots, notices []string
	for _, s := range e.FirstSlots {
		slots = append(slots, s.At.Format("02T15:04")+" "+string(s.Platform)+" "+s.IntegrationID)
	}
	for _, n := range e.Notices {
		notices = append(notices, n.Param)
	}
	return fmt.Sprintf("%s posts until %s for %s: %s; %v %v", posts, ends, cost, strings.Join(slots, ", "), notices, paramsOf(e.Problems))
}

// What is wrong leaves open only what depends on it.
func TestEstimate(t *testing.T) {
	now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC) // a Friday
	at := func(in *CreateInput) { then := now.Add(26 * time.Hour); in.StartImmediately, in.StartsAt = nil, &then }
	chosen := func(in *CreateInput) {
		in.Platforms, in.IntegrationIDs = []Platform{Twitter}, []string{estimateAccount}
	}
	budget := func(cents int64) func(in *CreateInput) {
		return func(in *CreateInput) { in.Constraints.BudgetCents = &cents }
	}
	fault := func(param string) func(in *CreateInput) {
		return faults[slices.IndexFunc(faults, func(f struct {
			param string
			do    func(in *CreateInput)
		}) bool {
			return f.param == param
		})].do
	}
	for _, tt := range []struct {
		name   string
		change []func(in *CreateInput)
		want   string
	}{
		{"at once", nil, "3 posts until 11-23T08:00 for ?: 20T09:00 mastodon int_m, 21T09:00 bluesky , 22T09:00 mastodon int_m; [] []"},
		{"at a date", []func(in *CreateInput){at}, "3 posts until 11-24T10:00 for ?: 22T09:00 mastodon int_m, 23T09:00 bluesky , 24T09:00 mastodon int_m; [] []"},
		{"as a draft", []func(in *CreateInput){func(in *CreateInput) { in.StartImmediately = nil }}, "3 posts until ? for ?: ; [] []"},
		{"on weekdays", []func(in *CreateInput){func(in *CreateInput) { c := Weekdays; in.Constraints.Cadence = &c }}, "1 posts until 11-23T08:00 for ?: 20T09:00 mastodon int_m; [] []"},
		{"with fees", []func(in *CreateInput){chosen}, "3 posts until 11-23T08:00 for 5: 20T09:00 twitter int_01jnd2x6k8e4rvt0m7y3bqz5cp, 21T09:00 twitter int_01jnd2x6k8e4rvt0m7y3bqz5cp, 22T09:00 twitter int_01jnd2x6k8e4rvt0m7y3bqz5cp; [] []"},
		{"with a budget", []func(in *CreateInput){chosen, budget(5)}, "3 posts until 11-23T08:00 for 5: 20T09:00 twitter int_01jnd2x6k8e4rvt0m7y3bqz5cp, 21T09:00 twitter int_01jnd2x6k8e4rvt0m7y3bqz5cp, 22T09:00 twitter int_01jnd2x6k8e4rvt0m7y3bqz5cp; [] []"},
		{"with too small a budget", []func(in *CreateInput){chosen, budget(4)}, "3 posts until 11-23T08:00 for 5: 20T09:00 twitter int_01jnd2x6k8e4rvt0m7y3bqz5cp, 21T09:00 twitter int_01jnd2x6k8e4rvt0m7y3bqz5cp, 22T09:00 twitter int_01jnd2x6k8e4rvt0m7y3bqz5cp; [constraints.budget_cents] []"},
		{"a KPI that nobody reports", []func(in *CreateInput){func(in *CreateInput) { in.KPIs[0].Metric = Reach }}, "3 posts until 11-23T08:00 for ?: 20T09:00 mastodon int_m, 21T09:00 bluesky , 22T09:00 mastodon int_m; [kpis[0].metric] []"},
		{"too little to say", []func(in *CreateInput){func(in *CreateInput) { in.Description = new("We bake.") }}, "3 posts until 11-23T08:00 for ?: 20T09:00 mastodon int_m, 21T09:00 bluesky , 22T09:00 mastodon int_m; [description] []"},
		{"texts", []func(in *CreateInput){fault("name"), fault("description"), fault("objectives[1]"), fault("constraints.tone"), fault("kpis[0].target"), fault("constraints.budget_cents"), fault("constraints.excluded_topics[0]")},
			"3 posts until 11-23T08:00 for ?: 20T09:00 mastodon int_m, 21T09:00 bluesky , 22T09:00 mastodon int_m; [] [name description objectives[1] constraints.tone constraints.budget_cents constraints.excluded_topics[0] kpis[0].target]"},
		{"no objectives", []func(in *CreateInput){func(in *CreateInput) { in.Objectives = nil }}, "3 posts until 11-23T08:00 for ?: 20T09:00 mastodon int_m, 21T09:00 bluesky , 22T09:00 mastodon int_m; [] [objectives]"},
		{"times", []func(in *CreateInput){chosen, fault("constraints.posting_times[1]")}, "3 posts until 11-23T08:00 for 5: ; [] [constraints.posting_times[1]]"},
		{"platforms", []func(in *CreateInput){fault("platforms[2]")}, "3 posts until 11-23T08:00 for ?: ; [] [platforms[2]]"},
		{"no platforms", []func(in *CreateInput){func(in *CreateInput) { in.Platforms = nil }}, "3 posts until 11-23T08:00 for ?: ; [kpis[0].metric] [platforms]"},
		{"accounts", []func(in *CreateInput){fault("integration_ids[0]")}, "3 posts until 11-23T08:00 for ?: ; [] [integration_ids[0]]"},
		{"the cadence", []func(in *CreateInput){fault("constraints.cadence")}, "? posts until 11-23T08:00 for ?: ; [] [constraints.cadence]"},
		{"the posts per day", []func(in *CreateInput){fault("constraints.posts_per_day")}, "? posts until 11-23T08:00 for ?: ; [] [constraints.posts_per_day]"},
		{"the zone", []func(in *CreateInput){fault("constraints.timezone")}, "? posts until ? for ?: ; [] [constraints.timezone]"},
		{"the duration", []func(in *CreateInput){fault("duration_days")}, "? posts until ? for ?: ; [] [duration_days]"},
		{"the start", []func(in *CreateInput){fault("starts_at")}, "? posts until ? for ?: ; [] [starts_at]"},
	} {
		in, days, start := goodInput(), 3, true
		in.DurationDays, in.StartImmediately = &days, &start
		for _, change := range tt.change {
			change(&in)
		}
		e, err := in.Estimate(in.Problems(now), estimating(now))
		if got := estimated(e); err != nil || got != tt.want {
			t.Errorf("%s: got %s, %v\nwant %s", tt.name, got, err, tt.want)
		}
	}
}

// The longest mission is estimated whole, with its first slots only.
func TestEstimateOfTheLongest(t *testing.T) {
	now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	in, days, posts, start := goodInput(), MaxDurationDays, MaxPostsPerDay, true
	in.Platforms, in.DurationDays, in.Constraints.PostsPerDay, in.StartImmediately = []Platform{Mastodon, Twitter}, &days, &posts, &start
	in.IntegrationIDs = []string{estimateAccount}
	e, err := in.Estimate(in.Problems(now), estimating(now))
	if err != nil || *e.Posts != MaxDurationDays*MaxPostsPerDay || e.Cost.Cents() != MaxDurationDays*MaxPostsPerDay/2*3/2 || len(e.FirstSlots) != EstimatedSlots {
		t.Errorf("got %s, %v", estimated(e), err)
	}
}

func TestProblemsAbout(t *testing.T) {
	p := Problems{Invalid("platforms[2]", ""), Invalid("constraints.timezone", ""), Invalid("name", "")}
	for field, want := range map[string]bool{"platforms": true, "constraints": true, "constraints.timezone": true, "name": true, "constraints.time": false, "platform": false, "kpis": false} {
		if got := p.About("description", field); got != want {
			t.Errorf("About(%s) is %v", field, got)
		}
	}
}

func BenchmarkEstimate(b *testing.B) {
	now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	in, days, posts, start := goodInput(), MaxDurationDays, MaxPostsPerDay, true
	in.DurationDays, in.Constraints.PostsPerDay, in.StartImmediately = &days, &posts, &start
	for b.Loop() {
		if _, err := in.Estimate(nil, estimating(now)); err != nil {
			b.Fatal(err)
		}
	}
}
