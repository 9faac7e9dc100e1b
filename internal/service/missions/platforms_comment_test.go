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
)

// Whatever happens to the call that sends a first comment, the comment isn't on the
// platform twice and replies to its post, which stays published. Only where nothing can be asked about
// comments the outcome of a call may stay open.
func TestPlatformCommentFaults(t *testing.T) {
	testkit.SkipIfShort(t)
	for _, p := range playedPlatforms {
		t.Run(strings.TrimSpace(string(p.name)+" "+p.as), func(t *testing.T) {
			if !p.sampled() {
				testkit.Full(t)
			}
			t.Parallel()
			s := newStage(t, p)
			if caps, _ := mission.CapabilitiesOf(p.name); !caps.FirstComment {
				s.commentless()
				return
			}
			for _, blow := range faults {
				s.comments(blow)
			}
		})
	}
}

// commentless makes a post with a first comment for a platform that takes none.
func (s *stage) commentless() {
	s.t.Helper()
	s.set(trial{parts: []int{1}, accounts: 1, cents: 1000})
	m := s.w.Create(func(in *mission.CreateInput) { in.Platforms = []mission.Platform{s.p.name} })
	text, comment, at := "By hand.", "More (about it).", s.w.Clock.Now().Add(time.Hour)
	_, err := s.w.Missions.CreateContent(context.Background(), s.w.Tenant, missions.ContentInput{
		MissionID: m.ID, Platform: s.p.name, Text: &text, FirstComment: &comment, ScheduledAt: &at,
	})
	if mission.CodeOf(err) != mission.CodeInvalidRequest {
		s.t.Errorf("got %v", err)
	}
}

// comments publishes a post with a first comment, whose call has a fault.
func (s *stage) comments(blow fault) {
	s.t.Helper()
	s.set(trial{parts: []int{1}, accounts: 1, cents: 1000, reconnect: 10 * time.Minute, strikes: []strike{{blow, publishes, 2}}})
	one, pictures := 1, s.pictures()
	var media []mission.MediaChoice
	if len(pictures) > 0 {
		media = []mission.MediaChoice{{MediaID: pictures[0]}}
	}
	m := s.w.Create(func(in *mission.CreateInput) {
		in.Platforms, in.DurationDays, in.Constraints.PostsPerDay = []mission.Platform{s.p.name}, &one, &one
		in.MediaIDs = pictures
		in.Constraints.PostingTimes, in.Constraints.BudgetCents = []string{"20:00"}, &s.trial.cents
	})
	text, comment, at := "By hand.", "More (about it).", s.w.Clock.Now().Add(time.Hour)
	c, err := s.w.Missions.CreateContent(context.Background(), s.w.Tenant, missions.ContentInput{
		MissionID: m.ID, Platform: s.p.name, Text: &text, FirstComment: &comment, ScheduledAt: &at, Media: media,
	})
	s.w.Must(err)
	if !s.live(m.ID) {
		s.t.Errorf("%s: the comment's call had no fault", blow)
	}
	got, posts := s.w.Content(c.ID), s.stubs[0].Posts()
	if got.Status != mission.ContentPublished || got.PlatformPostID == nil || count(posts, text) != 1 {
		s.t.Fatalf("%s: got the post %s, %d times on the platform", blow, got.Status, count(posts, text))
	}
	there := slices.IndexFunc(posts, func(p publishertest.Post) bool { return p.Text == comment })
	if n := count(posts, comment); n > 1 || n == 1 && posts[there].Parent != *got.PlatformPostID {
		s.t.Errorf("%s: the comment is on the platform %d times: %+v", blow, n, posts)
	}
	n := got.Comment
	switch {
	case n.Status == mission.CommentPublished && there >= 0 && n.Publication.PostID == posts[there].ID:
	case n.Status == mission.CommentFailed && n.Error.Code == mission.CodeOutcomeUnknown && mission.CommentLookupOf(&mission.Integration{Platform: s.p.name}).Kind == mission.LookupNone && slices.Contains(doubtful, blow):
	default:
		s.t.Errorf("%s: got the comment %+v (%+v), on the platform as %+v", blow, n, n.Error, posts)
	}
	if m := s.w.Mission(m.ID); m.Status != mission.StatusCompleted || m.Reserved != 0 {
		s.t.Errorf("%s: got the mission %s with %d reserved", blow, m.Status, m.Reserved)
	}
}
