package missions_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// shelf is a platform that keeps each part by its text's key, and counts how often it got
// it.
type shelf struct {
	world.Publisher
	mu   sync.Mutex
	sent map[string]int
	// finds counts the lookups. hung makes Publish wait until it is closed.
	finds int
	hung  chan struct{}
	began chan struct{}
}

func newShelf(p world.Publisher) *shelf { return &shelf{Publisher: p, sent: map[string]int{}} }

func (s *shelf) publication(p mission.Part) mission.Publication {
	return mission.Publication{PostID: p.Key(), URL: "https://shelf.test/" + p.Key(), PublishedAt: p.CalledAt}
}

func (s *shelf) Publish(_ context.Context, _ *mission.Integration, p mission.Part) (mission.Publication, error) {
	if s.hung != nil {
		close(s.began)
		<-s.hung
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent[p.Key()]++
	return s.publication(p), nil
}

func (s *shelf) Find(_ context.Context, _ *mission.Integration, p mission.Part) (mission.Publication, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finds++
	return s.publication(p), s.sent[p.Key()] > 0, nil
}

func (s *shelf) Measure(context.Context, *mission.Integration, []mission.Content) (map[string]mission.Metrics, error) {
	return map[string]mission.Metrics{}, nil
}

// take has the platform take all parts of a post, unknown to the service.
func (s *shelf) take(c mission.Content) {
	for range c.Texts() {
		s.sent[c.NextPart().Key()]++
		c.Published = append(c.Published, mission.Publication{})
	}
}

// once fails the test unless each of the posts is published, and each part of them is on
// the platform once.
func (s *shelf) once(t *testing.T, posts []mission.Content) {
	t.Helper()
	for _, c := range posts {
		if c.Status != mission.ContentPublished {
			t.Errorf("the post of %s is %s: %+v", c.ScheduledAt.Format(time.TimeOnly), c.Status, c.Error)
		}
		c.Published = nil
		for range c.Texts() {
			if n := s.sent[c.NextPart().Key()]; n != 1 {
				t.Errorf("part %d of the post of %s was sent %d times, want once", len(c.Published), c.ScheduledAt.Format(time.TimeOnly), n)
			}
			c.Published = append(c.Published, mission.Publication{})
		}
	}
}

// fourPosts is a mission of a day with a post at 09:00, 09:10, 09:20 and 22:00.
func fourPosts(in *mission.CreateInput) {
	posts, days, times := 4, 1, []string{"09:00", "09:10", "09:20", "22:00"}
	in.Constraints.PostsPerDay, in.Constraints.PostingTimes, in.DurationDays = &posts, times, &days
}

// Of a restored database, posts that went out after the backup are found on their
// platform, and those that didn't are sent.
func TestReconcileSendsNothingTwice(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		connect(w, mission.Twitter)
		platform := newShelf(w.Parts.Publisher)
		w.Parts.Publisher = platform
		m := w.Create(onTwitter(fourPosts))
		w.Step()
		backup := w.Clock.Now().Add(30 * time.Minute)
		w.Clock.Advance(2 * time.Hour) // 10:00
		for _, c := range w.Posts(m.ID)[:2] {
			platform.take(c)
		}
		if _, err := w.Missions.Reconcile(ctx, backup); !errors.Is(err, missions.ErrNotHeld) {
			t.Errorf("without a hold the database is reconciled: %v", err)
		}
		w.Must(w.Missions.HoldPublishing(ctx, "a restore"))
		w.Step()
		for range 2 { // it may be repeated
			r, err := w.Missions.Reconcile(ctx, backup)
			if err != nil || r.LookedUp != 3 || len(r.Failed)+len(r.InReview)+r.Sandbox != 0 {
				t.Fatalf("reconciled %+v, %v; want 3 posts to be looked up", r, err)
			}
		}
		w.Step()
		if platform.finds != 0 {
			t.Error("a post was looked up while publishing was held")
		}
		w.Must(w.Missions.ReleasePublishing(ctx))
		w.Over(m.ID)
		platform.once(t, w.Posts(m.ID))
	})
}

