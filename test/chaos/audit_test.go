package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
)

// scene is a small final state without faults.
type scene struct {
	snapshot

	record   *record
	receipts map[string]map[string]letter
}

// add adds an event of the mission to the log, with its delivery.
func (s *scene) add(kind string, data string) {
	n := len(s.Events) + 1
	id := fmt.Sprintf("evt_%02d", n)
	body := fmt.Sprintf(`{"id":%q,"type":%q,"created_at":"2026-11-21T00:00:00Z","data":{"mission_id":"msn_1"%s}}`, id, kind, data)
	s.Events = append(s.Events, eventRow{ID: id, TenantID: "tnt_1", MissionID: "msn_1", Type: kind, Seq: int64(n), Body: []byte(body)})
	d := "dlv_" + id
	s.Deliveries = append(s.Deliveries, deliveryRow{ID: d, TenantID: "tnt_1", HookID: "whk_1", EventID: id, EventType: kind, Status: "delivered", Attempts: 1})
	s.Attempts = append(s.Attempts, attemptRow{DeliveryID: d, Number: 1, Status: 200})
	s.receipts["/hook"][id] = letter{Body: body, Times: 1, Taken: 1}
}

// newScene returns a mission that has ended, with a post that is published and
// one that was canceled.
func newScene() *scene {
	s := &scene{record: newRecord(), receipts: map[string]map[string]letter{"/hook": {}}}
	s.At = time.Now()
	s.Missions = []missionRow{{
		ID: "msn_1", TenantID: "tnt_1", Name: "One", Status: "completed", Platforms: []string{"twitter", "mastodon"}, PostsPerDay: 2, Days: 1,
		JobID: "job_1", Cycles: 1, Generated: 2, Approved: 1, Published: 1,
	}}
	s.Platforms = []platformRow{{"msn_1", "mastodon", "tnt_1", "completed"}, {"msn_1", "twitter", "tnt_1", "completed"}}
	s.Jobs = []jobRow{{ID: "job_1", TenantID: "tnt_1", MissionID: "msn_1", Status: "completed", Stage: "optimize", Cycle: 1, Planned: 2, Written: 2, Settled: 2, Ended: true}}
	for _, name := range stageOrder {
		s.Stages = append(s.Stages, stageRow{JobID: "job_1", Name: name, Status: "completed", Began: true, Ended: true})
	}
	s.Posts = []postRow{
		{
			ID: "cnt_1", TenantID: "tnt_1", MissionID: "msn_1", JobID: "job_1", Platform: "twitter", Status: "published", Revision: 1, Body: "a\n\nb",
			Parts: []string{"a", "b"}, PlatformPostID: "sbx_1", Published: true, Reviewed: true,
		},
		{ID: "cnt_2", TenantID: "tnt_1", MissionID: "msn_1", JobID: "job_1", Platform: "mastodon", Status: "canceled", Position: 1, Revision: 1, Body: "c"},
	}
	for _, id := range []string{"sbx_1", "sbx_2"} {
		s.Posts[0].Publications = append(s.Posts[0].Publications, publicationID{id})
	}
	s.Publications = []publicationRow{{"sbx_1", "cnt_1", "twitter", "a", 0}, {"sbx_2", "cnt_1", "twitter", "b", 1}}
	s.Hooks = []hookRow{{ID: "whk_1", TenantID: "tnt_1", URL: "http://127.0.0.1:1/hook", Status: "active", Events: allEvents, Enabled: true}}
	s.Tasks = []taskRow{
		{ID: "tsk_1", TenantID: "tnt_1", MissionID: "msn_1", Type: "mission:measure", State: "waiting", RunAt: s.At.Add(time.Minute)},
		{ID: "tsk_2", TenantID: "tnt_1", MissionID: "msn_1", Type: "content:publish", Subject: "cnt_2", State: "waiting", RunAt: s.At.Add(time.Hour)},
	}
	s.log()
	s.count()
	s.Redis = redisState{At: s.At, Other: map[string]time.Duration{"missiond:epoch:{publish}": -1, "asynq:queues": -1, "asynq:{publish}:completed": -1, "limit:tnt_1": time.Minute}}
	s.Redis.Queues = []queue{{
		Name: "publish", Past: []string{"tsk_0:1"}, Scheduled: map[string]time.Time{"tsk_2:1": s.At.Add(time.Hour)},
		Held: map[string]bool{"tsk_0:1": true, "tsk_2:1": true},
	}}
	s.record.missions["One"] = &sentMission{
		Name: "One", TenantID: "tnt_1", ID: "msn_1", Created: tally{Sure: 1}, Platforms: []string{"twitter", "mastodon"}, PostsPerDay: 2, Days: 1,
		Steps: tallies{"mission.paused": {Sure: 1}, "mission.resumed": {Maybe: 1}},
	}
	s.record.reviews["cnt_1"] = tallies{"approve": {Sure: 1}}
	s.record.hooks["/hook"] = &sentHook{TenantID: "tnt_1", Path: "/hook", ID: "whk_1", Created: tally{Sure: 1}, Events: allEvents, Early: true}
	return s
}

