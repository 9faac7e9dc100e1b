package missions

import (
	"context"

	"missiond/mission"
)

// attentionScopes are the kinds of what needs a person that missions have, with the
// scopes that see them.
var attentionScopes = map[mission.AttentionKind]mission.Scope{
	mission.AttentionJob: mission.ScopeMissionsRead, mission.AttentionBudget: mission.ScopeMissionsRead,
	mission.AttentionReview: mission.ScopeContentRead, mission.AttentionContent: mission.ScopeContentRead,
	mission.AttentionOverdue: mission.ScopeContentRead, mission.AttentionUnknown: mission.ScopeContentRead,
	mission.AttentionExpired: mission.ScopeContentRead, mission.AttentionDeletion: mission.ScopeMissionsRead,
}

// Attention returns what needs a person in the tenant's missions and posts, of the kinds
// that p's scopes see and that there are any of.
func (s *API) Attention(ctx context.Context, p mission.Principal) ([]mission.Attention, error) {
	var kinds []mission.AttentionKind
	for _, kind := range mission.AllAttentionKinds() {
		if scope, ok := attentionScopes[kind]; ok && p.Has(scope) {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == 0 {
		return nil, nil
	}
	return s.db.Attention(ctx, p.TenantID, kinds, mission.AttentionAt(s.clock.Now()))
}
