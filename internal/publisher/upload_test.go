package publisher_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

func fileOf(content string, says int64) mission.File {
	return mission.File{
		PostMedia: mission.PostMedia{Bytes: says, ContentType: mission.TypePNG},
		Open:      func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil },
	}
}

// seekable is a file that can be read from anywhere.
type seekable struct {
	*bytes.Reader

	sought *int64
}

func (s seekable) Close() error { return nil }

func (s seekable) Seek(offset int64, whence int) (int64, error) {
	*s.sought = offset
	return s.Reader.Seek(offset, whence)
}

func TestChunk(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789"), publisher.MaxChunk/10+1)
	size, sought := int64(len(content)), int64(-1)
	plain := fileOf(string(content), size)
	sought0 := plain
	sought0.Open = func(context.Context) (io.ReadCloser, error) { return seekable{bytes.NewReader(content), &sought}, nil }
	for name, f := range map[string]mission.File{"a stream": plain, "a file": sought0} {
		for _, c := range []struct{ from, to int64 }{{0, publisher.MaxChunk}, {publisher.MaxChunk, size}, {size, size}} {
			got, err := publisher.Chunk(t.Context(), f, c.from)
			if err != nil || !bytes.Equal(got, content[c.from:c.to]) {
				t.Errorf("%s from %d: %d bytes, %v", name, c.from, len(got), err)
			}
		}
	}
	if sought != size {
		t.Errorf("the file is sought to %d", sought)
	}
	plain.Bytes++
	if _, err := publisher.Chunk(t.Context(), plain, publisher.MaxChunk); !unread(err) {
		t.Errorf("of a file that is too short: %v", err)
	}
}

func unread(err error) bool {
	var pe *mission.PublishError
	return errors.As(err, &pe) && pe.Outcome == mission.OutcomeNotAccepted && pe.Failure.Code == publisher.CodeFileUnread
}

// A file is sent in a form as it is, or the request fails: no server takes a part of it for the
// whole.
func TestForm(t *testing.T) {
	var name, field, content string
	h := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil || r.ContentLength <= 0 {
			t.Errorf("the type is %q, the length %d", r.Header, r.ContentLength)
		}
		form, err := multipart.NewReader(r.Body, params["boundary"]).ReadForm(1 << 20)
		if err != nil {
			return
		}
		field = form.Value["a"][0]
		file, err := form.File["file"][0].Open()
		if err != nil {
			t.Error(err)
			return
		}
		all, _ := io.ReadAll(file)
		name, content = form.File["file"][0].Filename, string(all)
	}))
	defer h.Close()
	client := publisher.NewClient(h.Client(), time.Now)
	send := func(f mission.File) error {
		file, err := publisher.Open(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		form, err := publisher.NewForm(url.Values{"a": {"b\r\nc"}}, "file", f.ContentType, file, f.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL, form)
		if err != nil {
			t.Fatal(err)
		}
		req.ContentLength = form.Length
		req.Header.Set("Content-Type", form.ContentType)
		_, err = client.Upload(req, time.Minute)
		return err
	}
	if err := send(fileOf("four", 4)); err != nil || name != "file.png" || field != "b\r\nc" || content != "four" {
		t.Errorf("got %q %q %q, %v", name, field, content, err)
	}
	for _, says := range []int64{3, 5} {
		content = ""
		if err := send(fileOf("four", says)); !unread(err) || content != "" {
			t.Errorf("as %d bytes: %q, %v", says, content, err)
		}
	}
}

// An upload has a client and a limit of its own.
func TestUploadLimit(t *testing.T) {
	h := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer h.Close()
	client := publisher.NewClient(&http.Client{Transport: refusing{}}, time.Now).Uploading(h.Client())
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Upload(req, 50*time.Millisecond)
	var pe *mission.PublishError
	if !errors.As(err, &pe) || pe.Outcome != mission.OutcomeUnknown || pe.Failure.Code != publisher.CodeUnreachable {
		t.Errorf("got %v", err)
	}
	if err := publisher.Repeatable(err); !errors.As(err, &pe) || pe.Outcome != mission.OutcomeNotAccepted {
		t.Errorf("a step ends with %v", err)
	}
}

// refusing is a transport that makes no call.
type refusing struct{}

// RoundTrip implements [http.RoundTripper].
func (refusing) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("no calls here")
}

func TestTrusts(t *testing.T) {
	const local = "http://127.0.0.1:8080"
	for address, want := range map[string]bool{
		"https://media.example/a?b=c": true, local + "/a": true, "http://127.0.0.1:8081/a": false, "http://media.example/a": false,
		"https://u:p@media.example/": false, "https:a": false, "file:///etc/passwd": false, "": false, "://": false,
	} {
		if got := publisher.Trusts(address, local); got != want {
			t.Errorf("%q: %t", address, got)
		}
	}
	if publisher.Trusts("http://api.example/a", "https://api.example") {
		t.Error("bytes go unencrypted where calls don't")
	}
}
