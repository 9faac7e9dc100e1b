package media_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"missiond/internal/blobs"
	"missiond/internal/mediafile"
	"missiond/internal/mediafile/mediatest"
	"missiond/internal/service/media"
	"missiond/mission"
)

// examiner examines as a function says.
type examiner func(ctx context.Context) (mediafile.Result, error)

func (e examiner) Process(
	ctx context.Context, _ io.Reader, _ int64, _ mediafile.Request, _ func(string) (io.WriteCloser, error),
) (mediafile.Result, error) {
	return e(ctx)
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
				l.examinedBy(func(context.Context) (mediafile.Result, error) {
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
		l.examinedBy(func(context.Context) (mediafile.Result, error) { return mediafile.Result{}, broken })
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
		l.examinedBy(func(context.Context) (mediafile.Result, error) { return mediafile.Result{}, broken })
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
