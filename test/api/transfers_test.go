package api

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/app"
	"missiond/internal/blobs"
	"missiond/internal/gateway"
	"missiond/internal/httpserver"
	"missiond/internal/mediafile/mediatest"
	"missiond/internal/service/accounts"
	"missiond/internal/service/media"
	"missiond/internal/service/missions"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/mission"
)

// countedFiles is a store of files that counts what is opened and closed, and may be full.
type countedFiles struct {
	media.Files

	opened, closed, puts atomic.Int64
	full                 atomic.Bool
}

func (f *countedFiles) Get(ctx context.Context, key string, offset, length int64) (io.ReadCloser, blobs.Attributes, error) {
	r, a, err := f.Files.Get(ctx, key, offset, length)
	if err == nil {
		f.opened.Add(1)
		r = closing{r, &f.closed}
	}
	return r, a, err
}

func (f *countedFiles) Put(ctx context.Context, key, contentType string, r io.Reader, most int64) (blobs.Written, error) {
	if f.full.Load() {
		return blobs.Written{}, fmt.Errorf("put: %w", blobs.ErrFull)
	}
	f.puts.Add(1)
	return f.Files.Put(ctx, key, contentType, r, most)
}

type closing struct {
	io.ReadCloser

	closed *atomic.Int64
}

func (c closing) Close() error {
	c.closed.Add(1)
	return c.ReadCloser.Close()
}

// transfers is a process whose server is the program's, with a client's patience of its own.
type transfers struct {
	*harness

	app     *app.App
	address string
	files   *countedFiles
}

func newTransfers(t *testing.T, clientsPatience time.Duration) *transfers {
	t.Helper()
	s := newHarness(t, testkit.SQLite)
	x := &transfers{harness: s, files: &countedFiles{Files: s.files()}}
	x.app = s.another(func(c *app.Config) {
		c.Limits = gateway.NewLimits(gateway.LimitsOptions{Limiter: &boundless{}, Now: s.real.Now})
		c.Files, c.Patience = x.files, clientsPatience
	})
	server := httptest.NewUnstartedServer(nil)
	server.Config = httpserver.New(x.app.Handler(app.Pages{}), slog.New(slog.DiscardHandler))
	server.Start()
	testkit.Cleanup(t, server.Close)
	x.address = server.Listener.Addr().String()
	return x
}

// connect begins a request, as text, on a connection of its own.
func (x *transfers) connect(text string) net.Conn {
	x.t.Helper()
	conn, err := (&net.Dialer{}).DialContext(x.t.Context(), "tcp", x.address)
	x.must(err)
	x.t.Cleanup(func() { _ = conn.Close() })
	_, err = io.WriteString(conn, text)
	x.must(err)
	return conn
}

// head returns the beginning of a request with headers, each a line.
func (x *transfers) head(method, path string, headers ...string) string {
	return method + " " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + x.key + "\r\n" + strings.Join(append(headers, "", ""), "\r\n")
}

// httpAnswer is a response that was read whole.
type httpAnswer struct {
	status int
	header http.Header
	body   string
}

// answer reads the response on a connection.
func (x *transfers) answer(conn net.Conn, method string) httpAnswer {
	x.t.Helper()
	x.must(conn.SetReadDeadline(time.Now().Add(await.Long())))
	r, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	x.must(err)
	defer func() { _ = r.Body.Close() }()
	body, err := io.ReadAll(r.Body)
	x.must(err)
	return httpAnswer{r.StatusCode, r.Header, string(body)}
}

// wantError fails the test unless a response is an error's envelope with a status and words.
func (x *transfers) wantError(what string, r httpAnswer, status int, words string) {
	x.t.Helper()
	var e struct {
		Error struct{ Code, Message string }
	}
	if err := json.Unmarshal([]byte(r.body), &e); err != nil || r.status != status || e.Error.Code == "" || !strings.Contains(r.body, words) {
		x.t.Errorf("%s: got a %d: %s, want %d with %q", what, r.status, r.body, status, words)
	}
}

