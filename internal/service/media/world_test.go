package media_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/blobs"
	"missiond/internal/database"
	"missiond/internal/mediafile/mediatest"
	"missiond/internal/seal"
	"missiond/internal/service/media"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// library is a world with a folder of files.
type library struct {
	*world.World

	media  *media.Service
	files  *watched
	folder string
	faults *database.Faults
}

// each runs a test with a library on SQLite and one on Postgres.
func each(t *testing.T, test func(t *testing.T, l *library)) {
	t.Helper()
	world.EachFaulty(t, func(t *testing.T, w *world.World, faults *database.Faults) {
		test(t, newLibrary(t, w, faults))
	})
}

func newLibrary(t *testing.T, w *world.World, faults *database.Faults) *library {
	t.Helper()
	folder := t.TempDir()
	kept, err := blobs.Open(t.Context(), (&url.URL{Scheme: "file", Path: filepath.ToSlash(folder)}).String())
	w.Must(err)
	ring, err := seal.Parse(seal.NewKey())
	w.Must(err)
	l := &library{World: w, files: &watched{Store: kept, stored: map[string]int64{}}, folder: folder, faults: faults}
	l.media = media.New(w.DB, media.Options{Clock: w.Clock, Real: w.Clock, Files: l.files, Processor: mediatest.NewRunner(1), Secrets: ring, PublicURL: "https://m.example"})
	w.Parts.Media = l.media
	return l
}

// watched is a store of files that calls before each call, with its name and key, whose error
// the call then returns.
type watched struct {
	*blobs.Store

	mu     sync.Mutex
	before func(call, key string) error
	// stored are the bytes that are there or on their way, by key; more is called as they become more.
	stored map[string]int64
	more   func(sum int64)
}

// arriving is a reader of a file that is put. A Crash in a read ends the put's caller too.
type arriving struct {
	io.Reader

	files   *watched
	key     string
	crashed atomic.Bool
}

func (a *arriving) Read(p []byte) (n int, err error) {
	returned := make(chan bool, 1)
	go func() {
		defer close(returned)
		n, err = a.Reader.Read(p)
		returned <- true
	}()
	if !<-returned {
		a.crashed.Store(true)
		return 0, errors.New("the process has ended")
	}
	a.files.add(a.key, int64(n))
	return n, err
}

// add counts bytes of a file.
func (f *watched) add(key string, n int64) {
	f.mu.Lock()
	f.stored[key] += n
	sum := f.sum()
	more := f.more
	f.mu.Unlock()
	if more != nil {
		more(sum)
	}
}

// sum returns how many bytes there are. The caller holds the lock.
func (f *watched) sum() (sum int64) {
	for _, n := range f.stored {
		sum += n
	}
	return sum
}

func (f *watched) watch(before func(call, key string) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.before = before
}

func (f *watched) call(name, key string) error {
	f.mu.Lock()
	before := f.before
	f.mu.Unlock()
	if before == nil {
		return nil
	}
	return before(name, key)
}

func (f *watched) Put(ctx context.Context, key, contentType string, r io.Reader, most int64) (blobs.Written, error) {
	if err := f.call("put", key); err != nil {
		return blobs.Written{}, err
	}
	from := &arriving{Reader: r, files: f, key: key}
	written, err := f.Store.Put(ctx, key, contentType, from, most)
	if from.crashed.Load() {
		runtime.Goexit()
	}
	return written, err
}

func (f *watched) Get(ctx context.Context, key string, offset, length int64) (io.ReadCloser, blobs.Attributes, error) {
	if err := f.call("get", key); err != nil {
		return nil, blobs.Attributes{}, err
	}
	return f.Store.Get(ctx, key, offset, length)
}

func (f *watched) DeleteAll(ctx context.Context, prefix string) error {
	if err := f.call("delete", prefix); err != nil {
		return err
	}
	err := f.Store.DeleteAll(ctx, prefix)
	if err == nil {
		f.mu.Lock()
		maps.DeleteFunc(f.stored, func(key string, _ int64) bool { return strings.HasPrefix(key, prefix) })
		f.mu.Unlock()
	}
	return err
}

// of returns the error of an operation's results.
func of[T any](_ T, err error) error { return err }

// upload uploads a file as the world's tenant.
func (l *library) upload(contentType string, data []byte) mission.Media {
	l.T.Helper()
	m, err := l.media.Upload(l.T.Context(), l.Tenant, media.Upload{ContentType: contentType, Size: int64(len(data))}, bytes.NewReader(data))
	l.Must(err)
	return m
}

// ready uploads a file and processes it.
func (l *library) ready(contentType string, data []byte) mission.Media {
	l.T.Helper()
	m := l.upload(contentType, data)
	l.Step()
	if m = l.get(m.ID); m.Status != mission.MediaReady {
		l.T.Fatalf("got the file %s (%+v)", m.Status, m.Error)
	}
	return m
}

func (l *library) get(id string) mission.Media {
	l.T.Helper()
	m, err := l.media.Media(l.T.Context(), l.Tenant, id)
	l.Must(err)
	return m
}

// row returns a file's row, whatever its state; ok is false if there is none.
func (l *library) row(tenantID, id string) (m mission.Media, ok bool) {
	l.T.Helper()
	m, err := l.DB.Media(l.T.Context(), tenantID, id)
	if mission.CodeOf(err) == mission.CodeNotFound {
		return m, false
	}
	l.Must(err)
	return m, true
}

