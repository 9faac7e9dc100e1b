package missions_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// The address of another post of the account isn't that of a post whose outcome is unknown.
func TestSettledAsAnotherPost(t *testing.T) {
	at := slices.IndexFunc(playedPlatforms, func(p playedPlatform) bool { return p.name == mission.LinkedIn && p.as == "" })
	s := newStage(t, playedPlatforms[at])
	ctx := context.Background()
	m, first := s.lost(ctx)
	url := "https://www.linkedin.com/feed/update/" + s.stubs[0].Posts()[0].ID + "/"
	in := missions.SettleInput{PublishedURL: &url}
	_, err := s.w.Missions.SettleContent(ctx, s.w.Tenant, first.ID, in)
	s.w.Must(err)
	s.mu.Lock()
	s.trial.strikes = append(s.trial.strikes, strike{silentTaken, publishes, 1})
	s.mu.Unlock()
	text, due := "By hand, and another.", s.w.Clock.Now().Add(time.Hour)
	second, err := s.w.Missions.CreateContent(ctx, s.w.Tenant, missions.ContentInput{MissionID: m.ID, Platform: s.p.name, Text: &text, ScheduledAt: &due})
	s.w.Must(err)
	left := int64(0)
	s.crashes(runUntil(s.w, mission.TaskContentPublish, second.ID), &left)
	if _, err = s.w.Missions.SettleContent(ctx, s.w.Tenant, second.ID, in); err == nil || !strings.Contains(err.Error(), first.ID) {
		t.Errorf("got %v", err)
	}
	world.WantCode(t, err, mission.CodeInvalidRequest)
	if got := s.w.Content(second.ID); got.Status != mission.ContentUnknown {
		t.Errorf("the post is %s", got.Status)
	}
}