// log adds the events of the mission's life.
func (s *scene) log() {
	for _, kind := range []string{"created", "started", "paused", "resumed"} {
		s.add("mission."+kind, "")
	}
	for _, kind := range []string{"created", "approved", "scheduled", "published"} {
		s.add("content."+kind, `,"content_id":"cnt_1","revision":1`)
	}
	s.add("content.created", `,"content_id":"cnt_2","revision":1`)
	for _, name := range stageOrder {
		s.add("pipeline.stage_completed", fmt.Sprintf(`,"job_id":"job_1","stage":%q`, name))
	}
	s.add("pipeline.job_completed", `,"job_id":"job_1"`)
	s.add("mission.completed", "")
}

// count adds the counters and totals.
func (s *scene) count() {
	counters := map[counterRow]int64{{TenantID: "tnt_1", Name: "event_seq"}: int64(len(s.Events))}
	for _, e := range s.Events {
		counters[counterRow{TenantID: "tnt_1", Name: "events::" + e.Type}]++
		counters[counterRow{TenantID: "tnt_1", Name: "events:msn_1:" + e.Type}]++
	}
	for c, n := range counters {
		c.N = n
		s.Counters = append(s.Counters, c)
	}
	for _, on := range []string{"", "twitter", "mastodon"} {
		s.MissionTotals = append(s.MissionTotals, missionTotalRow{"tnt_1", on, "completed", 1})
	}
	for _, of := range []string{"", "msn_1"} {
		for on, status := range map[string]string{"twitter": "published", "mastodon": "canceled"} {
			s.PostTotals = append(s.PostTotals, postTotalRow{"tnt_1", of, on, status, 1}, postTotalRow{"tnt_1", of, "", status, 1})
		}
	}
}

// broken returns the findings by check, without checks that found nothing.
func (s *scene) broken() map[string][]finding {
	found := map[string][]finding{}
	for _, r := range audit(&s.snapshot, s.record, s.receipts) {
		if len(r.findings) > 0 {
			found[r.check] = r.findings
		}
	}
	return found
}

func TestNoFindings(t *testing.T) {
	s := newScene()
	for check, findings := range s.broken() {
		t.Errorf("%s: %+v", check, findings)
	}
	for _, r := range audit(&s.snapshot, s.record, s.receipts) {
		if r.saw == 0 && r.check != "responses agree with each other" {
			t.Errorf("%s checks nothing", r.check)
		}
	}
}