// A thread of which all parts went out after the backup is found part by part.
func TestReconcileThreads(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		connect(w, mission.Twitter)
		platform := newShelf(w.Parts.Publisher)
		w.Parts.Publisher = platform
		w.Writer = threadPen{}
		m := w.Create(onTwitter(fourPosts))
		w.Step()
		backup := w.Clock.Now()
		w.Clock.Advance(2 * time.Hour)
		all, half, none := w.Posts(m.ID)[0], w.Posts(m.ID)[1], w.Posts(m.ID)[2]
		platform.take(all)
		platform.sent[half.NextPart().Key()]++
		w.Must(w.Missions.HoldPublishing(ctx, "a restore"))
		_, err := w.Missions.Reconcile(ctx, backup)
		w.Must(err)
		w.Must(w.Missions.ReleasePublishing(ctx))
		w.Over(m.ID)
		if len(none.Texts()) < 3 {
			t.Fatalf("the posts have %d parts", len(none.Texts()))
		}
		platform.once(t, w.Posts(m.ID))
	})
}

// threadPen writes threads of three parts.
type threadPen struct{ world.PlainWriter }

func (w threadPen) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	d, err := w.PlainWriter.Write(ctx, a)
	d.Format, d.Parts = mission.FormatThread, []string{d.Text, "More of " + d.Text, "The end of " + d.Text}
	return d, err
}

// Posts whose slots passed before they were scheduled aren't made up for: the lost
// timeline may have published them. A person may approve those in review.
func TestReconcileSkipsPassedSlots(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		unwritten := w.Create(onTwitter(fourPosts))
		reviewed := w.Create(onTwitter(func(in *mission.CreateInput) { fourPosts(in); world.NeedsApproval(in) }))
		backup := w.Clock.Now()
		for _, task := range w.Due() {
			if task.MissionID == reviewed.ID {
				w.Run(task.ID)
			}
		}
		for len(w.Posts(reviewed.ID)) < 4 {
			for _, task := range w.Due() {
				if task.MissionID == reviewed.ID {
					w.Run(task.ID)
				}
			}
		}
		w.Clock.Advance(2 * time.Hour) // 10:00
		w.Must(w.Missions.HoldPublishing(ctx, "a restore"))
		r, err := w.Missions.Reconcile(ctx, backup)
		if err != nil || r.LookedUp != 0 || len(r.InReview) != 3 {
			t.Errorf("reconciled %+v, %v; want 3 posts in review", r, err)
		}
		w.Must(w.Missions.ReleasePublishing(ctx))
		w.Clock.Advance(time.Minute)
		approved := w.Posts(reviewed.ID)[0]
		if _, err := w.Missions.ApproveContent(ctx, w.Tenant, approved.ID, nil); err != nil {
			t.Error(err)
		}
		w.Over(unwritten.ID)
		for i, c := range w.Posts(unwritten.ID) {
			canceled := c.Status == mission.ContentCanceled && c.Error.Code == mission.CodeOutcomeUnknown
			if passed := i < 3; passed != canceled || !passed && c.Status != mission.ContentPublished {
				t.Errorf("the post of %s is %s: %+v", c.ScheduledAt.Format(time.TimeOnly), c.Status, c.Error)
			}
		}
		if n := len(w.Published(reviewed.ID)); n != 1 {
			t.Errorf("%d posts that a person approved are published, want 1", n)
		}
	})
}

// Where the platform can't be asked, a post fails, for a person to look at it.
func TestReconcileNeedsAPerson(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		connect(w, mission.LinkedIn)
		platform := newShelf(w.Parts.Publisher)
		w.Parts.Publisher = platform
		m := w.Create(func(in *mission.CreateInput) {
			fourPosts(in)
			in.Platforms = []mission.Platform{mission.LinkedIn}
		})
		w.Step()
		w.Clock.Advance(2 * time.Hour)
		w.Must(w.Missions.HoldPublishing(ctx, "a restore"))
		r, err := w.Missions.Reconcile(ctx, w.Clock.Now().Add(-time.Hour))
		if err != nil || len(r.Failed) != 3 || r.LookedUp != 0 || !r.Failed[0].Error.MayBePublished() {
			t.Errorf("reconciled %+v, %v; want 3 failed posts", r, err)
		}
		w.Must(w.Missions.ReleasePublishing(ctx))
		w.Over(m.ID)
		if len(platform.sent) != 1 || w.Mission(m.ID).Counts.Published != 1 {
			t.Errorf("%d posts were sent, want the one whose slot hadn't passed", len(platform.sent))
		}
	})
}
