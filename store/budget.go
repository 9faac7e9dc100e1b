package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type spendingRow struct {
	bun.BaseModel `bun:"table:spendings,alias:sp"`

	ID        string `bun:",pk"`
	TenantID  string
	MissionID string
	JobID     string
	Kind      mission.SpendingKind
	Subject   string
	Reserved  mission.Micros  `bun:"reserved_micros"`
	Spent     *mission.Micros `bun:"spent_micros"`
	CreatedAt time.Time
	SettledAt *time.Time
}

// Reserve keeps what a call may cost. An older reservation of the subject,
// whose call nobody knows the end of, counts as spent. The caller holds the
// mission's lock and has seen that its budget bears it.
func (tx Tx) Reserve(ctx context.Context, s mission.Spending, now time.Time) error {
	if err := tx.settle(ctx, s.MissionID, s.Kind, s.Subject, nil, now); err != nil {
		return err
	}
	row := spendingRow{
		ID: s.ID, TenantID: s.TenantID, MissionID: s.MissionID, JobID: s.JobID, Kind: s.Kind, Subject: s.Subject,
		Reserved: s.Reserved, CreatedAt: now,
	}
	if _, err := tx.tx.NewInsert().Model(&row).Exec(ctx); err != nil {
		return err
	}
	return tx.addMoney(ctx, s.MissionID, 0, s.Reserved)
}

// Settle records what a call cost for which money was reserved. Where none is
// reserved, nothing changes.
func (tx Tx) Settle(ctx context.Context, missionID string, kind mission.SpendingKind, subject string, spent mission.Micros, now time.Time) error {
	return tx.settle(ctx, missionID, kind, subject, &spent, now)
}

// SettleAll records as spent whole what is reserved for subjects that begin so:
// nobody knows any more what the calls cost.
func (tx Tx) SettleAll(ctx context.Context, missionID string, kind mission.SpendingKind, prefix string, now time.Time) error {
	var subjects []string
	err := tx.tx.NewSelect().Model((*spendingRow)(nil)).Column("subject").Where("sp.mission_id = ?", missionID).Where("sp.kind = ?", kind).
		Where("sp.settled_at IS NULL").Where("substr(sp.subject, 1, ?) = ?", len(prefix), prefix).Scan(ctx, &subjects)
	for _, subject := range subjects {
		if err == nil {
			err = tx.settle(ctx, missionID, kind, subject, nil, now)
		}
	}
	return err
}

// settle settles the open reservation of a subject; spent nil is all of it.
func (tx Tx) settle(ctx context.Context, missionID string, kind mission.SpendingKind, subject string, spent *mission.Micros, now time.Time) error {
	var row spendingRow
	err := tx.locking().Model(&row).Where("sp.mission_id = ?", missionID).Where("sp.kind = ?", kind).
		Where("sp.subject = ?", subject).Where("sp.settled_at IS NULL").Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if spent == nil {
		spent = &row.Reserved
	}
	row.Spent, row.SettledAt = spent, &now
	if _, err := tx.tx.NewUpdate().Model(&row).Column("spent_micros", "settled_at").WherePK().Exec(ctx); err != nil {
		return err
	}
	if err := tx.addToJob(ctx, row.JobID, 0, 0, *spent); err != nil {
		return err
	}
	return tx.addMoney(ctx, missionID, *spent, -row.Reserved)
}

func (tx Tx) addMoney(ctx context.Context, missionID string, spent, reserved mission.Micros) error {
	_, err := tx.tx.NewUpdate().Model((*missionRow)(nil)).Set("spent_micros = spent_micros + ?", spent).
		Set("reserved_micros = reserved_micros + ?", reserved).Where("id = ?", missionID).Exec(ctx)
	return err
}

type holdRow struct {
	bun.BaseModel `bun:"table:platform_holds,alias:h"`

	TenantID string           `bun:",pk"`
	Platform mission.Platform `bun:",pk"`
	Until    time.Time
}

// HoldPlatform leaves a platform alone for a tenant, until a time at least.
func (tx Tx) HoldPlatform(ctx context.Context, tenantID string, p mission.Platform, until time.Time) error {
	_, err := tx.tx.NewInsert().Model(&holdRow{TenantID: tenantID, Platform: p, Until: until}).
		On("CONFLICT (tenant_id, platform) DO UPDATE").
		Set("until = CASE WHEN EXCLUDED.until > h.until THEN EXCLUDED.until ELSE h.until END").Exec(ctx)
	return err
}

// PlatformHold answers until when a platform is left alone for a tenant; nil
// where it isn't.
func (tx Tx) PlatformHold(ctx context.Context, tenantID string, p mission.Platform) (*time.Time, error) {
	var row holdRow
	err := tx.tx.NewSelect().Model(&row).Where("h.tenant_id = ?", tenantID).Where("h.platform = ?", p).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return utc(&row.Until), err
}
