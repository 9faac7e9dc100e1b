package media_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"missiond/internal/mediafile/mediatest"
	"missiond/internal/seal"
	"missiond/internal/service/idempotency"
	"missiond/internal/service/media"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// What doesn't arrive leaves neither bytes nor a row.
func TestUploadThatFails(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		broken := errors.New("the connection is broken")
		whole := mediatest.JPEG(200, 100)
		for name, c := range map[string]struct {
			body io.Reader
			code mission.Code
		}{
			"fails":     {io.MultiReader(bytes.NewReader(whole[:500]), iotest.ErrReader(broken)), ""},
			"empty":     {bytes.NewReader(nil), mission.CodeInvalidRequest},
			"too large": {io.LimitReader(zeros{}, mission.MaxPictureBytes+1), mission.CodePayloadTooLarge},
		} {
			_, err := l.media.Upload(t.Context(), l.Tenant, media.Upload{ContentType: mission.TypeJPEG, Size: -1}, c.body)
			if c.code == "" && !errors.Is(err, broken) || c.code != "" && mission.CodeOf(err) != c.code {
				t.Errorf("%s: got %v", name, err)
			}
			l.Step()
			if keys := l.keys(); len(keys) > 0 {
				t.Errorf("%s: bytes are left: %v", name, keys)
			}
		}
		_, err := l.media.Upload(t.Context(), l.Tenant, media.Upload{ContentType: mission.TypeJPEG, Size: mission.MaxPictureBytes + 1}, bytes.NewReader(whole))
		world.WantCode(t, err, mission.CodePayloadTooLarge)
		_, err = l.media.Upload(t.Context(), l.Tenant, media.Upload{ContentType: "text/html", Size: 1}, bytes.NewReader(whole))
		world.WantCode(t, err, mission.CodeInvalidRequest)
		l.Idle()
		if rows := l.rows(); rows != 0 {
			t.Errorf("%d rows are left", rows)
		}
	})
}

// zeros is a reader of zeros that never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// rows returns how many rows the library has, whatever their state.
func (l *library) rows() int { return len(l.every()) }

// What is said after the file counts, and what is wrong there leaves nothing.
func TestWhatIsSaidAfterTheFile(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		say := func(alt string, err error) media.Upload {
			return media.Upload{ContentType: mission.TypePNG, Size: -1, Rest: func() (mission.MediaInput, error) { return mission.MediaInput{AltText: &alt}, err }}
		}
		m, err := l.media.Upload(t.Context(), l.Tenant, say("A red door", nil), bytes.NewReader(mediatest.PNG(20, 20)))
		l.Must(err)
		if l.Step(); l.get(m.ID).AltText != "A red door" {
			t.Errorf("got %+v", l.get(m.ID))
		}
		for _, in := range []media.Upload{say("", errors.New("the form has no end")), say(strings.Repeat("a", mission.MaxAltText+1), nil)} {
			if err := of(l.media.Upload(t.Context(), l.Tenant, in, bytes.NewReader(mediatest.PNG(20, 20)))); err == nil {
				t.Error("it was taken")
			}
		}
		l.Idle()
		if keys, rows := l.keys(), l.rows(); rows != 1 || slices.ContainsFunc(keys, func(key string) bool { return !strings.Contains(key, m.ID) }) {
			t.Errorf("%d rows and the bytes %v are left", rows, keys)
		}
	})
}

// A tenant has four uploads at a time, whatever others do.
func TestUploadsAtOnce(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		const most = 4
		data, other := mediatest.JPEG(20, 20), l.NewTenant("Other")
		begun, finish := make(chan struct{}), make(chan struct{})
		var running sync.WaitGroup
		for range most {
			running.Go(func() {
				body := &gated{Reader: bytes.NewReader(data), begun: begun, finish: finish}
				if err := of(l.media.Upload(t.Context(), l.Tenant, media.Upload{ContentType: mission.TypeJPEG, Size: -1}, body)); err != nil {
					t.Error(err)
				}
			})
		}
		for range most {
			<-begun
		}
		one := func(p mission.Principal) error {
			return of(l.media.Upload(t.Context(), p, media.Upload{ContentType: mission.TypeJPEG, Size: -1}, bytes.NewReader(data)))
		}
		world.WantCode(t, one(l.Tenant), mission.CodeRateLimitExceeded)
		if err := one(other); err != nil {
			t.Errorf("another tenant's: %v", err)
		}
		close(finish)
		running.Wait()
		if err := one(l.Tenant); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
}

