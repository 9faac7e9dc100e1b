package tasks

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/mission"
	"missiond/store"
)

// shelf is a platform that keeps each part by its text's key, and counts how often it got
// it.
type shelf struct {
	Publisher
	mu   sync.Mutex
	sent map[string]int
	// finds counts the lookups. hung makes Publish wait until it is closed.
	finds int
	hung  chan struct{}
	began chan struct{}
}

func newShelf(p Publisher) *shelf { return &shelf{Publisher: p, sent: map[string]int{}} }

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

// While publishing is held no post is sent or looked up, and no attempt is used; released
// posts are published.
func TestHeldPostsWait(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		w.connect(mission.Twitter)
		platform := newShelf(w.worker.parts.Publisher)
		w.worker.parts.Publisher = platform
		m := w.create(onTwitter(fourPosts))
		w.step()
		w.must(w.service.HoldPublishing(ctx, "a test"))
		if h, err := w.db.PublishingHold(ctx); err != nil || h == nil || h.Reason != "a test" || !h.Since.Equal(w.clock.Now()) {
			t.Errorf("the hold is %+v, %v", h, err)
		}
		for range 20 {
			w.clock.Advance(6 * time.Minute)
			w.step()
		}
		for _, c := range w.all(m.ID) {
			if c.Status != mission.ContentScheduled || c.CalledAt != nil {
				t.Errorf("a held post is %s", c.Status)
			}
		}
		if len(platform.sent)+platform.finds > 0 {
			t.Errorf("%d posts were sent and %d looked up while publishing was held", len(platform.sent), platform.finds)
		}
		w.must(w.service.ReleasePublishing(ctx))
		attempts := 0
		w.clock.Advance(time.Minute)
		for _, task := range w.due() {
			attempts += task.Attempt
			w.run(task.ID)
		}
		if n := len(w.posts(m.ID)); n != 3 || attempts != 0 {
			t.Errorf("%d posts are published within a minute of the release, want 3; they had used %d attempts", n, attempts)
		}
		w.over(m.ID)
		platform.once(t, w.all(m.ID))
	})
}

// When HoldPublishing returns, no post is being published.
func TestHoldWaitsForCalls(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		w.connect(mission.Twitter)
		platform := newShelf(w.worker.parts.Publisher)
		platform.hung, platform.began = make(chan struct{}), make(chan struct{})
		w.worker.parts.Publisher = platform
		m := w.create(onTwitter(fourPosts))
		w.step()
		w.clock.Advance(time.Hour)
		var running sync.WaitGroup
		running.Go(func() { w.step() })
		<-platform.began
		held := make(chan int)
		go func() {
			if err := w.service.HoldPublishing(ctx, "a test"); err != nil {
				t.Errorf("the hold failed: %v", err)
			}
			platform.mu.Lock()
			defer platform.mu.Unlock()
			held <- len(platform.sent)
		}()
		select {
		case n := <-held:
			t.Errorf("the hold returned while a post was being sent, after %d", n)
			close(platform.hung)
		case <-time.After(300 * time.Millisecond): // it waits; a slow machine only waits longer
			close(platform.hung)
			if n := <-held; n != 1 {
				t.Errorf("when the hold returned %d posts were sent, want 1", n)
			}
		}
		running.Wait()
		if n := len(w.posts(m.ID)); n != 1 {
			t.Errorf("%d posts are published, want the one that was being sent", n)
		}
	})
}

// A hold doesn't wait for workers that have died: a restored database has their claims.
func TestHoldDoesNotWaitForTheDead(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		m := w.create(onTwitter(fourPosts))
		w.step()
		w.clock.Advance(time.Hour)
		for _, task := range w.due() {
			if _, ok, err := w.db.Claim(ctx, task.ID, w.clock.Now(), time.Millisecond); err != nil || !ok {
				t.Fatal(ok, err)
			}
		}
		if err := w.service.HoldPublishing(ctx, "a test"); err != nil {
			t.Errorf("the hold failed: %v", err)
		}
		if n := len(w.posts(m.ID)); n != 0 {
			t.Errorf("%d posts are published", n)
		}
	})
}

