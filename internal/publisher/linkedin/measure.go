package linkedin

import (
	"context"
	"net/http"
	"strings"

	"missiond/internal/publisher"
	"missiond/mission"
)

// page is how many posts one call for an organization's figures names: Rest.li's
// finders return ten elements by default.
const page = 10

// laterVersion is the version of the API that began to count clicks and followers
// of members' posts.
const laterVersion = "202604"

// memberQuery is a figure of a member's post, with its metrics.
type memberQuery struct {
	kind    string
	metrics []mission.Metric
	later   bool // since laterVersion
}

// memberQueries are requested one by one. A member's post counts clicks on its
// links and no others, so these are also its clicks.
var memberQueries = []memberQuery{
	{kind: "IMPRESSION", metrics: []mission.Metric{mission.Impressions}},
	{kind: "MEMBERS_REACHED", metrics: []mission.Metric{mission.Reach}},
	{kind: "RESHARE", metrics: []mission.Metric{mission.Shares}},
	{kind: "REACTION", metrics: []mission.Metric{mission.Likes}},
	{kind: "COMMENT", metrics: []mission.Metric{mission.Comments}},
	{kind: "LINK_CLICKS", metrics: []mission.Metric{mission.LinkClicks, mission.Clicks}, later: true},
	{kind: "FOLLOWER_GAINED_FROM_CONTENT", metrics: []mission.Metric{mission.FollowersGained}, later: true},
}

// Measure implements [publisher.Adapter]. An organization's posts are measured ten
// per call; a member's need a call per figure, up to seven per post, so a batch of
// twenty takes up to 140. If the context ends in between, the completed posts are
// returned. Errors: refused if the token's scopes don't include figures, which
// doesn't affect publishing.
func (a *Adapter) Measure(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string]mission.Metrics, error) {
	var known []mission.Content
	for _, p := range posts {
		if p.PlatformPostID != nil && urns.MatchString(*p.PlatformPostID) {
			known = append(known, p)
		}
	}
	if strings.HasPrefix(c.AccountID, "urn:li:organization:") {
		return a.measureOrganization(ctx, c, known)
	}
	measured := map[string]mission.Metrics{}
	for _, p := range known {
		m, err := a.measureMember(ctx, c, *p.PlatformPostID)
		if err != nil {
			if ctx.Err() != nil && len(measured) > 0 {
				break
			}
			return nil, err
		}
		if m != nil {
			measured[p.ID] = m
		}
	}
	return measured, nil
}

// measureMember returns the metrics of a member's post; nil if LinkedIn no longer
// has it.
func (a *Adapter) measureMember(ctx context.Context, c mission.Credentials, urn string) (mission.Metrics, error) {
	kind := "share"
	if strings.HasPrefix(urn, "urn:li:ugcPost:") {
		kind = "ugc"
	}
	m := mission.Metrics{}
	for _, q := range memberQueries {
		if q.later && a.options.Version < laterVersion {
			continue
		}
		response, err := a.do(
			ctx, c, http.MethodGet,
			"/rest/memberCreatorPostAnalytics?q=entity&entity=("+kind+":"+within(urn)+")&queryType="+q.kind+"&aggregation=TOTAL",
			nil,
		)
		if err != nil {
			return nil, err
		}
		if response.Status == http.StatusNotFound {
			return nil, nil
		}
		var totals struct {
			Elements []struct {
				Count *float64 `json:"count"`
			} `json:"elements"`
		}
		if err := a.read(response, &totals); err != nil {
			return nil, err
		}
		for _, metric := range q.metrics {
			if len(totals.Elements) > 0 && totals.Elements[0].Count != nil {
				m[metric] = *totals.Elements[0].Count
			}
		}
	}
	return m, nil
}

// read decodes a response's JSON, unless it is an error.
func (a *Adapter) read(response publisher.Response, v any) error {
	if !response.OK() {
		return a.fail(response)
	}
	return response.JSON(v)
}

// shareStatistics are an organization's statistics of a post. Its clicks are those
// on links, its name, its logo and more together; those on links alone aren't
// reported.
type shareStatistics struct {
	Share string `json:"share"`
	UGC   string `json:"ugcPost"`
	Total struct {
		Impressions *float64 `json:"impressionCount"`
		Reach       *float64 `json:"uniqueImpressionsCount"`
		Clicks      *float64 `json:"clickCount"`
		Likes       *float64 `json:"likeCount"`
		Comments    *float64 `json:"commentCount"`
		Shares      *float64 `json:"shareCount"`
	} `json:"totalShareStatistics"`
}

func (s shareStatistics) metrics() mission.Metrics {
	m := mission.Metrics{}
	for metric, figure := range map[mission.Metric]*float64{
		mission.Impressions: s.Total.Impressions, mission.Reach: s.Total.Reach, mission.Clicks: s.Total.Clicks,
		mission.Likes: s.Total.Likes, mission.Comments: s.Total.Comments, mission.Shares: s.Total.Shares,
	} {
		if figure != nil {
			m[metric] = *figure
		}
	}
	return m
}

func (a *Adapter) measureOrganization(
	ctx context.Context, c mission.Credentials, posts []mission.Content,
) (map[string]mission.Metrics, error) {
	measured := map[string]mission.Metrics{}
	for len(posts) > 0 {
		requested := posts[:min(page, len(posts))]
		posts = posts[len(requested):]
		ids := map[string]string{}
		var shares, ugcPosts []string
		for _, p := range requested {
			urn := *p.PlatformPostID
			ids[urn] = p.ID
			if strings.HasPrefix(urn, "urn:li:share:") {
				shares = append(shares, within(urn))
			} else {
				ugcPosts = append(ugcPosts, within(urn))
			}
		}
		target := "/rest/organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity=" + within(c.AccountID) +
			list("shares", shares) + list("ugcPosts", ugcPosts)
		response, err := a.do(ctx, c, http.MethodGet, target, nil)
		if err != nil {
			return nil, err
		}
		var found struct {
			Elements []shareStatistics `json:"elements"`
		}
		if err := a.read(response, &found); err != nil {
			return nil, err
		}
		for _, s := range found.Elements {
			for _, urn := range []string{s.Share, s.UGC} {
				if id, ok := ids[urn]; ok {
					measured[id] = s.metrics()
				}
			}
		}
	}
	return measured, nil
}

// list returns a Rest.li parameter with several values, or "" for none.
func list(name string, values []string) string {
	if len(values) == 0 {
		return ""
	}
	return "&" + name + "=List(" + strings.Join(values, ",") + ")"
}
