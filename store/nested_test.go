package store_test

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"missiond/mission"
	"missiond/store"
)

// A page below each of several records equals the page of that record's own
// list.
func TestPartsAreTheListsPages(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		w := f.endpoint(mission.AllEventTypes()...)
		var ids []string
		var some []mission.Content
		for range 3 {
			m := f.mission(nil)
			ids = append(ids, m.ID)
			some = f.posts(f.job(m))
		}
		empty := f.mission(nil)
		ids = append(ids, empty.ID)
		tenant := f.tenant.ID
		for name, p := range map[string]store.Page{
			"first": {Limit: 3}, "last": {Limit: 3, Backward: true}, "all": {Limit: 100}, "oldest": {Limit: 3, Oldest: true},
			"after": {Limit: 2, After: some[2].ID}, "before": {Limit: 2, Before: some[1].ID, Backward: true},
			"after, oldest": {Limit: 2, After: some[1].ID, Oldest: true},
		} {
			for _, filter := range []store.ContentFilter{{}, {Status: mission.ContentApproved}, {Platform: mission.Mastodon}, {Status: mission.ContentFailed}} {
				parts, err := f.db.ContentsOf(ctx, tenant, ids, filter, p)
				f.must(err)
				counts, err := f.db.CountContentsOf(ctx, tenant, ids, filter)
				f.must(err)
				for _, id := range ids {
					filter.MissionID = id
					part, err := f.db.Contents(ctx, tenant, filter, p)
					f.must(err)
					n, err := f.db.CountContents(ctx, tenant, filter)
					f.must(err)
					if !reflect.DeepEqual(parts[id].List, part.List) || parts[id].More != part.More || counts[id] != n {
						t.Errorf("%s %v: %d posts, more %v, %d in all; want %d, %v, %d", name, filter, len(parts[id].List), parts[id].More, counts[id], len(part.List), part.More, n)
					}
				}
			}
		}
		for _, types := range [][]mission.EventType{nil, {mission.EventMissionCreated, mission.EventContentCreated}} {
			parts, err := f.db.EventsOf(ctx, tenant, ids, store.EventFilter{Types: types}, start, store.Page{Limit: 2})
			f.must(err)
			counts, err := f.db.CountEventsOf(ctx, tenant, ids, types)
			f.must(err)
			for _, id := range ids {
				filter := store.EventFilter{MissionID: id, Types: types}
				part, err := f.db.Events(ctx, tenant, filter, start, store.Page{Limit: 2})
				f.must(err)
				n, err := f.db.CountEvents(ctx, tenant, filter)
				f.must(err)
				if !reflect.DeepEqual(parts[id].List, part.List) || parts[id].More != part.More || counts[id] != n || n == 0 {
					t.Errorf("events %v of %s: %v, %d in all; want %v, %d", types, id, parts[id], counts[id], part.List, n)
				}
			}
		}
		other := f.endpoint(mission.EventMissionPaused)
		parts, err := f.db.DeliveriesOf(ctx, tenant, []string{w.ID, other.ID}, mission.DeliveryFilter{Status: mission.DeliveryPending}, start, store.Page{Limit: 5})
		f.must(err)
		part, err := f.db.Deliveries(ctx, tenant, w.ID, mission.DeliveryPending, start, store.Page{Limit: 5})
		f.must(err)
		counts, err := f.db.CountDeliveriesOf(ctx, tenant, []string{w.ID, other.ID}, mission.DeliveryFilter{}, start)
		f.must(err)
		n, err := f.db.CountDeliveries(ctx, tenant, w.ID, "")
		f.must(err)
		if !reflect.DeepEqual(parts[w.ID].List, part.List) || !part.More || !parts[w.ID].More || counts[w.ID] != n || n < 6 || counts[other.ID] != 0 || len(parts[other.ID].List) != 0 {
			t.Errorf("deliveries: %v, %v", parts, counts)
		}
		foreign, _ := f.makeTenant("theirs")
		stolen, err := f.db.ContentsOf(ctx, foreign.ID, ids, store.ContentFilter{}, store.Page{Limit: 5})
		f.must(err)
		if len(stolen[ids[0]].List) > 0 {
			t.Error("another tenant reads the posts")
		}
		_, err = f.db.ContentsOf(ctx, foreign.ID, ids, store.ContentFilter{}, store.Page{Limit: 5, After: some[0].ID})
		f.wantCode(err, mission.CodeInvalidRequest)
	})
}

// A mission's jobs come newest first, each with its stages.
func TestJobsOf(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		var made []string
		for i := range 3 {
			m.NextCycle = i
			w, _ := m.NextWindow(i, start)
			j := mission.NewJob(f.db.NewID(mission.PrefixJob, start.Add(time.Duration(i))), m, w, f.tenant.Brand, start.Add(time.Duration(i)*time.Hour))
			f.must(f.tx(func(tx store.Tx) error { return tx.CreateJob(ctx, j) }))
			made = append(made, j.ID)
		}
		parts, err := f.db.JobsOf(ctx, f.tenant.ID, []string{m.ID}, store.Page{Limit: 2})
		f.must(err)
		got := parts[m.ID]
		if len(got.List) != 2 || got.List[0].ID != made[2] || got.List[1].ID != made[1] || !got.More || len(got.List[0].Stages) != 6 {
			t.Errorf("the latest two of %v are %v", made, got)
		}
	})
}

