package missions_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// A platform's response decides the state of a post, and the number of calls.
func TestPlatformOutcomes(t *testing.T) {
	lost := errors.New("connection reset")
	notTaken := outcome(mission.OutcomeNotAccepted)
	for name, tt := range map[string]struct {
		results []error
		takes   map[int]bool
		calls   int
		posts   int // on the platform
		late    time.Duration
		counts  mission.ContentCounts
		last    mission.EventType
	}{
		"taken": {calls: 1, posts: 1, counts: published, last: mission.EventContentPublished},
		"refused": {
			results: []error{outcome(mission.OutcomeRefused)}, calls: 1,
			counts: mission.ContentCounts{Generated: 1}, last: mission.EventContentFailed,
		},
		"not taken, then taken": {
			results: []error{notTaken, notTaken}, calls: 3, posts: 1, late: 11 * time.Second,
			counts: published, last: mission.EventContentPublished,
		},
		"not taken for an hour": {
			results: slices.Repeat([]error{notTaken}, 11), calls: 12, posts: 1, late: 371*time.Second + 7*mission.OutageWait,
			counts: published, last: mission.EventContentPublished,
		},
		"never taken": { // by the plan, and then every ten minutes of a day
			results: slices.Repeat([]error{notTaken}, 1000), calls: 5 + 143,
			counts: mission.ContentCounts{Generated: 1}, last: mission.EventContentFailed,
		},
		"no response, but accepted": {
			results: []error{lost}, takes: map[int]bool{0: true}, calls: 1, posts: 1,
			counts: published, last: mission.EventContentPublished,
		},
		"no response, not accepted": {
			results: []error{lost}, calls: 2, posts: 1, late: time.Second,
			counts: published, last: mission.EventContentPublished,
		},
	} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				platform := &scripted{Publisher: w.Parts.Publisher, results: tt.results, takesSilently: tt.takes}
				w.Parts.Publisher = platform
				one := 1
				m := w.Create(func(in *mission.CreateInput) { in.Constraints.PostsPerDay, in.DurationDays = &one, &one })
				w.Until("a settled post", func() bool { return w.Status(m.ID).Pipeline.Stages.Publish.Status == mission.RunCompleted })
				if platform.calls != tt.calls {
					t.Errorf("got %d calls of the platform, want %d", platform.calls, tt.calls)
				}
				if m := w.Mission(m.ID); m.Counts != tt.counts {
					t.Errorf("got the counts %+v, want %+v", m.Counts, tt.counts)
				}
				if !slices.Contains(w.Events(m.ID), tt.last) {
					t.Errorf("event %s is missing", tt.last)
				}
				posts := w.Published(m.ID)
				if len(posts) == 1 && posts[0].PublishedAt.Sub(world.Began) != tt.late {
					t.Errorf("it was published %s late, want %s", posts[0].PublishedAt.Sub(world.Began), tt.late)
				}
				w.Idle()
				w.OnPlatform(m.ID, tt.posts)
			})
		})
	}
}

var published = mission.ContentCounts{Generated: 1, Approved: 1, Published: 1}

// A post without a response from its platform is shown as unknown until its outcome is known.
func TestUnknownIsShown(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		w.Parts.Publisher = &scripted{Publisher: w.Parts.Publisher, results: []error{errors.New("lost")}}
		one := 1
		m := w.Create(func(in *mission.CreateInput) { in.Constraints.PostsPerDay = &one })
		w.Step()
		v := w.Status(m.ID)
		if v.Content.Approved != 1 || v.Content.Scheduled != 0 || v.Content.Published != 0 || v.Pipeline.CurrentStage != mission.StagePublish {
			t.Errorf("got the status %+v", v)
		}
	})
}

// A pause between a worker's claim of a post and its call of the platform holds the
// post.
func TestPauseHoldsAPostThatWasTakenUp(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		days, one := 1, 1
		m := w.Create(func(in *mission.CreateInput) {
			in.Constraints.PostsPerDay, in.Constraints.PostingTimes, in.DurationDays = &one, []string{"09:00"}, &days
		})
		w.Step()
		w.Clock.Advance(time.Hour)
		due := w.Due()
		i := slices.IndexFunc(due, func(t mission.Task) bool { return t.Type == mission.TaskContentPublish })
		if i < 0 {
			t.Fatalf("got the due tasks %+v", due)
		}
		taken := claim(w, due[i])
		_, err := w.Missions.PauseMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		if call, err := w.Missions.OpenPost(ctx, taken); !errors.Is(err, missions.ErrDone) || call.Ready {
			t.Errorf("in the pause got the call %+v, %v", call, err)
		}
		_, err = w.Missions.ResumeMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		w.Idle()
		w.OnPlatform(m.ID, 1)
	})
}

