package missions

import (
	"context"
	"time"

	"missiond/internal/checks"
	"missiond/mission"
	"missiond/store"
)

// exclusions returns what decides whether a mission's posts may go out. The caller has
// the mission's lock, so that a later change of the exclusions rechecks what the caller writes.
func exclusions(ctx context.Context, tx store.Tx, m mission.Mission) (*checks.Exclusions, error) {
	brand, err := tx.Brand(ctx, m.TenantID)
	return checks.NewExclusions(m.Exclusions(brand)), err
}

// judge returns the results of the rules that bind everybody for a post that isn't out at now.
func judge(c mission.Content, e *checks.Exclusions, now time.Time) mission.Verdict {
	return e.Verdict(c.FullText(), c.Facts, c.OutAt(now))
}

// personsBar returns what a text is checked by that a person writes for a mission's post, which may
// be like those that it replaces.
func personsBar(
	m mission.Mission, brand mission.Brand, e mission.Exclusions, to destination, own mission.TextLimits, texts mission.TextSet, replaced ...string,
) *checks.Bar {
	others := mission.TextSet{}
	for text := range texts {
		others.Add(text)
	}
	others.Remove(replaced...)
	a := mission.Assignment{
		Brief: mission.NewBrief(m, brand), Slot: mission.Slot{Platform: to.platform, IntegrationID: to.integrationID}, Limits: own,
		LatestTexts: others,
	}.Under(e)
	return checks.New(a).ForPerson()
}

// latestOn returns the texts of a tenant's latest posts on the platforms of inputs, and of their
// accounts if there is one input.
func (s *API) latestOn(ctx context.Context, tenantID string, in []ContentInput) (textSets, error) {
	known := textSets{}
	for _, each := range in {
		to := destination{platform: each.Platform}
		if len(in) == 1 && each.IntegrationID != nil {
			to.integrationID = *each.IntegrationID
		}
		if _, err := s.latestTexts(ctx, known, tenantID, to, ""); err != nil {
			return nil, err
		}
	}
	return known, nil
}

// on returns the texts of the latest posts of an account or, if only those are known, on its platform.
func (t textSets) on(to destination) mission.TextSet {
	if texts, ok := t[to]; ok {
		return texts.own
	}
	return t[destination{platform: to.platform}].own
}