// Each fault is found by its check.
func TestPlantedFaultsAreFound(t *testing.T) {
	for name, fault := range map[string]struct {
		plant func(s *scene)
		check string
		about string // what the finding names
	}{
		"a mission is lost":          {func(s *scene) { s.Missions[0].ID, s.Missions[0].Name = "msn_2", "Two" }, "missions are complete", "msn_1"},
		"an unknown mission":         {func(s *scene) { s.Missions[0].Name = "Two" }, "no mission was created twice", "Two"},
		"a mission was made twice":   {func(s *scene) { s.Missions = append(s.Missions, s.Missions[0]); s.Missions[1].ID = "msn_2" }, "no mission was created twice", "One"},
		"a mission goes on":          {func(s *scene) { s.Missions[0].Status = "active" }, "missions are complete", "msn_1"},
		"a mission states less":      {func(s *scene) { s.Missions[0].PostsPerDay = 1 }, "missions are complete", "msn_1"},
		"a mission that was deleted": {func(s *scene) { s.record.missions["One"].Deleted.Sure = 1 }, "missions are complete", "msn_1"},
		"a job goes on":              {func(s *scene) { s.Jobs[0].Status, s.Jobs[0].Ended = "running", false }, "jobs and stages are complete", "job_1"},
		"a stage was left out":       {func(s *scene) { s.Stages[2].Status = "pending" }, "jobs and stages are complete", "job_1"},
		"a job counts wrong":         {func(s *scene) { s.Jobs[0].Settled = 1 }, "jobs and stages are complete", "job_1"},
		"a post is lost":             {func(s *scene) { s.Posts = s.Posts[:1] }, "jobs and stages are complete", "job_1"},
		"a post hangs":               {func(s *scene) { s.Posts[1].Status = "publishing" }, "posts are settled and counted", "cnt_2"},
		"a mission counts wrong":     {func(s *scene) { s.Missions[0].Published = 2 }, "posts are settled and counted", "msn_1"},
		"a review is lost":           {func(s *scene) { s.Posts[0].Reviewed = false }, "reviews hold", "cnt_1"},
		"a second publication": {func(s *scene) {
			s.Publications = append(s.Publications, publicationRow{"sbx_3", "cnt_1", "twitter", "b", 1})
		}, "published once", "cnt_1"},
		"a publication is missing": {func(s *scene) { s.Publications = s.Publications[:1] }, "published once", "cnt_1"},
		"a canceled post is out": {func(s *scene) {
			s.Publications = append(s.Publications, publicationRow{"sbx_3", "cnt_2", "mastodon", "c", 0})
		}, "published once", "cnt_2"},
		"a publication of nobody's": {func(s *scene) {
			s.Publications = append(s.Publications, publicationRow{"sbx_3", "cnt_9", "mastodon", "c", 0})
		}, "published once", "cnt_9"},
		"a publication has other words": {func(s *scene) { s.Publications[1].Body = "B" }, "published once", "cnt_1"},
		"a total is off":                {func(s *scene) { s.MissionTotals[1].N = 2 }, "totals add up", "twitter"},
		"a total is missing":            {func(s *scene) { s.PostTotals = s.PostTotals[1:] }, "totals add up", "tnt_1"},
		"a gap in the log":              {func(s *scene) { s.Events = slices.Delete(s.Events, 4, 5) }, "the log has no gaps", "evt_06"},
		"the log's end is lost":         {func(s *scene) { s.Events = s.Events[:len(s.Events)-1] }, "the log has no gaps", "tnt_1"},
		"an event counts twice":         {func(s *scene) { s.Counters[0].N++ }, "the log has no gaps", "tnt_1"},
		"an event has another's data":   {func(s *scene) { s.Events[3].Body = s.Events[2].Body }, "the log has no gaps", "evt_04"},
		"published has two events":      {func(s *scene) { s.add("content.published", `,"content_id":"cnt_1"`) }, "each change has one event", "cnt_1"},
		"a stage has two events":        {func(s *scene) { s.add("pipeline.stage_completed", `,"job_id":"job_1","stage":"intake"`) }, "each change has one event", "job_1 intake"},
		"a pause has two events":        {func(s *scene) { s.add("mission.paused", "") }, "each change has one event", "evt_18"},
		"a pause without a response":    {func(s *scene) { s.record.missions["One"].Steps["mission.paused"] = tally{Sure: 2} }, "each change has one event", "msn_1"},
		"a delivery is missing":         {func(s *scene) { s.Deliveries = s.Deliveries[1:] }, "every event has its deliveries", "evt_01"},
		"a delivery is there twice":     {func(s *scene) { s.Deliveries = append(s.Deliveries, s.Deliveries[0]) }, "every event has its deliveries", "dlv_evt_01"},
		"a delivery hangs":              {func(s *scene) { s.Deliveries[1].Status = "pending" }, "every event has its deliveries", "dlv_evt_02"},
		"an endpoint is lost":           {func(s *scene) { s.Hooks = nil }, "every event has its deliveries", "/hook"},
		"a delivery never arrived":      {func(s *scene) { delete(s.receipts["/hook"], "evt_03") }, "deliveries arrived", "dlv_evt_03"},
		"what arrived is of no event":   {func(s *scene) { s.receipts["/hook"]["evt_99"] = letter{Times: 1} }, "deliveries arrived", "evt_99"},
		"it arrived with other bytes":   {func(s *scene) { l := s.receipts["/hook"]["evt_03"]; l.Body += " "; s.receipts["/hook"]["evt_03"] = l }, "deliveries arrived", "evt_03"},
		"an attempt isn't in the log":   {func(s *scene) { s.Attempts = s.Attempts[1:] }, "deliveries arrived", "dlv_evt_01"},
		"a task is due":                 {func(s *scene) { s.Tasks[0].RunAt = s.At.Add(-time.Second) }, "the ledger holds nothing due", "tsk_1"},
		"a task runs":                   {func(s *scene) { s.Tasks[0].State = "running" }, "the ledger holds nothing due", "tsk_1"},
		"a task of nobody's":            {func(s *scene) { s.Tasks[0].MissionID = "msn_9" }, "the ledger holds nothing due", "tsk_1"},
		"a task too many":               {func(s *scene) { s.Tasks[1].Type = "cycle:end" }, "the ledger holds nothing due", "tsk_2"},
		"people are told much later":    {func(s *scene) { s.Tasks[1].Type = "review:tell" }, "the ledger holds nothing due", "tsk_2"},
		"money is reserved":             {func(s *scene) { s.Missions[0].Reserved = 1 }, "money is settled", "msn_1"},
		"a call isn't settled":          {func(s *scene) { s.Spendings = []spendingRow{{ID: "spd_1", Open: true}} }, "money is settled", "spd_1"},
		"a budget is overspent":         {func(s *scene) { s.Missions[0].Budget, s.Missions[0].Spent = 1, 10_001 }, "money is settled", "msn_1"},
		"a new text is lost":            {func(s *scene) { s.record.reviews["cnt_1"]["regenerate"] = tally{Sure: 1} }, "reviews hold", "cnt_1"},
		"a task in no queue":            {func(s *scene) { s.Redis.Queues[0].Held["tsk_7:1"] = true }, "Redis has no orphans", "tsk_7:1"},
		"an entry without a task":       {func(s *scene) { delete(s.Redis.Queues[0].Held, "tsk_0:1") }, "Redis has no orphans", "tsk_0:1"},
		"work for a row that is gone":   {func(s *scene) { s.Redis.Queues[0].Active = []string{"tsk_0:1"} }, "Redis has no orphans", "tsk_0:1"},
		"an entry far ahead":            {func(s *scene) { s.Redis.Queues[0].Scheduled["tsk_2:1"] = s.At.Add(2 * time.Hour) }, "Redis has no orphans", "tsk_2:1"},
		"a key without expiry":          {func(s *scene) { s.Redis.Other["asynq:{publish}:t"] = -1 }, "Redis has no orphans", "asynq:{publish}:t"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene()
			fault.plant(s)
			found := s.broken()
			if !slices.ContainsFunc(found[fault.check], func(f finding) bool { return strings.Contains(f.ID, fault.about) }) {
				t.Errorf("%q has no finding about %s; those with findings are %v: %+v", fault.check, fault.about, slices.Collect(maps.Keys(found)), found)
			}
		})
	}
}

