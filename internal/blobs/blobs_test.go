package blobs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"go.uber.org/goleak"
	"gocloud.dev/blob"
	"golang.org/x/sync/errgroup"

	"missiond/internal/servers"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
)

// envPut has the program put what it reads into the store at this address, for TestKilled.
const envPut = "MISSIOND_TEST_PUT"

func TestMain(m *testing.M) {
	if address := os.Getenv(envPut); address != "" {
		s, err := Open(context.Background(), address)
		if err == nil {
			_, err = s.Put(context.Background(), "a/killed", "video/mp4", os.Stdin, MaxBytes)
		}
		fmt.Fprintln(os.Stderr, "it wasn't killed:", err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"), goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"))
}

// onFolder returns the address of a folder.
func onFolder(t *testing.T) string { return "file://" + filepath.Join(t.TempDir(), "files") }

func open(t *testing.T, address string) *Store {
	t.Helper()
	s, err := Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// each runs a test on a folder and on servers of S3.
func each(t *testing.T, test func(t *testing.T, address string)) {
	t.Helper()
	t.Run("folder", func(t *testing.T) { test(t, onFolder(t)) })
	eachS3(t, func(t *testing.T, addr string) { test(t, servers.S3URL(addr, "files")) })
}

// pattern reads n bytes that repeat only after a prime number, so that parts differ; then it
// returns err, or io.EOF.
type pattern struct {
	n, at int64
	err   error
	// each is called for each read, with what was read before.
	each func(at int64)
}

func (p *pattern) Read(b []byte) (int, error) {
	if p.each != nil {
		p.each(p.at)
	}
	if p.at == p.n {
		if p.err != nil {
			return 0, p.err
		}
		return 0, io.EOF
	}
	start := p.at % int64(len(repeated)/2)
	n := copy(b[:min(int64(len(b)), p.n-p.at)], repeated[start:])
	p.at += int64(n)
	return n, nil
}

var repeated = func() []byte {
	const prime = 65_521
	half := make([]byte, prime)
	for i := range half {
		half[i] = byte(i * i >> 3)
	}
	return append(half, half...)
}()

func content(t *testing.T, n int64) []byte {
	t.Helper()
	b, err := io.ReadAll(&pattern{n: n})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func put(t *testing.T, s *Store, key string, n int64) Written {
	t.Helper()
	w, err := s.Put(t.Context(), key, "image/png", &pattern{n: n}, n)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// get returns what a Get returns, read to its end.
func get(t *testing.T, s *Store, key string, offset, length int64) ([]byte, Attributes, error) {
	t.Helper()
	r, attrs, err := s.Get(t.Context(), key, offset, length)
	if err != nil {
		return nil, attrs, err
	}
	b, err := io.ReadAll(r)
	if closed := r.Close(); err == nil {
		err = closed
	}
	return b, attrs, err
}

// stored returns what is in a store: its files, and parts of files that nobody sees.
func stored(t *testing.T, s *Store) (names []string) {
	t.Helper()
	b, ok := s.place.(bucket)
	if !ok {
		if err := filepath.WalkDir(s.place.(folder).path, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				names = append(names, path)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return names
	}
	for files := b.List(&blob.ListOptions{}); ; {
		file, err := files.Next(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, file.Key)
	}
	uploads, err := b.client.ListMultipartUploads(t.Context(), &s3.ListMultipartUploadsInput{Bucket: &b.name})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range uploads.Uploads {
		names = append(names, "parts of "+*u.Key)
	}
	return names
}

// What was put comes back, whole and in ranges, whether it is sent in one part or in several.
func TestRoundTrip(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		s := open(t, address)
		for _, n := range []int64{0, 1, partBytes - 1, partBytes, partBytes + 1, 11 << 20} {
			want := content(t, n)
			sum := sha256.Sum256(want)
			if w := put(t, s, "t1/m1/original", n); w != (Written{n, hex.EncodeToString(sum[:])}) {
				t.Errorf("%d bytes: %+v was written", n, w)
			}
			got, attrs, err := get(t, s, "t1/m1/original", 0, -1)
			if err != nil || !bytes.Equal(got, want) || attrs != (Attributes{n, "image/png"}) {
				t.Errorf("%d bytes: got %d, %+v, %v", n, len(got), attrs, err)
			}
			for _, r := range []struct{ offset, length int64 }{
				{0, 1}, {0, n}, {0, n + 1}, {n / 2, 100}, {n - 1, -1}, {n - 1, MaxBytes * 2}, {n, 1}, {n, -1}, {n + 1, 1}, {MaxBytes + 1, -1},
			} {
				if r.offset < 0 || r.length == 0 || r.offset == 0 && r.length == -1 {
					continue
				}
				got, attrs, err := get(t, s, "t1/m1/original", r.offset, r.length)
				if r.offset >= n {
					if !errors.Is(err, ErrRange) {
						t.Errorf("%d bytes, from %d: got %d, %v", n, r.offset, len(got), err)
					}
					continue
				}
				end := n
				if r.length > 0 {
					end = min(n, r.offset+r.length)
				}
				if err != nil || !bytes.Equal(got, want[r.offset:end]) || attrs.Bytes != n {
					t.Errorf("%d bytes, %d from %d: got %d, %+v, %v", n, r.length, r.offset, len(got), attrs, err)
				}
			}
		}
		if n, err := s.Sweep(t.Context()); n != 0 || err != nil {
			t.Errorf("%d swept, %v", n, err)
		}
		if err := s.Check(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// A Put that fails leaves what was there before, and nothing else.
func TestFailedPut(t *testing.T) {
	broken := errors.New("no space left on device")
	const large = 2*partBytes + 1000
	each(t, func(t *testing.T, address string) {
		s := open(t, address)
		put(t, s, "a/kept", 10)
		before := len(stored(t, s))
		for name, c := range map[string]struct {
			n, most int64
			err     error
			want    error
		}{
			"too large by a byte":         {11, 10, nil, ErrTooLarge},
			"nothing is allowed":          {1, 0, nil, ErrTooLarge},
			"too large in a later part":   {large, large - 1, nil, ErrTooLarge},
			"much too large":              {1 << 40, partBytes, nil, ErrTooLarge},
			"its reader fails at once":    {0, 10, broken, broken},
			"its reader fails later":      {large, MaxBytes, broken, broken},
			"its reader fails at a part":  {partBytes, MaxBytes, broken, broken},
			"it ends unexpectedly":        {100, 1000, io.ErrUnexpectedEOF, io.ErrUnexpectedEOF},
			"its reader fails at the end": {10, 10, broken, broken},
		} {
			for _, key := range []string{"a/kept", "a/new"} {
				_, err := s.Put(t.Context(), key, "image/png", &pattern{n: c.n, err: c.err}, c.most)
				if !errors.Is(err, c.want) {
					t.Errorf("%s: got %v", name, err)
				}
			}
			if left := stored(t, s); len(left) != before {
				t.Errorf("%s: it left %v", name, left)
			}
		}
		if got, _, err := get(t, s, "a/kept", 0, -1); err != nil || len(got) != 10 {
			t.Errorf("got %d bytes, %v", len(got), err)
		}
	})
}

// A Put ends when its context does or its reader stalls, even within a read.
func TestPutEnds(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		s := open(t, address)
		for _, n := range []int64{10, partBytes + 10, 2*partBytes + 10} {
			for name, want := range map[string]error{"canceled": context.Canceled, "stalled": ErrStalled} {
				ctx, cancel := context.WithCancel(t.Context())
				release := make(chan struct{})
				s.stall = await.Long()
				if errors.Is(want, ErrStalled) {
					s.stall = 300 * time.Millisecond
				}
				_, err := s.Put(ctx, "a/new", "image/png", &pattern{n: n + 1, each: func(at int64) {
					if at < n {
						return
					}
					if !errors.Is(want, ErrStalled) {
						cancel()
					}
					<-release
				}}, MaxBytes)
				if close(release); !errors.Is(err, want) {
					t.Errorf("%s after %d bytes: %v", name, n, err)
				}
				cancel()
				if left := stored(t, s); len(left) > 0 {
					t.Errorf("%s after %d bytes: it left %v", name, n, left)
				}
			}
		}
	})
}

// What a process leaves that is killed within a Put isn't seen, and is swept when it is old.
func TestKilled(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		s := open(t, address)
		program, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), program)
		cmd.Env = append(os.Environ(), envPut+"="+address)
		in, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(in, &pattern{n: 3 * partBytes})
		await.Until(t, "a part arrives", func() bool { return len(stored(t, s)) > 0 })
		if err := errors.Join(err, cmd.Process.Kill()); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		_ = in.Close()

		if _, _, err := get(t, s, "a/killed", 0, -1); !errors.Is(err, ErrNotFound) {
			t.Errorf("got %v", err)
		}
		if _, ok := s.place.(folder); ok { // whose times are the file system's
			for _, file := range stored(t, s) {
				if err := os.Chtimes(file, time.Now(), time.Now()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if n, err := s.Sweep(t.Context()); n != 0 || err != nil {
			t.Errorf("%d that are new were swept, %v", n, err)
		}
		put(t, s, "a/there", 10)
		n, err := s.place.sweep(t.Context(), time.Now().Add(time.Hour))
		if left := stored(t, s); n != 1 || err != nil || strings.Contains(fmt.Sprint(left), "killed") {
			t.Errorf("%d were swept, %v; left is %v", n, err, left)
		}
		if _, _, err := get(t, s, "a/there", 0, -1); err != nil {
			t.Error(err)
		}
	})
}

func TestDeleteAll(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		s := open(t, address)
		var many errgroup.Group
		many.SetLimit(8)
		number := 3
		if testkit.Nightly() {
			number = 1_003 // more than a page of a list
		}
		for i := range number {
			many.Go(func() error {
				_, err := s.Put(t.Context(), fmt.Sprintf("t1/many/%d", i), "image/png", &pattern{n: 1}, 1)
				return err
			})
		}
		if err := many.Wait(); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"t1/a", "t1/b/c", "t2", "t10/a", "t3/t1/a"} {
			put(t, s, key, 1)
		}
		for _, prefix := range []string{"t1/", "t1/", "t1/b/", "t2/", "never/"} {
			if err := s.DeleteAll(t.Context(), prefix); err != nil {
				t.Errorf("%s: %v", prefix, err)
			}
		}
		for key, want := range map[string]error{"t1/many/2": ErrNotFound, "t1/a": ErrNotFound, "t1/b/c": ErrNotFound, "t2": nil, "t10/a": nil, "t3/t1/a": nil} {
			if _, _, err := get(t, s, key, 0, -1); !errors.Is(err, want) {
				t.Errorf("%s: got %v, want %v", key, err, want)
			}
		}
		if left := stored(t, s); strings.Contains(fmt.Sprint(left), "/t1/many") {
			t.Errorf("left is %v", left)
		}
	})
}

