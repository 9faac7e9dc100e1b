// Package web holds the pages that the binary serves: the console, a page for
// developers, a GraphQL explorer and the REST reference. They work offline: all of their parts are in the
// binary.
package web

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

//go:embed pages assets/*.gz
var files embed.FS

var templates = template.Must(template.ParseFS(files, "pages/*.html"))

// Links are what the page for developers shows beside its fixed links.
type Links struct {
	// GraphiQL and Operators report whether /graphiql, and /monitoring and
	// /metrics, are served on the page's address.
	GraphiQL, Operators bool
	// CurlExample is a one-line command that starts a mission, or "".
	CurlExample string
	// StartPath is where a development run's token (POST, as the body) is exchanged
	// for the demo's key; "" if there is none.
	StartPath string
}

// Index returns the handler of the page for developers, to be served at /developers with
// its assets below.
func Index(l Links) http.Handler {
	policy := "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src data:"
	if l.StartPath != "" {
		policy += "; script-src 'self'; connect-src 'self'"
	}
	return withAssets("/developers/assets/", page("index.html", l, policy), "start.js")
}

// The policies let a page load only its own parts. Both tools write styles into the
// page, hence 'unsafe-inline' for styles.
const (
	ownParts    = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'"
	withWorkers = ownParts + "; worker-src 'self' blob:"
)

// GraphiQL returns a handler of the explorer for the GraphQL API at an endpoint, to
// be served at /graphiql with its assets below. It starts with the API key that the
// start page left in its tab, or with a field to enter one: no page contains a key.
func GraphiQL(endpoint string) http.Handler {
	explorer := page("graphiql.html", map[string]string{"Endpoint": endpoint}, withWorkers)
	return withAssets("/graphiql/assets/", explorer,
		"graphiql.js", "graphiql.css", "react.js", "react-dom.js", "graphiql-start.js")
}

// Reference returns a handler of the REST reference for the OpenAPI document at a
// path, to be served at /v1/docs with its assets below. It uses Scalar, which needs
// neither 'unsafe-eval' nor a network, and has the API key that the start page left in
// its tab.
func Reference(specURL string) http.Handler {
	return withAssets("/v1/docs/assets/", page("reference.html", specURL, ownParts), "scalar.js", "reference-start.js")
}

// page returns a handler that serves a template, rendered once.
func page(name string, data any, policy string) http.Handler {
	var text bytes.Buffer
	if err := templates.ExecuteTemplate(&text, name, data); err != nil {
		panic("bug: the page " + name + ": " + err.Error())
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy+"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("Cache-Control", "no-cache")
		serve(w, r, "text/html; charset=utf-8", text.Bytes())
	})
}

// serve serves content that fits in memory.
func serve(w http.ResponseWriter, r *http.Request, kind string, content []byte) {
	w.Header().Set("Content-Type", kind)
	sum := sha256.Sum256(content)
	etag := `"` + hex.EncodeToString(sum[:8]) + `"`
	w.Header().Set("ETag", etag)
	if strings.Contains(r.Header.Get("If-None-Match"), etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(content)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(content) // fails only if the caller is gone
	}
}

// withAssets returns a handler that serves the named assets under a prefix, and
// passes the rest to next.
func withAssets(prefix string, next http.Handler, names ...string) http.Handler {
	assets := map[string]asset{}
	for _, name := range names {
		assets[prefix+name] = load(name)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, ok := assets[r.URL.Path]
		switch {
		case ok:
			a.ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, prefix) || r.URL.Path != path.Clean(strings.TrimSuffix(prefix, "/assets/")):
			http.NotFound(w, r)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// asset is a file of a page: small is compressed, nil for one that isn't, and plain
// returns it as it is.
type asset struct {
	kind  string
	small []byte
	plain func() []byte
}

// packed returns an asset that is gzip. It is unpacked for the first caller who doesn't
// accept that: few ask for it.
func packed(kind, name string, small []byte) asset {
	return asset{kind: kind, small: small, plain: sync.OnceValue(func() []byte { return unpack(name, small) })}
}

// load reads an asset: a compressed one of another project, or one of ours.
func load(name string) asset {
	kind := mime.TypeByExtension(path.Ext(name))
	if small, err := files.ReadFile("assets/" + name + ".gz"); err == nil {
		return packed(kind, name, small)
	}
	plain, err := files.ReadFile("pages/" + name)
	if err != nil {
		panic("bug: there is no asset " + name)
	}
	return asset{kind: kind, plain: func() []byte { return plain }}
}

// unpack returns the content of an asset that is gzip.
func unpack(name string, small []byte) []byte {
	unpacked, err := gzip.NewReader(bytes.NewReader(small))
	if err == nil {
		var plain []byte
		if plain, err = io.ReadAll(unpacked); err == nil {
			return plain
		}
	}
	panic("bug: the asset " + name + ": " + err.Error())
}

// ServeHTTP serves the asset, compressed if the caller accepts that.
func (a asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.serve(w, r, "no-cache") // revalidated each time, sent once: see the ETag
}

// acceptsGzip reports whether a request accepts a body as gzip (RFC 9110, section 12.5.3).
func acceptsGzip(h http.Header) bool {
	others := false
	for part := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		coding, params, err := mime.ParseMediaType(part)
		q, wrong := strconv.ParseFloat(cmp.Or(params["q"], "1"), 64)
		accepted := err == nil && wrong == nil && q > 0
		switch coding {
		case "gzip", "x-gzip":
			return accepted
		case "*":
			others = accepted
		}
	}
	return others
}

// serve is ServeHTTP with a Cache-Control.
func (a asset) serve(w http.ResponseWriter, r *http.Request, cached string) {
	w.Header().Set("Cache-Control", cached)
	w.Header().Set("Vary", "Accept-Encoding")
	if a.small != nil && acceptsGzip(r.Header) {
		w.Header().Set("Content-Encoding", "gzip")
		serve(w, r, a.kind, a.small)
		return
	}
	serve(w, r, a.kind, a.plain())
}

// Message is a page with a short message.
type Message struct {
	Title, Text string
	// Link is where the page leads, an address that the program has checked, and LinkText what it says of that; "" for
	// nowhere.
	Link     template.URL
	LinkText string
}

// Say responds to a request with a message.
func Say(w http.ResponseWriter, _ *http.Request, status int, m Message) {
	var text bytes.Buffer
	if err := templates.ExecuteTemplate(&text, "message.html", m); err != nil {
		panic("bug: the page message.html: " + err.Error())
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes()) // fails only if the caller is gone
}
