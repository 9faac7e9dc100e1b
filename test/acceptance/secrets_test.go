package acceptance

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"missiond/internal/embedded"
	"missiond/internal/identity"
	"missiond/internal/seal"
	"missiond/internal/testkit"
)

// secrets are the secrets that only the caller they were returned to may have.
func useSecrets(t *testing.T, p *program, folder string) map[string]string {
	t.Helper()
	external := strings.TrimSpace(output(t, "token", "--email", "planted@example.com", "--data-dir", folder))
	secrets := map[string]string{"the demo key": p.key, "the provider's token": external}
	made := p.call("POST", "/v1/auth/keys", map[string]any{"name": "planted"}, http.StatusCreated)
	secrets["a key"] = made["key"].(string)
	rotated := p.call("POST", "/v1/auth/keys/"+made["id"].(string)+"/rotate", map[string]any{"grace_period_days": 1}, http.StatusOK)
	secrets["a rotated key"] = at(rotated, "new_key", "key").(string)
	p.key = secrets["a rotated key"]
	p.call("GET", "/v1/auth/whoami", nil, http.StatusOK)
	login := p.call("POST", "/v1/auth/login", map[string]any{"clerk_token": external}, http.StatusOK)
	secrets["a session's token"] = login["token"].(string)
	p.key = login["token"].(string)
	secrets["the next token"] = p.call("POST", "/v1/auth/refresh", nil, http.StatusOK)["token"].(string)
	// A refused credential is a secret, too: it may be valid elsewhere.
	mistyped := identity.NewKey()
	p.key = mistyped
	secrets["a key of another's"] = mistyped
	p.call("GET", "/v1/missions", nil, http.StatusUnauthorized)
	p.call("POST", "/graphql", map[string]any{"query": "mutation($t: String!) { login(input: {clerkToken: $t}) { token } }", "variables": map[string]any{"t": external + "x"}}, http.StatusUnauthorized)
	p.key = secrets["the demo key"]
	p.call("POST", "/v1/auth/login", map[string]any{"clerk_token": external, "unknown": 1}, http.StatusBadRequest)
	for _, file := range []string{"secret.key", "identity.key"} {
		text, err := os.ReadFile(filepath.Join(folder, file))
		if err != nil {
			t.Fatal(err)
		}
		if mode, _ := os.Stat(filepath.Join(folder, file)); mode.Mode().Perm() != 0o600 {
			t.Errorf("%s has the mode %s", file, mode.Mode())
		}
		secrets[file] = strings.TrimSpace(string(text))
	}
	id := p.start(1, 1)
	p.await("a published post", func() bool { return at(p.status(id), "content", "published") == 1.0 })
	return secrets
}

// none fails the test if a text contains a secret, or the essential part of one.
func none(t *testing.T, where, text string, secrets map[string]string) {
	t.Helper()
	if len(text) < 100 {
		t.Errorf("%s is nearly empty: the test proves nothing", where)
	}
	for what, secret := range secrets {
		if parts := strings.Split(secret, "."); len(parts) == 3 {
			secret = parts[2] // a token is usable only with its signature
		}
		if strings.Contains(text, secret) {
			t.Errorf("%s contains %s", where, what)
		}
	}
}

// No secret, key or token is in plain text in the log, the database, Redis or a
// task's payload.
func TestSecretsStaySecret(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	t.Run("servers", func(t *testing.T) {
		folder, database, redisURL := t.TempDir(), testkit.PostgresURL(t), testkit.Redis(t)
		p := dev(t, folder, "--log-level", "debug", "--database-url", database, "--redis-url", redisURL)
		secrets := useSecrets(t, p, folder)
		none(t, "the database", testkit.PostgresText(t, database), secrets)
		none(t, "Redis", testkit.RedisText(t, redisURL), secrets)
		p.terminate()
		// The banner shows the demo key to the user who started the program.
		before, banner, _ := strings.Cut(p.log.String(), "missiond is up")
		_, after, ok := strings.Cut(banner, "continues where it stopped.")
		if !ok {
			t.Fatalf("got the banner %q", banner)
		}
		none(t, "the log", before+after+strings.Repeat(" ", 100), secrets)
	})
	t.Run("embedded", func(t *testing.T) {
		folder := t.TempDir()
		p := dev(t, folder)
		secrets := useSecrets(t, p, folder)
		p.terminate()
		files, err := filepath.Glob(embedded.DatabaseIn(folder) + "*")
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			none(t, file, string(text)+strings.Repeat(" ", 100), secrets)
		}
	})
}

