package missions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// tokenOf returns the token in a link's address.
func tokenOf(made missions.MadeReviewLink) string {
	_, token, _ := strings.Cut(made.URL, missions.ReviewPath)
	return token
}

// What is decided with a link goes the way of every decision, is the link's, and is in the audit
// log; a link reaches the posts of its mission alone, until it ends.
func TestReviewLinks(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(world.NeedsApproval)
		other := w.Create(world.NeedsApproval)
		w.Step()
		made, err := w.Missions.CreateReviewLink(ctx, w.Tenant, m.ID, mission.ReviewLinkInput{Name: "Acme", ExpiresInHours: 2, MayDecide: new(true)})
		w.Must(err)
		opened, err := w.Missions.OpenReviewLink(ctx, tokenOf(made))
		w.Must(err)
		if opened.ID != made.Link.ID || len(tokenOf(made)) != 43 || made.Link.CreatedBy != w.Tenant.KeyID {
			t.Errorf("got %+v, opened %+v", made, opened)
		}
		by := opened.Principal()
		posts := w.Posts(m.ID)
		approved, err := w.Missions.ApproveContent(ctx, by, posts[0].ID, new(1))
		w.Must(err)
		rejected, err := w.Missions.RejectContent(ctx, by, posts[1].ID, "Too loud", new(1))
		w.Must(err)
		comment, err := w.Missions.CommentContent(ctx, by, posts[1].ID, mission.ReviewCommentInput{Text: "See above"})
		w.Must(err)
		if approved.ReviewedBy != opened.ID || rejected.ReviewedBy != opened.ID || comment.AuthorID != opened.ID || comment.AuthorName != "Acme" {
			t.Errorf("got %+v, %+v, %+v", approved, rejected, comment)
		}
		_, err = w.Missions.ApproveContent(ctx, by, w.Posts(other.ID)[0].ID, nil)
		world.WantCode(t, err, mission.CodeNotFound)
		_, err = w.Missions.CommentContent(ctx, by, w.Posts(other.ID)[0].ID, mission.ReviewCommentInput{Text: "x"})
		world.WantCode(t, err, mission.CodeNotFound)
		wantDecisions(w, m.ID, opened.ID, posts)
		w.Clock.Advance(time.Minute)
		revoked, err := w.Missions.RevokeReviewLink(ctx, w.Tenant, m.ID, opened.ID)
		w.Must(err)
		if revoked.RevokedAt == nil || revoked.LastUsedAt == nil {
			t.Errorf("revoked, it is %+v", revoked)
		}
		_, err = w.Missions.ReopenContent(ctx, w.Tenant, posts[1].ID)
		w.Must(err)
		_, err = w.Missions.ApproveContent(ctx, by, posts[1].ID, nil) // whoever has opened it before
		world.WantCode(t, err, mission.CodeConflict)
		_, err = w.Missions.CommentContent(ctx, by, posts[1].ID, mission.ReviewCommentInput{Text: "x"})
		world.WantCode(t, err, mission.CodeConflict)
		if c := w.Content(posts[1].ID); c.Status != mission.ContentPendingReview {
			t.Errorf("after the link was revoked, a post was decided: %s", c.Status)
		}
	})
}

