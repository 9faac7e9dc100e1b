package missions

import (
	"context"
	"time"

	"missiond/mission"
)

// Recent returns what has become of the tenant's posts since a time, of the last seven days: it
// takes as long whatever the tenant has from before.
func (s *API) Recent(ctx context.Context, p mission.Principal, since time.Time) (mission.Recent, error) {
	r := mission.Recent{Since: mission.RecentSince(since, s.clock.Now())}
	counts, err := s.db.CountRecent(ctx, p.TenantID, r.Since, mission.EventContentPublished, mission.EventContentExpired, mission.EventContentFailed)
	if err != nil {
		return r, err
	}
	r.Published, r.Expired, r.Failed = counts[0], counts[1], counts[2]
	posts, err := s.db.RecentlyMeasured(ctx, p.TenantID, r.Since, mission.RecentCounted)
	r.BestID = mission.BestPost(posts)
	return r, err
}
