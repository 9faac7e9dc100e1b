package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func site(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("GET /developers", Index(Links{GraphiQL: true, Operators: true, StartPath: "/start", CurlExample: `curl -d '<x>' "a&b"`}))
	mux.Handle("GET /developers/assets/", Index(Links{StartPath: "/start"}))
	mux.Handle("GET /graphiql", GraphiQL("/graphql"))
	mux.Handle("GET /graphiql/", GraphiQL("/graphql"))
	mux.Handle("GET /v1/docs", Reference("/v1/openapi.json"))
	mux.Handle("GET /v1/docs/", Reference("/v1/openapi.json"))
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// response is a response that was read.
type response struct {
	status int
	header http.Header
	body   string
}

// get reads a response, with a header of the request's; the transport doesn't
// unpack it.
func get(t *testing.T, url string, headers ...string) response {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := (&http.Transport{DisableCompression: true}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response{resp.StatusCode, resp.Header, string(body)}
}

var fetched = regexp.MustCompile(`(?:src|href)="([^"]+)"`)

// Every page has a policy, and whatever it makes a browser fetch is
// served, in both encodings, by the binary itself.
func TestPagesWorkOffline(t *testing.T) {
	s := site(t)
	for _, page := range []string{"/developers", "/graphiql", "/v1/docs"} {
		got := get(t, s.URL+page)
		if got.status != http.StatusOK || got.header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s returned %d, %s", page, got.status, got.header.Get("Content-Type"))
		}
		if policy := got.header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "http") {
			t.Errorf("%s has the policy %q", page, policy)
		}
		for _, m := range fetched.FindAllStringSubmatch(got.body, -1) {
			if m[1] == "data:," {
				continue // no icon
			}
			if !strings.HasPrefix(m[1], "/") || strings.HasPrefix(m[1], "//") {
				t.Errorf("%s points to %s", page, m[1])
			}
			if !strings.Contains(m[1], "/assets/") {
				continue
			}
			plain, small := get(t, s.URL+m[1]), get(t, s.URL+m[1], "Accept-Encoding", "gzip")
			if plain.status != http.StatusOK || plain.body == "" || plain.header.Get("Content-Type") == "" {
				t.Errorf("%s returned %d with %d bytes", m[1], plain.status, len(plain.body))
			}
			if small.header.Get("Content-Encoding") == "gzip" && unpacked(t, small.body) != plain.body {
				t.Errorf("%s is another file compressed", m[1])
			}
		}
	}
}

// Which body a client accepts is its to say.
func TestEncodings(t *testing.T) {
	s := site(t)
	for header, want := range map[string]string{
		"": "", "identity": "", "br": "", "gzip": "gzip", "GZIP": "gzip", "br, gzip;q=0.5": "gzip", "x-gzip": "gzip", "*": "gzip", "*, gzip;q=0": "", "gzip; q=0": "",
		"gzip;q=0.000, *": "", "*;q=0": "", "*;q=0, gzip": "gzip", "gzip;q=x": "", "notgzip": "", ",": "",
	} {
		got := get(t, s.URL+"/graphiql", "Accept-Encoding", header)
		asset := slices.IndexFunc(fetched.FindAllStringSubmatch(got.body, -1), func(m []string) bool { return strings.Contains(m[1], "/assets/") })
		if asset < 0 {
			t.Fatal("the page has no assets")
		}
		got = get(t, s.URL+fetched.FindAllStringSubmatch(got.body, -1)[asset][1], "Accept-Encoding", header)
		if encoding := got.header.Get("Content-Encoding"); encoding != want || got.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("a client that accepts %q gets %q, varying by %q", header, encoding, got.header.Get("Vary"))
		}
	}
}

func unpacked(t *testing.T, text string) string {
	t.Helper()
	r, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

func TestStartPageEscapesItsExample(t *testing.T) {
	body := get(t, site(t).URL+"/developers").body
	if strings.Contains(body, "<x>") || !strings.Contains(body, "&lt;x&gt;") {
		t.Error("the curl line isn't escaped")
	}
}

// A page links to nothing that its address doesn't serve.
func TestStartPageLinksToWhatThereIs(t *testing.T) {
	w := httptest.NewRecorder()
	Index(Links{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/developers", nil))
	for _, path := range []string{"/graphiql", "/monitoring", "/metrics"} {
		if strings.Contains(w.Body.String(), path) {
			t.Errorf("it links to %s", path)
		}
	}
}

func TestHeadHasNoBody(t *testing.T) {
	resp, err := http.Head(site(t).URL + "/v1/docs")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if body, err := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK || resp.ContentLength <= 0 || len(body) != 0 || err != nil {
		t.Errorf("got %d, %d bytes of %d, %v", resp.StatusCode, len(body), resp.ContentLength, err)
	}
}

func TestAssetsThatAreNotThere(t *testing.T) {
	s := site(t)
	for _, path := range []string{"/graphiql/assets/nope.js", "/v1/docs/assets/graphiql.js", "/graphiql/assets/", "/v1/docs/x"} {
		if got := get(t, s.URL+path); got.status != http.StatusNotFound {
			t.Errorf("%s returned %d", path, got.status)
		}
	}
}

func TestUnchangedIsNotSentAgain(t *testing.T) {
	url := site(t).URL + "/graphiql/assets/graphiql.js"
	first := get(t, url)
	if again := get(t, url, "If-None-Match", first.header.Get("ETag")); again.status != http.StatusNotModified || again.body != "" {
		t.Errorf("got %d with %d bytes", again.status, len(again.body))
	}
}
