package api

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"missiond/mission"
	"missiond/store"
)

// calendarAPI is the part of both APIs that has the calendar.
type calendarAPI interface {
	contentListAPI
	calendar(query map[string]any) result
}

func (a restAPI) calendar(query map[string]any) result {
	q := url.Values{}
	for name, value := range query {
		q.Set(name, value.(string))
	}
	return a.call("GET", "/calendar?"+q.Encode(), nil)
}

func (a graphAPI) calendar(query map[string]any) result {
	variables := map[string]any{}
	for name, value := range query {
		if name == "starting_after" {
			name = "after"
		}
		if name == "status" {
			name, value = "statuses", states(value.(string))
		}
		variables[name] = value
	}
	got := a.run(`query($from: Date!, $to: Date!, $timeZone: TimeZone, $missionId: ID, $platform: Platform, $integrationId: ID, $statuses: [ContentStatus!], $after: String) {
		calendar(from: $from, to: $to, timeZone: $timeZone, missionId: $missionId, platform: $platform, integrationId: $integrationId, statuses: $statuses, after: $after) {
			from to timeZone plannedTruncated events { missionId name startsOn endsOn kind note } blackouts { missionId startsAt endsAt reason } days { date startsAt endsAt hasMore counts { status count capped } posts { `+strings.Replace(contentFields, largeFields, "", 1)+` }
			planned { missionId jobId at platform integrationId accountHandle } } } }`, asGraphQL(variables).(map[string]any), "calendar")
	if got.Param == "after" {
		got.Param = "starting_after"
	}
	return got
}

// states returns the states that a parameter of REST names.
func states(text string) []any {
	var list []any
	for name := range strings.SplitSeq(text, ",") {
		list = append(list, strings.ToUpper(name))
	}
	return list
}

func TestCalendarScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[calendarAPI]{{"a calendar", calendars}, {"slots that are planned", plannedSlots}, {"calendars that are refused", badCalendars}})
}

// day returns a calendar's day in a few words: its counts, the posts by their place in
// ids, and the planned slots.
func (s *harness) day(got result, i int, known []string) string {
	s.t.Helper()
	d := s.at(got, "days").([]any)[i].(map[string]any)
	text := fmt.Sprint(d["date"], ":")
	for _, each := range d["counts"].([]any) {
		n := each.(map[string]any)
		text += fmt.Sprintf(" %v %v", n["count"], n["status"])
	}
	for _, id := range ids(d["posts"].([]any)) {
		text += fmt.Sprintf(" #%d", slices.Index(known, id))
	}
	if d["has_more"] == true {
		text += " and more"
	}
	for _, each := range d["planned"].([]any) {
		slot := each.(map[string]any)
		on, _ := slot["platform"].(string)
		text += fmt.Sprintf(" [%s %s]", slot["at"].(string)[11:16], cmp.Or(strings.ToLower(strings.Replace(on, "all", "", 1)), "?"))
	}
	return text
}

