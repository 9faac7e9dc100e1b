package store_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// The migration that adds up figures includes the posts that existed before,
// and schedules measuring them.
func TestFiguresOfOlderPosts(t *testing.T) {
	testkit.Full(t)
	eachRaw(t, testkit.PostgresURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		m, unmeasured := f.mission(nil), f.mission(nil)
		posts := f.posts(f.job(m))
		for i := range 3 {
			posts[i] = f.publish(posts[i], start.Add(time.Duration(i)*20*time.Hour))
		}
		f.publish(f.posts(f.job(unmeasured))[0], start)
		f.measure(m, map[string]mission.Metrics{posts[0].ID: {mission.Impressions: 9, mission.Likes: 3}, posts[1].ID: {mission.Likes: 4}}, start.Add(40*time.Hour))
		want, all := f.days(m.TenantID, m.ID), f.days(m.TenantID, "")

		for _, q := range append(downTo(t, 10),
			"DELETE FROM day_figures", "DELETE FROM tasks", "UPDATE contents SET measure_at = published_at WHERE status = 'published'",
			"DELETE FROM goose_db_version WHERE version_id = 9",
		) {
			_, err := raw.ExecContext(ctx, q)
			f.must(err)
		}
		f.must(f.db.Migrate(ctx))
		if got := f.days(m.TenantID, m.ID); !reflect.DeepEqual(got, want) || len(want) != 2 {
			t.Errorf("the mission's days are %+v, want %+v", got, want)
		}
		if got := f.days(m.TenantID, ""); !reflect.DeepEqual(got, all) {
			t.Errorf("the tenant's days are %+v, want %+v", got, all)
		}
		var tasks int
		f.must(raw.QueryRowContext(ctx, "SELECT count(*) FROM tasks WHERE type = 'mission:measure'").Scan(&tasks))
		if tasks != 2 {
			t.Errorf("%d tasks measure, want one of each mission", tasks)
		}
	})
}

// The migration to days that pauses don't move goes on behind a paused mission's latest job, and makes up for what its
// pauses took. Others have nothing to make up for.
func TestPausesOfOlderMissions(t *testing.T) {
	testkit.SkipIfShort(t)
	eachRaw(t, testkit.PostgresURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		paused, unpaused := f.mission(nil), f.mission(nil)
		j := f.job(paused)
		f.job(unpaused)
		for _, q := range append(downTo(t, 71),
			fmt.Sprintf("UPDATE missions SET paused_ms = %d WHERE id = '%s'", (36*time.Hour).Milliseconds(), paused.ID),
			"DELETE FROM goose_db_version WHERE version_id = 71",
		) {
			_, err := raw.ExecContext(ctx, q)
			f.must(err)
		}
		f.must(f.db.Migrate(ctx))
		got, err := f.db.Mission(ctx, paused.TenantID, paused.ID)
		f.must(err)
		if got.PlannedFrom == nil || !got.PlannedFrom.Equal(j.Window.End) || got.Owed != 8 {
			t.Errorf("the next posts lie behind %v, and %d are owed; want %s and 8", got.PlannedFrom, got.Owed, j.Window.End)
		}
		got, err = f.db.Mission(ctx, unpaused.TenantID, unpaused.ID)
		f.must(err)
		if got.PlannedFrom != nil || got.Owed != 0 {
			t.Errorf("of a mission without pauses they lie behind %v, and %d are owed", got.PlannedFrom, got.Owed)
		}
	})
}

// Files that were there before count with all that was made of them.
func TestBytesOfOlderFiles(t *testing.T) {
	testkit.SkipIfShort(t)
	eachRaw(t, testkit.PostgresURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		p := mission.Principal{TenantID: f.tenant.ID}
		m, err := mission.NewMedia(f.db.NewID(mission.PrefixMedia, start), p, mission.TypeJPEG, mission.MediaInput{}, start)
		f.must(err)
		f.must(f.db.Tx(ctx, func(tx store.Tx) error {
			if err := tx.AddMedia(ctx, m); err != nil {
				return err
			}
			ready := m
			ready.Status, ready.Bytes = mission.MediaReady, 1000
			ready.Variants = []mission.MediaVariant{{Bytes: 300}, {Bytes: 50}}
			ready.Earlier = []mission.MediaVariant{{Bytes: 7}}
			return tx.SetMedia(ctx, m, ready)
		}))
		for _, q := range downTo(t, 72) {
			_, err := raw.ExecContext(ctx, q)
			f.must(err)
		}
		f.must(f.db.Migrate(ctx))
		got, err := f.db.Media(ctx, m.TenantID, m.ID)
		f.must(err)
		used, err := f.db.MediaBytes(ctx, m.TenantID)
		f.must(err)
		if got.Stored != 1357 || used != 1357 {
			t.Errorf("it counts %d bytes, and the tenant %d; want 1357", got.Stored, used)
		}
	})
}