// A request of unknown outcome may have been executed or not; a deleted mission leaves
// its events, and a completed one the task that tells people of what waited for review.
func TestUnknownOutcomes(t *testing.T) {
	for name, change := range map[string]func(s *scene){
		"a mission without a response, made":     func(s *scene) { m := s.record.missions["One"]; m.ID, m.Created = "", tally{Maybe: 1} },
		"a mission without a response, not made": func(s *scene) { s.record.missions["Two"] = &sentMission{Name: "Two", Created: tally{Maybe: 1}} },
		"a resumption without a response":        func(s *scene) { s.record.missions["One"].Steps["mission.resumed"] = tally{Maybe: 3} },
		"received twice": func(s *scene) {
			l := s.receipts["/hook"]["evt_02"]
			l.Times++
			s.receipts["/hook"]["evt_02"] = l
		},
		"about to be told": func(s *scene) { s.Tasks[1].Type, s.Tasks[1].RunAt = "review:tell", s.At.Add(9*time.Minute) },
		"deleted": func(s *scene) {
			s.record.missions["One"].Deleted = tally{Maybe: 1}
			s.Missions, s.Platforms, s.Jobs, s.Stages, s.Posts, s.Tasks, s.MissionTotals, s.PostTotals = nil, nil, nil, nil, nil, nil, nil, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene()
			change(s)
			for check, findings := range s.broken() {
				t.Errorf("%s: %+v", check, findings)
			}
		})
	}
}

