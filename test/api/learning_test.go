package api

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/mission/learning"
	"missiond/store"
)

// A mission shows the course of its KPIs, what it spent, and what it learned, on
// its own and in a list alike.
func TestMissionsShowTheirCourse(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			h := s.harvest(restAPI{s})
			s.learn(h.ours)
			s.spend(h.ours, "a", 25_000, true)
			s.spend(h.ours, "b", 10_001, false)
			const fields = `{ id spentCents reservedCents kpiProgress { current } likes: kpiHistory(metric: LIKES) { date value target needed }
				linkedin: kpiHistory(metric: IMPRESSIONS, platform: LINKEDIN) { value needed } none: kpiHistory(metric: LIKES, platform: LINKEDIN) { value }
				learning { learnedAt credibleLevel metrics { metric observations beliefs {
					factor platform integrationId angle format hours mean low high unit observations preferred } } } }`
			gql := graphAPI{s}
			m := gql.query(fmt.Sprintf(`{ mission(id: %q) %s }`, h.ours, fields))["mission"].(object)
			s.wantCourse(m)
			s.wantBeliefs(m["learning"].(object))
			if spent, reserved := m["spentCents"], m["reservedCents"]; spent != 3.0 || reserved != 2.0 {
				t.Errorf("the mission spent %v and reserved %v cents, want 3 and 2", spent, reserved)
			}
			if other := gql.query(fmt.Sprintf(`{ mission(id: %q) %s }`, h.other, fields))["mission"].(object); other["learning"] != nil || other["likes"] != nil {
				t.Errorf("a mission that learned nothing shows %v", other)
			}
			listed := gql.query(`{ missions(first: 2) { edges { node ` + fields + ` } } }`)
			found := false
			for _, e := range at(listed, "missions", "edges").([]any) {
				if n := e.(object)["node"].(object); n["id"] == h.ours {
					found = true
					if !reflect.DeepEqual(n, m) {
						t.Errorf("in a list the mission is %v, on its own %v", n, m)
					}
				}
			}
			if !found {
				t.Error("the list doesn't have the mission")
			}
			few := gql.query(`{ missions { edges { node { spentCents reservedCents learning { credibleLevel } } } } }`)
			if got := fmt.Sprint(few); !strings.Contains(got, "reservedCents:2 spentCents:3") || !strings.Contains(got, "credibleLevel:0.95") {
				t.Errorf("with few fields the missions are %s", got)
			}
		})
	}
}

// learn stores what a mission has learned from its measured posts.
func (s *harness) learn(missionID string) {
	s.t.Helper()
	ctx, now := context.Background(), s.clock.Now()
	m := s.mission(missionID)
	s.must(s.DB.Tx(ctx, func(tx store.Tx) error {
		var posts []mission.Content
		for i := range 8 {
			at := now.Add(-time.Duration(i) * time.Hour)
			c := mission.Content{Platform: mission.Twitter, Angle: mission.AngleTip, Format: mission.FormatPost, PublishedAt: &at, Metrics: mission.Metrics{mission.Likes: 10}}
			if i%2 == 0 {
				c.Angle, c.Metrics = mission.AngleStory, mission.Metrics{mission.Likes: 30}
			}
			posts = append(posts, c)
		}
		return tx.SetLearned(ctx, m.ID, learning.Fit(posts, time.UTC), now)
	}))
}

// spend reserves money for a call of a mission, and settles it if it has ended.
func (s *harness) spend(missionID, subject string, price mission.Micros, ended bool) {
	s.t.Helper()
	ctx, now := context.Background(), s.clock.Now()
	m := s.mission(missionID)
	s.must(s.DB.Tx(ctx, func(tx store.Tx) error {
		err := tx.Reserve(ctx, mission.Spending{
			ID: s.DB.NewID(mission.PrefixSpending, now), TenantID: m.TenantID, MissionID: m.ID, JobID: *m.PipelineJobID, Kind: mission.SpendWriting, Subject: subject, Reserved: price,
		}, now)
		if err != nil || !ended {
			return err
		}
		return tx.Settle(ctx, m.ID, mission.SpendWriting, subject, price, now)
	}))
}

