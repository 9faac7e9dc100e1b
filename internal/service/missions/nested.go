package missions

import (
	"context"
	"time"

	"missiond/mission"
	"missiond/store"
)

// The methods below read what belongs to several records in one go: the number of
// statements doesn't grow with the records. Ids of other tenants find nothing.

// ContentsByID returns the tenant's posts with the given ids, by id. Ids that don't
// exist are absent, here and below.
func (s *API) ContentsByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Content, error) {
	return s.db.ContentsByID(ctx, p.TenantID, ids)
}

// NextPublishAtOf returns when the next post of each mission is due, by mission id.
func (s *API) NextPublishAtOf(ctx context.Context, _ mission.Principal, missionIDs []string) (map[string]time.Time, error) {
	return s.db.NextPublishAt(ctx, missionIDs...)
}

// ContentsOf returns a page of the posts of each mission, by mission id. Errors:
// invalid_request.
func (s *API) ContentsOf(
	ctx context.Context, p mission.Principal, missionIDs []string, f store.ContentFilter, page store.Page,
) (map[string]store.Listed[mission.Content], error) {
	if err := page.Check(mission.PrefixContent, contentNoun); err != nil {
		return nil, err
	}
	return s.db.ContentsOf(ctx, p.TenantID, missionIDs, f, page)
}

// CountContentsOf returns how many posts of each mission match a filter, by mission
// id.
func (s *API) CountContentsOf(
	ctx context.Context, p mission.Principal, missionIDs []string, f store.ContentFilter,
) (map[string]int, error) {
	return s.db.CountContentsOf(ctx, p.TenantID, missionIDs, f)
}

// RevisionsOf returns a page of the earlier texts of each post, latest first, by post id.
func (s *API) RevisionsOf(ctx context.Context, p mission.Principal, contentIDs []string, page store.TextPage) (map[string][]mission.Revision, error) {
	return s.db.RevisionsOf(ctx, p.TenantID, contentIDs, page)
}

// JobsByID returns the tenant's jobs with the given ids, with some of their columns.
func (s *API) JobsByID(ctx context.Context, p mission.Principal, ids []string, c store.Columns) (map[string]mission.Job, error) {
	return s.db.JobsByID(ctx, p.TenantID, ids, c)
}

// PostsOfJobs returns how many posts of each of the tenant's jobs came how far, by job id.
func (s *API) PostsOfJobs(ctx context.Context, p mission.Principal, jobIDs []string) (map[string]mission.JobPosts, error) {
	return s.db.PostsOfJobs(ctx, p.TenantID, jobIDs)
}

// JobsOf returns a page of the jobs of each mission, newest first, by mission id.
// Errors: invalid_request.
func (s *API) JobsOf(
	ctx context.Context, p mission.Principal, missionIDs []string, page store.Page,
) (map[string]store.Listed[mission.Job], error) {
	if err := page.Check(mission.PrefixJob, "job"); err != nil {
		return nil, err
	}
	return s.db.JobsOf(ctx, p.TenantID, missionIDs, page)
}