// addresses returns those at which the bytes of one file are shown, with the bytes.
func (x *transfers) addresses() (paths map[string]string, data string) {
	x.t.Helper()
	ctx, p := x.t.Context(), x.principal()
	id, at := x.picture(p), x.clock.Now().Add(time.Minute)
	on := x.make(restAPI{x.harness}, map[string]any{"start_immediately": true, "platforms": []any{"twitter"}})
	c, err := x.Missions.CreateContent(ctx, p, missions.ContentInput{
		MissionID: on, Platform: mission.Twitter, Text: new("Look."), Media: []mission.MediaChoice{{MediaID: id}}, ScheduledAt: &at,
	})
	x.must(err)
	x.clock.Advance(time.Minute)
	m, err := x.Media.Media(ctx, p, id)
	x.must(err)
	return map[string]string{
		"with a key":            "/v1/media/" + id + "/file",
		"of a post":             x.app.Media.PostLink(p.TenantID, c.Media[0]),
		"with a signature":      x.app.Media.Link(m, ""),
		"of the original":       x.app.Media.Link(m, media.Original),
		"fetched by a platform": strings.TrimPrefix(x.app.Media.Open(c, c.Media[0]).Address, "http://media.example/base"),
	}, string(mediatest.JPEG(8, 8))
}

// However a range is asked for, the file is opened once at most.
func TestRangesOfFiles(t *testing.T) {
	t.Parallel()
	x := newTransfers(t, await.Long())
	paths, data := x.addresses()
	size := len(data)
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ",%d-%d", 2*(i%100), 2*(i%100))
		}
		return "Range: bytes=" + b.String()[1:]
	}
	for name, path := range paths {
		status := x.answer(x.connect(x.head("GET", path)), "GET")
		tag := status.header.Get("ETag")
		if status.status != http.StatusOK || status.body != data || tag == "" || status.header.Get("Accept-Ranges") != "bytes" {
			t.Fatalf("%s: got a %d with %v", name, status.status, status.header)
		}
		for _, c := range []struct {
			method, headers string
			status          int
			body            string
			opens           int64
		}{
			{"GET", "Range: bytes=10-19", 206, data[10:20], 1},
			{"GET", "Range: BYTES=-5", 206, data[size-5:], 1},
			{"GET", fmt.Sprintf("Range: bytes=%d-", size-1), 206, data[size-1:], 1},
			{"GET", "Range: bytes=10-19\r\nIf-Range: " + tag, 206, data[10:20], 1},
			{"GET", "Range: bytes=10-19\r\nIf-Range: \"other\"", 200, data, 1},
			{"GET", "Range: items=0-1", 200, data, 1},
			{"GET", "Range: bytes=0-0,2-2", 200, data, 1},
			{"GET", many(60_000), 200, data, 1},
			{"GET", many(60_000) + "\r\nIf-Range: " + tag, 200, data, 1},
			{"HEAD", "Range: bytes=10-19", 200, "", 1},
			{"GET", "If-None-Match: \"other\", W/" + tag + "\r\nRange: bytes=1-1", 304, "", 0},
			{"HEAD", "If-None-Match: *", 304, "", 0},
			{"GET", "If-Match: " + tag, 200, data, 1},
			{"GET", "If-Match: \"other\"", 412, "", 0},
			{"GET", "Range: bytes=-0", 416, "", 0},
			{"GET", fmt.Sprintf("Range: bytes=%d-", size), 416, "", 0},
			{"GET", "Range: bytes=5-4", 416, "", 0},
		} {
			before := x.files.opened.Load()
			got := x.answer(x.connect(x.head(c.method, path, c.headers)), c.method)
			opens, what := x.files.opened.Load()-before, fmt.Sprintf("%s: %s with %.60q", name, c.method, c.headers)
			if c.status >= http.StatusBadRequest {
				x.wantError(what, got, c.status, "")
			} else if got.status != c.status || got.body != c.body {
				t.Errorf("%s: got a %d of %d bytes", what, got.status, len(got.body))
			}
			if opens != c.opens {
				t.Errorf("%s: the file was opened %d times", what, opens)
			}
			if want := fmt.Sprintf("bytes */%d", size); c.status == 416 && got.header.Get("Content-Range") != want {
				t.Errorf("%s: got the header %q, want %q", what, got.header.Get("Content-Range"), want)
			}
			if whole := got.header.Get("Content-Length"); c.method == "HEAD" && c.status == http.StatusOK && whole != fmt.Sprint(size) {
				t.Errorf("%s: got a length of %s", what, whole)
			}
		}
	}
	await.Until(x.t, "all are closed", func() bool { return x.files.opened.Load() == x.files.closed.Load() })
}

