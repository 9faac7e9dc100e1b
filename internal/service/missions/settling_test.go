package missions_test

import (
	"context"
	"errors"
	"testing"

	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// A result that is recorded a second time, because the reply to its COMMIT was lost,
// changes nothing: a thread goes on with its next part.
func TestResultIsRecordedOnce(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		w.Writer = threadWriter{}
		m := w.Create(onTwitter(func(in *mission.CreateInput) {
			world.OneDay(in)
			in.Constraints.PostingTimes = []string{"09:00"}
		}))
		w.Step()
		c := w.Posts(m.ID)[0]
		task := claim(w, runUntil(w, mission.TaskContentPublish, c.ID))
		call, err := w.Missions.OpenPost(ctx, task)
		w.Must(err)
		parts := 0
		for call.Ready {
			r := mission.SendResult(w.Parts.Publisher.Publish(ctx, call.Via, call.Part(w.Clock.Now(), nil)))
			next, err := w.Missions.SettlePost(ctx, task, call, r)
			w.Must(err)
			again, err := w.Missions.SettlePost(ctx, task, call, r)
			if next.Ready && (err != nil || !again.Ready || len(again.Content.Published) != len(next.Content.Published)) {
				t.Errorf("again got %+v, %v; first %+v", again, err, next)
			}
			if !next.Ready && !errors.Is(err, store.ErrLost) {
				t.Errorf("again got %v, want ErrLost", err)
			}
			parts++
			call = next
		}
		if got := w.Content(c.ID); parts != 3 || got.Status != mission.ContentPublished || len(got.Published) != parts {
			t.Errorf("after %d parts got the thread %s with %d of them", parts, got.Status, len(got.Published))
		}
		w.Over(m.ID)
		w.OnPlatform(m.ID, 1)
	})
}
