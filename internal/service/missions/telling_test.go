package missions_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/mail"
	"missiond/internal/service/accounts"
	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// letters are the e-mails that were sent. None is while the server is away.
type letters struct {
	away bool
	sent []mail.Message
}

func (l *letters) Send(_ context.Context, m mail.Message) error {
	if l.away {
		return errors.New("the server is away")
	}
	l.sent = append(l.sent, m)
	return nil
}

// join adds a member to the tenant of w.
func join(w *world.World, name string, role mission.Role) mission.Principal {
	w.T.Helper()
	now := w.Clock.Now()
	u := mission.User{
		ID: w.DB.NewID(mission.PrefixUser, now), TenantID: w.Tenant.TenantID, Subject: name, Email: name + "@example.com", Name: name, Role: role, CreatedAt: now,
	}
	w.Must(w.DB.Tx(context.Background(), func(tx store.Tx) error {
		entry := tx.AuditEntry(w.Tenant, mission.AuditMemberJoined, u.ID, nil, now)
		return tx.AddUser(context.Background(), u, entry)
	}))
	return mission.Principal{TenantID: u.TenantID, UserID: u.ID, SessionID: "ses_" + name, Scopes: role.Scopes()}
}

// People are told once of all that waits, ten minutes after the first began to; once more when it
// is about to expire; and of nothing that was decided meanwhile. Without reviewers all who may
// approve get an e-mail unless they have switched it off, with some these and who made the mission.
func TestReviewersAreTold(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, box := context.Background(), &letters{}
		w.Parts.Accounts = accounts.New(w.DB, accounts.Options{Clock: w.Clock, Real: w.Clock, Mailer: box, PublicURL: "https://missions.example"})
		ann, bob, off := join(w, "ann", mission.RoleEditor), join(w, "bob", mission.RoleAdmin), join(w, "off", mission.RoleEditor)
		join(w, "viewer", mission.RoleViewer)
		no := false
		_, err := w.Parts.Accounts.UpdatePreferences(ctx, off, accounts.PreferencesInput{ReviewEmails: &no})
		w.Must(err)
		written := func() (to []string) {
			for _, m := range box.sent {
				if !strings.Contains(m.Text, "https://missions.example/console/inbox") {
					t.Errorf("an e-mail doesn't say where to review: %s", m.Text)
				}
				to = append(to, m.To)
			}
			box.sent = nil
			slices.Sort(to)
			return to
		}
		told := func() []string { return notifiedOf(w, mission.NotifyReviewWaiting, true) }

		m := w.Create(world.NeedsApproval)
		w.Step()
		after(w, 9*time.Minute)
		if n := len(told()); n != 0 {
			t.Errorf("%d notifications before ten minutes", n)
		}
		after(w, 11*time.Minute)
		all := len(w.Posts(m.ID))
		if got := told(); len(got) != 1 || !strings.HasPrefix(got[0], mission.Counted(all, "post")+" of the mission") || strings.Contains(got[0], "Reminder") {
			t.Errorf("ten minutes after %d posts began to wait, the notifications are %q", all, got)
		}
		if to := written(); !slices.Equal(to, []string{"ann@example.com", "bob@example.com"}) {
			t.Errorf("the e-mails are to %q", to)
		}
		// One who is named reviews; who made the mission hears of what expires.
		_, err = w.Missions.UpdateMission(ctx, w.Tenant, m.ID, mission.UpdateInput{Reviewers: []string{ann.UserID}})
		w.Must(err)
		after(w, 18*time.Hour+time.Minute)
		if got := told(); len(got) != 1 || !strings.HasPrefix(got[0], "Reminder: ") {
			t.Errorf("when posts are about to expire, the notifications are %q", got)
		}
		if to := written(); !slices.Equal(to, []string{"ann@example.com"}) {
			t.Errorf("the reminders are to %q", to)
		}
		before := w.Tenant
		w.Tenant = bob
		other := w.Create(func(in *mission.CreateInput) { world.NeedsApproval(in); in.Reviewers = []string{ann.UserID} })
		w.Tenant = before
		w.Step()
		after(w, 19*time.Hour)
		if to := written(); !slices.Equal(to, []string{"ann@example.com", "bob@example.com"}) {
			t.Errorf("the e-mails of a mission that bob made are to %q", to)
		}
		// What was decided within ten minutes is nobody's business any more.
		w.Tenant = bob
		third := w.Create(world.NeedsApproval)
		w.Tenant = before
		w.Step()
		for _, c := range w.Posts(third.ID) {
			_, err := w.Missions.ApproveContent(ctx, ann, c.ID, nil)
			w.Must(err)
		}
		n := len(told())
		after(w, 20*time.Hour)
		if got := told(); len(got) != n || len(written()) != 0 {
			t.Errorf("after everything was approved, the notifications are %q", got)
		}
		if events := eventsOf(w, other.ID, mission.EventReviewRequested); len(events) != len(w.Posts(other.ID)) {
			t.Errorf("%d posts have %d events of their review", len(w.Posts(other.ID)), len(events))
		}
	})
}

