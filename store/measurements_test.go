package store_test

import (
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"missiond/internal/database"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/mission/learning"
	"missiond/store"
)

// publish publishes a mission's post at a time.
func (f *fixture) publish(c mission.Content, at time.Time) mission.Content {
	f.t.Helper()
	took := func(c mission.Content) (mission.ContentChange, error) {
		return c.RecordPart(mission.Publication{PostID: "p_" + c.ID, URL: "https://x", PublishedAt: at}, at)
	}
	steps := []func(c mission.Content) (mission.ContentChange, error){
		func(c mission.Content) (mission.ContentChange, error) { return c.Schedule(*c.ScheduledAt, at) },
		func(c mission.Content) (mission.ContentChange, error) { return c.Publishing(nil, at) },
	}
	for range c.Texts() {
		steps = append(steps, took)
	}
	for _, step := range steps {
		if c.Status == mission.ContentPendingReview {
			c.Status = mission.ContentApproved
		}
		ch, err := step(c)
		f.must(err)
		f.must(f.tx(func(tx store.Tx) error { return tx.ChangeContent(ctx, ch) }))
		c = ch.To
	}
	return c
}

// measure stores figures of posts as measured at a time.
func (f *fixture) measure(m mission.Mission, measured map[string]mission.Metrics, at time.Time) mission.Mission {
	f.t.Helper()
	f.must(f.tx(func(tx store.Tx) error {
		m, err := tx.LockMission(ctx, m.TenantID, m.ID)
		f.must(err)
		posts, err := tx.LockMetrics(ctx, m.ID, slices.Sorted(maps.Keys(measured)))
		f.must(err)
		points := mission.Measurements(posts, measured, at)
		f.must(tx.AddMeasurements(ctx, points))
		measured, err := tx.MeasuredAccounts(ctx, m)
		f.must(err)
		peers, err := tx.Peers(ctx, m.ID, mission.PeersNeeded(points, measured), at)
		f.must(err)
		return tx.StoreAssessment(ctx, m, m.Assess(posts, points, peers, at), again(posts, at))
	}))
	m, err := f.db.Mission(ctx, m.TenantID, m.ID)
	f.must(err)
	return m
}

// again returns when posts that were measured at a time are measured next.
func again(posts []mission.Content, at time.Time) map[string]*time.Time {
	next := map[string]*time.Time{}
	for _, c := range posts {
		next[c.ID] = c.MeasureAgain(true, 0, at)
	}
	return next
}

// Figures and the next time of measuring are written to a post in one statement,
// and those that couldn't be measured get their time with one more.
func TestMeasuringUpdatesAPostOnce(t *testing.T) {
	t.Parallel()
	faults := &database.Faults{}
	f := newFixture(t, testkit.Postgres(t, store.Options{Timing: timing, Database: database.Options{Faults: faults}}))
	m := f.mission(nil)
	posts := f.posts(f.job(m))
	for i := range posts {
		posts[i] = f.publish(posts[i], start)
	}
	at := start.Add(time.Hour)
	later := at.Add(time.Minute)
	keep := func(measured, due []mission.Content) (statements int64) {
		f.must(f.tx(func(tx store.Tx) error {
			next := map[string]*time.Time{}
			for _, c := range due {
				next[c.ID] = &later
			}
			var points []mission.Measurement
			for _, c := range measured {
				points = append(points, mission.Measurement{ContentID: c.ID, At: at, Metrics: mission.Metrics{mission.Likes: 3}})
			}
			before := faults.Statements()
			err := tx.StoreAssessment(ctx, m, mission.Assessment{Points: points}, next)
			statements = faults.Statements() - before
			return err
		}))
		return statements
	}
	n := keep(posts[:2], posts[:2])
	for i, c := range posts[:2] {
		c, err := f.db.Content(ctx, m.TenantID, c.ID)
		f.must(err)
		if c.Metrics[mission.Likes] != 3 || !c.MeasuredAt.Equal(at) || !c.MeasureAt.Equal(later) {
			t.Errorf("post %d has %v of %v and is due %v", i, c.Metrics, c.MeasuredAt, c.MeasureAt)
		}
	}
	if more := keep(posts[:2], posts); more != n+1 {
		t.Errorf("with posts that couldn't be measured it takes %d statements, without %d", more, n)
	}
	c, err := f.db.Content(ctx, m.TenantID, posts[2].ID)
	f.must(err)
	if c.Metrics != nil || c.MeasuredAt != nil || !c.MeasureAt.Equal(later) {
		t.Errorf("a post that couldn't be measured has %v of %v and is due %v", c.Metrics, c.MeasuredAt, c.MeasureAt)
	}
}

