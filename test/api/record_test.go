package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"missiond/internal/identity"
	"missiond/internal/testkit"
	"missiond/mission"
)

// recordFields are all fields of a record.
const recordFields = `contentId mission { id name editorName editorEmail publicInterest } origin platform integrationId accountHandle status createdAt
	scheduledAt publishedAt revision revisions { revision author { kind id name keyId model provider } instructions writtenAt type text parts textHash
		firstComment media { mediaId part contentType hash altText provenance { ai sourceType c2pa credit copyright } }
		disclosure { line madeWithAi paidPartnership } facts { text source } checks { rule passed message part } }
	writerShare reviews { revision decision via byId byName reason at } restsOn { contentId approvedBy approvedAt } repeats publications { part text postId url publishedAt madeWithAi paidPartnership }
	failure { code message } readback { state checkedAt parts differs { part text } } keptUntil`

// inLower converts the enums of a record to REST's form.
func inLower(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			v[name] = inLower(value)
			if slices.Contains([]string{"kind", "type", "origin", "decision", "via", "state", "status", "platform", "ai", "rule"}, name) {
				v[name] = lower(value)
			}
		}
	case []any:
		for i := range v {
			v[i] = inLower(v[i])
		}
	}
	return v
}

// recorded returns a post's record by REST, which both APIs agree about.
func (s *harness) recorded(id string) result {
	s.t.Helper()
	rest, graph := restAPI{s}, graphAPI{s}
	got := rest.call("GET", "/content/"+id+"/record", nil)
	same := graph.run(`query($id: ID!) { contentRecord(contentId: $id, last: 30) { `+recordFields+` } }`, map[string]any{"id": id}, "contentRecord")
	if got.Code != same.Code || got.Code == "" && !reflect.DeepEqual(got.Fields, inLower(same.Fields)) {
		one, _ := json.Marshal(got)
		two, _ := json.Marshal(same)
		s.t.Errorf("REST has\n%s\nand GraphQL\n%s", one, two)
	}
	if got.Code == "" && got.Fields["kept_until"] == nil {
		same = graph.run(`query($id: ID!) { content(id: $id) { record(last: 30) { `+recordFields+` } } }`, map[string]any{"id": id}, "content", "record")
		if !reflect.DeepEqual(got.Fields, inLower(same.Fields)) {
			s.t.Errorf("as a field of the post it is %v", same)
		}
	}
	return got
}

// page returns a post's record as a page, which is sound HTML.
func (s *harness) page(id string) (whole, text string) {
	s.t.Helper()
	resp, err := s.request(s.server, "GET", "/v1/content/"+id+"/record?format=html")
	s.must(err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	s.must(err)
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/html; charset=utf-8" ||
		!strings.HasPrefix(resp.Header.Get("Content-Security-Policy"), "default-src 'none';") {
		s.t.Fatalf("got %d %v", resp.StatusCode, resp.Header)
	}
	known := strings.Fields("html head meta title style body h1 h2 h3 dl dt dd code blockquote section p table tr th td")
	var open []string
	var b strings.Builder
	for tokens := html.NewTokenizer(strings.NewReader(string(body))); ; {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			break
		}
		token := tokens.Token()
		switch kind {
		case html.TextToken:
			b.WriteString(token.Data)
		case html.StartTagToken:
			if !slices.Contains(known, token.Data) || len(token.Attr) > 1 {
				s.t.Errorf("the page has %s", token)
			}
			if token.Data != "meta" {
				open = append(open, token.Data)
			}
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != token.Data {
				s.t.Fatalf("%s closes %v", token, open)
			}
			open = open[:len(open)-1]
		case html.DoctypeToken:
		default:
			s.t.Errorf("the page has %s", token)
		}
	}
	if len(open) > 0 {
		s.t.Errorf("%v aren't closed", open)
	}
	return string(body), b.String()
}

// hostileText would run a script in a page that doesn't escape it.
const hostileText = `</blockquote><script>alert(1)</script><img src=x onerror="alert(2)">&lt;b&gt;{{.}} <!-- `