// Missions are found by prefixes of the words of their names, in any case, with
// every filter and in both orders.
func TestMissionSearch(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		named := map[string]string{}
		for _, name := range []string{"Autumn launch", "autumn Sale 2026", "Lauterbach", "Öl & Gas", "日本語 launch"} {
			m := f.mission(func(in *mission.CreateInput) { in.Name = name })
			named[m.ID] = name
		}
		foreign, _ := f.makeTenant("theirs")
		for text, want := range map[string][]string{
			"autumn": {"Autumn launch", "autumn Sale 2026"}, "LAU": {"Autumn launch", "Lauterbach", "日本語 launch"}, "au la": {"Autumn launch"},
			"ÖL": {"Öl & Gas"}, "日": {"日本語 launch"}, "2026 sale": {"autumn Sale 2026"}, "unch": nil, "": {"Autumn launch", "Lauterbach", "autumn Sale 2026", "Öl & Gas", "日本語 launch"},
		} {
			words, err := mission.SearchWords(text)
			f.must(err)
			for _, filter := range []store.MissionFilter{{Words: words}, {Words: words, Status: mission.StatusActive}, {Words: words, Platform: mission.Twitter, Status: mission.StatusActive}} {
				part, err := f.db.Missions(ctx, f.tenant.ID, filter, store.Page{Limit: 10, Oldest: true, Total: true})
				f.must(err)
				n, err := f.db.CountMissions(ctx, f.tenant.ID, filter)
				f.must(err)
				var got []string
				for _, m := range part.List {
					got = append(got, named[m.ID])
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) || n != len(want) || part.Total != n {
					t.Errorf("%q finds %q, %d in all, %d with the page; want %q", text, got, n, part.Total, want)
				}
				none, err := f.db.Missions(ctx, foreign.ID, filter, store.Page{Limit: 10})
				f.must(err)
				if len(none.List) > 0 {
					t.Errorf("another tenant finds %v", none)
				}
			}
		}
		var m mission.Mission
		for id, name := range named {
			if name == "Lauterbach" {
				m, _ = f.db.Mission(ctx, f.tenant.ID, id)
			}
		}
		from := m.Status
		m.Name = "Bach"
		f.must(f.tx(func(tx store.Tx) error { return tx.UpdateMission(ctx, mission.MissionChange{From: from, To: m}) }))
		for word, want := range map[string]int{"lauterbach": 0, "bach": 1} {
			if n, err := f.db.CountMissions(ctx, f.tenant.ID, store.MissionFilter{Words: []string{word}}); n != want || err != nil {
				t.Errorf("renamed, %q finds %d, %v", word, n, err)
			}
		}
	})
}

// Events of concurrent transactions have seqs without gaps, and a reader of the log
// up to its head misses none that is committed later.
func TestSeqsAreCommittedInOrder(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		const writers, rounds = 6, 15
		other, _ := f.makeTenant("theirs")
		var all sync.WaitGroup
		errs := make(chan error, writers)
		for i := range writers {
			all.Go(func() {
				for n := range rounds {
					m, events, err := mission.New(f.db.NewID(mission.PrefixMission, start), f.tenant.ID, mission.CreateInput{
						Name: fmt.Sprint(i, n), Objectives: []string{"x"}, Platforms: []mission.Platform{mission.Twitter}, DurationDays: &[]int{1}[0], StartImmediately: &[]bool{n%2 == 0}[0],
					}, start)
					if err == nil {
						err = f.tx(func(tx store.Tx) error { return tx.CreateMission(ctx, m, events) })
					}
					if err != nil {
						errs <- err
						return
					}
				}
			})
		}
		done := make(chan struct{})
		go func() { all.Wait(); close(done) }()
		var seen int64
		for running := true; running; {
			select {
			case <-done:
				running = false
			default:
			}
			heads, err := f.db.Heads(ctx, []string{f.tenant.ID, other.ID})
			f.must(err)
			events, err := f.db.EventsBetween(ctx, f.tenant.ID, seen, heads[f.tenant.ID].Events, store.EventFilter{})
			f.must(err)
			for _, e := range events {
				if e.Seq != seen+1 {
					t.Fatalf("after seq %d comes %d", seen, e.Seq)
				}
				seen = e.Seq
			}
			if seen != heads[f.tenant.ID].Events || heads[other.ID].Events != 0 {
				t.Fatalf("the log is read up to %d, its head is %d", seen, heads[f.tenant.ID].Events)
			}
		}
		select {
		case err := <-errs:
			t.Fatal(err)
		default:
		}
		if want := int64(writers * (rounds + (rounds+1)/2)); seen != want {
			t.Errorf("the log has %d events, want %d", seen, want)
		}
	})
}
