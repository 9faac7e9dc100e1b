package missions

import (
	"context"
	"maps"
	"slices"

	"missiond/mission"
)

// Healths returns how several of the tenant's missions are doing, by id, in as many statements as
// one. Drafts, completed missions and ids that don't exist are absent.
func (s *API) Healths(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Health, error) {
	missions, err := s.db.MissionsByID(ctx, p.TenantID, ids)
	if err != nil {
		return nil, err
	}
	return s.HealthsOf(ctx, p, slices.Collect(maps.Values(missions)))
}

// HealthsOf is Healths for missions of the tenant's that have been read, with all columns.
func (s *API) HealthsOf(ctx context.Context, p mission.Principal, missions []mission.Mission) (map[string]mission.Health, error) {
	var running []mission.Mission
	var ids []string
	for _, m := range missions {
		if m.HasHealth() {
			running, ids = append(running, m), append(ids, m.ID)
		}
	}
	if len(running) == 0 {
		return nil, nil
	}
	var jobIDs, accountIDs []string
	var platforms []mission.Platform
	for _, m := range running {
		if m.PipelineJobID != nil {
			jobIDs = append(jobIDs, *m.PipelineJobID)
		}
		accountIDs, platforms = append(accountIDs, m.IntegrationIDs...), append(platforms, m.Platforms...)
	}
	o, err := s.outside(ctx, p, compact(platforms), compact(accountIDs))
	if err != nil {
		return nil, err
	}
	at, now := progress{}, s.clock.Now()
	if at.jobs, err = s.db.JobsByID(ctx, p.TenantID, jobIDs, whyJob); err != nil {
		return nil, err
	}
	times, err := s.db.PostTimes(ctx, p.TenantID, ids, mission.SlotsUntil(now))
	if err != nil {
		return nil, err
	}
	healths := make(map[string]mission.Health, len(running))
	for _, m := range running {
		healths[m.ID] = *mission.HealthOf(mission.HealthSituation{MissionSituation: at.situation(m, o, now), Times: times[m.ID]})
	}
	return healths, nil
}
