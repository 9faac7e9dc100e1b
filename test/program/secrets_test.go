package program

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
	"missiond/test/internal/missiond"
	"missiond/test/internal/output"
)

// secrets are the secrets that only the caller they were returned to may have.
func useSecrets(t *testing.T, p *missiond.Process, folder string) map[string]string {
	t.Helper()
	external := strings.TrimSpace(missiond.Output(t, "token", "--email", "planted@example.com", "--data-dir", folder))
	secrets := map[string]string{"the demo key": p.Key, "the provider's token": external}
	made := p.Call("POST", "/v1/auth/keys", map[string]any{"name": "planted"}, http.StatusCreated)
	secrets["a key"] = made["key"].(string)
	rotated := p.Call("POST", "/v1/auth/keys/"+made["id"].(string)+"/rotate", map[string]any{"grace_period_days": 1}, http.StatusOK)
	secrets["a rotated key"] = output.At(rotated, "new_key", "key").(string)
	p.Key = secrets["a rotated key"]
	p.Call("GET", "/v1/auth/whoami", nil, http.StatusOK)
	login := p.Call("POST", "/v1/auth/login", map[string]any{"clerk_token": external}, http.StatusOK)
	secrets["a session's token"] = login["token"].(string)
	p.Key = login["token"].(string)
	secrets["the next token"] = p.Call("POST", "/v1/auth/refresh", nil, http.StatusOK)["token"].(string)
	// A refused credential is a secret, too: it may be valid elsewhere.
	mistyped := identity.NewKey()
	p.Key = mistyped
	secrets["a key of another's"] = mistyped
	p.Call("GET", "/v1/missions", nil, http.StatusUnauthorized)
	p.Call("POST", "/graphql", map[string]any{"query": "mutation($t: String!) { login(input: {clerkToken: $t}) { token } }", "variables": map[string]any{"t": external + "x"}}, http.StatusUnauthorized)
	p.Key = secrets["the demo key"]
	p.Call("POST", "/v1/auth/login", map[string]any{"clerk_token": external, "unknown": 1}, http.StatusBadRequest)
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
	id := p.StartMission(1, 1)
	p.Await("a published post", func() bool { return output.At(p.Status(id), "content", "published") == 1.0 })
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
		p := missiond.Dev(t, folder, "--log-level", "debug", "--database-url", database, "--redis-url", redisURL)
		secrets := useSecrets(t, p, folder)
		none(t, "the database", testkit.PostgresText(t, database), secrets)
		none(t, "Redis", testkit.RedisText(t, redisURL), secrets)
		p.Terminate()
		// The banner shows the demo key to the user who started the program.
		before, banner, _ := strings.Cut(p.Log.String(), "missiond is up")
		_, after, ok := strings.Cut(banner, "continues where it stopped.")
		if !ok {
			t.Fatalf("got the banner %q", banner)
		}
		none(t, "the log", before+after+strings.Repeat(" ", 100), secrets)
	})
	t.Run("embedded", func(t *testing.T) {
		folder := t.TempDir()
		p := missiond.Dev(t, folder)
		secrets := useSecrets(t, p, folder)
		p.Terminate()
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
	testkit.Full(t)
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
	missiond.Output(t, "migrate", "up", "--database-url", database)
	serve := func() *missiond.Process {
		addr := missiond.FreeAddr(t)
		p := missiond.Launch(t, "serve", "--addr", addr, "--ops-addr", "127.0.0.1:0", "--database-url", database, "--redis-url", redisURL,
			"--secret-keys", secret, "--idp-issuer", "https://identity.missiond.invalid", "--idp-jwks-url", idp.URL, "--idp-audience", "missiond-dev")
		p.URL = "http://" + addr
		p.Await("ready", func() bool { return p.Ready(p.URL) })
		return p
	}
	one, two := serve(), serve()
	external, err := provider.Token(identity.DevPerson{Email: "ann@example.com"}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	both := func(what, credential string, want int) {
		t.Helper()
		for _, p := range []*missiond.Process{one, two} {
			p.Key = credential
			if status, _, _ := p.Try("GET", "/v1/auth/whoami", nil); status != want {
				t.Errorf("%s returned %d, want %d", what, status, want)
			}
		}
	}
	first := one.Call("POST", "/v1/auth/login", map[string]any{"clerk_token": external}, http.StatusOK)["token"].(string)
	both("the first token", first, http.StatusOK)
	two.Key = first
	second := two.Call("POST", "/v1/auth/refresh", nil, http.StatusOK)["token"].(string)
	both("the second token", second, http.StatusOK)
	one.Key = second
	key := one.Call("POST", "/v1/auth/keys", map[string]any{"name": "x"}, http.StatusCreated)
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
	two.Key = second
	two.Call("DELETE", "/v1/auth/keys/"+key["id"].(string), nil, http.StatusOK)
	both("a revoked key", key["key"].(string), http.StatusUnauthorized)
	one.Key = second
	one.Call("POST", "/v1/auth/logout", nil, http.StatusOK)
	both("after the logout", second, http.StatusUnauthorized)
	both("and the token before", first, http.StatusUnauthorized)
	// This address has neither the operators' pages nor the provider of dev.
	for _, path := range []string{"/monitoring/", "/metrics", "/.well-known/jwks.json"} {
		if status, _, _ := one.Try("GET", path, nil); status != http.StatusNotFound {
			t.Errorf("%s returned %d", path, status)
		}
	}
}

// Secret keys are replaced one after the other: what the old one sealed is sealed
// again, and a wrong key is refused at the start.
func TestSecretKeysAreReplaced(t *testing.T) {
	t.Parallel()
	folder, older, newer := t.TempDir(), seal.NewKey(), strings.TrimSpace(missiond.Output(t, "secrets", "generate"))
	p := missiond.Dev(t, folder, "--secret-keys", older)
	external := strings.TrimSpace(missiond.Output(t, "token", "--email", "ann@example.com", "--data-dir", folder))
	token := p.Call("POST", "/v1/auth/login", map[string]any{"clerk_token": external}, http.StatusOK)["token"].(string)
	p.Terminate()
	wrong := missiond.Launch(t, "dev", "--addr", "127.0.0.1:0", "--data-dir", folder, "--secret-keys", newer)
	if err := wrong.Wait(); err == nil || !strings.Contains(wrong.Log.String(), "aren't this database's") || strings.Contains(wrong.Log.String(), newer) {
		t.Errorf("with the wrong key the program ended with %v and logged %s", err, wrong.Log)
	}
	for _, want := range []string{`{"resealed":1}`, `{"resealed":0}`} {
		if got := strings.TrimSpace(missiond.Output(t, "secrets", "reseal", "--data-dir", folder, "--secret-keys", newer+","+older)); got != want {
			t.Errorf("reseal printed %s, want %s", got, want)
		}
	}
	missiond.Output(t, "secrets", "rotate-signing-key", "--data-dir", folder, "--secret-keys", newer)
	p = missiond.Dev(t, folder, "--secret-keys", newer)
	p.Key = token
	p.Call("GET", "/v1/auth/whoami", nil, http.StatusOK)
}
