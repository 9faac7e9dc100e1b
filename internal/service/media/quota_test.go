package media_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"missiond/internal/mediafile/mediatest"
	"missiond/internal/service/media"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// leave fills the tenant's quota but for some bytes.
func (l *library) leave(bytes int64) {
	l.T.Helper()
	l.fill(mission.MediaQuota(l.Tenant.Plan) - l.used() - bytes)
}

// No byte of a file is stored before it counts, whatever befalls the file.
func TestBytesCountBeforeTheyAreStored(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		seen := 0
		l.files.more = func(sum int64) {
			if used, err := l.DB.MediaBytes(t.Context(), l.Tenant.TenantID); err != nil || sum > used {
				t.Errorf("%d bytes are stored, %d are counted (%v)", sum, used, err)
			}
			seen++
		}
		for _, live := range lives {
			_ = live(l)
			l.Step()
		}
		m := l.ready(mission.TypeJPEG, mediatest.PhoneJPEG(300, 100, 1))
		for _, focus := range []float64{0, 1} { // the earlier ones stay
			l.Must(of(l.media.Update(t.Context(), l.Tenant, m.ID, crop(focus))))
			l.Step()
		}
		l.audit()
		if seen < 20 {
			t.Errorf("only %d reads were looked at", seen)
		}
		// When nothing is under way, what counts is what is there.
		there := int64(0)
		for _, n := range l.files.stored {
			there += n
		}
		if used := l.used(); used != there || there == 0 {
			t.Errorf("%d bytes are counted, %d are there", used, there)
		}
	})
}

func TestQuota(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		data := mediatest.JPEG(60, 40)
		size := int64(len(data))
		l.leave(2 * size)
		in := media.Upload{ContentType: mission.TypeJPEG, Size: -1}
		larger := append(bytes.Clone(data), make([]byte, size+1)...)
		world.WantCode(t, of(l.media.Upload(t.Context(), l.Tenant, in, bytes.NewReader(larger))), mission.CodeConflict)
		l.Step()
		m := l.upload(mission.TypeJPEG, data)

		// Two that begin while there is room for one.
		begun, finish, failed := make(chan struct{}), make(chan struct{}), make(chan error, 2)
		for range 2 {
			go func() {
				failed <- of(l.media.Upload(t.Context(), l.Tenant, in, &gated{Reader: bytes.NewReader(data), begun: begun, finish: finish}))
			}()
		}
		for range 2 {
			select {
			case <-begun:
			case err := <-failed: // the other has taken the room already
				failed <- err
			}
		}
		close(finish)
		if one, two := <-failed, <-failed; (one == nil) == (two == nil) || mission.CodeOf(errors.Join(one, two)) != mission.CodeConflict {
			t.Errorf("got %v and %v", one, two)
		}
		if used := l.used(); used < mission.MediaQuota(l.Tenant.Plan) {
			t.Errorf("%d bytes are used, and not all", used)
		}
		for _, bytes := range []int64{1, -1} {
			err := of(l.media.Upload(t.Context(), l.Tenant, media.Upload{ContentType: mission.TypeJPEG, Size: bytes}, strings.NewReader("a")))
			world.WantCode(t, err, mission.CodeConflict)
		}
		world.WantCode(t, of(l.media.CreateUpload(t.Context(), l.Tenant, media.Upload{ContentType: mission.TypeJPEG, Size: 1})), mission.CodeConflict)
		l.Step() // what is sent of these has no room
		l.Must(l.media.Delete(t.Context(), l.Tenant, m.ID))
		l.Step() // its bytes are gone, and there is room for as many
		l.upload(mission.TypeJPEG, data)
		l.counted()
	})
}

// What was prepared counts from the first byte on, and is as large as was announced.
func TestPreparedUploadsCount(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		data := mediatest.JPEG(60, 40)
		size := int64(len(data))
		l.leave(3 * size)
		id, q := l.prepare(len(data))
		l.Must(l.put(id, q, data))
		l.Must(l.put(id, q, data)) // instead of the first
		if left := mission.MediaQuota(l.Tenant.Plan) - l.used(); left != 2*size {
			t.Errorf("%d bytes are left, and not %d", left, 2*size)
		}
		for range 2 {
			other, also := l.prepare(len(data))
			l.Must(l.put(other, also, data))
		}
		world.WantCode(t, l.put(id, q, data), mission.CodeConflict)
		l.counted()
		l.Must(of(l.media.Complete(t.Context(), l.Tenant, id)))
		l.Pass(life) // those that weren't completed are gone
		l.counted()
		if left := mission.MediaQuota(l.Tenant.Plan) - l.used(); left != 2*size {
			t.Errorf("%d bytes are left after their end, and not %d", left, 2*size)
		}
	})
}

// A PUT has the bytes that were announced: with more or fewer, nothing of it is kept and nothing counts.
func TestPutsHaveWhatWasAnnounced(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		data := mediatest.JPEG(60, 40)
		for name, c := range map[string]struct {
			announced int
			body      io.Reader
		}{
			"fewer":         {len(data) + 1, bytes.NewReader(data)},
			"more":          {len(data) - 1, bytes.NewReader(data)},
			"very many":     {10, io.LimitReader(zeros{}, 60<<20)},
			"none":          {10, bytes.NewReader(nil)},
			"a video's end": {len(data) * 2, io.MultiReader(bytes.NewReader(data), bytes.NewReader(data[:len(data)-1]))},
		} {
			id, q := l.prepare(c.announced)
			world.WantCode(t, l.media.Receive(t.Context(), id, q, -1, c.body), mission.CodeInvalidRequest)
			world.WantCode(t, of(l.media.Complete(t.Context(), l.Tenant, id)), mission.CodeConflict)
			if keys := l.keys(); len(keys) > 0 || l.used() != 0 {
				t.Errorf("%s: %d bytes are counted, and %v are there", name, l.used(), keys)
			}
		}
	})
}

// What is made of a file needs room too: without it the file fails, or stays as it was made before, and nothing
// that was begun is left.
func TestWhatIsMadeNeedsRoom(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		made := l.ready(mission.TypeJPEG, mediatest.PhoneJPEG(300, 100, 1))
		data := mediatest.PhoneJPEG(310, 100, 1)
		l.leave(int64(len(data)) + 100)
		m := l.upload(mission.TypeJPEG, data)
		l.Step()
		if m = l.get(m.ID); m.Status != mission.MediaFailed || m.Error == nil || m.Error.Code != "media_quota" || len(m.Variants) > 0 || m.Stored != m.Bytes {
			t.Errorf("got %s, %+v, with %d bytes", m.Status, m.Error, m.Stored)
		}
		l.Must(of(l.media.Update(t.Context(), l.Tenant, made.ID, crop(0))))
		l.Step()
		if again := l.get(made.ID); again.Status != mission.MediaReady || again.Error == nil || again.Error.Code != "media_quota" || again.Stored != made.Stored {
			t.Errorf("got %s, %+v, with %d bytes", again.Status, again.Error, again.Stored)
		}
		l.audit()
		// With room it is made.
		l.Must(l.media.Delete(t.Context(), l.Tenant, m.ID))
		for _, other := range l.all() {
			if other.ID != made.ID {
				l.Must(l.media.Delete(t.Context(), l.Tenant, other.ID))
			}
		}
		l.Step()
		l.Must(of(l.media.Update(t.Context(), l.Tenant, made.ID, crop(1))))
		l.Step()
		if again := l.get(made.ID); again.Status != mission.MediaReady || again.Error != nil {
			t.Errorf("got %s, %+v", again.Status, again.Error)
		}
		l.audit()
	})
}
