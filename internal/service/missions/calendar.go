package missions

import (
	"context"
	"maps"

	"missiond/mission"
	"missiond/store"
)

// Calendar returns the tenant's posts and planned slots by day. after, which needs a
// calendar of one day, is the post after which the day's posts are listed; "" for all.
// Planned slots, events and blackouts need the scope missions:read. Errors: invalid_request, naming the
// parameter; without a param for after.
func (s *API) Calendar(ctx context.Context, p mission.Principal, in mission.CalendarInput, after string) (c mission.Calendar, err error) {
	if err := in.Check(); err != nil {
		return c, err
	}
	m, err := s.reported(ctx, p, in.MissionID)
	if err != nil {
		return c, err
	}
	if err := s.checkWhose(ctx, p, "", in.IntegrationID); err != nil {
		return c, err
	}
	post, err := s.calendarCursor(ctx, p, in, after)
	if err != nil {
		return c, err
	}
	in.TimeZone = in.ZoneOf(m)
	days := in.Days(mission.Constraints{Timezone: in.TimeZone}.Zone())
	c.CalendarInput = in
	if c.Days, err = s.db.Calendar(ctx, p.TenantID, in, days, post); err != nil || !p.Has(mission.ScopeMissionsRead) || len(in.Statuses) > 0 {
		return c, err
	}
	outlooks, more, err := s.outlooks(ctx, p, m)
	if err != nil {
		return c, err
	}
	for _, o := range outlooks {
		c = c.WithDates(o.Mission)
	}
	slots, later := mission.Ahead(outlooks, days[0].StartsAt, days[len(days)-1].EndsAt, s.clock.Now(), mission.CalendarSlots)
	for i, d := range c.Days {
		c.Days[i].Planned = in.On(d.Day, slots)
	}
	c.PlannedTruncated = more || later
	return c, nil
}

// calendarCursor returns the post after which a day's posts are listed; nil for "".
func (s *API) calendarCursor(ctx context.Context, p mission.Principal, in mission.CalendarInput, after string) (*mission.Content, error) {
	if after == "" {
		return nil, nil
	}
	if in.From != in.To {
		return nil, mission.Invalid("", "Only a calendar of one day has further pages.")
	}
	if err := (store.Page{After: after, Limit: 1}).Check(mission.PrefixContent, "post"); err != nil {
		return nil, err
	}
	found, err := s.db.ContentsByID(ctx, p.TenantID, []string{after})
	post, ok := found[after]
	if err == nil && (!ok || post.CalendarAt() == nil) {
		err = mission.Invalid("", "Invalid cursor %q: there is no post with this id in the calendar.", after)
	}
	return &post, err
}

// outlooks returns what the slots ahead follow from: of a mission or, with nil, of the
// tenant's newest active missions; more reports that there are others. It takes up to
// four statements.
func (s *API) outlooks(ctx context.Context, p mission.Principal, m *mission.Mission) (list []mission.Outlook, more bool, err error) {
	var listed store.Listed[mission.Mission]
	if m != nil {
		listed.List = []mission.Mission{*m}
	} else {
		active := store.MissionFilter{Status: mission.StatusActive}
		listed, err = s.db.Missions(ctx, p.TenantID, active, store.Page{Limit: mission.CalendarMissions})
		if err != nil {
			return nil, false, err
		}
	}
	var ids []string
	for _, m := range listed.List {
		if m.PipelineJobID != nil {
			ids = append(ids, *m.PipelineJobID)
		}
	}
	jobs, written, err := s.latestJobs(ctx, p, ids)
	for _, m := range listed.List {
		o := mission.Outlook{Mission: m}
		if m.PipelineJobID == nil {
			list = append(list, o)
			continue
		}
		if j, ok := jobs[*m.PipelineJobID]; ok {
			o.Job, o.Written = &j, written[j.ID]
		}
		list = append(list, o)
	}
	return list, listed.More, err
}

// outlined are the columns of a job that say where it is.
const outlined = "mission_id,cycle,day,window_start,window_end,status,current_stage"

// latestJobs returns jobs by their ids, and of those that are still writing their plans
// and the positions that have a post.
func (s *API) latestJobs(
	ctx context.Context, p mission.Principal, ids []string,
) (jobs map[string]mission.Job, written map[string][]int, err error) {
	if jobs, err = s.db.JobsByID(ctx, p.TenantID, ids, outlined); err != nil {
		return nil, nil, err
	}
	var writing []string
	for id, j := range jobs {
		if j.Status == mission.RunRunning && j.CurrentStage.Index() <= mission.StageContent.Index() {
			writing = append(writing, id)
		}
	}
	if len(writing) == 0 {
		return jobs, nil, nil
	}
	plans, err := s.db.JobsByID(ctx, p.TenantID, writing, outlined+",brief,plan")
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(jobs, plans)
	written, err = s.db.WrittenOf(ctx, p.TenantID, writing)
	return jobs, written, err
}
