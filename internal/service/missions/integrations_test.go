package missions_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// disconnect removes an integration.
func disconnect(w *world.World, i mission.Integration) { set(w, i, mission.Integration.Disconnected) }

// Without a sandbox, posts of platforms that aren't connected fail with an error
// that says what to do.
func TestUnconnectedPlatformsFail(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		connect(w, mission.Twitter)
		w.WithoutSandbox()
		m := w.Create(func(in *mission.CreateInput) { days := 1; in.DurationDays = &days })
		w.Over(m.ID)
		for _, c := range w.Posts(m.ID) {
			switch {
			case c.Platform == mission.Twitter && c.Status != mission.ContentPublished:
				t.Errorf("got the connected platform's post %s: %+v", c.Status, c.Error)
			case c.Platform == mission.LinkedIn && (c.Status != mission.ContentFailed || c.Error.Code != mission.CodeNotConnected):
				t.Errorf("got the other's %s: %+v", c.Status, c.Error)
			}
		}
		w.OnPlatform(m.ID, 1)
	})
}

// An integration that needs to be reconnected keeps its posts scheduled, and others'
// are published; once it is connected again they are published, the late ones one by
// one.
func TestPostsWaitForTheirIntegration(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		i := connect(w, mission.Twitter)
		posts, days, times := 4, 1, []string{"09:00", "09:10", "09:20", "22:00"}
		m := w.Create(onTwitter(func(in *mission.CreateInput) {
			in.Constraints.PostsPerDay, in.Constraints.PostingTimes, in.DurationDays = &posts, times, &days
		}))
		other := w.Create(func(in *mission.CreateInput) {
			one := 1
			in.Platforms, in.DurationDays, in.Constraints.PostsPerDay = []mission.Platform{mission.LinkedIn}, &days, &one
		})
		w.Step()
		set(w, i, refused)
		w.Clock.Advance(2 * time.Hour) // 10:00
		w.Step()
		for _, c := range w.Posts(m.ID) {
			if c.Status != mission.ContentScheduled {
				t.Errorf("got a post of the refused integration %s: %+v", c.Status, c.Error)
			}
		}
		if len(w.Published(other.ID)) != 1 {
			t.Error("another platform's post waits, too")
		}
		set(w, i, connected)
		w.Step()
		if n := len(w.Published(m.ID)); n != 1 {
			t.Errorf("%d posts were published at once, want one", n)
		}
		w.Over(m.ID)
		out := w.Published(m.ID)
		onTime := slices.ContainsFunc(out, func(c mission.Content) bool { return c.PublishedAt.Format("15:04") == "22:00" })
		if len(out) != posts || !onTime {
			t.Fatalf("%d posts were published; the one that wasn't late on time: %t", len(out), onTime)
		}
		for n := 1; n < posts; n++ {
			if gap := out[n].PublishedAt.Sub(*out[n-1].PublishedAt); gap < time.Hour {
				t.Errorf("late posts were published %s apart", gap)
			}
		}
		w.OnPlatform(m.ID, posts)
	})
}

// Posts of several days that waited for their integration are published at the
// mission's pace, even if it was paused in between.
func TestLateDaysAreNoBurst(t *testing.T) {
	testkit.SkipIfShort(t)
	for name, paused := range map[string]bool{"connected again": false, "paused, connected again and resumed": true} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				ctx := context.Background()
				i := connect(w, mission.Twitter)
				posts, days, late := 2, 5, 2 // five posts are late
				if testkit.Nightly() {
					days, late = 10, 4
				}
				m := w.Create(onTwitter(func(in *mission.CreateInput) { in.Constraints.PostsPerDay, in.DurationDays = &posts, &days }))
				set(w, i, refused)
				connects := world.Began.Add(time.Duration(late)*24*time.Hour + time.Hour)
				w.Until("the late days", func() bool { return w.Clock.Now().After(connects) })
				if n := len(w.Published(m.ID)); n != 0 {
					t.Fatalf("%d posts were published through a refused integration", n)
				}
				if paused {
					_, err := w.Missions.PauseMission(ctx, w.Tenant, m.ID)
					w.Must(err)
					w.Clock.Advance(time.Hour)
				}
				set(w, i, connected)
				if paused {
					_, err := w.Missions.ResumeMission(ctx, w.Tenant, m.ID)
					w.Must(err)
				}
				w.Over(m.ID)
				out := w.Published(m.ID)
				if len(out) != posts*days {
					t.Errorf("got %d published posts, want %d", len(out), posts*days)
				}
				for n := 3; n < len(out); n++ {
					if gap := out[n].PublishedAt.Sub(*out[n-3].PublishedAt); gap < time.Hour {
						t.Errorf("four posts were published within %s, by %s", gap, out[n].PublishedAt)
					}
				}
				w.OnPlatform(m.ID, posts*days)
			})
		})
	}
}