// The records of deleted posts lose the names and addresses of users, and nothing else.
func TestUsersInOlderRecords(t *testing.T) {
	testkit.SkipIfShort(t)
	eachRaw(t, testkit.PostgresURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		address, key, share := "ann@bank.example", "A key", 0.875
		whole := mission.Record{ContentID: "cnt_1", Mission: mission.RecordMission{ID: "msn_1", EditorEmail: &address}, WriterShare: &share, Reviews: []mission.RecordReview{
			{ByID: f.user.ID, ByName: &address, At: start}, {ByID: "key_1", ByName: &key, Reason: &key, At: start},
		}, Revisions: []mission.RecordText{
			{Text: "1 < 2", Author: mission.RecordAuthor{ID: &f.user.ID, Name: &address}, Facts: []mission.CitedFact{}, Checks: []mission.ShownCheck{}},
			{Text: "ü", Author: mission.RecordAuthor{Kind: mission.AuthorModel}, Facts: []mission.CitedFact{}, Checks: []mission.ShownCheck{}},
		}, RestsOn: []mission.Approval{}}
		empty := mission.Record{ContentID: "cnt_2", Mission: whole.Mission, Reviews: []mission.RecordReview{}, Revisions: []mission.RecordText{}, RestsOn: []mission.Approval{}}
		f.must(f.tx(func(tx store.Tx) error {
			return tx.AddRecords(ctx, f.tenant.ID, []mission.Record{whole, empty}, start.Add(time.Hour))
		}))
		text, err := json.Marshal(whole)
		f.must(err)
		for _, q := range append(downTo(t, 77), fmt.Sprintf("UPDATE content_records SET record = '%s' WHERE content_id = 'cnt_1'", text)) {
			_, err := raw.ExecContext(ctx, q)
			f.must(err)
		}
		f.must(f.db.Migrate(ctx))
		var kept string
		f.must(raw.QueryRowContext(ctx, "SELECT record FROM content_records WHERE content_id = 'cnt_1'").Scan(&kept))
		if strings.Count(kept, address) != 1 {
			t.Errorf("the addresses are still there: %s", kept)
		}
		for _, want := range []mission.Record{whole.NameUsers(mission.RecordNames{f.user.ID: f.user.Name}), empty} {
			until := start.Add(time.Hour)
			want.KeptUntil = &until
			got, err := f.db.Record(ctx, f.tenant.ID, want.ContentID, start)
			f.must(err)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got\n%+v, want\n%+v", got, want)
			}
		}
	})
}

// eachRaw is each with another handle on the database, for what the store
// doesn't return. The URL of the Postgres database is what postgres returns.
func eachRaw(t *testing.T, postgres func(testing.TB) string, test func(t *testing.T, f *fixture, raw *sql.DB)) {
	t.Helper()
	t.Parallel()
	path, url := filepath.Join(t.TempDir(), "m.db"), postgres(t)
	for driver, open := range map[string]func() (*store.DB, error){
		"sqlite": func() (*store.DB, error) { return store.OpenSQLite(path, options) },
		"pgx":    func() (*store.DB, error) { return store.OpenPostgres(testkit.Pooled(t, url), options) },
	} {
		t.Run(driver, func(t *testing.T) {
			db, err := open()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = db.Close() }()
			if err := db.Migrate(ctx); err != nil {
				t.Fatal(err)
			}
			raw, err := sql.Open(driver, map[string]string{"sqlite": path, "pgx": url}[driver])
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = raw.Close() }()
			test(t, newFixture(t, db), raw)
		})
	}
}

