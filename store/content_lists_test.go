package store_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// spread creates posts of two missions of the tenant with all kinds of times, accounts
// and states, and one of another tenant.
func spreadPosts(f *fixture) (missions []string, all []mission.Content, foreign mission.Content) {
	f.t.Helper()
	for i := range 3 {
		m := f.mission(nil)
		if i == 2 {
			other, _ := f.makeTenant("theirs")
			m, _ = f.newMission(nil)
			m.TenantID = other.ID
			f.must(f.tx(func(tx store.Tx) error { return tx.CreateMission(ctx, m, nil) }))
		}
		j := f.job(m)
		missions = append(missions, m.ID)
		for n := range 24 {
			created := start.Add(time.Duration(n/4) * time.Minute)
			slot := start.Add(time.Duration((n*7)%24) * time.Hour)
			c := mission.Content{
				ID: f.db.NewID(mission.PrefixContent, created), TenantID: m.TenantID, MissionID: m.ID, JobID: j.ID, Position: n,
				Platform: []mission.Platform{mission.Twitter, mission.Mastodon, mission.Bluesky}[n%3], Format: mission.FormatPost,
				Status: mission.AllContentStatuses()[n%10], Text: fmt.Sprintf("common words %d", n%5), Parts: []string{}, Revision: 1, ScheduledAt: &slot, CreatedAt: created, UpdatedAt: created,
			}
			switch {
			case n == 17:
				c.Text += " post 17 東京"
			case n%6 == 0:
				c.Parts = []string{c.Text, fmt.Sprintf("part %d, post %d", n, n)}
			case n == 5:
				c.Comment = &mission.Comment{Text: "A reply to 5", Status: mission.CommentWaiting}
			}
			if n%4 > 0 {
				c.IntegrationID = fmt.Sprintf("int_%d", n%3)
			}
			if c.Status == mission.ContentPublished {
				published := slot.Add(time.Duration(n%3) * 90 * time.Minute)
				c.PublishedAt = &published
				if n > 4 { // the first isn't measured
					c.Metrics = mission.Metrics{mission.Impressions: float64(n % 3), mission.Likes: float64(i), mission.EngagementRate: 1.5 * float64(n)}
				}
			}
			if c.Status == mission.ContentPendingReview {
				deadline := slot.Add(time.Duration(n%2) * 24 * time.Hour)
				c.ExpiresAt = &deadline
			}
			if n == 11 {
				c.ScheduledAt = nil
			}
			f.must(f.tx(func(tx store.Tx) error { return tx.AddContent(ctx, c, nil) }))
			if foreign = c; i < 2 {
				all = append(all, c)
			}
		}
	}
	return missions[:2], all, foreign
}

// listPlace returns what a post is ordered by, and whether it is in the list.
func listPlace(o mission.ContentOrder, c mission.Content) (at float64, in bool) {
	if metric, ok := o.Figure(); ok {
		return c.Metrics.Ordered(metric), c.Status == mission.ContentPublished
	}
	t := map[mission.ContentOrder]*time.Time{
		mission.OrderCreated: &c.CreatedAt, mission.OrderScheduled: c.ScheduledAt, mission.OrderPublished: c.PublishedAt, mission.OrderDeadline: c.ExpiresAt,
	}[o]
	if t == nil {
		return 0, false
	}
	return float64(t.UnixMilli()), true
}

func inSpan(s mission.Span, t *time.Time) bool {
	return !s.Bounded() || t != nil && (s.From == nil || !t.Before(*s.From)) && (s.Until == nil || t.Before(*s.Until))
}

// selected returns the ids of the posts that a query selects, in its order.
func selected(q mission.ContentQuery, all []mission.Content) []string {
	var found []mission.Content
	for _, c := range all {
		_, in := listPlace(q.Order, c)
		if in && (q.MissionID == "" || c.MissionID == q.MissionID) && (q.Platform == "" || c.Platform == q.Platform) &&
			(q.IntegrationID == "" || c.IntegrationID == q.IntegrationID) && (len(q.Statuses) == 0 || slices.Contains(q.Statuses, c.Status)) &&
			inSpan(q.Scheduled, c.ScheduledAt) && inSpan(q.Published, c.PublishedAt) && finds(q.Search, c) {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b mission.Content) int {
		if !q.Order.Ascending() {
			a, b = b, a
		}
		atA, _ := listPlace(q.Order, a)
		atB, _ := listPlace(q.Order, b)
		return cmp.Or(cmp.Compare(atA, atB), cmp.Compare(a.ID, b.ID))
	})
	ids := make([]string, len(found))
	for i, c := range found {
		ids[i] = c.ID
	}
	return ids
}

