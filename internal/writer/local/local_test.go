package local

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit/await"
)

// serve starts a server on loopback and returns its port.
func serve(t *testing.T, h http.HandlerFunc) Port {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(u.Port())
	if err != nil {
		t.Fatal(err)
	}
	return Port{n, "Test"}
}

func responds(status int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" || r.Method != http.MethodGet {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

const (
	isJSON = "application/json"
	good   = `{"object":"list","data":[{"id":"nomic-embed-text"},{"id":"llama3.1:8b","object":"model"},{"id":"qwen3"}]}`
)

func TestFind(t *testing.T) {
	hanging := make(chan struct{})
	reached := make(chan struct{}, 1)
	elsewhere := serve(t, func(w http.ResponseWriter, r *http.Request) {
		reached <- struct{}{}
		responds(200, isJSON, good)(w, r)
	})
	liars := map[string]http.HandlerFunc{
		"hangs": func(http.ResponseWriter, *http.Request) { <-hanging },
		"drips": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", isJSON)
			w.(http.Flusher).Flush()
			<-hanging
		},
		"is huge": responds(200, isJSON, `{"data":[{"id":"`+strings.Repeat("x", maxBody)+`"}]}`),
		"redirects": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:"+strconv.Itoa(elsewhere.Number)+"/v1/models", http.StatusTemporaryRedirect)
		},
		"is a page":           responds(200, "text/html", good),
		"asks for a key":      responds(401, isJSON, good),
		"is no list":          responds(200, isJSON, `{"data":"x"}`),
		"is empty":            responds(200, isJSON, `{"data":[]}`),
		"isn't JSON":          responds(200, isJSON, `<html>`),
		"has names that lie":  responds(200, isJSON, `{"data":[{"id":"a\u001b[2J"},{"id":"b\nc"},{"id":"`+strings.Repeat("x", 201)+`"}]}`),
		"is only an embedder": responds(200, isJSON, `{"data":[{"id":"text-embedding-3"}]}`),
	}
	ports := []Port{{1, "Nobody"}}
	for _, h := range liars {
		ports = append(ports, serve(t, h))
	}
	first, second := serve(t, responds(200, isJSON+"; charset=utf-8", good)), serve(t, responds(200, isJSON, `{"data":[{"id":"m"}]}`))
	t.Cleanup(func() { close(hanging) }) // before the servers are closed, which wait for it
	start := time.Now()
	found := Find(t.Context(), append(ports, first, second))
	if took := time.Since(start); took > await.Within(10*wait) {
		t.Errorf("the search took %s", took)
	}
	if len(found) != 2 || !slices.Equal(found[0].Models, []string{"llama3.1:8b", "qwen3"}) || found[0].URL != "http://127.0.0.1:"+strconv.Itoa(first.Number)+"/v1" || found[1].Models[0] != "m" {
		t.Errorf("found %+v", found)
	}
	select {
	case <-reached:
		t.Error("a redirect was followed")
	default:
	}
}

func TestChoose(t *testing.T) {
	servers := []Server{{URL: "a", Models: []string{"x"}}, {URL: "b", Models: []string{"y", "z"}}}
	for model, want := range map[string]string{"": "a x", "z": "b z", "none": " "} {
		s, chosen, err := Choose(servers, model)
		if got := s.URL + " " + chosen; got != want || (err != nil) != (want == " ") {
			t.Errorf("for %q got %q (%v), want %q", model, got, err, want)
		}
	}
	if _, _, err := Choose(nil, ""); err == nil || !strings.Contains(err.Error(), "11434 (Ollama)") {
		t.Errorf("without a server got %v", err)
	}
}
