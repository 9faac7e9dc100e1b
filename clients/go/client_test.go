package missiond_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	missiond "missiond/clients/go"
)

func brief(name string) missiond.MissionsCreateJSONRequestBody {
	return missiond.MissionsCreateJSONRequestBody{
		Name: name, Objectives: []string{"Test the client"}, DurationDays: 7,
		Platforms: []missiond.MissionsCreateJSONBodyPlatforms{"mastodon"},
	}
}

func TestOperations(t *testing.T) {
	t.Parallel()
	s := serve(t, "60")
	c, ctx := s.client(t, nil), t.Context()
	var made []string
	for n := range 5 {
		r, err := c.MissionsCreateWithResponse(ctx, nil, brief(fmt.Sprint("Mission ", n)))
		if err != nil {
			t.Fatal(err)
		}
		made = append([]string{r.JSON201.ID}, made...)
	}
	two, draft := int64(2), missiond.MissionsListParamsStatus("draft")
	missions := missiond.Missions(ctx, c, missiond.MissionsListParams{Limit: &two, Status: &draft})
	for range 2 { // an iterator can be used again
		var listed []string
		for m, err := range missions {
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(m.Name, "Mission ") {
				listed = append(listed, m.ID)
			}
		}
		if strings.Join(listed, " ") != strings.Join(made, " ") {
			t.Errorf("listed %q, want %q", listed, made)
		}
	}
	for _, err := range missions {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	for _, err := range missiond.Events(ctx, c, missiond.EventsListParams{Limit: &two}) {
		if err != nil {
			t.Fatal(err)
		}
	}

	wrong := brief("Wrong")
	wrong.DurationDays = 400
	_, err := c.MissionsCreateWithResponse(ctx, nil, wrong)
	var e *missiond.Error
	if !errors.As(err, &e) || e.Status != 400 || e.Code != "invalid_request" || e.Field != "duration_days" || e.RequestID == "" {
		t.Errorf("a duration of 400 days: %#v", err)
	}
	_, err = s.client(t, func(o *missiond.Options) { o.Key = "cms_live_nobody" }).MissionsListWithResponse(ctx, nil)
	if !errors.As(err, &e) || e.Code != "unauthorized" {
		t.Errorf("with another key: %v", err)
	}
	for _, err := range missiond.Missions(ctx, s.client(t, func(o *missiond.Options) { o.Key = "cms_live_nobody" }), missiond.MissionsListParams{}) {
		if !errors.As(err, &e) || e.Code != "unauthorized" {
			t.Errorf("a list with another key: %v", err)
		}
	}
	if _, err := missiond.New(missiond.Options{URL: "localhost:8080"}); err == nil {
		t.Error("New accepts a URL without a scheme")
	}
}

// A response that is lost is asked for again with the same key, and the mission made once.
func TestLostResponse(t *testing.T) {
	t.Parallel()
	s := serve(t, "60")
	var keys []string
	proxy := listen(t, func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		req, _ := http.NewRequestWithContext(r.Context(), r.Method, s.url+r.URL.String(), r.Body)
		req.Header = r.Header
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Error(err)
			return
		}
		text, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if len(keys) == 1 {
			w.Header().Set("Content-Length", "1000") // half of it is lost
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(resp.StatusCode)
		_, _ = w.Write(text[:len(text)/min(2, 3-len(keys))])
	})
	through := s.client(t, func(o *missiond.Options) { o.URL = proxy.url })
	before, err := s.client(t, nil).MissionsListWithResponse(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	made, err := through.MissionsCreateWithResponse(t.Context(), nil, brief("Once"))
	if err != nil || made.JSON201 == nil {
		t.Fatal(made, err)
	}
	after, err := s.client(t, nil).MissionsListWithResponse(t.Context(), nil)
	if err != nil || after.JSON200.Total != before.JSON200.Total+1 {
		t.Errorf("missions: %v, then %v", before.JSON200, after.JSON200)
	}
	if len(keys) != 2 || keys[0] == "" || keys[0] != keys[1] {
		t.Errorf("the requests had the keys %q", keys)
	}
}

func TestRepetitions(t *testing.T) {
	t.Parallel()
	const page = `{"data":[],"has_more":false,"total":0}`
	read := func(c *missiond.ClientWithResponses) error {
		_, err := c.MissionsListWithResponse(t.Context(), nil)
		return err
	}
	post := func(c *missiond.ClientWithResponses) error {
		_, err := c.MissionsPauseWithResponse(t.Context(), "msn_1", nil)
		return err
	}
	put := func(c *missiond.ClientWithResponses) error {
		_, err := c.TenantUpdateWithResponse(t.Context(), nil, missiond.TenantUpdateJSONRequestBody{})
		return err
	}
	for _, c := range []struct {
		name, retryAfter string
		status           int
		call             func(c *missiond.ClientWithResponses) error
		want             int
		least            time.Duration
	}{
		{"a read after 500", "", 500, read, 2, 0},
		{"a POST after 502", "", 502, post, 2, 0},
		{"a PUT after 500", "", 500, put, 1, 0},
		{"a PUT after 429", "", 429, put, 2, 0},
		{"a read after 400", "", 400, read, 1, 0},
		{"seconds", "1", 503, read, 2, 950 * time.Millisecond},
		{"a date", "in 2 s", 429, read, 2, 500 * time.Millisecond},
		{"too long", "3600", 429, read, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var at []time.Time
			keys := map[string]bool{}
			s := listen(t, func(w http.ResponseWriter, r *http.Request) {
				at = append(at, time.Now())
				keys[r.Header.Get("Idempotency-Key")] = true
				if len(at) > 1 {
					w.Header().Set("Content-Type", "application/json")
					_, _ = io.WriteString(w, page)
					return
				}
				wait := c.retryAfter
				if wait == "in 2 s" {
					wait = time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat)
				}
				w.Header().Set("Retry-After", wait)
				w.WriteHeader(c.status)
			})
			err := c.call(s.client(t, nil))
			var e *missiond.Error
			if (err != nil) != (c.want == 1) || err != nil && (!errors.As(err, &e) || e.Status != c.status) {
				t.Errorf("got %v", err)
			}
			if c.retryAfter == "3600" && e.RetryAfter != time.Hour {
				t.Errorf("the error's wait is %v, want an hour", e.RetryAfter)
			}
			if len(at) != c.want || len(keys) != 1 {
				t.Fatalf("%d requests with the keys %v, want %d requests with one", len(at), keys, c.want)
			}
			if c.want == 2 && at[1].Sub(at[0]) < c.least {
				t.Errorf("waited %v, want at least %v", at[1].Sub(at[0]), c.least)
			}
		})
	}
}

