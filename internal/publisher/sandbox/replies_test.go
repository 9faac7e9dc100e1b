package sandbox

import (
	"context"
	"testing"
	"time"

	"missiond/mission"
)

// The audience replies as a post's figures grow, the same at each look, and only if it is to.
func TestReplies(t *testing.T) {
	at := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	c := mission.Content{ID: "cnt_1", MissionID: "msn_1", Platform: mission.Twitter, Format: mission.FormatPost, PublishedAt: &at, Published: []mission.Publication{{PostID: "sbx_1"}}}
	read := func(a Audience, age time.Duration) []mission.FoundReply {
		page, err := New(nil, stopped(at.Add(age)), a).Replies(context.Background(), mission.ReplyQuery{Post: c})
		if err != nil {
			t.Fatal(err)
		}
		return page.Replies
	}
	if got := read(Audience{Seed: 1}, 90*24*time.Hour); len(got) > 0 {
		t.Errorf("a silent audience says %+v", got)
	}
	var before []mission.FoundReply
	for _, age := range []time.Duration{0, time.Hour, 6 * time.Hour, 24 * time.Hour, 90 * 24 * time.Hour} {
		got := read(Audience{Seed: 1, Replies: true}, age)
		if len(got) < len(before) || len(got) > mostReplies {
			t.Fatalf("after %s there are %d replies, before %d", age, len(got), len(before))
		}
		for i, r := range got {
			if i < len(before) && r != before[i] {
				t.Errorf("after %s reply %d is %+v, before %+v", age, i, r, before[i])
			}
			if r.PublishedAt.After(at.Add(age)) || r.PublishedAt.Before(at) {
				t.Errorf("after %s reply %d is of %s", age, i, r.PublishedAt)
			}
		}
		before = got
	}
	if len(before) == 0 {
		t.Error("nobody replies")
	}
}
