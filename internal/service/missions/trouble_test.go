package missions_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// reading is a platform that is sent the files of posts with them. before is called before each call.
type reading struct {
	world.Publisher
	calls  int
	before func() error
}

func (p *reading) Publish(ctx context.Context, via *mission.Integration, part mission.Part) (mission.Publication, error) {
	p.calls++
	if p.before != nil {
		if err := p.before(); err != nil {
			return mission.Publication{}, err
		}
	}
	for _, f := range part.Media {
		content, err := publisher.Open(ctx, f.File)
		if err != nil {
			return mission.Publication{}, err
		}
		_, err = io.Copy(io.Discard, content)
		if err = errors.Join(err, content.Close()); err != nil {
			return mission.Publication{}, err
		}
	}
	return p.Publisher.Publish(ctx, via, part)
}

// withPicture creates a mission of three days with one picture, and returns its first post, which has it and is due.
func withPicture(w *world.World) (mission.Media, mission.Content) {
	w.T.Helper()
	red := addPicture(w, "A red bicycle")
	m := illustrated(w, func(in *mission.CreateInput) {
		daily(3)(in)
		in.Constraints.RequireApproval, in.Constraints.PostingTimes = nil, []string{"06:00"}
	}, red)
	w.Step()
	c := w.Posts(m.ID)[0]
	if has(w.T.(*testing.T), c) != red.ID {
		w.T.Fatalf("got %+v", c.Media)
	}
	return red, c
}

// A file whose bytes are gone for good, or are others, fails its post at once, with what to do.
func TestMissingFilesFailTheirPosts(t *testing.T) {
	for name, lose := range map[string]func(w *world.World, of mission.Media){
		"gone":    func(w *world.World, of mission.Media) { w.Must(w.Files.DeleteAll(context.Background(), of.ID+"/")) },
		"shorter": func(w *world.World, of mission.Media) { w.Store(of.ID+"/sent", "A red") },
		"others":  func(w *world.World, of mission.Media) { w.Store(of.ID+"/sent", "A bad bicycle") },
	} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				platform := &reading{Publisher: w.Parts.Publisher}
				w.Parts.Publisher = platform
				red, c := withPicture(w)
				lose(w, red)
				w.Run(runUntil(w, mission.TaskContentPublish, c.ID).ID)
				why := whyPost(w, c.ID, mission.ReasonFailed)
				if f := why.Reasons[0].Failure; f == nil || f.Code != mission.CodeFileMissing || !strings.Contains(why.Summary, "give the post another file, or none") {
					t.Errorf("got %+v", why)
				}
				if c := w.Content(c.ID); c.Status != mission.ContentFailed || platform.calls != 1 {
					t.Errorf("the post is %s after %d calls", c.Status, platform.calls)
				}
			})
		})
	}
}

// What of the service's own fails counts as no attempt: the post says since when and until when it is tried again, the
// ledger counts it, and it goes out once the trouble is over, or fails when its day is. Each attempt waits as long again,
// five minutes at most.
func TestTroubleIsSaidAndEnds(t *testing.T) {
	errPanic := errors.New("panic")
	for name, each := range map[string]struct {
		fails error
		by    mission.Trouble
		code  string
	}{
		"files":    {mission.FileUnread(), mission.TroubleFiles, mission.CodeFileUnread},
		"secrets":  {mission.CredentialsUnread(), mission.TroubleSecrets, mission.CodeCredentialsUnread},
		"program":  {errPanic, mission.TroubleInternal, string(mission.CodeInternal)},
		"platform": {errors.New("no response"), "", mission.CodeNoResponse}, // which isn't ours
	} {
		for _, ends := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s ends %t", name, ends), func(t *testing.T) {
				world.Each(t, func(t *testing.T, w *world.World) {
					var began, ended time.Time
					platform := &reading{Publisher: w.Parts.Publisher, before: func() error {
						if began.IsZero() {
							began = w.Clock.Now()
						}
						switch {
						case ends && w.Clock.Now().Sub(began) > 20*time.Minute:
							return nil
						case each.by == mission.TroubleInternal:
							panic(each.fails)
						}
						return each.fails
					}}
					w.Parts.Publisher = platform
					_, c := withPicture(w)
					w.Run(runUntil(w, mission.TaskContentPublish, c.ID).ID)
					troubled := func() mission.Reason {
						why, err := w.Missions.ContentWhy(t.Context(), w.Tenant, c.ID)
						w.Must(err)
						for _, r := range why.Reasons {
							if r.Code == mission.ReasonTrouble {
								return r
							}
						}
						return mission.Reason{}
					}
					for range 4 {
						w.Pass(time.Minute)
						if r := troubled(); each.by != "" && (r.Since == nil || r.Since.Sub(began) > time.Second || r.Until == nil || !r.Until.After(w.Clock.Now().Add(time.Hour/2))) {
							t.Fatalf("got %+v at %s", r, w.Clock.Now())
						}
					}
					if b, err := w.DB.Backlog(t.Context(), w.Clock.Now()); err != nil || each.by != "" && b.Troubled[each.by] != 1 {
						t.Errorf("got %+v, %v", b, err)
					}
					w.Until("the post's end", func() bool {
						ended = w.Clock.Now()
						return w.Content(c.ID).Settled()
					})
					after, took := w.Content(c.ID), ended.Sub(began)
					switch {
					case ends && (after.Status != mission.ContentPublished || took > time.Hour):
						t.Errorf("the post is %s after %s", after.Status, took)
					case !ends && (after.Error == nil || after.Error.Code != each.code || took < time.Hour || took > 3*time.Hour):
						t.Errorf("the post has %+v after %s", after.Error, took)
					}
					if most := int(took/(2*time.Minute)) + 20; platform.calls > most {
						t.Errorf("%d calls in %s", platform.calls, took)
					}
					if r := troubled(); r.Code != "" {
						t.Errorf("a post that is %s has %+v", after.Status, r)
					}
				})
			})
		}
	}
}

// A post whose time has come, and a job, say so where no worker is free for them; afterwards they go on.
func TestNoWorkerIsSaid(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		_, c := withPicture(w)
		said := func(why mission.Why, err error) *time.Time {
			t.Helper()
			w.Must(err)
			for _, r := range why.Reasons {
				if r.Code == mission.ReasonTrouble {
					return r.Since
				}
			}
			return nil
		}
		w.Clock.Advance(c.ScheduledAt.Sub(w.Clock.Now()) + mission.LateTask)
		if at := said(w.Missions.ContentWhy(t.Context(), w.Tenant, c.ID)); at != nil {
			t.Errorf("at the limit: trouble since %s", at)
		}
		w.Clock.Advance(time.Second)
		if at := said(w.Missions.ContentWhy(t.Context(), w.Tenant, c.ID)); at == nil || !at.Equal(*c.ScheduledAt) {
			t.Errorf("trouble since %v, and the post was due at %s", at, c.ScheduledAt)
		}
		next := w.Create(daily(3))
		w.Clock.Advance(time.Hour)
		if at := said(w.Missions.MissionWhy(t.Context(), w.Tenant, next.ID)); at == nil || w.Clock.Now().Sub(*at) < time.Hour {
			t.Errorf("a job that nobody runs has trouble since %v", at)
		}
		w.Step()
		if at := said(w.Missions.ContentWhy(t.Context(), w.Tenant, c.ID)); at != nil || w.Content(c.ID).Status != mission.ContentPublished {
			t.Errorf("trouble since %v, and the post is %s", at, w.Content(c.ID).Status)
		}
	})
}
