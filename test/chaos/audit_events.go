package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// event is an event with its decoded data.
type event struct {
	eventRow

	Data struct {
		MissionID string `json:"mission_id"`
		ContentID string `json:"content_id"`
		JobID     string `json:"job_id"`
		Stage     string `json:"stage"`
		Metric    string `json:"metric"`
		Revision  int    `json:"revision"`
	}
}

// readEvent decodes an event's envelope. Errors: an envelope that differs from the
// row.
func readEvent(row eventRow) (event, error) {
	e := event{eventRow: row}
	envelope := struct {
		ID   string `json:"id"`
		Type string `json:"type"`
		Data any    `json:"data"`
	}{Data: &e.Data}
	if err := json.Unmarshal(row.Body, &envelope); err != nil {
		return e, err
	}
	if envelope.ID != row.ID || envelope.Type != row.Type || e.Data.MissionID != row.MissionID {
		return e, fmt.Errorf("the envelope is of %s %s about %q", envelope.ID, envelope.Type, e.Data.MissionID)
	}
	return e, nil
}

// log checks that the sequence numbers of each tenant's log go from 1 to its counter
// without gaps, and that its counters match.
func (a *auditor) log(r *result) {
	next, seen, counted := map[string]int64{}, map[string]bool{}, map[counterRow]int64{}
	for _, e := range a.Events { // by tenant and sequence number
		next[e.TenantID]++
		r.hold(e.Seq == next[e.TenantID], e.ID+" "+e.Type, fmt.Sprintf("sequence number %d in the log of %s", next[e.TenantID], e.TenantID), e.Seq)
		next[e.TenantID] = e.Seq
		r.hold(!seen[e.ID], e.ID, "an id of its own", "twice")
		seen[e.ID] = true
		_, err := readEvent(e)
		r.hold(err == nil, e.ID, "an envelope that is its row's", err)
		counted[counterRow{TenantID: e.TenantID, Name: "events::" + e.Type}]++
		counted[counterRow{TenantID: e.TenantID, Name: "events:" + e.MissionID + ":" + e.Type}]++
	}
	for _, c := range a.Counters {
		n := c.N
		c.N = 0
		switch {
		case c.Name == "event_seq":
			r.hold(n == next[c.TenantID], c.TenantID, fmt.Sprintf("its counter at its last event: %d", next[c.TenantID]), n)
		case strings.HasPrefix(c.Name, "events:"):
			r.hold(n == counted[c], c.TenantID+" "+c.Name, fmt.Sprint(counted[c]), n)
		}
	}
}

// histories checks that each change of a mission has one event, in an order that the
// rules allow, and that they end in the state of the rows.
func (a *auditor) histories(r *result) {
	for _, m := range a.Missions {
		a.missionHistory(r, m)
		for _, j := range a.jobsOf[m.ID] {
			a.jobHistory(r, j)
			for _, p := range a.postsOf[j.ID] {
				a.postHistory(r, p)
			}
		}
	}
	for id := range a.gone {
		if a.isGone(id) {
			a.deletedHistory(r, id)
		}
	}
}

// isGone reports whether a mission was deleted by a client.
func (a *auditor) isGone(id string) bool {
	_, there := a.mission[id]
	return a.gone[id] && !there
}

// moves are a mission's states after each event, by the state before.
var moves = map[string]map[string]string{
	"":       {"mission.created": "draft"},
	"draft":  {"mission.started": "active"},
	"active": {"mission.paused": "paused", "mission.completed": "completed"},
	"paused": {"mission.resumed": "active", "mission.completed": "completed"},
}

