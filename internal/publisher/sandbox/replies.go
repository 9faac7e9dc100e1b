package sandbox

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"missiond/mission"
)

// strangers are who replies in the sandbox, and remarks what they say.
var (
	strangers = []mission.ReplyAuthor{
		{Handle: "ada.example", Name: "Ada Example"}, {Handle: "grace.example", Name: "Grace Sample"}, {Handle: "linus.example", Name: "Linus Muster"},
		{Handle: "mona.example", Name: "Mona Modelo"}, {Handle: "noah.example", Name: "Noah Beispiel"},
	}
	remarks = []string{
		"Does it work offline too?", "Been waiting for this. Thank you!", "What does it cost for a team of ten?", "I don't get the second point.",
		"Where can I read more about it?", "It broke my setup. Whom do I ask?", "Great news :)", "Is there a version for Linux?",
	}
)

// mostReplies is how many replies a post of the sandbox gets at most.
const mostReplies = 5

// Replies returns the audience's replies to a post at the clock's time, if it replies at all: as many
// as the post has comments, or mostReplies.
func (p *Platform) Replies(_ context.Context, q mission.ReplyQuery) (mission.ReplyPage, error) {
	c := q.Post
	if !p.audience.Replies || c.PublishedAt == nil || len(c.Published) == 0 {
		return mission.ReplyPage{}, nil
	}
	return mission.ReplyPage{Replies: p.audience.replies(c, p.clock.Now().Sub(*c.PublishedAt))}, nil
}

// replies returns the replies to post c at an age, which only grow.
func (a Audience) replies(c mission.Content, age time.Duration) []mission.FoundReply {
	n := min(int(a.Metrics(c, age)[mission.Comments]), mostReplies)
	found := make([]mission.FoundReply, 0, n)
	r := a.chance("replies", c.ID)
	for i := range n {
		id := fmt.Sprintf("%s-reply-%d", c.Published[0].PostID, i+1)
		found = append(found, mission.FoundReply{
			ID: id, ParentID: c.Published[0].PostID, Author: pick(r, strangers), Text: pick(r, remarks), PublishedAt: c.PublishedAt.Add(a.at(c, i+1)),
			URL: fmt.Sprintf("https://%s.sandbox.invalid/posts/%s", c.Platform, id),
		})
	}
	return found
}

// at returns the age at which post c gets its n-th comment, to the minute.
func (a Audience) at(c mission.Content, n int) time.Duration {
	early, late := time.Duration(0), mission.ReplyReading
	for late-early > time.Minute {
		if half := (early + late) / 2; int(a.Metrics(c, half)[mission.Comments]) >= n {
			late = half
		} else {
			early = half
		}
	}
	return early.Truncate(time.Second)
}

func pick[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }
