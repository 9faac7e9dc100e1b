package api

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/mission"
	"missiond/store"
)

// contentListAPI is the part of both APIs that lists posts.
type contentListAPI interface {
	lifeAPI
	linkAPI
	listed(query map[string]any) result
}

func (a restAPI) listed(query map[string]any) result {
	query = maps.Clone(query)
	if search, ok := query["search"].(string); ok {
		query["search"] = url.QueryEscape(search)
	}
	return a.page("/content", query)
}

func (a graphAPI) listed(query map[string]any) result {
	filter, variables := map[string]any{}, map[string]any{}
	for name, value := range query {
		switch _, paging := listNames[name]; {
		case paging:
		case name == "status" && strings.Contains(value.(string), ","):
			filter["statuses"] = strings.Split(strings.ToUpper(value.(string)), ",")
		case name == "order":
			variables["order"] = strings.ToUpper(value.(string))
		default:
			filter[name] = value
		}
	}
	variables["filter"] = asGraphQL(filter)
	document := `query($first: Int, $after: String, $filter: ContentFilter, $order: ContentOrder) {
		contents(first: $first, after: $after, filter: $filter, order: $order) { ` + pageFields + ` } }`
	got := a.pageOf(document, query, variables, "contents")
	if _, asked := query["status"]; asked && strings.HasPrefix(got.Param, "statuses") {
		got.Param = "status"
	}
	return got
}

// plannedPost is a post that a test inserts.
type plannedPost struct {
	status        mission.ContentStatus
	platform      mission.Platform
	integrationID string
	scheduled     string // "" for none
	published     string
}

// insert inserts posts of the caller's mission, each created a second after the one
// before it. It returns their ids.
func (s *harness) insert(missionID string, posts ...plannedPost) []string {
	s.t.Helper()
	ctx := context.Background()
	p, err := s.Accounts.Authenticate(ctx, s.key)
	s.must(err)
	m, err := s.Missions.Mission(ctx, p, missionID)
	s.must(err)
	j, err := s.DB.Job(ctx, m.TenantID, *m.PipelineJobID)
	s.must(err)
	at := func(text string) *time.Time {
		if text == "" {
			return nil
		}
		t, err := time.Parse(time.RFC3339, text)
		s.must(err)
		return &t
	}
	var made []string
	for i, post := range posts {
		created := s.clock.Now().Add(time.Duration(i) * time.Second)
		slot := mission.Slot{Position: 1000 + int(positions.Add(1)), Platform: post.platform, IntegrationID: post.integrationID, Angle: mission.AngleTip, Format: mission.FormatPost}
		c, events := mission.NewContent(s.DB.NewID(mission.PrefixContent, created), j, mission.NewAssignment(j, slot),
			mission.Draft{Format: mission.FormatPost, Text: fmt.Sprintf("Text %d", i)}, mission.Verdict{}, created)
		c.Status, c.ScheduledAt, c.PublishedAt = post.status, at(post.scheduled), at(post.published)
		if c.Status == mission.ContentPendingReview {
			c.ExpiresAt = new(created.Add(time.Hour))
		}
		s.must(s.DB.Tx(ctx, func(tx store.Tx) error { return tx.AddContent(ctx, c, events) }))
		made = append(made, c.ID)
	}
	return made
}

func TestContentListScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[contentListAPI]{{"posts by account, time and order", contentLists}})
}

