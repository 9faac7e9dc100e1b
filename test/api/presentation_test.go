package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
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

// A mission's guidance is stored as both APIs are sent it, replaced as a whole and removed.
func TestGuidance(t *testing.T) {
	s := newHarness(t, testkit.SQLite)
	rest, graph := restAPI{s}, graphAPI{s}
	guidance := func(value any) map[string]any {
		return map[string]any{"constraints": map[string]any{"guidance": value}}
	}
	id := s.make(rest, guidance(map[string]any{"prefer_angles": []string{"story"}, "avoid_hours": []string{"00-03"}}))
	shown := func() string {
		m := graph.query(fmt.Sprintf(`{ mission(id: %q) { constraints { guidance { preferAngles avoidAngles preferHours avoidHours } } } }`, id))["mission"]
		return fmt.Sprint(at(m.(map[string]any), "constraints", "guidance"), rest.read(id).Fields["constraints"].(map[string]any)["guidance"])
	}
	if got, want := shown(), "map[avoidAngles:[] avoidHours:[00-03] preferAngles:[STORY] preferHours:[]] map[avoid_hours:[00-03] prefer_angles:[story]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	graph.query(fmt.Sprintf(`mutation { updateMission(id: %q, input: {constraints: {guidance: {avoidAngles: [MYTH]}}}) { mission { id } } }`, id))
	if got, want := shown(), "map[avoidAngles:[MYTH] avoidHours:[] preferAngles:[] preferHours:[]] map[avoid_angles:[myth]]"; got != want {
		t.Errorf("after an update got %s, want %s", got, want)
	}
	rest.call("PUT", "/missions/"+id, guidance(nil))
	if got := shown(); got != "<nil> <nil>" {
		t.Errorf("after null got %s", got)
	}
	s.want(rest.create(body(guidance(map[string]any{"avoid_angles": []string{"rant"}}))), "invalid_request", "constraints.guidance.avoid_angles[0]")
	s.want(graph.create(body(guidance(map[string]any{"prefer_hours": []string{"6"}}))), "invalid_request", "constraints.guidance.prefer_hours[0]")
}

// How a mission repeats its posts is stored as both APIs are sent it, with its defaults, replaced as a
// whole, copied and removed; and a post names the one that it repeats, wherever it is shown.
func TestEvergreen(t *testing.T) {
	playAll(t, []scenario[lifeAPI]{{"evergreen is set", evergreenIsSet}})
}

func evergreenIsSet(s *harness, a lifeAPI) {
	evergreen := func(value any) map[string]any {
		return map[string]any{"constraints": map[string]any{"evergreen": value}}
	}
	rest, graph := restAPI{s}, graphAPI{s}
	shown := func(id string) string {
		m := graph.query(fmt.Sprintf(`{ mission(id: %q) { constraints { evergreen { cooldownDays share rewrite } } } }`, id))["mission"]
		return fmt.Sprint(at(m.(map[string]any), "constraints", "evergreen"), rest.read(id).Fields["constraints"].(map[string]any)["evergreen"])
	}
	want := func(what, got, want string) {
		s.t.Helper()
		s.equal(what, got, want)
	}
	id := s.make(a, evergreen(map[string]any{}))
	want("the defaults", shown(id), "map[cooldownDays:60 rewrite:WHERE_REFUSED share:20] map[cooldown_days:60 rewrite:where_refused share:20]")
	a.update(id, evergreen(map[string]any{"share": 5}))
	a.update(id, map[string]any{"constraints": map[string]any{"tone": "dry"}})
	want("an update", shown(id), "map[cooldownDays:60 rewrite:WHERE_REFUSED share:5] map[cooldown_days:60 rewrite:where_refused share:5]")
	graph.query(fmt.Sprintf(`mutation { updateMission(id: %q, input: {constraints: {evergreen: {cooldownDays: 7, rewrite: ALWAYS}}}) { mission { id } } }`, id))
	const always = "map[cooldownDays:7 rewrite:ALWAYS share:20] map[cooldown_days:7 rewrite:always share:20]"
	want("an update by GraphQL", shown(id), always)
	twin := rest.call("POST", "/missions/"+id+"/duplicate", nil).Fields["id"].(string)
	want("the copy", shown(twin), always)
	a.update(id, evergreen(nil))
	want("null", shown(id), "<nil> <nil>")
	for param, value := range map[string]any{"cooldown_days": 6, "share": 51} {
		s.want(a.create(body(evergreen(map[string]any{param: value}))), "invalid_request", "constraints.evergreen."+param)
		s.want(a.update(id, evergreen(map[string]any{param: value})), "invalid_request", "constraints.evergreen."+param)
	}
	s.want(rest.create(body(evergreen(map[string]any{"rewrite": "never"}))), "invalid_request", "constraints.evergreen.rewrite")

	a.start(id)
	now, on := s.clock.Now(), mission.Destination{Platform: mission.Mastodon}
	original := s.published(id, on.Platform, now)
	repeat := s.postOn(id, on, now.Add(time.Minute), func(c *mission.Content) {
		c.Status, c.PublishedAt, c.Repeats = mission.ContentPublished, &now, original
	})
	names := func(id string) string {
		of := graph.query(fmt.Sprintf(`{ content(id: %q) { repeats { id repeats { id } } record { repeats } } }`, id))["content"].(map[string]any)
		return fmt.Sprintf("%v %v %v %v", of["repeats"], at(of, "record", "repeats"), rest.call("GET", "/content/"+id, nil).Fields["repeats"], s.recorded(id).Fields["repeats"])
	}
	want("a repeat", names(repeat), fmt.Sprintf("map[id:%[1]s repeats:<nil>] %[1]s %[1]s %[1]s", original))
	want("an original", names(original), "<nil> <nil> <nil> <nil>")
	if _, text := s.page(repeat); !strings.Contains(text, original) {
		s.t.Errorf("the printed record doesn't name %s", original)
	}
}
