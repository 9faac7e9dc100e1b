package oauth_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"missiond/internal/oauth"
	"missiond/internal/testkit"
	"missiond/store"
)

// The descriptions are what clients compare, pages of any origin may read them and call the endpoints, and a request that is
// in order leads to the console's page.
func TestMetadata(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testkit.SQLite(t, store.Options{}), nil)
	server := w.get(oauth.ServerPath)
	for name, want := range map[string]string{
		"issuer": issuer, "authorization_endpoint": issuer + "/oauth/authorize", "token_endpoint": issuer + "/oauth/token",
		"registration_endpoint": issuer + "/oauth/register", "revocation_endpoint": issuer + "/oauth/revoke",
	} {
		w.want(name, server.text(name), want)
	}
	if _, ok := server.body["jwks_uri"]; ok {
		t.Error("there are no keys")
	}
	for _, path := range []string{oauth.ResourcePath, oauth.ResourcePath + "/mcp"} {
		w.want(path, w.get(path).text("resource"), resource)
		w.want(path+"'s server", w.get(path).body["authorization_servers"].([]any)[0], any(issuer))
	}
	for path, method := range map[string]string{
		oauth.TokenPath: http.MethodPost, oauth.RegisterPath: http.MethodPost, oauth.RevokePath: http.MethodPost, oauth.ServerPath: http.MethodGet,
		oauth.ResourcePath: http.MethodGet, oauth.ResourcePath + "/mcp": http.MethodGet,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodOptions, path, nil)
		r.Header.Set("Origin", "https://inspector.example")
		r.Header.Set("Access-Control-Request-Method", method)
		a := w.send(r)
		w.want(path+" preflight", a.Code, http.StatusNoContent)
		w.want(path+" origin", a.Header().Get("Access-Control-Allow-Origin"), "*")
		w.want(path+" method", a.Header().Get("Access-Control-Allow-Methods"), method)
		w.want(path+" credentials", a.Header().Get("Access-Control-Allow-Credentials"), "")
	}
	a := w.authorize(w.asking())
	w.want("a request", a.Code, http.StatusSeeOther)
	w.want("its Cache-Control", a.Header().Get("Cache-Control"), "no-store")
	to, err := url.Parse(a.Header().Get("Location"))
	w.must(err)
	w.want("the page", to.Path, oauth.ConsentPath)
	w.want("the host", to.Host, "")
	for _, name := range []string{"client_id", "redirect_uri", "code_challenge", "scope", "state"} {
		w.want(name, to.Query().Get(name), w.asking().Get(name))
	}
	// Without resource, scope and state it is in order too.
	w.want("a bare request", w.authorize(w.asking("resource", "", "scope", "", "state", "")).Code, http.StatusSeeOther)
}

var (
	section = regexp.MustCompile(`(?s)\n## Security\n(.*?)(\n## |$)`)
	quoted  = regexp.MustCompile("`([^`]+)`")
)

// Every test that the page names is there, and it names every attack.
func TestTableOfAttacks(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/authorization.md")
	if err != nil {
		t.Fatal(err)
	}
	found := section.FindSubmatch(text)
	if found == nil {
		t.Fatal("docs/authorization.md has no section Security")
	}
	_, table, ok := strings.Cut(string(found[1]), "| RFC 9700 |")
	if !ok {
		t.Fatal("the section has no table of RFC 9700")
	}
	named := map[string]bool{}
	for row := range strings.Lines(table) {
		if cells := strings.Split(row, "|"); len(cells) == 5 {
			for _, name := range quoted.FindAllStringSubmatch(cells[3], -1) {
				named[name[1]] = true
			}
		}
	}
	tests := testNames(t, ".", "../../test/api")
	for _, a := range attacks() {
		if !named[a.name] {
			t.Errorf("the table doesn't name %q", a.name)
		}
		tests[a.name] = true
	}
	for name := range named {
		if !tests[name] {
			t.Errorf("there is no test %q", name)
		}
	}
}

// testNames returns the names of the tests of folders.
func testNames(t *testing.T, folders ...string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(text, -1) {
				names[string(m[1])] = true
			}
		}
	}
	return names
}
