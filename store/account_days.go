package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type accountDayRow struct {
	bun.BaseModel `bun:"table:account_days,alias:ad"`
	mission.AccountDay

	UpdatedAt time.Time
}

func (r accountDayRow) day() mission.AccountDay { return r.AccountDay }

// SetAccountDays writes days of accounts, in one statement. What is known of a day already stays where
// the new figures have none.
func (tx Tx) SetAccountDays(ctx context.Context, days []mission.AccountDay, now time.Time) error {
	if len(days) == 0 {
		return nil
	}
	rows := make([]accountDayRow, len(days))
	for i, d := range days {
		rows[i] = accountDayRow{AccountDay: d, UpdatedAt: now}
	}
	q := tx.NewInsert().Model(&rows).On("CONFLICT (integration_id, day) DO UPDATE").Set("updated_at = EXCLUDED.updated_at")
	for _, column := range []string{"followers", "reach", "views"} {
		q = q.Set("?0 = COALESCE(EXCLUDED.?0, ad.?0)", bun.Ident(column))
	}
	return tx.write(ctx, q)
}

// AccountDays returns the days of a range, of which both ends are set, of a tenant's accounts, by
// integration id, oldest first.
func (db *DB) AccountDays(ctx context.Context, tenantID string, ids []string, of mission.DateRange) (map[string][]mission.AccountDay, error) {
	q := db.NewSelect().Where("ad.tenant_id = ?", tenantID).Where("?", database.In("ad.integration_id", ids)).
		Where("ad.day BETWEEN ? AND ?", of.From, of.To).OrderExpr("ad.integration_id, ad.day")
	list, err := findAll(ctx, db.read, q, accountDayRow.day)
	days := map[string][]mission.AccountDay{}
	for _, d := range list {
		days[d.IntegrationID] = append(days[d.IntegrationID], d)
	}
	return days, err
}

// DropAccountDays deletes up to limit days of a platform's accounts from before a day, and returns
// their number.
func (tx Tx) DropAccountDays(ctx context.Context, p mission.Platform, before string, limit int) (int, error) {
	var gone []accountDayRow
	old := bun.SafeQuery("platform = ? AND day < ?", p, before)
	err := database.Scan(ctx, tx.on, tx.dropOld("account_days", "integration_id, day", "?", old, limit), &gone)
	return len(gone), err
}

// dropDaysOf deletes the days of an account.
func (tx Tx) dropDaysOf(ctx context.Context, integrationID string) error {
	return tx.write(ctx, tx.NewDelete().Model((*accountDayRow)(nil)).Where("ad.integration_id = ?", integrationID))
}

// UnreadAccounts returns up to limit connected accounts on platforms that no task reads the figures
// of, of tenants that aren't about to be deleted.
func (db *DB) UnreadAccounts(ctx context.Context, on []mission.Platform, limit int) ([]mission.Integration, error) {
	task := db.NewSelect().Model((*taskRow)(nil)).ColumnExpr("1").Where("t.type = 'account:figures'").Where("t.subject = i.id")
	leaving := db.NewSelect().TableExpr("tenants AS of").ColumnExpr("1").Where("of.id = i.tenant_id").Where("of.deletes_at IS NOT NULL")
	q := db.NewSelect().Where("i.status = 'connected'").Where("?", database.In("i.platform", on)).
		Where("NOT EXISTS (?)", task).Where("NOT EXISTS (?)", leaving).OrderExpr("i.id").Limit(int64(limit))
	return findAll(ctx, db.read, q, integrationRow.integration)
}

// AddAccountTasks adds tasks that read accounts' figures; those of accounts that have one are left
// out.
func (tx Tx) AddAccountTasks(ctx context.Context, now time.Time, tasks ...mission.Task) error {
	if len(tasks) == 0 {
		return nil
	}
	rows := tx.taskRows(ctx, now, tasks)
	tx.done.tasks = true
	return tx.write(ctx, tx.NewInsert().Model(&rows).On("CONFLICT DO NOTHING"))
}