// A file of half a gibibyte costs a few parts of memory.
func TestMemory(t *testing.T) {
	testkit.Full(t)
	t.Run("folder", func(t *testing.T) { checkMemory(t, onFolder(t)) })
	t.Run("versitygw", func(t *testing.T) { checkMemory(t, servers.S3URL(versitygw(t), "files")) })
}

func checkMemory(t *testing.T, address string) {
	t.Helper()
	s := open(t, address)
	const most, every = 16 << 20, 1 << 20
	var peak, read, next int64
	runtime.GC()
	base := heap()
	source := &pattern{n: MaxBytes, each: func(at int64) {
		if read = at; at >= next {
			next = at + every
			peak = max(peak, heap()-base)
		}
	}}
	w, err := s.Put(t.Context(), "a/video", "video/mp4", source, MaxBytes)
	if err != nil || w.Bytes != MaxBytes || read != MaxBytes {
		t.Fatalf("%+v was written of %d bytes, %v", w, read, err)
	}
	t.Logf("it took %.1f MiB at most", float64(peak)/(1<<20))
	if peak >= most {
		t.Errorf("it took %d bytes, want fewer than %d", peak, most)
	}
	r, _, err := s.Get(t.Context(), "a/video", 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.New()
	n, err := io.Copy(hash, r)
	if err := errors.Join(err, r.Close()); err != nil || n != MaxBytes || hex.EncodeToString(hash.Sum(nil)) != w.Hash {
		t.Errorf("got %d bytes, %v", n, err)
	}
}

// heap returns how many bytes of the heap are used, or not collected yet.
func heap() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
