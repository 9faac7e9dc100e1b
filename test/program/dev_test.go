package program

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"missiond/internal/testkit"
	"missiond/test/internal/missiond"
	"missiond/test/internal/output"
)

// The main case: one command, one request, six stages, published posts.
func TestMainJob(t *testing.T) {
	t.Parallel()
	p := missiond.Dev(t, t.TempDir())
	id := p.StartMission(1, 1)
	p.Await("a job that is done", func() bool { return output.At(p.Status(id), "pipeline", "status") == "completed" })
	v := p.Status(id)
	for _, stage := range []string{"intake", "strategy", "content", "publish", "analytics", "optimize"} {
		if output.At(v, "pipeline", "stages", stage, "status") != "completed" {
			t.Errorf("got %[2]v for the stage %[1]s", stage, output.At(v, "pipeline", "stages", stage))
		}
		if _, ok := output.At(v, "pipeline", "stages", stage, "duration_ms").(float64); !ok {
			t.Errorf("the stage %s has no duration", stage)
		}
	}
	if output.At(v, "content", "published") != 1.0 || output.At(v, "pipeline", "progress_percent") != 100.0 {
		t.Errorf("the status is %v", v)
	}
	done := p.Page("/monitoring/api/queues/pipeline/completed_tasks")
	for _, stage := range []string{"intake", "strategy", "content", "publish", "analytics", "optimize"} {
		if !strings.Contains(done, `"stage:`+stage+`"`) {
			t.Errorf("the dashboard doesn't show %s as done", stage)
		}
	}
}

// With a fast clock a mission of two days runs both its cycles, in order, and
// completes.
func TestFastClock(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	p := missiond.Dev(t, t.TempDir(), "--clock-speed", "17280")
	id := p.StartMission(2, 3)
	var jobs []string
	p.Await("a completed mission", func() bool {
		v := p.Status(id)
		if job := output.At(v, "pipeline", "job_id").(string); !slices.Contains(jobs, job) {
			jobs = append(jobs, job)
		}
		return v["status"] == "completed"
	})
	if v := p.Status(id); len(jobs) != 2 || output.At(v, "content", "published") != 6.0 {
		t.Errorf("after %d jobs the status is %v", len(jobs), v)
	}
}

// A terminated program stops in time, and continues after a restart: same key,
// same missions, and a clock that never goes back.
func TestRestartGoesOn(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	folder := t.TempDir()
	p := missiond.Dev(t, folder, "--clock-speed", "1440")
	id := p.StartMission(2, 2)
	key := p.Key
	created := p.Call("GET", "/v1/missions/"+id, nil, http.StatusOK)
	p.Terminate()
	p = missiond.Dev(t, folder, "--clock-speed", "17280")
	if p.Key != key {
		t.Error("the key changed at the second start")
	}
	again := p.Call("GET", "/v1/missions/"+id, nil, http.StatusOK)
	if again["starts_at"] != created["starts_at"] || again["ends_at"] != created["ends_at"] {
		t.Errorf("after a restart got the mission %v, want %v", again, created)
	}
	p.Await("a completed mission", func() bool { return p.Status(id)["status"] == "completed" })
	if n := output.At(p.Status(id), "content", "published"); n != 4.0 {
		t.Errorf("got %v published posts, want 4", n)
	}
	now := p.Call("GET", "/v1/missions/"+id, nil, http.StatusOK)["updated_at"].(string)
	p.Kill()
	p = missiond.Dev(t, folder)
	later := p.Call("POST", "/v1/missions", missiond.MissionBody(1, 1), http.StatusCreated)["created_at"].(string)
	if later < now {
		t.Errorf("the clock went back from %s to %s", now, later)
	}
}

// Two programs can't share a data folder.
func TestFolderIsTaken(t *testing.T) {
	folder := t.TempDir()
	missiond.Dev(t, folder)
	second := missiond.Launch(t, "dev", "--addr", "127.0.0.1:0", "--data-dir", folder)
	if err := second.Wait(); err == nil {
		t.Error("a second program started on the same folder")
	}
	if !strings.Contains(second.Log.String(), "another missiond dev runs on this data folder") {
		t.Errorf("got the output %q", second.Log.String())
	}
}

