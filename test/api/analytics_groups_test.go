package api

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
)

// The figures of accounts and of missions add up to the totals; missions are sorted by the
// metric that is asked for, and nobody sees those of another tenant.
func TestAnalyticsByAccountAndMission(t *testing.T) {
	t.Parallel()
	for name, open := range testkit.Dialects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			rest, gql := restAPI{s}, graphAPI{s}
			connected := rest.connect(object{"platform": "twitter", "access_token": "good"})
			account, _ := connected.Fields["id"].(string)
			handle, _ := at(connected.Fields, "account", "handle").(string)
			if account == "" {
				t.Fatalf("no account is connected: %+v", connected)
			}
			var ids []string
			for i, likes := range []float64{10, 30, 20} {
				id := s.make(rest, object{"start_immediately": true, "platforms": []string{"twitter", "mastodon"}})
				ids = append(ids, id)
				figures := map[string]mission.Metrics{}
				on := mission.Destination{Platform: mission.Mastodon}
				if i == 1 {
					on = mission.Destination{Platform: mission.Twitter, IntegrationID: account}
				}
				for range 3 - i {
					post := s.publishedOn(id, on, s.clock.Now().Add(-time.Hour))
					figures[post] = mission.Metrics{mission.Impressions: 1000, mission.Likes: likes}
				}
				s.measure(id, s.clock.Now(), figures)
			}
			const query = `query ($by: Metric, $group: AnalyticsGrouping!) { analytics(groupBy: $group) { posts totals { likes }
				accounts { platform integrationId integration { id } account { handle } posts metrics { likes } }
				missions(by: $by) { missionId mission { name } posts metrics { likes engagementRate } } } }`
			asked := func(group string, by any) map[string]any {
				t.Helper()
				data, failed := gql.call(query, map[string]any{"group": group, "by": by})
				if failed.Code != "" {
					t.Fatalf("got %s on %q", failed.Code, failed.Param)
				}
				return data["analytics"].(map[string]any)
			}
			order := func(by any) (list []string) {
				t.Helper()
				a := asked("MISSION", by)
				likes, posts := 0.0, 0.0
				for _, each := range a["missions"].([]any) {
					m := each.(map[string]any)
					list = append(list, m["missionId"].(string))
					likes += at(m, "metrics", "likes").(float64)
					posts += m["posts"].(float64)
					if at(m, "mission", "name") == nil {
						t.Errorf("%v has no mission", m)
					}
				}
				if likes != at(a, "totals", "likes") || posts != a["posts"] {
					t.Errorf("by %v %v likes of %v posts are in %v", by, likes, posts, a)
				}
				return list
			}
			for by, want := range map[any][]string{
				nil: ids, "LIKES": {ids[1], ids[0], ids[2]}, "ENGAGEMENT_RATE": {ids[1], ids[2], ids[0]}, "REACH": slices.Sorted(slices.Values(ids)),
			} {
				if got := order(by); !slices.Equal(got, want) {
					t.Errorf("by %v got %v, want %v", by, got, want)
				}
			}
			accounts := asked("ACCOUNT", nil)
			if accounts["missions"] != nil {
				t.Error("a report by account has missions")
			}
			want := fmt.Sprintf("[map[account:map[handle:%[2]s] integration:map[id:%[1]s] integrationId:%[1]s metrics:map[likes:60] platform:TWITTER posts:2] "+
				"map[account:<nil> integration:<nil> integrationId:<nil> metrics:map[likes:50] platform:MASTODON posts:4]]", account, handle)
			if got := fmt.Sprint(accounts["accounts"]); got != want {
				t.Errorf("got the accounts\n%s, want\n%s", got, want)
			}
			filtered, failed := gql.call(`query ($id: ID!) { analytics(integrationId: $id, groupBy: MISSION) { integration { id } posts missions { missionId posts } } }`, map[string]any{"id": account})
			if got, want := fmt.Sprint(filtered["analytics"]), fmt.Sprintf("map[integration:map[id:%s] missions:[map[missionId:%s posts:2]] posts:2]", account, ids[1]); failed.Code != "" || got != want {
				t.Errorf("got of the account\n%s, %+v, want\n%s", got, failed, want)
			}
			s.field(rest.disconnect(account), "deleted", true)
			former := at(asked("ACCOUNT", nil), "accounts").([]any)[0].(map[string]any)
			if former["integration"] != nil || at(former, "account", "handle") != handle {
				t.Errorf("the disconnected account is %v", former)
			}
			s.key = s.keys["theirs"]
			if got := asked("MISSION", nil)["missions"]; len(got.([]any)) != 0 {
				t.Errorf("another tenant sees %v", got)
			}
			if got := rest.analytics(map[string]any{"group_by": "mission"}); got.Code != "invalid_request" || got.Param != "group_by" {
				t.Errorf("REST groups by mission: %+v", got)
			}
		})
	}
}

// The posts of all missions are listed once each, whichever accounts they were published on
// and whatever else the document asks for, in pages that add up to the list.
func TestAnalyticsListsEachPostOnce(t *testing.T) {
	t.Parallel()
	for name, open := range testkit.Dialects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			rest, gql := restAPI{s}, graphAPI{s}
			connected := rest.connect(object{"platform": "twitter", "access_token": "good"})
			account, _ := connected.Fields["id"].(string)
			var want []string
			for range 2 {
				id := s.make(rest, object{"start_immediately": true, "platforms": []string{"twitter", "mastodon", "linkedin"}})
				figures := map[string]mission.Metrics{}
				for i, on := range []mission.Destination{
					{Platform: mission.Twitter, IntegrationID: account}, {Platform: mission.Mastodon}, {Platform: mission.LinkedIn}, {Platform: mission.Mastodon},
				} {
					post := s.publishedOn(id, on, s.clock.Now().Add(-time.Duration(i+1)*time.Minute))
					figures[post] = mission.Metrics{mission.Likes: 1}
					want = append(want, post)
				}
				s.measure(id, s.clock.Now(), figures)
			}
			slices.Sort(want)
			const posts = `contents(first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor } edges { node { contentId content { id } } } }`
			for _, query := range []string{
				`query ($first: Int!, $after: String) { analytics(groupBy: CONTENT) { posts ` + posts + ` } }`,
				`query ($first: Int!, $after: String) { by: analytics(groupBy: ACCOUNT) { accounts { integration { id } } }
					analytics(groupBy: CONTENT) { posts integration { id } ` + posts + ` } again: analytics(groupBy: CONTENT) { ` + posts + ` } }`,
			} {
				for _, first := range []int{1, 3, 8, 50} {
					var got []string
					for after, more := any(nil), true; more && len(got) <= len(want); {
						data, failed := gql.call(query, map[string]any{"first": first, "after": after})
						if failed.Code != "" {
							t.Fatalf("got %+v", failed)
						}
						a := data["analytics"].(map[string]any)
						if a["posts"] != 8.0 || at(a, "contents", "totalCount") != 8.0 {
							t.Errorf("the report has %v", a)
						}
						for _, e := range at(a, "contents", "edges").([]any) {
							id := at(e.(map[string]any), "node", "contentId").(string)
							if at(e.(map[string]any), "node", "content", "id") != id {
								t.Errorf("%s has the post %v", id, e)
							}
							got = append(got, id)
						}
						after, more = at(a, "contents", "pageInfo", "endCursor"), at(a, "contents", "pageInfo", "hasNextPage").(bool)
					}
					slices.Sort(got)
					if !slices.Equal(got, want) {
						t.Errorf("in pages of %d the posts are %v, want %v", first, got, want)
					}
				}
			}
		})
	}
}
