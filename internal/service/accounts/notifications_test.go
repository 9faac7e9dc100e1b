package accounts_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/mail"
	"missiond/internal/service/accounts"
	"missiond/internal/testkit/world"
	"missiond/internal/webhook"
	"missiond/mission"
	"missiond/store"
)

// gone is the sender of webhooks whose endpoints are gone.
type gone struct{}

func (gone) Send(context.Context, webhook.Message) webhook.Result {
	return webhook.Result{StatusCode: 410}
}

// posts stores the sent e-mails, fails as often as configured, and refuses addresses with
// given words, or takes nothing for them for a while.
type posts struct {
	mu      sync.Mutex
	fails   int
	refused map[string]string
	later   map[string]int
	sent    []mail.Message
}

func (p *posts) Send(_ context.Context, m mail.Message) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fails--; p.fails >= 0 {
		return errors.New("the server is away")
	}
	if p.later[m.To] > 0 {
		p.later[m.To]--
		return errors.New("451 come back later")
	}
	if words := p.refused[m.To]; words != "" {
		return &mail.RefusedError{Reply: words}
	}
	p.sent = append(p.sent, m)
	return nil
}

// to returns to whom e-mails with a word in their text were sent, in order.
func (p *posts) to(word string) string {
	var to []string
	for _, m := range p.sent {
		if strings.Contains(m.Text, word) {
			to = append(to, m.To)
		}
	}
	slices.Sort(to)
	return strings.Join(to, " ")
}

// mailing returns a world whose tenant has the admins ann and bob, and whose e-mails p gets.
func mailing(w *world.World, p *posts) (ann, bob mission.User) {
	w.T.Helper()
	w.Sender = gone{}
	w.Parts.Accounts = accounts.New(w.DB, accounts.Options{Clock: w.Clock, Real: w.Clock, Mailer: p})
	join := func(name string) (u mission.User) {
		now := w.Clock.Now()
		u = mission.User{
			ID: w.DB.NewID(mission.PrefixUser, now), TenantID: w.Tenant.TenantID, Subject: name, Email: name + "@example.com", Role: mission.RoleAdmin, CreatedAt: now,
		}
		w.Must(w.DB.Tx(context.Background(), func(tx store.Tx) error {
			return tx.AddUser(context.Background(), u, tx.AuditEntry(w.Tenant, mission.AuditMemberJoined, u.ID, nil, now))
		}))
		return u
	}
	return join("ann"), join("bob")
}

// told returns the messages of the notifications of a kind, newest first.
func told(w *world.World, kind mission.NotificationKind, unread bool) (list []mission.Notification) {
	w.T.Helper()
	part, err := w.Parts.Accounts.Notifications(context.Background(), w.Tenant, unread, store.Page{Limit: 100})
	w.Must(err)
	for _, n := range part.List {
		if n.Kind == kind {
			list = append(list, n)
		}
	}
	return list
}

// One whose server takes nothing for now gets the e-mail later, once, and the others get it once,
// at once. A server that is away for a night loses nothing.
func TestEmailsAreSentLater(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		p := &posts{later: map[string]int{"ann@example.com": 2}}
		mailing(w, p)
		w.Hook("http://127.0.0.1/one", mission.EventMissionCreated)
		w.Create(nil)
		for _, want := range []struct {
			after time.Duration
			to    string
		}{{0, "bob@example.com"}, {5 * time.Minute, "bob@example.com"}, {2 * time.Minute, "ann@example.com bob@example.com"}} {
			w.Pass(want.after)
			if got := p.to("/one"); got != want.to {
				t.Errorf("after another %s e-mails were sent to %q, want %q", want.after, got, want.to)
			}
		}
		w.Hook("http://127.0.0.1/two", mission.EventMissionCreated)
		p.fails = 1 << 20
		w.Create(nil)
		w.Pass(10 * time.Hour)
		p.fails = 0
		w.Pass(14 * time.Hour)
		if got := p.to("/two"); got != "ann@example.com bob@example.com" {
			t.Errorf("after a night e-mails were sent to %q", got)
		}
		if n := len(p.sent); n != 4 {
			t.Errorf("%d e-mails were sent", n)
		}
	})
}

