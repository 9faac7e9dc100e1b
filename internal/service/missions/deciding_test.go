package missions_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// What delays the repeat of a call without a response beyond the time for which LinkedIn
// refuses a second post ends the sending: a member's post waits for a person. What the
// person says is what becomes of it.
func TestLinkedInTooLate(t *testing.T) {
	at := slices.IndexFunc(playedPlatforms, func(p playedPlatform) bool { return p.name == mission.LinkedIn && p.as == "" })
	s := newStage(t, playedPlatforms[at])
	ctx := context.Background()
	for name, wait := range map[string]time.Duration{"in time": 8 * time.Minute, "too late": 10 * time.Minute, "days later": 72 * time.Hour} {
		for _, decision := range []string{"there", "again"} {
			m, c := s.lost(ctx)
			_, err := s.w.Missions.PauseMission(ctx, s.w.Tenant, m.ID)
			s.w.Must(err)
			s.w.Clock.Advance(wait)
			_, err = s.w.Missions.ResumeMission(ctx, s.w.Tenant, m.ID)
			s.w.Must(err)
			s.w.Clock.Advance(2 * time.Second) // the pause moved the lookup
			s.runPosts(c.ID)
			got, posts := s.w.Content(c.ID), s.stubs[0].Posts()
			if name == "in time" {
				if got.Status != mission.ContentPublished || len(posts) != 1 || *got.PlatformPostID != posts[0].ID {
					t.Errorf("%s: got the post %s (%+v), and %+v", name, got.Status, got.Error, posts)
				}
				_, err := s.w.Missions.SettleContent(ctx, s.w.Tenant, c.ID, missions.SettleInput{PublishAgain: new(true)})
				world.WantCode(t, err, mission.CodeConflict)
				continue
			}
			if !got.AwaitsPerson() || len(posts) != 1 {
				t.Fatalf("%s: got the post %s (%+v), and %+v", name, got.Status, got.Error, posts)
			}
			s.decides(ctx, decision, c.ID)
		}
	}
}

// lost makes a post whose call gets no response although it is accepted.
func (s *stage) lost(ctx context.Context) (mission.Mission, mission.Content) {
	s.t.Helper()
	s.set(trial{parts: []int{1}, accounts: 1, cents: 1000, strikes: []strike{{silentTaken, publishes, 1}}})
	one, many := 1, 30
	m := s.w.Create(func(in *mission.CreateInput) {
		in.Platforms, in.DurationDays, in.Constraints.PostsPerDay = []mission.Platform{s.p.name}, &many, &one
		in.Constraints.PostingTimes, in.Constraints.BudgetCents = []string{"20:00"}, &s.trial.cents
	})
	text, due := "By hand, and once.", s.w.Clock.Now().Add(time.Hour)
	c, err := s.w.Missions.CreateContent(ctx, s.w.Tenant, missions.ContentInput{MissionID: m.ID, Platform: s.p.name, Text: &text, ScheduledAt: &due})
	s.w.Must(err)
	left := int64(0)
	s.crashes(runUntil(s.w, mission.TaskContentPublish, c.ID), &left)
	if got := s.w.Content(c.ID); got.Status != mission.ContentUnknown || got.AwaitsPerson() {
		s.t.Fatalf("got the post %s (%+v)", got.Status, got.Error)
	}
	return m, c
}

// runPosts runs the due tasks of a post until none is due.
func (s *stage) runPosts(id string) {
	s.t.Helper()
	for range 100 {
		ran, left := false, int64(0)
		for _, task := range s.w.Due() {
			if task.Type == mission.TaskContentPublish && task.Subject == id {
				ran = true
				s.crashes(task, &left)
			}
		}
		if !ran {
			return
		}
	}
	s.t.Errorf("the tasks of %s never end", id)
}