// wantCourse checks the courses of the harvest's mission, which starts at 8:00
// of the first day for 10 days; it is 12:00 on the third.
func (s *harness) wantCourse(m object) {
	s.t.Helper()
	likes := m["likes"].([]any)
	if len(likes) != 11 || m["none"] != nil {
		s.t.Fatalf("the course of likes is %v, of no KPI %v", likes, m["none"])
	}
	for i, want := range []any{35.0, 45.0, 45.0, nil, nil, nil, nil, nil, nil, nil, nil} {
		day := likes[i].(object)
		date, needed := scenarioStart.AddDate(0, 0, i).Format(time.DateOnly), min(100, 100*(16+24*float64(i))/240)
		if day["date"] != date || day["value"] != want || day["target"] != 100.0 || math.Abs(day["needed"].(float64)-needed) > 1e-9 {
			s.t.Errorf("day %d is %v, want %v of %g on %s", i, day, want, needed, date)
		}
	}
	if current := at(m, "kpiProgress").([]any)[0].(object)["current"]; current != likes[2].(object)["value"] {
		s.t.Errorf("the KPI is at %v, its course at %v", current, likes[2])
	}
	for _, day := range m["linkedin"].([]any) {
		if day.(object)["value"] != nil {
			s.t.Errorf("impressions that nobody reports are %v", day)
		}
	}
}

func (s *harness) wantBeliefs(learning object) {
	s.t.Helper()
	metrics := learning["metrics"].([]any)
	if learning["credibleLevel"] != 0.95 || learning["learnedAt"] != "2026-11-23T12:00:00.000Z" || len(metrics) != 1 {
		s.t.Fatalf("the learning is %v", learning)
	}
	likes, factors, preferred := metrics[0].(object), map[any]int{}, ""
	if likes["metric"] != "LIKES" || likes["observations"] != 8.0 {
		s.t.Errorf("what was learned of likes is %v", likes)
	}
	for _, each := range likes["beliefs"].([]any) {
		b := each.(object)
		factors[b["factor"]]++
		if b["factor"] == "PLATFORM" && (b["platform"] != "TWITTER" || b["unit"] != "METRIC" || b["integrationId"] != nil || b["observations"] != 8.0) {
			s.t.Errorf("a platform's belief is %v", b)
		}
		if b["factor"] == "FORMAT" && (b["format"] != "POST" || b["mean"] != nil || b["low"] != nil || b["high"] != nil) {
			s.t.Errorf("the only format's belief is %v", b)
		}
		if b["factor"] == "ANGLE" && b["preferred"] == true {
			preferred = fmt.Sprintf("%v %v %v %v", b["angle"], b["unit"], b["observations"], b["mean"].(float64) > b["low"].(float64) && b["low"].(float64) > 0)
		}
	}
	if want := map[any]int{"PLATFORM": 1, "ANGLE": 2, "FORMAT": 1, "HOUR": 8}; !reflect.DeepEqual(factors, want) {
		s.t.Errorf("the choices are %v, want %v", factors, want)
	}
	if preferred != "STORY PERCENT 4 true" {
		s.t.Errorf("the preferred angle is %s", preferred)
	}
}

// Without the scope for figures the course and the learning are null, with an
// error each; what was spent is the mission's own.
func TestCourseScopes(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	h := s.harvest(restAPI{s})
	s.learn(h.ours)
	s.key = s.narrow(mission.ScopeMissionsRead)
	_, response := s.send("POST", "/graphql", object{"query": fmt.Sprintf(`{ mission(id: %q) { spentCents kpiHistory(metric: LIKES) { value } learning { credibleLevel } } }`, h.ours)})
	errs, _ := response["errors"].([]any)
	if got, want := fmt.Sprint(response["data"]), "map[mission:map[kpiHistory:<nil> learning:<nil> spentCents:0]]"; got != want || len(errs) != 2 {
		t.Errorf("got %s with %v, want %s", got, errs, want)
	}
}
