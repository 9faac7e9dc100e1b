package api

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"missiond/internal/testkit"
	"missiond/mission"
)

// hiddenTexts have what a reader doesn't see: a character that reorders others, an invisible one, a tag, a private one,
// and too many marks on a letter.
var hiddenTexts = []string{"a\u202eb", "a\u200bb", "a\U000e0041b", "a\ue000b", "a" + strings.Repeat("\u0301", 60)}

// twoLines is refused in what is one line.
const twoLines = "a\nb"

// unread are the texts that may have hidden characters, and why.
var unread = map[string]string{
	"session.login clerk_token":      "a token of the identity provider's, whose characters say whether it is one",
	"content.settle published_url":   "an address in the form of a platform's, of a post whose outcome nobody knows",
	"notifications.mark_read ids[0]": "an id, which is looked up",
}

// eachText calls each with bodies of a schema whose text at a path is the one given, for each of its texts.
func (c *contract) eachText(doc map[string]any, schema any, at string, in func(v any) any, each func(path string, body func(text string) any)) {
	s := c.resolve(doc, schema)
	switch kind(s) {
	case "string":
		each(at, func(text string) any { return in(text) })
	case "array":
		c.eachText(doc, s["items"], at+"[0]", func(v any) any { return in([]any{v}) }, each)
	case "object":
		properties, _ := s["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			c.eachText(doc, properties[name], strings.TrimPrefix(at+"."+name, "."), func(v any) any {
				object, _ := c.soundBody(doc, s).(map[string]any)
				object[name] = v
				return in(object)
			}, each)
		}
	}
}

// ofEstate replaces the ids of examples by those of an estate.
func (e estate) ofEstate(body string) string {
	return regexp.MustCompile(`\b([a-z]{3}_)01[0-9a-z]{24}\b`).ReplaceAllStringFunc(body, func(id string) string {
		if i := slices.IndexFunc(e.ids, func(own string) bool { return strings.HasPrefix(own, id[:4]) }); i >= 0 {
			return e.ids[i]
		}
		return id
	})
}

// target returns the path of an operation on what there is of an estate.
func (e estate) target(path string) string {
	for of, prefix := range map[string]string{
		"/missions/": mission.PrefixMission, "/content/": mission.PrefixContent, "/integrations/": mission.PrefixIntegration, "/media/": mission.PrefixMedia,
		"/replies/": mission.PrefixReply, "/members/": mission.PrefixUser,
	} {
		if strings.HasPrefix(path, "/v1"+of) {
			path = strings.Replace(path, "{id}", e.first(prefix), 1)
		}
	}
	return e.fill(path)
}

// What a reader doesn't see is refused by the name of its field, in every text of every body; so is a second line where
// only one is allowed.
func TestHiddenTextsInREST(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	e := s.estate("hidden")
	draft := e.first(mission.PrefixMission)
	e.ids = slices.DeleteFunc(e.ids, func(id string) bool { return id == draft }) // which takes no posts
	s.key = s.session("hidden")
	c, tried := s.description(), 0
	for _, op := range s.described() {
		inJSON, _ := at(op.object, "requestBody", "content", "application/json").(map[string]any)
		c.eachText(op.served, inJSON["schema"], "", func(v any) any { return v }, func(path string, body func(text string) any) {
			id := op.object["operationId"].(string)
			if unread[id+" "+path] != "" {
				return
			}
			for _, text := range append(slices.Clone(hiddenTexts), twoLines) {
				whole := body(text).(map[string]any)
				if id == "content.create" || id == "content.validate" {
					if whole["platform"] != text {
						whole["platform"] = mission.Twitter
					}
					if _, ok := whole["parts"]; !ok && whole["text"] == nil {
						whole["text"] = "A text"
					}
				}
				sent, err := json.Marshal(whole)
				s.must(err)
				tried++
				status, got := s.raw(op.method, e.target(op.path), e.ofEstate(string(sent)))
				var response struct {
					Error    struct{ Param string }
					Problems []struct{ Param string } // what a check of a post found
				}
				s.must(json.Unmarshal(got, &response))
				if text == twoLines && !strings.Contains(string(got), "must be one line") {
					continue
				}
				checked := id == "content.validate" && len(response.Problems) > 0 && response.Problems[0].Param == path
				if !checked && (status != http.StatusBadRequest || response.Error.Param != path) {
					t.Errorf("%s with %+q at %s returned %d %s", id, text, path, status, got)
					break
				}
			}
		})
	}
	if tried < 500 {
		t.Errorf("only %d bodies were tried", tried)
	}
}