// Of a restored database, posts that went out after the backup are found on their
// platform, and those that didn't are sent.
func TestReconcileSendsNothingTwice(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		w.connect(mission.Twitter)
		platform := newShelf(w.worker.parts.Publisher)
		w.worker.parts.Publisher = platform
		m := w.create(onTwitter(fourPosts))
		w.step()
		backup := w.clock.Now().Add(30 * time.Minute)
		w.clock.Advance(2 * time.Hour) // 10:00
		for _, c := range w.all(m.ID)[:2] {
			platform.take(c)
		}
		if _, err := w.service.Reconcile(ctx, backup); !errors.Is(err, missions.ErrNotHeld) {
			t.Errorf("without a hold the database is reconciled: %v", err)
		}
		w.must(w.service.HoldPublishing(ctx, "a restore"))
		w.step()
		for range 2 { // it may be repeated
			r, err := w.service.Reconcile(ctx, backup)
			if err != nil || r.LookedUp != 3 || len(r.Failed)+len(r.InReview)+r.Sandbox != 0 {
				t.Fatalf("reconciled %+v, %v; want 3 posts to be looked up", r, err)
			}
		}
		w.step()
		if platform.finds != 0 {
			t.Error("a post was looked up while publishing was held")
		}
		w.must(w.service.ReleasePublishing(ctx))
		w.over(m.ID)
		platform.once(t, w.all(m.ID))
	})
}

// A thread of which all parts went out after the backup is found part by part.
func TestReconcileThreads(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		w.connect(mission.Twitter)
		platform := newShelf(w.worker.parts.Publisher)
		w.worker.parts.Publisher = platform
		w.writer.Writer = threadPen{}
		m := w.create(onTwitter(fourPosts))
		w.step()
		backup := w.clock.Now()
		w.clock.Advance(2 * time.Hour)
		all, half, none := w.all(m.ID)[0], w.all(m.ID)[1], w.all(m.ID)[2]
		platform.take(all)
		platform.sent[half.NextPart().Key()]++
		w.must(w.service.HoldPublishing(ctx, "a restore"))
		_, err := w.service.Reconcile(ctx, backup)
		w.must(err)
		w.must(w.service.ReleasePublishing(ctx))
		w.over(m.ID)
		if len(none.Texts()) < 3 {
			t.Fatalf("the posts have %d parts", len(none.Texts()))
		}
		platform.once(t, w.all(m.ID))
	})
}

// threadPen writes threads of three parts.
type threadPen struct{ plainWriter }

func (w threadPen) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	d, err := w.plainWriter.Write(ctx, a)
	d.Format, d.Parts = mission.FormatThread, []string{d.Text, "More of " + d.Text, "The end of " + d.Text}
	return d, err
}

// Posts whose slots passed before they were scheduled aren't made up for: the lost
// timeline may have published them. A person may approve those in review.
func TestReconcileSkipsPassedSlots(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		unwritten := w.create(onTwitter(fourPosts))
		reviewed := w.create(onTwitter(func(in *mission.CreateInput) { fourPosts(in); needsApproval(in) }))
		backup := w.clock.Now()
		for _, task := range w.due() {
			if task.MissionID == reviewed.ID {
				w.run(task.ID)
			}
		}
		for len(w.all(reviewed.ID)) < 4 {
			for _, task := range w.due() {
				if task.MissionID == reviewed.ID {
					w.run(task.ID)
				}
			}
		}
		w.clock.Advance(2 * time.Hour) // 10:00
		w.must(w.service.HoldPublishing(ctx, "a restore"))
		r, err := w.service.Reconcile(ctx, backup)
		if err != nil || r.LookedUp != 0 || len(r.InReview) != 3 {
			t.Errorf("reconciled %+v, %v; want 3 posts in review", r, err)
		}
		w.must(w.service.ReleasePublishing(ctx))
		w.clock.Advance(time.Minute)
		approved := w.all(reviewed.ID)[0]
		if _, err := w.service.ApproveContent(ctx, w.tenant, approved.ID, nil); err != nil {
			t.Error(err)
		}
		w.over(unwritten.ID)
		for i, c := range w.all(unwritten.ID) {
			canceled := c.Status == mission.ContentCanceled && c.Error.Code == mission.CodeOutcomeUnknown
			if passed := i < 3; passed != canceled || !passed && c.Status != mission.ContentPublished {
				t.Errorf("the post of %s is %s: %+v", c.ScheduledAt.Format(time.TimeOnly), c.Status, c.Error)
			}
		}
		if n := len(w.posts(reviewed.ID)); n != 1 {
			t.Errorf("%d posts that a person approved are published, want 1", n)
		}
	})
}

