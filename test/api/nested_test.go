package api

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"missiond/internal/testkit"
	"missiond/mission"
)

// Nested lists are the same as the lists of their own queries, page by page.
func TestNestedLists(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			rest, gql := restAPI{s}, graphAPI{s}
			var ids []string
			for i := range 3 {
				id, _ := s.written(rest, map[string]any{"name": fmt.Sprintf("Launch %d", i)})
				ids = append(ids, id)
			}
			const posts = `totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { id text } }`
			page := `first: 2`
			for range 2 {
				below := gql.query(`{ missions { edges { node { id contents(filter: {status: PENDING_REVIEW}, ` + page + `) { ` + posts + ` } } } } }`)
				for _, edge := range at(below, "missions", "edges").([]any) {
					m := edge.(map[string]any)["node"].(map[string]any)
					alone := gql.query(fmt.Sprintf(`{ contents(filter: {missionId: %q, status: PENDING_REVIEW}, `+page+`) { `+posts+` } }`, m["id"]))
					if !reflect.DeepEqual(m["contents"], alone["contents"]) {
						t.Errorf("nested %v, on its own %v", m["contents"], alone["contents"])
					}
				}
				page = `last: 1`
			}
			jobs := gql.query(fmt.Sprintf(`{ mission(id: %q) { pipelineJobId job { id mission { id } } jobs { totalCount edges { node { id cycle stages { name } } } }
				events(types: [MISSION_CREATED, PIPELINE_STAGE_COMPLETED], last: 1) { totalCount edges { node { type mission { id } } } } nextPublishAt } }`, ids[0]))["mission"].(map[string]any)
			if at(jobs, "job", "id") != jobs["pipelineJobId"] || at(jobs, "job", "mission", "id") != ids[0] || at(jobs, "jobs", "totalCount") != 1.0 {
				t.Errorf("got the jobs %v", jobs)
			}
			if first := at(jobs, "events", "edges").([]any)[0].(map[string]any); at(first, "node", "type") != "MISSION_CREATED" || at(first, "node", "mission", "id") != ids[0] {
				t.Errorf("got the first event %v", first)
			}
			one := gql.query(fmt.Sprintf(`{ mission(id: %q) { contents(first: 1) { edges { node { id mission { id } job { id mission { name } } revisions { revision text } text } } } } }`, ids[1]))
			c := at(one["mission"].(map[string]any), "contents", "edges").([]any)[0].(map[string]any)["node"].(map[string]any)
			if at(c, "mission", "id") != ids[1] || at(c, "job", "mission", "name") != "Launch 1" || c["revisions"].([]any)[0].(map[string]any)["text"] != c["text"] {
				t.Errorf("got the post's parents %v", c)
			}
			none := at(gql.query(fmt.Sprintf(`{ mission(id: %q) { a: contents(first: 0) { totalCount edges { cursor } pageInfo { hasNextPage endCursor } } b: contents(last: 0) { edges { cursor } pageInfo { hasPreviousPage } } } }`, ids[0])), "mission").(map[string]any)
			if at(none, "a", "totalCount") == 0.0 || len(at(none, "a", "edges").([]any))+len(at(none, "b", "edges").([]any)) > 0 || at(none, "a", "pageInfo", "endCursor") != nil ||
				at(none, "a", "pageInfo", "hasNextPage") != true || at(none, "b", "pageInfo", "hasPreviousPage") != true {
				t.Errorf("an empty page is %v", none)
			}
			for name, c := range map[string]struct{ field, param string }{
				"a page of less":           {`contents(first: -1) { totalCount }`, "first"},
				"a page that is too large": {`jobs(last: 101) { totalCount }`, "last"},
				"both ends":                {`events(first: 1, last: 1) { totalCount }`, "last"},
				"a cursor that is none":    {`contents(after: "x") { totalCount }`, "after"},
				"another's cursor":         {fmt.Sprintf(`jobs(before: %q, last: 1) { totalCount }`, mission.PrefixJob+"01jd0000000000000000000000"), "before"},
			} {
				_, response := s.send("POST", "/graphql", map[string]any{"query": fmt.Sprintf(`{ mission(id: %q) { name fine: contents { totalCount } %s } }`, ids[0], c.field)})
				e := firstError(response["errors"])
				if at(e, "extensions", "code") != "invalid_request" || at(e, "extensions", "param") != c.param || at(response, "data", "mission", "name") != "Launch 0" || at(response, "data", "mission", "fine") == nil {
					t.Errorf("%s returned %v", name, response)
				}
			}
		})
	}
}

// Missions are found by the words of their names, in any order; searches
// without a word are refused.
func TestMissionSearch(t *testing.T) {
	s := newHarness(t, testkit.SQLite)
	rest, gql := restAPI{s}, graphAPI{s}
	for _, name := range []string{"Autumn launch", "Winter launch", "Winter sale"} {
		s.make(rest, map[string]any{"name": name})
	}
	for args, want := range map[string][]string{
		``:                          {"Winter sale", "Winter launch", "Autumn launch"},
		`(orderBy: OLDEST_FIRST)`:   {"Autumn launch", "Winter launch", "Winter sale"},
		`(orderBy: NAME)`:           {"Autumn launch", "Winter launch", "Winter sale"},
		`(orderBy: NEXT_POST)`:      nil, // drafts have none
		`(filter: {search: "win"})`: {"Winter sale", "Winter launch"},
		`(filter: {search: "win"}, orderBy: NAME, first: 1)`:                {"Winter launch"},
		`(filter: {search: "LAUNCH wi", status: DRAFT, platform: TWITTER})`: {"Winter launch"},
		`(filter: {search: "launch"}, orderBy: OLDEST_FIRST, first: 1)`:     {"Autumn launch"},
		`(filter: {search: "launch"}, orderBy: OLDEST_FIRST, last: 1)`:      {"Winter launch"},
		`(filter: {search: "nothing"})`:                                     nil,
	} {
		found := gql.query(`{ missions` + args + ` { totalCount edges { node { name } } } }`)
		var names []string
		for _, edge := range at(found, "missions", "edges").([]any) {
			names = append(names, at(edge.(map[string]any), "node", "name").(string))
		}
		if !slices.Equal(names, want) {
			t.Errorf("missions%s returned %q, want %q", args, names, want)
		}
	}
	for _, search := range []string{"!!", "a b c d e f g h i"} {
		_, response := s.send("POST", "/graphql", map[string]any{"query": fmt.Sprintf(`{ missions(filter: {search: %q}) { totalCount } }`, search)})
		if e := firstError(response["errors"]); at(e, "extensions", "param") != "search" {
			t.Errorf("a search for %q returned %v", search, response)
		}
	}
}

