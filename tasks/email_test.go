package tasks_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/clock"
	"missiond/internal/mail"
	"missiond/internal/service/accounts"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
	"missiond/tasks"
)

// slowMail is a mail server that doesn't respond until its gate is open.
type slowMail struct {
	gate                chan struct{}
	waiting, most, sent atomic.Int64
}

func (s *slowMail) Send(ctx context.Context, _ mail.Message) error {
	if n := s.waiting.Add(1); n > s.most.Load() {
		s.most.Store(n)
	}
	defer s.waiting.Add(-1)
	select {
	case <-s.gate:
		s.sent.Add(1)
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A mail server that doesn't respond holds up e-mails alone: however many wait for it, missions go
// on, and so does what shares their workers. Once it responds all are sent.
func TestSlowMailServerHoldsUpEmailsAlone(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	eachProcess(t, world.PlainWriter{}, func(t *testing.T, p *process) {
		ctx, slow := context.Background(), &slowMail{gate: make(chan struct{})}
		p.worker.Stop()
		p.Parts.Accounts = accounts.New(p.DB, accounts.Options{Clock: clock.Real(), Real: clock.Real(), Mailer: slow})
		p.worker = tasks.NewWorker(p.Parts)
		p.Must(p.worker.Start())
		const admins, notifications = 20, 3
		p.Must(p.DB.Tx(ctx, func(tx store.Tx) error {
			now := mission.Millis(time.Now())
			for i := range admins {
				u := mission.User{
					ID: tx.NewID(mission.PrefixUser, now), TenantID: p.Tenant.TenantID, Subject: fmt.Sprint(i), Email: fmt.Sprintf("u%d@example.com", i), Role: mission.RoleAdmin, CreatedAt: now,
				}
				if err := tx.AddUser(ctx, u, tx.AuditEntry(p.Tenant, mission.AuditMemberJoined, u.ID, nil, now)); err != nil {
					return err
				}
			}
			for range notifications {
				n := mission.Notification{
					ID: tx.NewID(mission.PrefixNotification, now), TenantID: p.Tenant.TenantID, Kind: mission.NotifyTenantDeletion, SubjectID: p.Tenant.TenantID, CreatedAt: now,
				}
				if err := tx.AddNotification(ctx, n); err != nil {
					return err
				}
			}
			return nil
		}))
		await.Until(t, "a crowd at the mail server", func() bool { return slow.waiting.Load() >= tasks.EmailsAtOnce })
		created := p.Create(world.OneDay)
		await.Until(t, "a mission's job", p.jobDone(created.ID))
		if most := slow.most.Load(); most > tasks.EmailsAtOnce {
			t.Errorf("%d e-mails at once, want at most %d", most, tasks.EmailsAtOnce)
		}
		close(slow.gate)
		await.Until(t, "all e-mails", func() bool { return slow.sent.Load() == admins*notifications })
	})
}
