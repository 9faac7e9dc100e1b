package api

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/httpserver"
	"missiond/internal/ratelimit"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/mission"
	"missiond/rest"
	"missiond/store"
)

// seeded inserts posts of a mission with measurements at some steps each, as many
// as a real mission would collect in years, and returns them in an export's
// order.
func (s *harness) seeded(missionID string, posts, steps int) []mission.Measurement {
	s.t.Helper()
	ctx := context.Background()
	m := s.mission(missionID)
	j, err := s.DB.Job(ctx, m.TenantID, *m.PipelineJobID)
	s.must(err)
	var all []mission.Measurement
	s.must(s.DB.Tx(ctx, func(tx store.Tx) error {
		all = nil
		var latest []mission.Measurement
		for i := range posts {
			at := scenarioStart.Add(-time.Duration(posts-i/2) * time.Minute) // two at a time
			slot := mission.Slot{Position: 1000 + int(positions.Add(1)), At: at, Platform: mission.Bluesky, Angle: mission.AngleTip, Format: mission.FormatPost}
			c, _ := mission.NewContent(tx.NewID(mission.PrefixContent, s.clock.Now()), j, mission.NewAssignment(j, slot), mission.Draft{Format: mission.FormatPost}, mission.Verdict{}, at)
			c.Status, c.PublishedAt = mission.ContentPublished, &at
			if err := tx.AddContent(ctx, c, nil); err != nil {
				return err
			}
			for step := range steps {
				figures := mission.Metrics{mission.Likes: float64(i * step), mission.Comments: 0}
				if i%2 == 0 {
					figures[mission.Impressions], figures[mission.EngagementRate] = float64(i)+0.5, 1e-7
				}
				all = append(all, mission.Measurement{
					ContentID: c.ID, MissionID: m.ID, Platform: c.Platform, Step: step, PublishedAt: at, At: at.Add(time.Duration(step+1) * 90 * time.Second), Metrics: figures,
				})
			}
			latest = append(latest, all[len(all)-1])
		}
		for points := range slices.Chunk(all, 2000) {
			if err := tx.AddMeasurements(ctx, points); err != nil {
				return err
			}
		}
		return tx.StoreAssessment(ctx, m, mission.Assessment{Points: latest, Totals: m.Totals}, nil)
	}))
	return all
}

// exportRow returns a measurement as every format of an export has it.
func exportRow(m mission.Measurement, latest bool) map[string]any {
	const form = "2006-01-02T15:04:05.000Z"
	row := map[string]any{
		"content_id": m.ContentID, "mission_id": m.MissionID, "platform": string(m.Platform), "type": "post", "angle": "tip",
		"published_at": m.PublishedAt.Format(form), "measured_at": m.At.Format(form), "age_seconds": m.Age().Seconds(), "latest": latest,
	}
	for metric, v := range m.Metrics {
		row[string(metric)] = v
	}
	return row
}

// exportResponse is the response of an export, with its body unread.
type exportResponse struct {
	io.ReadCloser

	header http.Header
}

// zippedMark ends a query whose response is to be compressed; it isn't sent.
const zippedMark = "&gzip"

// exported requests an export as the caller of s.key, and fails the test unless
// it succeeds.
func (s *harness) exported(server *httptest.Server, query string) exportResponse {
	s.t.Helper()
	req, err := http.NewRequest(http.MethodGet, server.URL+"/v1/analytics/export?"+query, nil)
	s.must(err)
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("Accept-Encoding", "identity")
	if plain, zipped := strings.CutSuffix(query, zippedMark); zipped {
		req.URL.RawQuery = plain
		req.Header.Set("Accept-Encoding", "gzip")
	}
	resp, err := server.Client().Do(req)
	s.must(err)
	testkit.Cleanup(s.t, func() { _ = resp.Body.Close() })
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(resp.Body)
		s.t.Fatalf("an export returned %d %s", resp.StatusCode, text)
	}
	return exportResponse{resp.Body, resp.Header}
}