func calendars(s *harness, a calendarAPI) {
	account := a.connect(map[string]any{"platform": "mastodon", "server": "127.0.0.1:1", "access_token": "good"}).Fields["id"].(string)
	first := s.make(a, map[string]any{"platforms": []any{"mastodon", "twitter"}, "start_immediately": true, "constraints": map[string]any{"timezone": "America/New_York"}})
	s.field(a.pause(first), "status", "paused")
	ids := s.insert(first,
		plannedPost{"scheduled", "mastodon", account, "2026-11-24T04:59:59.999Z", ""},
		plannedPost{"published", "mastodon", account, "2026-11-23T22:59:59Z", "2026-11-23T23:00:01Z"},
		plannedPost{"approved", "twitter", "", "2026-11-24T05:00:00Z", ""},
		plannedPost{"canceled", "twitter", "", "", ""},
	)
	for _, tt := range []struct {
		query map[string]any
		days  string
	}{
		{map[string]any{}, "2026-11-23: 1 published #1, 2026-11-24: 1 approved 1 scheduled #0 #2"},
		{map[string]any{"time_zone": "Europe/Berlin"}, "2026-11-23:, 2026-11-24: 1 approved 1 scheduled 1 published #1 #0 #2"},
		{map[string]any{"mission_id": first}, "2026-11-23: 1 scheduled 1 published #1 #0, 2026-11-24: 1 approved #2"},
		{map[string]any{"mission_id": first, "time_zone": "UTC", "platform": "twitter"}, "2026-11-23:, 2026-11-24: 1 approved #2"},
		{map[string]any{"integration_id": account}, "2026-11-23: 1 published #1, 2026-11-24: 1 scheduled #0"},
		{map[string]any{"status": "published"}, "2026-11-23: 1 published #1, 2026-11-24:"},
		{map[string]any{"status": "scheduled,published", "mission_id": first, "time_zone": "UTC"}, "2026-11-23: 1 published #1, 2026-11-24: 1 scheduled #0"},
		{map[string]any{"status": "approved", "platform": "twitter"}, "2026-11-23:, 2026-11-24: 1 approved #2"},
		{map[string]any{"status": "failed"}, "2026-11-23:, 2026-11-24:"},
		{map[string]any{"platform": "linkedin"}, "2026-11-23:, 2026-11-24:"},
	} {
		tt.query["from"], tt.query["to"] = "2026-11-23", "2026-11-24"
		got := a.calendar(tt.query)
		if text := s.day(got, 0, ids) + ", " + s.day(got, 1, ids); text != tt.days {
			s.t.Errorf("%v has %s, want %s", tt.query, text, tt.days)
		}
	}
	got := a.calendar(map[string]any{"from": "2026-10-25", "to": "2026-10-25", "time_zone": "Europe/Berlin"})
	s.field(got, "time_zone", "Europe/Berlin")
	day := s.at(got, "days").([]any)[0].(map[string]any)
	s.equal("the start", day["starts_at"], "2026-10-24T22:00:00.000Z")
	s.equal("the end", day["ends_at"], "2026-10-25T23:00:00.000Z")
	// A day's further posts, by its own cursor and in the list of its slots.
	var many []plannedPost
	for i := range 23 {
		many = append(many, plannedPost{"rejected", "twitter", "", fmt.Sprintf("2026-11-26T10:%02d:00Z", i), ""})
	}
	ids = s.insert(first, many...)
	one := map[string]any{"from": "2026-11-26", "to": "2026-11-26"}
	if text := s.day(a.calendar(one), 0, ids); !strings.HasPrefix(text, "2026-11-26: 23 rejected #0 #1 #2") || !strings.HasSuffix(text, "#19 and more") {
		s.t.Errorf("a long day is %s", text)
	}
	one["starting_after"] = ids[19]
	s.equal("the rest", s.day(a.calendar(one), 0, ids), "2026-11-26: 23 rejected #20 #21 #22")
	rest := a.listed(map[string]any{"scheduled_from": "2026-11-26T00:00:00Z", "scheduled_to": "2026-11-27T00:00:00Z", "order": "scheduled", "starting_after": ids[19]})
	s.field(rest, "ids", ids[20:])
	s.key = s.keys["theirs"]
	delete(one, "starting_after")
	s.equal("theirs", s.day(a.calendar(one), 0, ids), "2026-11-26:")
}

// datesAPI is the part of both APIs that dates of missions concern.
type datesAPI interface {
	postAPI
	calendar(query map[string]any) result
}

func TestDatesScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[datesAPI]{{"events and blackouts", datesOfMissions}})
}

