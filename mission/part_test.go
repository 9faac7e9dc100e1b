package mission

import (
	"testing"
	"time"
)

// A thread is published part by part; what is known of each outlives the calls.
func TestPartByPart(t *testing.T) {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	c := Content{ID: "cnt_1", Revision: 2, Status: ContentScheduled, Parts: []string{"One.", "Two.", "Three."}}
	move := func(ch ContentChange, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		c = ch.To
	}
	move(c.Publishing("int_1", at))
	if p := c.NextPart(); p.Index != 0 || p.Text != "One." || p.Root != nil || p.Again || !p.CalledAt.Equal(at) || p.Key() != "cnt_1-2-0" {
		t.Errorf("the first part is %+v", p)
	}
	move(c.Took(Publication{PostID: "a", URL: "https://a", PublishedAt: at.Add(time.Second)}, at.Add(2*time.Second)))
	if c.Status != ContentPublishing || c.PlatformPostID != nil || c.IntegrationID != "int_1" {
		t.Errorf("after a part the post is %+v", c)
	}
	// The second part's answer never comes, it isn't there, and is sent again.
	move(c.Unknown(Failure{Code: "x"}, at.Add(3*time.Second)))
	move(c.Resend(at.Add(4 * time.Second)))
	move(c.Publishing("int_1", at.Add(5*time.Second)))
	if p := c.NextPart(); !p.Again || !p.CalledAt.Equal(at.Add(2*time.Second)) || p.Parent.PostID != "a" || p.Key() != "cnt_1-2-1" {
		t.Errorf("the second part is %+v", p)
	}
	// A refusal to take it now says nothing of the call before.
	move(c.Withdraw(at.Add(6 * time.Second)))
	if p := c.NextPart(); !p.Again || !p.CalledAt.Equal(at.Add(2*time.Second)) {
		t.Errorf("the second part is %+v", p)
	}
	if err := c.CheckRevisable("edited"); CodeOf(err) != CodeConflict {
		t.Errorf("a thread that is half out may be edited: %v", err)
	}
	move(c.Publishing("int_1", at.Add(7*time.Second)))
	move(c.Took(Publication{PostID: "b", PublishedAt: at}, at.Add(8*time.Second)))
	if got := c.Published[1].PublishedAt; !got.Equal(at.Add(2 * time.Second)) {
		t.Errorf("a part that was published before it was sent has the time %s", got)
	}
	failed, err := c.Fail(Failure{Code: "x", Message: "No."}, at.Add(9*time.Second))
	if err != nil || *failed.To.PlatformPostID != "a" || failed.To.Error.Message != "No. The first 2 of 3 parts are on the platform." {
		t.Errorf("failed it is %+v, %v", failed.To, err)
	}
	move(c.Took(Publication{PostID: "c", PublishedAt: at.Add(time.Hour)}, at.Add(9*time.Second)))
	if c.Status != ContentPublished || *c.PlatformPostID != "a" || !c.PublishedAt.Equal(at.Add(time.Second)) || c.MeasureAt == nil || c.CalledAt != nil {
		t.Errorf("published it is %+v", c)
	}
	if !c.Published[2].PublishedAt.Equal(at.Add(8 * time.Second)) {
		t.Errorf("a part from the future has the time %s", c.Published[2].PublishedAt)
	}
}

// A call that the platform didn't take leaves no doubt.
func TestWithdrawnLeavesNoDoubt(t *testing.T) {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	ch, err := Content{Status: ContentScheduled, Text: "x"}.Publishing("", at)
	if err != nil {
		t.Fatal(err)
	}
	if ch, err = ch.To.Withdraw(at); err != nil || ch.To.CalledAt != nil || ch.To.InDoubt {
		t.Errorf("it is %+v, %v", ch.To, err)
	}
}
