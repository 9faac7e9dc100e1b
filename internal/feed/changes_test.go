package feed_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"missiond/internal/feed"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// A listener to changes is told of each kind that was changed since it last heard: in any
// process, and also of those that were committed while it didn't listen. Changes of other
// tenants, and those that were rolled back, are none.
func TestChangesAreTold(t *testing.T) {
	testkit.EachDB(t, store.Options{}, func(t *testing.T, db *store.DB) {
		h, other := open(t, db), open(t, db).p.TenantID
		change := func(tenantID string, actions ...mission.AuditAction) func(tx store.Tx) error {
			return func(tx store.Tx) error {
				for _, action := range actions {
					if err := tx.Audit(t.Context(), tx.AuditEntry(mission.Principal{TenantID: tenantID}, action, tenantID, nil, began)); err != nil {
						return err
					}
				}
				return nil
			}
		}
		commit := func(actions ...mission.AuditAction) { h.must(db.Tx(t.Context(), change(h.p.TenantID, actions...))) }
		commit(mission.AuditKeyCreated) // before anybody listens
		for where, f := range map[string]*feed.Feed{"at once": h.follow(true), "in another process": h.follow(false)} {
			c, err := f.Changes(t.Context(), h.p.TenantID)
			h.must(err)
			t.Cleanup(c.Close)
			told := func(want ...mission.ChangeKind) {
				t.Helper()
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				var got []mission.ChangeKind
				for len(got) < len(want) {
					kinds, err := c.Next(ctx)
					h.must(err)
					got = append(got, kinds...)
				}
				slices.Sort(got)
				slices.Sort(want)
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s a listener is told of %v, want %v", where, got, want)
				}
			}
			h.must(db.Tx(t.Context(), change(other, mission.AuditWebhookCreated)))
			err = db.Tx(t.Context(), func(tx store.Tx) error {
				if err := change(h.p.TenantID, mission.AuditMemberJoined)(tx); err != nil {
					return err
				}
				return mission.Conflict("Never mind.")
			})
			if mission.CodeOf(err) != mission.CodeConflict {
				t.Fatal(err)
			}
			commit(mission.AuditTenantUpdated)
			told(mission.ChangeTenant)
			commit(mission.AuditTenantUpdated, mission.AuditIntegrationUpdated)
			commit(mission.AuditKeyRevoked)
			told(mission.ChangeTenant, mission.ChangeIntegrations, mission.ChangeKeys)
		}
	})
}