// Measurements are stored as a series, on the post, in the mission's totals and
// in the daily figures of the mission and of its tenant. Deleting a mission
// removes its figures from the tenant's.
func TestMeasurementsAreKept(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m, other := f.mission(nil), f.mission(nil)
		posts, theirs := f.posts(f.job(m)), f.posts(f.job(other))
		for i := range 3 {
			posts[i] = f.publish(posts[i], start.Add(time.Duration(i)*20*time.Hour))
		}
		theirs[0] = f.publish(theirs[0], start)
		a, b, c := posts[0], posts[1], posts[2]
		f.measure(m, map[string]mission.Metrics{a.ID: {mission.Impressions: 100, mission.Likes: 4}}, start.Add(time.Hour))
		// Again at the same step, and then at a later one.
		f.measure(m, map[string]mission.Metrics{a.ID: {mission.Impressions: 100, mission.Likes: 5}}, start.Add(2*time.Hour))
		m = f.measure(m, map[string]mission.Metrics{
			a.ID: {mission.Impressions: 200, mission.Likes: 10}, b.ID: {mission.Likes: 7.5}, c.ID: {mission.Likes: 1},
		}, start.Add(60*time.Hour))
		f.measure(other, map[string]mission.Metrics{theirs[0].ID: {mission.Impressions: 300, mission.Likes: 2}}, start.Add(time.Hour))

		first := mission.PeerKey{Platform: a.Platform, Step: mission.MeasureStep(time.Hour)}
		f.must(f.tx(func(tx store.Tx) error {
			peers, err := tx.Peers(ctx, m.ID, []mission.PeerKey{first, {Platform: mission.Bluesky, Step: 1}}, start.Add(60*time.Hour))
			want := mission.Measurement{
				ContentID: a.ID, MissionID: m.ID, Platform: a.Platform, Step: first.Step, PublishedAt: start, At: start.Add(2 * time.Hour),
				Metrics: mission.Metrics{mission.Impressions: 100, mission.Likes: 5, mission.EngagementRate: 5},
			}
			if len(peers) != 1 || len(peers[first]) != 1 || !reflect.DeepEqual(peers[first][0], want) {
				t.Errorf("the step holds %+v, want %+v", peers, want)
			}
			return err
		}))
		kept, err := f.db.Content(ctx, m.TenantID, a.ID)
		f.must(err)
		if kept.Metrics[mission.Likes] != 10 || !kept.MeasuredAt.Equal(start.Add(60*time.Hour)) {
			t.Errorf("the post has %v, measured at %v", kept.Metrics, kept.MeasuredAt)
		}
		if all := m.Totals.Of(mission.EveryPlatform); all[mission.Likes] != 18.5 || all[mission.Impressions] != 200 {
			t.Errorf("the totals are %v", m.Totals)
		}
		days := f.days(m.TenantID, m.ID)
		if len(days) != 3 || days[0].Posts != 1 || days[0].Date != "2026-11-21" || days[0].Metrics[mission.EngagementRate] != 5 {
			t.Errorf("the mission's days are %+v", days)
		}
		if _, ok := days[1].Metrics[mission.Impressions]; ok {
			t.Errorf("a figure that isn't reported is %v", days[1].Metrics)
		}
		all := f.days(m.TenantID, "")
		if len(all) != 3 || all[0].Posts != 2 || all[0].Metrics[mission.Impressions] != 500 || all[0].Metrics[mission.EngagementRate] != 100*12.0/500 {
			t.Errorf("the tenant's days are %+v", all)
		}
		f.must(f.tx(func(tx store.Tx) error { return tx.DeleteMission(ctx, m) }))
		if left, want := f.days(m.TenantID, ""), f.days(m.TenantID, other.ID); !reflect.DeepEqual(left, want) || len(f.days(m.TenantID, m.ID)) != 0 {
			t.Errorf("the deleted mission leaves %+v, want %+v", left, want)
		}
	})
}

func (f *fixture) days(tenantID, missionID string) []mission.Figures {
	f.t.Helper()
	days, err := f.db.DaysOf(ctx, tenantID, []string{missionID}, mission.FiguresFilter{})
	f.must(err)
	return days[missionID]
}