// Where the platform can't be asked, a post fails, for a person to look at it.
func TestReconcileNeedsAPerson(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		w.connect(mission.LinkedIn)
		platform := newShelf(w.worker.parts.Publisher)
		w.worker.parts.Publisher = platform
		m := w.create(func(in *mission.CreateInput) {
			fourPosts(in)
			in.Platforms = []mission.Platform{mission.LinkedIn}
		})
		w.step()
		w.clock.Advance(2 * time.Hour)
		w.must(w.service.HoldPublishing(ctx, "a restore"))
		r, err := w.service.Reconcile(ctx, w.clock.Now().Add(-time.Hour))
		if err != nil || len(r.Failed) != 3 || r.LookedUp != 0 || !r.Failed[0].Error.MayBePublished() {
			t.Errorf("reconciled %+v, %v; want 3 failed posts", r, err)
		}
		w.must(w.service.ReleasePublishing(ctx))
		w.over(m.ID)
		if len(platform.sent) != 1 || w.mission(m.ID).Counts.Published != 1 {
			t.Errorf("%d posts were sent, want the one whose slot hadn't passed", len(platform.sent))
		}
	})
}

// RetryFailed runs each job again that failed in its time span, once, and leaves those
// alone whose missions aren't active.
func TestRetryFailedJobs(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx, broken, events := context.Background(), true, 0
		w.db.OnCommit(func(c store.Committed) { events += c.Events[mission.EventJobFailed] })
		w.writer.Writer = plainWriter{fail: func(mission.Assignment) error {
			if broken {
				return errors.New("broken")
			}
			return nil
		}}
		var all []mission.Mission
		for range 3 {
			all = append(all, w.create(nil))
		}
		failed := func() (n int) {
			for _, m := range all {
				if w.status(m.ID).Pipeline.Status == mission.RunFailed {
					n++
				}
			}
			return n
		}
		w.until("failed jobs", func() bool { return failed() == len(all) })
		if events != len(all) {
			t.Errorf("the commits have %d failed jobs, want %d", events, len(all))
		}
		broken = false
		_, err := w.service.PauseMission(ctx, w.tenant, all[2].ID)
		w.must(err)
		other := w.makeTenant("Other")
		since := w.clock.Now().Add(-time.Hour)
		for what, tt := range map[string]struct {
			f    missions.FailedJobs
			want missions.Retries
		}{
			"a dry run":        {missions.FailedJobs{Since: since, DryRun: true}, missions.Retries{Retried: 2, Skipped: 1}},
			"a later failure":  {missions.FailedJobs{Since: w.clock.Now().Add(time.Second)}, missions.Retries{}},
			"another tenant's": {missions.FailedJobs{Since: since, TenantID: other.TenantID}, missions.Retries{}},
		} {
			if r, err := w.service.RetryFailed(ctx, tt.f); err != nil || r != tt.want {
				t.Errorf("%s: retried %+v, %v; want %+v", what, r, err, tt.want)
			}
		}
		if failed() != len(all) {
			t.Error("a dry run retried a job")
		}
		for n, want := range []missions.Retries{{Retried: 2, Skipped: 1}, {Skipped: 1}} {
			if r, err := w.service.RetryFailed(ctx, missions.FailedJobs{Since: since}); err != nil || r != want {
				t.Errorf("call %d retried %+v, %v; want %+v", n+1, r, err, want)
			}
		}
		w.step()
		if n := failed(); n != 1 {
			t.Errorf("%d jobs are failed after the retry, want the paused mission's", n)
		}
	})
}

// The ledger's status and the backlog count the same due tasks.
func TestLedgerStatus(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		w.create(onTwitter(fourPosts))
		w.step()
		at := w.clock.Now()
		w.clock.Advance(90 * time.Minute)
		lines, err := w.db.LedgerStatus(ctx, w.clock.Now())
		w.must(err)
		b, err := w.db.Backlog(ctx, w.clock.Now())
		w.must(err)
		var posts store.LedgerLine
		for _, l := range lines {
			if l.Type == mission.TaskContentPublish {
				posts = l
			}
		}
		oldest := at.Add(time.Hour)
		if posts.Due != 3 || posts.Waiting != 1 || posts.OldestDue == nil || !posts.OldestDue.Equal(oldest) {
			t.Errorf("the ledger's posts are %+v, want 3 due since %s and 1 waiting", posts, oldest)
		}
		if b.Due[mission.TaskContentPublish] != 3 || !b.OldestDue[mission.TaskContentPublish].Equal(oldest) || b.Held {
			t.Errorf("the backlog is %+v", b)
		}
		w.must(w.service.HoldPublishing(ctx, "a test"))
		if b, err = w.db.Backlog(ctx, w.clock.Now()); err != nil || !b.Held {
			t.Errorf("the backlog with a hold is %+v, %v", b, err)
		}
	})
}
