package blobs

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/servers"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
)

func TestOpenRefuses(t *testing.T) {
	t.Setenv("AWS_REGION", "")
	t.Setenv("AWS_DEFAULT_REGION", "")
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(t.TempDir(), "none"))
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{
		"":                                  "must be file:///folder or s3://",
		"/folder":                           "must be file:///folder or s3://",
		"gs://bucket":                       "must be file:///folder or s3://",
		"file://folder":                     "must be file:///folder",
		"file:///":                          "must be file:///folder",
		"file:///folder?metadata=skip":      "without parameters",
		"file://" + file:                    "not a directory",
		"s3://":                             "must be s3://bucket",
		"s3://bucket/folder?region=r":       "without a path",
		"s3://key:secret@bucket?region=r":   "without a path, user or password",
		"s3://bucket":                       "the region is missing",
		"s3://bucket?region=r&unknown=1":    `unknown query parameter "unknown"`,
		"s3://bucket?region=r&ssetype=none": "not a valid value",
		"s3://%":                            "must be file:///folder or s3://",
		"s3://b?endpoint=https%3A%2F%2Fu%3Asecret%40h&foo=1&region=r": `unknown query parameter "foo"`,
		"s3://b?endpoint=https://u:secret@h&foo=1&region=r":           `unknown query parameter "foo"`,
		"s3://b?region=r&use_path_style=secret":                       `invalid value for "use_path_style"`,
		"s3://b?region=r&request_checksum_calculation=secret":         `invalid value for "request_checksum_calculation"`,
		"s3://b:secret@?region=r":                                     "without a path, user or password",
		"s3://u:secret/x@b?region=r":                                  "must be file:///folder or s3://",
	} {
		if _, err := Open(t.Context(), address); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v, want %q", address, err, want)
		}
	}
}