// Posts are returned when they are due, only those of their mission, and no
// more after their last measurement.
func TestPostsToMeasure(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		posts := f.posts(f.job(m))
		for i := range 3 {
			posts[i] = f.publish(posts[i], start.Add(time.Duration(2-i)*time.Hour))
		}
		due := func(by time.Duration) []string {
			list, err := f.db.PostsToMeasure(ctx, m.TenantID, m.ID, start.Add(by), 2)
			f.must(err)
			var ids []string
			for _, c := range list {
				ids = append(ids, c.ID)
			}
			return ids
		}
		equal(t, "after a quarter of an hour", due(mission.FirstMeasure), []string{posts[2].ID})
		equal(t, "after three hours, two at once", due(3*time.Hour), []string{posts[2].ID, posts[1].ID})
		later := start.Add(9 * time.Hour)
		f.must(f.tx(func(tx store.Tx) error {
			return tx.SetMeasureAt(ctx, map[string]*time.Time{posts[2].ID: &later, posts[1].ID: nil})
		}))
		equal(t, "then", due(9*time.Hour), []string{posts[0].ID, posts[2].ID})
		f.must(f.tx(func(tx store.Tx) error {
			at, ok, err := tx.NextMeasure(ctx, m.ID)
			if !ok || !at.Equal(start.Add(2*time.Hour+mission.FirstMeasure)) {
				t.Errorf("the next post is due at %s, %v", at, ok)
			}
			f.must(tx.SetMeasureAt(ctx, map[string]*time.Time{posts[2].ID: nil, posts[0].ID: nil}))
			if _, ok, _ := tx.NextMeasure(ctx, m.ID); ok {
				t.Error("a post is due, want none")
			}
			return err
		}))
		other, _ := f.makeTenant("theirs")
		if list, err := f.db.PostsToMeasure(ctx, other.ID, m.ID, later, 9); len(list) != 0 || err != nil {
			t.Errorf("another tenant measures %d, %v", len(list), err)
		}
	})
}

// A mission has one task that measures, at the earliest requested time.
func TestMeasureBy(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		for _, after := range []time.Duration{3 * time.Hour, 2 * time.Hour, 5 * time.Hour} {
			f.must(f.tx(func(tx store.Tx) error { return tx.MeasureBy(ctx, m, start.Add(after), start) }))
		}
		dispatched, err := f.db.Dispatch(ctx, start.Add(24*time.Hour), 10)
		f.must(err)
		n := 0
		for _, d := range dispatched {
			if d.Task.Type == mission.TaskMissionMeasure {
				n++
				if at, _, err := f.db.RunAt(ctx, d.Task.ID); err != nil || !at.Equal(start.Add(2*time.Hour)) {
					t.Errorf("the task runs at %s, %v", at, err)
				}
			}
		}
		if n != 1 {
			t.Errorf("%d tasks measure", n)
		}
	})
}

// What a mission learned is stored. It learns from posts of one age.
func TestLearningIsKept(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		if l, err := f.learned(m.ID); err != nil || !reflect.DeepEqual(l, *new(learning.Model)) {
			t.Errorf("before learning the mission knows %v, %v", l, err)
		}
		posts := f.posts(f.job(m))
		for i := range 3 {
			posts[i] = f.publish(posts[i], start.Add(time.Duration(i)*time.Hour))
		}
		for i, age := range []time.Duration{time.Hour, mission.RipeAge, 48 * time.Hour} {
			f.measure(m, map[string]mission.Metrics{posts[0].ID: {mission.Likes: float64(i)}, posts[2].ID: {mission.Likes: float64(10 + i)}}, start.Add(2*time.Hour+age))
		}
		ripe := f.ripe(m, 100, start.Add(50*time.Hour))
		if len(ripe) != 2 {
			t.Fatalf("the posts to learn from are %+v", ripe)
		}
		for _, c := range ripe {
			want := map[string]float64{posts[0].ID: 1, posts[2].ID: 11}
			if likes, ok := want[c.ID]; !ok || c.Metrics[mission.Likes] != likes || c.Angle == "" || c.Format == "" || c.PublishedAt == nil {
				t.Errorf("one of the posts to learn from is %+v", c)
			}
		}
		learned := learning.Fit(ripe, time.UTC)
		for range 2 {
			f.must(f.tx(func(tx store.Tx) error { return tx.SetLearned(ctx, m.ID, learned, start) }))
		}
		if got, err := f.learned(m.ID); err != nil || !reflect.DeepEqual(got, learned) {
			t.Errorf("the mission knows %v, %v, want %v", got, err, learned)
		}
		ids := []string{m.ID, f.mission(nil).ID}
		want := map[string]learning.Learned{m.ID: {Model: learned, At: start}}
		if got, err := f.db.LearnedBy(ctx, m.TenantID, ids); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("the tenant's missions know %v, %v, want %v", got, err, want)
		}
		if got, err := f.db.LearnedBy(ctx, "tnt_other", ids); err != nil || len(got) > 0 {
			t.Errorf("another tenant reads %v, %v", got, err)
		}
	})
}

