package seed

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"missiond/internal/id"
	"missiond/mission"
)

// Year writes what posts leave in the tables, a day at a time.
type Year struct {
	DB *pgxpool.Pool
	// Posts is how many there are a day: as many of each tenant.
	Posts, Tenants int
	// written is how many posts of each tenant there are so far.
	written int
}

//go:embed year.sql
var year string

// Ages are the ages, in days, at which a post is measured.
var Ages = []int{0, 1, 2, 3, 4, 5, 6, 7, 10, 14, 21, 30, 45, 60, 90}

const (
	measure = `INSERT INTO measurements (content_id, step, mission_id, platform, published_at, measured_at, metrics)
		SELECT id, $3::bigint, mission_id, platform, published_at, $4::timestamptz, jsonb_build_object('likes', $3 * 9, 'shares', $3, 'comments', $3, 'impressions', $3 * 211)
		FROM contents WHERE id >= $1 AND id < $2`
	remember = `UPDATE contents SET metrics = jsonb_build_object('likes', $3::bigint * 9, 'shares', $3, 'comments', $3, 'impressions', $3 * 211),
		measured_at = $4::timestamptz, updated_at = $4 WHERE id >= $1 AND id < $2`
)

// Begin keeps the tenants, each with its endpoint, for the days to come.
func (y *Year) Begin(ctx context.Context) error {
	_, err := y.DB.Exec(ctx, `CREATE TABLE bench_tenants AS SELECT row_number() OVER (ORDER BY tenant_id) - 1 AS i, tenant_id AS id, id AS webhook, count(*) OVER () AS n FROM webhooks`)
	return err
}

// Day writes a day's posts, and the measurements of the day.
func (y *Year) Day(ctx context.Context, day time.Time) error {
	made := func(prefix string, at time.Time) string { return id.Least(prefix, at)[:len(prefix)+10] }
	args := pgx.NamedArgs{
		"day": day, "posts": y.Posts, "position": y.written,
		"msn": made(mission.PrefixMission, time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)),
		"cnt": made(mission.PrefixContent, day), "tsk": made(mission.PrefixTask, day), "evt": made(mission.PrefixEvent, day), "dlv": made(mission.PrefixDelivery, day),
	}
	for _, statement := range strings.Split(strings.TrimSpace(year), ";\n") {
		if _, err := y.DB.Exec(ctx, statement, args); err != nil {
			return fmt.Errorf("%.200s: %w", statement, err)
		}
	}
	y.written += y.Posts / y.Tenants
	for step, age := range Ages {
		of := day.AddDate(0, 0, -age)
		for _, statement := range []string{measure, remember} {
			if _, err := y.DB.Exec(ctx, statement, id.Least(mission.PrefixContent, of), id.Least(mission.PrefixContent, of.AddDate(0, 0, 1)), step+1, day); err != nil {
				return fmt.Errorf("%.200s: %w", statement, err)
			}
		}
	}
	return nil
}
