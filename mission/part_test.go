package mission

import (
	"testing"
	"time"
)

// A thread is published part by part; the state of each part outlives the calls.
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
	move(c.Publishing(&Integration{ID: "int_1"}, at))
	if p := c.NextPart(); p.Index != 0 || p.Text != "One." || p.Root != nil || p.Again || !p.CalledAt.Equal(at) || p.Key() != "cnt_1-2-0" {
		t.Errorf("got the first part %+v", p)
	}
	move(c.RecordPart(Publication{PostID: "a", URL: "https://a", PublishedAt: at.Add(time.Second)}, at.Add(2*time.Second)))
	if c.Status != ContentPublishing || c.PlatformPostID != nil || c.IntegrationID != "int_1" {
		t.Errorf("after a part got the post %+v", c)
	}
	// The response for the second part never arrives, the lookup finds nothing, and the
	// part is sent again.
	move(c.Unknown(Failure{Code: "x"}, at.Add(3*time.Second)))
	move(contentMoves["resend"](c, at.Add(4*time.Second)))
	move(c.Publishing(&Integration{ID: "int_1"}, at.Add(5*time.Second)))
	if p := c.NextPart(); !p.Again || !p.CalledAt.Equal(at.Add(2*time.Second)) || p.Parent.PostID != "a" || p.Key() != "cnt_1-2-1" {
		t.Errorf("got the second part %+v", p)
	}
	// A refusal now says nothing about the earlier call.
	move(c.Withdraw(at.Add(6 * time.Second)))
	if p := c.NextPart(); !p.Again || !p.CalledAt.Equal(at.Add(2*time.Second)) {
		t.Errorf("got the second part %+v", p)
	}
	if err := c.CheckRevisable("edited"); CodeOf(err) != CodeConflict {
		t.Errorf("a partly published thread can be edited: %v", err)
	}
	move(c.Publishing(&Integration{ID: "int_1"}, at.Add(7*time.Second)))
	move(c.RecordPart(Publication{PostID: "b", PublishedAt: at}, at.Add(8*time.Second)))
	if got := c.Published[1].PublishedAt; !got.Equal(at.Add(2 * time.Second)) {
		t.Errorf("got the time %s of a part that was published before it was sent", got)
	}
	failed, err := c.Fail(Failure{Code: "x", Message: "No."}, at.Add(9*time.Second))
	if err != nil || *failed.To.PlatformPostID != "a" || failed.To.Error.Message != "No. The first 2 of 3 parts are on the platform." {
		t.Errorf("got the failed post %+v, %v", failed.To, err)
	}
	move(c.RecordPart(Publication{PostID: "c", PublishedAt: at.Add(time.Hour)}, at.Add(9*time.Second)))
	if c.Status != ContentPublished || *c.PlatformPostID != "a" || !c.PublishedAt.Equal(at.Add(time.Second)) || c.MeasureAt == nil || c.CalledAt != nil {
		t.Errorf("got the published post %+v", c)
	}
	if !c.Published[2].PublishedAt.Equal(at.Add(8 * time.Second)) {
		t.Errorf("got the time %s of a part from the future", c.Published[2].PublishedAt)
	}
}

// A refused call leaves no unknown outcome.
func TestWithdrawnLeavesNoDoubt(t *testing.T) {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	ch, err := Content{Status: ContentScheduled, Text: "x"}.Publishing(nil, at)
	if err != nil {
		t.Fatal(err)
	}
	if ch, err = ch.To.Withdraw(at); err != nil || ch.To.CalledAt != nil || ch.To.Unconfirmed {
		t.Errorf("got %+v, %v", ch.To, err)
	}
}