func TestParseResponse(t *testing.T) {
	for _, tt := range []struct {
		status int
		text   string
		want   outcome
		again  bool
	}{
		{201, `{"id":"msn_1"}`, done, false},
		{200, `{"data":{"pauseMission":{"__typename":"PauseMissionPayload"}}}`, done, false},
		{409, `{"error":{"code":"conflict","message":"…"}}`, declined, false},
		{409, `{"error":{"code":"conflict","param":"Idempotency-Key"}}`, declined, true},
		{429, `{"error":{"code":"rate_limit_exceeded"}}`, declined, true},
		{500, `{"error":{"code":"internal_error"}}`, unknown, false},
		{503, `{"error":{"code":"service_unavailable"}}`, unknown, false},
		{200, `{"data":{"pauseMission":null},"errors":[{"message":"…","extensions":{"code":"conflict"}}]}`, declined, false},
		{200, `{"data":{"pauseMission":null},"errors":[{"message":"…","extensions":{"code":"internal_error"}}]}`, unknown, false},
	} {
		if a := parseResponse(tt.status, []byte(tt.text)); a.outcome != tt.want || a.again != tt.again {
			t.Errorf("%d %s is %v, again: %t", tt.status, tt.text, a.outcome, a.again)
		}
	}
}

// The same seed draws the same disasters, whatever happened to earlier ones.
func TestSeedDecides(t *testing.T) {
	draw := func() []string {
		w := &harness{o: options{seed: 7, loops: 1}, apis: []*process{{name: "api-1"}, {name: "api-2"}}, workers: []*process{{name: "worker-1"}, {name: "worker-2"}}}
		f := newSchedule(w)
		var drawn []string
		for n := range 100 {
			k, d, gap := f.draw(n + 1)
			drawn = append(drawn, fmt.Sprint(k.name, d.targets[0], d.lasts, gap))
		}
		return drawn
	}
	if a, b := draw(), draw(); !slices.Equal(a, b) {
		t.Errorf("they differ:\n%v\n%v", a, b)
	}
}

// Some disasters, so that the audit is right about the service as it is.
func TestDisasters(t *testing.T) {
	testkit.Full(t)
	if err := run(t.Context(), options{seed: testkit.Seed(t), loops: 5, clients: 6, patience: 8 * time.Minute}); err != nil {
		t.Error(err)
	}
}
