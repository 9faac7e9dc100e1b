package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"missiond/internal/clock"
)

// quiesce completes every mission and waits until the service is idle. The result
// has the work that was left when patience ran out.
func quiesce(ctx context.Context, w *harness, b *record) (result, error) {
	r := result{check: "becomes idle"}
	deadline, cancel := context.WithTimeout(ctx, w.o.patience)
	defer cancel()
	for i, t := range w.tenants {
		c := newClient(w, b, t, 2000+i)
		if err := c.finish(deadline); err != nil {
			return r, err
		}
	}
	conn, err := pgx.Connect(ctx, w.postgres.URL(database))
	if err != nil {
		return r, err
	}
	defer func() { _ = conn.Close(ctx) }()
	for {
		left, err := w.unfinished(ctx, conn)
		if err != nil {
			return r, err
		}
		r.saw++
		if len(left) == 0 {
			return r, nil
		}
		if clock.Sleep(deadline, 250*time.Millisecond) == nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return r, err
		}
		for what, ids := range left {
			r.found(what, "none "+w.o.patience.String()+" after the last recovery", ids)
		}
		return r, nil
	}
}

// finish starts and completes all missions of the client's tenant.
func (c *client) finish(ctx context.Context) error {
	for ctx.Err() == nil {
		ended := 0
		for _, status := range []string{"draft", "paused", "active"} {
			n, err := c.finishAll(ctx, status)
			if err != nil {
				return err
			}
			ended += n
		}
		if ended == 0 {
			return nil
		}
	}
	return ctx.Err()
}

// finishAll starts or completes the missions of a state, and returns how many there
// were.
func (c *client) finishAll(ctx context.Context, status string) (int, error) {
	a := c.do(ctx, get("/v1/missions?limit=100&status="+status))
	var list struct{ Data []struct{ ID, Name string } }
	if a.outcome == unknown {
		return 1, clock.Sleep(ctx, 200*time.Millisecond)
	}
	if err := a.read(&list); err != nil || a.outcome == declined {
		return 0, fmt.Errorf("list missions: %d %s", a.status, a.body)
	}
	verb, event := "complete", "mission.completed"
	if status == "draft" {
		verb, event = "start", "mission.started"
	}
	for _, m := range list.Data {
		a := c.do(ctx, post("/v1/missions/"+m.ID+"/"+verb, "", nil))
		c.b.write(func() {
			if sent := c.b.missions[m.Name]; sent != nil {
				sent.step(event, a.outcome)
			}
		})
	}
	return len(list.Data), nil
}

// unfinished returns the work in progress or due: some ids, by kind.
func (w *harness) unfinished(ctx context.Context, conn *pgx.Conn) (map[string]string, error) {
	left := map[string]string{}
	for what, query := range map[string]string{
		"running tasks":      "SELECT id || ' ' || type || ' ' || subject FROM tasks WHERE state = 'running'",
		"due tasks":          "SELECT id || ' ' || type || ' ' || subject FROM tasks WHERE state = 'waiting' AND run_at <= now()",
		"parked tasks":       "SELECT id || ' ' || type || ' ' || subject FROM tasks WHERE state = 'parked'",
		"running jobs":       "SELECT id || ' ' || current_stage FROM jobs WHERE status = 'running'",
		"posts not settled":  "SELECT id || ' ' || status FROM contents WHERE status IN ('pending_review', 'approved', 'scheduled', 'publishing', 'unknown')",
		"pending deliveries": "SELECT id || ' due ' || next_attempt_at FROM deliveries WHERE status = 'pending'",
	} {
		rows, err := conn.Query(ctx, query+" ORDER BY 1 LIMIT 10")
		if err != nil {
			return nil, err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return nil, err
		}
		if len(ids) > 0 {
			left[what] = strings.Join(ids, ", ")
		}
	}
	queues, err := readQueues(ctx, w.control)
	if err != nil {
		return nil, err
	}
	for _, q := range queues {
		if busy := append(append([]string{}, q.Pending...), q.Active...); len(busy) > 0 {
			left["entries of the queue "+q.Name] = strings.Join(busy[:min(len(busy), 10)], ", ")
		}
	}
	return left, nil
}
