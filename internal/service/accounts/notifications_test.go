package accounts_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

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

// posts stores the sent e-mails, and fails as often as configured.
type posts struct {
	mu    sync.Mutex
	fails int
	sent  []mail.Message
}

func (p *posts) Send(_ context.Context, m mail.Message) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fails--; p.fails >= 0 {
		return errors.New("the server is away")
	}
	p.sent = append(p.sent, m)
	return nil
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
		if len(p.sent) != 1 || !slices.Equal(p.sent[0].To, []string{"ann@example.com"}) || !strings.Contains(p.sent[0].Text, hook.URL) || !strings.Contains(p.sent[0].Subject, "disabled") {
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
