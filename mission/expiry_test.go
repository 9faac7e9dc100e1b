package mission

import (
	"testing"
	"time"
)

// How long a post can be reviewed, wherever in its cycle the review begins.
func TestReviewTime(t *testing.T) {
	m := started(t, parse(t, "2026-11-21T10:00:00Z"), func(m *Mission) { m.DurationDays = 3 })
	j := jobOf(m, 0)
	end := j.Window.End
	for name, tt := range map[string]struct{ now, want time.Time }{
		"in its day":                   {end.Add(-2 * time.Hour), end},
		"with an hour left":            {end.Add(-time.Hour), end},
		"with less left":               {end.Add(-time.Hour + 1), end.Add(23*time.Hour + 1)},
		"after its day":                {end.Add(3 * time.Hour), end.Add(27 * time.Hour)},
		"before the mission's end":     {end.Add(25 * time.Hour), *m.EndsAt},
		"right at the mission's end":   {*m.EndsAt, *m.EndsAt},
		"with the mission's end ahead": {end.Add(24 * time.Hour), *m.EndsAt},
	} {
		if got := m.ReviewTime(Content{}, j, tt.now); !got.Until.Equal(tt.want) || !got.From.Equal(tt.now) {
			t.Errorf("%s: got from %s until %s, want %s", name, got.From, got.Until, tt.want)
		}
	}
	paused := end.Add(3 * time.Hour)
	m.PausedAt = &paused
	if got := m.ReviewTime(Content{}, j, paused.Add(30*time.Hour)); !got.From.Equal(paused) || !got.Until.Equal(paused.Add(24*time.Hour)) {
		t.Errorf("in a pause: got from %s until %s", got.From, got.Until)
	}
}

// A post in review has a time limit and one warning when a quarter of it is left, and
// neither after the review.
func TestExpiry(t *testing.T) {
	from := parse(t, "2026-11-21T10:00:00Z")
	until := from.Add(24 * time.Hour)
	m := started(t, from, func(m *Mission) { m.Constraints.RequireApproval = true })
	c, _ := NewContent("cnt_1", jobOf(m, 0), Assignment{}, Draft{}, Verdict{}, from)
	if !c.ExpiresAt.Equal(until) || !c.ExpiringAt.Equal(from.Add(18*time.Hour)) {
		t.Fatalf("got the expiry at %s and the warning at %s", c.ExpiresAt, c.ExpiringAt)
	}
	if c.Expired(until.Add(-1)) || !c.Expired(until) || c.Expiring(from.Add(18*time.Hour-1)) || !c.Expiring(from.Add(18*time.Hour)) {
		t.Error("it expires, or has its warning, at another time")
	}
	if _, err := c.Warn(from); CodeOf(err) != CodeConflict {
		t.Errorf("an early warning returned %v", err)
	}
	warned, err := c.Warn(from.Add(18 * time.Hour))
	if err != nil || len(warned.Events) != 1 || warned.Events[0].Data.(ContentWaitingData).ExpiresAt != warned.To.ExpiresAt {
		t.Fatalf("got the warning %+v, %v", warned, err)
	}
	if _, err := warned.To.Warn(until); CodeOf(err) != CodeConflict {
		t.Errorf("a second warning returned %v", err)
	}
	shifted, err := c.Shift(5 * time.Hour)
	if err != nil || !shifted.To.ExpiresAt.Equal(until.Add(5*time.Hour)) || !shifted.To.ExpiringAt.Equal(from.Add(23*time.Hour)) {
		t.Errorf("got the shifted post %+v, %v", shifted.To, err)
	}
	if again, err := warned.To.Shift(time.Hour); err != nil || again.To.ExpiringAt != nil {
		t.Errorf("after the warning got the shifted post %+v, %v", again.To, err)
	}
	expired, err := warned.To.Expire(until)
	if err != nil || expired.To.ExpiresAt != nil || !expired.Events[0].Data.(ContentWaitingData).ExpiresAt.Equal(until) {
		t.Errorf("got the expired post %+v, %v", expired, err)
	}
	approved, err := c.Approve("usr_1", Verdict{}, nil, from)
	if err != nil || approved.To.ExpiresAt != nil || approved.To.ExpiringAt != nil {
		t.Errorf("got the approved post %+v, %v", approved.To, err)
	}
	for name, rule := range map[string]func(Content) (ContentChange, error){
		"shift":   func(c Content) (ContentChange, error) { return c.Shift(time.Hour) },
		"prolong": func(c Content) (ContentChange, error) { return c.Prolong(ReviewTime{from, until}, from) },
		"warn":    func(c Content) (ContentChange, error) { return c.Warn(until) },
	} {
		if _, err := rule(approved.To); CodeOf(err) != CodeConflict {
			t.Errorf("%s of an approved post returned %v", name, err)
		}
	}
	late, err := c.Prolong(ReviewTime{until, until.Add(8 * time.Hour)}, until)
	if err != nil || !late.To.ExpiresAt.Equal(until.Add(8*time.Hour)) || !late.To.ExpiringAt.Equal(until.Add(6*time.Hour)) || len(late.Events) != 0 {
		t.Errorf("got the prolonged post %+v, %v", late.To, err)
	}
}

// Posts that expire at about the same time have their warnings together.
func TestNextExpiring(t *testing.T) {
	at := parse(t, "2026-11-21T10:00:00Z")
	post := func(job string, s ContentStatus, after time.Duration) Content {
		expiring := at.Add(after)
		return Content{JobID: job, Status: s, ExpiringAt: &expiring}
	}
	posts := []Content{
		post("job_1", ContentPendingReview, 11*time.Minute), post("job_1", ContentPendingReview, 9*time.Minute), post("job_1", ContentPendingReview, 0),
		post("job_2", ContentPendingReview, -time.Hour), post("job_1", ContentApproved, -time.Hour), {JobID: "job_1", Status: ContentPendingReview},
	}
	if next, ok := NextExpiring(posts, "job_1"); !ok || !next.Equal(at.Add(9*time.Minute)) {
		t.Errorf("got the next warnings at %s, %v", next, ok)
	}
	if _, ok := NextExpiring(posts, "job_3"); ok {
		t.Error("a job without posts has a warning")
	}
}

// A canceled post has the reason in its error and in the event.
func TestCancelSaysWhy(t *testing.T) {
	at := parse(t, "2026-11-21T10:00:00Z")
	m := started(t, at, nil)
	for _, why := range []Failure{MissionEnded(), m.NoTimeLeft(nil, at), Mission{}.NoTimeLeft(nil, at)} {
		ch, err := Content{Status: ContentApproved}.Cancel(why, at)
		if err != nil || *ch.To.Error != why || *ch.Events[0].Data.(ContentCanceledData).Reason != why {
			t.Errorf("canceled for %v: got %+v, %v", why, ch, err)
		}
	}
}

func TestNotifyExpired(t *testing.T) {
	n := Mission{ID: "msn_1", TenantID: "tnt_1", Name: "Spring"}.NotifyExpired("ntf_1", 3, time.Unix(0, 0))
	if n.Kind != NotifyContentExpired || n.SubjectID != "msn_1" || n.Message != `3 posts of the mission "Spring" expired: nobody approved or rejected them in time.` {
		t.Errorf("got %+v", n)
	}
}