// A reader that takes nothing is left after a while; a tenant has so many at once, and others have theirs.
func TestSlowReaders(t *testing.T) {
	t.Parallel()
	x := newTransfers(t, 300*time.Millisecond)
	const size = 16 << 20 // more than the network holds
	p := x.principal()
	m, err := x.Media.Upload(t.Context(), p, media.Upload{ContentType: mission.TypeMP4, Size: size}, io.LimitReader(endless{}, size))
	x.must(err)
	path := x.app.Media.Link(m, media.Original)
	slow := x.connect(x.head("GET", path))
	await.Until(x.t, "the reader is left", func() bool { return x.files.closed.Load() == 1 })
	x.must(slow.SetReadDeadline(time.Now().Add(await.Long())))
	r, err := http.ReadResponse(bufio.NewReader(slow), nil)
	x.must(err)
	if n, err := io.Copy(io.Discard, r.Body); err == nil || n >= size {
		t.Errorf("the slow reader got %d bytes of %d (%v)", n, size, err)
	}
	_ = r.Body.Close()
	if got := x.answer(x.connect(x.head("GET", path)), "GET"); len(got.body) != size {
		t.Errorf("a fast one got a %d of %d bytes", got.status, len(got.body))
	}

	f, err := x.app.Media.File(t.Context(), p, m.ID, media.Original)
	x.must(err)
	const most = 64
	for range most {
		bytes, turn, err := x.app.Media.Show(t.Context(), f, 0, -1)
		x.must(err)
		defer turn.Leave()
		defer func() { _ = bytes.Close() }()
	}
	got := x.answer(x.connect(x.head("GET", path)), "GET")
	if x.wantError("one too many", got, http.StatusTooManyRequests, "Too many downloads at once: 64"); got.header.Get("Retry-After") == "" {
		t.Error("there is no Retry-After")
	}
	x.key = x.keys["theirs"]
	theirs := x.app.Media.Link(must(x.Media.Media(t.Context(), x.principal(), x.picture(x.principal()))), "")
	if got := x.answer(x.connect(x.head("GET", theirs)), "GET"); got.status != http.StatusOK {
		t.Errorf("another tenant's reader got a %d: %s", got.status, got.body)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// trickle sends a piece each 20 ms until the connection is closed, and closes the channel that it returns then.
func trickle(conn net.Conn, piece string) <-chan struct{} {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for range tick.C {
			if _, err := io.WriteString(conn, piece); err != nil {
				return
			}
		}
	}()
	return closed
}

const formType = "Content-Type: multipart/form-data; boundary=xyz"

// chunk returns a piece of a chunked body.
func chunk(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }

// What surrounds a form's file is bounded in bytes, and takes an upload's turn.
func TestFormsThatDontBegin(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	x := newTransfers(t, await.Long())
	x.key = x.keys["theirs"]
	chunked := x.head("POST", "/v1/media", formType, "Transfer-Encoding: chunked")
	part := "--xyz\r\nContent-Disposition: form-data; name=\"file\"\r\nContent-Type: image/png\r\n\r\n" + string(mediatest.PNG(20, 20)) + "\r\n--xyz\r\n"
	for name, begins := range map[string]string{"before the file": "", "after the file": part} {
		for what, repeated := range map[string]string{"lines": "not the boundary\r\n", "a header": "X-A: b\r\n", "a line": "no end"} {
			conn, sent := x.connect(chunked+chunk(begins+"\r\n")), 0
			for line := chunk(strings.Repeat(repeated, 1000)); sent < 64<<20; sent += len(line) {
				if _, err := io.WriteString(conn, line); err != nil {
					break
				}
			}
			if sent >= 64<<20 {
				t.Errorf("%s %s: all was taken", what, name)
			}
		}
	}
	if n, _ := x.storedFiles(begun); n != 0 {
		t.Errorf("%d files are stored", n)
	}
	x.key = x.keys["ours"]
	whole := upload{contentType: mission.TypePNG, data: mediatest.PNG(20, 20)}
	send := func() httpAnswer {
		return x.answer(x.connect(x.head("POST", "/v1/media", "Content-Type: image/png", fmt.Sprint("Content-Length: ", len(whole.data)))+string(whole.data)), "POST")
	}
	await.Until(x.t, "four uploads are under way", func() bool {
		x.connect(x.head("POST", "/v1/media", formType, "Transfer-Encoding: chunked") + chunk("a line\r\n"))
		return send().status == http.StatusTooManyRequests
	})
	x.wantError("a fifth", send(), http.StatusTooManyRequests, "4 of a tenant are allowed")
	x.key = x.keys["theirs"]
	await.Until(x.t, "the other tenant's have ended", func() bool { return send().status != http.StatusTooManyRequests })
	if got := send(); got.status != http.StatusCreated {
		t.Errorf("another tenant's is a %d: %s", got.status, got.body)
	}
}

// Bodies that hardly arrive end, wherever that is, and so does what is left of them; each is told why.
func TestSlowUploads(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	x := newTransfers(t, 300*time.Millisecond)
	a, err := x.app.Media.CreateUpload(t.Context(), x.principal(), media.Upload{ContentType: mission.TypeMP4, Size: 1 << 20})
	x.must(err)
	part := "--xyz\r\nContent-Disposition: form-data; name=\"file\"\r\nContent-Type: image/png\r\n\r\nbytes"
	for name, c := range map[string]struct{ head, begins, piece string }{
		"the bytes":            {x.head("POST", "/v1/media", "Content-Type: video/mp4", "Content-Length: 400000000"), "", "a"},
		"prepared":             {x.head("PUT", a.Path, "Content-Type: video/mp4", "Content-Length: 1048576"), "", "a"},
		"nothing of them":      {x.head("POST", "/v1/media", "Content-Type: video/mp4", "Content-Length: 400000000"), "", ""},
		"before a form's file": {x.head("POST", "/v1/media", formType, "Transfer-Encoding: chunked"), chunk("a\r\n"), chunk("a\r\n")},
		"a form's file":        {x.head("POST", "/v1/media", formType, "Transfer-Encoding: chunked"), chunk(part), chunk("a")},
		"a field":              {x.head("POST", "/v1/media", formType, "Transfer-Encoding: chunked"), chunk("--xyz\r\nContent-Disposition: form-data; name=\"alt_text\"\r\n\r\n"), chunk("a")},
		"after a form's file":  {x.head("POST", "/v1/media", formType, "Transfer-Encoding: chunked"), chunk(part + "\r\n--xyz\r\n"), chunk("X-A: b\r\n")},
	} {
		conn := x.connect(c.head + c.begins)
		closed := trickle(conn, c.piece)
		x.wantError(name, x.answer(conn, "POST"), http.StatusBadRequest, "too slowly: at least 8192 bytes a second")
		_ = conn.Close()
		<-closed
	}
	if log := x.log.String(); strings.Contains(log, "internal_error") || strings.Contains(log, `"level":"ERROR"`) {
		t.Errorf("the log has %s", log)
	}
}

// Tenants whose uploads are slow leave a turn to each other tenant.
func TestSlowUploadsOfOthers(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	x := newTransfers(t, await.Long())
	shared, taken := 16, int64(0)
	for i := range 8 {
		_, key, err := x.Accounts.CreateTenant(t.Context(), accounts.NewTenant{Name: fmt.Sprint("slow ", i), Plan: mission.PlanFree})
		x.must(err)
		x.key = key
		for own := range 4 {
			conn := x.connect(x.head("POST", "/v1/media", "Content-Type: video/mp4", "Content-Length: 200000000"))
			if own > 0 && shared == 0 {
				x.wantError("one more", x.answer(conn, "POST"), http.StatusServiceUnavailable, "Too many uploads of all tenants")
				continue
			}
			if taken++; own > 0 {
				shared--
			}
			trickle(conn, "a")
			await.Until(x.t, "the upload is under way", func() bool { return x.files.puts.Load() == taken })
		}
	}
	data := string(mediatest.PNG(20, 20))
	x.key = x.keys["theirs"]
	if got := x.answer(x.connect(x.head("POST", "/v1/media", "Content-Type: image/png", fmt.Sprint("Content-Length: ", len(data)))+data), "POST"); got.status != http.StatusCreated {
		t.Errorf("got a %d: %s", got.status, got.body)
	}
	a, err := x.app.Media.CreateUpload(t.Context(), x.principal(), media.Upload{ContentType: mission.TypePNG, Size: int64(len(data))})
	x.must(err)
	if got := x.answer(x.connect(x.head("PUT", a.Path, "Content-Type: image/png", fmt.Sprint("Content-Length: ", len(data)))+data), "PUT"); got.status != http.StatusOK {
		t.Errorf("a prepared one got a %d: %s", got.status, got.body)
	}
}

// Faults of clients, and a store that is full, are told as what they are.
func TestFaultsOfUploads(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	x := newTransfers(t, await.Long())
	data := string(mediatest.PNG(20, 20))
	field := func(name, text string) string {
		return "--xyz\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + text + "\r\n"
	}
	file := "--xyz\r\nContent-Disposition: form-data; name=\"file\"\r\nContent-Type: image/png\r\n\r\n" + data + "\r\n"
	post := func(contentType, body string, headers ...string) string {
		return x.head("POST", "/v1/media", append(headers, "Content-Type: "+contentType, fmt.Sprint("Content-Length: ", len(body)))...) + body
	}
	form := func(body string) string { return post("multipart/form-data; boundary=xyz", body) }
	a, err := x.app.Media.CreateUpload(t.Context(), x.principal(), media.Upload{ContentType: mission.TypePNG, Size: 1000})
	x.must(err)
	prepared := x.head("PUT", a.Path, "Content-Type: image/png", "Content-Length: 1000")
	big := strings.Repeat("a", 1000)
	for name, c := range map[string]struct {
		sent   string
		cut    bool // half of the connection is closed
		status int
		words  string
	}{
		"no last boundary":               {form(file), false, 400, "The form could not be read."},
		"only a beginning of another":    {form(file + "--xyz\r\n"), false, 400, ""},
		"an end in a field":              {form("--xyz\r\nContent-Disposition: form-data; name=\"alt_text\"\r\n\r\nab"), false, 400, "The form could not be read."},
		"bytes that are cut":             {x.head("POST", "/v1/media", "Content-Type: image/png", "Content-Length: 1000") + data, true, 400, "The body could not be read."},
		"prepared bytes that are cut":    {prepared + data, true, 400, "The body could not be read."},
		"prepared bytes of another size": {x.head("PUT", a.Path, "Content-Type: image/png", "Content-Length: 999"), false, 400, `"param":"Content-Length"`},
		"a form that is cut":             {x.head("POST", "/v1/media", formType, "Content-Length: 1000") + file, true, 400, "could not be read."},
		"a text twice before":            {form(field("alt_text", "a") + field("alt_text", "b") + file + "--xyz--\r\n"), false, 400, "Duplicate field."},
		"a text before and after":        {form(field("alt_text", "a") + file + field("alt_text", "a") + "--xyz--\r\n"), false, 400, "Duplicate field."},
		"another before and after":       {form(field("description", "a") + file + field("description", "") + "--xyz--\r\n"), false, 400, "Duplicate field."},
		"a part":                         {post("image/png", data, "Content-Range: bytes 0-9/20"), false, 400, `"param":"Content-Range"`},
		"a prepared part":                {strings.Replace(prepared, "\r\n\r\n", "\r\nContent-Range: bytes 0-999/2000\r\n\r\n", 1) + big, false, 400, `"param":"Content-Range"`},
		"nothing of a prepared upload":   {x.head("PUT", a.Path, "Content-Type: image/png", "Content-Length: 0", "Content-Range: bytes */100"), false, 400, `"param":"Content-Range"`},
		"a part of an update":            {x.head("PUT", "/v1/media/"+a.ID, "Content-Type: application/json", "Content-Length: 2", "Content-Range: bytes 0-1/9") + "{}", false, 400, `"param":"Content-Range"`},
		"a text":                         {post("text/html", data), false, 415, "image/png"},
	} {
		conn := x.connect(c.sent)
		if tcp, ok := conn.(*net.TCPConn); c.cut && ok {
			x.must(tcp.CloseWrite())
		}
		x.wantError(name, x.answer(conn, "POST"), c.status, c.words)
	}
	if log := x.log.String(); strings.Contains(log, `"level":"ERROR"`) {
		t.Errorf("the log has %s", log)
	}
	for _, contentType := range []string{"image/jpg", "IMAGE/PNG", "image/heif", "image/heic-sequence", "video/x-m4v", "image/png; a=b", "application/octet-stream"} {
		if got := x.answer(x.connect(post(contentType, data)), "POST"); got.status != http.StatusCreated {
			t.Errorf("%s: got a %d: %s", contentType, got.status, got.body)
		}
		body := fmt.Sprintf(`{"content_type":%q,"bytes":10}`, contentType)
		got := x.answer(x.connect(x.head("POST", "/v1/media/uploads", "Content-Type: application/json", fmt.Sprint("Content-Length: ", len(body)))+body), "POST")
		if got.status != http.StatusCreated {
			t.Errorf("prepared as %s: got a %d: %s", contentType, got.status, got.body)
		}
	}
	x.files.full.Store(true)
	got := x.answer(x.connect(post("image/png", data)), "POST")
	if x.wantError("a full store", got, http.StatusServiceUnavailable, "The store of files is full."); got.header.Get("Retry-After") == "" {
		t.Error("there is no Retry-After")
	}
}
