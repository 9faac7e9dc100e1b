package media_test

import (
	"bytes"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/mediafile/mediatest"
	"missiond/internal/service/media"
	"missiond/internal/testkit"
	"missiond/mission"
)

func query(t *testing.T, path string) url.Values {
	t.Helper()
	u, err := url.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query()
}

// lives are what befalls files: whatever of it is cut off, no bytes stay without a row, and no
// file is ready without its bytes.
var lives = map[string]func(l *library) error{
	"upload": func(l *library) error {
		data := mediatest.PhoneJPEG(40, 30, 6)
		return of(l.media.Upload(l.T.Context(), l.Tenant, media.Upload{ContentType: mission.TypeJPEG, Size: -1}, bytes.NewReader(data)))
	},
	"upload and delete": func(l *library) error {
		m, err := l.media.Upload(l.T.Context(), l.Tenant, media.Upload{ContentType: mission.TypePNG, Size: -1}, bytes.NewReader(mediatest.PNG(20, 20)))
		if err != nil {
			return err
		}
		l.Step()
		return l.media.Delete(l.T.Context(), l.Tenant, m.ID)
	},
	"signed": func(l *library) error {
		a, err := l.media.CreateUpload(l.T.Context(), l.Tenant, media.Upload{ContentType: mission.TypeJPEG, Size: 1000})
		if err != nil {
			return err
		}
		u, err := url.Parse(a.Path)
		if err != nil {
			return err
		}
		for _, width := range []int{20, 30} {
			if err := l.put(a.ID, u.Query(), padded(mediatest.JPEG(width, 20), 1000)); err != nil {
				return err
			}
		}
		return of(l.media.Complete(l.T.Context(), l.Tenant, a.ID))
	},
	"empty": func(l *library) error {
		return of(l.media.Upload(l.T.Context(), l.Tenant, media.Upload{ContentType: mission.TypeJPEG, Size: -1}, bytes.NewReader(nil)))
	},
}

// settled runs what is left to be done, and checks the result.
func (l *library) settled(what string, n int64) {
	l.T.Helper()
	l.ExpireLeases()
	l.Idle()
	l.audit()
	for _, m := range l.all() {
		if m.Status == mission.MediaProcessing {
			l.T.Errorf("%s is still processed", m.ID)
		}
	}
	if l.T.Failed() {
		l.T.Fatalf("after %s %d", what, n)
	}
}

// The process ends before each statement in turn, of the request or of the tasks.
func TestCrashAtEachStatement(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		crashes, step := 0, int64(testkit.Size(13, 7, 1, 1))
		for name, live := range lives {
			for n := int64(1); ; n += step {
				if !l.CrashesAt(l.faults, n, func() { _ = live(l); l.Step() }) {
					break
				}
				crashes++
				l.settled(name+": statement", n)
			}
		}
		if int64(crashes) < 60/step {
			t.Errorf("only %d crashes", crashes)
		}
	})
}

// What a process that was killed has left of a file is removed after a day.
func TestSweep(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		m := l.ready(mission.TypeJPEG, mediatest.JPEG(20, 20))
		kept := len(l.keys())
		for name, age := range map[string]time.Duration{"old": 25 * time.Hour, "new": time.Hour} {
			left := filepath.Join(l.folder, l.Tenant.TenantID, m.ID, name+".tmp")
			l.Must(os.WriteFile(left, []byte("half of it"), 0o600))
			at := time.Now().Add(-age)
			l.Must(os.Chtimes(left, at, at))
		}
		l.Must(l.media.Sweep(t.Context()))
		if keys := l.keys(); len(keys) != kept+1 || !slices.ContainsFunc(keys, func(key string) bool { return strings.HasSuffix(key, "/new.tmp") }) {
			t.Errorf("got %v", keys)
		}
	})
}

// Each call of the store of files fails in turn, or the process ends there.
func TestStoreOfFilesFails(t *testing.T) {
	testkit.SkipIfShort(t)
	each(t, func(t *testing.T, l *library) {
		failed := 0
		for name, live := range lives {
			for _, crash := range []bool{false, true} {
				for n := int64(1); ; n++ {
					calls := int64(0)
					l.files.watch(func(call, _ string) error {
						if calls++; calls != n {
							return nil
						}
						if crash && call != "put" { // a put has a goroutine of its own
							l.Crash()
						}
						return errors.New("the disk is broken")
					})
					l.Crashes(func() { _ = live(l); l.Step() })
					l.files.watch(nil)
					if calls < n {
						break
					}
					failed++
					l.settled(name+": call", n)
				}
			}
		}
		if failed < 20 {
			t.Errorf("only %d failures", failed)
		}
	})
}

// A statement that the database doesn't answer fails the request or the task, which is run
// again.
func TestDatabaseFails(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		for name, live := range lives {
			if name == "upload and delete" {
				continue // it runs tasks, which the world doesn't let fail
			}
			for n := int64(1); n < 40; n++ {
				seen := int64(0)
				l.faults.Refuse(func(string) bool { seen++; return seen == n })
				err := live(l)
				l.faults.Refuse(nil)
				if seen < n {
					break
				}
				if code := mission.CodeOf(err); err != nil && code == mission.CodeNotFound {
					t.Errorf("%s: statement %d: got %v", name, n, err)
				}
				l.settled(name+": refused", n)
			}
		}
	})
}

// Trouble with a file's bytes is an error before anything of them is shown.
func TestShowingFails(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		m := l.ready(mission.TypeJPEG, mediatest.JPEG(20, 20))
		f, err := l.media.File(t.Context(), l.Tenant, m.ID, media.Original)
		l.Must(err)
		l.files.watch(func(string, string) error { return errors.New("a store that is down") })
		if err := of(l.shown(f)); mission.CodeOf(err) != mission.CodeServiceUnavailable {
			t.Errorf("got %v of a store that is down", err)
		}
		l.files.watch(nil)
		l.Must(l.files.DeleteAll(t.Context(), l.Tenant.TenantID+"/"))
		if err := of(l.shown(f)); mission.CodeOf(err) != mission.CodeInternal {
			t.Errorf("got %v of bytes that are gone", err)
		}
	})
}