func contentLists(s *harness, a contentListAPI) {
	account := a.connect(map[string]any{"platform": "mastodon", "server": "127.0.0.1:1", "access_token": "good"}).Fields["id"].(string)
	first := s.make(a, map[string]any{"platforms": []any{"mastodon", "twitter"}, "start_immediately": true})
	second := s.make(a, map[string]any{"platforms": []any{"twitter"}, "start_immediately": true})
	ids := s.insert(first,
		plannedPost{"scheduled", "mastodon", account, "2026-11-25T10:00:00Z", ""},
		plannedPost{"published", "mastodon", account, "2026-11-20T10:00:00Z", "2026-11-20T10:00:03Z"},
		plannedPost{"approved", "twitter", "", "2026-11-24T10:00:00Z", ""},
		plannedPost{"canceled", "twitter", "", "", ""},
		plannedPost{"published", "twitter", "", "2026-11-19T10:00:00Z", "2026-11-20T12:00:00.001Z"},
	)
	s.clock.Advance(time.Minute)
	ids = append(ids, s.insert(second, plannedPost{"pending_review", "twitter", "", "2026-11-26T10:00:00Z", ""})...)
	for _, tt := range []struct {
		query map[string]any
		want  []int
	}{
		{map[string]any{}, []int{5, 4, 3, 2, 1, 0}},
		{map[string]any{"status": "approved,scheduled"}, []int{2, 0}},
		{map[string]any{"status": "canceled,canceled"}, []int{3}},
		{map[string]any{"status": "approved,scheduled", "mission_id": second}, nil},
		{map[string]any{"status": "approved,pending_review", "platform": "twitter"}, []int{5, 2}},
		{map[string]any{"integration_id": account}, []int{1, 0}},
		{map[string]any{"integration_id": account, "platform": "twitter"}, nil},
		{map[string]any{"integration_id": account, "status": "published"}, []int{1}},
		{map[string]any{"order": "scheduled"}, []int{4, 1, 2, 0, 5}},
		{map[string]any{"order": "scheduled", "mission_id": first}, []int{4, 1, 2, 0}},
		{map[string]any{"order": "published"}, []int{4, 1}},
		{map[string]any{"order": "deadline"}, []int{5}},
		{map[string]any{"order": "deadline", "status": "pending_review", "mission_id": second, "platform": "twitter"}, []int{5}},
		{map[string]any{"order": "deadline", "status": "approved,scheduled"}, nil},
		{map[string]any{"scheduled_from": "2026-11-24T10:00:00Z", "scheduled_to": "2026-11-26T10:00:00Z"}, []int{2, 0}},
		{map[string]any{"scheduled_from": "2026-11-24T09:00:00-01:00", "order": "scheduled"}, []int{2, 0, 5}},
		{map[string]any{"scheduled_from": "2026-11-24T10:00:00.0001Z", "order": "scheduled"}, []int{0, 5}},
		{map[string]any{"scheduled_to": "2026-11-24T10:00:00Z", "order": "scheduled"}, []int{4, 1}},
		{map[string]any{"scheduled_from": "2026-11-24T10:00:00Z", "scheduled_to": "2026-11-24T10:00:00Z"}, nil},
		{map[string]any{"published_from": "2026-11-20T10:00:03Z", "published_to": "2026-11-20T12:00:00.001Z"}, []int{1}},
		{map[string]any{"published_from": "2026-11-20T10:00:00Z", "order": "scheduled"}, []int{4, 1}},
		{map[string]any{"published_to": "2026-12-20T10:00:00Z", "scheduled_from": "2026-11-20T00:00:00Z"}, []int{1}},
		{map[string]any{"published_from": "2026-11-20T10:00:00Z", "status": "approved,canceled"}, nil},
		{map[string]any{"order": "likes"}, []int{4, 1}},
		{map[string]any{"order": "engagement_rate", "integration_id": account}, []int{1}},
		{map[string]any{"search": "TEXT"}, []int{5, 4, 3, 2, 1, 0}},
		{map[string]any{"search": "  ex  0 "}, []int{5, 0}},
		{map[string]any{"search": "text 3"}, []int{3}},
		{map[string]any{"search": "text", "order": "published", "platform": "twitter"}, []int{4}},
		{map[string]any{"search": "text", "status": "approved,scheduled", "mission_id": first}, []int{2, 0}},
		{map[string]any{"search": "100%"}, nil},
		{map[string]any{"search": "\" OR *"}, nil},
	} {
		var want []string
		for _, i := range tt.want {
			want = append(want, ids[i])
		}
		for _, limit := range []int{2, 100} {
			var got []string
			for query := (map[string]any{"limit": limit}); ; query["starting_after"] = got[len(got)-1] {
				maps.Copy(query, tt.query)
				page := a.listed(query)
				s.field(page, "total", float64(len(want)))
				found, _ := page.Fields["ids"].([]string)
				if got = append(got, found...); page.Fields["more"] != true {
					break
				}
			}
			if !slices.Equal(got, want) {
				s.t.Errorf("%v has %v, want %v", tt.query, got, want)
			}
		}
	}
	refused := []struct {
		query map[string]any
		param string
	}{
		{map[string]any{"status": "approved,asleep"}, "status"},
		{map[string]any{"order": "sideways"}, "order"},
		{map[string]any{"platform": "myspace"}, "platform"},
		{map[string]any{"integration_id": "int_01jd0000000000000000000000"}, "integration_id"},
		{map[string]any{"integration_id": strings.Repeat("x", 10_000)}, "integration_id"},
		{map[string]any{"mission_id": "../etc"}, "mission_id"},
		{map[string]any{"scheduled_from": "yesterday"}, "scheduled_from"},
		{map[string]any{"scheduled_to": "2026-11-24"}, "scheduled_to"},
		{map[string]any{"published_from": "0000-01-01T00:00:00Z"}, "published_from"},
		{map[string]any{"published_to": "9999-12-31T23:59:59Z"}, "published_to"},
		{map[string]any{"published_from": strings.Repeat("9", 10_000)}, "published_from"},
		{map[string]any{"scheduled_from": "2026-11-25T00:00:00Z", "scheduled_to": "2026-11-24T00:00:00Z"}, "scheduled_from"},
		{map[string]any{"order": "scheduled", "starting_after": ids[3]}, "starting_after"}, // it has no slot
		{map[string]any{"order": "published", "starting_after": ids[0]}, "starting_after"},
		{map[string]any{"order": "deadline", "starting_after": ids[0]}, "starting_after"}, // it never waited
		{map[string]any{"starting_after": first}, "starting_after"},
		{map[string]any{"search": strings.Repeat("x", 101)}, "search"},
		{map[string]any{"search": "\u200b"}, "search"},
		{map[string]any{"search": "1 2 3 4 5 6 7 8 9"}, "search"},
		{map[string]any{"order": "likes", "starting_after": ids[0]}, "starting_after"}, // it isn't published
		{map[string]any{"search": "zebra", "starting_after": first}, "starting_after"},
	}
	for _, tt := range refused {
		s.want(a.listed(tt.query), "invalid_request", tt.param)
	}
	s.field(a.disconnect(account), "deleted", true)
	s.field(a.listed(map[string]any{"integration_id": account}), "total", 2.0)
	s.key = s.keys["theirs"]
	s.want(a.listed(map[string]any{"integration_id": account}), "invalid_request", "integration_id")
	s.want(a.listed(map[string]any{"mission_id": first}), "invalid_request", "mission_id")
	s.want(a.listed(map[string]any{"order": "scheduled", "starting_after": ids[0]}), "invalid_request", "starting_after")
	s.field(a.listed(map[string]any{"order": "scheduled"}), "total", 0.0)
	s.field(a.listed(map[string]any{"search": "text"}), "total", 0.0)
}