// gated is a body whose first read says so, and waits until it may go on.
type gated struct {
	io.Reader

	begun  chan<- struct{}
	finish <-chan struct{}
	once   sync.Once
}

func (g *gated) Read(p []byte) (int, error) {
	g.once.Do(func() {
		g.begun <- struct{}{}
		<-g.finish
	})
	return g.Reader.Read(p)
}

// A retry with the same Idempotency-Key of an upload that was interrupted before its response
// has the same row.
func TestUploadIsMadeOnce(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		ring, err := seal.Parse(seal.NewKey())
		l.Must(err)
		keyed := idempotency.New(l.DB, ring, l.Clock, slog.New(slog.DiscardHandler))
		data := mediatest.JPEG(20, 20)
		var ids []string
		for range 2 {
			ctx, req, reply, err := keyed.Begin(t.Context(), l.Tenant, "key", "the same")
			l.Must(err)
			if req == nil {
				t.Fatalf("got the reply %+v", reply)
			}
			m, err := l.media.Upload(ctx, l.Tenant, media.Upload{ContentType: mission.TypeJPEG, Size: -1}, bytes.NewReader(data))
			l.Must(err)
			ids = append(ids, m.ID)
			req.End(t.Context(), nil) // without a response: it was interrupted
		}
		l.Pass(life)
		if len(slices.Compact(ids)) != 1 || len(l.all()) != 1 || l.rows() != 1 {
			t.Errorf("got the files %v, and %d rows", ids, l.rows())
		}
		l.audit()
	})
}

// A key is bound to what an upload sent once its file is stored, also while it has no response: a retry with
// another file is refused, stores nothing, and doesn't take the upload over. Before that nothing is bound.
func TestInterruptedUploadKeepsItsContents(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		ring, err := seal.Parse(seal.NewKey())
		l.Must(err)
		keyed := idempotency.New(l.DB, ring, l.Clock, slog.New(slog.DiscardHandler))
		// send sends a file, of which as much arrives as the body has, and is interrupted.
		send := func(alt string, body func() io.Reader) (id string, err error) {
			in := media.Upload{ContentType: mission.TypeJPEG, Size: -1, Rest: func() (mission.MediaInput, error) { return mission.MediaInput{AltText: &alt}, nil }}
			ctx, req, reply, err := keyed.BeginStreamed(t.Context(), l.Tenant, "key", "the same", func(ctx context.Context) (string, error) {
				return l.media.Contents(ctx, l.Tenant, in, body())
			})
			if err != nil {
				return "", err
			}
			if req == nil {
				t.Fatalf("got the reply %+v", reply)
			}
			m, err := l.media.Upload(ctx, l.Tenant, in, body())
			req.End(t.Context(), nil)
			return m.ID, err
		}
		of := func(data []byte) func() io.Reader { return func() io.Reader { return bytes.NewReader(data) } }
		red, blue := mediatest.JPEG(20, 20), mediatest.JPEG(30, 10)
		broken := func() io.Reader {
			return io.MultiReader(bytes.NewReader(red[:100]), iotest.ErrReader(errors.New("the connection is broken")))
		}
		if _, err := send("", broken); err == nil {
			t.Fatal("it was taken")
		}
		id, err := send("A blue door", of(blue))
		l.Must(err)
		for name, try := range map[string]func() (string, error){
			"another file": func() (string, error) { return send("A blue door", of(red)) },
			"another text": func() (string, error) { return send("A red door", of(blue)) },
			"a part of it": func() (string, error) { return send("A blue door", of(blue[:100])) },
			"too much":     func() (string, error) { return send("A blue door", func() io.Reader { return zeros{} }) },
		} {
			_, err := try()
			world.WantCode(t, err, mission.CodeConflict)
			if wrong := (*mission.Error)(nil); !errors.As(err, &wrong) || wrong.Param != "Idempotency-Key" {
				t.Errorf("%s: got %v", name, err)
			}
		}
		if _, err := send("A blue door", broken); mission.CodeOf(err) != mission.CodeInvalidRequest {
			t.Errorf("a body that breaks: got %v", err)
		}
		again, err := send("A blue door", of(blue))
		if l.Must(err); again != id {
			t.Errorf("got %s, want %s", again, id)
		}
		l.Pass(life)
		if len(l.all()) != 1 || l.rows() != 1 {
			t.Errorf("%d rows are left", l.rows())
		}
		l.audit()
	})
}
