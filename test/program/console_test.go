package program

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"missiond/internal/testkit/await"
	"missiond/test/internal/missiond"
	"missiond/web"
)

// visitor is a browser at a development run's console.
type visitor struct {
	*missiond.Process

	cookie string // as it is sent; "" if nobody is signed in
}

// send sends a request with the cookie, without following redirects. A body is a form or,
// if it begins with a brace, JSON.
func (v *visitor) send(method, path, body string, headers ...string) (fetched, string) {
	v.T.Helper()
	r, err := http.NewRequest(method, v.URL+path, strings.NewReader(body))
	if err != nil {
		v.T.Fatal(err)
	}
	switch {
	case strings.HasPrefix(body, "{"):
		r.Header.Set("Content-Type", "application/json")
	case body != "":
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if v.cookie != "" {
		r.Header.Set("Cookie", v.cookie)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		v.T.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		v.T.Fatal(err)
	}
	return fetched{resp.StatusCode, resp.Header}, string(text)
}

// enter signs in by the development's form, and keeps the cookie.
func (v *visitor) enter(form url.Values) (fetched, string) {
	v.T.Helper()
	resp, text := v.send(http.MethodPost, "/console/login", form.Encode(), "Origin", v.URL, "Sec-Fetch-Site", "same-origin")
	if set := resp.Header.Get("Set-Cookie"); set != "" {
		v.cookie, _, _ = strings.Cut(set, ";")
	}
	return resp, text
}

// ask sends a GraphQL document.
func (v *visitor) ask(query string, headers ...string) (fetched, string) {
	v.T.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		v.T.Fatal(err)
	}
	return v.send(http.MethodPost, "/graphql", string(body), headers...)
}

