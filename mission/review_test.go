package mission

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// What can be reopened: what a person decided or didn't go out, and nothing that may be on its platform.
func TestReopen(t *testing.T) {
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	slot, reviewed, reason := now.Add(2*time.Hour), now.Add(-time.Hour), "Too loud"
	room := ReviewTime{From: now, Until: now.Add(4 * time.Hour)}
	by := func(status ContentStatus, change func(c *Content)) Content {
		c := Content{ID: "cnt_1", Status: status, Revision: 3, ScheduledAt: &slot, ReviewedBy: "usr_1", ReviewedAt: &reviewed}
		if change != nil {
			change(&c)
		}
		return c
	}
	for name, tt := range map[string]struct {
		c    Content
		r    ReviewTime
		want Code
	}{
		"rejected":           {by(ContentRejected, func(c *Content) { c.RejectionReason = &reason }), room, ""},
		"approved":           {by(ContentApproved, nil), room, ""},
		"scheduled":          {by(ContentScheduled, nil), room, ""},
		"scheduled again":    {by(ContentScheduled, func(c *Content) { c.CalledAt = &reviewed }), room, ""},
		"approved by nobody": {by(ContentScheduled, func(c *Content) { c.ReviewedBy, c.ReviewedAt = "", nil }), room, CodeConflict},
		"half published":     {by(ContentScheduled, func(c *Content) { c.Published = []Publication{{PostID: "1"}} }), room, CodeConflict},
		"perhaps published":  {by(ContentScheduled, func(c *Content) { c.Unconfirmed = true }), room, CodeConflict},
		"in review":          {by(ContentPendingReview, nil), room, CodeConflict},
		"publishing":         {by(ContentPublishing, nil), room, CodeConflict},
		"published":          {by(ContentPublished, nil), room, CodeConflict},
		"unknown":            {by(ContentUnknown, nil), room, CodeConflict},
		"failed":             {by(ContentFailed, func(c *Content) { c.Error, c.CalledAt, c.Fees = &Failure{Code: "x"}, &reviewed, 5 }), room, ""},
		"failed in part":     {by(ContentFailed, func(c *Content) { c.Published = []Publication{{PostID: "1"}} }), room, CodeConflict},
		"failed in doubt":    {by(ContentFailed, func(c *Content) { c.Unconfirmed = true }), room, CodeConflict},
		"expired":            {by(ContentExpired, func(c *Content) { c.ReviewedBy, c.ReviewedAt = "", nil }), room, ""},
		"canceled":           {by(ContentCanceled, func(c *Content) { c.Error = &Failure{Code: "x"} }), room, ""},
		"no time left":       {by(ContentRejected, nil), ReviewTime{From: now, Until: now}, CodeConflict},
	} {
		at, v := slot.Add(time.Minute), Verdict{ExcludedTopic: "x", TopicsChecked: 1}
		ch, err := tt.c.Reopen(v, at, tt.r, now)
		if CodeOf(err) != tt.want {
			t.Errorf("reopening a post that is %s returned %v, want %q", name, err, tt.want)
		}
		if err != nil {
			continue
		}
		n := ch.To
		if n.Status != ContentPendingReview || n.ReviewedBy != "" || n.ReviewedAt != nil || n.RejectionReason != nil || !n.Verdict.Equal(v) ||
			!n.ScheduledAt.Equal(at) || n.Revision != 3 || !n.ExpiresAt.Equal(room.Until) || !n.ExpiringAt.Equal(now.Add(3*time.Hour)) || n.Error != nil || n.Fees != 0 {
			t.Errorf("reopened, a post that was %s is %+v", name, n)
		}
		if data, ok := ch.Events[0].Data.(ContentWaitingData); !ok || len(ch.Events) != 2 || ch.Events[0].Type != EventContentReopened || ch.Events[1].Type != EventReviewRequested || !data.ExpiresAt.Equal(room.Until) {
			t.Errorf("a post that was %s has the events %+v", name, ch.Events)
		}
		if _, err := n.Approve("usr_2", Verdict{}, nil, now); err != nil {
			t.Errorf("reopened, a post that was %s can't be approved: %v", name, err)
		}
	}
}

// Whatever happens to a post, once its platform is called or has a part of it, it can't be
// reopened until it is known that it doesn't.
func TestNothingPublishedIsReopened(t *testing.T) {
	now := time.Unix(0, 0)
	names := make([]string, 0, len(contentMoves))
	for name := range contentMoves {
		names = append(names, name)
	}
	slices.Sort(names)
	rapid.Check(t, func(t *rapid.T) {
		c := Content{Status: ContentPendingReview, Parts: rapid.SampledFrom([][]string{nil, {"One.", "Two."}}).Draw(t, "parts")}
		for range rapid.IntRange(1, 20).Draw(t, "moves") {
			name := rapid.SampledFrom(names).Draw(t, "move")
			ch, err := contentMoves[name](c, now)
			out := len(c.Published) > 0 || c.Unconfirmed || slices.Contains([]ContentStatus{ContentPublishing, ContentUnknown, ContentPublished}, c.Status)
			if name == "reopen" && err == nil && out {
				t.Fatalf("reopened %+v", c)
			}
			if err == nil {
				c = ch.To
			}
		}
	})
}

// An action is allowed if, and only if, its rule doesn't refuse it.
func TestAllowedActions(t *testing.T) {
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	slot, ends := now.Add(time.Hour), now.Add(72*time.Hour)
	room := ReviewTime{From: now, Until: ends}
	rapid.Check(t, func(t *rapid.T) {
		c := Content{
			JobID: "job_1", Status: rapid.SampledFrom(AllContentStatuses()).Draw(t, "status"), Origin: rapid.SampledFrom(AllOrigins()).Draw(t, "origin"),
			Unconfirmed: rapid.Bool().Draw(t, "unconfirmed"), ScheduledAt: &slot,
		}
		if rapid.Bool().Draw(t, "reviewed") {
			c.ReviewedAt = &now
		}
		m := Mission{Status: rapid.SampledFrom([]Status{StatusActive, StatusPaused, StatusCompleted}).Draw(t, "mission"), EndsAt: &ends}
		of := func(_ ContentChange, err error) bool { return err == nil && m.Status != StatusCompleted }
		for action, want := range map[ContentAction]bool{
			ContentApprove:    of(c.Approve("usr_1", Verdict{}, nil, now)),
			ContentReject:     of(c.Reject("usr_1", "", nil, now)),
			ContentReopen:     of(c.Reopen(Verdict{}, slot, room, now)),
			ContentEdit:       of(c.Revise(Wording{}, true, slot, room, now)),
			ContentRegenerate: of(c.Revise(Wording{}, true, slot, room, now)) && m.Status == StatusActive && c.Origin == OriginWriter,
			ContentReschedule: of(c.Place(m, slot.Add(time.Hour), now)),
			ContentCancel:     of(c.Withhold(now)),
			ContentSettle:     c.CheckSettleable() == nil,
		} {
			if got := slices.Contains(c.AllowedActions(m.Status), action); got != want {
				t.Fatalf("%s of %+v, in a mission that is %s, is allowed: %t, want %t", action, c, m.Status, got, want)
			}
		}
	})
}