func TestRecords(t *testing.T) {
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			a := restAPI{s}
			missionID, id := s.written(a, map[string]any{
				"name": "A <script> & more", "editor": map[string]any{"name": `"><script>alert(3)</script>`, "email": "jo@acme.example"},
				"platforms": []any{"mastodon"}, "constraints": map[string]any{"require_approval": true}, "disclosure": map[string]any{"ai_text": "line", "line_text": "<b>By AI</b>"},
			})
			s.field(a.edit(id, map[string]any{"text": hostileText}), "revision", 2.0)
			s.field(a.reject(id, map[string]any{"reason": hostileText}), "status", "rejected")
			s.field(a.reopen(id), "status", "pending_review")
			s.field(a.approve(id, nil), "status", "approved")
			got := s.recorded(id)
			s.field(got, "revision", 2.0)
			s.field(got, "kept_until", nil)
			first := s.at(got, "revisions").([]any)[0].(map[string]any)
			s.equal("who wrote it", at(first, "author", "kind"), "writer") // which one isn't recorded here
			second := s.at(got, "revisions").([]any)[1].(map[string]any)
			s.equal("who edited it", at(second, "author", "kind"), "person")
			s.equal("the line", at(second, "disclosure", "line"), "<b>By AI</b>")
			s.equal("the text", second["text"], strings.TrimSpace(hostileText)+"\n\n<b>By AI</b>")
			whole, text := s.page(id)
			for _, want := range []string{strings.TrimSpace(hostileText), `"><script>alert(3)</script>`, "A <script> & more", "<b>By AI</b>", id, "the service's writer", "rejected", "reopened"} {
				if !strings.Contains(text, want) {
					t.Errorf("the page doesn't say %q", want)
				}
			}
			if strings.Contains(whole, "<script") || strings.Contains(whole, "onerror=\"") {
				t.Errorf("the page has a script: %s", whole)
			}
			if status, _ := s.send("GET", "/v1/content/"+id+"/record?format=pdf", nil); status != http.StatusBadRequest {
				t.Errorf("an unknown format returned %d", status)
			}

			s.key = s.keys["theirs"]
			s.want(s.recorded(id), "not_found", "")
			s.key = s.narrow(mission.ScopeMissionsRead)
			s.want(a.call("GET", "/content/"+id+"/record", nil), "forbidden", "")
			s.key = s.keys["ours"]
			s.want(s.recorded("cnt_01jd0000000000000000000000"), "not_found", "")
			s.want(s.recorded("x"), "not_found", "")

			gone := s.published(missionID, mission.Mastodon, s.clock.Now())
			s.want(a.call("POST", "/missions/"+missionID+"/complete", nil), "", "")
			s.want(a.call("DELETE", "/missions/"+missionID, nil), "", "")
			s.want(s.recorded(id), "not_found", "") // it never was out
			s.want(a.content(gone), "not_found", "")
			got = s.recorded(gone)
			s.field(got, "status", "published")
			s.field(got, "kept_until", s.clock.Now().Add(mission.RecordLife).Format("2006-01-02T15:04:05.000Z"))
			if _, text := s.page(gone); !strings.Contains(text, "Kept until") {
				t.Error("the page doesn't say until when it is kept")
			}
			s.key = s.keys["theirs"]
			s.want(s.recorded(gone), "not_found", "")
			s.key = s.keys["ours"]
			s.clock.Advance(mission.RecordLife)
			s.want(s.recorded(gone), "not_found", "")
		})
	}
}

// Records say what members are called, never their addresses; a member who was removed is there by id alone, as in
// the record of a post whose mission was deleted.
func TestRecordsNameMembers(t *testing.T) {
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			a, gql := restAPI{s}, graphAPI{s}
			ann := identity.DevPerson{Email: "ann@bank.example", Name: "Ann", Organization: "org_named", OrganizationRole: "admin"}
			annID := s.at(s.logIn(gql, ann), "user", "id").(string)
			unnamedID := s.at(s.logIn(gql, identity.DevPerson{Email: "secret.reviewer@bank.example", Organization: "org_named", OrganizationRole: "admin"}), "user", "id").(string)
			missionID, now := s.make(a, map[string]any{"start_immediately": true}), s.clock.Now()
			reviewed := func(author, by string) string {
				return s.postOn(missionID, mission.Destination{Platform: mission.Twitter}, now, func(c *mission.Content) {
					c.Status, c.PublishedAt, c.AuthorID, c.ReviewedBy, c.ReviewedAt = mission.ContentPublished, &now, author, by, &now
				})
			}
			posts := []string{reviewed(annID, unnamedID), reviewed(unnamedID, annID)}
			named := func(when string, author, reviewer [2]any) {
				t.Helper()
				for i, id := range posts {
					got := s.recorded(id)
					s.equal(when+", who wrote it", at(s.at(got, "revisions").([]any)[0].(map[string]any), "author", "name"), author[i])
					s.equal(when+", who decided", s.at(got, "reviews").([]any)[0].(map[string]any)["by_name"], reviewer[i])
					if whole, _ := s.page(id); strings.Contains(whole, "@bank.example") {
						t.Errorf("%s, the page has an address", when)
					}
				}
			}
			named("at first", [2]any{"Ann", nil}, [2]any{nil, "Ann"})
			s.want(a.call("POST", "/missions/"+missionID+"/complete", nil), "", "")
			s.want(a.call("DELETE", "/missions/"+missionID, nil), "", "")
			named("without the mission", [2]any{"Ann", nil}, [2]any{nil, "Ann"})
			s.want(a.call("DELETE", "/members/"+annID, nil), "", "")
			named("without the member", [2]any{nil, nil}, [2]any{nil, nil})
		})
	}
}