// datesOfMissions checks that the calendar shows events and blackouts, which have no slots, that updates replace
// them, and that no post is made for a time in a blackout.
func datesOfMissions(s *harness, a datesAPI) {
	event := map[string]any{"name": "Sale", "starts_on": "2026-11-24", "ends_on": "2026-11-25", "kind": "sale", "note": "All of it"}
	silence := map[string]any{"starts_at": "2026-11-22T00:00:00.000Z", "ends_at": "2026-11-23T12:00:00.000Z", "reason": "Mourning"}
	id := s.make(a, map[string]any{
		"start_immediately": true, "duration_days": 4, "platforms": []any{"linkedin"}, "constraints": map[string]any{"posts_per_day": 2},
		"events": []any{event}, "blackouts": []any{silence},
	})
	query := map[string]any{"from": "2026-11-22", "to": "2026-11-24"}
	got := a.calendar(query)
	var text []string
	for i := range 3 {
		text = append(text, s.day(got, i, nil))
	}
	s.equal("the days", strings.Join(text, ", "), "2026-11-22:, 2026-11-23: [20:00 linkedin], 2026-11-24: [08:00 linkedin] [20:00 linkedin]")
	event["mission_id"], silence["mission_id"] = id, id
	s.field(got, "events", []any{event})
	s.field(got, "blackouts", []any{silence})
	post := map[string]any{"mission_id": id, "platform": "linkedin", "text": "x", "scheduled_at": "2026-11-23T11:59:59Z"}
	s.want(a.add(post), "invalid_request", "scheduled_at")
	post["scheduled_at"] = "2026-11-23T12:00:00Z"
	own := a.add(post)
	s.field(own, "status", "scheduled")
	s.want(a.place(own.Fields["id"].(string), map[string]any{"scheduled_at": "2026-11-22T12:00:00Z"}), "invalid_request", "scheduled_at")

	s.field(a.update(id, map[string]any{"events": []any{}, "blackouts": []any{map[string]any{
		"starts_at": "2026-11-23T11:00:00Z", "ends_at": "2026-11-23T13:00:00Z",
	}}}), "events", []any{})
	s.field(a.content(own.Fields["id"].(string)), "scheduled_at", "2026-11-23T13:00:00.000Z")
	s.want(a.update(id, map[string]any{"blackouts": []any{map[string]any{"starts_at": "2026-11-23T11:00:00Z", "ends_at": "2026-11-23T11:00:00Z"}}}),
		"invalid_request", "blackouts[0].ends_at")
	s.field(a.read(id), "blackouts", []any{map[string]any{"starts_at": "2026-11-23T11:00:00.000Z", "ends_at": "2026-11-23T13:00:00.000Z", "reason": ""}})
}

