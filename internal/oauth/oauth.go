// Package oauth is the authorization server for agents: OAuth 2.1 with PKCE, for public clients. It speaks HTTP alone;
// its rules are in package mission, its operations in internal/service/agents, and people consent on a page of the
// console.
//
// Sources: OAuth 2.1 (draft), RFC 6749, 7009, 7591, 7636, 8252, 8414, 8707, 9207, 9700 and 9728, OAuth Client ID Metadata
// Document (draft), and the Model Context Protocol's authorization of 2026-07-28.
package oauth

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"missiond/internal/httpserver"
	"missiond/internal/jsonwire"
	"missiond/internal/service/agents"
	"missiond/mission"
)

// Paths of the server. The description of the resource is at the root too, where some clients look first.
const (
	AuthorizePath = "/oauth/authorize"
	TokenPath     = "/oauth/token" //nolint:gosec // a path
	RegisterPath  = "/oauth/register"
	RevokePath    = "/oauth/revoke"
	ServerPath    = "/.well-known/oauth-authorization-server"
	ResourcePath  = "/.well-known/oauth-protected-resource"
)

// ConsentPath is the console's page of consent, below its own address.
const ConsentPath = "/console/agents/authorize"

// requestLimit bounds how long a request may take; reading a client's document is the longest part of one.
const requestLimit = 15 * time.Second

// Options are what New needs.
type Options struct {
	Agents *agents.Service
	// ConsoleURL is where browsers find the console, without a trailing slash; "" if that is where they are.
	ConsoleURL string
	// Address returns the address of a request's sender.
	Address func(r *http.Request) string
}

// Server is the authorization server.
type Server struct{ Options }

// New returns a server.
func New(o Options) *Server { return &Server{o} }

// Patterns are the routes of the server that a caller without credentials pays for, by address.
var Patterns = []string{
	"GET " + AuthorizePath, "POST " + TokenPath, "POST " + RegisterPath, "POST " + RevokePath,
}

// Handle registers the server's routes.
func (s *Server) Handle(handle func(pattern string, h http.Handler)) {
	handle("GET "+AuthorizePath, timed(s.authorize))
	for path, h := range map[string]http.HandlerFunc{TokenPath: s.token, RegisterPath: s.register, RevokePath: s.revoke} {
		handle("POST "+path, anyOrigin(http.MethodPost, timed(h)))
		handle("OPTIONS "+path, anyOrigin(http.MethodPost, nil))
	}
	for path, text := range map[string][]byte{ServerPath: s.describeServer(), ResourcePath: s.describeResource(), ResourcePath + "/mcp": s.describeResource()} {
		handle("GET "+path, anyOrigin(http.MethodGet, httpserver.Public(document(text))))
		handle("OPTIONS "+path, anyOrigin(http.MethodGet, nil))
	}
}

func timed(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), requestLimit)
		defer cancel()
		w.Header().Set("Cache-Control", "no-store")
		next(w, r.WithContext(ctx))
	})
}

// anyOrigin lets pages of any origin call: they have no credentials of the person's here. A preflight ends with it.
func anyOrigin(method string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		if next != nil {
			h.Set("Access-Control-Expose-Headers", "Retry-After")
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Methods", method)
		h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, MCP-Protocol-Version")
		h.Set("Access-Control-Max-Age", "600")
		w.WriteHeader(http.StatusNoContent)
	})
}

func document(text []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(text) // fails only if the caller is gone
	})
}

// failure is the body of an error (RFC 6749, section 5.2).
type failure struct {
	Error       string `json:"error"`
	Description string `json:"error_description"`
}

// fail responds to a client with an error.
func fail(w http.ResponseWriter, r *http.Request, err error) {
	var refused *mission.AgentRefusal
	if errors.As(err, &refused) {
		status := http.StatusBadRequest
		if refused.Code == mission.RefusedClient {
			status = http.StatusUnauthorized
		}
		write(w, status, failure{refused.Code, refused.Text})
		return
	}
	m := httpserver.Shown(r.Context(), err)
	if m.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(m.RetryAfter))
	}
	switch m.Code {
	case mission.CodeRateLimitExceeded:
		write(w, http.StatusTooManyRequests, failure{"temporarily_unavailable", m.Message})
	case mission.CodeServiceUnavailable:
		write(w, http.StatusServiceUnavailable, failure{"temporarily_unavailable", m.Message})
	case mission.CodePayloadTooLarge:
		write(w, http.StatusRequestEntityTooLarge, failure{mission.RefusedRequest, m.Message})
	case mission.CodeInternal:
		write(w, http.StatusInternalServerError, failure{"server_error", "Something went wrong here; try again."})
	default:
		write(w, http.StatusBadRequest, failure{mission.RefusedRequest, m.Message})
	}
}

func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = jsonwire.Write(w, v) // an error means that the client is gone
}
