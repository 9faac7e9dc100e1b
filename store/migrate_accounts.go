package store

import (
	"context"
	"errors"
	"slices"
	"strings"

	"missiond/internal/database"
	"missiond/mission"
)

// accountsVersion is the migration after which figures are those of accounts. Its table is
// created and filled before.
const (
	accountsVersion = 28
	accountsFile    = "migrations/00028_measured_accounts.sql"
)

// fillAccounts gives the posts that are there the handles of their accounts, and adds up
// the figures of days by account. It commits often, and completes what an earlier call
// began.
func (db *DB) fillAccounts(ctx context.Context) error {
	if err := db.fillHandles(ctx); err != nil {
		return err
	}
	return db.fillFigures(ctx)
}

// fillHandles gives published posts the handles of their accounts.
func (db *DB) fillHandles(ctx context.Context) error {
	for last := ""; ; {
		var rows []contentRow
		err := database.Scan(ctx, db.write, db.NewSelect().Model(&rows).Column("id").Where("c.id > ?", last).Where("c.integration_id <> ''").
			Where("c.account_handle = ''").OrderExpr("c.id").Limit(filledAtOnce), &rows)
		if err != nil || len(rows) == 0 {
			return err
		}
		ids := make([]string, len(rows))
		for i, r := range rows {
			ids[i] = r.ID
		}
		_, err = db.write.Exec(ctx, db.NewUpdate().Model((*contentRow)(nil)).
			Set("account_handle = COALESCE((SELECT i.account ->> 'handle' FROM integrations AS i WHERE i.id = c.integration_id), '')").
			Where("?", database.In("c.id", ids)))
		if err != nil {
			return err
		}
		last = ids[len(ids)-1]
	}
}

// fillFigures adds up the figures of days: of missions in the order of their ids, each at
// once, and of tenants at the end.
func (db *DB) fillFigures(ctx context.Context) error {
	if err := db.createAccountFigures(ctx); err != nil {
		return err
	}
	var last contentRow
	if err := database.Scan(ctx, db.write, db.NewSelect().Table("account_figures").ColumnExpr("COALESCE(max(mission_id), '')"), &last.MissionID); err != nil {
		return err
	}
	sums := daySums{}
	for {
		rows, err := db.measuredAfter(ctx, last)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if r.MissionID != last.MissionID && len(sums) >= filledAtOnce {
				if err := db.addAccountFigures(ctx, sums); err != nil {
					return err
				}
				clear(sums)
			}
			sums.add(r.content())
			last = r
		}
		if len(rows) < filledAtOnce {
			break
		}
	}
	if err := db.addAccountFigures(ctx, sums); err != nil {
		return err
	}
	_, err := db.write.Exec(ctx, db.NewRaw(`INSERT INTO account_figures SELECT tenant_id, '', date, platform, integration_id, sum(posts), sum(impressions), sum(reach), sum(likes),
		sum(comments), sum(shares), sum(clicks), sum(link_clicks), sum(followers_gained), sum(rated)
		FROM account_figures WHERE mission_id <> '' GROUP BY tenant_id, date, platform, integration_id ON CONFLICT DO NOTHING`))
	return err
}

// filledAtOnce is how many posts are read at once, and the number of figures from which
// they are inserted.
const filledAtOnce = 1000

// measuredAfter returns the next measured posts after one of them or, if last has no id, of
// the missions after its mission.
func (db *DB) measuredAfter(ctx context.Context, last contentRow) (rows []contentRow, err error) {
	q := db.NewSelect().Model(&rows).Column("id", "tenant_id", "mission_id", "platform", "integration_id", "published_at", "metrics").
		Where("c.measured_at IS NOT NULL").Where("c.published_at IS NOT NULL").OrderExpr("c.mission_id, c.published_at, c.id").Limit(filledAtOnce)
	if last.ID == "" {
		q.Where("c.mission_id > ?", last.MissionID)
	} else {
		q.Where("(c.mission_id, c.published_at, c.id) > (?, ?, ?)", last.MissionID, *last.PublishedAt, last.ID)
	}
	err = database.Scan(ctx, db.write, q, &rows)
	return rows, err
}

// createAccountFigures creates the migration's table with the migration's own statement.
func (db *DB) createAccountFigures(ctx context.Context) error {
	text, err := migrations.ReadFile(accountsFile)
	if err != nil {
		return err
	}
	_, after, ok := strings.Cut(string(text), "CREATE TABLE IF NOT EXISTS ")
	columns, _, ended := strings.Cut(after, ";")
	if !ok || !ended {
		return errors.New(accountsFile + " creates no table")
	}
	_, err = db.base.SQL().ExecContext(ctx, "CREATE TABLE IF NOT EXISTS "+columns)
	return err
}

// daySums are figures of days, by their keys.
type daySums map[dayFiguresRow]*dayFiguresRow

// add adds the figures of a post.
func (sums daySums) add(c mission.Content) {
	if c.Metrics == nil {
		return
	}
	point := mission.Measurement{ContentID: c.ID, Platform: c.Platform, IntegrationID: c.IntegrationID, PublishedAt: *c.PublishedAt, Metrics: c.Metrics}
	for _, d := range mission.DayChanges(nil, []mission.Measurement{point}) {
		row := newDayFiguresRow(c.TenantID, c.MissionID, d)
		key := dayFiguresRow{TenantID: row.TenantID, MissionID: row.MissionID, Date: row.Date, Platform: row.Platform, IntegrationID: row.IntegrationID}
		if sum, ok := sums[key]; ok {
			sum.add(row)
			continue
		}
		sums[key] = &row
	}
}

func (r *dayFiguresRow) add(o dayFiguresRow) {
	r.Posts += o.Posts
	sums, others := r.counts(), o.counts()
	sums["rated"], others["rated"] = &r.Rated, &o.Rated
	for metric, at := range sums {
		switch more := *others[metric]; {
		case more != nil && *at != nil:
			**at += *more
		case more != nil:
			*at = more
		}
	}
}

// addAccountFigures inserts sums in one statement. Views are of a later migration.
func (db *DB) addAccountFigures(ctx context.Context, sums daySums) error {
	if len(sums) == 0 {
		return nil
	}
	rows := make([]*dayFiguresRow, 0, len(sums))
	for _, row := range sums {
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b *dayFiguresRow) int { return strings.Compare(a.MissionID, b.MissionID) })
	_, err := db.write.Exec(ctx, db.NewInsert().Model(&rows).ModelTableExpr("account_figures AS df").ExcludeColumn("views"))
	return err
}
