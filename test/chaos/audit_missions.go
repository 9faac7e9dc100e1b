package main

import (
	"fmt"
	"slices"
)

// missions checks that each acknowledged mission exists, as it was stated, and has
// ended.
func (a *auditor) missions(r *result) {
	for _, sent := range a.b.missions {
		if sent.Created.Sure == 0 {
			continue
		}
		m, ok := a.mission[sent.ID]
		if !ok {
			r.hold(a.gone[sent.ID], sent.ID+" "+sent.Name, "to exist: its creation was acknowledged", "lost")
			continue
		}
		r.hold(sent.Deleted.Sure == 0, m.ID, "to be gone: its deletion was acknowledged", "still there, "+m.Status)
		r.hold(sent.stated(m), m.ID, fmt.Sprintf("what was sent: %+v", *sent), fmt.Sprintf("%+v", m))
	}
	a.ended(r)
}

// stated reports whether a row is as it was requested.
func (m *sentMission) stated(row missionRow) bool {
	return row.Name == m.Name && row.TenantID == m.TenantID && row.Days == m.Days && row.PostsPerDay == m.PostsPerDay &&
		row.Approval == m.Approval && row.Budget == m.Budget && slices.Equal(row.Platforms, m.Platforms)
}

// ended checks that each mission has ended, and that its related rows agree.
func (a *auditor) ended(r *result) {
	platforms := map[string][]string{}
	for _, p := range a.Platforms {
		platforms[p.MissionID] = append(platforms[p.MissionID], p.Platform)
		m := a.mission[p.MissionID]
		r.hold(p.Status == m.Status && p.TenantID == m.TenantID, p.MissionID, "its rows by platform to follow it: "+m.Status, p)
	}
	for _, m := range a.Missions {
		r.hold(m.Status == "completed" && !m.Paused, m.ID, "to have ended", m.Status)
		r.hold(same(platforms[m.ID], m.Platforms), m.ID, fmt.Sprintf("a row for each of %v", m.Platforms), platforms[m.ID])
		jobs := a.jobsOf[m.ID]
		latest := func(j jobRow) bool { return j.ID == m.JobID && j.Cycle == len(jobs) }
		r.hold(len(jobs) > 0 && slices.ContainsFunc(jobs, latest) && m.Cycles == len(jobs), m.ID, "its latest job as its current one", fmt.Sprintf("%q of %+v", m.JobID, jobs))
	}
}

// duplicates checks that each name belongs to one mission, and that none was created
// without a request.
func (a *auditor) duplicates(r *result) {
	for name, list := range group(a.Missions, func(m missionRow) string { return m.Name }) {
		sent, ids := a.b.missions[name], []string{}
		for _, m := range list {
			ids = append(ids, m.ID)
		}
		switch {
		case sent == nil:
			r.hold(false, name, "no mission without a request", ids)
		case sent.ID != "":
			r.hold(len(ids) == 1 && ids[0] == sent.ID, name, "the one mission "+sent.ID, ids)
		default:
			r.hold(sent.Created.allows(len(ids)), name, "missions: "+sent.Created.String(), ids)
		}
	}
}

// jobs checks that each job has ended, and that its stages and counters agree.
func (a *auditor) jobs(r *result) {
	for _, j := range a.Jobs {
		_, ok := a.mission[j.MissionID]
		r.hold(ok, j.ID, "a mission", j.MissionID)
		r.hold(slices.Contains([]string{"completed", "canceled", "failed"}, j.Status) && j.Ended, j.ID, "to have ended", j.Status)
		r.hold(stagesAgree(j, a.stagesOf[j.ID]), j.ID, "stages that agree with a job that is "+j.Status+" at "+j.Stage, fmt.Sprintf("%+v", a.stagesOf[j.ID]))
		posts := a.postsOf[j.ID]
		done := count(posts, func(p postRow) bool { return slices.Contains(settled, p.Status) })
		r.hold(j.Written == len(posts) && j.Settled == done, j.ID, fmt.Sprintf("%d posts written, %d settled", len(posts), done), fmt.Sprintf("%d, %d", j.Written, j.Settled))
		whole := j.Written == j.Planned || a.mission[j.MissionID].Budget > 0 // which may be used up before
		r.hold(j.Status != "completed" || whole && j.Planned > 0, j.ID, "all its posts written", fmt.Sprintf("%d of %d", j.Written, j.Planned))
		r.hold(j.Status != "failed", j.ID, "not to have failed: a crash isn't the job's failure", j.Status)
	}
}

// stagesAgree reports whether a job's stages match its state and current stage.
func stagesAgree(j jobRow, stages []stageRow) bool {
	if len(stages) != len(stageOrder) {
		return false
	}
	current := slices.Index(stageOrder, j.Stage)
	for _, s := range stages {
		want, i := "pending", slices.Index(stageOrder, s.Name)
		switch {
		case i < 0 || current < 0:
			return false
		case i < current:
			want = "completed"
		case i == current:
			want = j.Status
		}
		over := want != "pending"
		if s.Status != want || s.Ended != over || want == "completed" && !s.Began {
			return false
		}
	}
	return j.Status != "completed" || current == len(stageOrder)-1
}

// totals checks stored totals against counts.
func (a *auditor) totals(r *result) {
	missions := map[missionTotalRow]int{}
	for _, m := range a.Missions {
		for _, p := range append([]string{""}, m.Platforms...) {
			missions[missionTotalRow{TenantID: m.TenantID, Platform: p, Status: m.Status}]++
		}
	}
	for _, t := range a.MissionTotals {
		n := t.N
		t.N = 0
		missions[t] -= n
	}
	zero(r, "missions", missions)
	posts := map[postTotalRow]int{}
	for _, p := range a.Posts {
		for _, m := range []string{"", p.MissionID} {
			for _, on := range []string{"", p.Platform} {
				posts[postTotalRow{TenantID: p.TenantID, MissionID: m, Platform: on, Status: p.Status}]++
			}
		}
	}
	for _, t := range a.PostTotals {
		n := t.N
		t.N = 0
		posts[t] -= n
	}
	zero(r, "posts", posts)
}

// zero checks that what was counted is what is stored: that each difference is 0.
func zero[K comparable](r *result, of string, differences map[K]int) {
	for key, n := range differences {
		r.hold(n == 0, fmt.Sprintf("%s %+v", of, key), "the number of rows", fmt.Sprintf("%+d", -n))
	}
}