// A post that may be published can't get another text; if its platform isn't
// connected again, it is left to a person after two days.
func TestDoubtWithoutIntegration(t *testing.T) {
	testkit.SkipIfShort(t)
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		w.Parts.Publisher = &scripted{Publisher: w.Parts.Publisher, results: []error{
			errors.New("lost"), &mission.PublishError{Outcome: mission.OutcomeNotAccepted, RetryAfter: time.Hour, Failure: mission.Failure{Code: "x", Message: "X."}},
		}}
		i := connectPage(w)
		days, one := 5, 1
		m := w.Create(func(in *mission.CreateInput) {
			in.Platforms, in.Constraints.PostsPerDay, in.DurationDays = []mission.Platform{mission.LinkedIn}, &one, &days
		})
		w.Until("a post that is to be sent again", func() bool {
			posts := w.Posts(m.ID)
			return len(posts) == 1 && posts[0].Status == mission.ContentScheduled && posts[0].Unconfirmed
		})
		c := w.Posts(m.ID)[0]
		_, err := w.Missions.EditContent(ctx, w.Tenant, c.ID, withText("Another text."))
		world.WantCode(t, err, mission.CodeConflict)
		_, err = w.Missions.RegenerateContent(ctx, w.Tenant, c.ID, "", nil)
		world.WantCode(t, err, mission.CodeConflict)

		w.Must(w.DB.Tx(ctx, func(tx store.Tx) error {
			kept, err := tx.LockContent(ctx, m.TenantID, c.ID)
			w.Must(err)
			dropped, err := kept.Drop(w.Clock.Now())
			w.Must(err)
			return tx.ChangeContent(ctx, dropped.Change)
		}))
		set(w, i, refused)
		w.Until("a post that is given up", func() bool { return w.Posts(m.ID)[0].Settled() })
		c = w.Posts(m.ID)[0]
		if after := w.Clock.Now().Sub(world.Began); c.Error == nil || c.Error.Code != mission.CodeOutcomeUnknown || after < 48*time.Hour || after > 50*time.Hour {
			t.Errorf("after %s got the post %s: %+v", after, c.Status, c.Error)
		}
		w.Over(m.ID)
		if m := w.Mission(m.ID); m.Reserved != 0 {
			t.Errorf("got %d reserved, want 0", m.Reserved)
		}
	})
}

// A post whose platform was disconnected during the call fails, and isn't sent again,
// there or to the sandbox.
func TestDisconnectedInDoubt(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		platform := &scripted{Publisher: w.Parts.Publisher, results: []error{errors.New("lost")}, takesSilently: map[int]bool{0: true}}
		w.Parts.Publisher = platform
		i := connect(w, mission.Twitter)
		days, one := 1, 1
		m := w.Create(onTwitter(func(in *mission.CreateInput) { in.Constraints.PostsPerDay, in.DurationDays = &one, &days }))
		w.Step()
		disconnect(w, i)
		w.Over(m.ID)
		c := w.Posts(m.ID)[0]
		if c.Status != mission.ContentFailed || c.Error.Code != mission.CodeDisconnected || platform.calls != 1 {
			t.Errorf("got the post %s, %+v, after %d calls", c.Status, c.Error, platform.calls)
		}
		if m := w.Mission(m.ID); m.Reserved != 0 || m.Spent < 15_000 {
			t.Errorf("got %d spent, %d reserved; the post may have been charged", m.Spent, m.Reserved)
		}
	})
}

