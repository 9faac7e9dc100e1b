package missions_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher/publishertest"
	"missiond/internal/service/missions"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// Whatever happens to the calls that send a person's answer, it isn't on the platform twice, and is below the
// reply that it is for. Only where the platform can't be asked about it, its outcome may stay open.
func TestPlatformAnswerFaults(t *testing.T) {
	testkit.SkipIfShort(t)
	for _, p := range playedPlatforms {
		caps, _ := mission.CapabilitiesOf(p.name)
		if !caps.Replies.Answer || caps.Replies.PageOnly && p.as == "" {
			continue
		}
		t.Run(strings.TrimSpace(string(p.name)+" "+p.as), func(t *testing.T) {
			if !p.sampled() {
				testkit.Full(t)
			}
			t.Parallel()
			s := newStage(t, p)
			for _, blow := range faults {
				s.answers(strike{blow, publishes, 1})
				if caps.Drafts && caps.Threads() {
					s.answers(strike{blow, anything, 1}) // as the draft is made
				}
			}
		})
	}
}

// answers publishes a post, to which a stranger replies, and has a person answer by a call that has a fault.
func (s *stage) answers(fault strike) {
	s.t.Helper()
	ctx := context.Background()
	s.set(trial{parts: []int{1}, accounts: 1, cents: 10_000, reconnect: 10 * time.Minute})
	pictures := s.pictures()
	m := s.w.Create(func(in *mission.CreateInput) {
		in.Platforms, in.MediaIDs, in.Constraints.BudgetCents = []mission.Platform{s.p.name}, pictures, &s.trial.cents
		if s.p.name == mission.Twitter {
			in.Constraints.PaidReplies = in.Platforms
		}
	})
	text, at := "By hand.", s.w.Clock.Now().Add(time.Hour)
	in := missions.ContentInput{MissionID: m.ID, Platform: s.p.name, Text: &text, ScheduledAt: &at}
	if len(pictures) > 0 {
		in.Media = []mission.MediaChoice{{MediaID: pictures[0]}}
	}
	c, err := s.w.Missions.CreateContent(ctx, s.w.Tenant, in)
	s.w.Must(err)
	s.w.Until("the post is out", func() bool { return s.w.Content(c.ID).Status == mission.ContentPublished })
	to := s.stubs[0].(publishertest.Answerer).Answer(*s.w.Content(c.ID).PlatformPostID, "grace", "Does it rain?")
	s.w.Until("the reply is read", func() bool { return len(replies(s.w, store.ReplyFilter{ContentID: c.ID})) > 0 })
	id := replies(s.w, store.ReplyFilter{ContentID: c.ID})[0].ID
	s.w.Until("nothing else is due", func() bool { return len(s.w.Due()) == 0 })
	_, err = s.w.Missions.AnswerReply(ctx, s.w.Tenant, id, "It does.")
	s.w.Must(err)

	s.mu.Lock()
	s.trial.strikes, s.answering = []strike{fault}, id
	s.mu.Unlock()
	if !s.live(m.ID) {
		s.t.Errorf("%+v: no call had the fault", fault)
	}
	s.answering = ""
	r := reply(s.w, id)
	var there []publishertest.Post
	for _, post := range s.stubs[0].Posts() {
		if post.Text == r.Answer.Text {
			there = append(there, post)
		}
	}
	found := mission.CommentLookupOf(&mission.Integration{Platform: s.p.name, Account: &mission.Account{ID: s.stubs[0].Credentials("").AccountID}}).Kind
	switch a := r.Answer; {
	case len(there) > 1 || len(there) == 1 && there[0].Parent != to:
		s.t.Errorf("%+v: the answer to %s is on the platform as %+v", fault, to, there)
	case a.Status == mission.CommentPublished && len(there) == 1 && a.Publication.PostID == there[0].ID:
	case a.Status == mission.CommentUnknown && found == mission.LookupNone && slices.Contains(doubtful, fault.blow):
	default:
		s.t.Errorf("%+v: got the answer %+v (%+v), on the platform as %+v", fault, a, a.Error, there)
	}
}