// readExport parses an export of any format into JSON's values.
func readExport(format string, body io.Reader) (rows []map[string]any, err error) {
	switch format {
	case "json":
		err = json.NewDecoder(body).Decode(&rows)
	case "ndjson":
		lines := bufio.NewScanner(body)
		for lines.Scan() {
			var row map[string]any
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				return rows, err
			}
			rows = append(rows, row)
		}
		err = lines.Err()
	default:
		return readCSV(body)
	}
	return rows, err
}

func readCSV(body io.Reader) (rows []map[string]any, err error) {
	records, err := csv.NewReader(body).ReadAll()
	if err != nil {
		return nil, err
	}
	head := records[0]
	want := []string{"content_id", "mission_id", "platform", "type", "angle", "published_at", "measured_at", "age_seconds", "latest"}
	for _, m := range mission.AllMetrics() {
		want = append(want, string(m))
	}
	if !slices.Equal(head, want) {
		return nil, fmt.Errorf("got the header row %v, want %v", head, want)
	}
	for _, r := range records[1:] {
		row := map[string]any{}
		for i, name := range head {
			switch {
			case r[i] == "" && i > 8:
			case name == "latest":
				row[name] = r[i] == "true"
			case i > 6:
				if row[name], err = strconv.ParseFloat(r[i], 64); err != nil {
					return nil, err
				}
			default:
				row[name] = r[i]
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// front is a server with all the middleware of a process. ended is called when a
// request's context ends.
func (s *harness) front(ended func()) *httptest.Server {
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	api := httpserver.WithCORS([]string{"https://app.example.com"}, httpserver.NoStore(httpserver.Compressed(s.server.Config.Handler)))
	observer := &httpserver.Observer{Log: log, NewID: func() string { return "req_x" }}
	handler := observer.Observe(httpserver.WithRecover(rest.WriteError, api))
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stop := context.AfterFunc(r.Context(), ended)
		defer stop()
		handler.ServeHTTP(w, r)
	}))
	server.Config.ReadTimeout = httpserver.New(nil, log).ReadTimeout
	server.Start()
	testkit.Cleanup(s.t, server.Close)
	return server
}

// Every measurement is in each format of an export, in order, and none of another
// range, mission or tenant.
func TestExport(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			a := restAPI{s}
			id := s.make(a, object{"start_immediately": true})
			all := s.seeded(id, 1250, 16)
			h := s.harvest(a)
			server := s.front(func() {})
			want := make([]map[string]any, len(all))
			for i, m := range all {
				want[i] = exportRow(m, i%16 == 15)
			}
			for _, query := range []string{"format=json", "format=ndjson", "format=csv&gzip"} {
				format, _, _ := strings.Cut(strings.TrimPrefix(query, "format="), "&")
				resp := s.exported(server, "mission_id="+id+"&"+query)
				body := io.Reader(resp)
				if strings.Contains(query, "gzip") {
					unzipped, err := gzip.NewReader(resp)
					s.must(err)
					body = unzipped
				}
				got, err := readExport(format, body)
				if err != nil || len(got) != len(want) || !reflect.DeepEqual(got, want) {
					t.Errorf("%s returned %d rows, want %d: %v", query, len(got), len(want), err)
				}
				kind := map[string]string{"csv": "text/csv; charset=utf-8", "json": "application/json", "ndjson": "application/x-ndjson"}[format]
				if h := resp.header; h.Get("Content-Type") != kind || h.Get("Content-Disposition") != `attachment; filename="missiond-analytics-2026-11-23.`+format+`"` ||
					h.Get("X-Ratelimit-Limit") == "" || h.Get("X-Request-Id") == "" || h.Get("Cache-Control") != "no-store" || h.Get("Content-Length") != "" {
					t.Errorf("%s has the headers %v", query, h)
				}
			}
			for query, want := range map[string]int{
				"":                                     len(all) + 5,
				"mission_id=" + h.ours:                 4,
				"mission_id=" + h.other:                1,
				"from=2026-11-22":                      2,
				"from=2026-11-21&mission_id=" + h.ours: 4,
				"to=2026-11-21&mission_id=" + h.ours:   3,
				"to=2020-01-01":                        0,
				"mission_id=" + s.make(a, object{}):    0,
				"from=2027-01-01&mission_id=" + h.ours: 0,
				"from=1970-01-01&to=9998-12-31&mission_id=" + h.ours: 4, // the range has no bound
			} {
				for _, format := range []string{"csv", "json", "ndjson"} {
					if want > 100 && format != "csv" {
						continue
					}
					got, err := readExport(format, s.exported(server, query+"&format="+format))
					if err != nil || len(got) != want {
						t.Errorf("%q as %s returned %d rows, want %d: %v", query, format, len(got), want, err)
					}
				}
			}
			s.key = s.keys["theirs"]
			if got, err := readExport("csv", s.exported(server, "")); err != nil || len(got) != 0 {
				t.Errorf("got another tenant's export %v, %v", got, err)
			}
		})
	}
}

