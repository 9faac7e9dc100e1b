package feed_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"missiond/internal/feed"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// Listeners to notifications get each once, in the order of their commits: in any
// process, from any one on, and at any speed.
func TestNotificationListenersMissNothing(t *testing.T) {
	testkit.EachDB(t, store.Options{}, func(t *testing.T, db *store.DB) {
		w := world.New(t, db)
		add := func(n int) (ids []string) {
			t.Helper()
			for range n {
				at := world.Began.Add(-time.Duration(len(ids)) * time.Second)
				note := mission.Notification{ID: db.NewID(mission.PrefixNotification, at), TenantID: w.Tenant.TenantID, Kind: mission.NotifyContentExpired, SubjectID: w.Tenant.TenantID, CreatedAt: at}
				w.Must(db.Tx(t.Context(), func(tx store.Tx) error { return tx.AddNotification(t.Context(), note) }))
				ids = append(ids, note.ID)
			}
			return ids
		}
		before := add(2)
		home, away := follow(w, true), follow(w, false)
		listen := func(f *feed.Feed, after string) *feed.Notifications {
			n, err := f.Notifications(t.Context(), w.Tenant.TenantID, after)
			w.Must(err)
			t.Cleanup(n.Close)
			return n
		}
		take := func(l *feed.Notifications, n int) (ids []string) {
			t.Helper()
			ctx, cancel := context.WithTimeout(t.Context(), await.Long())
			defer cancel()
			for len(ids) < n {
				list, err := l.Next(ctx)
				w.Must(err)
				for _, note := range list {
					ids = append(ids, note.ID)
				}
			}
			return ids
		}
		same := func(what string, got, want []string) {
			t.Helper()
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("a listener %s got %v, want %v", what, got, want)
			}
		}
		quick, far, slow := listen(home, ""), listen(away, ""), listen(home, "")
		one := add(1)
		same("at once", take(quick, 1), one)
		same("in another process", take(far, 1), one)
		more := add(40) // more than a feed keeps
		same("at once", take(quick, 40), more)
		same("in another process", take(far, 40), more)
		same("slowly", take(slow, 41), append(one[:1:1], more...))
		same("since the first", take(listen(away, before[0]), 42), append([]string{before[1], one[0]}, more...))
		_, err := home.Notifications(t.Context(), w.Tenant.TenantID, "ntf_x")
		if mission.CodeOf(err) != mission.CodeInvalidRequest {
			t.Errorf("an invalid cursor returns %v", err)
		}
	})
}
