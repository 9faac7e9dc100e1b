package seed

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"missiond/internal/id"
	"missiond/internal/jsonwire"
	"missiond/mission"
)

// seeder plays missions.
type seeder struct {
	Options

	ids    *id.Source
	chance *rand.Rand
	rows   rows
	events []event
}

// event is an event with its id, for the tenant's log is in their order.
type event struct {
	mission.Event
	id string
}

// tenant plays n missions of a tenant.
func (s *seeder) tenant(tenantID string, n int) (rows, error) {
	s.rows, s.events = rows{}, nil
	s.chance = rand.New(rand.NewPCG(s.Seed, uint64(slices.Index(s.Tenants, tenantID))))
	for i := range n {
		created := mission.Millis(s.Now.Add(-span / time.Duration(n) * time.Duration(n-i)).Add(time.Duration(s.chance.IntN(3600_000)) * time.Millisecond))
		if created.After(s.Now) {
			created = mission.Millis(s.Now.Add(-time.Minute))
		}
		if err := s.play(tenantID, i, created); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.events, func(a, b event) int { return cmp.Compare(a.id, b.id) })
	for i, e := range s.events {
		body, err := jsonwire.Marshal(envelope{ID: e.id, Type: e.Type, CreatedAt: e.CreatedAt, Data: e.Data})
		if err != nil {
			return nil, err
		}
		s.rows.add("events", e.id, tenantID, e.MissionID, string(e.Type), e.CreatedAt, body, i+1)
	}
	return s.rows, nil
}

// envelope is an event as it is sent.
type envelope struct {
	ID        string            `json:"id"`
	Type      mission.EventType `json:"type"`
	CreatedAt time.Time         `json:"created_at"`
	Data      any               `json:"data"`
}

// tell keeps events that the log would still have.
func (s *seeder) tell(events []mission.Event) {
	for _, e := range events {
		if s.Now.Sub(e.CreatedAt) < mission.EventRetention-24*time.Hour {
			s.events = append(s.events, event{e, s.ids.New(mission.PrefixEvent, e.CreatedAt)})
		}
	}
}

var (
	names     = []string{"Launch", "Autumn", "Harvest", "Winter", "Reader", "Partner", "Product", "Festival"}
	subjects  = []string{"campaign", "newsletter", "stories", "interviews", "tutorials", "announcements", "series"}
	platforms = [][]mission.Platform{
		{mission.Twitter, mission.LinkedIn}, {mission.Mastodon, mission.Bluesky}, {mission.Twitter}, {mission.LinkedIn, mission.Mastodon, mission.Bluesky},
	}
)

func ptr[T any](v T) *T { return &v }

// input is what the i-th mission of a tenant states.
func (s *seeder) input(i int) mission.CreateInput {
	return mission.CreateInput{
		Name:        fmt.Sprintf("%s %s %d", names[i%len(names)], subjects[i/len(names)%len(subjects)], i+1),
		Description: ptr("What readers ask for, told in the words that they use themselves, week after week."),
		Objectives:  []string{"Tell what is new this season", "Win readers for the newsletter", "Answer what readers ask most"},
		Platforms:   platforms[i%len(platforms)],
		Constraints: &mission.ConstraintsInput{
			Tone: ptr("friendly"), PostsPerDay: &s.Posts, PostingTimes: []string{"08:30", "17:00"}, Timezone: ptr("Europe/Berlin"), ExcludedTopics: []string{"politics"},
		},
		KPIs: []mission.KPIInput{
			{Metric: mission.Likes, Target: ptr(500.0)},
			{Metric: mission.Impressions, Target: ptr(100_000.0), Platform: ptr(platforms[i%len(platforms)][0])},
		},
		DurationDays: ptr(365), StartImmediately: ptr(true),
	}
}

