package mission

import (
	"slices"
	"testing"
)

// Each change of a post is possible in the states that allow it, and a conflict in all others.
func TestStatesAllow(t *testing.T) {
	at, passed := settledAt, Verdict{}
	for name, change := range map[string]struct {
		allow []ContentStatus
		try   func(Content) error
	}{
		"approve": {[]ContentStatus{ContentPendingReview}, func(c Content) error { _, err := c.Approve("usr_1", passed, nil, at); return err }},
		"reject":  {[]ContentStatus{ContentPendingReview}, func(c Content) error { _, err := c.Reject("usr_1", "", nil, at); return err }},
		"edit": {
			[]ContentStatus{ContentPendingReview, ContentApproved, ContentScheduled, ContentRejected, ContentFailed},
			func(c Content) error { _, err := c.Revise(Wording{}, true, at, ReviewTime{}, at); return err },
		},
		"reopen": {
			[]ContentStatus{ContentApproved, ContentScheduled, ContentRejected, ContentFailed, ContentExpired, ContentCanceled},
			func(c Content) error { return c.CheckReopenable() },
		},
		"reschedule": {[]ContentStatus{ContentPendingReview, ContentApproved, ContentScheduled}, func(c Content) error {
			_, err := c.Place(Mission{Status: StatusActive}, at.Add(day), at)
			return err
		}},
		"cancel": {[]ContentStatus{ContentPendingReview, ContentApproved, ContentScheduled}, func(c Content) error { _, err := c.Withhold(at); return err }},
		"settle": {[]ContentStatus{ContentUnknown}, func(c Content) error {
			_, err := c.PublishAgain("usr_1", StatusActive, at)
			return err
		}},
	} {
		for _, status := range AllContentStatuses() {
			c := Content{Status: status, Text: "x", ReviewedAt: &at}
			if status == ContentPublished {
				c.Published = []Publication{{PostID: "1"}}
			}
			if err, want := change.try(c), slices.Contains(change.allow, status); (err == nil) != want || err != nil && CodeOf(err) != CodeConflict {
				t.Errorf("%s of a post that is %s: got %v, want it possible: %v", name, status, err, want)
			}
		}
	}
}
