// Package web is the pages that the binary serves: a start page, a GraphQL
// explorer and the REST reference. They work offline: every part of them is in
// the binary.
package web

import (
	"bytes"
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
	"strings"
)

//go:embed pages assets/*.gz
var files embed.FS

var templates = template.Must(template.ParseFS(files, "pages/*.html"))

// Links are what the start page shows beside its fixed links.
type Links struct {
	// GraphiQL and Operators tell whether /graphiql, and /monitoring and
	// /metrics, are served on the page's address.
	GraphiQL, Operators bool
	// CurlExample is one line that starts a mission, or "".
	CurlExample string
	// StartPath takes the token of a development run's address (POST, its body is
	// the token) and answers the demo's key; "" where there is none.
	StartPath string
}

// Index is the start page.
func Index(l Links) http.Handler {
	policy := "default-src 'none'; style-src 'self' 'unsafe-inline'"
	if l.StartPath != "" {
		policy += "; script-src 'self'; connect-src 'self'"
	}
	return withAssets("/start/assets/", page("index.html", l, policy), "start.js")
}

// The policies let a page load its own parts only. Both tools write styles into
// the page, hence 'unsafe-inline' for those.
const (
	ownParts    = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'"
	withWorkers = ownParts + "; worker-src 'self' blob:"
)

// GraphiQL is the explorer of the GraphQL API at an endpoint, to be served at
// /graphiql with its assets below. It begins with the API key that the start page
// left in its tab, or with a place to put one: no page has a key in it.
func GraphiQL(endpoint string) http.Handler {
	explorer := page("graphiql.html", map[string]string{"Endpoint": endpoint}, withWorkers)
	return withAssets("/graphiql/assets/", explorer,
		"graphiql.js", "graphiql.css", "react.js", "react-dom.js", "graphiql-start.js")
}

// Reference is the REST reference of the OpenAPI document at a path, to be
// served at /v1/docs with its assets below.
func Reference(specURL string) http.Handler {
	return withAssets("/v1/docs/assets/", page("reference.html", specURL, ownParts), "rapidoc.js")
}

// page answers a template, the same at each request.
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
		_, _ = w.Write(content) // the caller is gone where this fails
	}
}

// withAssets returns the assets named below a prefix, and next for the rest.
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
		case strings.HasPrefix(r.URL.Path, prefix) || r.URL.Path != "/" && r.URL.Path != path.Clean(strings.TrimSuffix(prefix, "/assets/")):
			http.NotFound(w, r)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// asset is a file of a page, in both encodings.
type asset struct {
	kind         string
	plain, small []byte
}

// load reads an asset: one of another project's, compressed, or one of ours.
func load(name string) asset {
	a := asset{kind: mime.TypeByExtension(path.Ext(name))}
	small, err := files.ReadFile("assets/" + name + ".gz")
	if err != nil {
		if a.plain, err = files.ReadFile("pages/" + name); err != nil {
			panic("bug: there is no asset " + name)
		}
		return a
	}
	a.small = small
	unpacked, err := gzip.NewReader(bytes.NewReader(small))
	if err != nil {
		panic("bug: the asset " + name + ": " + err.Error())
	}
	if a.plain, err = io.ReadAll(unpacked); err != nil {
		panic("bug: the asset " + name + ": " + err.Error())
	}
	return a
}

// ServeHTTP answers the asset, compressed where the caller takes that.
func (a asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-cache") // asked for each time, sent once: the ETag tells
	w.Header().Set("Vary", "Accept-Encoding")
	if a.small != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		serve(w, r, a.kind, a.small)
		return
	}
	serve(w, r, a.kind, a.plain)
}

// Message is a page of a few words.
type Message struct{ Title, Text string }

// Say answers a request with a message.
func Say(w http.ResponseWriter, _ *http.Request, status int, m Message) {
	var text bytes.Buffer
	if err := templates.ExecuteTemplate(&text, "message.html", m); err != nil {
		panic("bug: the page message.html: " + err.Error())
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes()) // the caller is gone where this fails
}