// Errors are returned before the first byte, and HEAD reads no rows.
func TestExportRefusals(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	h := s.harvest(restAPI{s})
	for query, param := range map[string]string{
		"format=xlsx": "format", "format=CSV": "format", "from=x": "from", "to=2026-02-30": "to", "from=2026-11-22&to=2026-11-21": "from",
		"mission_id=nonsense": "mission_id", "mission_id=msn_01jd0000000000000000000000": "mission_id", "mission_id=" + h.posts[0]: "mission_id",
	} {
		s.want(restAPI{s}.call("GET", "/analytics/export?"+query, nil), "invalid_request", param)
	}
	s.key = s.keys["theirs"]
	s.want(restAPI{s}.call("GET", "/analytics/export?mission_id="+h.ours, nil), "invalid_request", "mission_id")
	s.key = s.keys["ours"]
	s.want(restAPI{s}.call("POST", "/analytics/export", nil), "method_not_allowed", "")
	s.want(restAPI{s}.call("DELETE", "/analytics", nil), "method_not_allowed", "")
	s.faults.Arm(2, func() { panic("broken") }) // after authentication
	resp, err := s.request(s.front(func() {}), http.MethodGet, "/v1/analytics/export")
	s.faults.Disarm()
	s.must(err)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusInternalServerError || resp.Header.Get("Content-Type") != "application/json" {
		t.Errorf("a fault before the first page returned %d %v", resp.StatusCode, resp.Header)
	}
	resp, err = s.request(s.server, http.MethodHead, "/v1/analytics/export?format=ndjson")
	s.must(err)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("HEAD returned %d %v", resp.StatusCode, resp.Header)
	}
}

func (s *harness) request(server *httptest.Server, method, path string) (*http.Response, error) {
	req, err := http.NewRequest(method, server.URL+path, nil)
	s.must(err)
	req.Header.Set("Authorization", "Bearer "+s.key)
	return server.Client().Do(req)
}

// taken counts the exports taken from a tenant's rate limit.
type taken struct {
	mu    sync.Mutex
	net   int
	limit int
}

func (l *taken) Take(_ context.Context, buckets ...ratelimit.Bucket) []ratelimit.Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	verdicts := make([]ratelimit.Verdict, len(buckets))
	for i, b := range buckets {
		if strings.HasSuffix(b.Key, ":"+string(mission.OpAnalyticsExport)) {
			l.net, l.limit = l.net+b.Take, b.Rate.Limit
		}
		verdicts[i] = ratelimit.Verdict{OK: true, Remaining: b.Rate.Limit}
	}
	return verdicts
}

func (l *taken) sum() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.net
}