// A post that can't be looked up in two days is left to a person.
func TestDoubtsEnd(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		w.Parts.Publisher = &scripted{Publisher: deaf{w.Parts.Publisher}, results: []error{errors.New("lost")}}
		days, one := 1, 1
		m := w.Create(func(in *mission.CreateInput) { in.Constraints.PostsPerDay, in.DurationDays = &one, &days })
		w.Idle()
		c := w.Posts(m.ID)[0]
		if !c.AwaitsPerson() {
			t.Errorf("got the post %s, %+v", c.Status, c.Error)
		}
	})
}

// deaf is a platform that never responds to a lookup.
type deaf struct{ world.Publisher }

func (deaf) Find(context.Context, *mission.Integration, mission.Part) (mission.Publication, bool, error) {
	return mission.Publication{}, false, errors.New("lost")
}

// A thread that its platform stops accepting has an error with the published parts,
// keeps them, and isn't started again; one that is only delayed continues where it
// stopped.
func TestThreadsStopHalfway(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		for name, tt := range map[string]struct {
			second error
			status mission.ContentStatus
			calls  int
		}{
			"refused": {outcome(mission.OutcomeRefused), mission.ContentFailed, 2},
			"held up": {&mission.PublishError{Outcome: mission.OutcomeNotAccepted, RetryAfter: time.Hour, Failure: mission.Failure{Code: "x", Message: "X."}}, mission.ContentPublished, 4},
		} {
			before := w.Parts.Publisher
			platform := &scripted{Publisher: before, results: []error{nil, tt.second}}
			w.Parts.Publisher = platform
			w.Writer = threadWriter{}
			days, one := 1, 1
			m := w.Create(func(in *mission.CreateInput) {
				in.Platforms = []mission.Platform{mission.Mastodon}
				in.Constraints.PostsPerDay, in.DurationDays = &one, &days
			})
			w.Step()
			c := w.Posts(m.ID)[0]
			if len(c.Published) != 1 {
				t.Fatalf("%s: got %d published parts", name, len(c.Published))
			}
			if c.Status == mission.ContentScheduled {
				_, err := w.Missions.EditContent(context.Background(), w.Tenant, c.ID, withText("Another text."))
				world.WantCode(t, err, mission.CodeConflict)
			}
			w.Over(m.ID)
			c = w.Posts(m.ID)[0]
			if c.Status != tt.status || platform.calls != tt.calls || c.PlatformPostID == nil || *c.PlatformPostID != c.Published[0].PostID {
				t.Errorf("%s: got the thread %s (%+v) after %d calls, as %v", name, c.Status, c.Error, platform.calls, c.PlatformPostID)
			}
			w.OnPlatform(m.ID, 1)
			w.Parts.Publisher = before
		}
	})
}

// routed records through which integration each post was published and measured.
type routed struct {
	world.Publisher

	mu       sync.Mutex
	sent     map[string]string // content's id to integration's id
	measured map[string]string
}

func (r *routed) Publish(ctx context.Context, via *mission.Integration, p mission.Part) (mission.Publication, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent[p.Content.ID] = via.ID
	return r.Publisher.Publish(ctx, via, p)
}

func (r *routed) Measure(ctx context.Context, via *mission.Integration, posts []mission.Content) (map[string]mission.Metrics, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range posts {
		r.measured[c.ID] = via.ID
	}
	return r.Publisher.Measure(ctx, via, posts)
}

