package missions

import (
	"context"
	"errors"

	"missiond/internal/database"
	"missiond/mission"
	"missiond/store"
)

// tenantPen is what writes a tenant's posts.
type tenantPen struct {
	Writer

	own *mission.TenantWriter // nil for the service's writer
}

// writers reads tenants' own writers: a store or a transaction.
type writers interface {
	TenantWriter(ctx context.Context, tenantID string) (w mission.TenantWriter, ok bool, err error)
}

// penOf returns what writes a tenant's posts now: its own writer if it has one, and never another
// one in the place of that, since its texts would go to somebody whom the tenant didn't choose.
func (s *core) penOf(ctx context.Context, from writers, tenantID string) (tenantPen, error) {
	own, ok, err := from.TenantWriter(ctx, tenantID)
	if err != nil || !ok {
		return tenantPen{Writer: s.writer}, err
	}
	w, err := s.openOwn(own)
	return tenantPen{w, &own}, err
}

// HasOwnWriter reports whether a tenant's posts are written by a writer of its own.
func (s *Pipeline) HasOwnWriter(ctx context.Context, tenantID string) (bool, error) {
	_, ok, err := s.store.TenantWriter(ctx, tenantID)
	return ok, err
}

// judgePen records what err, the end of a call, says about a tenant's own writer, and notifies the
// tenant when its endpoint begins to reject calls. It returns err.
func (s *core) judgePen(ctx context.Context, pen tenantPen, err error) error {
	if pen.own == nil {
		return err
	}
	var outage *mission.OutageError
	switch rejected := errors.As(err, &outage) && outage.Failure.Code == mission.CodeWriterRejected; {
	case rejected:
		return errors.Join(err, s.judgeOwn(ctx, *pen.own, &outage.Failure))
	case err == nil && pen.own.Error != nil:
		return s.judgeOwn(ctx, *pen.own, nil)
	}
	return err
}

func (s *core) judgeOwn(ctx context.Context, w mission.TenantWriter, f *mission.Failure) error {
	return database.Insist(ctx, bookLimit, func(ctx context.Context) error {
		return s.store.Tx(ctx, func(tx store.Tx) error {
			changed, err := tx.JudgeTenantWriter(ctx, w, f)
			if err != nil || !changed || f == nil {
				return err
			}
			now := s.clock.Now()
			return tx.AddNotification(ctx, w.Notify(tx.NewID(mission.PrefixNotification, now), *f, now))
		})
	})
}
