package media_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/blobs"
	"missiond/internal/mediafile"
	"missiond/internal/mediafile/mediatest"
	"missiond/internal/service/media"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// examiner examines as a function says.
type examiner func(ctx context.Context, size int64) (mediafile.Result, error)

func (e examiner) Process(
	ctx context.Context, _ io.ReadSeeker, size int64, _ mediafile.Request, _ func(string) (io.WriteCloser, error),
) (mediafile.Result, error) {
	return e(ctx, size)
}

// examinedBy has the library's files examined by a function.
func (l *library) examinedBy(e examiner) {
	l.T.Helper()
	l.media = media.New(l.DB, media.Options{Clock: l.Clock, Real: l.Clock, Files: l.files, Processor: e, Secrets: l.Secrets})
	l.Parts.Media = l.media
}

var (
	broken   = &mediafile.Died{Detail: "killed"}
	tooSlow  = &mediafile.Died{TooSlow: true, Detail: "too slow"}
	examined = mediafile.Result{Facts: mediafile.Facts{Kind: mission.MediaImage, ContentType: mission.TypeJPEG, Width: 9, Height: 9}}
)

// A file of which children die again and again is refused, and says how; trouble of ours, and a shutdown, count
// for nothing, however often.
func TestDeathsAreAVerdict(t *testing.T) {
	ours := errors.New("the disk is broken")
	for name, c := range map[string]struct {
		ends []error // of the attempts; the last is repeated
		want mission.MediaStatus
		code string
		runs int
	}{
		"killed":              {[]error{broken}, mission.MediaFailed, "media_damaged", 3},
		"too slow":            {[]error{broken, broken, tooSlow}, mission.MediaFailed, "media_too_slow", 3},
		"between trouble":     {[]error{broken, ours, broken, ours, ours, blobs.ErrNotFound, context.Canceled, tooSlow}, mission.MediaFailed, "media_too_slow", 8},
		"twice":               {[]error{broken, broken, nil}, mission.MediaReady, "", 3},
		"trouble, many times": {append(slices.Repeat([]error{ours, context.Canceled}, 10), nil), mission.MediaReady, "", 21},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, l *library) {
				runs := 0
				l.examinedBy(func(context.Context, int64) (mediafile.Result, error) {
					runs++
					return examined, c.ends[min(runs, len(c.ends))-1]
				})
				m := l.upload(mission.TypeJPEG, mediatest.JPEG(9, 9))
				l.Until("the end of the examinations", func() bool { return l.get(m.ID).Status != mission.MediaProcessing })
				m = l.get(m.ID)
				if m.Status != c.want || runs != c.runs || m.Deaths != 0 || m.Error != nil && (m.Error.Code != c.code || m.Error.Message == "") {
					t.Errorf("got %s after %d runs: %+v", m.Status, runs, m.Error)
				}
				l.Idle()
				if ready, failed := l.told(mission.EventMediaReady), l.told(mission.EventMediaFailed); ready+failed != 1 || (failed == 1) != (c.code != "") {
					t.Errorf("%d events of media.ready, %d of media.failed", ready, failed)
				}
			})
		})
	}
}

// A picture that is made anew stays what it was, and its deaths are forgotten.
func TestDeathsOfAFraming(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		m := l.ready(mission.TypeJPEG, mediatest.JPEG(30, 20))
		l.examinedBy(func(context.Context, int64) (mediafile.Result, error) { return mediafile.Result{}, broken })
		for _, focus := range []float64{0.1, 0.2} {
			changed, err := l.media.Update(t.Context(), l.Tenant, m.ID, mission.MediaInput{Framing: mission.FramingInput{Fit: new(mission.FitCrop), FocusX: &focus}})
			l.Must(err)
			if changed.Status != mission.MediaProcessing {
				t.Fatalf("it is %s", changed.Status)
			}
			for n := range mission.MaxDeaths {
				l.Step()
				// What is said of it meanwhile forgets nothing.
				l.Must(of(l.media.Update(t.Context(), l.Tenant, m.ID, mission.MediaInput{AltText: new("A door")})))
				if got := l.get(m.ID); (got.Status == mission.MediaReady) != (n == mission.MaxDeaths-1) || got.Deaths != (n+1)%mission.MaxDeaths {
					t.Fatalf("after %d deaths it is %s, and has %d", n+1, got.Status, got.Deaths)
				}
				l.Clock.Advance(time.Hour)
			}
		}
	})
}

