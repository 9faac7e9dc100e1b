package mission

import "testing"

// What is left of a thread that a person settles was never sent: it isn't looked for.
func TestRestOfASettledThread(t *testing.T) {
	called := settledAt
	c := Content{Status: ContentUnknown, Parts: []string{"a", "b", "c"}, Format: FormatThread, CalledAt: &called, Unconfirmed: true, Error: &someWhy, Published: []Publication{{PostID: "1"}}}
	s, err := c.SettleAsPublished(Publication{PostID: "2", URL: "https://x.example/2"}, "usr_1", StatusActive, settledAt)
	to := s.Change.To
	if err != nil || s.Change.From != ContentUnknown || to.Status != ContentScheduled || to.Unconfirmed || to.CalledAt != nil || len(to.Published) != 2 || s.Task != TaskWaiting || !s.RunAt.Equal(settledAt) {
		t.Errorf("got %+v, %v", s, err)
	}
	if e := s.Change.Events; len(e) != 1 || e[0].Type != EventContentScheduled || e[0].Data.(ContentEventData).SettledBy != "usr_1" {
		t.Errorf("got the events %+v", e)
	}
	if s, err = c.SettleAsPublished(Publication{PostID: "2"}, "usr_1", StatusCompleted, settledAt); err != nil || s.Change.To.Status != ContentFailed || s.Task != "" {
		t.Errorf("in a completed mission got %+v, %v", s, err)
	}
}

// A part of a thread isn't where an earlier one is.
func TestSettledAsAnEarlierPart(t *testing.T) {
	c := Content{Status: ContentUnknown, Parts: []string{"a", "b"}, Format: FormatThread, Published: []Publication{{PostID: "1", URL: "https://x.example/1"}}}
	for _, p := range []Publication{{PostID: "1", URL: "https://m.x.example/1"}, {URL: "https://x.example/1"}} {
		wantCode(t, c.CheckPublishedAt(p), CodeInvalidRequest, "published_url")
	}
	if err := c.CheckPublishedAt(Publication{PostID: "2", URL: "https://x.example/2"}); err != nil {
		t.Error(err)
	}
}