func drawSpan(t *rapid.T, label string) mission.Span {
	bound := func(end string) *time.Time {
		if h := rapid.IntRange(-8, 26).Draw(t, label+end); h >= -1 {
			at := start.Add(time.Duration(h) * time.Hour)
			return &at
		}
		return nil
	}
	return mission.Span{From: bound(" from"), Until: bound(" to")}
}

// Whatever a query selects, walking its pages forward or backward returns exactly those
// posts in its order, and the total is their number.
func TestListsOfPosts(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		missions, all, foreign := spreadPosts(f)
		rapid.Check(t, func(t *rapid.T) {
			q := mission.ContentQuery{
				Order:         rapid.SampledFrom(mission.AllContentOrders()).Draw(t, "order"),
				MissionID:     rapid.SampledFrom([]string{"", "", missions[0]}).Draw(t, "mission"),
				Platform:      rapid.SampledFrom([]mission.Platform{"", mission.Twitter, mission.Bluesky, mission.LinkedIn}).Draw(t, "platform"),
				IntegrationID: rapid.SampledFrom([]string{"", "", "int_0", "int_1", "int_none"}).Draw(t, "account"),
				Statuses:      rapid.SliceOfNDistinct(rapid.SampledFrom(mission.AllContentStatuses()), 0, 4, rapid.ID).Draw(t, "statuses"),
				Scheduled:     drawSpan(t, "scheduled"), Published: drawSpan(t, "published"),
			}
			want := selected(q, all)
			got, backward, p := []string{}, rapid.Bool().Draw(t, "backward"), store.Page{Limit: rapid.IntRange(1, 30).Draw(t, "limit")}
			for p.Backward = backward; ; {
				part, err := f.db.ListContents(ctx, f.tenant.ID, q, p)
				if err != nil {
					t.Fatal(err)
				}
				var ids []string
				for _, c := range part.List {
					ids = append(ids, c.ID)
				}
				if backward {
					got = append(ids, got...)
				} else {
					got = append(got, ids...)
				}
				if !part.More {
					break
				}
				if len(ids) != p.Limit {
					t.Fatalf("a page of %d has %d and more", p.Limit, len(ids))
				}
				if p.Before, p.After = "", ids[len(ids)-1]; backward {
					p.Before, p.After = ids[0], ""
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("walked %v, want %v", got, want)
			}
			if n, err := f.db.CountListed(ctx, f.tenant.ID, q); err != nil || n != len(want) {
				t.Fatalf("counted %d, %v, want %d", n, err, len(want))
			}
			if _, err := f.db.ListContents(ctx, f.tenant.ID, q, store.Page{Limit: 3, After: foreign.ID}); mission.CodeOf(err) != mission.CodeInvalidRequest {
				t.Fatalf("another tenant's post as a cursor returned %v", err)
			}
		})
	})
}