// A process that ends in any statement of an examination that breaks off counts it once at most, and the file is refused
// in the end.
func TestCrashBetweenDeaths(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		l.examinedBy(func(context.Context, int64) (mediafile.Result, error) { return mediafile.Result{}, broken })
		for n := int64(1); ; n++ {
			m := l.upload(mission.TypeJPEG, mediatest.JPEG(9, 9))
			crashed := l.CrashesAt(l.faults, n, func() { l.Step() })
			if got := l.get(m.ID); got.Deaths > 1 {
				t.Errorf("a crash before statement %d counts %d deaths", n, got.Deaths)
			}
			l.ExpireLeases()
			l.Until("the refusal", func() bool { return l.get(m.ID).Status == mission.MediaFailed })
			l.Must(l.media.Delete(t.Context(), l.Tenant, m.ID))
			if !crashed {
				return
			}
		}
	})
}

// wait has n files of a tenant wait to be examined, of which there are no bytes.
func (l *library) wait(p mission.Principal, n int) {
	l.T.Helper()
	ctx, now := l.T.Context(), l.Clock.Now()
	l.Must(l.DB.Tx(ctx, func(tx store.Tx) error {
		for range n {
			m, err := mission.NewMedia(tx.NewID(mission.PrefixMedia, now), p, mission.TypeJPEG, mission.MediaInput{}, now)
			if err == nil {
				err = tx.AddMedia(ctx, m)
			}
			if err != nil {
				return err
			}
			there := m
			there.Original = m.TenantID + "/" + m.ID + "/u-gone/original"
			arrived, err := there.Arrived(now)
			if err == nil {
				err = tx.SetMedia(ctx, m, arrived)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

// unread fails the test if it is read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("bytes are read")
	return 0, io.ErrUnexpectedEOF
}

// So many files of a tenant wait to be examined, whatever asks for it; what is refused may be tried again and loses
// nothing.
func TestWaitingFilesAreBounded(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		ctx, jpeg := t.Context(), mediatest.JPEG(9, 9)
		made := l.ready(mission.TypeJPEG, mediatest.JPEG(30, 20))
		prepared, err := l.media.CreateUpload(ctx, l.Tenant, media.Upload{ContentType: mission.TypeJPEG, Size: int64(len(jpeg))})
		l.Must(err)
		l.Must(l.put(prepared.ID, query(t, prepared.Path), jpeg))
		l.wait(l.Tenant, mission.MaxExamining-1)
		// The last place is one upload's.
		var all sync.WaitGroup
		taken := make(chan error, 4)
		for range cap(taken) {
			all.Go(func() {
				taken <- of(l.media.Upload(ctx, l.Tenant, media.Upload{ContentType: mission.TypeJPEG, Size: -1}, bytes.NewReader(jpeg)))
			})
		}
		all.Wait()
		close(taken)
		full := 0
		for err := range taken {
			if err != nil {
				world.WantCode(t, err, mission.CodeRateLimitExceeded)
				full++
			}
		}
		if full != cap(taken)-1 {
			t.Errorf("%d of %d uploads are refused", full, cap(taken))
		}
		reframe := mission.MediaInput{Framing: mission.FramingInput{Fit: new(mission.FitCrop)}}
		refuse := func(err error) {
			t.Helper()
			world.WantCode(t, err, mission.CodeRateLimitExceeded)
			if e := new(mission.Error); errors.As(err, &e) && (e.RetryAfter <= 0 || !strings.Contains(e.Message, "wait to be examined")) {
				t.Errorf("got %+v", e)
			}
		}
		refuse(of(l.media.Upload(ctx, l.Tenant, media.Upload{ContentType: mission.TypeJPEG, Size: -1}, unread{t})))
		refuse(of(l.media.CreateUpload(ctx, l.Tenant, media.Upload{ContentType: mission.TypeJPEG, Size: 9})))
		refuse(of(l.media.Complete(ctx, l.Tenant, prepared.ID)))
		refuse(of(l.media.Update(ctx, l.Tenant, made.ID, reframe)))
		if m := l.get(made.ID); m.Status != mission.MediaReady || m.Framing != made.Framing {
			t.Errorf("a framing that was refused is %+v of a file that is %s", m.Framing, m.Status)
		}
		l.Must(of(l.media.Update(ctx, l.Tenant, made.ID, mission.MediaInput{AltText: new("A door")})))
		other := l.NewTenant("Other")
		l.Must(of(l.media.Upload(ctx, other, media.Upload{ContentType: mission.TypeJPEG, Size: -1}, bytes.NewReader(jpeg))))
		l.Run(mediaTask(l).ID)
		l.Must(of(l.media.Complete(ctx, l.Tenant, prepared.ID)))
		refuse(of(l.media.Update(ctx, l.Tenant, made.ID, reframe)))
		l.Run(mediaTask(l).ID)
		l.Must(of(l.media.Update(ctx, l.Tenant, made.ID, reframe)))
	})
}

// What a file costs puts off its tenant's next, however its examination ends.
func TestExaminationsAreCharged(t *testing.T) {
	for name, end := range map[string]error{
		"ready": nil, "refused": &mediafile.Refused{Code: mediafile.CodeDamaged, Message: "It is damaged."}, "died": broken, "deleted": nil,
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, l *library) {
				theirs, others := mediatest.JPEG(9, 9), mediatest.JPEG(40, 40)
				first, turns := "", ""
				l.examinedBy(func(_ context.Context, size int64) (mediafile.Result, error) {
					if turns == "" && name == "deleted" {
						l.Must(l.media.Delete(t.Context(), l.Tenant, first))
					}
					if size == int64(len(others)) {
						turns += "other "
					} else {
						turns += "own "
					}
					r := examined
					r.CPU = 20 * time.Second
					return r, end
				})
				first = l.upload(mission.TypeJPEG, theirs).ID
				l.upload(mission.TypeJPEG, theirs)
				l.Clock.Advance(time.Second)
				l.Must(of(l.media.Upload(t.Context(), l.NewTenant("Other"), media.Upload{ContentType: mission.TypeJPEG, Size: -1}, bytes.NewReader(others))))
				l.Step()
				if turns != "own other own " {
					t.Errorf("the order is %q", turns)
				}
				l.Idle()
				if name == "deleted" {
					l.empty(first)
				}
			})
		})
	}
}