// The accounts of one platform take turns, no text goes out twice, and each post is
// published, measured and held by its own account: one that needs its owner, or was
// disconnected, holds only its own posts, until it is connected again.
func TestAccountsOfOnePlatform(t *testing.T) {
	for name, breaks := range map[string]func(mission.Integration, time.Time) mission.Integration{
		"refused": refused, "disconnected": mission.Integration.Disconnected,
	} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				other, one, two := connect(w, mission.Mastodon), connect(w, mission.Mastodon), connect(w, mission.Mastodon)
				via := &routed{Publisher: w.Parts.Publisher, sent: map[string]string{}, measured: map[string]string{}}
				w.Parts.Publisher = via
				posts, days := 4, 2
				m := w.Create(func(in *mission.CreateInput) {
					in.Platforms, in.IntegrationIDs = []mission.Platform{mission.Mastodon}, []string{one.ID, two.ID}
					in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
				})
				w.Step()
				set(w, two, breaks)
				w.Until("the first account's posts of both days", func() bool { return len(w.Published(m.ID)) == posts })
				for _, c := range w.Posts(m.ID) {
					if c.IntegrationID == two.ID && c.Status != mission.ContentScheduled && c.Status != mission.ContentCanceled {
						t.Errorf("got a post of the account that is %s %s: %+v", name, c.Status, c.Error)
					}
				}
				set(w, two, func(i mission.Integration, now time.Time) mission.Integration {
					return i.Connected(*i.Account, mission.Credentials{}, "", now)
				})
				w.Over(m.ID)
				texts, by := map[string]bool{}, map[string]int{}
				for _, c := range w.Posts(m.ID) {
					if texts[c.Text] {
						t.Errorf("the text %q was written twice", c.Text)
					}
					texts[c.Text] = true
					if c.Status != mission.ContentPublished {
						continue
					}
					by[c.IntegrationID]++
					if via.sent[c.ID] != c.IntegrationID || c.MeasuredAt != nil && via.measured[c.ID] != c.IntegrationID {
						t.Errorf("a post of %s was published through %q and measured through %q", c.IntegrationID, via.sent[c.ID], via.measured[c.ID])
					}
				}
				if by[one.ID] < posts || by[two.ID] == 0 || by[other.ID] != 0 || len(via.measured) == 0 {
					t.Errorf("published by account: %v; %d were measured", by, len(via.measured))
				}
			})
		})
	}
}

// A writer is told what an account said last, however much other accounts of the platform
// have said since.
func TestAccountsDontRepeatThemselves(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, one, two := context.Background(), connect(w, mission.Mastodon), connect(w, mission.Mastodon)
		told := map[string]mission.TextSet{}
		w.Writer = world.PlainWriter{Fail: func(a mission.Assignment) error {
			told[a.Slot.IntegrationID] = a.UsedTexts
			return nil
		}}
		posts := 2
		m := w.Create(func(in *mission.CreateInput) {
			in.Platforms, in.IntegrationIDs = []mission.Platform{mission.Mastodon}, []string{one.ID, two.ID}
			in.Constraints.PostsPerDay = &posts
		})
		say := func(account, text string, minutes int) {
			at := w.Clock.Now().Add(time.Duration(minutes) * time.Minute)
			_, err := w.Missions.CreateContent(ctx, w.Tenant, missions.ContentInput{MissionID: m.ID, Platform: mission.Mastodon, IntegrationID: &account, Text: &text, ScheduledAt: &at})
			w.Must(err)
		}
		say(one.ID, "Said once.", 1)
		const others = 60
		for n := range others {
			w.Clock.Advance(time.Millisecond)
			say(two.ID, fmt.Sprintf("Said after, as number %d.", n), n+2)
		}
		w.Step()
		if !told[one.ID].Has("Said once.") || told[two.ID].Has("Said once.") {
			t.Errorf("the writer was told what the account said: %t, and of the other account: %t", told[one.ID].Has("Said once."), told[two.ID].Has("Said once."))
		}
		if last := fmt.Sprintf("Said after, as number %d.", others-1); !told[one.ID].Has(last) || !told[two.ID].Has(last) {
			t.Error("the writer wasn't told what the platform's latest post says")
		}
	})
}

// A platform's pause holds the posts of one account only.
func TestHoldsGoByAccount(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		one, two := connect(w, mission.Mastodon), connect(w, mission.Mastodon)
		w.Must(w.DB.Tx(context.Background(), func(tx store.Tx) error {
			return tx.PauseAccount(context.Background(), one.TenantID, mission.Mastodon, one.ID, w.Clock.Now().Add(20*time.Hour))
		}))
		posts, days := 2, 1
		m := w.Create(func(in *mission.CreateInput) {
			in.Platforms, in.IntegrationIDs = []mission.Platform{mission.Mastodon}, []string{one.ID, two.ID}
			in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
		})
		w.Until("the other account's post", func() bool { return len(w.Published(m.ID)) > 0 })
		if out := w.Published(m.ID); len(out) != 1 || out[0].IntegrationID != two.ID {
			t.Fatalf("published: %+v", out)
		}
		w.Over(m.ID)
		if out := w.Published(m.ID); len(out) != 2 {
			t.Errorf("%d posts were published in the end", len(out))
		}
	})
}