// All pages and probes that the banner names respond.
func TestPages(t *testing.T) {
	folder := t.TempDir()
	p := missiond.Dev(t, folder)
	for path, kind := range map[string]string{
		"/": "text/html", "/console/": "text/html", "/developers": "text/html", "/v1/docs": "text/html", "/graphiql": "text/html", "/monitoring": "text/html",
		"/v1/openapi.json": "json", "/graphql/schema.graphql": "application/graphql", "/healthz": "application/json", "/readyz": "application/json", "/metrics": "text/plain",
	} {
		resp, err := http.Get(p.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK || !strings.Contains(resp.Header.Get("Content-Type"), kind) {
			t.Errorf("%s returned %d, %s", path, resp.StatusCode, resp.Header.Get("Content-Type"))
		}
		if resp.Header.Get("X-Request-Id") == "" {
			t.Errorf("%s has no request id", path)
		}
	}
	info, err := os.Stat(filepath.Join(folder, "dev.env"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("dev.env has the mode %v, %v", info.Mode(), err)
	}
}

// The operators' pages respond only to pages of this machine.
func TestDashboardKeepsForeignPagesOut(t *testing.T) {
	p := missiond.Dev(t, t.TempDir())
	for name, change := range map[string]func(r *http.Request){
		"a foreign origin": func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
		"a foreign site":   func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"a rebound name":   func(r *http.Request) { r.Host = "evil.example" },
	} {
		for path, method := range map[string]string{
			"/monitoring/api/queues/pipeline:pause": http.MethodPost, "/metrics": http.MethodGet, "/monitoring/": http.MethodGet,
		} {
			req, err := http.NewRequest(method, p.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			change(req)
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if resp.StatusCode != http.StatusForbidden {
				t.Errorf("%s got %d from %s", name, resp.StatusCode, path)
			}
		}
	}
}

// No page contains the demo's key, since every user of the machine may read pages;
// the printed URL gets it, once.
func TestPagesHaveNoKey(t *testing.T) {
	p := missiond.Dev(t, t.TempDir())
	for _, path := range []string{"/console/", "/developers", "/graphiql", "/developers/assets/start.js", "/graphiql/assets/graphiql-start.js", "/v1/docs", "/v1/docs/assets/reference-start.js", "/v1/openapi.json", "/monitoring/"} {
		if resp, page := fetch(p, path); resp.StatusCode != http.StatusOK || strings.Contains(page, p.Key) {
			t.Errorf("%s returned %d, with the key", path, resp.StatusCode)
		}
	}
	var token string
	p.Await("the address that is printed", func() bool {
		_, printed, _ := strings.Cut(p.Log.String(), p.URL+"/developers#start=")
		var whole bool
		token, _, whole = strings.Cut(printed, "\n")
		return whole
	})
	exchange := func(token string, headers ...string) (int, string) {
		req, err := http.NewRequest(http.MethodPost, p.URL+"/start", strings.NewReader(token))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(text)
	}
	for _, wrong := range []string{"", "x", token[1:], token + "x", strings.Repeat("x", 1<<20)} {
		if status, text := exchange(wrong); status != http.StatusForbidden || strings.Contains(text, p.Key) {
			t.Errorf("the token %.30q got %d %s", wrong, status, text)
		}
	}
	for _, site := range [][]string{{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"}} {
		if status, _ := exchange(token, site...); status != http.StatusForbidden {
			t.Errorf("a page of %v got %d", site, status)
		}
	}
	if status, text := exchange(token); status != http.StatusOK || !strings.Contains(text, p.Key) {
		t.Errorf("the token got %d %s", status, text)
	}
	if status, text := exchange(token); status != http.StatusForbidden || strings.Contains(text, p.Key) {
		t.Errorf("at its second use the token got %d %s", status, text)
	}
}