// downTo returns the statements that undo the migrations from the newest down
// to a version.
func downTo(t *testing.T, version int) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("migrations", "*.sql"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	// As a first statement, SQLite's DROP COLUMN doesn't notice that others have changed the schema.
	statements := []string{"SELECT 1 FROM goose_db_version"}
	for _, name := range slices.Backward(files) {
		number, _, _ := strings.Cut(filepath.Base(name), "_")
		if n, err := strconv.Atoi(number); err != nil || n < version {
			break
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, undo, ok := strings.Cut(string(text), "-- +goose Down")
		if !ok {
			t.Fatalf("%s has no way down", name)
		}
		for s := range strings.SplitSeq(undo, ";") {
			if strings.TrimSpace(s) != "" {
				statements = append(statements, s)
			}
		}
	}
	return append(statements, fmt.Sprintf("DELETE FROM goose_db_version WHERE version_id >= %d", version))
}

// For roles given before the migration, the audit log decides where they came
// from.
func TestSourcesOfOlderRoles(t *testing.T) {
	testkit.Full(t)
	eachRaw(t, testkit.PostgresURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		user := func(id, subject, role string) {
			u := mission.User{ID: id, TenantID: f.tenant.ID, Subject: subject, Role: mission.Role(role), CreatedAt: start}
			f.must(f.tx(func(tx store.Tx) error { return tx.AddUser(ctx, u, f.entry(f.tenant.ID)) }))
		}
		user("usr_first", "a", "admin")
		user("usr_given", "b", "admin")
		user("usr_follows", "c", "viewer")
		given := f.entry(f.tenant.ID)
		given.Action, given.TargetID = mission.AuditMemberChanged, "usr_given"
		f.must(f.tx(func(tx store.Tx) error { return tx.Audit(ctx, given) }))
		for _, q := range append(downTo(t, 11), "UPDATE users SET role_kept = true WHERE id <> 'usr_follows'", "UPDATE users SET role_kept = false WHERE id = 'usr_follows'") {
			_, err := raw.ExecContext(ctx, q)
			f.must(err)
		}
		f.must(f.db.Migrate(ctx))
		for id, want := range map[string]mission.RoleSource{
			f.user.ID: mission.RoleFromAdmin, "usr_first": mission.RoleAsFirst, "usr_given": mission.RoleFromAdmin, "usr_follows": mission.RoleFromProvider,
		} {
			u, err := f.db.User(ctx, f.tenant.ID, id)
			if err != nil || u.RoleFrom != want {
				t.Errorf("the role of %s is from %q, %v, want %q", id, u.RoleFrom, err, want)
			}
		}
	})
}

// Searches find the missions that existed before the migration, also if it was cut off
// while it indexed their names.
func TestNamesOfOlderMissions(t *testing.T) {
	testkit.Full(t)
	eachRaw(t, testkit.PostgresURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		f.mission(func(in *mission.CreateInput) { in.Name = "Autumn launch" })
		f.mission(func(in *mission.CreateInput) { in.Name = "Autumn sale" })
		found := func() {
			t.Helper()
			const want = 2
			part, err := f.db.Missions(ctx, f.tenant.ID, store.MissionFilter{Words: []string{"autumn"}}, store.Page{Limit: 5, Total: true})
			if err != nil || len(part.List) != want || part.Total != want {
				t.Errorf("found %d missions, %d in all, %v, want %d", len(part.List), part.Total, err, want)
			}
		}
		for _, q := range downTo(t, 26) {
			_, err := raw.ExecContext(ctx, q)
			f.must(err)
		}
		f.must(f.db.Migrate(ctx))
		found()
		for _, q := range append(downTo(t, 27), "DELETE FROM mission_names WHERE mission_id = (SELECT min(id) FROM missions)") {
			_, err := raw.ExecContext(ctx, q)
			f.must(err)
		}
		var named int
		f.must(raw.QueryRowContext(ctx, "SELECT count(DISTINCT mission_id) FROM mission_names").Scan(&named))
		if named != 1 {
			t.Errorf("%d missions have names, want 1", named)
		}
		f.must(f.db.Migrate(ctx))
		found()
	})
}

