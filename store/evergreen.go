package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// RestedPosts returns a mission's latest posts by writers through accounts that were published by a
// time, that repeat none and that were measured at mission.RipeAge, latest first, with the figures
// that they had then: as many of each account.
func (tx Tx) RestedPosts(
	ctx context.Context, missionID string, accounts []mission.Destination, publishedBy time.Time, limit int, now time.Time,
) ([]mission.Content, error) {
	keys := make([]mission.PeerKey, len(accounts))
	for i, d := range accounts {
		keys[i] = mission.PeerKey{Platform: d.Platform, IntegrationID: d.IntegrationID, Step: mission.RipeStep}
	}
	var rows []*contentRow
	err := tx.ofKeys(ctx, &rows, keys, func(k mission.PeerKey) *bun.SelectQuery {
		return accountMeasurements(tx.Builder, missionID, k, now, limit/len(keys)).
			ColumnExpr("c.id, c.platform, c.integration_id, c.published_at, ms.metrics").
			Where("c.published_at <= ?", publishedBy).Where("c.job_id IS NOT NULL").Where("c.repeats IS NULL")
	})
	return contentsOf(rows, err)
}

// Originals returns those of a tenant's posts that a writer wrote, by id, each with what it was
// planned as and when it was repeated last, if that may be after a time.
func (tx Tx) Originals(ctx context.Context, tenantID string, ids []string, since time.Time) (map[string]mission.Original, error) {
	posts, err := findAll(ctx, tx.on, tx.NewSelect().Where("c.tenant_id = ?", tenantID).Where("?", database.In("c.id", ids)).
		Where("c.job_id IS NOT NULL"), contentRow.content)
	if err != nil {
		return nil, err
	}
	jobIDs := make([]string, len(posts))
	for i, c := range posts {
		jobIDs[i] = c.JobID
	}
	jobs, err := tx.db.readJobs(ctx, tx.on, tx.NewSelect().Where("j.tenant_id = ?", tenantID).Where("?", database.In("j.id", jobIDs)), "brief,plan")
	if err != nil {
		return nil, err
	}
	plans := make(map[string]*mission.Job, len(jobs))
	for _, j := range jobs {
		plans[j.ID] = j
	}
	repeated, err := tx.LastRepeats(ctx, ids, since)
	originals := make(map[string]mission.Original, len(posts))
	for _, c := range posts {
		j := plans[c.JobID]
		if j == nil {
			continue
		}
		if slot, ok := j.Plan.Slot(c.Position); ok {
			o := mission.Original{Content: c, Planned: slot, Language: j.Brief.Constraints.Language}
			if at, ok := repeated[c.ID]; ok {
				o.Repeated = &at
			}
			originals[c.ID] = o
		}
	}
	return originals, err
}

// LastRepeats returns when posts were repeated last or are to be, whatever became of the repeats, by
// their ids: of those of which that may be after a time.
func (tx Tx) LastRepeats(ctx context.Context, ids []string, since time.Time) (map[string]time.Time, error) {
	repeats, err := findAll(ctx, tx.on, tx.NewSelect().Column("repeats", "published_at", "scheduled_at", "created_at").
		Where("?", database.In("c.repeats", ids)).Where("(c.created_at > ? OR c.scheduled_at > ?)", since, since), contentRow.content)
	last := make(map[string]time.Time, len(repeats))
	for _, c := range repeats {
		for _, at := range []*time.Time{&c.CreatedAt, c.ScheduledAt, c.PublishedAt} {
			if at != nil && at.After(last[c.Repeats]) {
				last[c.Repeats] = *at
			}
		}
	}
	return last, err
}
