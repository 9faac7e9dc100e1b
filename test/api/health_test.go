package api

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"missiond/internal/testkit"
)

// healthAPI is the part of both APIs that says how missions are doing.
type healthAPI interface {
	lifeAPI
	// health returns a mission's health; its fields are nil if it has none.
	health(id string) result
}

func (a restAPI) health(id string) result {
	got := a.call("GET", "/missions/"+id+"?expand=health", nil)
	status := a.call("GET", "/missions/"+id+"/status?expand=health", nil)
	if got.Code != status.Code || !reflect.DeepEqual(got.Fields["health"], status.Fields["health"]) {
		a.t.Errorf("the mission has %+v, its status %+v", got, status)
	}
	if got.Code != "" {
		return got
	}
	for _, edge := range a.call("GET", "/missions?expand=health", nil).Fields["data"].([]any) {
		if row, _ := edge.(map[string]any); row["id"] == id && !reflect.DeepEqual(row["health"], got.Fields["health"]) {
			a.t.Errorf("the list has %+v, the mission %+v", row["health"], got.Fields["health"])
		}
	}
	if _, has := got.Fields["health"]; !has {
		a.t.Error("the health is absent")
	}
	fields, _ := got.Fields["health"].(map[string]any)
	return result{Fields: fields}
}

func (a graphAPI) health(id string) result {
	got := a.run(`query($id: ID!) { mission(id: $id) { health { state message since } } }`, map[string]any{"id": id}, "mission")
	if got.Code != "" {
		return got
	}
	fields, _ := got.Fields["health"].(map[string]any)
	if fields != nil {
		fields["state"] = lower(fields["state"])
	}
	return result{Fields: fields}
}

func TestHealthScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[healthAPI]{{"how missions are doing", healths}, {"how missions are doing, once more", healths}})
}

func healths(s *harness, a healthAPI) {
	wants := func(id, state, says string) result {
		s.t.Helper()
		got := a.health(id)
		if message := fmt.Sprint(got.Fields["message"]); got.Code != "" || got.Fields["state"] != state || !strings.Contains(message, says) {
			s.t.Errorf("got %+v, want %s: %s", got, state, says)
		}
		return got
	}
	draft := s.make(a, nil)
	if got := a.health(draft); got.Code != "" || got.Fields != nil {
		s.t.Errorf("a draft has %+v", got)
	}
	id := s.make(a, map[string]any{"start_immediately": true})
	if got := wants(id, "on_pace", "Nothing keeps its posts"); got.Fields["since"] != nil {
		s.t.Errorf("got %+v", got)
	}
	waits, _ := s.written(a, reviewed)
	wants(waits, "starving", "A post waits for review, and none is approved for the next 24 hours.")
	a.pause(waits)
	if got := wants(waits, "held", "The mission is paused."); got.Fields["since"] != "2026-11-21T08:00:00.000Z" {
		s.t.Errorf("got %+v", got)
	}
	a.complete(waits)
	if got := a.health(waits); got.Code != "" || got.Fields != nil {
		s.t.Errorf("a completed mission has %+v", got)
	}
	s.want(a.health("msn_01jd0000000000000000000000"), "not_found", "")
	s.key = s.keys["theirs"]
	s.want(a.health(id), "not_found", "")
}

// Of a mission, its status and a list, health is returned only if it is requested; what can't be is
// refused.
func TestHealthIsExpanded(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			rest := restAPI{s}
			id := s.make(rest, map[string]any{"start_immediately": true})
			for _, path := range []string{"/missions/" + id, "/missions/" + id + "/status"} {
				if got := rest.call("GET", path, nil); got.Fields["health"] != nil {
					t.Errorf("%s returns %+v", path, got)
				}
				s.want(rest.call("GET", path+"?expand=wealth", nil), "invalid_request", "expand")
			}
			list := rest.call("GET", "/missions", nil)
			if _, has := list.Fields["data"].([]any)[0].(map[string]any)["health"]; has {
				t.Errorf("the list returns %+v", list)
			}
			s.want(rest.call("GET", "/missions?expand=content", nil), "invalid_request", "expand")
			s.want(rest.call("GET", "/missions/"+id+"/status?expand=health,content", nil), "invalid_request", "expand")
		})
	}
}
