package console

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"

	"missiond/internal/httpserver"
	"missiond/internal/identity"
	"missiond/internal/service/accounts"
	"missiond/mission"
	"missiond/web"
)

// Paths of the sign-in, below the console's.
const (
	LoginPath    = web.ConsoleRoot + "login"
	CallbackPath = web.ConsoleRoot + "callback"
	LogoutPath   = web.ConsoleRoot + "logout"
)

// SignIn signs people in and out.
type SignIn struct {
	Cookies *Cookies
	// Provider asks the identity provider who somebody is; nil if there is none.
	Provider *Provider
	// Dev signs in whoever says so, in development; nil elsewhere.
	Dev Issuer
	// DevOrganization is the demo tenant's organization at the development provider.
	DevOrganization string
	// DevSpeed is how many times faster than real time the development's clock runs.
	DevSpeed float64
	// Clock is the real one.
	Clock accounts.Clock
	Log   *slog.Logger
}

// Issuer issues tokens of the development identity provider.
type Issuer interface {
	Token(who identity.DevPerson, life time.Duration) (string, error)
}

// devLife is how long a token of the development provider is valid: it is used at once.
const devLife = time.Minute

// maxForm limits the form of the development's sign-in, in bytes: a character of its fields, the address and the path, may
// take 12 of them.
const maxForm = 16 << 10

// Handle registers the sign-in.
func (s *SignIn) Handle(handle func(pattern string, h http.Handler)) {
	handle("GET "+LoginPath, http.HandlerFunc(s.login))
	handle("GET "+CallbackPath, http.HandlerFunc(s.callback))
	handle("POST "+LogoutPath, http.HandlerFunc(s.logout))
	if s.Dev != nil {
		handle("POST "+LoginPath, httpserver.OwnPages(http.HandlerFunc(s.enter), func(w http.ResponseWriter, r *http.Request, err error) {
			s.refuse(w, r, err, nil)
		}))
	}
}

// login sends a browser to the identity provider or, in development, shows who one may
// be.
func (s *SignIn) login(w http.ResponseWriter, r *http.Request) {
	next := returnTo(r.FormValue("next"))
	_, left := r.URL.Query()["signed_out"]
	switch {
	case s.Dev != nil:
		web.SignIn(w, http.StatusOK, web.SignInPage{Path: LoginPath, Next: next, Roles: roles(), Speed: s.DevSpeed})
	case s.Provider == nil:
		web.SignIn(w, http.StatusNotFound, web.SignInPage{Title: "Nobody can sign in yet", Text: "The operator has to name the identity provider: --idp-issuer, --idp-client-id, --idp-client-secret and --console-url."})
	case left:
		web.SignIn(w, http.StatusOK, web.SignInPage{Title: "You are signed out", Link: LoginPath, LinkText: "Sign in again"})
	default:
		s.send(w, r, next)
	}
}

func roles() []string {
	var names []string
	for _, r := range mission.AllRoles() {
		names = append(names, string(r))
	}
	return names
}

// enter signs in whoever the development's form says.
func (s *SignIn) enter(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	page := web.SignInPage{Path: LoginPath, Next: returnTo(r.FormValue("next")), Roles: roles(), Speed: s.DevSpeed}
	who := identity.DevPerson{
		Email: "demo@missiond.invalid", Name: "Demo admin", Organization: s.DevOrganization, OrganizationRole: string(mission.RoleAdmin),
	}
	if r.FormValue("as") != "demo" {
		email, role := strings.TrimSpace(r.FormValue("email")), r.FormValue("role")
		page.Email, page.Role = email, role
		if a, err := mail.ParseAddress(email); err != nil || a.Address != email || len(email) > 254 {
			page.Problem = "Enter an e-mail address, such as ana@example.com."
		} else if !slices.Contains(roles(), role) {
			page.Problem = "Choose a role."
		}
		if page.Problem != "" {
			web.SignIn(w, http.StatusBadRequest, page)
			return
		}
		who.Email, who.Name, who.OrganizationRole = email, "", role
	}
	token, err := s.Dev.Token(who, devLife)
	var issued accounts.Issued
	if err == nil {
		issued, err = s.Cookies.Sessions.Login(r.Context(), token)
	}
	if err != nil {
		page.Problem = httpserver.Shown(r.Context(), err).Message
		web.SignIn(w, statusOf(err), page)
		return
	}
	s.enterAs(w, r, issued)
	http.Redirect(w, r, page.Next, http.StatusSeeOther)
}

// enterAs stores the session of a sign-in, and ends the one that the browser had.
func (s *SignIn) enterAs(w http.ResponseWriter, r *http.Request, issued accounts.Issued) {
	if old := s.Cookies.token(r); old != "" {
		if err := s.Cookies.Sessions.Revoke(r.Context(), old); err != nil && mission.CodeOf(err) != mission.CodeUnauthorized {
			s.Log.Warn("console: end the earlier session", "error", err, "request_id", httpserver.RequestID(r.Context()))
		}
	}
	s.Cookies.setSession(w, issued)
}

// logout ends the session.
func (s *SignIn) logout(w http.ResponseWriter, r *http.Request) {
	if !s.Cookies.own(r) {
		web.SignIn(w, http.StatusForbidden, web.SignInPage{Title: "You are still signed in", Text: "Another site asked to sign you out.", Link: web.ConsoleRoot, LinkText: "Back to the console"})
		return
	}
	if token := s.Cookies.token(r); token != "" {
		if err := s.Cookies.Sessions.Revoke(r.Context(), token); err != nil && mission.CodeOf(err) != mission.CodeUnauthorized {
			web.SignIn(w, statusOf(err), web.SignInPage{
				Title: "You are still signed in", Text: httpserver.Shown(r.Context(), err).Message, Link: web.ConsoleRoot, LinkText: "Back to the console",
			})
			return
		}
	}
	s.Cookies.forget(w, sessionName)
	http.Redirect(w, r, LoginPath+"?signed_out", http.StatusSeeOther)
}

// maxNext is the longest path that a sign-in leads to, in bytes: cookies have it, of which a
// browser stores 4 KiB and a proxy takes 8 KiB together.
const maxNext = 512

// returnTo returns the path of the console to which a sign-in leads: the given one, if it
// is one; of one that is too long, the page without its parameters.
func returnTo(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" || !strings.HasPrefix(next, web.ConsoleRoot) ||
		strings.Contains(next, `\`) || strings.Contains(u.Path, "//") || strings.Contains(u.Path, "/..") {
		return web.ConsoleRoot
	}
	if len(u.String()) > maxNext {
		u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = "", false, "", ""
	}
	if len(u.String()) > maxNext {
		return web.ConsoleRoot
	}
	return u.String()
}

// statusOf returns the status of a page that shows an error.
func statusOf(err error) int {
	statuses := map[mission.Code]int{
		mission.CodeUnauthorized: http.StatusForbidden, mission.CodeForbidden: http.StatusForbidden, mission.CodeConflict: http.StatusForbidden,
		mission.CodeRateLimitExceeded: http.StatusTooManyRequests, mission.CodeServiceUnavailable: http.StatusServiceUnavailable,
	}
	return cmp.Or(statuses[mission.CodeOf(err)], http.StatusInternalServerError)
}
