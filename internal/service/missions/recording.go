package missions

import (
	"context"
	"maps"
	"slices"
	"time"

	"missiond/mission"
	"missiond/store"
)

// Record returns the record of a post, whole; see RecordPart.
func (s *API) Record(ctx context.Context, p mission.Principal, id string) (mission.Record, error) {
	return s.RecordPart(ctx, p, id, store.RecordParts{Texts: &store.TextPage{}, Reviews: true})
}

// RecordPart returns the given parts of the record of a post, also of one whose mission was deleted, for
// mission.RecordLife. Errors: not_found.
func (s *API) RecordPart(ctx context.Context, p mission.Principal, id string, parts store.RecordParts) (mission.Record, error) {
	c, err := s.Content(ctx, p, id)
	if mission.CodeOf(err) == mission.CodeNotFound && mission.HasIDForm(mission.PrefixContent, id) {
		return s.db.Record(ctx, p.TenantID, id, s.clock.Now())
	}
	if err != nil {
		return mission.Record{}, err
	}
	records, err := s.recordsOf(ctx, p, []mission.Content{c}, parts)
	if err != nil {
		return mission.Record{}, err
	}
	if r, ok := records[id]; ok {
		return r, nil
	}
	return s.db.Record(ctx, p.TenantID, id, s.clock.Now()) // its mission was deleted meanwhile
}

// Records returns the given parts of the records of those of the tenant's posts that exist, by id. The number of
// statements doesn't grow with the posts.
func (s *API) Records(ctx context.Context, p mission.Principal, ids []string, parts store.RecordParts) (map[string]mission.Record, error) {
	posts, err := s.db.ContentsByID(ctx, p.TenantID, ids)
	if err != nil {
		return nil, err
	}
	return s.recordsOf(ctx, p, slices.Collect(maps.Values(posts)), parts)
}

func (s *API) recordsOf(ctx context.Context, p mission.Principal, posts []mission.Content, parts store.RecordParts) (map[string]mission.Record, error) {
	ids := make([]string, len(posts))
	for i, c := range posts {
		ids[i] = c.MissionID
	}
	slices.Sort(ids)
	of, err := s.db.MissionsByID(ctx, p.TenantID, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	sources, err := s.db.RecordSources(ctx, p.TenantID, posts, parts)
	if err != nil {
		return nil, err
	}
	records := make(map[string]mission.Record, len(posts))
	for _, c := range posts {
		if m, ok := of[c.MissionID]; ok {
			records[c.ID] = newRecord(m, c, sources, s.clock.Now())
		}
	}
	return records, nil
}

func newRecord(m mission.Mission, c mission.Content, s store.RecordSources, now time.Time) mission.Record {
	return m.NewRecord(c, s.Revisions[c.ID], s.Reviews[c.ID], s.Names, now)
}

// recordBatch is how many posts of a mission that is deleted are recorded at a time.
const recordBatch = 100

// recordAll keeps the records of those of a mission's posts that its platforms have something of:
// the mission is about to be deleted. Their tracked links lead on for as long.
func recordAll(ctx context.Context, tx store.Tx, m mission.Mission, now time.Time) error {
	until := now.Add(mission.RecordLife)
	if err := tx.ExpireTrackedLinks(ctx, m.ID, until); err != nil {
		return err
	}
	for after := ""; ; {
		posts, err := tx.PostsToRecord(ctx, m.ID, after, recordBatch)
		if err != nil || len(posts) == 0 {
			return err
		}
		sources, err := tx.RecordSources(ctx, m.TenantID, posts)
		if err != nil {
			return err
		}
		records := make([]mission.Record, len(posts))
		for i, c := range posts {
			records[i] = newRecord(m, c, sources, now)
			after = c.ID
		}
		if err := tx.AddRecords(ctx, m.TenantID, records, until); err != nil {
			return err
		}
	}
}
