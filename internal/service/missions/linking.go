package missions

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"missiond/internal/links"
	"missiond/mission"
)

// LinkPath is the path below which tracked links lead.
const LinkPath = "/l/"

// linkRule returns what becomes of the links of a mission's posts on a platform.
func (s *core) linkRule(m mission.Mission, p mission.Platform) mission.LinkRule {
	return m.LinkRule(p, s.trackURL)
}

// textRules are what a text is checked against: the own limits of its account, and what becomes of
// its links.
type textRules struct {
	mission.TextLimits

	links mission.LinkRule
}

// on returns what a platform allows by the rules.
func (r textRules) on(p mission.Platform) mission.Capabilities {
	caps, _ := mission.CapabilitiesOf(p)
	return caps.Within(r.TextLimits).Sending(r.links)
}

// outgoing returns what is sent for the links of a draft and its first comment; "" for none.
func outgoing(p mission.Platform, rule mission.LinkRule, d mission.Draft, comment string) mission.Outgoing {
	return links.Outgoing(p, rule, append(slices.Clone(d.Texts()), comment), newLinkCode)
}

// newLinkCode returns a new code of a tracked link, which nobody can guess.
func newLinkCode() string { return strings.ToLower(rand.Text()[:mission.LinkCodeLength]) }

// LinksOf returns the links of the tenant's posts that are changed, with how often tracked ones were followed,
// by the posts' ids. It reads at most once.
func (s *API) LinksOf(ctx context.Context, p mission.Principal, posts []mission.Content) (map[string][]mission.ContentLink, error) {
	var tracked []string
	for _, c := range posts {
		if len(c.TrackedLinks()) > 0 {
			tracked = append(tracked, c.ID)
		}
	}
	var clicks map[string]int64
	if len(tracked) > 0 {
		var err error
		if clicks, err = s.db.LinkClicks(ctx, p.TenantID, tracked); err != nil {
			return nil, err
		}
	}
	found := make(map[string][]mission.ContentLink, len(posts))
	for _, c := range posts {
		found[c.ID] = c.Links(clicks)
	}
	return found, nil
}

// LinkClicksOf returns how often the tracked links of the tenant's posts were followed, by the posts' ids and
// the links' codes.
func (s *API) LinkClicksOf(ctx context.Context, p mission.Principal, contentIDs []string) (map[string]map[string]int64, error) {
	clicks, err := s.db.LinkClicks(ctx, p.TenantID, contentIDs)
	found := make(map[string]map[string]int64, len(contentIDs))
	for _, id := range contentIDs {
		found[id] = clicks // a code is one post's
	}
	return found, err
}

// shownClicks is for how long the clicks of each day are shown.
const shownClicks = 90 * 24 * time.Hour

// DailyClicksOf returns how often the tracked links of each of the tenant's posts were followed on each of the
// latest days, first to last, by the posts' ids.
func (s *API) DailyClicksOf(ctx context.Context, p mission.Principal, contentIDs []string) (map[string][]mission.DayClicks, error) {
	return s.db.DailyClicks(ctx, p.TenantID, contentIDs, s.clock.Now().Add(-shownClicks))
}
