package mcpserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"missiond/internal/gateway"
	"missiond/internal/httpserver"
	"missiond/internal/jsonwire"
	"missiond/mission"
)

// Limits of a request: the bytes of its body, and its time once it has its turn.
const (
	maxBody      = 1 << 20
	requestLimit = 30 * time.Second
)

// asked are the scopes that a client without a token is asked to request: those of all tools. The
// person who allows it may narrow them. Clients that hold a refresh token can't ask for more later.
var asked = []mission.Scope{
	mission.ScopeMissionsRead, mission.ScopeMissionsWrite, mission.ScopeContentRead, mission.ScopeContentWrite, mission.ScopeAnalyticsRead, mission.ScopeIntegrationsRead,
}

// guard refuses requests of pages that may not call, and all but POST: there are neither streams
// nor sessions.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		httpserver.SetRoute(r.Context(), Path)
		switch {
		case !s.allowsHost(r):
			s.fail(w, r, &mission.Error{Code: mission.CodeForbidden, Message: "The Host header isn't that of this service."})
		case !s.allowsOrigin(r):
			s.fail(w, r, &mission.Error{Code: mission.CodeForbidden, Message: "Pages of this origin may not call."})
		case r.Method != http.MethodPost:
			w.Header().Set("Allow", http.MethodPost)
			s.fail(w, r, &mission.Error{Code: mission.CodeMethodNotAllowed, Message: "Only POST is allowed: there are no streams and no sessions."})
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// allowsHost reports whether a request's host may be that of this service: what arrives at a
// loopback address is for it or, through a proxy, for the public URL. Any other name is one that a
// page has had resolved to this machine.
func (s *Server) allowsHost(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok || !isLoopback(local.String()) {
		return true
	}
	public, err := url.Parse(s.public)
	return isLoopback(r.Host) || err == nil && public.Host != "" && strings.EqualFold(public.Host, r.Host)
}

// allowsOrigin reports whether the page that sent a request, if one did, may call.
func (s *Server) allowsOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	public, err := url.Parse(s.public)
	own := err == nil && public.Host != "" && strings.EqualFold(origin, public.Scheme+"://"+public.Host)
	page, err := url.Parse(origin) // of this machine itself, at the address that it calls
	local := err == nil && isLoopback(r.Host) && strings.EqualFold(page.Host, r.Host)
	return own || local || httpserver.AllowsOrigin(s.origins, origin)
}

// isLoopback reports whether a host, with or without a port, is this machine.
func isLoopback(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.Trim(hostport, "[]")
	}
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

func (s *Server) route() gateway.Route {
	return gateway.Route{
		MaxBody: maxBody, Limit: requestLimit, Fail: s.fail,
		Read: func(w http.ResponseWriter, r *http.Request) ([]byte, error) { return nil, checkRequest(w, r) },
		// The keys of idempotent calls are arguments of tools.
		Repeatable: func(*http.Request) bool { return true },
	}
}

func checkRequest(w http.ResponseWriter, r *http.Request) error {
	t, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || t != "application/json" {
		return &mission.Error{Code: mission.CodeUnsupportedMedia, Message: "The body must be application/json."}
	}
	if len(r.Header.Values(httpserver.IdempotencyHeader)) > 0 {
		return mission.Invalid(httpserver.IdempotencyHeader, "The key of a call is its tool's argument idempotency_key.")
	}
	return cmp.Or(httpserver.CheckCharset(params), httpserver.CheckWhole(r), httpserver.CheckEncoding(w, r))
}

// message is what is needed of a JSON-RPC request before the protocol's server runs it.
type message struct {
	id     json.RawMessage
	method string
	params struct {
		Name string `json:"name"`
		URI  string `json:"uri"`
	}
}

// messageOf reads a request as the protocol's server does, which refuses what isn't one. Parameters that have a name
// twice are left to it: what it runs checks the scopes itself.
func messageOf(body []byte) (m message) {
	read, err := jsonrpc.DecodeMessage(body)
	request, ok := read.(*jsonrpc.Request)
	if err != nil || !ok {
		return m
	}
	m.method = request.Method
	m.id, _ = json.Marshal(request.ID.Raw()) // a string or a number
	if jsonwire.Value(request.Params, &m.params) != nil {
		m.params.Name, m.params.URI = "", ""
	}
	return m
}