// Records of any type are read by id in one request, in the order of the ids.
func TestNodes(t *testing.T) {
	s := newHarness(t, testkit.SQLite)
	e := s.estate("nodes")
	s.key = e.key
	before := s.faults.Statements()
	ids := append(slices.Clone(e.ids), "msn_01jd0000000000000000000000", "nonsense")
	_, response := s.send("POST", "/graphql", map[string]any{"query": `query($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Content { mission { id } } } }`, "variables": map[string]any{"ids": ids}})
	nodes, _ := at(response, "data", "nodes").([]any)
	if len(nodes) != len(ids) || response["errors"] != nil {
		t.Fatalf("nodes returned %v", response)
	}
	types := map[string]bool{}
	for i, n := range nodes {
		object, _ := n.(map[string]any)
		if known := i < len(e.ids); known != (object != nil) || known && object["id"] != ids[i] {
			t.Errorf("got %[2]v for %[1]s", ids[i], n)
		} else if known {
			types[object["__typename"].(string)] = true
		}
	}
	few := s.faults.Statements() - before
	double := append(slices.Clone(ids), ids...)
	before = s.faults.Statements()
	s.send("POST", "/graphql", map[string]any{"query": `query($ids: [ID!]!) { nodes(ids: $ids) { id ... on Content { mission { id } } } }`, "variables": map[string]any{"ids": double}})
	if many := s.faults.Statements() - before; many != few || len(types) < 8 {
		t.Errorf("%d ids of %d types took %d statements, twice as many ids %d", len(ids), len(types), few, many)
	}
	for _, list := range [][]string{{}, make([]string, 101)} {
		_, response := s.send("POST", "/graphql", map[string]any{"query": `query($ids: [ID!]!) { nodes(ids: $ids) { id } }`, "variables": map[string]any{"ids": list}})
		if e := firstError(response["errors"]); at(e, "extensions", "param") != "ids" {
			t.Errorf("%d ids returned %v", len(list), response)
		}
	}
}

// The limits that platforms report are those that the rules apply.
func TestPlatforms(t *testing.T) {
	s := newHarness(t, testkit.SQLite)
	all := graphAPI{s}.query(`{ platforms { platform textLimit linkLength maxBytes unit threads maxParts maxHashtags formats metrics firstComment } }`)["platforms"].([]any)
	shown := map[string]map[string]any{}
	for _, each := range all {
		p := each.(map[string]any)
		shown[strings.ToLower(p["platform"].(string))] = p
	}
	for _, p := range mission.AllPlatforms() {
		caps, _ := mission.CapabilitiesOf(p)
		if got := shown[string(p)]; got["textLimit"] != float64(caps.MaxLength) || got["firstComment"] != caps.FirstComment {
			t.Errorf("%s has the limits %v", p, got)
		}
	}
	if p := shown["bluesky"]; p["textLimit"] != 300.0 || p["maxBytes"] != 3000.0 || p["linkLength"] != 0.0 || p["unit"] != "GRAPHEMES" || p["threads"] != true || p["maxParts"].(float64) < 2 {
		t.Errorf("got Bluesky's limits %v", p)
	}
}

// Both APIs show what platforms take of files, and what alt texts cost.
func TestPlatformsMedia(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	const fields = `{ platforms { platform fees { altText } media {
		maxImages maxAnimations maxVideos required mixed maxAltText image { types maxBytes maxSide maxPixels minRatio maxRatio }
		animation { maxBytes maxWidth maxHeight maxFrames maxPixels }
		video { types minBytes maxBytes minDurationMs maxDurationMs minRatio maxRatio maxPixels minSide maxLongSide maxShortSide maxWidth
		codecs subsamplings maxBits progressive minFrameRate maxFrameRate maxBitRate audioCodecs maxSampleRate maxAudioChannels } } } }`
	inGraph := graphAPI{s}.query(fields)["platforms"].([]any)
	_, response := s.send("GET", "/v1/platforms", nil)
	inREST := response["data"].([]any)
	if len(inGraph) != len(mission.AllPlatforms()) || len(inREST) != len(inGraph) {
		t.Fatalf("got %d and %d platforms", len(inGraph), len(inREST))
	}
	for i, each := range inREST {
		of, other := each.(map[string]any), inGraph[i].(map[string]any)
		s.equal(of["platform"].(string), fmt.Sprint(asREST(other["media"])), fmt.Sprint(of["media"]))
		s.equal("the fee", at(other, "fees", "altText"), at(of, "fees", "alt_text_cents"))
		if of["platform"] == "twitter" {
			s.equal("X's pictures", at(of, "media", "max_images"), 4.0)
			s.equal("X's bound of GIFs", at(of, "media", "animation", "max_frames"), 350.0)
			s.equal("X's fee", at(of, "fees", "alt_text_cents").(float64) > 0, true)
		}
	}
}