// wantDecisions fails the test unless the events and the audit log say that a link decided about
// two posts.
func wantDecisions(w *world.World, missionID, linkID string, posts []mission.Content) {
	w.T.Helper()
	ctx := context.Background()
	events, err := w.DB.MissionEvents(ctx, w.Tenant.TenantID, missionID, "", 1000)
	w.Must(err)
	var decided []string
	for _, e := range events {
		if e.Type == mission.EventContentApproved || e.Type == mission.EventContentRejected {
			var data mission.ContentEventData
			w.Must(json.Unmarshal(e.Data.(json.RawMessage), &data))
			decided = append(decided, string(e.Type)+" "+data.ContentID+" "+data.ReviewedBy)
		}
	}
	want := []string{"content.approved " + posts[0].ID + " " + linkID, "content.rejected " + posts[1].ID + " " + linkID}
	if !slices.Equal(decided, want) {
		w.T.Errorf("got the events %q, want %q", decided, want)
	}
	log, err := w.DB.AuditLog(ctx, w.Tenant.TenantID, mission.AuditFilter{Action: mission.AuditLinkDecided}, store.Page{Limit: 10})
	w.Must(err)
	if len(log.List) != 2 || log.List[0].TargetID != linkID || log.List[0].UserID+log.List[0].KeyID != "" ||
		fmt.Sprint(log.List[0].Details["decision"], " ", log.List[0].Details["content_id"]) != "rejected "+posts[1].ID || log.List[0].Details["name"] != "Acme" {
		w.T.Errorf("got the audit log %+v", log.List)
	}
}

// A link ends with its time, with its mission, with the key or the member that made it, and while
// its tenant is to be deleted. Twenty of a mission work at a time.
func TestReviewLinksEnd(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(world.OneDay)
		link := func(p mission.Principal) missions.MadeReviewLink {
			t.Helper()
			made, err := w.Missions.CreateReviewLink(ctx, p, m.ID, mission.ReviewLinkInput{Name: "Acme", ExpiresInHours: 1})
			w.Must(err)
			return made
		}
		wantOpen := func(what string, made missions.MadeReviewLink, code mission.Code) {
			t.Helper()
			if _, err := w.Missions.OpenReviewLink(ctx, tokenOf(made)); mission.CodeOf(err) != code {
				t.Errorf("%s: got %v, want %q", what, err, code)
			}
		}
		expired := link(w.Tenant)
		w.Clock.Advance(time.Hour)
		wantOpen("expired", expired, mission.CodeConflict)
		for _, guess := range []string{"", "x", tokenOf(expired)[1:] + "A", tokenOf(expired) + "A", strings.Repeat("A", 43)} {
			_, err := w.Missions.OpenReviewLink(ctx, guess)
			world.WantCode(t, err, mission.CodeNotFound)
		}
		key, _, err := w.Parts.Accounts.CreateKey(ctx, w.Tenant, mission.KeyInput{Name: "second"})
		w.Must(err)
		byKey := mission.Principal{TenantID: w.Tenant.TenantID, UserID: w.Tenant.UserID, KeyID: key.ID, Scopes: mission.AllScopes()}
		ofKey, own := link(byKey), link(w.Tenant)
		_, _, err = w.Parts.Accounts.RevokeKey(ctx, w.Tenant, key.ID)
		w.Must(err)
		wantOpen("its key revoked", ofKey, mission.CodeConflict)
		wantOpen("another key revoked", own, "")
		for range mission.MaxReviewLinks - 1 {
			link(w.Tenant)
		}
		_, err = w.Missions.CreateReviewLink(ctx, w.Tenant, m.ID, mission.ReviewLinkInput{Name: "x", ExpiresInHours: 1})
		world.WantCode(t, err, mission.CodeConflict)
		stranger := w.NewTenant("Other")
		_, err = w.Missions.CreateReviewLink(ctx, stranger, m.ID, mission.ReviewLinkInput{Name: "x", ExpiresInHours: 1})
		world.WantCode(t, err, mission.CodeNotFound)
		_, err = w.Missions.RevokeReviewLink(ctx, stranger, "", own.Link.ID)
		world.WantCode(t, err, mission.CodeNotFound)
		page, err := w.Missions.ReviewLinks(ctx, w.Tenant, m.ID, store.Page{Limit: 5})
		if w.Must(err); page.Total != mission.MaxReviewLinks+2 || !page.More || len(page.List) != 5 {
			t.Errorf("got a page of %d links of %d", len(page.List), page.Total)
		}
		_, err = w.Missions.PauseMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		w.Must(w.Missions.DeleteMission(ctx, w.Tenant, m.ID))
		wantOpen("its mission deleted", own, mission.CodeNotFound)
	})
}
