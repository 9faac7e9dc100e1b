package program

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"missiond/internal/seal"
	"missiond/internal/testkit"
	"missiond/internal/testkit/generated"
	"missiond/test/internal/missiond"
	"missiond/test/internal/output"
)

// largest makes all that a tenant has of one post and one mission the largest that the API takes: a hundred posts of 124 KB,
// ten of them with a hundred earlier texts, and as many comments.
var largest = []string{
	`UPDATE contents SET body = repeat(repeat(chr(128512), 480) || E'\n\n', 6), parts = (SELECT jsonb_agg(repeat(chr(128512), 480)) FROM generate_series(1, 6)),
		media = (SELECT jsonb_agg(jsonb_build_object('media_id', 'med_' || n, 'part', n / 4, 'kind', 'image', 'alt_text', repeat(chr(26085), 1490), 'key', 'k',
			'hash', 'h', 'content_type', 'image/png', 'bytes', 1, 'width', 1, 'height', 1)) FROM generate_series(0, 23) n)`,
	`INSERT INTO contents SELECT (jsonb_populate_record(c, jsonb_build_object('id', left(c.id, 22) || lpad(n::text, 8, '0'),
		'scheduled_at', c.scheduled_at + n * interval '1 minute'))).* FROM contents c, generate_series(1, 99) n`,
	`INSERT INTO content_revisions (content_id, revision, tenant_id, format, body, parts, verdict, status, created_at, media, disclosed, writer, facts)
		SELECT c.id, n, c.tenant_id, c.format, c.body, c.parts, c.verdict, 'rejected', c.created_at, c.media, c.disclosed, c.writer, c.facts
		FROM (SELECT * FROM contents ORDER BY id DESC LIMIT 10) c, generate_series(1, 100) n`,
	`UPDATE contents SET revision = 101 WHERE id IN (SELECT id FROM contents ORDER BY id DESC LIMIT 10)`,
	`INSERT INTO review_comments SELECT (jsonb_populate_record(r, jsonb_build_object('id', left(r.id, 18) || lpad((1000 * p + n)::text, 12, '0'),
		'content_id', c.id, 'body', repeat(chr(128512), 2000)))).* FROM review_comments r, (SELECT id, row_number() OVER () AS p FROM contents) c, generate_series(1, 20) n`,
	`UPDATE missions SET description = repeat(chr(128512), 10000), objectives = (SELECT jsonb_agg(repeat(chr(128512), 500)) FROM generate_series(1, 50))`,
	`INSERT INTO missions SELECT (jsonb_populate_record(m, jsonb_build_object('id', left(m.id, 22) || lpad(n::text, 8, '0'), 'status', 'completed'))).*
		FROM missions m, generate_series(1, 99) n`,
	`ANALYZE`,
}

// memoryLimit is that of the process, in MiB: what its containers have by default (deploy/kubernetes).
const memoryLimit = 256

// Whatever a tenant of the free plan asks for, of the largest records that it may have, the process lives within the
// memory of its container: all lists and texts of the schema at pages as large as the cost allows, twelve times in a
// document, what REST lists, and much of both at once. What doesn't fit is refused by its name, and what is smaller is
// answered. It takes some eight seconds of CPU, since it looks for what was overlooked.
func TestResponsesFitIntoMemory(t *testing.T) {
	testkit.Full(t)
	url, redis := testkit.PostgresURL(t), testkit.Redis(t)
	missiond.Output(t, "migrate", "up", "--database-url", url)
	tenant := missiond.Output(t, "tenant", "create", "--name", "Large", "--limit", missiond.Unlimited, "--database-url", url)
	p := confined(t, "serve", "--addr", missiond.FreeAddr(t), "--ops-addr", "127.0.0.1:0", "--database-url", url, "--redis-url", redis, "--secret-keys", seal.NewKey())
	p.Key = output.Between(tenant, `"api_key":"`, `"`)
	p.Await("ready", func() bool { return p.Ready(p.URL) })
	m := p.StartMission(300, 1)
	post := p.Call("POST", "/v1/content", map[string]any{"mission_id": m, "platform": "mastodon", "parts": []string{"a", "b", "c", "d", "e", "f"}}, http.StatusCreated)
	p.Call("POST", "/v1/content/"+post["id"].(string)+"/comments", map[string]any{"text": "A remark"}, http.StatusCreated)
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, statement := range largest {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%v\n%s", err, statement)
		}
	}
	var long string
	if err := db.QueryRowContext(t.Context(), "SELECT max(id) FROM contents").Scan(&long); err != nil {
		t.Fatal(err)
	}

	g, err := generated.New(p.Page("/graphql/schema.graphql"), map[string][]string{"Mission": {m}, "Content": {long}, "content": {long}, "mission": {m}})
	if err != nil {
		t.Fatal(err)
	}
	often, once := g.Lists(12), g.Lists(1)
	if len(once) < 100 {
		t.Fatalf("there are %d documents", len(once))
	}
	full, answered, costly, highest := 0, 0, 0, 0
	for i, document := range often {
		size, text := largestPage(p, document)
		if strings.Contains(text, tooCostly) {
			document = once[i]
			size, text = largestPage(p, document)
		}
		answered, highest = answered+size, max(highest, anonymous(p))
		switch {
		case strings.Contains(text, "more than a response may have"):
			full++
		case strings.Contains(text, tooCostly):
			costly++
		}
		if strings.Contains(text, "internal_error") {
			t.Errorf("%s\ngot %s", document, text)
		}
	}
	t.Logf("of %d documents %d cost too much even once, and %d didn't fit; the others had %d MiB, the process at most %d", len(once), costly, full, answered>>20, highest)
	if highest > memoryLimit {
		t.Errorf("the process has had %d MiB", highest)
	}
	if full == 0 {
		t.Error("all responses fit: they should have been too large")
	}
	// The attack itself: histories by a few names, and a number that needs no text.
	if _, text := ask(p, `{ contents(first: 10) { edges { node { record { revision } } } } }`, nil); strings.Contains(text, `"errors"`) {
		t.Errorf("a number of each record got %.500s", text)
	}
	for _, path := range []string{"/v1/content?limit=100", "/v1/content/" + long + "/record", "/v1/content/" + long + "/revisions"} {
		if size, text := get(p, path); size < 10<<20 {
			t.Errorf("%s has %d bytes: %.300s", path, size, text)
		}
	}
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() { get(p, "/v1/content?limit=100") })
		all.Go(func() { ask(p, once[0], map[string]any{"n": 1, "few": 1}) })
		all.Go(func() {
			ask(p, `{ a: contents(first: 90) { edges { node { media { altText } } } } }`, nil)
		})
	}
	all.Wait()
	if size, text := get(p, "/v1/missions?limit=1"); size == 0 {
		t.Errorf("afterwards got %s", text)
	}
}

