package main

import (
	"context"
	"fmt"
	"net/http"
)

// auditAPI checks, with the tenants' own keys, that the API shows what the database
// has: the totals, and every acknowledged mission.
func auditAPI(ctx context.Context, w *harness, b *record, s *snapshot) result {
	r := result{check: "the API agrees"}
	rows := map[string]missionRow{}
	for _, m := range s.Missions {
		rows[m.ID] = m
	}
	missions := group(s.Missions, func(m missionRow) string { return m.TenantID })
	events := group(s.Events, func(e eventRow) string { return e.TenantID })
	for i, t := range w.tenants {
		c := newClient(w, b, t, 3000+i)
		for path, want := range map[string]int{"/v1/missions?limit=1": len(missions[t.ID]), "/v1/events?limit=1": len(events[t.ID])} {
			var list struct{ Total int }
			a := c.do(ctx, get(path))
			r.hold(a.outcome == done && a.read(&list) == nil && list.Total == want, path, fmt.Sprint("total ", want), string(a.body))
		}
		for _, m := range b.missions {
			if m.TenantID == t.ID && m.Created.Sure > 0 {
				c.compare(ctx, &r, m, rows)
			}
		}
	}
	return r
}

// compare checks a mission's status view.
func (c *client) compare(ctx context.Context, r *result, m *sentMission, rows map[string]missionRow) {
	row, there := rows[m.ID]
	a := c.do(ctx, get("/v1/missions/"+m.ID+"/status"))
	if !there {
		r.hold(a.status == http.StatusNotFound, m.ID, "404: it was deleted", fmt.Sprintf("%d %s", a.status, a.body))
		return
	}
	var view struct {
		Status   string
		Pipeline struct {
			JobID  string `json:"job_id"`
			Status string
		}
		Content struct{ Generated, Published, Scheduled int }
	}
	ok := a.outcome == done && a.read(&view) == nil
	r.hold(ok && view.Status == row.Status && view.Pipeline.JobID == row.JobID && view.Content.Generated == row.Generated &&
		view.Content.Published == row.Published && view.Content.Scheduled == 0, m.ID, fmt.Sprintf("%+v", row), fmt.Sprintf("%d %s", a.status, a.body))
}