// Long lists aren't counted, and a span that takes too many posts to sort is refused.
func TestBoundsOfListsOfPosts(t *testing.T) {
	t.Parallel()
	f := newFixture(t, testkit.Postgres(t, options))
	store.SetListBounds(f.db, 5, 5)
	missions, all, _ := spreadPosts(f)
	day := mission.Span{From: &start}
	for _, tt := range []struct {
		q     mission.ContentQuery
		total int
		param string
	}{
		{mission.ContentQuery{Order: mission.OrderCreated}, len(all), ""},
		{mission.ContentQuery{Order: mission.OrderScheduled}, len(all) - 2, ""},
		{mission.ContentQuery{Order: mission.OrderScheduled, Scheduled: day}, store.Uncounted, ""},
		{mission.ContentQuery{Order: mission.OrderScheduled, MissionID: missions[0]}, len(all)/2 - 1, ""},
		{mission.ContentQuery{Order: mission.OrderPublished, Published: day}, len(selected(mission.ContentQuery{Order: mission.OrderPublished}, all)), ""},
		{mission.ContentQuery{Order: mission.OrderCreated, Scheduled: day}, 0, "order"},
		{mission.ContentQuery{Order: mission.OrderCreated, Scheduled: day, MissionID: missions[0]}, store.Uncounted, ""},
		{mission.ContentQuery{Order: mission.OrderPublished, Scheduled: day, Statuses: []mission.ContentStatus{mission.ContentApproved}}, 0, ""},
		{mission.ContentQuery{Order: mission.OrderLikes}, len(selected(mission.ContentQuery{Order: mission.OrderLikes}, all)), ""},
		{mission.ContentQuery{Order: mission.OrderLikes, IntegrationID: "int_1"}, len(selected(mission.ContentQuery{Order: mission.OrderLikes, IntegrationID: "int_1"}, all)), ""},
		{mission.ContentQuery{Order: mission.OrderScheduled, Scheduled: day, Published: day}, len(selected(mission.ContentQuery{Order: mission.OrderScheduled, Published: day}, all)), ""},
	} {
		_, err := f.db.ListContents(ctx, f.tenant.ID, tt.q, store.Page{Limit: 2})
		var m *mission.Error
		if errors.As(err, &m) != (tt.param != "") || m != nil && m.Param != tt.param {
			t.Errorf("%+v: got the error %v, want one on %q", tt.q, err, tt.param)
		}
		if n, err := f.db.CountListed(ctx, f.tenant.ID, tt.q); (err == nil) != (tt.param == "") || n != tt.total {
			t.Errorf("%+v: counted %d, %v, want %d", tt.q, n, err, tt.total)
		}
	}
}

// The posts of an account are sorted by their figures, up to a bound.
func TestBoundsOfFiguresOfAccounts(t *testing.T) {
	t.Parallel()
	f := newFixture(t, testkit.Postgres(t, options))
	_, all, _ := spreadPosts(f)
	q := mission.ContentQuery{Order: mission.OrderLikes, IntegrationID: "int_2"}
	n := len(selected(q, all))
	for _, sorted := range []int{n, n - 1} {
		store.SetListBounds(f.db, 5, sorted)
		_, err := f.db.ListContents(ctx, f.tenant.ID, q, store.Page{Limit: 2})
		var m *mission.Error
		if refused := errors.As(err, &m) && m.Param == "order"; n < 2 || refused != (sorted < n) {
			t.Errorf("of %d posts, of which %d are sorted: %v", n, sorted, err)
		}
	}
}

// A list in the order of deadlines goes on after a post that was reviewed since, whichever
// way, and shows neither that post nor its deadline.
func TestDeadlinesOfReviewedPosts(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		_, all, _ := spreadPosts(f)
		q := mission.ContentQuery{Order: mission.OrderDeadline}
		want := selected(q, all)
		page := func(after string, limit int) (ids []string) {
			part, err := f.db.ListContents(ctx, f.tenant.ID, q, store.Page{Limit: limit, After: after})
			f.must(err)
			for _, c := range part.List {
				ids = append(ids, c.ID)
			}
			return ids
		}
		if got := page("", 2); len(want) < 4 || !slices.Equal(got, want[:2]) {
			t.Fatalf("got the page %v, want the first of %v", got, want)
		}
		for _, id := range want[:2] {
			f.must(f.tx(func(tx store.Tx) error {
				c, err := tx.LockContent(ctx, f.tenant.ID, id)
				if err != nil {
					return err
				}
				ch, err := c.Reject(mission.PrefixUser+strings.Repeat("1", 26), "", nil, start)
				if err != nil {
					return err
				}
				return tx.ChangeContent(ctx, ch)
			}))
		}
		if got := page(want[1], 100); !slices.Equal(got, want[2:]) {
			t.Errorf("after a reviewed post got %v, want %v", got, want[2:])
		}
		if got := page("", 100); !slices.Equal(got, want[2:]) {
			t.Errorf("got %v, want %v", got, want[2:])
		}
		if c, err := f.db.Content(ctx, f.tenant.ID, want[0]); err != nil || c.ExpiresAt != nil {
			t.Errorf("reviewed, it expires at %v, %v", c.ExpiresAt, err)
		}
	})
}
