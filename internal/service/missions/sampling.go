package missions

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"

	"missiond/mission"
)

// WriteSample has the tenant's writer write a post in the tenant's brand, as it would be with a
// change of it, and stores nothing. No mission's budget pays for it: how often is bounded. Errors:
// invalid_request; conflict if the writer can't write it; service_unavailable if the writer is unavailable.
func (s *API) WriteSample(ctx context.Context, p mission.Principal, in mission.SampleInput) (mission.Draft, error) {
	tenant, err := s.db.Tenant(ctx, p.TenantID)
	if err != nil {
		return mission.Draft{}, err
	}
	var chance [8]byte          // each sample is another one
	_, _ = rand.Read(chance[:]) // never fails
	a, err := in.Assignment(tenant, binary.LittleEndian.Uint64(chance[:]), s.clock.Now())
	if err != nil {
		return mission.Draft{}, err
	}
	if a.Limits, err = s.ownLimits(ctx, accountsOn{}, p.TenantID, in.Platform, ""); err != nil {
		return mission.Draft{}, err
	}
	pen, err := s.penOf(ctx, s.store, p.TenantID)
	if err != nil {
		return mission.Draft{}, err
	}
	d, _, err := s.write(ctx, pen, a)
	var wrong *mission.Error
	if errors.As(err, &wrong) && wrong.Param == "objectives" { // the only one is the subject
		return d, mission.Invalid("subject", "%s", wrong.Message)
	}
	return d, refusal(err)
}
