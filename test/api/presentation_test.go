package api

import (
	"fmt"
	"testing"

	"missiond/internal/testkit"
)

// A mission's language and visibility are stored as both APIs are sent them, changed and
// removed; REST leaves out what isn't set. Platforms say which of them they take.
func TestLanguageAndVisibility(t *testing.T) {
	s := newHarness(t, testkit.SQLite)
	rest, graph := restAPI{s}, graphAPI{s}
	id := s.make(rest, map[string]any{"constraints": map[string]any{"language": "PT-br", "visibility": "unlisted"}})
	shown := func() any {
		m := graph.query(fmt.Sprintf(`{ mission(id: %q) { constraints { language visibility } } }`, id))["mission"]
		return at(m.(map[string]any), "constraints")
	}
	if got := rest.read(id).Fields["constraints"].(map[string]any); got["language"] != "pt-BR" || got["visibility"] != "unlisted" {
		t.Errorf("REST shows %v", got)
	}
	if got := fmt.Sprint(shown()); got != "map[language:pt-BR visibility:UNLISTED]" {
		t.Errorf("GraphQL shows %s", got)
	}
	graph.query(fmt.Sprintf(`mutation { updateMission(id: %q, input: {constraints: {language: "ja", visibility: PRIVATE}}) { mission { id } } }`, id))
	if got := fmt.Sprint(shown()); got != "map[language:ja visibility:PRIVATE]" {
		t.Errorf("after an update GraphQL shows %s", got)
	}
	rest.call("PUT", "/missions/"+id, map[string]any{"constraints": map[string]any{"language": nil, "visibility": nil}})
	if got := rest.read(id).Fields["constraints"].(map[string]any); len(got) != 8 {
		t.Errorf("after null REST shows %v", got)
	}
	if got := fmt.Sprint(shown()); got != "map[language:<nil> visibility:<nil>]" {
		t.Errorf("after null GraphQL shows %s", got)
	}
	for param, value := range map[string]any{"language": "german", "visibility": "direct"} {
		s.want(rest.create(body(map[string]any{"constraints": map[string]any{param: value}})), "invalid_request", "constraints."+param)
	}
	takes := map[string]string{}
	for _, p := range rest.call("GET", "/platforms", nil).Fields["data"].([]any) {
		p := p.(map[string]any)
		takes[p["platform"].(string)] = fmt.Sprint(p["language"], p["visibilities"])
	}
	if takes["mastodon"] != "true [public unlisted private]" || takes["bluesky"] != "true []" || takes["linkedin"] != "false []" {
		t.Errorf("platforms take %v", takes)
	}
}