// Two APIs run on one database, with an identity provider over HTTP: a logout, a
// revocation or a refresh at one takes effect at the other with the next request,
// even if Redis has lost everything.
func TestReplicasAgree(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	provider, err := identity.NewDevProvider(identity.NewDevSeed(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := provider.JWKS()
	if err != nil {
		t.Fatal(err)
	}
	idp := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(keys) }))
	defer idp.Close()
	database, redisURL, secret := testkit.PostgresURL(t), testkit.Redis(t), seal.NewKey()
	output(t, "migrate", "up", "--database-url", database)
	serve := func() *program {
		addr := freeAddr(t)
		p := launch(t, "serve", "--addr", addr, "--ops-addr", "127.0.0.1:0", "--database-url", database, "--redis-url", redisURL,
			"--secret-keys", secret, "--idp-issuer", "https://identity.missiond.invalid", "--idp-jwks-url", idp.URL, "--idp-audience", "missiond-dev")
		p.url = "http://" + addr
		p.await("ready", func() bool { return p.ready(p.url) })
		return p
	}
	one, two := serve(), serve()
	external, err := provider.Token(identity.DevPerson{Email: "ann@example.com"}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	both := func(what, credential string, want int) {
		t.Helper()
		for _, p := range []*program{one, two} {
			p.key = credential
			if status, _, _ := p.try("GET", "/v1/auth/whoami", nil); status != want {
				t.Errorf("%s returned %d, want %d", what, status, want)
			}
		}
	}
	first := one.call("POST", "/v1/auth/login", map[string]any{"clerk_token": external}, http.StatusOK)["token"].(string)
	both("the first token", first, http.StatusOK)
	two.key = first
	second := two.call("POST", "/v1/auth/refresh", nil, http.StatusOK)["token"].(string)
	both("the second token", second, http.StatusOK)
	one.key = second
	key := one.call("POST", "/v1/auth/keys", map[string]any{"name": "x"}, http.StatusCreated)
	both("a key", key["key"].(string), http.StatusOK)
	o, err := redis.ParseURL(redisURL)
	if err != nil {
		t.Fatal(err)
	}
	control := redis.NewClient(o)
	defer func() { _ = control.Close() }()
	if err := control.FlushDB(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	two.key = second
	two.call("DELETE", "/v1/auth/keys/"+key["id"].(string), nil, http.StatusOK)
	both("a revoked key", key["key"].(string), http.StatusUnauthorized)
	one.key = second
	one.call("POST", "/v1/auth/logout", nil, http.StatusOK)
	both("after the logout", second, http.StatusUnauthorized)
	both("and the token before", first, http.StatusUnauthorized)
	// This address has neither the operators' pages nor the provider of dev.
	for _, path := range []string{"/monitoring/", "/metrics", "/.well-known/jwks.json"} {
		if status, _, _ := one.try("GET", path, nil); status != http.StatusNotFound {
			t.Errorf("%s returned %d", path, status)
		}
	}
}

// Secret keys are replaced one after the other: what the old one sealed is sealed
// again, and a wrong key is refused at the start.
func TestSecretKeysAreReplaced(t *testing.T) {
	t.Parallel()
	folder, older, newer := t.TempDir(), seal.NewKey(), strings.TrimSpace(output(t, "secrets", "generate"))
	p := dev(t, folder, "--secret-keys", older)
	external := strings.TrimSpace(output(t, "token", "--email", "ann@example.com", "--data-dir", folder))
	token := p.call("POST", "/v1/auth/login", map[string]any{"clerk_token": external}, http.StatusOK)["token"].(string)
	p.terminate()
	wrong := launch(t, "dev", "--addr", "127.0.0.1:0", "--data-dir", folder, "--secret-keys", newer)
	err := <-wrong.done
	wrong.done <- err
	if err == nil || !strings.Contains(wrong.log.String(), "aren't this database's") || strings.Contains(wrong.log.String(), newer) {
		t.Errorf("with the wrong key the program ended with %v and logged %s", err, wrong.log)
	}
	for _, want := range []string{`{"resealed":1}`, `{"resealed":0}`} {
		if got := strings.TrimSpace(output(t, "secrets", "reseal", "--data-dir", folder, "--secret-keys", newer+","+older)); got != want {
			t.Errorf("reseal printed %s, want %s", got, want)
		}
	}
	output(t, "secrets", "rotate-signing-key", "--data-dir", folder, "--secret-keys", newer)
	p = dev(t, folder, "--secret-keys", newer)
	p.key = token
	p.call("GET", "/v1/auth/whoami", nil, http.StatusOK)
}