// An e-mail that goes out late tells what waits then: of several one, and none once nothing waits.
func TestReviewersAreToldLate(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, box := context.Background(), &letters{away: true}
		w.Parts.Accounts = accounts.New(w.DB, accounts.Options{Clock: w.Clock, Real: w.Clock, Mailer: box, PublicURL: "https://missions.example"})
		ann := join(w, "ann", mission.RoleEditor)
		m := w.Create(world.NeedsApproval)
		decided := w.Create(world.NeedsApproval)
		after(w, 17*time.Hour)
		posts := w.Posts(m.ID)
		for _, c := range append(posts[1:], w.Posts(decided.ID)...) {
			_, err := w.Missions.ApproveContent(ctx, ann, c.ID, nil)
			w.Must(err)
		}
		after(w, 18*time.Hour+time.Minute) // the post is about to expire
		if n := len(notifiedOf(w, mission.NotifyReviewWaiting, false)); n < 3 {
			t.Fatalf("there are %d notifications", n)
		}
		box.away = false
		after(w, 23*time.Hour)
		if len(box.sent) != 1 || !strings.HasPrefix(box.sent[0].Text, "Reminder: 1 post of the mission") || box.sent[0].Unsubscribe != "https://missions.example/console/settings/sessions" {
			t.Errorf("after the server was away, the e-mails are %+v", box.sent)
		}
		// When the post has expired, nobody is reminded of it.
		box.sent, box.away = nil, true
		last := w.Create(world.NeedsApproval)
		after(w, 24*time.Hour)
		for _, c := range w.Posts(last.ID) {
			_, err := w.Missions.RejectContent(ctx, ann, c.ID, "no", nil)
			w.Must(err)
		}
		box.away = false
		after(w, 47*time.Hour)
		for _, m := range box.sent {
			if strings.Contains(m.Text, last.ID) {
				t.Errorf("an e-mail tells of what was decided: %s", m.Text)
			}
		}
	})
}

// Where only reviewers may decide, others are refused, one post at a time and in bulk.
func TestReviewersOnly(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, only := context.Background(), true
		ann, bob, viewer := join(w, "ann", mission.RoleEditor), join(w, "bob", mission.RoleAdmin), join(w, "viewer", mission.RoleViewer)
		for param, in := range map[string]mission.UpdateInput{
			"reviewers_only": {ReviewersOnly: mission.Some(true)},
			"reviewers[1]":   {Reviewers: []string{ann.UserID, viewer.UserID}},
			"reviewers[0]":   {Reviewers: []string{"usr_01jd0000000000000000000000"}},
		} {
			m := w.Create(world.NeedsApproval)
			_, err := w.Missions.UpdateMission(ctx, w.Tenant, m.ID, in)
			world.WantCode(t, err, mission.CodeInvalidRequest)
			if err == nil || !strings.Contains(err.Error(), param) {
				t.Errorf("%+v is refused with %v, want an error on %s", in, err, param)
			}
		}
		m := w.Create(func(in *mission.CreateInput) {
			world.NeedsApproval(in)
			in.Reviewers, in.ReviewersOnly = []string{ann.UserID}, &only
		})
		w.Step()
		posts := w.Posts(m.ID)
		_, err := w.Missions.ApproveContent(ctx, bob, posts[0].ID, nil)
		world.WantCode(t, err, mission.CodeForbidden)
		_, err = w.Missions.RejectContent(ctx, bob, posts[0].ID, "no", nil)
		world.WantCode(t, err, mission.CodeForbidden)
		_, err = w.Missions.ApproveContents(ctx, bob, []string{posts[0].ID})
		world.WantCode(t, err, mission.CodeForbidden)
		done, err := w.Missions.RejectEach(ctx, bob, []missions.Review{{ID: posts[0].ID, Revision: 1}}, "no")
		w.Must(err)
		if done[0].Error == nil || done[0].Error.Code != string(mission.CodeForbidden) {
			t.Errorf("another person rejected a post: %+v", done[0])
		}
		_, err = w.Missions.ApproveContent(ctx, ann, posts[0].ID, nil)
		w.Must(err)
		_, err = w.Missions.UpdateMission(ctx, w.Tenant, m.ID, mission.UpdateInput{ReviewersOnly: mission.Some(false)})
		w.Must(err)
		_, err = w.Missions.ApproveContent(ctx, bob, posts[1].ID, nil)
		w.Must(err)
		twin, err := w.Missions.DuplicateMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		if !slices.Equal(twin.Reviewers, []string{ann.UserID}) {
			t.Errorf("the reviewers of a copy are %q", twin.Reviewers)
		}
	})
}
