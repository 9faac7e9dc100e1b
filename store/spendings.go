package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type spendingRow struct {
	bun.BaseModel `bun:"table:spendings,alias:sp"`
	mission.Spending

	Spent     *mission.Micros `bun:"spent_micros"`
	SettledAt *time.Time
}

// Reserve reserves what a call may cost. An older reservation of the same
// subject counts as spent, because nobody knows how its call ended. The caller
// holds the mission's lock and has checked the budget.
func (tx Tx) Reserve(ctx context.Context, s mission.Spending, now time.Time) error {
	if err := tx.settle(ctx, nil, now, "sp.mission_id = ? AND sp.kind = ? AND sp.subject = ?", s.MissionID, s.Kind, s.Subject); err != nil {
		return err
	}
	s.CreatedAt = now
	row := spendingRow{Spending: s}
	if err := tx.write(ctx, tx.NewInsert().Model(&row)); err != nil {
		return err
	}
	return tx.addMoney(ctx, s.MissionID, 0, s.Reserved)
}

// Settle records what a call cost for which money was reserved. Without a
// reservation nothing changes.
func (tx Tx) Settle(ctx context.Context, missionID string, kind mission.SpendingKind, subject string, spent mission.Micros, now time.Time) error {
	return tx.settle(ctx, &spent, now, "sp.mission_id = ? AND sp.kind = ? AND sp.subject = ?", missionID, kind, subject)
}

// SettleOne is Settle by a reservation's id: a later reservation of the same
// subject stays open.
func (tx Tx) SettleOne(ctx context.Context, id string, spent mission.Micros, now time.Time) error {
	return tx.settle(ctx, &spent, now, "sp.id = ?", id)
}

// SettleLost counts a mission's open reservations whose subjects begin with
// prefix as spent in full: nobody will report how their calls ended.
func (tx Tx) SettleLost(ctx context.Context, missionID string, kind mission.SpendingKind, prefix string, now time.Time) error {
	return tx.settle(ctx, nil, now, "sp.mission_id = ? AND sp.kind = ? AND substr(sp.subject, 1, ?) = ?", missionID, kind, len(prefix), prefix)
}

// settle settles the open reservations that match the condition which; if spent
// is nil, each is spent in full.
func (tx Tx) settle(ctx context.Context, spent *mission.Micros, now time.Time, which string, args ...any) error {
	var rows []spendingRow
	if err := database.Scan(ctx, tx.on, tx.locking().Model(&rows).Where(which, args...).Where("sp.settled_at IS NULL").OrderExpr("sp.id"), &rows); err != nil {
		return err
	}
	for _, row := range rows {
		row.Spent, row.SettledAt = &row.Reserved, &now
		if spent != nil {
			row.Spent = spent
		}
		if err := tx.write(ctx, tx.NewUpdate().Model(&row).Column("spent_micros", "settled_at").WherePK()); err != nil {
			return err
		}
		tx.done.settledSpending(row.Kind, *row.Spent)
		if err := tx.together(ctx, tx.addToJob(row.JobID, 0, 0, *row.Spent)...); err != nil {
			return err
		}
		if err := tx.addMoney(ctx, row.MissionID, *row.Spent, -row.Reserved); err != nil {
			return err
		}
	}
	return nil
}

func (tx Tx) addMoney(ctx context.Context, missionID string, spent, reserved mission.Micros) error {
	return tx.write(ctx, tx.NewUpdate().Model((*missionRow)(nil)).Set("spent_micros = spent_micros + ?", database.Int(spent)).
		Set("reserved_micros = reserved_micros + ?", database.Int(reserved)).Where("id = ?", missionID))
}
