package graph

import (
	"io"
	"net/http"

	"missiond/graph/exec"
	"missiond/graph/sdl"
	"missiond/internal/httpserver"
)

// Definition returns a handler that serves the schema in GraphQL's schema
// definition language.
func Definition() http.Handler {
	text := definition()
	return httpserver.Public(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/graphql; charset=utf-8")
		_, _ = io.WriteString(w, text) // fails only if the client is gone
	}))
}

func definition() string { return sdl.Print(exec.Schema()) }
