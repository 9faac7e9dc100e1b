package api

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// heavy are the requests whose work grows with the posts that they make or change. Each
// is prepared for so many posts, and then sent.
var heavy = map[string]func(s *harness, posts int) (send func()){
	"an import": func(s *harness, posts int) func() {
		data := s.rows(s.reviewed(), posts)
		return func() { s.imported(data) }
	},
	"the end of a mission": func(s *harness, posts int) func() {
		id := s.reviewed()
		s.imported(s.rows(id, posts))
		return func() { s.ok(http.MethodPost, "/v1/missions/"+id+"/complete", nil) }
	},
	"a new excluded topic": func(s *harness, posts int) func() {
		id := s.running(false)
		s.imported(s.rows(id, posts))
		return func() {
			s.ok(http.MethodPut, "/v1/missions/"+id, object{"constraints": object{"excluded_topics": []string{"amplification"}}})
		}
	},
	"a mission's deletion": func(s *harness, posts int) func() {
		id := s.reviewed()
		s.imported(s.rows(id, posts))
		s.ok(http.MethodPost, "/v1/missions/"+id+"/complete", nil)
		return func() { s.ok(http.MethodDelete, "/v1/missions/"+id, nil) }
	},
	"several posts that are moved": func(s *harness, posts int) func() {
		ids := s.imported(s.rows(s.reviewed(), posts))
		items := make([]string, posts/2)
		for i, id := range ids[:posts/2] {
			items[i] = fmt.Sprintf(`{id: %q, scheduledAt: %q}`, id, time.Now().Add(time.Hour+time.Duration(i)*time.Second).UTC().Format(time.RFC3339))
		}
		return func() {
			fields, code := s.query(`mutation { rescheduleContents(items: [` + strings.Join(items, ",") + `]) { results { id } } }`)
			s.equal(fmt.Sprint("the moves' code, ", fields != nil), code, "")
		}
	},
	"a review of several posts": func(s *harness, posts int) func() {
		ids := s.imported(s.rows(s.reviewed(), posts))
		return func() {
			fields, code := s.query(`mutation { approveContents(ids: ["` + strings.Join(ids[:posts/2], `","`) + `"]) { contents { id } } }`)
			s.equal(fmt.Sprint("the review's code, ", fields != nil), code, "")
		}
	},
}

// An import that makes nothing, since it only tries or since a row has a problem, writes
// nothing, not even its Idempotency-Key: it keeps nobody waiting. The texts of one that makes
// posts are checked before its transaction begins.
func TestImportsThatMakeNothingWriteNothing(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			id := s.running(true)
			rows := s.rows(id, 3)
			var mu sync.Mutex
			var written []string
			s.faults.Listen(func(statement string, _ ...any) {
				mu.Lock()
				defer mu.Unlock()
				if word, _, _ := strings.Cut(statement, " "); !slices.Contains([]string{"SELECT", "WITH", "BEGIN", "SET", "ROLLBACK"}, word) || statement == "BEGIN IMMEDIATE" ||
					strings.Contains(statement, " FOR ") && strings.HasSuffix(statement, "UPDATE") {
					written = append(written, statement)
				}
			})
			for name, send := range map[string]struct{ path, rows string }{
				"a dry run":             {"/v1/content/import?dry_run=true", rows},
				"a dry run of bad rows": {"/v1/content/import?dry_run=true", rows + "{}\n"},
				"a refused import":      {"/v1/content/import", rows + "{}\n"},
			} {
				written = nil
				status, object := s.upload("application/x-ndjson", send.path, send.rows)
				if len(written) > 0 || (status == http.StatusOK) != strings.Contains(name, "dry") {
					t.Errorf("%s: %d %v, and writes %q", name, status, object["error"], written)
				}
			}
			status, text, _ := s.keyedAs("application/x-ndjson", "k", "POST", "/v1/content/import?dry_run=true", []byte(rows))
			if status != http.StatusOK || len(written) > 0 {
				t.Errorf("with a key: %d %s, and writes %q", status, text, written)
			}
			s.faults.Listen(nil)
			s.imported(rows)
		})
	}
}

func (s *harness) ok(method, path string, body any) object {
	s.t.Helper()
	status, fields := s.send(method, path, body)
	if status >= http.StatusBadRequest {
		s.t.Fatalf("%s %s: %d %v", method, path, status, fields)
	}
	return fields
}

// running starts a mission on Mastodon that writes no posts of its own, and reviewed one
// whose posts wait for review.
func (s *harness) running(review bool) string {
	s.t.Helper()
	return s.ok(http.MethodPost, "/v1/missions", object{
		"name": "Amplified", "objectives": []string{"Tell it"}, "platforms": []string{"mastodon"}, "duration_days": 366,
		"constraints": object{"require_approval": review}, "start_immediately": true,
	})["id"].(string)
}

func (s *harness) reviewed() string { return s.running(true) }

// rows returns an import's rows, a minute apart.
func (s *harness) rows(missionID string, n int) string {
	var b strings.Builder
	for i := range n {
		at := scenarioStart.Add(time.Hour + time.Duration(i)*time.Minute).Format(time.RFC3339)
		fmt.Fprintf(&b, `{"mission_id":%q,"platform":"mastodon","text":"Amplification %d","scheduled_at":%q}`+"\n", missionID, i, at)
	}
	return b.String()
}

func (s *harness) imported(rows string) (ids []string) {
	s.t.Helper()
	status, object := s.upload("application/x-ndjson", "/v1/content/import", rows)
	if status != http.StatusOK {
		s.t.Fatalf("the import: %d %v", status, object)
	}
	for _, row := range object["rows"].([]any) {
		ids = append(ids, row.(map[string]any)["content_id"].(string))
	}
	return ids
}

// The work of a request grows with the posts that it makes or changes, and with the
// endpoints that hear of them: twice as many of either is
// about twice the work, where the square of them would be four times.
func TestWorkGrowsLinearly(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	const endpoints, most = 8, 3
	posts := testkit.Size(50, 50, 100, 100)
	for dialect, open := range testkit.WorkingDBs() {
		for name, prepare := range heavy {
			t.Run(dialect+"/"+name, func(t *testing.T) {
				if dialect == "postgres" {
					testkit.Full(t)
				}
				t.Parallel()
				work := func(posts, endpoints int) int {
					var counted testkit.Work
					s := newHarness(t, func(t testing.TB, o store.Options) (db *store.DB) {
						db, counted = open(t, o)
						return db
					})
					for i := range endpoints {
						s.ok(http.MethodPost, "/v1/webhooks", object{
							"url":    fmt.Sprintf("http://127.0.0.1:1/%d", i),
							"events": []mission.EventType{mission.EventContentCreated, mission.EventContentCanceled, mission.EventContentHeld, mission.EventContentApproved},
						})
					}
					send := prepare(s, posts)
					before := counted()
					s.until("the database is reached again", func() bool {
						status, _ := s.send(http.MethodGet, "/v1/content", nil)
						return status == http.StatusOK
					})
					send()
					return counted() - before
				}
				linear := func() bool {
					once, more, wider := work(posts, endpoints), work(2*posts, endpoints), work(posts, 2*endpoints)
					t.Logf("%d; twice the posts: %d; twice the endpoints: %d", once, more, wider)
					return once > 0 && more <= most*once && wider <= most*once
				}
				tries := 2 // Postgres plans by statistics, which it may have gathered in between
				for tries > 0 && !linear() {
					tries--
				}
				if tries == 0 {
					t.Error("the work grows faster, twice")
				}
			})
		}
	}
}
