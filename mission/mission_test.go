package mission

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func wantCode(t *testing.T, err error, code Code, param string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Code != code || e.Param != param {
		t.Errorf("got the error %v, want %s on %q", err, code, param)
	}
}

// The operations that each state allows, and their events.
func TestTransitions(t *testing.T) {
	now := parse(t, "2026-11-21T10:00:00Z")
	in := func(s Status) Mission {
		m := started(t, now, nil)
		m.Status = s
		if s == StatusPaused {
			m.PausedAt = &now
		}
		return m
	}
	operations := map[string]struct {
		do   func(m Mission) (MissionChange, error)
		from []Status
		to   Status
		tell EventType
	}{
		"start":    {func(m Mission) (MissionChange, error) { return m.Start(now) }, []Status{StatusDraft}, StatusActive, EventMissionStarted},
		"pause":    {func(m Mission) (MissionChange, error) { return m.Pause(now) }, []Status{StatusActive}, StatusPaused, EventMissionPaused},
		"resume":   {func(m Mission) (MissionChange, error) { return m.Resume(now) }, []Status{StatusPaused}, StatusActive, EventMissionResumed},
		"complete": {func(m Mission) (MissionChange, error) { return m.Complete(now) }, []Status{StatusActive, StatusPaused}, StatusCompleted, EventMissionCompleted},
	}
	for name, op := range operations {
		for _, from := range AllStatuses() {
			c, err := op.do(in(from))
			if !slices.Contains(op.from, from) {
				wantCode(t, err, CodeConflict, "")
				if err != nil && !strings.Contains(err.Error(), string(from)) {
					t.Errorf("%s of a mission that is %s doesn't name the state: %v", name, from, err)
				}
				continue
			}
			if err != nil || c.From != from || c.To.Status != op.to || len(c.Events) != 1 || c.Events[0].Type != op.tell || !c.To.UpdatedAt.Equal(now) {
				t.Errorf("%s of a mission that is %s returned %+v, %v", name, from, c, err)
			}
		}
	}
	for _, s := range AllStatuses() {
		if err := in(s).CheckDelete(); (err != nil) != (s == StatusActive) {
			t.Errorf("deleting a mission that is %s returned %v", s, err)
		}
	}
}

// However often a mission is paused, its end moves by the sum of its pauses, and its days stay.
func TestPausesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMission(t)
		ends, last := *m.EndsAt, m.window(m.DurationDays-1)
		now, sum := *m.StartsAt, time.Duration(0)
		for range rapid.IntRange(1, 6).Draw(t, "pauses") {
			now = now.Add(time.Duration(rapid.Int64Range(0, 100_000_000).Draw(t, "run")) * time.Millisecond)
			c, err := m.Pause(now)
			if err != nil {
				t.Fatal(err)
			}
			length := time.Duration(rapid.Int64Range(0, 900_000_000).Draw(t, "pause")) * time.Millisecond
			now, sum = now.Add(length), sum+length
			if got := c.To.Shift(now); got != length || c.To.Due(now.Add(1e6*time.Hour)) {
				t.Fatalf("a pause of %s shifted by %s", length, got)
			}
			if c, err = c.To.Resume(now); err != nil {
				t.Fatal(err)
			}
			m = c.To
		}
		if !m.EndsAt.Equal(ends.Add(sum)) || m.PausedFor != sum || m.PausedAt != nil {
			t.Fatalf("after pauses of %s got the end %s, before %s", sum, m.EndsAt, ends)
		}
		if w := m.window(m.DurationDays - 1); w != last {
			t.Fatalf("got the last window %v, before %v", w, last)
		}
		if m.Due(m.EndsAt.Add(-1)) || !m.Due(*m.EndsAt) {
			t.Fatal("it isn't due exactly at its end")
		}
	})
}

func TestStartKeepsItsPlan(t *testing.T) {
	planned := parse(t, "2026-12-01T10:00:00Z")
	for name, tt := range map[string]struct{ now, want time.Time }{
		"on time":     {planned, planned},
		"a bit late":  {planned.Add(time.Minute), planned},
		"much late":   {planned.Add(3 * time.Hour), planned.Add(3 * time.Hour)},
		"ahead of it": {planned.Add(-time.Hour), planned.Add(-time.Hour)},
	} {
		m := Mission{Status: StatusDraft, StartsAt: &planned, DurationDays: 2, Constraints: (*ConstraintsInput)(nil).withDefaults()}
		c, err := m.Start(tt.now)
		if err != nil || !c.To.StartsAt.Equal(tt.want) || !c.To.EndsAt.Equal(tt.want.AddDate(0, 0, 2)) {
			t.Errorf("started %s: got from %s to %s", name, c.To.StartsAt, c.To.EndsAt)
		}
	}
}

func ptr[T any](v T) *T { return &v }

func good() CreateInput {
	return CreateInput{Name: "A mission", Objectives: []string{"Show it"}, Platforms: []Platform{Twitter}, DurationDays: ptr(3)}
}

