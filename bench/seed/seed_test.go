package seed

import (
	"testing"
	"time"

	"missiond/internal/id"
	"missiond/mission"
)

// What is played adds up, lies in the past as far as it should, and leaves
// nothing to a worker that comes soon.
func TestPlayed(t *testing.T) {
	now := mission.Millis(time.Now())
	s := &seeder{Options: Options{Now: now, Tenants: []string{"tnt_1"}, Posts: 10, Seed: 1}, ids: id.NewSource(nil)}
	const n = 2000
	rows, err := s.tenant("tnt_1", n)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows["missions"]) != n || len(rows["contents"]) != 10*n || len(rows["jobs"]) != n || len(rows["stages"]) != 6*n {
		t.Errorf("%d missions, %d posts, %d jobs, %d stages", len(rows["missions"]), len(rows["contents"]), len(rows["jobs"]), len(rows["stages"]))
	}
	statuses, posts := map[any]int{}, map[any]int{}
	oldest := now
	for _, m := range rows["missions"] {
		statuses[m[4]]++
		if created, ok := m[len(m)-2].(time.Time); ok && created.Before(oldest) {
			oldest = created
		}
	}
	for _, c := range rows["contents"] {
		posts[c[7]]++
	}
	for _, s := range []mission.Status{mission.StatusActive, mission.StatusPaused, mission.StatusCompleted} {
		if statuses[string(s)] < n/50 {
			t.Errorf("%d missions are %s", statuses[string(s)], s)
		}
	}
	for _, s := range []mission.ContentStatus{mission.ContentPublished, mission.ContentScheduled, mission.ContentRejected} {
		if posts[string(s)] == 0 {
			t.Errorf("no post is %s", s)
		}
	}
	if age := now.Sub(oldest); age > span || age < span-24*time.Hour {
		t.Errorf("the oldest mission is from %s ago", age)
	}
	for _, task := range rows["tasks"] {
		if at, ok := task[7].(time.Time); !ok || at.Before(now.Add(ahead)) {
			t.Fatalf("a task is due at %v", task[7])
		}
	}
	if len(rows["events"]) == 0 {
		t.Error("there are no events")
	}
}

func TestShares(t *testing.T) {
	for _, c := range [][2]int{{10, 3}, {100, 50}, {7, 7}} {
		sum := 0
		for i := range c[1] {
			sum += share(c[0], c[1], i)
		}
		if sum != c[0] {
			t.Errorf("%d in %d parts make %d", c[0], c[1], sum)
		}
	}
}
