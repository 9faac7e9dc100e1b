package missiond

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"missiond/internal/clock"
	"missiond/internal/writer/builtin/builtintest"
	"missiond/test/internal/webhooktest"
)

// Try sends a request; ok is false without a response.
func (p *Process) Try(method, path string, body any) (status int, object map[string]any, ok bool) {
	p.T.Helper()
	return p.send(method, path, "", body)
}

// send is Try with an Idempotency-Key, if it isn't empty.
func (p *Process) send(method, path, key string, body any) (status int, object map[string]any, ok bool) {
	p.T.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		p.T.Fatal(err)
	}
	req, err := http.NewRequest(method, p.URL+path, bytes.NewReader(text))
	if err != nil {
		p.T.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+p.Key)
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	resp, err := (&http.Client{Timeout: 20 * time.Second}).Do(req)
	if err != nil {
		return 0, nil, false
	}
	defer func() { _ = resp.Body.Close() }()
	if json.NewDecoder(resp.Body).Decode(&object) != nil {
		return resp.StatusCode, nil, false
	}
	return resp.StatusCode, object, true
}

// Call sends a request and returns the object of its response; on 503 it tries again, as clients
// shall. The test fails unless the status is want.
func (p *Process) Call(method, path string, body any, want int) map[string]any {
	p.T.Helper()
	key := ""
	if method == http.MethodPost {
		key = rand.Text()
	}
	var status int
	var object map[string]any
	var ok bool
	p.Await("another status than 503 of "+path, func() bool {
		status, object, ok = p.send(method, path, key, body)
		return status != http.StatusServiceUnavailable || status == want || clock.Sleep(p.T.Context(), time.Second) != nil
	})
	if !ok || status != want {
		p.T.Fatalf("%s %s returned %d %v, want %d", method, path, status, object, want)
	}
	return object
}

// StartMission creates a mission that starts at once, and returns its id.
func (p *Process) StartMission(days, posts int) string {
	p.T.Helper()
	m := p.Call("POST", "/v1/missions", MissionBody(days, posts), http.StatusCreated)
	return m["id"].(string)
}

// MissionBody is the body that creates a mission of some days with some posts a day, which
// starts at once.
func MissionBody(days, posts int) map[string]any {
	return map[string]any{
		"name": "A mission", "description": builtintest.Description, "objectives": []string{"Show what we make"}, "platforms": []string{"twitter", "mastodon"},
		"constraints": map[string]any{"posts_per_day": posts}, "duration_days": days, "start_immediately": true,
	}
}

// Status returns the status of a mission.
func (p *Process) Status(id string) map[string]any {
	p.T.Helper()
	return p.Call("GET", "/v1/missions/"+id+"/status", nil, http.StatusOK)
}

// Page returns what is served at a path, without a credential. The test fails unless its
// status is 200.
func (p *Process) Page(path string) string {
	p.T.Helper()
	resp, err := http.Get(p.URL + path)
	if err != nil {
		p.T.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		p.T.Fatalf("%s returned %d, %v", path, resp.StatusCode, err)
	}
	return string(text)
}

// All returns the records of a list, of all its pages. The path ends with "?" or "&".
func (p *Process) All(path string) []map[string]any {
	p.T.Helper()
	var records []map[string]any
	for after := ""; ; {
		list := p.Call("GET", path+"limit=100"+after, nil, http.StatusOK)
		for _, r := range list["data"].([]any) {
			records = append(records, r.(map[string]any))
		}
		if list["has_more"] != true {
			return records
		}
		after = "&starting_after=" + records[len(records)-1]["id"].(string)
	}
}

// CheckArrived fails the test if an event didn't reach an endpoint, or its attempt log
// isn't complete.
func (p *Process) CheckArrived(hook string, m *webhooktest.Moody, events []map[string]any) {
	p.T.Helper()
	bodies := map[string]string{}
	for _, got := range m.Messages() {
		id := got.Get("webhook-id")
		if before, again := bodies[id]; again && before != string(got.Body) {
			p.T.Errorf("%s arrived with other bytes", id)
		}
		bodies[id] = string(got.Body)
	}
	for _, e := range events {
		if bodies[e["id"].(string)] == "" {
			p.T.Errorf("%s %s did not arrive at %s", e["type"], e["id"], hook)
		}
	}
	for i, d := range p.All("/v1/webhooks/" + hook + "/deliveries?") {
		if i%5 != 0 {
			continue
		}
		full := p.Call("GET", fmt.Sprintf("/v1/webhooks/%s/deliveries/%s", hook, d["id"]), nil, http.StatusOK)
		attempts := full["attempts"].([]any)
		last := attempts[len(attempts)-1].(map[string]any)
		if float64(len(attempts)) != full["attempt_count"] || last["status_code"] != 200.0 {
			p.T.Errorf("got the attempts %[2]v of %[1]s, its count is %[3]v", d["id"], attempts, full["attempt_count"])
		}
	}
}