// checked checks a message before the protocol's server has it: it is one message, and its caller
// has the scopes of what it calls. The answer to one who hasn't names them, so that the client can
// ask a person for more.
func (s *Server) checked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body) // as it was read before, within its limit
		if err != nil {
			s.fail(w, r, err)
			return
		}
		if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
			s.fail(w, r, mission.Invalid("", "A request has one message, not a batch."))
			return
		}
		m := messageOf(body)
		if m.method == "subscriptions/listen" {
			refuse(w, http.StatusOK, m.id, codeMethodNotFound, shownError{Message: "Nothing here changes that could be listened to."})
			return
		}
		httpserver.SetOperation(r.Context(), "mcp") // unless it runs a tool
		if op := s.operationOf(m); op != "" {
			if err := caller(r.Context()).Permits(op); err != nil {
				s.stepUp(w, r, m, op, err)
				return
			}
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.Header.Set("Accept", "application/json, text/event-stream") // one that takes JSON alone gets it
		next.ServeHTTP(w, carrying(r))
	})
}

// operationOf returns the operation that a message needs, or "".
func (s *Server) operationOf(m message) mission.Operation {
	switch m.method {
	case "tools/call":
		if t := s.tools[m.params.Name]; t != nil {
			return t.op
		}
	case "resources/read":
		if res, _, ok := resourceOf(m.params.URI); ok {
			return res.op
		}
	}
	return ""
}

// stepUp refuses a call for lack of a scope. Errors of the caller itself aren't about scopes.
func (s *Server) stepUp(w http.ResponseWriter, r *http.Request, m message, op mission.Operation, err error) {
	if mission.CodeOf(err) != mission.CodeForbidden {
		s.fail(w, r, err)
		return
	}
	policy, _ := mission.PolicyOf(op)
	s.challenge(w, `error="insufficient_scope"`, append(slices.Clone(caller(r.Context()).Scopes), policy.Scope))
	refuse(w, http.StatusForbidden, m.id, codeRefused, errorOf(r.Context(), err))
}

// challenge sets the header that tells a client how it gets a token.
func (s *Server) challenge(w http.ResponseWriter, failure string, scopes []mission.Scope) {
	params := []string{`realm="missiond"`}
	if failure != "" {
		params = append(params, failure)
	}
	if s.public != "" {
		params = append(params, `resource_metadata="`+s.public+`/.well-known/oauth-protected-resource`+Path+`"`)
	}
	names := make([]string, len(scopes))
	for i, scope := range scopes {
		names[i] = string(scope)
	}
	slices.Sort(names)
	params = append(params, `scope="`+strings.Join(slices.Compact(names), " ")+`"`)
	w.Header().Set("WWW-Authenticate", "Bearer "+strings.Join(params, ", "))
}

// Codes of JSON-RPC errors.
const (
	codeMethodNotFound = -32601
	codeRefused        = -32000
)

// fail responds to a request that doesn't reach the protocol's server.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	shown := errorOf(r.Context(), err)
	switch {
	case shown.Code == mission.CodeUnauthorized && r.Header.Get("Authorization") == "":
		s.challenge(w, "", asked)
	case shown.Code == mission.CodeUnauthorized:
		s.challenge(w, `error="invalid_token"`, asked)
	case shown.RetryAfter > 0:
		w.Header().Set("Retry-After", strconv.Itoa(shown.RetryAfter))
	}
	refuse(w, httpserver.StatusOf(shown.Code), nil, codeRefused, shown)
}

// refuse writes a JSON-RPC error.
func refuse(w http.ResponseWriter, status int, id json.RawMessage, code int, shown shownError) {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	text, err := jsonwire.Marshal(shown)
	if err != nil {
		text = []byte("{}")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{ // fails only if the caller is gone
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": cmp.Or(shown.Message, "Refused."), "data": json.RawMessage(text)},
	})
}

var errTooLong = errors.New("mcpserver: an answer is longer than any may be")