// learned returns what a mission has learned.
func (f *fixture) learned(missionID string) (l learning.Model, err error) {
	err = f.tx(func(tx store.Tx) (err error) { l, err = tx.Learned(ctx, missionID); return err })
	return l, err
}

// ripe returns the posts that a mission learns from.
func (f *fixture) ripe(m mission.Mission, limit int, now time.Time) (posts []mission.Content) {
	f.t.Helper()
	f.must(f.tx(func(tx store.Tx) error {
		accounts, err := tx.MeasuredAccounts(ctx, m)
		f.must(err)
		posts, err = tx.RipePosts(ctx, m.ID, accounts, limit, now)
		return err
	}))
	return posts
}

// through returns a job whose posts go to accounts of one platform, in turn.
func (f *fixture) through(m mission.Mission, accounts ...string) mission.Job {
	f.t.Helper()
	j := f.job(m)
	for i := range j.Plan.Slots {
		j.Plan.Slots[i].Platform, j.Plan.Slots[i].IntegrationID = mission.Twitter, accounts[i%len(accounts)]
	}
	return j
}

// A mission's figures are those of an account each: neither does a day add two accounts
// up, nor are the posts of one compared with those of another, nor does the account with
// more posts leave the other none to learn from.
func TestFiguresGoByAccount(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m, other := f.mission(nil), f.mission(nil)
		posts := f.posts(f.through(m, "int_a", "int_a", "int_a", "int_b"))
		theirs := f.posts(f.through(other, "int_b"))
		measured := map[string]mission.Metrics{}
		for i := range posts {
			posts[i] = f.publish(posts[i], start.Add(time.Duration(i)*time.Minute))
			measured[posts[i].ID] = mission.Metrics{mission.Impressions: 100, mission.Likes: float64(10 * (i + 1))}
		}
		theirs[0] = f.publish(theirs[0], start)
		ripe := start.Add(mission.RipeAge + 10*time.Minute)
		f.measure(m, measured, ripe)
		f.measure(other, map[string]mission.Metrics{theirs[0].ID: {mission.Impressions: 100, mission.Likes: 1}}, ripe)

		ofDays := func(missionID string) map[string][2]float64 {
			days := map[string][2]float64{}
			for _, d := range f.days(m.TenantID, missionID) {
				days[d.IntegrationID] = [2]float64{float64(d.Posts), d.Metrics[mission.Likes]}
			}
			return days
		}
		if got, want := ofDays(m.ID), (map[string][2]float64{"int_a": {3, 60}, "int_b": {1, 40}}); !reflect.DeepEqual(got, want) {
			t.Errorf("the mission's days are %v, want %v", got, want)
		}
		if got, want := ofDays(""), (map[string][2]float64{"int_a": {3, 60}, "int_b": {2, 41}}); !reflect.DeepEqual(got, want) {
			t.Errorf("the tenant's days are %v, want %v", got, want)
		}
		var accounts []mission.Destination
		f.must(f.tx(func(tx store.Tx) error {
			var err error
			accounts, err = tx.MeasuredAccounts(ctx, m)
			f.must(err)
			keys := mission.PeersNeeded(nil, nil)
			for _, id := range []string{"int_a", "int_b", "int_c", ""} {
				keys = append(keys, mission.PeerKey{Platform: mission.Twitter, IntegrationID: id, Step: mission.RipeStep})
			}
			peers, err := tx.Peers(ctx, m.ID, keys, ripe)
			var got [][]string
			for _, k := range keys {
				var ids []string
				for _, p := range peers[k] {
					ids = append(ids, p.ContentID)
					if p.IntegrationID != k.IntegrationID {
						t.Errorf("a peer of %s is of %q", k.IntegrationID, p.IntegrationID)
					}
				}
				got = append(got, ids)
			}
			if want := [][]string{{posts[2].ID, posts[1].ID, posts[0].ID}, {posts[3].ID}, nil, nil}; !reflect.DeepEqual(got, want) {
				t.Errorf("the peers are %v, want %v", got, want)
			}
			return err
		}))
		if want := []mission.Destination{{Platform: mission.Twitter, IntegrationID: "int_a"}, {Platform: mission.Twitter, IntegrationID: "int_b"}}; !reflect.DeepEqual(accounts, want) {
			t.Errorf("the accounts are %+v", accounts)
		}
		learned := map[string]int{}
		for _, c := range f.ripe(m, 2, ripe) {
			learned[c.IntegrationID]++
		}
		if want := map[string]int{"int_a": 1, "int_b": 1}; !reflect.DeepEqual(learned, want) {
			t.Errorf("two posts to learn from are of %v, want %v", learned, want)
		}
		f.must(f.tx(func(tx store.Tx) error { return tx.DeleteMission(ctx, m) }))
		if got, want := ofDays(""), (map[string][2]float64{"int_b": {1, 1}}); !reflect.DeepEqual(got, want) {
			t.Errorf("the deleted mission leaves %v, want %v", got, want)
		}
	})
}