// missionHistory checks a mission's own events.
func (a *auditor) missionHistory(r *result, m missionRow) {
	status, times := "", map[string]int{}
	for _, e := range a.eventsOf[m.ID] {
		if e.Type == "analytics.kpi_achieved" {
			times[e.Type+" "+e.Data.Metric]++
			r.hold(times[e.Type+" "+e.Data.Metric] == 1, e.ID, "one event for a KPI", e.Data.Metric)
		}
		if !strings.HasPrefix(e.Type, "mission.") {
			continue
		}
		times[e.Type]++
		to, ok := moves[status][e.Type]
		r.hold(ok, e.ID, fmt.Sprintf("an event allowed in the state %q", status), e.Type)
		status = to
	}
	r.hold(status == m.Status, m.ID, "events that lead to "+m.Status, status)
	sent := a.b.missions[m.Name]
	if sent == nil {
		return
	}
	for _, t := range []string{"mission.paused", "mission.resumed"} {
		r.hold(sent.Steps[t].allows(times[t]), m.ID, t+" as often as acknowledged: "+sent.Steps[t].String(), times[t])
	}
}

// jobHistory checks that each completed stage, and the job's end, has one event.
func (a *auditor) jobHistory(r *result, j jobRow) {
	stages, ends := map[string]int{}, map[string]int{}
	for _, e := range a.eventsOf[j.MissionID] {
		switch {
		case e.Data.JobID != j.ID:
		case e.Type == "pipeline.stage_completed":
			stages[e.Data.Stage]++
		case strings.HasPrefix(e.Type, "pipeline.job_"):
			ends[strings.TrimPrefix(e.Type, "pipeline.job_")]++
		}
	}
	for _, s := range a.stagesOf[j.ID] {
		r.onceIf(s.Status == "completed", j.ID+" "+s.Name, "pipeline.stage_completed", stages[s.Name])
	}
	for _, end := range []string{"completed", "failed"} {
		r.onceIf(j.Status == end, j.ID, "pipeline.job_"+end, ends[end])
	}
}

// onceIf checks that a change has one event if it happened, and otherwise none.
func (r *result) onceIf(happened bool, id, event string, times int) {
	want := 0
	if happened {
		want = 1
	}
	r.hold(times == want, id, fmt.Sprintf("%s %d times, by its state", event, want), times)
}

// postHistory checks that each change of a post has one event.
func (a *auditor) postHistory(r *result, p postRow) {
	times := map[string]int{}
	for _, e := range a.eventsOf[p.MissionID] {
		if e.Data.ContentID == p.ID {
			times[strings.TrimPrefix(e.Type, "content.")]++
		}
	}
	r.hold(times["created"] == p.Revision, p.ID, fmt.Sprintf("content.created for each of %d texts", p.Revision), times["created"])
	for _, end := range []string{"published", "failed", "rejected"} {
		r.onceIf(p.Status == end, p.ID, "content."+end, times[end])
	}
	r.hold(times["approved"] <= p.Revision+times["held"], p.ID, "content.approved once a text, and once more for each time it was held back", times["approved"])
	if p.Status == "published" {
		r.hold(times["approved"] == 1 && times["scheduled"] > 0, p.ID, "to be approved and scheduled before it is published", fmt.Sprint(times))
	}
	if a.b.reviews[p.ID]["approve"].Sure > 0 {
		r.hold(times["approved"] == 1, p.ID, "content.approved: its approval was acknowledged", times["approved"])
	}
	r.hold(times["analytics.anomaly_detected"] <= 1, p.ID, "to be reported as unusual once", times["analytics.anomaly_detected"])
}

// deletedHistory checks the events of a deleted mission: they stay, and are
// recorded once.
func (a *auditor) deletedHistory(r *result, id string) {
	once := map[string]int{}
	for _, e := range a.eventsOf[id] {
		switch e.Type {
		case "mission.created", "mission.started", "mission.completed":
			once[e.Type]++
		case "content.published", "content.failed", "content.rejected", "content.approved", "content.expired", "content.canceled":
			once[e.Type+" "+e.Data.ContentID]++
		case "pipeline.stage_completed":
			once[e.Type+" "+e.Data.JobID+" "+e.Data.Stage]++
		case "pipeline.job_completed", "pipeline.job_failed":
			once[e.Type+" "+e.Data.JobID]++
		}
	}
	for what, n := range once {
		r.hold(n == 1, id, what+" once", n)
	}
	r.hold(slices.ContainsFunc(a.eventsOf[id], func(e event) bool { return e.Type == "mission.created" }), id, "its events to stay", "no mission.created")
}
