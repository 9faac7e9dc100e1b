package media_test

import (
	"bytes"
	"errors"
	"io"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"missiond/internal/mediafile/mediatest"
	"missiond/internal/service/media"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// prepare prepares the upload of a JPEG, and returns its address's id and query.
func (l *library) prepare(size int) (id string, q url.Values) {
	l.T.Helper()
	a, err := l.media.CreateUpload(l.T.Context(), l.Tenant, media.Upload{ContentType: mission.TypeJPEG, Size: int64(size)})
	l.Must(err)
	u, err := url.Parse(a.Path)
	l.Must(err)
	if !strings.HasSuffix(u.Path, "/"+a.ID) || a.ContentType != mission.TypeJPEG || !a.ExpiresAt.Equal(l.Clock.Now().Truncate(time.Second).Add(mission.UploadLife)) {
		l.T.Errorf("got the address %+v", a)
	}
	return a.ID, u.Query()
}

// padded returns a file with bytes after its end, so that it has n.
func padded(data []byte, n int) []byte { return append(data, make([]byte, n-len(data))...) }

// put sends the bytes of a prepared upload.
func (l *library) put(id string, q url.Values, data []byte) error {
	return l.media.Receive(l.T.Context(), id, q, int64(len(data)), bytes.NewReader(data))
}

func TestSignedUpload(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		second := mediatest.JPEG(50, 30)
		first := padded(mediatest.JPEG(40, 30), len(second))
		id, q := l.prepare(len(second))
		world.WantCode(t, of(l.media.Media(t.Context(), l.Tenant, id)), mission.CodeNotFound) // until it is complete
		world.WantCode(t, of(l.media.Complete(t.Context(), l.Tenant, id)), mission.CodeConflict)
		l.Must(l.put(id, q, first))
		l.Must(l.put(id, q, second))
		m, err := l.media.Complete(t.Context(), l.Tenant, id)
		l.Must(err)
		if m.Hash != hashed(second) || m.Bytes != int64(len(second)) || m.Status != mission.MediaProcessing {
			t.Errorf("got %+v", m)
		}
		world.WantCode(t, of(l.media.Complete(t.Context(), l.Tenant, id)), mission.CodeConflict)
		world.WantCode(t, l.put(id, q, first), mission.CodeConflict)
		l.Step()
		if m = l.get(id); m.Status != mission.MediaReady || m.Width != 50 {
			t.Errorf("got %+v", m)
		}
		l.audit()
	})
}

func TestSignedUploadIsRefused(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		data, other := mediatest.JPEG(40, 30), l.NewTenant("Other")
		id, q := l.prepare(len(data))
		elsewhere, _ := l.prepare(len(data))
		with := func(param, value string) url.Values {
			changed := url.Values{}
			for k, v := range q {
				changed[k] = v
			}
			changed.Set(param, value)
			return changed
		}
		for name, c := range map[string]struct {
			id string
			q  url.Values
		}{
			"another signature": {id, with("signature", strings.Repeat("A", len(q.Get("signature"))))},
			"no signature":      {id, with("signature", "")},
			"another tenant":    {id, with("tenant", other.TenantID)},
			"a later end":       {id, with("expires", "9999999999")},
			"no end":            {id, with("expires", "")},
			"another file":      {elsewhere, q},
			"nothing":           {id, nil},
		} {
			if err := l.put(c.id, c.q, data); mission.CodeOf(err) != mission.CodeUnauthorized {
				t.Errorf("%s: got %v", name, err)
			}
		}
		world.WantCode(t, of(l.media.Complete(t.Context(), other, id)), mission.CodeNotFound)
		for _, size := range []int64{-1, 0, mission.MaxPictureBytes + 1} {
			if err := of(l.media.CreateUpload(t.Context(), l.Tenant, media.Upload{ContentType: mission.TypeJPEG, Size: size})); err == nil {
				t.Errorf("an upload of %d bytes was prepared", size)
			}
		}
		l.Must(l.put(id, q, data))
		l.Clock.Advance(mission.UploadLife)
		if err := l.put(id, q, data); mission.CodeOf(err) != mission.CodeUnauthorized {
			t.Errorf("after its end: got %v", err)
		}
		world.WantCode(t, of(l.media.Complete(t.Context(), l.Tenant, id)), mission.CodeConflict)
		l.Pass(life) // an hour is over: bytes and rows go
		l.empty(id)
		l.empty(elsewhere)
		world.WantCode(t, of(l.media.Complete(t.Context(), l.Tenant, id)), mission.CodeNotFound)
	})
}

