package mission

import (
	"slices"
	"testing"
	"time"
)

// What people may do to a post, by its state.
func TestPlaceAndWithhold(t *testing.T) {
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	ends := now.Add(72 * time.Hour)
	m := Mission{Status: StatusActive, EndsAt: &ends}
	for _, status := range AllContentStatuses() {
		for _, begun := range []bool{false, true} {
			slot := now.Add(time.Hour)
			c := Content{JobID: "job_1", Status: status, ScheduledAt: &slot, Unconfirmed: begun}
			allowed := !begun && (status == ContentPendingReview || status == ContentApproved || status == ContentScheduled)
			at := now.Add(5 * time.Hour)
			ch, err := c.Place(m, at, now)
			if (err == nil) != allowed || err != nil && CodeOf(err) != CodeConflict {
				t.Errorf("placing a post that is %s, begun %t, returned %v", status, begun, err)
			}
			if allowed && (!ch.To.ScheduledAt.Equal(at) || !ch.To.Placed || ch.To.Status != status || len(ch.Events) != map[ContentStatus]int{ContentScheduled: 1}[status]) {
				t.Errorf("placed, a post that was %s is %+v", status, ch)
			}
			if allowed && status == ContentPendingReview && !ch.To.ExpiresAt.Equal(at.Add(24*time.Hour)) {
				t.Errorf("it expires at %s", ch.To.ExpiresAt)
			}
			ch, err = c.Withhold(now)
			if (err == nil) != allowed || err != nil && CodeOf(err) != CodeConflict {
				t.Errorf("canceling a post that is %s, begun %t, returned %v", status, begun, err)
			}
			if allowed && (ch.To.Status != ContentCanceled || ch.To.Error.Code != "canceled" || len(ch.Events) != 1) {
				t.Errorf("canceled, a post that was %s is %+v", status, ch)
			}
		}
	}
	for at, want := range map[time.Time]Code{
		now: CodeInvalidRequest, now.Add(time.Millisecond): "", ends: CodeInvalidRequest, ends.Add(-time.Millisecond): "",
	} {
		if err := m.CheckSlot(at, now); CodeOf(err) != want {
			t.Errorf("the slot %s is %v, want %q", at, err, want)
		}
	}
}

func TestTaken(t *testing.T) {
	at := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	posts := []Content{{ID: "cnt_1", Platform: Mastodon, IntegrationID: "int_1", ScheduledAt: &at}, {ID: "cnt_2", Platform: Bluesky, ScheduledAt: &at}}
	for _, tt := range []struct {
		id   string
		to   Destination
		at   time.Time
		want bool
	}{
		{"", Destination{Platform: Mastodon, IntegrationID: "int_1"}, at, true},
		{"", Destination{Platform: Mastodon, IntegrationID: "int_1"}, at.Add(time.Second), false},
		{"", Destination{Platform: Mastodon, IntegrationID: "int_2"}, at, false},
		{"", Destination{Platform: Mastodon}, at, true}, // the default may be that account
		{"", Destination{Platform: Bluesky, IntegrationID: "int_3"}, at, true},
		{"", Destination{Platform: LinkedIn}, at, false},
		{"cnt_1", Destination{Platform: Mastodon, IntegrationID: "int_1"}, at, false}, // itself
	} {
		if got := Taken(posts, tt.id, tt.to, tt.at); got != tt.want {
			t.Errorf("Taken(%q, %v, %s) = %t", tt.id, tt.to, tt.at, got)
		}
	}
}

// The next free slot is a posting time that no post has, else a time away from the posts.
func TestNextFree(t *testing.T) {
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	hours := func(n float64) time.Time { return now.Add(time.Duration(n * float64(time.Hour))) }
	ends := hours(72)
	for name, tt := range map[string]struct {
		times     []string
		taken     []time.Time
		published []time.Time
		ends      time.Time
		want      time.Time
	}{
		"at once":                     {ends: ends, want: now},
		"a posting time":              {times: []string{"08:00", "10:30"}, ends: ends, want: hours(1.5)},
		"the next posting time":       {times: []string{"08:00", "10:30"}, taken: []time.Time{hours(1.5)}, ends: ends, want: hours(23)},
		"away from a post":            {taken: []time.Time{now}, ends: ends, want: hours(12)},
		"away from a published one":   {published: []time.Time{now}, ends: ends, want: hours(12)},
		"away from the posting times": {times: []string{"09:30"}, taken: []time.Time{hours(0.5)}, ends: ends, want: hours(12.5)},
		"little time":                 {taken: []time.Time{now}, ends: hours(0.5), want: hours(0.25)},
		"no time":                     {taken: []time.Time{now}, ends: now.Add(time.Second), want: time.Time{}},
	} {
		m := Mission{Status: StatusActive, EndsAt: &tt.ends, Constraints: Constraints{PostsPerDay: 1, PostingTimes: tt.times, Timezone: "UTC"}}
		var posts []Content
		for _, at := range tt.taken {
			posts = append(posts, Content{Status: ContentScheduled, ScheduledAt: &at})
		}
		at, ok := m.NextFree(posts, tt.published, now)
		if ok == tt.want.IsZero() || ok && !at.Equal(tt.want) {
			t.Errorf("%s: got %s, %t, want %s", name, at, ok, tt.want)
		}
	}
}

// The free slots ahead are in order, all different, and begin with the one that a post made now
// is given.
func TestFreeSlots(t *testing.T) {
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	hours := func(n float64) time.Time { return now.Add(time.Duration(n * float64(time.Hour))) }
	after, paused := hours(30), hours(-50)
	for name, tt := range map[string]struct {
		times  []string
		taken  []time.Time
		after  *time.Time
		paused *time.Time
		ends   time.Time
		want   []time.Time
	}{
		"posting times":         {times: []string{"08:00", "10:30"}, taken: []time.Time{hours(1.5)}, ends: hours(99), want: []time.Time{hours(23), hours(25.5), hours(47)}},
		"without posting times": {ends: hours(99), want: []time.Time{now, hours(12), hours(24)}},
		"after a time":          {times: []string{"08:00", "10:30"}, after: &after, ends: hours(99), want: []time.Time{hours(47), hours(49.5), hours(71)}},
		"paused":                {times: []string{"10:30"}, paused: &paused, ends: hours(99), want: []time.Time{hours(1.5), hours(25.5), hours(49.5)}},
		"before the end":        {times: []string{"10:30"}, ends: hours(26), want: []time.Time{hours(1.5), hours(25.5), hours(26 - 15.5/60)}},
		"no time":               {taken: []time.Time{now}, ends: now.Add(time.Second), want: []time.Time{}},
	} {
		m := Mission{Status: StatusActive, EndsAt: &tt.ends, PausedAt: tt.paused, Constraints: Constraints{PostsPerDay: 1, PostingTimes: tt.times, Timezone: "UTC"}}
		var posts []Content
		for _, at := range tt.taken {
			posts = append(posts, Content{Status: ContentScheduled, ScheduledAt: &at})
		}
		got := m.FreeSlots(posts, nil, tt.after, 3, now)
		if !slices.EqualFunc(got, tt.want, time.Time.Equal) {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
		if first, ok := m.NextFree(posts, nil, now); ok && tt.after == nil && tt.paused == nil && !first.Equal(got[0]) {
			t.Errorf("%s: a post made now is given %s, not %s", name, first, got[0])
		}
	}
}