// decides has a person settle a post that waits for them.
func (s *stage) decides(ctx context.Context, decision, id string) {
	s.t.Helper()
	there := s.stubs[0].Posts()[0].ID
	elsewhere, at := "https://x.com/i/status/1", "https://www.linkedin.com/feed/update/"+there+"/"
	_, err := s.w.Missions.SettleContent(ctx, s.w.Tenant, id, missions.SettleInput{PublishedURL: &elsewhere})
	world.WantCode(s.t, err, mission.CodeInvalidRequest)
	in := missions.SettleInput{PublishedURL: &at}
	if decision == "again" {
		in = missions.SettleInput{PublishAgain: new(true)}
	}
	_, err = s.w.Missions.SettleContent(ctx, s.w.Tenant, id, in)
	s.w.Must(err)
	s.runPosts(id)
	got, posts := s.w.Content(id), s.stubs[0].Posts()
	want := map[string]int{"there": 1, "again": 2}[decision]
	if got.Status != mission.ContentPublished || len(posts) != want || *got.PlatformPostID != posts[want-1].ID || got.MeasureAt == nil {
		s.t.Errorf("%s: got the post %s (%+v) as %v, and %+v", decision, got.Status, got.Error, got.PlatformPostID, posts)
	}
	_, err = s.w.Missions.SettleContent(ctx, s.w.Tenant, id, in)
	world.WantCode(s.t, err, mission.CodeConflict)
}

// A repeat that was to be sent in time and is delayed isn't sent when it is too late: a person is
// asked at once, however long the account can't be called.
func TestRepeatsThatAreDelayed(t *testing.T) {
	at := slices.IndexFunc(playedPlatforms, func(p playedPlatform) bool { return p.name == mission.LinkedIn && p.as == "" })
	for name, delay := range map[string]func(*stage, mission.Content){
		"a limit of seven minutes":           func(s *stage, _ mission.Content) { s.strike(strike{limited, publishes, 1}) },
		"a limit of a day":                   func(s *stage, _ mission.Content) { s.strike(strike{limitedToday, publishes, 1}) },
		"a pause of a day before the repeat": (*stage).pauseAccount,
		"credentials that are revoked":       func(s *stage, _ mission.Content) { s.strike(strike{revoked, publishes, 1}) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, playedPlatforms[at])
			_, c := s.lost(context.Background())
			delay(s, c)
			s.w.Clock.Advance(time.Minute)
			s.runPosts(c.ID)
			if got := s.w.Content(c.ID); got.Settled() {
				t.Fatalf("got the post %s (%+v)", got.Status, got.Error)
			}
			s.w.Clock.Advance(10 * time.Minute)
			s.runPosts(c.ID)
			if got, posts := s.w.Content(c.ID), s.stubs[0].Posts(); !got.AwaitsPerson() || len(posts) != 1 {
				t.Errorf("got the post %s (%+v), and %+v", got.Status, got.Error, posts)
			}
		})
	}
}

// strike adds a fault to the trial.
func (s *stage) strike(next strike) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trial.strikes = append(s.trial.strikes, next)
}

// pauseAccount pauses a post's account for a day.
func (s *stage) pauseAccount(c mission.Content) {
	s.t.Helper()
	s.w.Must(s.w.DB.Tx(s.t.Context(), func(tx store.Tx) error {
		return tx.PauseAccount(s.t.Context(), c.TenantID, c.Platform, s.w.Content(c.ID).IntegrationID, s.w.Clock.Now().Add(24*time.Hour))
	}))
}

// A person settles a post while the service looks for it: what the service finds no longer
// counts, and nothing more is sent.
func TestSettledWhileLookedUp(t *testing.T) {
	at := slices.IndexFunc(playedPlatforms, func(p playedPlatform) bool { return p.name == mission.LinkedIn && p.as == "" })
	s := newStage(t, playedPlatforms[at])
	ctx := context.Background()
	_, c := s.lost(ctx)
	url := "https://www.linkedin.com/feed/update/" + s.stubs[0].Posts()[0].ID + "/"
	s.w.Clock.Advance(11 * time.Minute)
	looking := runUntil(s.w, mission.TaskContentPublish, c.ID)
	_, err := s.w.Missions.SettleContent(ctx, s.w.Tenant, c.ID, missions.SettleInput{PublishedURL: &url})
	s.w.Must(err)
	left := int64(0)
	s.crashes(looking, &left)
	s.runPosts(c.ID)
	if got, posts := s.w.Content(c.ID), s.stubs[0].Posts(); got.Status != mission.ContentPublished || len(posts) != 1 {
		t.Errorf("got the post %s (%+v), and %+v", got.Status, got.Error, posts)
	}
	for _, task := range s.w.Due() {
		if task.Type == mission.TaskContentPublish && task.Subject == c.ID {
			t.Errorf("a task is left: %+v", task)
		}
	}
}