func plannedSlots(s *harness, a calendarAPI) {
	id := s.make(a, map[string]any{"start_immediately": true, "duration_days": 30, "constraints": map[string]any{"cadence": "weekdays", "posts_per_day": 2, "posting_times": []any{"09:30"}}})
	single := s.make(a, map[string]any{"start_immediately": true, "platforms": []any{"linkedin"}, "duration_days": 3, "constraints": map[string]any{"cadence": "weekly"}})
	query := func(more map[string]any) map[string]any {
		q := map[string]any{"from": "2026-11-21", "to": "2026-11-24"}
		for name, value := range more {
			q[name] = value
		}
		return q
	}
	days := func(q map[string]any) string {
		got, text := a.calendar(q), []string{}
		for i := range 4 {
			text = append(text, strings.TrimPrefix(s.day(got, i, nil), "2026-11-"))
		}
		return strings.Join(text, ", ")
	}
	// The 21st is a Saturday; a job of a single mission's first day has begun.
	s.equal("all", days(query(nil)), "21: [08:00 linkedin], 22:, 23: [09:30 ?] [20:00 ?], 24: [09:30 ?] [20:00 ?]")
	s.equal("of a mission", days(query(map[string]any{"mission_id": single})), "21: [08:00 linkedin], 22:, 23:, 24:")
	s.equal("on a platform", days(query(map[string]any{"platform": "linkedin"})), "21: [08:00 linkedin], 22:, 23:, 24:")
	slot := s.at(a.calendar(query(nil)), "days").([]any)[0].(map[string]any)["planned"].([]any)[0].(map[string]any)
	s.equal("its mission", slot["mission_id"], single)
	s.equal("its job", slot["job_id"], s.at(a.read(single), "pipeline_job_id"))
	// A written plan's slots are those without a post.
	p, err := s.Accounts.Authenticate(context.Background(), s.key)
	s.must(err)
	job, err := s.DB.Job(context.Background(), p.TenantID, slot["job_id"].(string))
	s.must(err)
	plan := mission.Plan{Slots: []mission.Slot{{Position: 0, At: s.clock.Now(), Platform: mission.LinkedIn}, {Position: 1, At: s.clock.Now().Add(3600e9), Platform: mission.LinkedIn}}}
	s.must(s.DB.Tx(context.Background(), func(tx store.Tx) error {
		if err := tx.SetPlan(context.Background(), job.ID, plan); err != nil {
			return err
		}
		c, events := mission.NewContent(s.DB.NewID(mission.PrefixContent, s.clock.Now()), job, mission.NewAssignment(job, plan.Slots[0]),
			mission.Draft{Format: mission.FormatPost, Text: "A text"}, mission.Verdict{ExcludedTopic: "x"}, s.clock.Now())
		return tx.AddContent(context.Background(), c, events)
	}))
	s.equal("of a plan", days(query(map[string]any{"mission_id": single})), "21: 1 pending_review #-1 [09:00 linkedin], 22:, 23:, 24:")
	for _, each := range []string{id, single} {
		s.field(a.pause(each), "status", "paused")
	}
	s.equal("of paused missions", days(query(nil)), "21: 1 pending_review #-1, 22:, 23:, 24:")
	s.field(a.resume(id), "status", "active")
	_, s.key = s.newKey(a.(accountsAPI), map[string]any{"name": "x", "scopes": []any{"content:read"}})
	s.equal("without missions:read", days(query(nil)), "21: 1 pending_review #-1, 22:, 23:, 24:")
}

func badCalendars(s *harness, a calendarAPI) {
	id := s.make(a, map[string]any{"start_immediately": true})
	post := s.insert(id, plannedPost{"scheduled", "twitter", "", "2026-11-24T10:00:00Z", ""}, plannedPost{"canceled", "twitter", "", "", ""})
	for _, tt := range []struct {
		query map[string]any
		param string
	}{
		{map[string]any{"from": "2026-11-25"}, "from"},
		{map[string]any{"from": "2026-01-01", "to": "2026-03-04"}, "to"},
		{map[string]any{"from": "0000-01-01"}, "from"},
		{map[string]any{"to": "9999-12-31"}, "to"},
		{map[string]any{"from": "2026-11-24T00:00:00Z"}, "from"},
		{map[string]any{"time_zone": "../etc"}, "time_zone"},
		{map[string]any{"time_zone": "Local"}, "time_zone"},
		{map[string]any{"time_zone": strings.Repeat("x", 10_000)}, "time_zone"},
		{map[string]any{"mission_id": "msn_01jd0000000000000000000000"}, "mission_id"},
		{map[string]any{"integration_id": "int_01jd0000000000000000000000"}, "integration_id"},
		{map[string]any{"starting_after": id}, "starting_after"},
		{map[string]any{"starting_after": post[1]}, "starting_after"}, // it is on no day
		{map[string]any{"starting_after": post[0], "to": "2026-11-25"}, "starting_after"},
	} {
		query := map[string]any{"from": "2026-11-24", "to": "2026-11-24"}
		for name, value := range tt.query {
			query[name] = value
		}
		s.want(a.calendar(query), "invalid_request", tt.param)
	}
	s.key = s.keys["theirs"]
	s.want(a.calendar(map[string]any{"from": "2026-11-24", "to": "2026-11-24", "starting_after": post[0]}), "invalid_request", "starting_after")
	s.want(a.calendar(map[string]any{"from": "2026-11-24", "to": "2026-11-24", "mission_id": id}), "invalid_request", "mission_id")
}
