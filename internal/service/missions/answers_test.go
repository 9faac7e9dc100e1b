package missions_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// An answer that waits says why, whatever it waits for; one that can't be sent for a week fails, so that its reply
// can be answered again. A tenant's hold stops answers in missions that have ended too.
func TestWhyOfAnswers(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		i := connect(w, mission.Mastodon)
		w.Parts.Publisher = unrouted{w.Parts.Publisher}
		c := &crowd{replies: []mission.FoundReply{said("1", "Hm?"), said("2", "And?"), said("3", "So?")}}
		m, _ := withReplies(w, c, mission.Mastodon, nil)
		all := replies(w, store.ReplyFilter{IntegrationID: i.ID})
		why := func(id string, summary string, code mission.ReasonCode, can ...mission.Remedy) mission.Reason {
			t.Helper()
			got, err := w.Missions.ReplyWhy(ctx, w.Tenant, id)
			w.Must(err)
			r := mission.Reason{}
			if len(got.Reasons) > 0 {
				r = got.Reasons[0]
			}
			var remedies []mission.Remedy
			for _, a := range r.Actions {
				remedies = append(remedies, a.Code)
			}
			if got.Status != string(reply(w, id).Status) || got.Summary != summary || r.Code != code || !slices.Equal(remedies, can) {
				t.Errorf("got %+v, want %q, %s with %v", got, summary, code, can)
			}
			return r
		}
		answer := func(id string) {
			t.Helper()
			_, err := w.Missions.AnswerReply(ctx, w.Tenant, id, "It does.")
			w.Must(err)
			w.Step()
		}
		ends := func(id string) {
			t.Helper()
			w.Until("the answer's end", func() bool { return reply(w, id).Answer.Settled() })
		}

		first, second, third := all[0].ID, all[1].ID, all[2].ID
		why(first, "It has no answer.", "")
		paused, err := w.Missions.PauseMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		answer(first)
		if r := why(first, "The mission is paused.", mission.ReasonPaused, mission.RemedyResume); !r.Since.Equal(*paused.PausedAt) {
			t.Errorf("the mission is paused since %s", r.Since)
		}
		_, err = w.Missions.ResumeMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		ends(first)
		why(first, "It is published.", mission.ReasonPublished)

		set(w, i, refused)
		answer(second)
		whys, err := w.Missions.ReplyWhys(ctx, w.Tenant, []string{first, second, third})
		if err != nil || len(whys) != 3 || whys[second].Reasons[0].Code != mission.ReasonReconnect {
			t.Errorf("got %+v, %v", whys, err)
		}
		w.Clock.Advance(mission.AnswerLimit)
		ends(second)
		why(second, "It could not be published. It couldn't be sent within seven days.", mission.ReasonFailed, mission.RemedyAnswer)
		if r := reply(w, second); r.Status != mission.ReplyNew || repliesEvents(w, mission.EventReplyAnswerFailed) != 1 {
			t.Errorf("got %+v", r)
		}
		set(w, i, connected)

		if ended, err := w.Missions.Mission(ctx, w.Tenant, m.ID); err != nil || ended.Status != mission.StatusCompleted {
			t.Fatalf("after a week the mission is %+v, %v", ended, err)
		}
		_, err = w.Missions.HoldTenant(ctx, w.Tenant, mission.HoldInput{Reason: "A crisis"})
		w.Must(err)
		answer(third)
		w.Clock.Advance(time.Hour)
		w.Step()
		why(third, "The tenant is on hold (A crisis): nothing goes out.", mission.ReasonHold, mission.RemedyRelease)
		if taken := c.taken; taken != 1 {
			t.Errorf("%d answers went out", taken)
		}
		_, err = w.Missions.ReleaseTenant(ctx, w.Tenant)
		w.Must(err)
		ends(third)
		why(third, "It is published.", mission.ReasonPublished)

		_, err = w.Missions.ReplyWhy(ctx, w.NewTenant("Another"), third)
		world.WantCode(t, err, mission.CodeNotFound)
	})
}
