package program

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/test/internal/missiond"
)

// Clients repeat each request until it gets a response, while the program is
// killed at any moment: each request takes effect once.
func TestKeyedRequestsSurvive(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	r, folder := seeded(t), t.TempDir()
	p := missiond.Dev(t, folder)
	var mu sync.Mutex // guards p
	var stop atomic.Bool
	responses := make([]map[string]string, 4)
	var all sync.WaitGroup
	for i := range responses {
		responses[i] = map[string]string{}
		all.Go(func() {
			for n := 0; !stop.Load(); n++ {
				key := fmt.Sprintf("client-%d-%d", i, n)
				for responses[i][key] == "" {
					mu.Lock()
					target := p
					mu.Unlock()
					if id := keyedCreate(target, key); id != "" {
						responses[i][key] = id
					}
				}
			}
		})
	}
	const rounds = 6
	for range rounds {
		pause(r, 1500*time.Millisecond)
		mu.Lock()
		p.Kill()
		p = missiond.Dev(t, folder)
		mu.Unlock()
	}
	stop.Store(true)
	all.Wait()
	ids := map[string]bool{}
	keys := 0
	for _, of := range responses {
		for _, id := range of {
			keys++
			ids[id] = true
		}
	}
	total := p.Call("GET", "/v1/missions?limit=1", nil, http.StatusOK)["total"]
	if len(ids) != keys || total != float64(keys) || keys < rounds {
		t.Errorf("%d requests returned %d missions, the list has %v", keys, len(ids), total)
	}
}

// keyedCreate sends a create and returns the mission's id, or "" without a
// response.
func keyedCreate(p *missiond.Process, key string) string {
	text, err := json.Marshal(missiond.MissionBody(1, 1))
	if err != nil {
		return ""
	}
	req, err := http.NewRequest("POST", p.URL+"/v1/missions", bytes.NewReader(text))
	if err != nil {
		return ""
	}
	req.Header.Set("Authorization", "Bearer "+p.Key)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", key)
	resp, err := (&http.Client{Timeout: 20 * time.Second}).Do(req)
	if err != nil {
		return ""
	}
	defer func() { _ = resp.Body.Close() }()
	var made map[string]any
	if json.NewDecoder(resp.Body).Decode(&made) != nil || resp.StatusCode != http.StatusCreated {
		return ""
	}
	return made["id"].(string)
}
