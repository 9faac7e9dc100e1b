package missions

import (
	"context"

	"missiond/internal/textindex"
	"missiond/mission"
	"missiond/store"
)

// ListContents returns a page of the posts that a query selects of the tenant's. Errors:
// invalid_request, naming the parameter, also for a mission or an account of another
// tenant; without a param for a cursor.
func (s *API) ListContents(
	ctx context.Context, p mission.Principal, q mission.ContentQuery, page store.Page,
) (listed store.Listed[mission.Content], err error) {
	if q, err = reachable(p, q); err != nil {
		return listed, err
	}
	if err := page.Check(mission.PrefixContent, "post"); err != nil {
		return listed, err
	}
	if err := s.checkWhose(ctx, p, q.MissionID, q.IntegrationID); err != nil {
		return listed, err
	}
	return s.db.ListContents(ctx, p.TenantID, q, page)
}

// CountListed returns how many of the tenant's posts a query selects, or
// store.Uncounted if they are too many to be counted. Errors: as for ListContents.
func (s *API) CountListed(ctx context.Context, p mission.Principal, q mission.ContentQuery) (int, error) {
	q, err := reachable(p, q)
	if err != nil {
		return 0, err
	}
	return s.db.CountListed(ctx, p.TenantID, q)
}

// reachable returns a query in its stored form, for the posts that the caller reaches.
// Errors: invalid_request, naming the parameter.
func reachable(p mission.Principal, q mission.ContentQuery) (mission.ContentQuery, error) {
	q, err := q.Check()
	if err != nil {
		return q, err
	}
	if q.Search != "" && len(textindex.Words(q.Search)) == 0 {
		return q, mission.Invalid("search", "The search must have characters that can be seen.")
	}
	if q.MissionID == "" {
		q.MissionID = p.MissionID
	}
	if !p.Reaches(q.MissionID) {
		return q, mission.Invalid("mission_id", "No such mission: %q.", q.MissionID)
	}
	return q, nil
}

// checkWhose checks that a filter's mission and account, if it has them, are the
// tenant's; the account may be disconnected by now. Errors: invalid_request, naming the parameter.
func (s *API) checkWhose(ctx context.Context, p mission.Principal, missionID, integrationID string) error {
	_, err := s.reported(ctx, p, missionID)
	if err == nil {
		_, err = s.reportedPlatform(ctx, p, integrationID)
	}
	return err
}