// A POST that is redirected would become a GET elsewhere.
func TestRedirects(t *testing.T) {
	t.Parallel()
	var methods []string
	there := listen(t, func(w http.ResponseWriter, r *http.Request) {
		methods = append(methods, r.Method)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"data":[],"has_more":false,"total":0}`)
	})
	c := listen(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, there.url+r.URL.Path, http.StatusFound)
	}).client(t, nil)
	var e *missiond.Error
	if _, err := c.MissionsCreateWithResponse(t.Context(), nil, brief("Elsewhere")); !errors.As(err, &e) || e.Status != http.StatusFound {
		t.Errorf("a POST: %v", err)
	}
	if _, err := c.MissionsListWithResponse(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if len(methods) != 1 || methods[0] != http.MethodGet {
		t.Errorf("sent elsewhere: %q", methods)
	}
}

func TestTimeAndSize(t *testing.T) {
	t.Parallel()
	s := listen(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/v1/missions" {
			_, _ = fmt.Fprintf(w, `{"data":[],"more":%q}`, strings.Repeat("x", 5000))
			return
		}
		_, _ = io.WriteString(w, `{"id":`)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done() // nothing comes after it
	})
	c := s.client(t, func(o *missiond.Options) { o.Timeout, o.Attempts, o.LongestJSON = 200*time.Millisecond, 1, 1000 })
	started := time.Now()
	if _, err := c.TenantReadWithResponse(t.Context()); err == nil || time.Since(started) > time.Minute {
		t.Errorf("a response that doesn't end: %v after %v", err, time.Since(started))
	}
	if _, err := c.MissionsListWithResponse(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "longer than 1000 bytes") {
		t.Errorf("a long response: %v", err)
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	c, ctx := serve(t, "1").client(t, nil), t.Context()
	type request struct {
		body   []byte
		header http.Header
	}
	received := make(chan request, 1)
	hook := listen(t, func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		received <- request{body, r.Header}
	})
	deliver := func(id string) request {
		if _, err := c.WebhooksTestWithResponse(ctx, id, nil); err != nil {
			t.Fatal(err)
		}
		return <-received
	}
	create := func(secret *string) *missiond.CreatedWebhook {
		made, err := c.WebhooksCreateWithResponse(ctx, nil, missiond.WebhooksCreateJSONRequestBody{
			URL: hook.url, Events: []missiond.WebhooksCreateJSONBodyEvents{"content.published"}, Secret: secret,
		})
		if err != nil {
			t.Fatal(err)
		}
		return made.JSON201
	}
	made := create(nil)
	r := deliver(made.ID)
	e, err := missiond.Verify(r.body, r.header, "whsec_AAAA", made.Secret)
	if err != nil || e.Type != "webhook.test" || e.ID != r.header.Get("webhook-id") {
		t.Errorf("verified %v, %v", e, err)
	}
	late := r.header.Clone()
	late.Set("webhook-timestamp", "1700000000")
	for name, verify := range map[string]func() (missiond.WebhookEvent, error){
		"another body": func() (missiond.WebhookEvent, error) {
			return missiond.Verify(bytes.ToUpper(r.body), r.header, made.Secret)
		},
		"another secret": func() (missiond.WebhookEvent, error) { return missiond.Verify(r.body, r.header, "whsec_AAAA") },
		"another time":   func() (missiond.WebhookEvent, error) { return missiond.Verify(r.body, late, made.Secret) },
		"no signature":   func() (missiond.WebhookEvent, error) { return missiond.Verify(r.body, http.Header{}, made.Secret) },
		"no secret":      func() (missiond.WebhookEvent, error) { return missiond.Verify(r.body, r.header) },
		"an empty one":   func() (missiond.WebhookEvent, error) { return missiond.Verify(r.body, r.header, "") },
	} {
		if e, err := verify(); err == nil {
			t.Errorf("%s: verified %v", name, e)
		}
	}
	rotated, err := c.WebhooksRotateSecretWithResponse(ctx, made.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	both := deliver(made.ID)
	for _, secret := range []string{made.Secret, rotated.JSON200.Secret} {
		if _, err := missiond.Verify(both.body, both.header, secret); err != nil {
			t.Errorf("while both secrets hold: %v", err)
		}
	}
	own := "correct horse battery staple"
	r = deliver(create(&own).ID)
	if _, err := missiond.Verify(r.body, r.header, own); err != nil {
		t.Errorf("a secret of one's own: %v", err)
	}
}

var firstBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// The README begins with lines that work.
func TestReadme(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := string(firstBlock.FindSubmatch(text)[1])
	if n := strings.Count(lines, "\n"); n > 10 {
		t.Errorf("the first example has %d lines", n)
	}
	s := serve(t, "60")
	folder := filepath.Join("build", "readme")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll("build") })
	program := "package main\n\nimport (\n\"context\"\n\"fmt\"\n\"os\"\n\nmissiond \"missiond/clients/go\"\n)\n\n" +
		"func must[T any](value T, err error) T {\nif err != nil {\npanic(err)\n}\nreturn value\n}\n\n" +
		"func main() {\nctx := context.Background()\n" + lines + "}\n"
	if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	out := run(t, s, "./build/readme")
	if m := regexp.MustCompile(`^made (msn_\w+)\n`).FindStringSubmatch(out); m == nil || !strings.Contains(out, m[1]+" Autumn launch\n") {
		t.Errorf("it printed\n%s", out)
	}
}

func TestExample(t *testing.T) {
	t.Parallel()
	out := run(t, serve(t, "1440"), "./examples/publish")
	if !regexp.MustCompile(`^made msn_\w+\n(approved cnt_\w+\n)+published cnt_\w+: \S`).MatchString(out) {
		t.Errorf("it printed\n%s", out)
	}
}

func run(t *testing.T, s service, program string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "run", program)
	cmd.Env = s.env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
	return string(out)
}
