package mission

import (
	"slices"
	"testing"
	"time"
)

// The state of a post after the exclusions change, by its state before.
func TestRecheck(t *testing.T) {
	now := time.Unix(0, 0)
	passed, broken := Verdict{TopicsChecked: 2}, Verdict{ExcludedTopic: "x", TopicsChecked: 2}
	out := []ContentStatus{
		ContentPublishing, ContentPublished, ContentUnknown, ContentRejected, ContentFailed, ContentExpired, ContentCanceled,
	}
	for _, from := range AllContentStatuses() {
		at := now.Add(time.Hour)
		c := Content{Status: from, ScheduledAt: &at, ReviewedBy: "usr_1", ReviewedAt: &now, Verdict: Verdict{TopicsChecked: 1}}
		ch, ok := c.Recheck(broken, now)
		if slices.Contains(out, from) {
			if ok {
				t.Errorf("a post that is %s becomes %s", from, ch.To.Status)
			}
			continue
		}
		if !ok || ch.From != from || ch.To.Status != ContentPendingReview || !ch.To.Verdict.Equal(broken) || !ch.To.ScheduledAt.Equal(at) {
			t.Errorf("a post that is %s and violates an exclusion becomes %+v, %t", from, ch.To, ok)
		}
		if waited := from == ContentPendingReview; (len(ch.Events) == 0) != waited || (ch.To.ReviewedBy == "") == waited {
			t.Errorf("a post that was %s has the events %v and the reviewer %q", from, ch.Events, ch.To.ReviewedBy)
		}
		if ch, ok := c.Recheck(passed, now); !ok || ch.To.Status != from || !ch.To.Verdict.Equal(passed) || len(ch.Events) != 0 {
			t.Errorf("a post that is %s and passes becomes %+v, %t", from, ch.To, ok)
		}
		if _, ok := c.Recheck(c.Verdict, now); ok {
			t.Errorf("a post that is %s changes by its current verdict", from)
		}
		c.Published = []Publication{{PostID: "1"}}
		if ch, ok := c.Recheck(broken, now); ok {
			t.Errorf("a partly published post becomes %s", ch.To.Status)
		}
		if _, err := c.ReturnToReview(broken, now); err == nil {
			t.Errorf("a partly published post that is %s is held", from)
		}
	}
	c := Content{Status: ContentScheduled, Verdict: broken} // approved before approvals were refused
	if ch, ok := c.Recheck(broken, now); !ok || ch.To.Status != ContentPendingReview {
		t.Errorf("a scheduled post with a bad verdict becomes %+v, %t", ch.To, ok)
	}
}

// The event names the topic; the post itself hasn't failed.
func TestHoldSaysWhy(t *testing.T) {
	ch, err := Content{Status: ContentApproved}.ReturnToReview(Verdict{ExcludedTopic: "politics"}, time.Unix(0, 0))
	if err != nil || ch.To.Error != nil || len(ch.Events) != 1 {
		t.Fatalf("got %+v, %v", ch, err)
	}
	data, ok := ch.Events[0].Data.(ContentEventData)
	if !ok || data.Error == nil || data.Error.Code != CodeExcludedTopic || data.Error.Message != `The text mentions the excluded topic "politics".` {
		t.Errorf("got the event %+v", ch.Events[0].Data)
	}
}

// A post that violates an exclusion can't be approved; an approval keeps the verdict
// that it was based on.
func TestApprovalKeepsExclusions(t *testing.T) {
	now := time.Unix(0, 0)
	c := Content{Status: ContentPendingReview, Verdict: Verdict{ExcludedTopic: "x", TopicsChecked: 1}}
	_, err := c.Approve("usr_1", c.Verdict, nil, now)
	wantCode(t, err, CodeConflict, "")
	ch, err := c.Approve("usr_1", Verdict{}, nil, now)
	if err != nil || !ch.To.Verdict.Equal(Verdict{}) || ch.To.Status != ContentApproved {
		t.Errorf("got %+v, %v", ch.To, err)
	}
}