// The records of a list take as many statements as one.
func TestRecordsAreReadTogether(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	id := s.make(restAPI{s}, map[string]any{"start_immediately": true})
	query := `query($n: Int!) { contents(first: $n) { edges { node { record(last: 5) { contentId revisions { text } reviews { byName } } } } } }`
	s.plain = nil // statements are counted
	statements := func(n int) int64 {
		before := s.faults.Statements()
		if _, failed := (graphAPI{s}).call(query, map[string]any{"n": n}); failed.Code != "" {
			t.Fatal(fmt.Sprint(failed))
		}
		return s.faults.Statements() - before
	}
	for range 20 {
		s.published(id, mission.Twitter, s.clock.Now().Add(-time.Hour))
	}
	if one, many := statements(1), statements(20); one != many || many > 8 {
		t.Errorf("one takes %d statements, twenty %d", one, many)
	}
}

// Of a post's history a part can be asked for, and what isn't asked for isn't read.
func TestPartsOfHistories(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			a, g := restAPI{s}, graphAPI{s}
			_, id := s.written(a, map[string]any{"platforms": []any{"mastodon"}, "constraints": map[string]any{"require_approval": true}})
			for n := range 4 {
				s.field(a.edit(id, map[string]any{"text": fmt.Sprintf("Text %d of it", n+2)}), "revision", float64(n+2))
				s.field(a.reject(id, nil), "status", "rejected")
			}
			ask := func(selection string) string {
				data, failed := g.call(`query($id: ID!) { content(id: $id) { `+selection+` } }`, map[string]any{"id": id})
				return fmt.Sprint(data, failed.Code, failed.Param)
			}
			for selection, want := range map[string]string{
				`revisions { revision }`:                        "5 4 3 2 1",
				`revisions(first: 2) { revision }`:              "5 4",
				`revisions(first: 1) { revision }`:              "5",
				`revisions(first: 2, before: 4) { revision }`:   "3 2",
				`revisions(before: 2) { revision }`:             "1",
				`revisions(first: 101, before: 9) { revision }`: "5 4 3 2 1",
				`record(last: 2) { revisions { revision } }`:    "4 5",
				`record(last: 1) { reviews { revision } }`:      "5",
				`record { revisions { revision } }`:             "1 2 3 4 5",
				`record(last: 2) { revision writerShare }`:      "5",
				`revisions(first: 0) { revision }`:              "invalid_requestfirst",
				`revisions(first: 102) { revision }`:            "invalid_requestfirst",
				`revisions(before: 0) { revision }`:             "invalid_requestbefore",
				`record(last: 201) { revisions { revision } }`:  "invalid_requestlast",
				`record(last: 0) { revision }`:                  "invalid_requestlast",
			} {
				got := ask(selection)
				if strings.HasPrefix(want, "invalid") {
					if !strings.Contains(got, want) {
						t.Errorf("%s got %s", selection, got)
					}
					continue
				}
				numbers := strings.Join(regexp.MustCompile(`revision:(\d)`).FindAllString(got, -1), " ")
				if numbers = strings.ReplaceAll(numbers, "revision:", ""); numbers != want {
					t.Errorf("%s got %s", selection, got)
				}
			}
			s.plain = nil // statements are counted
			statements := func(selection string) int64 {
				before := s.faults.Statements()
				ask(selection)
				return s.faults.Statements() - before
			}
			if number, whole := statements(`record { revision }`), statements(`record { revision revisions { text } reviews { reason } }`); number >= whole {
				t.Errorf("a number takes %d statements, the whole record %d", number, whole)
			}
		})
	}
}
