package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"missiond/internal/jsonwire"
	"missiond/internal/testkit"
	"missiond/store"
)

// global are the tables without data of tenants.
var global = map[string]string{
	"oauth_clients":    "programs register before any tenant lets them act",
	"settings":         "the service's own",
	"signing_keys":     "the service's own",
	"data_deletions":   "it says of nobody who asked, nor of whom",
	"goose_db_version": "the schema's versions",
	"schema_floor":     "the schema's versions",
	"tenants":          "the tenant itself, which goes last and is exported first",
}

// column is a column of the schema.
type column struct{ name, kind string }

// schema returns the tables of a database with their columns, without SQLite's index of
// texts, whose rows triggers remove.
func schema(t *testing.T, raw *sql.DB) map[string][]column {
	t.Helper()
	query := `SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public'
		AND NOT (SELECT relispartition FROM pg_class WHERE oid = to_regclass(table_name)) ORDER BY ordinal_position`
	if strings.Contains(fmt.Sprintf("%T", raw.Driver()), "sqlite") {
		query = `SELECT m.name, c.name, c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'
			AND m.name NOT LIKE 'content_grams%' ORDER BY c.cid`
	}
	rows, err := raw.QueryContext(ctx, query)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	tables := map[string][]column{}
	for rows.Next() {
		var table string
		var c column
		if err := rows.Scan(&table, &c.name, &c.kind); err != nil {
			t.Fatal(err)
		}
		tables[table] = append(tables[table], c)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return tables
}

// secretive are the names of columns whose values an export must not have.
var secretive = regexp.MustCompile(`seal|hash|secret|token|verifier|password|superseded|^code$`)

// references are the tables that columns of these names refer to.
var references = map[string]string{
	"mission_id": "missions", "job_id": "jobs", "content_id": "contents", "media_id": "media", "webhook_id": "webhooks", "event_id": "events",
	"delivery_id": "deliveries", "notification_id": "notifications", "user_id": "users", "integration_id": "integrations", "link_id": "tracked_links",
}

// fill inserts a row of a tenant into a table: each column that may contain the
// tenant's id does.
func fill(t *testing.T, raw *sql.DB, table string, columns []column, tenant string) {
	t.Helper()
	names, values := []string{}, []string{}
	for _, c := range columns {
		value := "'" + c.name + "_" + tenant + "'"
		switch kind := strings.ToLower(c.kind); {
		case c.name == "tenant_id":
			value = "'" + tenant + "'"
		case c.name == "id":
			value = "'" + table + "_" + tenant + "'"
		case references[c.name] != "":
			value = "'" + references[c.name] + "_" + tenant + "'"
		case secretive.MatchString(c.name) && strings.HasPrefix(kind, "text"):
			value = "'s3cret_" + table + "_" + tenant + "'"
		case strings.HasPrefix(kind, "timestamp"):
			value = "'2026-11-21 08:00:00+00:00'"
		case kind == "jsonb" && secretive.MatchString(c.name):
			value = `'["s3cret"]'`
		case kind == "jsonb":
			value = `'{"of":"` + tenant + `"}'`
		case kind == "boolean":
			value = "true"
		case kind == "bytea":
			value = "CAST('{}' AS bytea)"
		case kind == "integer": // SQLite numbers the rows
			continue
		case kind == "array":
			value = "'{}'"
		case kind == "bigint", kind == "double precision":
			value = "1"
		case !strings.HasPrefix(kind, "text"):
			t.Fatalf("%s.%s is a %s: extend fill to write one", table, c.name, c.kind)
		}
		names, values = append(names, c.name), append(values, value)
	}
	query := fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(names, ", "), strings.Join(values, ", "))
	if strings.Contains(fmt.Sprintf("%T", raw.Driver()), "sqlite") {
		query = strings.ReplaceAll(query, "CAST('{}' AS bytea)", "CAST('{}' AS blob)")
	}
	if _, err := raw.ExecContext(ctx, query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// naming counts the rows of a table that contain a tenant's id in any column.
func naming(t *testing.T, raw *sql.DB, table string, columns []column, tenant string) (n int) {
	t.Helper()
	var has []string
	for _, c := range columns {
		if kind := strings.ToLower(c.kind); strings.HasPrefix(kind, "text") || kind == "jsonb" {
			has = append(has, "CAST("+c.name+" AS text) LIKE '%"+tenant+"%'")
		}
	}
	if len(has) == 0 {
		return 0
	}
	if err := raw.QueryRowContext(ctx, "SELECT count(*) FROM "+table+" WHERE "+strings.Join(has, " OR ")).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// fillTenants fills every table of the schema for two tenants, and returns the
// tables.
func fillTenants(t *testing.T, raw *sql.DB) (tables map[string][]column, mine, theirs string) {
	t.Helper()
	tables, mine, theirs = schema(t, raw), "tnt_mine", "tnt_theirs"
	order := []string{}
	for _, table := range store.TenantTables() {
		order = append(order, table.Name)
	}
	for name := range tables {
		if global[name] == "" && !slices.Contains(order, name) {
			t.Fatalf("the table %s is neither removed with its tenant nor global: add it to tenantTables in store/tenant_data.go, or to global with the reason", name)
		}
	}
	slices.Reverse(order) // referenced tables first
	for _, tenant := range []string{mine, theirs} {
		fillTenant(t, raw, tenant)
		for _, name := range order {
			fill(t, raw, name, tables[name], tenant)
		}
	}
	return tables, mine, theirs
}

// fillTenant inserts a tenant's own row.
func fillTenant(t *testing.T, raw *sql.DB, tenant string) {
	t.Helper()
	_, err := raw.ExecContext(ctx, fmt.Sprintf(`INSERT INTO tenants (id, name, slug, unique_slug, plan, limits, brand, created_at, updated_at)
		VALUES ('%s', 'x', 'x', '%s', 'free', '{}', '{}', '2026-11-21 08:00:00+00:00', '2026-11-21 08:00:00+00:00')`, tenant, tenant))
	if err != nil {
		t.Fatal(err)
	}
}

// Deleting a tenant deletes its rows in every table with data of tenants, and
// nobody else's.
func TestTenantsGoWhole(t *testing.T) {
	eachRaw(t, testkit.MigratedURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		tables, mine, theirs := fillTenants(t, raw)
		f.must(f.tx(func(tx store.Tx) error {
			for _, table := range store.TenantTables() {
				n, err := tx.DropTenantRows(ctx, table, mine, 500)
				if err != nil {
					return fmt.Errorf("%s: %w", table.Name, err)
				}
				if n != 1 {
					t.Errorf("%d rows of %s were removed, want 1", n, table.Name)
				}
			}
			return tx.DropTenant(ctx, mine)
		}))
		for name, columns := range tables {
			if n := naming(t, raw, name, columns, mine); n != 0 {
				t.Errorf("%d rows of %s still name the tenant", n, name)
			}
			if n := naming(t, raw, name, columns, theirs); n != 1 && global[name] == "" {
				t.Errorf("%d rows of %s name the other tenant, want 1", n, name)
			}
		}
	})
}

// A step deletes as many rows as it may.
func TestTenantsGoInSteps(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		for range 9 {
			f.must(f.tx(func(tx store.Tx) error { return tx.Audit(ctx, f.entry(f.tenant.ID)) }))
		}
		i := slices.IndexFunc(store.TenantTables(), func(t store.TenantTable) bool { return t.Name == "audit_log" })
		var steps []int
		for range 4 {
			f.must(f.tx(func(tx store.Tx) error {
				n, err := tx.DropTenantRows(ctx, store.TenantTables()[i], f.tenant.ID, 4)
				steps = append(steps, n)
				return err
			}))
		}
		equal(t, "rows a step", steps, []int{4, 4, 2, 0}) // including the entry of the fixture's user
	})
}

