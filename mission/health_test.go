package mission

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// running returns the situation of a mission that began five days ago, of ten, and that nothing
// keeps from publishing.
func running() HealthSituation {
	start, end, next, last := whyNow.Add(-5*day), whyNow.Add(5*day), whyNow.Add(time.Hour), whyNow.Add(-time.Hour)
	m := whyMission(StatusActive)
	m.StartsAt, m.EndsAt, m.DurationDays = &start, &end, 10
	usable := Integration{ID: "int_1", Platform: Mastodon, Status: IntegrationConnected}
	s := HealthSituation{MissionSituation: MissionSituation{Mission: m, Accounts: []AccountState{{Platform: Mastodon, Integration: &usable}}, Now: whyNow}}
	s.Times = PostTimes{NextApproved: &next, LastPublished: &last}
	return s
}

// ago and ahead return instants by their distance from now.
func ago(d time.Duration) *time.Time   { at := whyNow.Add(-d); return &at }
func ahead(d time.Duration) *time.Time { return ago(-d) }

// likesKPI gives the mission a KPI of likes, of which it has so many.
func likesKPI(s *HealthSituation, target, current float64) {
	s.Mission.KPIs = []KPI{{Metric: Likes, Target: target, Platform: EveryPlatform}}
	if current > 0 {
		s.Mission.Totals = PlatformTotals{Mastodon: {Likes: current}}
	}
}

