package linkedintest

import (
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"missiond/mission"
)

// networkSizes begins the path of how many follow an organization.
const networkSizes = "/rest/networkSizes/"

// AsksAudience implements [publishertest.Audienced].
func (s *Stub) AsksAudience(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, networkSizes) || strings.Contains(r.URL.RawQuery, "timeIntervals=")
}

// followers tells how many follow the organization (Organization Lookup API, "Retrieve Organization
// Follower Count"). The caller holds the lock.
func (s *Stub) followers(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method != http.MethodGet || r.URL.RawQuery != "edgeType=COMPANY_FOLLOWED_BY_MEMBER" || strings.Contains(r.URL.EscapedPath()[len(networkSizes):], ":"):
		refuse(w, http.StatusBadRequest, 0, "Invalid query parameters passed to request: "+r.URL.RawQuery)
	case !s.Listing:
		refuse(w, http.StatusForbidden, 100, "Not enough permissions to access: GET-networkSizes")
	case r.URL.EscapedPath()[len(networkSizes):] != url.QueryEscape(Organization):
		refuse(w, http.StatusNotFound, 0, "Could not find the entity")
	default:
		size := map[string]any{}
		s.Tell(size, "firstDegreeSize")
		send(w, http.StatusOK, size)
	}
}

var byDay = regexp.MustCompile(`^q=organizationalEntity&organizationalEntity=urn%3Ali%3Aorganization%3A(\d+)&timeIntervals=\(timeRange:\(start:(\d+),end:(\d+)\),timeGranularityType:DAY\)$`)

// byDayMost is how many days one response has: those of a page.
const byDayMost = 10

// statisticsByDay tells the statistics of an organization's posts by day (Share Statistics,
// "Retrieve Time-Bound Share Statistics"), those of the first days that are asked for.
func (s *Stub) statisticsByDay(w http.ResponseWriter, r *http.Request) {
	requested := byDay.FindStringSubmatch(r.URL.RawQuery)
	start, _ := strconv.ParseInt(requested[2], 10, 64)
	end, _ := strconv.ParseInt(requested[3], 10, 64)
	if "urn:li:organization:"+requested[1] != Organization || start >= end || end > s.Now().UnixMilli() {
		refuse(w, http.StatusBadRequest, 0, "Invalid query parameters passed to request: "+r.URL.RawQuery)
		return
	}
	elements := []any{}
	for at := time.UnixMilli(start).UTC().Truncate(24 * time.Hour); at.UnixMilli() < end && len(elements) < byDayMost; at = at.AddDate(0, 0, 1) {
		total := map[string]any{"impressionCount": 3, "clickCount": 1, "likeCount": 0, "commentCount": 0, "shareCount": 0, "engagement": 0.5}
		if reached, ok := s.ReachOn(at.Format(time.DateOnly)); ok {
			total["uniqueImpressionsCount"] = reached
		}
		elements = append(elements, map[string]any{
			"organizationalEntity": Organization, "totalShareStatistics": total,
			"timeRange": map[string]any{"start": at.UnixMilli(), "end": at.AddDate(0, 0, 1).UnixMilli()},
		})
	}
	send(w, http.StatusOK, map[string]any{"paging": map[string]any{"start": 0, "count": byDayMost}, "elements": elements})
}

var statistics = regexp.MustCompile(`^q=organizationalEntity&organizationalEntity=urn%3Ali%3Aorganization%3A(\d+)(?:&shares=List\(([^()]+)\))?(?:&ugcPosts=List\(([^()]+)\))?$`)

func (s *Stub) organizationStatistics(w http.ResponseWriter, r *http.Request) {
	if byDay.MatchString(r.URL.RawQuery) {
		s.statisticsByDay(w, r)
		return
	}
	requested := statistics.FindStringSubmatch(r.URL.RawQuery)
	if requested == nil || "urn:li:organization:"+requested[1] != Organization {
		refuse(w, http.StatusBadRequest, 0, "Invalid query parameters passed to request: "+r.URL.RawQuery)
		return
	}
	elements := []any{}
	for field, list := range map[string]string{"share": requested[2], "ugcPost": requested[3]} {
		for encoded := range strings.SplitSeq(list, ",") {
			urn, err := url.QueryUnescape(encoded)
			if list != "" && (err != nil || !regexp.MustCompile(`^urn:li:`+field+`:\d+$`).MatchString(urn) || strings.Contains(encoded, ":")) {
				refuse(w, http.StatusBadRequest, 0, "Invalid query parameters passed to request: "+encoded)
				return
			}
			if p := s.find(urn); p != nil && len(elements) < 10 {
				f := p.figures
				elements = append(elements, map[string]any{"organizationalEntity": Organization, field: urn, "totalShareStatistics": map[string]any{
					"impressionCount": f[mission.Impressions], "uniqueImpressionsCount": f[mission.Reach], "clickCount": f[mission.Clicks],
					"likeCount": f[mission.Likes], "commentCount": f[mission.Comments], "shareCount": f[mission.Shares], "engagement": 0.5,
				}})
			}
		}
	}
	send(w, http.StatusOK, map[string]any{"paging": map[string]any{"start": 0, "count": 10}, "elements": elements})
}