// A mission that is paused while a post's outcome is unknown doesn't publish it, and
// does once it is resumed.
func TestPauseHoldsAPostInDoubt(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		platform := &scripted{Publisher: w.Parts.Publisher, results: []error{errors.New("lost")}}
		w.Parts.Publisher = platform
		one := 1
		m := w.Create(func(in *mission.CreateInput) { in.Constraints.PostsPerDay, in.DurationDays = &one, &one })
		w.Step()
		_, err := w.Missions.PauseMission(context.Background(), w.Tenant, m.ID)
		w.Must(err)
		w.Clock.Advance(time.Hour)
		w.Step()
		if platform.calls != 1 {
			t.Fatalf("got %d calls of the platform in the pause", platform.calls)
		}
		_, err = w.Missions.ResumeMission(context.Background(), w.Tenant, m.ID)
		w.Must(err)
		w.Idle()
		if m := w.Mission(m.ID); m.Counts != published {
			t.Errorf("got the counts %+v", m.Counts)
		}
		w.OnPlatform(m.ID, 1)
	})
}

// dying is a platform whose calls kill the worker.
type dying struct{ world.Publisher }

func (dying) Publish(context.Context, *mission.Integration, mission.Part) (mission.Publication, error) {
	panic("killed")
}

// A post whose worker was killed during the call doesn't block a pause: no call is
// under way any more. It is looked up once the mission is resumed.
func TestPauseSucceedsAfterACrash(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		alive := w.Parts.Publisher
		w.Parts.Publisher = dying{alive}
		m := w.Create(nil)
		w.Step()
		if c := w.Posts(m.ID)[0]; c.Status != mission.ContentPublishing {
			t.Fatalf("got the post %s", c.Status)
		}
		_, err := w.Missions.PauseMission(context.Background(), w.Tenant, m.ID)
		w.Must(err)
		w.Parts.Publisher = alive
		_, err = w.Missions.ResumeMission(context.Background(), w.Tenant, m.ID)
		w.Must(err)
		w.Idle()
		if m := w.Mission(m.ID); m.Counts.Published != 4 {
			t.Errorf("got %d published posts", m.Counts.Published)
		}
	})
}

// A platform that requests a pause gets one, for all of the tenant's posts on it and
// on no other platform, and no attempt is spent.
func TestLimitedPlatformDelaysItsOwnPosts(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		posts, times := 4, []string{"09:00", "09:01", "09:02", "09:03"} // alternately twitter and linkedin
		platform := &scripted{Publisher: w.Parts.Publisher, results: []error{
			&mission.PublishError{Outcome: mission.OutcomeNotAccepted, Failure: mission.Failure{Code: "rate_limited", Message: "Slow down."}, RetryAfter: 20 * time.Minute},
		}}
		w.Parts.Publisher = platform
		days := 1
		m := w.Create(func(in *mission.CreateInput) {
			in.Constraints.PostsPerDay, in.Constraints.PostingTimes, in.DurationDays = &posts, times, &days
		})
		w.Idle()
		got := map[mission.Platform][]string{}
		for _, c := range w.Published(m.ID) {
			got[c.Platform] = append(got[c.Platform], c.PublishedAt.Format("15:04"))
		}
		if len(got[mission.Twitter]) != 2 || got[mission.Twitter][0] != "09:20" || got[mission.Twitter][1] != "09:20" {
			t.Errorf("the limited platform's posts were published at %v", got[mission.Twitter])
		}
		if len(got[mission.LinkedIn]) != 2 || got[mission.LinkedIn][0] != "09:01" || got[mission.LinkedIn][1] != "09:03" {
			t.Errorf("the other platform's posts were published at %v", got[mission.LinkedIn])
		}
	})
}