func TestHealth(t *testing.T) {
	budget := int64(10)
	for _, tc := range []struct {
		name   string
		change func(s *HealthSituation)
		want   HealthState
		says   string
		since  *time.Time
	}{
		{"nothing", func(*HealthSituation) {}, HealthOnPace, "Nothing keeps its posts from going out.", nil},
		{"a draft", func(s *HealthSituation) { s.Mission.Status = StatusDraft }, "", "", nil},
		{"completed", func(s *HealthSituation) { s.Mission.Status = StatusCompleted }, "", "", nil},

		{"paused", func(s *HealthSituation) { s.Mission.Status, s.Mission.PausedAt = StatusPaused, ago(time.Hour) }, HealthHeld, "The mission is paused.", ago(time.Hour)},
		{"the tenant's hold", func(s *HealthSituation) {
			s.Mission.Status, s.Mission.PausedAt, s.Mission.Held = StatusPaused, ago(time.Hour), true
			s.Stops.Hold = &Hold{Reason: "A flood", Since: *ago(2 * time.Hour)}
		}, HealthHeld, "The tenant is on hold (A flood)", ago(2 * time.Hour)},
		{"the operator's hold", func(s *HealthSituation) { s.Stops.HeldSince = ago(time.Hour) }, HealthHeld, "operator", ago(time.Hour)},
		{"the tenant's deletion", func(s *HealthSituation) { s.Stops.DeletesAt = ahead(time.Hour) }, HealthHeld, "to be deleted", nil},
		{"a blackout", func(s *HealthSituation) {
			s.Mission.Blackouts = Blackouts{{StartsAt: *ago(time.Hour), EndsAt: *ahead(time.Hour)}}
		}, HealthOnPace, "", nil},

		{"an account that has to be connected again", func(s *HealthSituation) { s.Accounts[0].Integration.Status = IntegrationNeedsReconnect }, HealthBlocked, "connected again", nil},
		{"an account that is gone", func(s *HealthSituation) { s.Accounts[0].Integration = nil }, HealthBlocked, "isn't connected", nil},
		{"the sandbox", func(s *HealthSituation) { s.Accounts[0].Integration, s.Accounts[0].Sandbox = nil, true }, HealthOnPace, "", nil},
		{"a platform that wants no calls", func(s *HealthSituation) { s.Accounts[0].PausedUntil = ahead(time.Hour) }, HealthOnPace, "", nil},
		{"a failed job", func(s *HealthSituation) {
			s.Job = &Job{Status: RunFailed, CurrentStage: StageContent, CompletedAt: ago(time.Hour)}
		}, HealthBlocked, "failed at its stage content", ago(time.Hour)},
		{"a job that tries again", func(s *HealthSituation) {
			s.Job = &Job{Status: RunRunning, CurrentStage: StageIntake, Stages: []Stage{{Name: StageIntake, Error: &Failure{}}}}
		}, HealthOnPace, "", nil},
		{"a budget that is used up", func(s *HealthSituation) {
			s.Mission.Constraints.BudgetCents, s.Mission.Spent = &budget, 10*MicrosPerCent
		}, HealthBlocked, "budget is used up", nil},
		{"a budget that doesn't pay for the next post", func(s *HealthSituation) {
			s.Mission.Constraints.BudgetCents, s.Mission.Spent = &budget, 8*MicrosPerCent
			s.Job = wrote(BudgetExhausted())
		}, HealthBlocked, "wrote 0 of 2 posts", ago(time.Hour)},
		{"a budget that was raised", func(s *HealthSituation) {
			s.Mission.Constraints.BudgetCents, s.Mission.Spent = &budget, 8*MicrosPerCent-1
			s.Job = wrote(BudgetExhausted())
		}, HealthOnPace, "", nil},
		{"posts that the writer didn't write", func(s *HealthSituation) {
			s.Mission.Constraints.BudgetCents, s.Mission.Spent = &budget, 8*MicrosPerCent
			s.Job = wrote(Failure{Code: "x"})
		}, HealthOnPace, "", nil},

		{"nothing approved for tomorrow", func(s *HealthSituation) {
			s.Mission.Counts.PendingReview, s.Times.NextApproved, s.Times.NextWaiting = 2, nil, ahead(time.Hour)
		}, HealthStarving, "2 posts wait for review, and none is approved for the next 24 hours.", nil},
		{"nothing approved before the day after tomorrow", func(s *HealthSituation) {
			s.Mission.Counts.PendingReview, s.Times.NextApproved, s.Times.NextWaiting = 1, ahead(24*time.Hour), ahead(time.Hour)
		}, HealthStarving, "A post waits for review, and none", nil},
		{"something approved for tomorrow", func(s *HealthSituation) {
			s.Mission.Counts.PendingReview, s.Times.NextApproved, s.Times.NextWaiting = 2, ahead(24*time.Hour-1), ahead(time.Hour)
		}, HealthOnPace, "", nil},
		{"what waits has time", func(s *HealthSituation) { s.Mission.Counts.PendingReview, s.Times.NextApproved = 2, nil }, HealthOnPace, "", nil},
		{"nothing waits", func(s *HealthSituation) { s.Times = PostTimes{LastPublished: ago(4 * day)} }, HealthOnPace, "", nil},
		{"three days without a post", func(s *HealthSituation) {
			s.Mission.Counts.PendingReview, s.Times = 2, PostTimes{LastPublished: ago(3 * day)}
		}, HealthStarving, "nothing was published since 2026-02-27 13:00 CET.", ago(3 * day)},
		{"nearly three days without a post", func(s *HealthSituation) {
			s.Mission.Counts.PendingReview, s.Times = 2, PostTimes{LastPublished: ago(3*day - 1)}
		}, HealthOnPace, "", nil},
		{"never a post", func(s *HealthSituation) { s.Mission.Counts.PendingReview, s.Times = 2, PostTimes{} }, HealthStarving, "nothing was published yet.", ago(5 * day)},
		{"a weekly mission between its days", func(s *HealthSituation) {
			s.Mission.Constraints.Cadence = Weekly
			s.Mission.Counts.PendingReview, s.Times = 2, PostTimes{LastPublished: ago(9*day - 1)}
		}, HealthOnPace, "", nil},
		{"a weekly mission that missed its day", func(s *HealthSituation) {
			s.Mission.Constraints.Cadence = Weekly
			s.Mission.Counts.PendingReview, s.Times = 2, PostTimes{LastPublished: ago(9 * day)}
		}, HealthStarving, "", ago(9 * day)},
		{"a long blackout", func(s *HealthSituation) {
			s.Mission.Counts.PendingReview, s.Times = 2, PostTimes{LastPublished: ago(4 * day)}
			s.Mission.Blackouts = Blackouts{{StartsAt: *ago(4 * day), EndsAt: *ahead(2 * day)}}
		}, HealthOnPace, "", nil},

		{"a KPI that has half of its pace", func(s *HealthSituation) { likesKPI(s, 1000, 300) }, HealthBehind, "The KPI likes gains 60 a day and needs 140 a day to reach 1000.", nil},
		{"a KPI without a figure", func(s *HealthSituation) { likesKPI(s, 10, 0) }, HealthBehind, "gains 0 a day and needs 2 a day", nil},
		{"a KPI at its pace", func(s *HealthSituation) { likesKPI(s, 1000, 500) }, HealthOnPace, "Its KPIs are on pace.", nil},
		{"a KPI a few percent below", func(s *HealthSituation) { likesKPI(s, 1000, 475) }, HealthOnPace, "Its KPIs are on pace.", nil},
		{"a KPI that was reached", func(s *HealthSituation) { likesKPI(s, 1000, 1000) }, HealthOnPace, "", nil},
		{"the first days", func(s *HealthSituation) { likesKPI(s, 1000, 1); s.Mission.StartsAt = ago(3*day - 1) }, HealthOnPace, "", nil},
		{"the first days after a pause", func(s *HealthSituation) { likesKPI(s, 1000, 1); s.Mission.PausedFor = 2*day + 1 }, HealthOnPace, "", nil},
		{"the last moment", func(s *HealthSituation) { likesKPI(s, 1000, 1); s.Mission.EndsAt = ago(0) }, HealthOnPace, "", nil},
		{"a metric that nobody reports", func(s *HealthSituation) {
			likesKPI(s, 1000, 1)
			s.Mission.KPIs[0].Metric = FollowersGained
		}, HealthOnPace, "", nil},
		{"the worst of several KPIs", func(s *HealthSituation) {
			likesKPI(s, 1000, 300)
			s.Mission.KPIs = append(s.Mission.KPIs, KPI{Metric: Likes, Target: 2000, Platform: Mastodon})
		}, HealthBehind, "The KPI likes on Mastodon gains 60 a day and needs 340 a day to reach 2000.", nil},
		{"a rate", func(s *HealthSituation) { rateKPI(s, RateFloor) }, HealthBehind, "The KPI engagement rate is at 2 %; the posts to come need 8 %.", nil},
		{"a rate of few impressions", func(s *HealthSituation) { rateKPI(s, RateFloor-1) }, HealthOnPace, "", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := running()
			tc.change(&s)
			got := HealthOf(s)
			if got == nil {
				if tc.want != "" {
					t.Fatalf("it has no health, want %s", tc.want)
				}
				return
			}
			if got.State != tc.want || !strings.Contains(got.Message, tc.says) {
				t.Errorf("got %+v, want %s: %s", got, tc.want, tc.says)
			}
			if (got.Since == nil) != (tc.since == nil) || got.Since != nil && !got.Since.Equal(*tc.since) {
				t.Errorf("got since %v, want %v", got.Since, tc.since)
			}
		})
	}
}