// The admins are told of an address that is refused for good, in the server's words, once as long
// as nobody has read it; but not by an e-mail to it.
func TestRefusedEmailIsTold(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		p := &posts{refused: map[string]string{"ann@example.com": "550 5.1.1 no\r\nsuch\x00 \u202euser " + strings.Repeat("é", 1000)}}
		ann, bob := mailing(w, p)
		fail := func(url string) {
			w.Hook(url, mission.EventMissionCreated)
			w.Create(nil)
			w.Pass(time.Second)
		}
		fail("http://127.0.0.1/one")
		fail("http://127.0.0.1/two")
		list := told(w, mission.NotifyEmailRefused, true)
		if len(list) != 1 || list[0].SubjectID != ann.ID || !strings.HasPrefix(list[0].Message, "An e-mail to ann@example.com was refused for good: 550 5.1.1 no such user é") || len(list[0].Message) > 700 {
			t.Errorf("got the notifications %+v", list)
		}
		if got := p.to("was refused"); got != "bob@example.com" {
			t.Errorf("it was e-mailed to %q", got)
		}
		if one, two := p.to("/one"), p.to("/two"); one != bob.Email || two != bob.Email {
			t.Errorf("the e-mails were sent to %q and %q", one, two)
		}
		_, err := w.Parts.Accounts.MarkAllNotificationsRead(ctx, w.Tenant, "")
		w.Must(err)
		fail("http://127.0.0.1/three")
		if n := len(told(w, mission.NotifyEmailRefused, true)); n != 1 {
			t.Errorf("%d notifications are unread after the first was read", n)
		}
		// Nothing goes on without end where everybody's e-mails are refused.
		p.refused[bob.Email] = "550 no"
		fail("http://127.0.0.1/four")
		w.Pass(48 * time.Hour)
		if n := len(told(w, mission.NotifyEmailRefused, true)); n != 2 {
			t.Errorf("%d notifications are unread where both are refused", n)
		}
		_, err = w.Parts.Accounts.RemoveMember(ctx, w.Tenant, ann.ID, mission.RevokeKeys)
		w.Must(err)
		for _, n := range told(w, mission.NotifyEmailRefused, false) {
			if strings.Contains(n.Message, "ann") || (n.SubjectID == bob.ID) != strings.Contains(n.Message, "bob") {
				t.Errorf("after ann was removed there is %+v", n)
			}
		}
	})
}

// The tenant's admins get e-mails of a failing endpoint, too, however often the mail
// server was unavailable; without one the task just ends.
func TestAdminsAreEmailed(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		w.Sender = gone{}
		hook, _ := w.Hook("http://127.0.0.1/", mission.EventMissionCreated)
		p := &posts{fails: 2}
		without := w.Parts.Accounts
		w.Parts.Accounts = accounts.New(w.DB, accounts.Options{Clock: w.Clock, Real: w.Clock, Mailer: p})
		w.Must(w.DB.Tx(context.Background(), func(tx store.Tx) error {
			ann := mission.User{ID: "usr_ann", TenantID: w.Tenant.TenantID, Email: "ann@example.com", Role: mission.RoleAdmin, CreatedAt: w.Clock.Now()}
			return tx.AddUser(context.Background(), ann, mission.AuditEntry{ID: "aud_ann", TenantID: w.Tenant.TenantID, Action: mission.AuditMemberJoined, TargetID: ann.ID, CreatedAt: ann.CreatedAt})
		}))
		w.Create(nil)
		w.Idle()
		if len(p.sent) != 1 || p.sent[0].To != "ann@example.com" || !strings.Contains(p.sent[0].Text, hook.URL) || !strings.Contains(p.sent[0].Subject, "disabled") {
			t.Errorf("got the e-mails %+v", p.sent)
		}
		again, _ := w.Hook("http://127.0.0.1/again", mission.EventMissionCreated)
		w.Parts.Accounts = without
		w.Create(nil)
		w.Idle()
		again, err := w.Parts.Webhooks.Webhook(context.Background(), w.Tenant, again.ID)
		w.Must(err)
		if again.Enabled || len(p.sent) != 1 {
			t.Error("without a mail server the task doesn't end")
		}
	})
}
