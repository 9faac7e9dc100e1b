package api

import (
	"fmt"
	"net/http"
	"testing"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// An account's series has a row for each day of its range, null where nothing is known, in both APIs;
// ten accounts' series are read in as many statements as one's.
func TestAccountSeries(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			rest, gql := restAPI{s}, graphAPI{s}
			connect := func(account string) string {
				s.platform.set(func(f *fakePlatform) { f.account = account })
				return rest.connect(map[string]any{"platform": "twitter", "access_token": "good"}).Fields["id"].(string)
			}
			id := connect("1")
			caller, err := s.Accounts.Authenticate(t.Context(), s.key)
			s.must(err)
			followers, reach := int64(1204), int64(0)
			day := func(date string, f mission.AccountFigures) mission.AccountDay {
				return mission.AccountDay{TenantID: caller.TenantID, IntegrationID: id, Platform: mission.Twitter, DayFigures: mission.DayFigures{Date: date, AccountFigures: f}}
			}
			err = s.DB.Tx(t.Context(), func(tx store.Tx) error {
				return tx.SetAccountDays(t.Context(), []mission.AccountDay{
					day("2026-11-19", mission.AccountFigures{Followers: &followers}), day("2026-11-21", mission.AccountFigures{Reach: &reach}),
				}, s.clock.Now())
			})
			if err != nil {
				t.Fatal(err)
			}
			read := func(query string) (int, map[string]any) {
				status, got := s.send(http.MethodGet, "/v1/integrations/"+id+"/series"+query, nil)
				return status, got
			}
			status, got := read("?from=2026-11-19&to=2026-11-21")
			want := `map[data:[map[date:2026-11-19 followers:1204 reach:<nil> views:<nil>] map[date:2026-11-20 followers:<nil> reach:<nil> views:<nil>] map[date:2026-11-21 followers:<nil> reach:0 views:<nil>]] from:2026-11-19 integration_id:` + id + ` kept_days:30 platform:twitter to:2026-11-21]`
			if status != http.StatusOK || fmt.Sprint(got) != want {
				t.Errorf("got %d, %v, want %s", status, got, want)
			}
			_, got = read("")
			if days, _ := got["data"].([]any); len(days) != 30 || got["to"] != "2026-11-21" {
				t.Errorf("by default got %d days up to %v", len(days), got["to"])
			}
			for query, param := range map[string]string{"?from=2025-10-17": "from", "?from=2026-12-01": "from", "?to=soon": "to"} {
				if status, got := read(query); status != http.StatusBadRequest {
					t.Errorf("%s (%s): got %d, %v", query, param, status, got)
				}
			}
			if status, got := read("?from=2025-10-18"); status != http.StatusOK || len(got["data"].([]any)) != mission.MaxAccountDays {
				t.Errorf("400 days: got %d, %v", status, got["code"])
			}
			shown := gql.query(fmt.Sprintf(`{ integration(id: %q) { seriesKeptDays series(from: "2026-11-19", to: "2026-11-20") { date followers reach views } } }`, id))["integration"]
			s.equal("in GraphQL", fmt.Sprint(shown), "map[series:[map[date:2026-11-19 followers:1204 reach:<nil> views:<nil>] map[date:2026-11-20 followers:<nil> reach:<nil> views:<nil>]] seriesKeptDays:30]")
			if failed := gql.run(fmt.Sprintf(`{ integration(id: %q) { series(from: "2025-10-17") { date } } }`, id), nil, "integration"); failed.Code != "invalid_request" {
				t.Errorf("401 days in GraphQL: got %q", failed.Code)
			}
			s.plain = nil // statements are counted
			statements := func(n int) int64 {
				before := s.faults.Statements()
				query := `query($n: Int!) { integrations(first: $n) { edges { node { series { date followers } } } } }`
				if _, failed := gql.call(query, map[string]any{"n": n}); failed.Code != "" {
					t.Fatal(fmt.Sprint(failed))
				}
				return s.faults.Statements() - before
			}
			one := statements(1)
			for n := range 4 {
				connect(fmt.Sprint(n + 3))
			}
			if many := statements(5); one != many {
				t.Errorf("one account takes %d statements, five %d", one, many)
			}
		})
	}
}