func TestKeys(t *testing.T) {
	s := open(t, onFolder(t))
	long := strings.Repeat("a", 200)
	for key, ok := range map[string]bool{
		"a": true, "t1/med_01k/original.jpg": true, "A-_.9/b": true, long + "/" + long: true,
		"": false, "/": false, "/a": false, "a/": false, "a//b": false, ".": false, "..": false, "a/..": false, "../a": false, "a/../b": false,
		"a/./b": false, ".a": false, "a/.b": false, "a b": false, "a\\b": false, "a\x00": false, "ä": false, "a\n": false, "a:b": false,
		"a.tmp": false, "a/b.attrs": false, long + "a": false, long + "/" + long + "/" + long: false,
	} {
		_, put := s.Put(t.Context(), key, "image/png", &pattern{n: 1}, 1)
		_, _, get := get(t, s, key, 0, -1)
		deleted := s.DeleteAll(t.Context(), key+"/")
		if (put == nil) != ok || (get == nil) != ok || (deleted == nil) != ok {
			t.Errorf("%q: put %v; got %v; deleted %v", key, put, get, deleted)
		}
	}
	if err := s.DeleteAll(t.Context(), "a"); err == nil {
		t.Error("a prefix that isn't a folder was taken")
	}
	for name, err := range map[string]error{
		"no content type": second(s.Put(t.Context(), "a", "", &pattern{n: 1}, 1)),
		"a content type":  second(s.Put(t.Context(), "a", "image/", &pattern{n: 1}, 1)),
		"a limit":         second(s.Put(t.Context(), "a", "image/png", &pattern{n: 1}, -1)),
		"a large limit":   second(s.Put(t.Context(), "a", "image/png", &pattern{n: 1}, MaxBytes+1)),
	} {
		if err == nil {
			t.Errorf("%s: it was taken", name)
		}
	}
	put(t, s, "a", 1)
	for _, r := range [][2]int64{{-1, 1}, {0, 0}, {0, -2}} {
		if _, _, err := s.Get(t.Context(), "a", r[0], r[1]); err == nil || errors.Is(err, ErrRange) {
			t.Errorf("%v: got %v", r, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// all returns the errors of all operations of a store.
func all(t *testing.T, s *Store) map[string]error {
	t.Helper()
	_, _, get := get(t, s, "a/b", 0, -1)
	return map[string]error{
		"Check": s.Check(t.Context()), "Get": get, "DeleteAll": s.DeleteAll(t.Context(), "a/"), "Sweep": second(s.Sweep(t.Context())),
		"Put":            second(s.Put(t.Context(), "a/b", "image/png", &pattern{n: 1}, 1)),
		"Put of parts":   second(s.Put(t.Context(), "a/b", "image/png", &pattern{n: 2 * partBytes}, MaxBytes)),
		"Put at the end": second(s.Put(t.Context(), "a/b", "image/png", &pattern{n: partBytes}, MaxBytes)),
	}
}

// A server that can't be used is never taken for one without files.
func TestUnusableServer(t *testing.T) {
	testkit.Full(t)
	addr := versitygw(t)
	address := servers.S3URL(addr, "files")
	gone, err := servers.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ address, secret, want, cause string }{
		"wrong secret":       {address, "wrong", "SignatureDoesNotMatch", "access denied"},
		"no such bucket":     {servers.S3URL(addr, "missing"), servers.S3SecretKey, "ucket", "missing"},
		"no server is there": {servers.S3URL(gone, "files"), servers.S3SecretKey, "connection refused", "unreachable"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("AWS_SECRET_ACCESS_KEY", c.secret)
			errs := all(t, open(t, c.address))
			if cause := Cause(errs["Check"]); cause != c.cause {
				t.Errorf("the cause is %q, want %q", cause, c.cause)
			}
			for operation, err := range errs {
				if err == nil || errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: got %v, want %q", operation, err, c.want)
				}
			}
		})
	}
}

// A folder that isn't there any more isn't one without files either.
func TestUnusableFolder(t *testing.T) {
	address := onFolder(t)
	s := open(t, address)
	path := strings.TrimPrefix(address, "file://")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	_, _, err := s.Get(t.Context(), "a/b", 0, -1)
	if err == nil || errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if err := s.Check(t.Context()); err == nil || Cause(err) != "missing" {
		t.Errorf("the check returned %v", err)
	}
}

// The server goes away in the middle of a Put: it ends, and what it has sent is swept.
func TestServerLeavesPut(t *testing.T) {
	eachS3(t, func(t *testing.T, addr string) {
		relay := testkit.NewRelay(t, addr)
		s := open(t, servers.S3URL(relay.Addr(), "files"))
		_, err := s.Put(t.Context(), "a/b", "video/mp4", &pattern{n: 4 * partBytes, each: func(at int64) {
			if at > 2*partBytes {
				relay.Cut()
			}
		}}, MaxBytes)
		if err == nil {
			t.Error("it was written")
		}
		relay.Mend()
		if _, _, err := get(t, s, "a/b", 0, -1); !errors.Is(err, ErrNotFound) {
			t.Errorf("got %v", err)
		}
		if n, err := s.place.sweep(t.Context(), time.Now().Add(time.Hour)); n != 1 || err != nil {
			t.Errorf("%d were swept, %v", n, err)
		}
		put(t, s, "a/b", 4*partBytes)
	})
}

// The server goes away in the middle of a Get: what was read isn't taken for all of it.
func TestServerLeavesGet(t *testing.T) {
	eachS3(t, func(t *testing.T, addr string) {
		relay := testkit.NewRelay(t, addr)
		s := open(t, servers.S3URL(relay.Addr(), "files"))
		const size = 32 << 20 // more than is under way at a time
		put(t, s, "a/b", size)
		r, _, err := s.Get(t.Context(), "a/b", 0, -1)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = r.Close() }()
		if _, err := io.ReadFull(r, make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
		relay.Cut()
		if n, err := io.Copy(io.Discard, r); err == nil {
			t.Errorf("%d further bytes were read", n)
		}
	})
}

// stub is a server that does what a handler does, with a store on it that has little patience.
func stub(t *testing.T, handler http.HandlerFunc) *Store {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "any")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "any")
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	q := url.Values{"endpoint": {server.URL}, "region": {"r"}, "use_path_style": {"true"}}
	s := open(t, "s3://files?"+q.Encode())
	s.stall = 100 * time.Millisecond
	return s
}