// confined starts the program in a control group of its own with memoryLimit, if this process may make one; otherwise it has
// only the runtime's limit.
func confined(t *testing.T, args ...string) *missiond.Process {
	t.Helper()
	script, limit := `exec "$0" "$@"`, fmt.Sprintf("GOMEMLIMIT=%dMiB", memoryLimit*9/10)
	if group := memoryGroup(t); group != "" {
		script, limit = `echo $$ > `+group+`/cgroup.procs && `+script, "UNLIMITED=1" // it finds the limit itself
	}
	cmd := exec.Command("sh", append([]string{"-c", script, missiond.Path(t)}, args...)...)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "MISSIOND_DRAIN_DELAY=0s", limit}
	p := missiond.Run(t, cmd)
	p.URL = "http://" + args[2]
	return p
}

// memoryGroup makes a control group with memoryLimit, and returns its folder; "" if this process may not.
func memoryGroup(t *testing.T) string {
	t.Helper()
	for _, v := range []struct{ root, limit string }{{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, {"/sys/fs/cgroup", "memory.max"}} {
		folder := filepath.Join(v.root, "missiond-"+strconv.Itoa(os.Getpid()))
		if os.Mkdir(folder, 0o755) != nil {
			continue
		}
		limit, err := os.OpenFile(filepath.Join(folder, v.limit), os.O_WRONLY, 0) // of a group, it is there
		if err == nil {
			_, err = limit.WriteString(strconv.Itoa(memoryLimit << 20))
			err = errors.Join(err, limit.Close())
		}
		if err == nil {
			t.Cleanup(func() { _ = os.Remove(folder) }) // after the process was killed
			return folder
		}
		_ = os.Remove(folder)
	}
	t.Log("this process may not limit another's memory: it is only watched")
	return ""
}

// anonymous returns the memory of a process that no file has, in MiB; 0 where that isn't told.
func anonymous(p *missiond.Process) (mib int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Cmd.Process.Pid))
	_, _ = fmt.Sscanf(output.Between(string(text), "RssAnon:", "kB"), "%d", &mib)
	return mib >> 10
}

// largestPage asks for a document with the largest pages that its cost allows.
func largestPage(p *missiond.Process, document string) (size int, text string) {
	for _, n := range []int{100, 50, 20, 8, 4, 2, 1} {
		size, text = ask(p, document, map[string]any{"n": n, "few": max(1, n/4)})
		if !strings.Contains(text, tooCostly) {
			break
		}
	}
	return size, text
}

// tooCostly begins the message of what is refused for its cost.
const tooCostly = "The operation costs"

// ask sends a document, and returns the size of its response and the beginning of it.
func ask(p *missiond.Process, document string, variables map[string]any) (size int, text string) {
	p.T.Helper()
	body, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	if err != nil {
		p.T.Fatal(err)
	}
	return transfer(p, "POST", "/graphql", body)
}

func get(p *missiond.Process, path string) (size int, text string) {
	p.T.Helper()
	return transfer(p, "GET", path, nil)
}

func transfer(p *missiond.Process, method, path string, body []byte) (size int, text string) {
	p.T.Helper()
	req, err := http.NewRequest(method, p.URL+path, bytes.NewReader(body))
	if err != nil {
		p.T.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+p.Key)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept-Encoding", "identity")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		p.T.Errorf("%s %s %.200s: %v", method, path, body, err)
		return 0, ""
	}
	defer func() { _ = resp.Body.Close() }()
	var first bytes.Buffer // errors come first
	n, err := io.Copy(&first, io.LimitReader(resp.Body, 64<<10))
	if err != nil {
		p.T.Errorf("%s %s: %v", method, path, err)
	}
	more, err := io.Copy(io.Discard, resp.Body)
	if err != nil {
		p.T.Errorf("%s %s: %v", method, path, err)
	}
	return int(n + more), first.String()
}