// The console is served with its headers, and the address leads to it.
func TestConsolePages(t *testing.T) {
	v := &visitor{Process: missiond.Dev(t, t.TempDir())}
	if resp, _ := v.send(http.MethodGet, "/", ""); resp.StatusCode != http.StatusFound || resp.Header.Get("Location") != "/console/" {
		t.Errorf("/ returned %d to %q", resp.StatusCode, resp.Header.Get("Location"))
	}
	_, page := v.send(http.MethodGet, "/console/", "")
	names := regexp.MustCompile(`(?:src|href)="(/console/assets/[^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(names) < 2 {
		t.Fatalf("the page has no script or no style: %s", page)
	}
	paths := map[string]string{"/console/": "text/html", "/console/inbox": "text/html", "/console/missions/msn_1": "text/html", "/console/index.html": "text/html"}
	for _, m := range names {
		paths[m[1]] = ""
	}
	for path, kind := range paths {
		for _, encoding := range []string{"gzip, br", "identity"} {
			resp, text := v.send(http.MethodGet, path, "", "Accept-Encoding", encoding)
			cached := "no-cache"
			if strings.Contains(path, "/assets/") {
				cached = "public, max-age=31536000, immutable"
			}
			if resp.StatusCode != http.StatusOK || text == "" || resp.Header.Get("Cache-Control") != cached || resp.Header.Get("Content-Security-Policy") != web.ConsolePolicy ||
				!strings.HasPrefix(resp.Header.Get("Content-Type"), kind) || (resp.Header.Get("Content-Encoding") == "gzip") != (encoding != "identity") {
				t.Errorf("%s in %s returned %d, %v", path, encoding, resp.StatusCode, resp.Header)
			}
			for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin", "Vary": "Accept-Encoding"} {
				if got := resp.Header.Get(name); got != want {
					t.Errorf("%s has %s %q, want %q", path, name, got, want)
				}
			}
			if resp, _ := v.send(http.MethodGet, path, "", "Accept-Encoding", encoding, "If-None-Match", resp.Header.Get("ETag")); resp.StatusCode != http.StatusNotModified {
				t.Errorf("%s returned %d to its own ETag", path, resp.StatusCode)
			}
		}
	}
	for _, path := range []string{"/console/assets/", "/console/assets/nope.js", "/console/assets/../index.html"} {
		if resp, _ := v.send(http.MethodGet, path, ""); resp.StatusCode == http.StatusOK {
			t.Errorf("%s returned %d", path, resp.StatusCode)
		}
	}
}

// The cookie of a session is a credential for the console's own pages alone.
func TestConsoleCookie(t *testing.T) {
	v := &visitor{Process: missiond.Dev(t, t.TempDir())}
	const viewer = "{ viewer { authMethod user { email role } } }"
	own := []string{"Origin", v.URL, "Sec-Fetch-Site", "same-origin"}
	if resp, _ := v.ask(viewer, own...); resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a cookie: %d", resp.StatusCode)
	}
	t.Run("the sign-in", func(t *testing.T) { v.signsIn(t) })
	foreign := "https://evil.example"
	for name, tt := range map[string]struct {
		method, path, body string
		headers            []string
		status             int
	}{
		"a page of the console":          {http.MethodPost, "/graphql", `{"query":"` + viewer + `"}`, own, http.StatusOK},
		"no page":                        {http.MethodPost, "/graphql", `{"query":"` + viewer + `"}`, nil, http.StatusOK},
		"a foreign page":                 {http.MethodPost, "/graphql", `{"query":"` + viewer + `"}`, []string{"Origin", foreign}, http.StatusUnauthorized},
		"a page of the same site":        {http.MethodPost, "/graphql", `{"query":"` + viewer + `"}`, []string{"Origin", "http://127.0.0.1:1", "Sec-Fetch-Site", "same-site"}, http.StatusUnauthorized},
		"a foreign page, without Origin": {http.MethodPost, "/graphql", `{"query":"` + viewer + `"}`, []string{"Sec-Fetch-Site", "cross-site"}, http.StatusUnauthorized},
		"a sandboxed page":               {http.MethodPost, "/graphql", `{"query":"` + viewer + `"}`, []string{"Origin", "null"}, http.StatusUnauthorized},
		"another credential wins":        {http.MethodPost, "/graphql", `{"query":"` + viewer + `"}`, append([]string{"Authorization", "Bearer sk_live_no"}, own...), http.StatusUnauthorized},
		"a query by GET":                 {http.MethodGet, "/graphql?query=" + url.QueryEscape(viewer), "", []string{"Sec-Fetch-Site", "same-origin"}, http.StatusOK},
		"by GET, with a header":          {http.MethodGet, "/graphql?query=" + url.QueryEscape(viewer), "", []string{"X-Requested-With", "x"}, http.StatusOK},
		"by GET, by a foreign page":      {http.MethodGet, "/graphql?query=" + url.QueryEscape(viewer), "", []string{"Sec-Fetch-Site", "cross-site"}, http.StatusUnauthorized},
		"by GET, by nobody knows whom":   {http.MethodGet, "/graphql?query=" + url.QueryEscape(viewer), "", nil, http.StatusUnauthorized},
		"events":                         {http.MethodPost, "/graphql", `{"query":"` + viewer + `"}`, append([]string{"Accept", "text/event-stream"}, own...), http.StatusOK},
		"events, by a foreign page":      {http.MethodPost, "/graphql", `{"query":"` + viewer + `"}`, []string{"Accept", "text/event-stream", "Origin", foreign}, http.StatusUnauthorized},
		"REST":                           {http.MethodGet, "/v1/missions", "", own, http.StatusUnauthorized},
		"the session":                    {http.MethodPost, "/console/session", "", own, http.StatusNoContent},
		"the session, by a foreign page": {http.MethodPost, "/console/session", "", []string{"Origin", foreign}, http.StatusUnauthorized},
	} {
		if resp, text := v.send(tt.method, tt.path, tt.body, tt.headers...); resp.StatusCode != tt.status {
			t.Errorf("%s got %d, want %d: %s", name, resp.StatusCode, tt.status, text)
		}
	}
	for name, tt := range map[string]struct {
		origin, init string
		opens        bool
	}{
		"a page of the console": {v.URL, `{"type":"connection_init"}`, true},
		"a foreign page":        {foreign, `{"type":"connection_init"}`, false},
		"no page":               {"", `{"type":"connection_init"}`, false},
		"a foreign page with a credential of its own": {foreign, fmt.Sprintf(`{"type":"connection_init","payload":{"Authorization":"Bearer %s"}}`, v.Key), true},
	} {
		if opened := v.opens(tt.origin, tt.init); opened != tt.opens {
			t.Errorf("a socket of %s opens: %t", name, opened)
		}
	}
	signedIn := v.cookie
	if resp, _ := v.send(http.MethodPost, "/console/logout", "", "Origin", foreign); resp.StatusCode != http.StatusForbidden {
		t.Errorf("a foreign page's sign-out got %d", resp.StatusCode)
	}
	resp, _ := v.send(http.MethodPost, "/console/logout", "", own...)
	if set := resp.Header.Get("Set-Cookie"); resp.StatusCode != http.StatusSeeOther || !strings.HasPrefix(set, v.cookieName()+"=;") {
		t.Errorf("the sign-out got %d with %q", resp.StatusCode, set)
	}
	v.cookie = signedIn
	if resp, _ := v.ask(viewer, own...); resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("after the sign-out the cookie got %d", resp.StatusCode)
	}
}

// cookieName returns the name of the session's cookie, which has the port.
func (v *visitor) cookieName() string { return "missiond-" + v.URL[strings.LastIndex(v.URL, ":")+1:] }

// signsIn signs in, as others first.
func (v *visitor) signsIn(t *testing.T) {
	if resp, text := v.send(http.MethodGet, "/console/login?next=/console/inbox", ""); resp.StatusCode != http.StatusOK ||
		resp.Header.Get("Content-Security-Policy") != web.ConsolePolicy || !strings.Contains(text, "demo admin") || !strings.Contains(text, `value="/console/inbox"`) {
		t.Errorf("got the page %d, %s", resp.StatusCode, text)
	}
	for name, headers := range map[string][]string{
		"a foreign page": {"Origin", "https://evil.example"}, "a foreign site": {"Sec-Fetch-Site", "cross-site"}, "a name that was rebound": {"Host", "evil.example", "Origin", "http://evil.example"},
	} {
		if resp, _ := v.send(http.MethodPost, "/console/login", "as=demo", headers...); resp.StatusCode != http.StatusForbidden || resp.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s got %d", name, resp.StatusCode)
		}
	}
	for email, role := range map[string]string{
		"": "viewer", "ana": "viewer", "@": "viewer", strings.Repeat("a", 300) + "@example.com": "viewer", "<b>@example.com": "viewer",
		"Ana <ana@example.com>": "viewer", "ana@example.com\r\nX: y": "viewer", "ana@example.com": "root", "eva@example.com": "",
	} {
		if resp, text := v.enter(url.Values{"email": {email}, "role": {role}}); resp.StatusCode != http.StatusBadRequest || !strings.Contains(text, `role="alert"`) || strings.Contains(text, "<b>@") {
			t.Errorf("%q as %q got %d %s", email, role, resp.StatusCode, text)
		}
	}
	typed := strings.Repeat("\U0001F600", 254)
	if resp, text := v.enter(url.Values{"email": {typed}, "role": {"viewer"}}); resp.StatusCode != http.StatusBadRequest ||
		!strings.Contains(text, `value="`+typed+`"`) || !strings.Contains(text, "<option selected>viewer") {
		t.Errorf("what was typed is lost: %d %s", resp.StatusCode, text)
	}
	resp, _ := v.enter(url.Values{"email": {"o'brien@example.com"}, "role": {"viewer"}})
	if resp.StatusCode != http.StatusSeeOther {
		t.Errorf("got %d", resp.StatusCode)
	}
	if _, text := v.ask(`mutation { createMission(input: {name: "A", objectives: ["B"], platforms: [TWITTER], durationDays: 1}) { mission { id } } }`); !strings.Contains(text, `"forbidden"`) {
		t.Errorf("a viewer's creation got %s", text)
	}
	for next, want := range map[string]string{
		"/console/inbox?x=1": "/console/inbox?x=1", "": "/console/", "//evil.example": "/console/", "https://evil.example/console/": "/console/",
		"/console/../v1": "/console/", `/console/\\evil.example`: "/console/", "/v1/missions": "/console/", "/console//evil.example": "/console/", "/console/\r\nX: y": "/console/",
	} {
		if resp, _ := v.enter(url.Values{"as": {"demo"}, "next": {next}}); resp.StatusCode != http.StatusSeeOther || resp.Header.Get("Location") != want {
			t.Errorf("%q leads to %d %q, want %q", next, resp.StatusCode, resp.Header.Get("Location"), want)
		}
	}
	resp, _ = v.enter(url.Values{"as": {"demo"}})
	set := resp.Header.Get("Set-Cookie")
	for _, attribute := range []string{v.cookieName() + "=", "Path=/", "HttpOnly", "SameSite=Lax", "Expires="} {
		if !strings.Contains(set, attribute) {
			t.Errorf("the cookie has no %s: %s", attribute, set)
		}
	}
	if strings.Contains(set, "Domain") {
		t.Errorf("other hosts get the cookie: %s", set)
	}
	if _, text := v.ask("{ viewer { authMethod user { email role } tenant { slug } } }"); !strings.Contains(text, `"SESSION"`) || !strings.Contains(text, `"ADMIN"`) || !strings.Contains(text, `"demo"`) {
		t.Errorf("the demo's admin is %s", text)
	}
}

// opens reports whether a socket with the cookie is accepted.
func (v *visitor) opens(origin, init string) bool {
	v.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), await.Long())
	defer cancel()
	header := http.Header{"Cookie": {v.cookie}}
	if origin != "" {
		header.Set("Origin", origin)
	}
	conn, _, err := websocket.Dial(ctx, v.URL+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: header}) //nolint:bodyclose // it has none
	if err != nil {
		return false
	}
	defer func() { _ = conn.CloseNow() }()
	if err := conn.Write(ctx, websocket.MessageText, []byte(init)); err != nil {
		return false
	}
	_, text, err := conn.Read(ctx)
	return err == nil && bytes.Contains(text, []byte("connection_ack"))
}
