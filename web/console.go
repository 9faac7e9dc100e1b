package web

import (
	"embed"
	"errors"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// consoleFiles is the console as `make console` builds it.
//
//go:embed all:assets/console
var consoleFiles embed.FS

// Paths of the console. Those below ConsoleAssets name their content, so that they never
// change.
const (
	ConsoleRoot   = "/console/"
	ConsoleAssets = ConsoleRoot + "assets/"
)

// ConsolePolicy is the Content-Security-Policy of the console's pages: their own files and
// requests alone, and no text becomes script.
const ConsolePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; " +
	"media-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types 'none'"

// consoleKinds are the types of the console's files. The system's own table may have
// others.
var consoleKinds = map[string]string{
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2",
}

// Console returns a handler of the console, to be served below ConsoleRoot: its files,
// and for any other path its page, which finds the view for it.
func Console() http.Handler {
	assets := map[string]asset{}
	err := fs.WalkDir(consoleFiles, "assets/console", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		small, err := consoleFiles.ReadFile(name)
		if err != nil {
			return err
		}
		served, gz := strings.CutSuffix(strings.TrimPrefix(name, "assets/console/"), ".gz")
		kind := consoleKinds[path.Ext(served)]
		if !gz || kind == "" {
			return errors.New("an unexpected file: " + name)
		}
		assets[ConsoleRoot+served] = packed(kind, name, small)
		return nil
	})
	page, ok := assets[ConsoleRoot+"index.html"]
	if err != nil || !ok {
		panic("bug: the console's files: " + errors.Join(err, fs.ErrNotExist).Error())
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", ConsolePolicy)
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		a, ok := assets[r.URL.Path]
		switch {
		case ok && strings.HasPrefix(r.URL.Path, ConsoleAssets):
			a.serve(w, r, "public, max-age=31536000, immutable")
		case strings.HasPrefix(r.URL.Path, ConsoleAssets):
			http.NotFound(w, r)
		case ok:
			a.serve(w, r, "no-cache")
		default:
			page.serve(w, r, "no-cache")
		}
	})
}

// ConsoleDocuments returns the GraphQL documents that the console sends by their ids, as
// JSON.
func ConsoleDocuments() []byte {
	const name = "assets/console/documents.json.gz"
	small, err := consoleFiles.ReadFile(name)
	if err != nil {
		panic("bug: " + err.Error())
	}
	return unpack(name, small)
}
