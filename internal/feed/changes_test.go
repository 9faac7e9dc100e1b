package feed_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"missiond/internal/feed"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// A listener to changes is told of each kind that was changed since it last heard: in any
// process, and also of those that were committed while it didn't listen. Changes of other
// tenants, and those that were rolled back, are none.
func TestChangesAreTold(t *testing.T) {
	testkit.EachDB(t, store.Options{}, func(t *testing.T, db *store.DB) {
		w, other := world.New(t, db), world.New(t, db).Tenant.TenantID
		change := func(tenantID string, actions ...mission.AuditAction) func(tx store.Tx) error {
			return func(tx store.Tx) error {
				for _, action := range actions {
					if err := tx.Audit(t.Context(), tx.AuditEntry(mission.Principal{TenantID: tenantID}, action, tenantID, nil, world.Began)); err != nil {
						return err
					}
				}
				return nil
			}
		}
		commit := func(actions ...mission.AuditAction) {
			w.Must(db.Tx(t.Context(), change(w.Tenant.TenantID, actions...)))
		}
		commit(mission.AuditKeyCreated) // before anybody listens
		for where, f := range map[string]*feed.Feed{"at once": follow(w, true), "in another process": follow(w, false)} {
			c, err := f.Changes(t.Context(), w.Tenant.TenantID)
			w.Must(err)
			t.Cleanup(c.Close)
			told := func(want ...mission.ChangeKind) {
				t.Helper()
				ctx, cancel := context.WithTimeout(t.Context(), await.Long())
				defer cancel()
				var got []mission.ChangeKind
				for len(got) < len(want) {
					kinds, err := c.Next(ctx)
					w.Must(err)
					got = append(got, kinds...)
				}
				slices.Sort(got)
				slices.Sort(want)
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s a listener is told of %v, want %v", where, got, want)
				}
			}
			w.Must(db.Tx(t.Context(), change(other, mission.AuditWebhookCreated)))
			err = db.Tx(t.Context(), func(tx store.Tx) error {
				if err := change(w.Tenant.TenantID, mission.AuditMemberJoined)(tx); err != nil {
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