func TestNewMission(t *testing.T) {
	now := parse(t, "2026-11-21T10:00:00Z")
	m, events, err := New("msn_1", "tnt_1", good(), now)
	if err != nil || m.Status != StatusDraft || m.StartsAt != nil || len(events) != 1 || events[0].Type != EventMissionCreated {
		t.Errorf("got a draft %+v with %v, %v", m, events, err)
	}
	if c := m.Constraints; c.Cadence != Daily || c.PostsPerDay != 1 || c.Timezone != "UTC" || c.PostingTimes == nil || c.ExcludedTopics == nil || m.KPIs == nil {
		t.Errorf("got the defaults %+v", c)
	}
	in := good()
	in.StartImmediately = ptr(true)
	m, events, err = New("msn_1", "tnt_1", in, now)
	if err != nil || m.Status != StatusActive || !m.StartsAt.Equal(now) || len(events) != 2 || events[1].Type != EventMissionStarted || events[1].TenantID != "tnt_1" {
		t.Errorf("started at once: got %+v with %v, %v", m, events, err)
	}
}

// The bounds of every field, and the field that the error names. (Wrong types, and what
// both APIs share, are tested in the scenarios.)
func TestBounds(t *testing.T) {
	now := parse(t, "2026-11-21T10:00:00Z")
	long := func(n int) string { return strings.Repeat("é", n) }
	many := func(n int) []string {
		items := make([]string, n)
		for i := range items {
			items[i] = "x"
		}
		return items
	}
	constraints := func(c ConstraintsInput) func(*CreateInput) { return func(in *CreateInput) { in.Constraints = &c } }
	for param, tt := range map[string][]func(in *CreateInput){
		"": {
			func(in *CreateInput) { in.Name = long(MaxName) },
			func(in *CreateInput) { in.Description = ptr("line\nline\ttab") },
			func(in *CreateInput) { in.DurationDays = ptr(MaxDurationDays) },
			func(in *CreateInput) { in.StartsAt = ptr(now.Add(time.Millisecond)) },
			constraints(ConstraintsInput{PostsPerDay: ptr(MaxPostsPerDay), BudgetCents: ptr(int64(0)), Timezone: ptr("America/Argentina/Ushuaia")}),
		},
		"name": {
			func(in *CreateInput) { in.Name = "" }, func(in *CreateInput) { in.Name = long(MaxName + 1) },
			func(in *CreateInput) { in.Name = "a\x00b" }, func(in *CreateInput) { in.Name = "\xff" },
		},
		"description":               {func(in *CreateInput) { in.Description = ptr(long(MaxDescription + 1)) }, func(in *CreateInput) { in.Description = ptr("\x1b[31m") }},
		"objectives":                {func(in *CreateInput) { in.Objectives = nil }, func(in *CreateInput) { in.Objectives = many(MaxListItems + 1) }},
		"objectives[0]":             {func(in *CreateInput) { in.Objectives = []string{long(MaxItem + 1)} }},
		"platforms":                 {func(in *CreateInput) { in.Platforms = nil }},
		"platforms[0]":              {func(in *CreateInput) { in.Platforms = []Platform{""} }, func(in *CreateInput) { in.Platforms = []Platform{"all"} }},
		"duration_days":             {func(in *CreateInput) { in.DurationDays = nil }, func(in *CreateInput) { in.DurationDays = ptr(-1) }, func(in *CreateInput) { in.DurationDays = ptr(MaxDurationDays + 1) }},
		"starts_at":                 {func(in *CreateInput) { in.StartsAt = &now }, func(in *CreateInput) { in.StartsAt = ptr(now.AddDate(9, 0, 0)) }},
		"constraints.tone":          {constraints(ConstraintsInput{Tone: ptr(long(MaxTone + 1))})},
		"constraints.posts_per_day": {constraints(ConstraintsInput{PostsPerDay: ptr(-1)})},
		"constraints.budget_cents":  {constraints(ConstraintsInput{BudgetCents: ptr(int64(MaxBudgetCents + 1))})},
		"constraints.timezone": {
			constraints(ConstraintsInput{Timezone: ptr("")}), constraints(ConstraintsInput{Timezone: ptr("../etc/passwd")}),
			constraints(ConstraintsInput{Timezone: ptr("CET+1")}),
		},
		"constraints.posting_times":    {constraints(ConstraintsInput{PostingTimes: many(MaxPostsPerDay + 1)})},
		"constraints.posting_times[0]": {constraints(ConstraintsInput{PostingTimes: []string{"9:00"}}), constraints(ConstraintsInput{PostingTimes: []string{"09:60"}}), constraints(ConstraintsInput{PostingTimes: []string{"09:00\n"}})},
		"constraints.posting_times[1]": {constraints(ConstraintsInput{PostingTimes: []string{"09:00", "09:00"}})},
		"kpis":                         {func(in *CreateInput) { in.KPIs = make([]KPIInput, MaxListItems+1) }},
		"kpis[0].metric":               {func(in *CreateInput) { in.KPIs = []KPIInput{{}} }},
		"kpis[0].target": {
			func(in *CreateInput) { in.KPIs = []KPIInput{{Metric: Likes}} },
			func(in *CreateInput) { in.KPIs = []KPIInput{{Metric: Likes, Target: ptr(math.NaN())}} },
			func(in *CreateInput) { in.KPIs = []KPIInput{{Metric: Likes, Target: ptr(math.Inf(1))}} },
		},
		"kpis[0].platform": {func(in *CreateInput) {
			in.KPIs = []KPIInput{{Metric: Likes, Target: ptr(1.0), Platform: ptr(Mastodon)}}
		}},
	} {
		for _, change := range tt {
			in := good()
			change(&in)
			_, _, err := New("msn_1", "tnt_1", in, now)
			if param == "" {
				if err != nil {
					t.Errorf("%+v returned %v", in, err)
				}
				continue
			}
			wantCode(t, err, CodeInvalidRequest, param)
		}
	}
}