// A post that was planned for a platform's default account has the account that it is
// published through, with its handle.
func TestPublishingNamesTheAccount(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		c := f.posts(f.job(f.mission(nil)))[0]
		c.Status = mission.ContentApproved
		scheduled, err := c.Schedule(start, start)
		f.must(err)
		via := mission.Integration{ID: "int_a", Platform: c.Platform, Account: &mission.Account{ID: "1", Handle: "@a"}}
		publishing, err := scheduled.To.Publishing(&via, start)
		f.must(err)
		f.must(f.tx(func(tx store.Tx) error {
			f.must(tx.ChangeContent(ctx, scheduled))
			return tx.ChangeContent(ctx, publishing)
		}))
		if got, err := f.db.Content(ctx, c.TenantID, c.ID); err != nil || got.IntegrationID != "int_a" || got.AccountHandle != "@a" {
			t.Errorf("the post is through %q, %q, %v", got.IntegrationID, got.AccountHandle, err)
		}
	})
}

// A filter by account leaves out the figures and posts of others, of a mission and of its
// tenant alike.
func TestFiguresOfAnAccount(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m, other := f.mission(nil), f.mission(nil)
		posts, theirs := f.posts(f.through(m, "int_a", "int_b", "")), f.posts(f.through(other, "int_b"))
		for i := range 3 {
			posts[i] = f.publish(posts[i], start.Add(time.Duration(i)*time.Minute))
			f.measure(m, map[string]mission.Metrics{posts[i].ID: {mission.Likes: float64(i + 1)}}, start.Add(time.Hour))
		}
		theirs[0] = f.publish(theirs[0], start.Add(time.Hour))
		f.measure(other, map[string]mission.Metrics{theirs[0].ID: {mission.Likes: 10}}, start.Add(2*time.Hour))
		day := start.Format(time.DateOnly)
		of := func(id string) mission.FiguresFilter {
			return mission.FiguresFilter{Published: mission.DateRange{From: day, To: day}, IntegrationID: id, Platform: mission.Twitter}
		}
		for _, tt := range []struct {
			mission string
			of      mission.FiguresFilter
			likes   []float64
			posts   []string
		}{
			{m.ID, of("int_a"), []float64{1}, []string{posts[0].ID}},
			{m.ID, of("int_b"), []float64{2}, []string{posts[1].ID}},
			{m.ID, of("int_c"), nil, nil},
			{m.ID, mission.FiguresFilter{}, []float64{3, 1, 2}, []string{posts[2].ID, posts[1].ID, posts[0].ID}},
			{"", of("int_a"), []float64{1}, []string{posts[0].ID}},
			{"", of("int_b"), []float64{12}, []string{theirs[0].ID, posts[1].ID}},
			{"", mission.FiguresFilter{IntegrationID: "int_b", Platform: mission.Twitter}, []float64{12}, []string{theirs[0].ID, posts[1].ID}},
		} {
			days, err := f.db.DaysOf(ctx, m.TenantID, []string{tt.mission}, tt.of)
			f.must(err)
			var likes []float64
			for _, d := range days[tt.mission] {
				likes = append(likes, d.Metrics[mission.Likes])
			}
			equal(t, "the days", likes, tt.likes)
			var listed store.Listed[mission.Content]
			if tt.mission == "" {
				listed, err = f.db.MeasuredPosts(ctx, m.TenantID, tt.of, store.Page{Limit: 10})
			} else {
				var parts map[string]store.Listed[mission.Content]
				parts, err = f.db.MeasuredPostsOf(ctx, m.TenantID, []string{tt.mission}, tt.of, store.Page{Limit: 10})
				listed = parts[tt.mission]
			}
			f.must(err)
			var ids []string
			for _, c := range listed.List {
				ids = append(ids, c.ID)
			}
			equal(t, "the posts", ids, tt.posts)
		}
		figures, err := f.db.MissionFigures(ctx, m.TenantID, of("int_b"), mission.Likes, 10)
		f.must(err)
		if len(figures) != 2 || figures[0].MissionID != other.ID || figures[0].Metrics[mission.Likes] != 10 || figures[1].Metrics[mission.Likes] != 2 {
			t.Errorf("the account's missions are %+v", figures)
		}
	})
}