// A file whose task an earlier version of the program has written is examined, once.
func TestEarlierTasksAreHandedOn(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		ctx, runs := t.Context(), 0
		l.examinedBy(func(context.Context, int64) (mediafile.Result, error) { runs++; return examined, nil })
		for n := int64(1); ; n++ {
			runs = 0
			m, now := l.upload(mission.TypeJPEG, mediatest.JPEG(9, 9)), l.Clock.Now()
			l.Must(l.DB.Tx(ctx, func(tx store.Tx) error {
				if err := tx.DropSubjects(ctx, "", mission.TaskMediaExamine, m.ID); err != nil {
					return err
				}
				return tx.AddTasks(ctx, now, mission.NewTenantTask(m.TenantID, mission.TaskMedia, m.ID, now))
			}))
			crashed := l.CrashesAt(l.faults, n, func() { l.Step() })
			l.ExpireLeases()
			l.Idle()
			if got := l.get(m.ID); got.Status != mission.MediaReady || runs == 0 || runs > 2 || runs > 1 && !crashed {
				t.Errorf("after a crash before statement %d it is %s after %d runs", n, got.Status, runs)
			}
			if !crashed {
				return
			}
		}
	})
}

// A file that the store keeps from being examined says so, is examined once the store responds, and is refused after a day.
func TestTroubleWithTheStore(t *testing.T) {
	for _, ends := range []bool{true, false} {
		t.Run(fmt.Sprintf("ends %t", ends), func(t *testing.T) {
			each(t, func(t *testing.T, l *library) {
				began, runs := l.Clock.Now(), 0
				l.examinedBy(func(context.Context, int64) (mediafile.Result, error) {
					if runs++; ends && l.Clock.Now().Sub(began) > 2*time.Hour {
						return examined, nil
					}
					return mediafile.Result{}, &mission.TroubleError{By: mission.TroubleFiles, Err: errors.New("the store is away")}
				})
				m := l.upload(mission.TypeJPEG, mediatest.JPEG(9, 9))
				l.Pass(time.Hour)
				if got := l.get(m.ID); got.Status != mission.MediaProcessing || got.Error == nil || got.Error.Code != string(mission.ReasonTrouble) {
					t.Errorf("a file that waits is %s with %+v", got.Status, got.Error)
				}
				if b, err := l.DB.Backlog(t.Context(), l.Clock.Now()); err != nil || b.Troubled[mission.TroubleFiles] != 1 || b.TroubledSince[mission.TroubleFiles].Sub(began) > time.Second {
					t.Errorf("got %+v, %v", b, err)
				}
				l.Until("the end", func() bool { return l.get(m.ID).Status != mission.MediaProcessing })
				got, took := l.get(m.ID), l.Clock.Now().Sub(began)
				switch {
				case ends && (got.Status != mission.MediaReady || got.Error != nil || took > 3*time.Hour):
					t.Errorf("it is %s with %+v after %s", got.Status, got.Error, took)
				case !ends && (got.Status != mission.MediaFailed || got.Error.Code != "media_unexamined" || took > 25*time.Hour):
					t.Errorf("it is %s with %+v after %s", got.Status, got.Error, took)
				}
				if most := int(took/(4*time.Minute)) + 20; runs > most {
					t.Errorf("%d runs in %s", runs, took)
				}
			})
		})
	}
}