func TestIDForms(t *testing.T) {
	ulid := "01jd0000000000000000000000"
	for id, want := range map[string]bool{
		"msn_" + ulid: true, "job_" + ulid: false, ulid: false, "msn_": false, "msn_" + strings.ToUpper(ulid): false,
		"msn_8" + ulid[1:]: false, "msn_" + ulid[:25] + "l": false, "msn_" + ulid + "0": false, "msn_" + ulid[:25] + "\x00": false,
	} {
		if got := HasIDForm(PrefixMission, id); got != want {
			t.Errorf("%q is accepted as an id: %v", id, got)
		}
	}
}

func TestEveryOperationHasAKnownScope(t *testing.T) {
	for op, p := range Operations() {
		for _, s := range []Scope{p.Scope, p.Also} {
			if s != ScopeAny && !slices.Contains(AllScopes(), s) {
				t.Errorf("%s has the scope %q", op, s)
			}
		}
		if says := p.Needs(func(s Scope) string { return string(s) }); !strings.Contains(says, string(p.Scope)) || !strings.Contains(says, string(p.Also)) {
			t.Errorf("%s has the text %q", op, says)
		}
	}
	reader := Principal{TenantID: "tnt_1", Scopes: []Scope{ScopeMissionsRead}}
	if err := reader.Check(OpMissionsList); err != nil {
		t.Errorf("a reader can't list: %v", err)
	}
	err := reader.Check(OpMissionsCreate)
	wantCode(t, err, CodeForbidden, "")
	if !strings.Contains(err.Error(), string(ScopeMissionsWrite)) {
		t.Errorf("the error doesn't name the scope: %v", err)
	}
	admin := Principal{TenantID: "tnt_1", Scopes: []Scope{ScopeAdmin}}
	for op := range Operations() {
		if err := admin.Check(op); err != nil {
			t.Errorf("an admin can't %s: %v", op, err)
		}
	}
	wantCode(t, admin.Check("nonsense"), CodeInternal, "")
}

func TestEveryTaskHasAPlan(t *testing.T) {
	for task, p := range TaskTypes() {
		if !slices.Contains(AllQueues(), p.Queue) || len(p.Delays) == 0 {
			t.Errorf("%s: got the plan %+v", task, p)
		}
		for attempt := 1; attempt <= p.MaxAttempts(); attempt++ {
			if _, ok := p.Delay(attempt); ok != (p.Endless || attempt < p.MaxAttempts()) {
				t.Errorf("%s: a delay after attempt %d of %d: %v", task, attempt, p.MaxAttempts(), ok)
			}
		}
	}
	for _, s := range AllStages() {
		if _, ok := TaskTypes()[StageTask(s)]; !ok {
			t.Errorf("the stage %s has no task", s)
		}
	}
}

func TestStatusViewShape(t *testing.T) {
	m := started(t, parse(t, "2026-11-21T10:00:00Z"), nil)
	j := NewJob("job_1", m, m.window(0), Brand{}, *m.StartsAt)
	j.Planned = 4
	for range 2 {
		ch := j.Begin(1, *m.StartsAt)
		j = ch.To
		j = j.Finish(nil, m.StartsAt.Add(time.Second)).To
	}
	j.Written = 1
	j = j.Begin(1, *m.StartsAt).To
	text, err := json.Marshal(NewStatusView(m, &j, nil, time.Unix(1e9, 0)))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"mission_id":"msn_1","status":"active","pipeline":{"job_id":"job_1","status":"running","current_stage":"content","progress_percent":37,` +
		`"stages":{"intake":{"status":"completed","duration_ms":1000},"strategy":{"status":"completed","duration_ms":1000},` +
		`"content":{"status":"running","progress_percent":25},"publish":{"status":"pending"},"analytics":{"status":"pending"},"optimize":{"status":"pending"}}},` +
		`"content":{"generated":0,"pending_review":0,"approved":0,"published":0,"scheduled":0},"kpi_progress":[],"next_publish_at":null}`
	if string(text) != want {
		t.Errorf("got the view\n%s, want\n%s", text, want)
	}
	v := NewStatusView(m, nil, nil, time.Unix(1e9, 0))
	if v.Pipeline.Status != RunPending || v.Pipeline.JobID != nil || v.Pipeline.Stages.Optimize.Status != RunPending {
		t.Errorf("before the first job got the view %+v", v)
	}
}
