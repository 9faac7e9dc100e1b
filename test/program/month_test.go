package program

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/clock"
	"missiond/internal/embedded"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/mission"
	"missiond/store"
	"missiond/test/internal/missiond"
	"missiond/test/internal/output"
)

// A mission of 30 days on the fast clock, with a reviewer who approves posts,
// rejects every fifth and has the first of those rewritten, completes by itself,
// and its event log is consistent.
func TestMonthWithApprovals(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	folder := t.TempDir()
	p := missiond.Dev(t, folder, "--clock-speed", "43200") // a day in two seconds
	body := missiond.MissionBody(30, 2)
	body["constraints"].(map[string]any)["require_approval"] = true
	made := p.Call("POST", "/v1/missions", body, http.StatusCreated)
	id := made["id"].(string)
	if made["estimated_posts"] != 60.0 {
		t.Errorf("got an estimate of %v posts, want 60", made["estimated_posts"])
	}
	seen, rejected, anew := 0, 0, false
	ctx, cancel := context.WithTimeout(context.Background(), 2*await.Long())
	defer cancel()
	for p.Status(id)["status"] != "completed" {
		if clock.Sleep(ctx, 50*time.Millisecond) != nil {
			t.Fatalf("after %s got the mission %v", 2*await.Long(), p.Status(id))
		}
		var approve []string
		for _, each := range p.Call("GET", "/v1/content?limit=100&status=pending_review&mission_id="+id, nil, http.StatusOK)["data"].([]any) {
			post := each.(map[string]any)["id"].(string)
			if seen++; seen%5 != 0 {
				approve = append(approve, post)
				continue
			}
			if status, _, _ := p.Try("POST", "/v1/content/"+post+"/reject", map[string]any{"reason": "The fifth."}); status == http.StatusOK {
				rejected++
			}
			if !anew {
				status, _, _ := p.Try("POST", "/v1/content/"+post+"/regenerate", map[string]any{"instructions": "Another."})
				anew = status == http.StatusOK
			}
		}
		if len(approve) > 0 { // some may have expired in the meantime
			ids, _ := json.Marshal(approve)
			p.Try("POST", "/graphql", map[string]any{"query": "mutation { approveContents(ids: " + string(ids) + ") { contents { id } } }"})
		}
	}
	p.Await("the last job's end", func() bool { return output.At(p.Status(id), "pipeline", "status") != "running" })
	status := p.Status(id)
	p.Terminate()
	db, err := store.OpenSQLite(embedded.DatabaseIn(folder), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	tenants, err := db.Tenants(context.Background(), "", 1)
	if err != nil {
		t.Fatal(err)
	}
	events, err := db.MissionEvents(context.Background(), tenants[0].ID, id, "", 5000)
	if err != nil {
		t.Fatal(err)
	}
	checkStory(t, events, status, rejected)
	if !anew || rejected < 3 {
		t.Errorf("%d posts were rejected, one rewritten: %v", rejected, anew)
	}
}

// checkStory checks the order of a mission's events: it begins and ends with the
// mission, times never go back, and each post is written, reviewed, scheduled and
// published in turn.
func checkStory(t *testing.T, events []mission.Event, status map[string]any, rejected int) {
	t.Helper()
	last := len(events) - 1
	for last > 0 && !strings.HasPrefix(string(events[last].Type), "mission.") {
		last-- // posts are measured after the end
	}
	if events[0].Type != mission.EventMissionCreated || events[1].Type != mission.EventMissionStarted || events[last].Type != mission.EventMissionCompleted {
		t.Errorf("got the first events %s and %s and the last %s", events[0].Type, events[1].Type, events[last].Type)
	}
	order := map[mission.EventType][]mission.EventType{ // the allowed predecessors
		mission.EventReviewRequested:  {mission.EventContentCreated},
		mission.EventContentApproved:  {mission.EventReviewRequested},
		mission.EventContentRejected:  {mission.EventReviewRequested},
		mission.EventContentScheduled: {mission.EventContentApproved, mission.EventContentScheduled},
		mission.EventContentPublished: {mission.EventContentScheduled},
	}
	counts, before := map[mission.EventType]int{}, map[string]mission.EventType{}
	for i, e := range events {
		counts[e.Type]++
		if i > 0 && e.CreatedAt.Before(events[i-1].CreatedAt) {
			t.Errorf("%s goes back in time by %s", e.Type, events[i-1].CreatedAt.Sub(e.CreatedAt))
		}
		var data struct {
			ContentID string `json:"content_id"`
		}
		if err := json.Unmarshal(e.Data.(json.RawMessage), &data); err != nil {
			t.Fatal(err)
		}
		if data.ContentID == "" {
			continue
		}
		was := before[data.ContentID]
		if allowed := order[e.Type]; allowed != nil && !slices.Contains(allowed, was) {
			t.Errorf("%s of %s comes after %q", e.Type, data.ContentID, was)
		}
		before[data.ContentID] = e.Type
	}
	published := output.At(status, "content", "published").(float64)
	if counts[mission.EventContentPublished] != int(published) || published < 20 || counts[mission.EventContentRejected] != rejected ||
		counts[mission.EventJobCompleted] < 25 || counts[mission.EventMissionCompleted] != 1 {
		t.Errorf("with %v the log counts %v", status["content"], counts)
	}
	t.Logf("%v: %d events, %v", status["content"], len(events), counts)
}