// A PUT that fails can be repeated, and takes nothing from an earlier one.
func TestSignedUploadIsRepeated(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		data := mediatest.JPEG(40, 30)
		id, q := l.prepare(len(data))
		cut := io.MultiReader(bytes.NewReader(data[:100]), iotest.ErrReader(errors.New("the connection is broken")))
		if err := l.media.Receive(t.Context(), id, q, -1, cut); err == nil {
			t.Fatal("it was taken")
		}
		l.Must(l.put(id, q, data))
		world.WantCode(t, l.put(id, q, nil), mission.CodeInvalidRequest)
		_, err := l.media.Complete(t.Context(), l.Tenant, id)
		l.Must(err)
		l.Step()
		if m := l.get(id); m.Status != mission.MediaReady || m.Hash != hashed(data) {
			t.Errorf("got %+v", m)
		}
		l.audit()
	})
}

// A PUT whose header says another size than was announced is refused before its bytes are read, and one that lasts longer
// than its address as unauthorized.
func TestSignedUploadIsBound(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		data := mediatest.JPEG(40, 30)
		id, q := l.prepare(len(data))
		for _, size := range []int{0, len(data) - 1, len(data) + 1} {
			err := l.media.Receive(t.Context(), id, q, int64(size), iotest.ErrReader(errors.New("it was read")))
			if refused := (*mission.Error)(nil); !errors.As(err, &refused) || refused.Param != "Content-Length" {
				t.Errorf("%d bytes: got %v", size, err)
			}
		}
		l.Clock.Advance(mission.UploadLife - 50*time.Millisecond)
		begun, finish := make(chan struct{}, 1), make(chan struct{})
		defer close(finish)
		err := l.media.Receive(t.Context(), id, q, int64(len(data)), &gated{Reader: bytes.NewReader(data), begun: begun, finish: finish})
		world.WantCode(t, err, mission.CodeUnauthorized)
	})
}

// A PUT that ends after the upload has been completed changes nothing: neither the file nor
// what is counted of it.
func TestLatePutChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		later := mediatest.JPEG(400, 300)
		data := padded(mediatest.JPEG(40, 30), len(later))
		id, q := l.prepare(len(data))
		l.Must(l.put(id, q, data))
		begun, finish, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		go func() {
			ended <- l.media.Receive(t.Context(), id, q, -1, &gated{Reader: bytes.NewReader(later), begun: begun, finish: finish})
		}()
		<-begun
		_, err := l.media.Complete(t.Context(), l.Tenant, id)
		l.Must(err)
		close(finish)
		world.WantCode(t, <-ended, mission.CodeConflict)
		l.Step()
		if m := l.get(id); m.Status != mission.MediaReady || m.Hash != hashed(data) || m.Width != 40 {
			t.Errorf("got %+v", m)
		}
		l.audit()
	})
}

// An upload that ends after its file was removed leaves no bytes.
func TestLateUploadLeavesNothing(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		data := mediatest.JPEG(40, 30)
		id, q := l.prepare(len(data))
		begun, finish, ended := make(chan struct{}), make(chan struct{}), make(chan error, 2)
		body := func() *gated { return &gated{Reader: bytes.NewReader(data), begun: begun, finish: finish} }
		go func() { ended <- l.media.Receive(t.Context(), id, q, -1, body()) }()
		go func() {
			ended <- of(l.media.Upload(t.Context(), l.Tenant, media.Upload{ContentType: mission.TypeJPEG, Size: -1}, body()))
		}()
		<-begun
		<-begun
		l.Pass(mission.UploadLife + time.Minute)
		close(finish)
		for range 2 {
			if err := <-ended; err == nil {
				t.Error("it was taken")
			}
		}
		l.Idle()
		if keys, rows := l.keys(), l.rows(); len(keys) > 0 || rows > 0 {
			t.Errorf("%d rows and the bytes %v are left", rows, keys)
		}
	})
}
