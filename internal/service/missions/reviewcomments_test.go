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

// A comment keeps the revision that it was made on, is listed newest first, and goes with its
// mission. Other tenants don't find its post.
func TestReviewComments(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(func(in *mission.CreateInput) { world.OneDay(in); world.NeedsApproval(in) })
		w.Step()
		post := w.Posts(m.ID)[0]
		comment := func(in mission.ReviewCommentInput) mission.ReviewComment {
			t.Helper()
			c, err := w.Missions.CommentContent(ctx, w.Tenant, post.ID, in)
			w.Must(err)
			return c
		}
		first := comment(mission.ReviewCommentInput{Text: "  Too loud\r\n", Start: new(0), End: new(3), Revision: new(1)})
		_, err := w.Missions.EditContent(ctx, w.Tenant, post.ID, editOf("Another text"))
		w.Must(err)
		_, err = w.Missions.CommentContent(ctx, w.Tenant, post.ID, mission.ReviewCommentInput{Text: "x", Revision: new(1)})
		world.WantCode(t, err, mission.CodeConflict)
		second := comment(mission.ReviewCommentInput{Text: "Better"})
		if first.Revision != 1 || first.Text != "Too loud" || *first.End != 3 || second.Revision != 2 || first.AuthorID != w.Tenant.KeyID || first.AuthorName == "" {
			t.Errorf("got %+v and %+v", first, second)
		}
		if n := len(slices.DeleteFunc(w.Events(m.ID), func(e mission.EventType) bool { return e != mission.EventContentCommented })); n != 2 {
			t.Errorf("got %d events of comments, want 2", n)
		}
		page, err := w.Missions.ReviewComments(ctx, w.Tenant, post.ID, store.Page{Limit: 1})
		w.Must(err)
		rest, err := w.Missions.ReviewComments(ctx, w.Tenant, post.ID, store.Page{Limit: 1, After: second.ID})
		w.Must(err)
		if page.Total != 2 || !page.More || rest.More || page.List[0].ID != second.ID || rest.List[0].ID != first.ID || *rest.List[0].Start != 0 {
			t.Errorf("got the pages %+v and %+v", page, rest)
		}
		other := w.NewTenant("Other")
		_, err = w.Missions.CommentContent(ctx, other, post.ID, mission.ReviewCommentInput{Text: "x"})
		world.WantCode(t, err, mission.CodeNotFound)
		_, err = w.Missions.ReviewComments(ctx, other, post.ID, store.Page{Limit: 1})
		world.WantCode(t, err, mission.CodeNotFound)
		found, err := w.Missions.ReviewCommentsByID(ctx, other, []string{first.ID})
		if w.Must(err); len(found) != 0 {
			t.Errorf("another tenant reads %v", found)
		}
		_, err = w.Missions.PauseMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		w.Must(w.Missions.DeleteMission(ctx, w.Tenant, m.ID))
		found, err = w.Missions.ReviewCommentsByID(ctx, w.Tenant, []string{first.ID})
		if w.Must(err); len(found) != 0 {
			t.Errorf("after its mission is deleted, %v is left", found)
		}
	})
}

// A post has 500 comments at most, however many are sent at once.
func TestReviewCommentsAreBounded(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(func(in *mission.CreateInput) { world.OneDay(in); world.NeedsApproval(in) })
		w.Step()
		post := w.Posts(m.ID)[0]
		w.Must(w.DB.Tx(ctx, func(tx store.Tx) error {
			for i := range mission.MaxReviewComments - 1 {
				c, e, err := post.NewReviewComment(tx.NewID(mission.PrefixComment, w.Clock.Now()), mission.ReviewCommentInput{Text: "x"}, w.Tenant.UserID, i, w.Clock.Now())
				if err != nil {
					return err
				}
				if err := tx.AddReviewComment(ctx, c, e); err != nil {
					return err
				}
			}
			return nil
		}))
		errs := make(chan error)
		for range 2 {
			go func() {
				_, err := w.Missions.CommentContent(ctx, w.Tenant, post.ID, mission.ReviewCommentInput{Text: "x"})
				errs <- err
			}()
		}
		codes := []mission.Code{mission.CodeOf(<-errs), mission.CodeOf(<-errs)}
		if slices.Sort(codes); codes[0] != "" || codes[1] != mission.CodeConflict {
			t.Errorf("of two comments in the last place got %q", codes)
		}
	})
}

// editOf returns an edit to a text.
func editOf(text string) missions.EditInput { return missions.EditInput{Text: &text} }
