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

// Year writes what posts leave in the tables, a day at a time: those of missions of a calendar
// month, with two posts a day each.
type Year struct {
	DB *pgxpool.Pool
	// Posts is how many there are a day: as many of each tenant, and PostsADay of each mission.
	Posts, Tenants int
	// written is how many days of missions of each tenant there are so far.
	written int
}

// PostsADay is how many posts a mission has on a day.
const PostsADay = 2

// parts is in how many parts a day is written, so that vacuum finds it under way.
const parts = 5

//go:embed year.sql
var year string

// Ages are the ages, in days, at which a post is measured.
var Ages = []int{0, 1, 2, 3, 4, 5, 6, 7, 10, 14, 21, 30, 45, 60, 90}

// figures are a post's figures at a step.
const figures = "jsonb_build_object('likes', @step::bigint * 9, 'shares', @step, 'comments', @step, 'clicks', @step * 3, 'link_clicks', @step * 2, 'impressions', @step * 211, 'engagement_rate', 2.499053388867853)"

// measured are the statements of measuring the posts of a day: of each its figures are
// written with the time of the next. In turns a mission's task is handed out, taken and
// set for the next time, once for each of its posts.
var measured = strings.Split(`INSERT INTO measurements (content_id, step, mission_id, platform, published_at, measured_at, metrics)
		SELECT id, @step::bigint, mission_id, platform, published_at, @day::timestamptz, `+figures+` FROM contents WHERE id >= @cnt AND id < @end;
	UPDATE contents SET metrics = `+figures+`, measured_at = @day::timestamptz, measure_at = @day::timestamptz + interval '1 day' WHERE id >= @cnt AND id < @end;`+
	strings.Repeat(`
	UPDATE tasks SET hands = 1, ring_at = @day::timestamptz, lane = 'normal' WHERE id >= @tsk AND id < @last AND type = 'mission:measure';
	UPDATE tasks SET state = 'running', fence = fence + 1, lease_until = @day::timestamptz + interval '1 minute' WHERE id >= @tsk AND id < @last AND type = 'mission:measure';
	UPDATE tasks SET state = 'waiting', lane = '', hands = 0, lease_until = NULL, run_at = @day::timestamptz, ring_at = @day::timestamptz WHERE id >= @tsk AND id < @last AND type = 'mission:measure';`, PostsADay), ";\n")

// Begin keeps the tenants, each with its endpoint, for the days to come.
func (y *Year) Begin(ctx context.Context) error {
	_, err := y.DB.Exec(ctx, `CREATE TABLE bench_tenants AS SELECT row_number() OVER (ORDER BY tenant_id) - 1 AS i, tenant_id AS id, id AS webhook, count(*) OVER () AS n FROM webhooks`)
	return err
}

// Day writes a day's posts, and the measurements of the day.
func (y *Year) Day(ctx context.Context, day time.Time) error {
	made := func(prefix string, at time.Time) string { return id.Least(prefix, at)[:len(prefix)+10] }
	missions := y.Posts / PostsADay
	for part := range parts {
		err := y.exec(ctx, strings.Split(strings.TrimSpace(year), ";\n"), pgx.NamedArgs{
			"day": day, "position": y.written, "first": day.Day() == 1, "from": missions * part / parts, "to": missions * (part + 1) / parts,
			"msn": made(mission.PrefixMission, monthStart(day)), "job": made(mission.PrefixJob, day), "cnt": made(mission.PrefixContent, day),
			"tsk": made(mission.PrefixTask, day), "evt": made(mission.PrefixEvent, day), "dlv": made(mission.PrefixDelivery, day),
		})
		if err != nil {
			return err
		}
	}
	y.written += missions / y.Tenants
	for i, age := range Ages {
		of := day.AddDate(0, 0, -age)
		err := y.exec(ctx, measured, pgx.NamedArgs{
			"day": day, "step": i + 1, "cnt": id.Least(mission.PrefixContent, of), "end": id.Least(mission.PrefixContent, of.AddDate(0, 0, 1)),
			"tsk": id.Least(mission.PrefixTask, monthStart(of)), "last": id.Least(mission.PrefixTask, monthStart(of).AddDate(0, 0, 1)),
		})
		if err != nil {
			return err
		}
	}
	// Missions all of whose posts have been measured for the last time.
	_, err := y.DB.Exec(ctx, "DELETE FROM tasks WHERE id < $1", id.Least(mission.PrefixTask, monthStart(day.AddDate(0, 0, -Ages[len(Ages)-1]))))
	return err
}

func monthStart(at time.Time) time.Time {
	return time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
}

func (y *Year) exec(ctx context.Context, statements []string, args pgx.NamedArgs) error {
	for _, statement := range statements {
		if _, err := y.DB.Exec(ctx, statement, args); err != nil {
			return fmt.Errorf("%.200s: %w", statement, err)
		}
	}
	return nil
}