// wrote returns a job that has written nothing, since something failed.
func wrote(f Failure) *Job {
	stages := make([]Stage, len(AllStages()))
	for i, name := range AllStages() {
		stages[i] = Stage{Name: name, Status: RunPending}
	}
	stages[StageContent.Index()] = Stage{Name: StageContent, Status: RunCompleted, Error: &f, CompletedAt: ago(time.Hour)}
	return &Job{Status: RunRunning, CurrentStage: StagePublish, Planned: 2, Stages: stages}
}

// rateKPI gives the mission a KPI of 5 % on X, with a rate of 2 % of so many impressions.
func rateKPI(s *HealthSituation, impressions float64) {
	s.Mission.Platforms, s.Accounts = []Platform{Twitter}, nil
	s.Mission.KPIs = []KPI{{Metric: EngagementRate, Target: 5, Platform: EveryPlatform}}
	s.Mission.Totals = PlatformTotals{Twitter: {Impressions: impressions, Likes: impressions / 50, EngagementRate: 2}}
}

// A running mission has exactly one state, with a sentence; what takes precedence is shown
// whatever else is the matter, and without anything the matter the mission is on pace.
func TestHealthTakesPrecedence(t *testing.T) {
	matters := []struct {
		state  HealthState
		happen func(s *HealthSituation)
	}{
		{HealthHeld, func(s *HealthSituation) { s.Mission.Status, s.Mission.PausedAt = StatusPaused, ago(time.Hour) }},
		{HealthHeld, func(s *HealthSituation) { s.Stops.HeldSince = ago(time.Hour) }},
		{HealthBlocked, func(s *HealthSituation) { s.Accounts[0].Integration.Status = IntegrationNeedsReconnect }},
		{HealthBlocked, func(s *HealthSituation) { s.Job = &Job{Status: RunFailed, CurrentStage: StageIntake} }},
		{HealthStarving, func(s *HealthSituation) {
			s.Mission.Counts.PendingReview, s.Times = 1, PostTimes{NextWaiting: ahead(time.Hour)}
		}},
		{HealthBehind, func(s *HealthSituation) { likesKPI(s, 1000, 1) }},
	}
	rapid.Check(t, func(t *rapid.T) {
		s, want := running(), HealthOnPace
		for i := len(matters) - 1; i >= 0; i-- { // the last to set want is what takes precedence
			if rapid.Bool().Draw(t, "matter") {
				matters[i].happen(&s)
				want = matters[i].state
			}
		}
		got := HealthOf(s)
		if got == nil || got.State != want || !strings.HasSuffix(got.Message, ".") {
			t.Fatalf("got %+v, want %s", got, want)
		}
		known := 0
		for _, state := range AllHealthStates() {
			if state == got.State {
				known++
			}
		}
		if known != 1 {
			t.Fatalf("%s is listed %d times", got.State, known)
		}
		s.Mission.Status = rapid.SampledFrom([]Status{StatusDraft, StatusCompleted}).Draw(t, "status")
		if got := HealthOf(s); got != nil {
			t.Fatalf("a mission that is %s has %+v", s.Mission.Status, got)
		}
	})
}
