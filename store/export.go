package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// exportRows is how many rows an export reads at a time.
const exportRows = 200

// ExportTenant calls write with each row of a tenant's data: the name of its
// table, and its columns. It reads one page of rows per statement, and holds no
// lock or snapshot between two of them. It leaves out secrets, and the tables
// that TenantTables says.
func (db *DB) ExportTenant(ctx context.Context, tenantID string, write func(table string, row map[string]any) error) error {
	own := TenantTable{Name: "tenants", key: []string{"id"}, of: "id = ?", Omitted: []string{"unique_slug"}}
	for _, t := range append([]TenantTable{own}, tenantTables...) {
		if t.Why != "" {
			continue
		}
		for after := []any(nil); ; {
			rows, last, err := db.exportPage(ctx, t, tenantID, after)
			if err != nil {
				return fmt.Errorf("export %s: %w", t.Name, err)
			}
			for _, row := range rows {
				if err := write(t.Name, row); err != nil {
					return err
				}
			}
			if after = last; len(rows) < exportRows {
				break
			}
		}
	}
	return nil
}

// exportPage returns the rows after a key, and the key of the last one.
func (db *DB) exportPage(ctx context.Context, t TenantTable, tenantID string, after []any) (page []map[string]any, last []any, err error) {
	key := bun.Safe(strings.Join(t.key, ", "))
	condition := bun.SafeQuery("1 = 1")
	if after != nil {
		condition = bun.SafeQuery("(?) > (?)", key, bun.List(after))
	}
	columns, records, err := database.Records(ctx, db.read, db.NewRaw("SELECT * FROM ? WHERE ? AND ? ORDER BY ? LIMIT ?",
		bun.Ident(t.Name), bun.SafeQuery(t.of, tenantID), condition, key, exportRows))
	if err != nil {
		return nil, nil, err
	}
	for _, values := range records {
		row := map[string]any{}
		last = make([]any, len(t.key))
		for i, c := range columns {
			if at := slices.Index(t.key, c.Name); at >= 0 {
				last[at] = values[i]
			}
			if slices.Contains(t.Omitted, c.Name) {
				continue
			}
			if row[c.Name], err = exported(values[i], c.Type); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", c.Name, err)
			}
		}
		page = append(page, row)
	}
	return page, last, nil
}

// exported returns a column's value as it is exported, whatever the driver
// returns for its type.
func exported(v any, kind string) (any, error) {
	if v == nil {
		return nil, nil
	}
	text := ""
	switch v := v.(type) {
	case string:
		text = v
	case []byte:
		text = string(v)
	}
	switch kind, _, _ = strings.Cut(strings.ToUpper(kind), "("); kind {
	case "TIMESTAMPTZ":
		at, ok := v.(time.Time)
		if !ok {
			var err error
			if at, err = time.Parse("2006-01-02 15:04:05.999999-07:00", text); err != nil {
				return nil, err
			}
		}
		return mission.Millis(at), nil
	case "JSONB", "BYTEA":
		if json.Valid([]byte(text)) {
			return json.RawMessage(text), nil
		}
		return text, nil
	case "BOOL", "BOOLEAN":
		if n, ok := v.(int64); ok {
			return n != 0, nil
		}
		return v, nil
	}
	if text != "" {
		return text, nil
	}
	return v, nil
}
