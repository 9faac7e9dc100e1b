package program

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"missiond/internal/testkit"
	"missiond/internal/writer/llm/llmtest"
	"missiond/test/internal/missiond"
	"missiond/test/internal/output"
)

// llmKey is a secret that may be nowhere but in the calls.
const llmKey = "sk-proj-0123456789-abcdef"

// newLanguageModel returns a stub that writes a text for each post and revision;
// for a mission named broken it refuses the key, and repeats it in the error.
func newLanguageModel(t *testing.T) *llmtest.Stub {
	return llmtest.New(t, func(a llmtest.Request) llmtest.Act {
		if a.Model != "model-7" || a.Header.Get("Authorization") != "Bearer "+llmKey {
			t.Errorf("got the model %q and the credential %q", a.Model, a.Header.Get("Authorization"))
		}
		if a.Brief.Mission.Name == "broken" {
			return llmtest.Status(http.StatusUnauthorized, `{"error":{"message":"Incorrect API key: `+llmKey+`"}}`)
		}
		return llmtest.Fits(llmText(a.Brief.Post.Number, a.Brief.Post.Revision, a.Brief.ReviewerWishes), llmtest.Fair)
	})
}

func llmText(number, revision int, wishes string) string {
	return strings.TrimSpace(fmt.Sprintf("What does your team ship, %d.%d? %s", number, revision, wishes))
}

// llmFlags makes a call of llmtest.Fair cost 2.6 cents.
func llmFlags(s *llmtest.Stub) []string {
	return []string{
		"--llm-url", s.URL + "/v1", "--llm-model", "model-7", "--llm-api-key", llmKey,
		"--llm-input-price", "50", "--llm-output-price", "100", "--llm-max-tokens", "200",
	}
}

// A language model writes the posts, and no output of the program contains its
// key, even if the endpoint repeats it.
func TestLanguageModel(t *testing.T) {
	t.Parallel()
	s := newLanguageModel(t)
	p := missiond.Dev(t, t.TempDir(), append(llmFlags(s), "--log-level", "debug")...)
	writes(t, s, []*missiond.Process{p}, p.URL)
}

// The same with one process for the API and another for the work.
func TestLanguageModelScaledOut(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	s := newLanguageModel(t)
	servers := []string{"--database-url", testkit.PostgresURL(t), "--redis-url", testkit.Miniredis(t)}
	missiond.Output(t, "migrate", "up", servers[0], servers[1])
	tenant := missiond.Output(t, "tenant", "create", "--name", "Scaled", "--plan", "pro", "--limit", missiond.Unlimited, servers[0], servers[1])
	addr, apiOps, workerOps := missiond.FreeAddr(t), missiond.FreeAddr(t), missiond.FreeAddr(t)
	flags := append(append(servers, "--data-dir", t.TempDir(), "--log-level", "debug"), llmFlags(s)...)
	api := missiond.Launch(t, append([]string{"serve", "--addr", addr, "--ops-addr", apiOps}, flags...)...)
	api.URL, api.Key = "http://"+addr, output.Between(tenant, `"api_key":"`, `"`)
	api.Await("ready", func() bool { return api.Ready(api.URL) })
	worker := missiond.Launch(t, append([]string{"worker", "--sandbox", "--ops-addr", workerOps}, flags...)...)
	worker.Await("ready", func() bool { return worker.Ready("http://" + workerOps) })
	writes(t, s, []*missiond.Process{api, worker}, "http://"+apiOps, "http://"+workerOps)
}

// writes has missions written by a language model, through the first program; ops
// are the addresses of the operators' pages.
func writes(t *testing.T, s *llmtest.Stub, programs []*missiond.Process, ops ...string) {
	t.Helper()
	p := programs[0]
	shown := []string{}
	call := func(method, path string, body any, want int) map[string]any {
		t.Helper()
		response := p.Call(method, path, body, want)
		shown = append(shown, fmt.Sprint(response))
		return response
	}
	body := func(name string) map[string]any {
		b := missiond.MissionBody(1, 2)
		b["name"], b["platforms"] = name, []string{"bluesky"}
		b["constraints"] = map[string]any{"posts_per_day": 2, "require_approval": true}
		return b
	}
	good := call("POST", "/v1/missions", body("good"), http.StatusCreated)["id"].(string)
	broken := call("POST", "/v1/missions", body("broken"), http.StatusCreated)["id"].(string)
	p.Await("posts to review", func() bool { return output.At(p.Status(good), "content", "pending_review") == 2.0 })
	posts := call("GET", "/v1/content?mission_id="+good, nil, http.StatusOK)["data"].([]any)
	texts := map[any]any{}
	for _, each := range posts {
		post := each.(map[string]any)
		texts[post["text"]] = post["cost_cents"]
	}
	for n := 1; n <= 2; n++ {
		if text := llmText(n, 1, ""); texts[text] != 3.0 && texts[text+"\n\n"+llmtest.Second(text)] != 3.0 {
			t.Errorf("post %d isn't among %v, or doesn't cost 2.6 cents", n, texts)
		}
	}
	first := posts[0].(map[string]any)["id"].(string)
	again := call("POST", "/v1/content/"+first+"/regenerate", map[string]any{"instructions": "In short."}, http.StatusOK)
	if text := again["text"].(string); !strings.Contains(text, ".2? In short.") || again["cost_cents"] != 6.0 {
		t.Errorf("got the rewritten text %q for %v cents, want 5.2", text, again["cost_cents"])
	}
	call("POST", "/v1/content/"+first+"/approve", nil, http.StatusOK)
	p.Await("a call that is refused", func() bool {
		return slices.ContainsFunc(s.Seen(), func(a llmtest.Request) bool { return a.Brief.Mission.Name == "broken" })
	})
	for _, path := range []string{"/v1/missions/" + good, "/v1/missions/" + good + "/status", "/v1/missions/" + broken + "/status", "/v1/content/" + first, "/v1/content/" + first + "/revisions", "/v1/events"} {
		call("GET", path, nil, http.StatusOK)
	}
	for _, url := range ops {
		for _, path := range []string{"/metrics", "/monitoring/api/queues/pipeline/completed_tasks", "/monitoring/api/queues/pipeline/archived_tasks", "/monitoring/api/queues/pipeline/scheduled_tasks"} {
			shown = append(shown, page(t, url+path))
		}
	}
	for _, program := range programs {
		program.Terminate()
		shown = append(shown, program.Log.String())
	}
	if !strings.Contains(shown[len(shown)-1], "rejected the API key") {
		t.Error("no log names the key's error")
	}
	for _, text := range shown {
		if i := strings.Index(text, llmKey); i >= 0 {
			t.Errorf("the log contains the key: %q", text[max(0, i-200):i+len(llmKey)])
		}
	}
}

func page(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s returned %d, %v: %.200s", url, resp.StatusCode, err, text)
	}
	return string(text)
}