// keys lists the files of the folder.
func (l *library) keys() (keys []string) {
	l.T.Helper()
	l.Must(filepath.WalkDir(l.folder, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // another upload's, which has ended
		}
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".attrs") {
			return err
		}
		key, err := filepath.Rel(l.folder, path)
		keys = append(keys, filepath.ToSlash(key))
		return err
	}))
	return keys
}

// all returns the files that the tenant is shown.
func (l *library) all() []mission.Media {
	l.T.Helper()
	part, err := l.media.List(l.T.Context(), l.Tenant, media.Filter{}, store.Page{Limit: 100, Total: true})
	l.Must(err)
	if part.Total != len(part.List) {
		l.T.Errorf("%d files are counted, %d listed", part.Total, len(part.List))
	}
	return part.List
}

// empty fails the test unless neither a row nor a byte of a file is left.
func (l *library) empty(id string) {
	l.T.Helper()
	if m, ok := l.row(l.Tenant.TenantID, id); ok {
		l.T.Errorf("the row is still there, %s", m.Status)
	}
	if left := slices.DeleteFunc(l.keys(), func(key string) bool { return !strings.Contains(key, id) }); len(left) > 0 {
		l.T.Errorf("bytes are left: %v", left)
	}
}

// audit fails the test if there are bytes without a row, a ready file without its bytes, or
// other bytes counted than those of the files that are shown.
func (l *library) audit() {
	l.T.Helper()
	for _, key := range l.keys() {
		part := strings.Split(key, "/")
		if _, ok := l.row(part[0], part[1]); !ok {
			l.T.Errorf("%s has no row", key)
		}
	}
	for _, m := range l.all() {
		if m.Status != mission.MediaReady {
			continue
		}
		if data := l.read(m.ID, media.Original); hashed(data) != m.Hash || int64(len(data)) != m.Bytes {
			l.T.Errorf("%s has other bytes than its row says", m.ID)
		}
		for _, v := range m.Variants {
			if data := l.read(m.ID, string(v.Platforms[0])); hashed(data) != v.Hash || int64(len(data)) != v.Bytes {
				l.T.Errorf("%s of %s has other bytes than its row says", v.Key, m.ID)
			}
		}
	}
	l.counted()
}

// counted fails the test unless all bytes that are there are counted, and what is counted is what the rows say.
func (l *library) counted() {
	l.T.Helper()
	there, sum := map[string]int64{}, int64(0)
	for _, key := range l.keys() {
		info, err := os.Stat(filepath.Join(l.folder, filepath.FromSlash(key)))
		l.Must(err)
		there[strings.Split(key, "/")[1]] += info.Size()
	}
	for _, m := range l.every() {
		if sum += m.Stored; there[m.ID] > m.Stored {
			l.T.Errorf("%s, %s, has %d bytes, its row counts %d", m.ID, m.Status, there[m.ID], m.Stored)
		}
	}
	if used := l.used(); used != sum {
		l.T.Errorf("%d bytes are counted, the rows have %d", used, sum)
	}
}

// used returns how many bytes the tenant's files count.
func (l *library) used() int64 {
	l.T.Helper()
	used, err := l.DB.MediaBytes(l.T.Context(), l.Tenant.TenantID)
	l.Must(err)
	return used
}

// every returns all files of the tenant, whatever their states.
func (l *library) every() (files []mission.Media) {
	l.T.Helper()
	for _, s := range []mission.MediaStatus{
		mission.MediaUploading, mission.MediaProcessing, mission.MediaReady, mission.MediaFailed, mission.MediaDeleting,
	} {
		part, err := l.media.List(l.T.Context(), l.Tenant, media.Filter{Status: s}, page())
		l.Must(err)
		files = append(files, part.List...)
	}
	return files
}

// read returns the bytes of a file as they are shown.
func (l *library) read(id, variant string) []byte {
	l.T.Helper()
	f, err := l.media.File(l.T.Context(), l.Tenant, id, variant)
	l.Must(err)
	data, err := l.shown(f)
	l.Must(err)
	return data
}

// shown returns the bytes of a file.
func (l *library) shown(f media.File) ([]byte, error) {
	r, turn, err := l.media.Show(l.T.Context(), f, 0, -1)
	if err != nil {
		return nil, err
	}
	defer turn.Leave()
	defer func() { _ = r.Close() }()
	return io.ReadAll(r)
}

func hashed(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// told returns how many events of a type the tenant has.
func (l *library) told(t mission.EventType) int {
	l.T.Helper()
	n, err := l.DB.CountEvents(l.T.Context(), l.Tenant.TenantID, store.EventFilter{Types: []mission.EventType{t}})
	l.Must(err)
	return n
}

// fill lets a file take bytes of the tenant's quota that aren't there.
func (l *library) fill(bytes int64) {
	l.T.Helper()
	ctx, now := l.T.Context(), l.Clock.Now()
	l.Must(l.DB.Tx(ctx, func(tx store.Tx) error {
		m, err := mission.NewMedia(tx.NewID(mission.PrefixMedia, now), l.Tenant, mission.TypeMP4, mission.MediaInput{}, now)
		if err != nil {
			return err
		}
		if err := tx.AddMedia(ctx, m); err != nil {
			return err
		}
		full := m
		full.Status, full.Kind, full.Bytes, full.Stored, full.ExpiresAt = mission.MediaFailed, mission.MediaVideo, bytes, bytes, nil
		return tx.SetMedia(ctx, m, full)
	}))
}

// life is more than what an upload may take and a removal waits for.
const life = 4 * time.Hour

// page returns the first hundred files.
func page() store.Page { return store.Page{Limit: 100} }