// An export contains all tables except those it says it leaves out, all columns
// except secrets, the same on both databases, and nothing of other tenants.
func TestExportsHaveEverything(t *testing.T) {
	texts := map[string]string{}
	eachRaw(t, testkit.MigratedURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		tables, mine, theirs := fillTenants(t, raw)
		var text strings.Builder
		rows := map[string]map[string]any{}
		f.must(f.db.ExportTenant(context.Background(), mine, func(table string, row map[string]any) error {
			rows[table] = row
			line, err := jsonwire.Marshal(map[string]any{"table": table, "row": row})
			text.Write(append(line, '\n'))
			return err
		}))
		if strings.Contains(text.String(), theirs) || strings.Contains(text.String(), "s3cret") {
			t.Errorf("the export contains another tenant's data, or secrets:\n%s", text.String())
		}
		for _, table := range store.TenantTables() {
			row, there := rows[table.Name]
			if there == (table.Why != "") {
				t.Errorf("%s is exported: %v, but the reason to leave it out is %q", table.Name, there, table.Why)
			}
			for _, c := range tables[table.Name] {
				_, has := row[c.name]
				if omitted := slices.Contains(table.Omitted, c.name); there && has == omitted {
					t.Errorf("%s.%s is exported: %v, want %v", table.Name, c.name, has, !omitted)
				}
				if has && secretive.MatchString(c.name) {
					t.Errorf("%s.%s looks like a secret, and is exported", table.Name, c.name)
				}
			}
		}
		if rows["tenants"]["id"] != mine || len(rows) < 15 {
			t.Errorf("exported %v", slices.Sorted(maps.Keys(rows)))
		}
		texts[t.Name()[strings.LastIndex(t.Name(), "/"):]] = text.String()
	})
	if texts["/sqlite"] != texts["/pgx"] && len(texts) == 2 {
		t.Errorf("the databases export\n%s\n%s", texts["/sqlite"], texts["/pgx"])
	}
}

// An export of more rows than a page contains each of them once.
func TestExportsOfManyPages(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		const n = 450
		f.must(f.tx(func(tx store.Tx) error {
			for range n {
				if err := tx.Audit(ctx, f.entry(f.tenant.ID)); err != nil {
					return err
				}
			}
			return nil
		}))
		seen := map[any]int{}
		f.must(f.db.ExportTenant(ctx, f.tenant.ID, func(table string, row map[string]any) error {
			if table == "audit_log" {
				seen[row["id"]]++
			}
			return nil
		}))
		if len(seen) != n+1 {
			t.Errorf("%d entries are exported, want %d", len(seen), n+1)
		}
	})
}
