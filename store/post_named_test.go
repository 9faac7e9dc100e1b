package store_test

import (
	"testing"

	"missiond/mission"
	"missiond/store"
)

// A platform's post is known by its id, for its tenant and account alone.
func TestPostNamed(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		j := f.job(m)
		id := "1896500000000000000"
		c := mission.Content{
			ID: f.db.NewID(mission.PrefixContent, start), TenantID: m.TenantID, MissionID: m.ID, JobID: j.ID, Platform: mission.Twitter, IntegrationID: "int_1", PlatformPostID: &id,
			Format: mission.FormatPost, Status: mission.ContentPublished, Parts: []string{}, Revision: 1, ScheduledAt: &start, PublishedAt: &start, CreatedAt: start, UpdatedAt: start,
		}
		f.must(f.tx(func(tx store.Tx) error { return tx.AddContent(ctx, c, nil) }))
		for _, tt := range []struct{ tenant, integration, post, want string }{
			{m.TenantID, "int_1", id, c.ID}, {m.TenantID, "int_2", id, ""}, {m.TenantID, "int_1", "1", ""}, {"ten_other", "int_1", id, ""},
		} {
			f.must(f.tx(func(tx store.Tx) error {
				got, err := tx.PostNamed(ctx, tt.tenant, tt.integration, tt.post)
				if got != tt.want {
					t.Errorf("%+v: got %q", tt, got)
				}
				return err
			}))
		}
	})
}