// The figures that were added up by platform become those of the accounts that published
// the posts, also if the migration was cut off between two missions. A mission's
// integration becomes its platform's default account.
func TestFiguresOfOlderAccounts(t *testing.T) {
	testkit.Full(t)
	eachRaw(t, testkit.PostgresURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		missions := []mission.Mission{f.mission(nil), f.mission(nil), f.mission(nil)}
		ripe := start.Add(mission.RipeAge + 20*time.Minute)
		for n, m := range missions[:2] {
			// Before the migration a platform has one account, or the sandbox before it is connected.
			posts, measured := f.posts(f.through(m, "", "int_a", "int_a", "int_a")), map[string]mission.Metrics{}
			for i, c := range posts {
				posts[i] = f.publish(c, start.Add(time.Duration(i)*5*time.Minute))
				measured[c.ID] = mission.Metrics{mission.Impressions: 100, mission.Likes: float64(i + 10*n)}
				if i == 3 {
					measured[c.ID] = mission.Metrics{mission.Likes: 7} // reports no impressions
				}
			}
			for id, figures := range measured {
				f.measure(m, map[string]mission.Metrics{id: figures}, ripe)
			}
		}
		type view struct {
			Days  map[string][]mission.Figures
			Ripe  [][]string
			Total []mission.PlatformTotals
		}
		seen := func() (v view) {
			ids := []string{""}
			for _, m := range missions {
				ids = append(ids, m.ID)
				var learned []string
				for _, c := range f.ripe(m, 100, ripe) {
					learned = append(learned, fmt.Sprint(c.ID, c.IntegrationID, c.Metrics[mission.Likes]))
				}
				v.Ripe = append(v.Ripe, learned)
				m, err := f.db.Mission(ctx, m.TenantID, m.ID)
				f.must(err)
				v.Total = append(v.Total, m.Totals)
			}
			var err error
			v.Days, err = f.db.DaysOf(ctx, f.tenant.ID, ids, mission.FiguresFilter{})
			f.must(err)
			return v
		}
		want := seen()
		if len(want.Days[""]) != 2 || want.Days[""][1].Metrics[mission.EngagementRate] == 0 || len(want.Ripe[1]) != 4 {
			t.Fatalf("before the migration there is %+v", want)
		}
		integration := fmt.Sprintf(`INSERT INTO integrations (id, tenant_id, platform, status, auth, server, account, scopes, sealed, version, created_at, updated_at)
			VALUES ('int_a', '%s', 'twitter', 'connected', 'token', '', '{"id":"1","handle":"@a"}', '[]', '', 1, '2026-11-21 08:00:00+00:00', '2026-11-21 08:00:00+00:00')`, f.tenant.ID)
		cutOff := []string{"CREATE TABLE account_figures AS SELECT * FROM saved_figures"}
		for _, step := range []struct {
			name       string
			statements []string
		}{
			{"whole", append(downTo(t, 24), integration)},
			{"cut off", slices.Concat([]string{"CREATE TABLE saved_figures AS SELECT * FROM day_figures WHERE mission_id = '" + min(missions[0].ID, missions[1].ID) + "'", "ALTER TABLE saved_figures DROP COLUMN views"}, downTo(t, 28), cutOff)},
		} {
			name := step.name
			for _, statement := range step.statements {
				_, err := raw.ExecContext(ctx, statement)
				f.must(err)
			}
			f.must(f.db.Migrate(ctx))
			if got := seen(); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: after the migration there is\n%+v, want\n%+v", name, got, want)
			}
			if on, err := f.db.AccountsOn(ctx, f.tenant.ID, []string{"twitter"}); name == "whole" && (err != nil || len(on[mission.Twitter]) != 1 || !on[mission.Twitter][0].Default) {
				t.Errorf("the platform's accounts are %+v, %v", on, err)
			}
			posts, err := f.db.Contents(ctx, f.tenant.ID, store.ContentFilter{}, store.Page{Limit: 20})
			f.must(err)
			for _, c := range posts.List {
				if want := map[string]string{"int_a": "@a"}[c.IntegrationID]; c.AccountHandle != want {
					t.Errorf("%s: a post through %q has the handle %q, want %q", name, c.IntegrationID, c.AccountHandle, want)
				}
			}
		}
	})
}