// play plays a mission from its creation until now, and keeps its rows.
func (s *seeder) play(tenantID string, i int, created time.Time) error {
	m, events, err := mission.New(s.ids.New(mission.PrefixMission, created), tenantID, s.input(i), created)
	if err != nil {
		return err
	}
	s.tell(events)
	w, _ := m.NextWindow(0, created) // every day is a posting day
	p := cycle{seeder: s, m: m, j: mission.NewJob(s.ids.New(mission.PrefixJob, created), m, w, mission.Brand{}, created), at: created}
	p.m.PipelineJobID, p.m.NextCycle, p.m.Totals = &p.j.ID, p.j.Cycle, mission.PlatformTotals{}
	if err := p.run(i); err != nil {
		return err
	}
	return s.finish(p.m, p.j, i)
}

// finish brings a mission to the state in which it is now, and keeps it with
// its job.
func (s *seeder) finish(m mission.Mission, j mission.Job, i int) error {
	var c mission.MissionChange
	var err error
	const pauseAfter = 2 * 24 * time.Hour
	switch {
	case m.EndsAt.Before(s.Now):
		c, err = m.Complete(*m.EndsAt)
	case i%10 == 7 && j.Status == mission.RunCompleted && j.CompletedAt.Add(pauseAfter).Before(s.Now):
		c, err = m.Pause(j.CompletedAt.Add(pauseAfter))
	default:
		c.To = m
	}
	if err != nil {
		return err
	}
	s.tell(c.Events)
	m = c.To
	s.keepMission(m)
	s.keepJob(j)
	state := mission.TaskWaiting
	switch m.Status {
	case mission.StatusCompleted:
		return nil
	case mission.StatusPaused:
		state = mission.TaskParked
	default:
	}
	s.keepTask(mission.NewTask(m, mission.TaskMissionEnd, m.ID, *m.EndsAt), m, state)
	next := mission.NewTask(m, mission.TaskCycleBegin, m.ID, s.Now)
	next.Day = int(s.Now.Sub(m.CreatedAt).Hours()/24) + 1
	s.keepTask(next, m, state)
	return nil
}

func (s *seeder) keepMission(m mission.Mission) {
	s.rows.add("missions", m.ID, m.TenantID, m.Name, m.Description, string(m.Status), text(m.Objectives), text(m.Platforms), text(m.Constraints), text(m.KPIs),
		m.DurationDays, m.StartsAt, m.EndsAt, m.PipelineJobID, m.PausedAt, m.PausedFor.Milliseconds(), m.NextCycle,
		m.Counts.Generated, m.Counts.PendingReview, m.Counts.Approved, m.Counts.Published, m.Counts.Scheduled, text(m.Totals), "[]", m.CreatedAt, m.UpdatedAt)
	for _, p := range m.Platforms {
		s.rows.add("mission_platforms", m.ID, string(p), m.TenantID, string(m.Status), m.CreatedAt)
	}
	keys, words := mission.SearchKeys(m.Name)
	for _, k := range keys {
		s.rows.add("mission_names", m.TenantID, k.Key, m.ID, k.Shared, words)
	}
}

func (s *seeder) keepJob(j mission.Job) {
	s.rows.add("jobs", j.ID, j.TenantID, j.MissionID, j.Cycle, j.Window.Day, j.Window.Start, j.Window.End, string(j.Status), string(j.CurrentStage),
		text(j.Brief), text(j.Plan), j.Planned, j.Written, j.Settled, int64(j.Cost), j.CreatedAt, j.UpdatedAt, j.CompletedAt)
	for _, st := range j.Stages {
		s.rows.add("stages", j.ID, string(st.Name), string(st.Status), st.Attempts, st.StartedAt, st.CompletedAt)
	}
}

// keepTask keeps a task, which is due at its time, and not before ahead.
func (s *seeder) keepTask(t mission.Task, m mission.Mission, state mission.TaskState) {
	at := t.RunAt
	if soonest := s.Now.Add(ahead); at.Before(soonest) {
		at = soonest
	}
	s.rows.add("tasks", s.ids.New(mission.PrefixTask, m.CreatedAt), t.TenantID, t.MissionID, string(t.Type), string(t.Queue), t.Subject, t.Day,
		at, at.Add(-time.Hour), string(state), "", 0, 0, 0, 0, m.CreatedAt)
}

// text is what is kept of a value as JSON.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("bug: it can't be encoded: " + err.Error())
	}
	return string(b)
}
