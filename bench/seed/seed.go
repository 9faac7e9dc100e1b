// Package seed fills a database with missions as the service leaves them: the
// rules of package mission play each, its rows are copied in.
package seed

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"missiond/internal/id"
)

// Options say what is seeded.
type Options struct {
	Now      time.Time
	Tenants  []string // ids
	Missions int      // in all
	Posts    int      // of each mission
	Seed     uint64
	Say      func(format string, args ...any)
}

// ahead is how far in the future whatever is still to come of seeded missions
// lies at the least, so that no worker takes it up.
const ahead = 7 * 24 * time.Hour

// span is over how long the missions' creation is spread.
const span = 2 * 365 * 24 * time.Hour

// Run fills an empty database. Whoever it talks to must be a superuser, for
// references aren't checked meanwhile.
func Run(ctx context.Context, conn *pgx.Conn, o Options) error {
	if _, err := conn.Exec(ctx, "SET session_replication_role = replica"); err != nil {
		return err
	}
	indexes, err := dropIndexes(ctx, conn, tables())
	if err != nil {
		return err
	}
	if err := fill(ctx, conn, o); err != nil {
		return err
	}
	o.Say("building indexes")
	for _, statement := range append(indexes, strings.Split(strings.TrimSuffix(counts, ";\n"), ";\n")...) {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%.120s: %w", statement, err)
		}
	}
	_, err = conn.Exec(ctx, "SET session_replication_role = origin")
	return err
}

// fill plays the missions, a tenant after the other, while the rows of the
// tenant before are copied.
func fill(ctx context.Context, conn *pgx.Conn, o Options) error {
	played := make(chan rows, 1)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		defer close(played)
		s := &seeder{Options: o, ids: id.NewSource(nil)}
		for i, tenant := range o.Tenants {
			r, err := s.tenant(tenant, share(o.Missions, len(o.Tenants), i))
			if err != nil {
				cancel(err)
				return
			}
			select {
			case played <- r:
			case <-ctx.Done():
				return
			}
		}
	}()
	done := 0
	for r := range played {
		if err := r.copyTo(ctx, conn); err != nil {
			return err
		}
		if done++; done%10 == 0 {
			o.Say("seeded %d of %d tenants", done, len(o.Tenants))
		}
	}
	return context.Cause(ctx)
}

// share is the i-th (from 0) of n nearly equal parts of a number.
func share(number, n, i int) int { return number*(i+1)/n - number*i/n }

// dropIndexes removes the indexes of tables, but those of their constraints,
// and returns the statements that make them again.
func dropIndexes(ctx context.Context, conn *pgx.Conn, tables []string) ([]string, error) {
	found, err := conn.Query(ctx, `SELECT c.relname, pg_get_indexdef(c.oid) FROM pg_index i
		JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
		WHERE t.relname = ANY($1) AND NOT EXISTS (SELECT FROM pg_constraint x WHERE x.conindid = c.oid) ORDER BY c.relname`, tables)
	if err != nil {
		return nil, err
	}
	var names, definitions []string
	var name, definition string
	_, err = pgx.ForEachRow(found, []any{&name, &definition}, func() error {
		names, definitions = append(names, pgx.Identifier{name}.Sanitize()), append(definitions, definition)
		return nil
	})
	if err != nil || len(names) == 0 {
		return nil, err
	}
	_, err = conn.Exec(ctx, "DROP INDEX "+strings.Join(names, ", "))
	return definitions, err
}

// rows are those of a tenant, by their tables.
type rows map[string][][]any

func (r rows) add(table string, values ...any) { r[table] = append(r[table], values) }

// columns of the tables, in the order in which rows have their values.
var columns = map[string]string{
	"missions": `id tenant_id name description status objectives platforms constraints kpis duration_days starts_at ends_at pipeline_job_id
		paused_at paused_ms next_cycle generated pending_review approved published scheduled totals achieved created_at updated_at`,
	"mission_platforms": "mission_id platform tenant_id status created_at",
	"mission_names":     "tenant_id key mission_id shared words",
	"jobs": `id tenant_id mission_id cycle day window_start window_end status current_stage brief plan planned written settled
		cost_micros created_at updated_at completed_at`,
	"stages": "job_id name status attempts started_at completed_at",
	"contents": `id tenant_id mission_id job_id position platform format status body parts angle revision scheduled_at published_at
		platform_post_id platform_url rejection_reason cost_micros metrics measured_at measure_at publications verdict created_at updated_at`,
	"events": "id tenant_id mission_id type created_at body seq",
	"tasks":  "id tenant_id mission_id type queue subject day run_at ring_at state lane attempt fence lost hands created_at",
}

func tables() []string {
	var names []string
	for name := range columns {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (r rows) copyTo(ctx context.Context, conn *pgx.Conn) error {
	for _, table := range tables() {
		_, err := conn.CopyFrom(ctx, pgx.Identifier{table}, strings.Fields(columns[table]), pgx.CopyFromRows(r[table]))
		if err != nil {
			return fmt.Errorf("copy %s: %w", table, err)
		}
	}
	return nil
}

// counts are the statements that write what the service counts as it goes.
//
//go:embed counts.sql
var counts string