// An export is streamed: its client gets the first rows before the last are read.
// One that fails halfway, for whatever reason, is recognizably incomplete and
// doesn't count; one whose client is gone reads no further.
func TestExportHalfway(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		for _, format := range []string{"csv", "json", "ndjson", "csv&gzip"} {
			t.Run(dialect+"/"+format, func(t *testing.T) {
				t.Parallel()
				s := newHarness(t, open)
				s.seeded(s.make(restAPI{s}, object{"start_immediately": true}), 1250, 2)
				allowance := &taken{}
				s.allowances.Limiter = allowance
				gone := make(chan struct{}, 10)
				server := s.front(func() { gone <- struct{}{} })
				// The statements: authentication, 13 pages.
				begun := make(chan struct{})
				s.faults.Arm(9, func() { <-begun })
				before := s.faults.Statements()
				resp := s.exported(server, "format="+format)
				_, err := io.ReadFull(resp, make([]byte, 2000))
				s.must(err)
				if n := s.faults.Statements() - before; n > 9 {
					t.Errorf("%d statements ran before the first bytes arrived", n)
				}
				close(begun)
				_, err = io.Copy(io.Discard, resp)
				s.must(err)
				if n := s.faults.Statements() - before; n != 14 || allowance.sum() != 1 || allowance.limit != 5 {
					t.Errorf("the export took %d statements and %d of %d exports", n, allowance.sum(), allowance.limit)
				}
				// The client disconnects.
				left := make(chan exportResponse, 1)
				s.faults.Arm(7, func() {
					_ = (<-left).Close()
					for { // the earlier ones have ended, too
						select {
						case <-gone:
							if len(gone) == 0 {
								return
							}
						case <-time.After(await.Long()):
							t.Error("the request didn't end when its client disconnected")
							return
						}
					}
				})
				for len(gone) > 0 {
					<-gone
				}
				before = s.faults.Statements()
				left <- s.exported(server, "format="+format)
				await.Until(t, "what is written while rows are sent", func() bool { return s.faults.Statements()-before >= 7 })
				server.CloseClientConnections()
				if n := s.faults.Statements() - before; n > 9 {
					t.Errorf("%d statements ran for a client that disconnected after 7", n)
				}
				if allowance.sum() != 2 {
					t.Errorf("a client that disconnected has taken %d exports, want 2", allowance.sum())
				}
				s.brokenOff(server, format, "a panic", func() { panic("broken") })
				s.brokenOff(server, format, "a database that is gone", func() { _ = s.DB.Close() })
				if allowance.sum() != 2 {
					t.Errorf("failed exports have taken %d", allowance.sum()-2)
				}
			})
		}
	}
}

// brokenOff makes an export fail halfway, and checks that its client notices.
func (s *harness) brokenOff(server *httptest.Server, format, name string, fault func()) {
	s.t.Helper()
	s.faults.Arm(10, fault)
	defer s.faults.Disarm()
	resp := s.exported(server, "format="+format)
	if n, err := io.Copy(io.Discard, resp); err == nil {
		s.t.Errorf("%s: the client accepted %d bytes as complete", name, n)
	}
}

// The memory of an export doesn't grow with its rows, even if its client is slow.
func TestExportIsFlat(t *testing.T) {
	testkit.SkipIfShort(t)
	s := newHarness(t, testkit.SQLite)
	s.seeded(s.make(restAPI{s}, object{"start_immediately": true}), 2500, 16)
	server := s.front(func() {})
	const limit = 16 << 20
	for _, query := range []string{"format=json", "format=csv&gzip"} {
		heap := func() uint64 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		before, most, whole := heap(), uint64(0), 0
		resp := s.exported(server, query)
		piece := make([]byte, 128<<10)
		for {
			n, err := io.ReadFull(resp, piece)
			whole += n
			if err != nil {
				break
			}
			now := heap()
			for again := 0; again < 3 && now > before+limit; again++ {
				now = min(now, heap()) // with what was thrown away since its collection
			}
			most = max(most, now)
		}
		growth := max(most, before) - before
		t.Logf("%s: %d bytes were sent, the heap grew by %d", query, whole, growth)
		if growth > limit { // all rows would take ten times that
			t.Errorf("%s: the heap grew by %d bytes", query, growth)
		}
	}
}