// A server that accepts calls and doesn't go on ends no later than a stall.
func TestStalledServer(t *testing.T) {
	s := stub(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if strings.HasSuffix(r.URL.Path, "/begun") {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, "some")
			_ = http.NewResponseController(w).Flush()
		}
		<-r.Context().Done()
	})
	if _, err := s.Put(t.Context(), "a/b", "image/png", &pattern{n: 10}, 10); !errors.Is(err, ErrStalled) {
		t.Errorf("Put: got %v", err)
	}
	if _, _, err := s.Get(t.Context(), "a/b", 0, -1); !errors.Is(err, ErrStalled) {
		t.Errorf("Get: got %v", err)
	}
	if b, _, err := get(t, s, "a/begun", 0, -1); !errors.Is(err, ErrStalled) || string(b) != "some" {
		t.Errorf("Get: got %q, %v", b, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, _, err := s.Get(ctx, "a/begun", 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	s.stall = await.Long()
	cancel()
	if _, err := io.Copy(io.Discard, r); !errors.Is(err, context.Canceled) {
		t.Errorf("Get: got %v", err)
	}
	_ = r.Close()
}

// A call may take longer than a stall, if it goes on; and who reads may pause.
func TestSlowServer(t *testing.T) {
	const pieces = 10
	s := stub(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10")
		for range pieces {
			_, _ = io.WriteString(w, "a")
			_ = http.NewResponseController(w).Flush()
			<-time.After(50 * time.Millisecond)
		}
	})
	s.stall = 400 * time.Millisecond
	r, _, err := s.Get(t.Context(), "a/b", 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	<-time.After(2 * s.stall)
	first := make([]byte, 1)
	if _, err := io.ReadFull(r, first); err != nil {
		t.Fatal(err)
	}
	<-time.After(2 * s.stall)
	rest, err := io.ReadAll(r)
	if err := errors.Join(err, r.Close()); err != nil || string(first)+string(rest) != strings.Repeat("a", pieces) {
		t.Errorf("got %q and %q, %v", first, rest, err)
	}
}

// drip returns a reader of some bytes, each of which comes only after a time.
func drip(n int, each time.Duration) io.Reader {
	in, out := io.Pipe()
	go func() {
		for range n {
			<-time.After(each)
			_, _ = out.Write([]byte("a"))
		}
		_ = out.Close()
	}()
	return in
}

// A Put may take longer than a stall too: in its reader, and in what is sent.
func TestSlowPut(t *testing.T) {
	const pieces, stall = 10, 400 * time.Millisecond
	s := open(t, onFolder(t))
	s.stall = stall
	if w, err := s.Put(t.Context(), "a/b", "image/png", drip(pieces, stall/4), pieces); err != nil || w.Bytes != pieces {
		t.Errorf("%+v was written, %v", w, err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	defer server.Close()
	ctx, w := watched(t.Context(), stall)
	defer w.end()
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, server.URL, drip(pieces, stall/4))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := httpClient().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
}

// A response without a file isn't read without end.
func TestEndlessResponses(t *testing.T) {
	const most = maxAnswer + 16<<20 // with what is under way
	var exceeded atomic.Bool
	s := stub(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if !strings.HasSuffix(r.URL.Path, "/a/b") {
			_, _ = io.WriteString(w, "<ListBucketResult>")
		} else {
			w.WriteHeader(http.StatusBadRequest)
		}
		for sent := 0; ; {
			n, err := io.WriteString(w, strings.Repeat("a", 1<<16))
			if sent += n; err != nil {
				return
			}
			if sent > most {
				exceeded.Store(true)
				return
			}
		}
	})
	s.stall = await.Long()
	for operation, err := range all(t, s) {
		if err == nil {
			t.Errorf("%s: it succeeded", operation)
		}
	}
	if exceeded.Load() {
		t.Errorf("more than %d bytes of a response were read", most)
	}
}
