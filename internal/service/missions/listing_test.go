package missions_test

import (
	"context"
	"slices"
	"testing"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// A search finds posts by the text that they have now, however they came to it, and only
// the caller's.
func TestSearchesFollowTexts(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		found := func(p mission.Principal, search string) (ids []string) {
			t.Helper()
			q := mission.ContentQuery{Search: search}
			part, err := w.Missions.ListContents(ctx, p, q, store.Page{Limit: 100})
			w.Must(err)
			for _, c := range part.List {
				ids = append(ids, c.ID)
			}
			if n, err := w.Missions.CountListed(ctx, p, q); err != nil || n != len(ids) {
				t.Errorf("%q counts %d, %v, want %d", search, n, err, len(ids))
			}
			return ids
		}
		want := func(p mission.Principal, search string, ids ...string) {
			t.Helper()
			if got := found(p, search); !slices.Equal(got, ids) {
				t.Errorf("%q finds %v, want %v", search, got, ids)
			}
		}
		m := w.Create(world.NeedsApproval)
		w.Step()
		c := w.Posts(m.ID)[0]
		if !slices.Contains(found(w.Tenant, c.Text[:min(20, len(c.Text))]), c.ID) {
			t.Errorf("a written post isn't found by %q", c.Text[:20])
		}
		edited, err := w.Missions.EditContent(ctx, w.Tenant, c.ID, withText("Wir grüßen aus Köln."))
		w.Must(err)
		want(w.Tenant, "KÖLN grüß", c.ID)
		_, err = w.Missions.RejectContent(ctx, w.Tenant, c.ID, "no", nil)
		w.Must(err)
		anew, err := w.Missions.RegenerateContent(ctx, w.Tenant, c.ID, "", nil)
		w.Must(err)
		if anew.Text == edited.Text {
			t.Fatal("the post has the same text again")
		}
		want(w.Tenant, "köln")
		if !slices.Contains(found(w.Tenant, anew.Text[:min(20, len(anew.Text))]), c.ID) {
			t.Errorf("a regenerated post isn't found by %q", anew.Text)
		}

		done, err := w.Missions.ImportContents(ctx, w.Tenant, missions.ImportInput{MissionID: m.ID, Format: missions.ImportCSV, Data: "platform,text\ntwitter,今日は東京タワーへ行きました\n"})
		w.Must(err)
		imported := found(w.Tenant, "東京")
		if len(imported) != 1 || slices.Contains(imported, c.ID) {
			t.Errorf("imported, %v is found (%+v)", imported, done)
		}
		want(w.NewTenant("another"), "東京")
		link := w.Tenant
		link.MissionID = m.ID
		want(link, "東京", imported...)
		link.MissionID = w.Create(nil).ID
		want(link, "東京")

		_, err = w.Missions.CompleteMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		w.Must(w.Missions.DeleteMission(ctx, w.Tenant, m.ID))
		want(w.Tenant, "東京")
	})
}
