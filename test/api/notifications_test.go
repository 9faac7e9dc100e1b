package api

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// notify adds a notification about a record to the caller's tenant.
func (s *harness) notify(p mission.Principal, kind mission.NotificationKind, subject string) string {
	s.t.Helper()
	n := mission.Notification{
		ID: s.DB.NewID(mission.PrefixNotification, s.clock.Now()), TenantID: p.TenantID, Kind: kind, Message: "m", SubjectID: subject, CreatedAt: s.clock.Now(),
	}
	s.must(s.DB.Tx(context.Background(), func(tx store.Tx) error { return tx.AddNotification(context.Background(), n) }))
	return n.ID
}

// Notifications arrive as they are added, with what they are about; with after,
// preceded by those since then. Another tenant's don't.
func TestNotificationSubscriptions(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		for name, subscribe := range transports {
			t.Run(dialect+"/"+name, func(t *testing.T) {
				s := newHarness(t, open)
				theirs := s.estate("theirs-live")
				other, err := s.Accounts.Authenticate(context.Background(), theirs.key)
				s.must(err)
				s.key = s.keys["ours"]
				p, err := s.Accounts.Authenticate(context.Background(), s.key)
				s.must(err)
				m := s.make(restAPI{s}, nil)
				const shown = `{ id kind readAt subject { __typename id ... on Mission { name } } }`
				live := subscribe(s, `subscription { notifications `+shown+` }`)
				s.settled(1)
				s.notify(other, mission.NotifyContentExpired, other.TenantID)
				first := s.notify(p, mission.NotifyContentExpired, m)
				s.clock.Advance(time.Second)
				second := s.notify(p, mission.NotifyTenantDeletion, p.TenantID)
				gone := s.notify(p, mission.NotifyWebhookFailing, "whk_01jd0000000000000000000000")
				refused := s.notify(p, mission.NotifyEmailRefused, p.UserID)
				want := []string{first + " Mission " + m, second + " Tenant " + p.TenantID, gone + " <nil> <nil>", refused + " User " + p.UserID}
				kinds := []string{"CONTENT_EXPIRED", "TENANT_DELETION", "WEBHOOK_FAILING", "EMAIL_REFUSED"}
				for i, want := range want {
					n := live.take("notifications")
					s.equal("kind", n["kind"], kinds[i])
					if got := fmt.Sprint(n["id"], " ", at(n, "subject", "__typename"), " ", at(n, "subject", "id")); got != want {
						t.Errorf("got %s as notification %d, want %s", got, i, want)
					}
				}
				live.end()
				again := subscribe(s, fmt.Sprintf(`subscription { notifications(after: %q) { id } }`, first))
				_, inREST := s.send("GET", "/v1/notifications/"+refused, nil)
				s.equal("kind in REST", inREST["kind"], "email_refused")
				for _, want := range []string{second, gone, refused} {
					if n := again.take("notifications"); n["id"] != want {
						t.Errorf("got %v after %s, want %s", n["id"], first, want)
					}
				}
			})
		}
	}
}

// All of the tenant's notifications are marked as read at once, or those up to the
// newest that was seen.
func TestAllNotificationsAreMarkedAsRead(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			theirs := s.estate("theirs-unread")
			s.key = s.keys["ours"]
			p, err := s.Accounts.Authenticate(context.Background(), s.key)
			s.must(err)
			var ids []string
			for range 3 {
				ids = append(ids, s.notify(p, mission.NotifyContentExpired, p.TenantID))
				s.clock.Advance(time.Second)
			}
			call := func(document string) (map[string]any, string) {
				_, response := s.send("POST", "/graphql", map[string]any{"query": document})
				data, _ := response["data"].(map[string]any)
				if response["errors"] != nil {
					return data, fmt.Sprint(at(firstError(response["errors"]), "extensions", "code"))
				}
				return data, ""
			}
			unread := func(want float64) {
				t.Helper()
				data, _ := call(`{ notifications(unread: true) { totalCount } }`)
				s.equal("unread", at(data, "notifications", "totalCount"), want)
			}
			unread(3)
			data, _ := call(fmt.Sprintf(`mutation { markAllNotificationsRead(upTo: %q) { marked } }`, ids[1]))
			s.equal("marked", at(data, "markAllNotificationsRead", "marked"), 2.0)
			unread(1)
			for _, id := range theirs.ids {
				if strings.HasPrefix(id, mission.PrefixNotification) {
					_, code := call(fmt.Sprintf(`mutation { markAllNotificationsRead(upTo: %q) { marked } }`, id))
					s.equal("code", code, "not_found")
				}
			}
			unread(1)
			data, _ = call(`mutation { markAllNotificationsRead { marked } }`)
			s.equal("marked", at(data, "markAllNotificationsRead", "marked"), 1.0)
			unread(0)
			s.key = theirs.key
			unread(1)
		})
	}
}
