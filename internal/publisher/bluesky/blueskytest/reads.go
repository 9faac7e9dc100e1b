package blueskytest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"missiond/mission"
)

// getRecord, like listRecords, responds to everybody: what a token is, isn't looked
// at.
func (s *Stub) getRecord(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if repo := q.Get("repo"); repo != DID && repo != Handle {
		Refuse(w, http.StatusBadRequest, "InvalidRequest", "Could not find repo: "+repo)
		return
	}
	found := s.record(q.Get("rkey"))
	if q.Get("collection") != collection || found == nil {
		Refuse(w, http.StatusBadRequest, "RecordNotFound", "Could not locate record: at://"+DID+"/"+q.Get("collection")+"/"+q.Get("rkey"))
		return
	}
	answerJSON(w, http.StatusOK, found.shown())
}

// shown is a record as everybody sees it.
func (r *stored) shown() map[string]any {
	return map[string]any{"uri": r.uri(), "cid": r.cid, "value": r.value}
}

// listRecords returns the posts, those with the highest keys first.
func (s *Stub) listRecords(w http.ResponseWriter, _ *http.Request) {
	sorted := slices.SortedFunc(slices.Values(s.records), func(a, b *stored) int { return strings.Compare(b.key, a.key) })
	shown := []map[string]any{}
	for _, r := range sorted {
		shown = append(shown, r.shown())
	}
	answerJSON(w, http.StatusOK, map[string]any{"records": shown})
}

func (s *Stub) getPosts(w http.ResponseWriter, r *http.Request) {
	uris := r.URL.Query()["uris"]
	if len(uris) == 0 || len(uris) > 25 {
		Refuse(w, http.StatusBadRequest, "InvalidRequest", fmt.Sprintf("Invalid app.bsky.feed.getPosts params: array too big (maximum 25, got %d)", len(uris)))
		return
	}
	views := []map[string]any{}
	for _, found := range s.records {
		if !slices.Contains(uris, found.uri()) {
			continue
		}
		quotes := float64(int(found.figures[mission.Shares]) / 2)
		views = append(views, map[string]any{
			"uri": found.uri(), "cid": found.cid, "author": map[string]any{"did": DID, "handle": Handle}, "record": found.value,
			"likeCount": found.figures[mission.Likes], "replyCount": found.figures[mission.Comments], "bookmarkCount": 1,
			"repostCount": found.figures[mission.Shares] - quotes, "quoteCount": quotes, "indexedAt": "2026-08-20T00:00:00.000Z", "labels": []any{},
		})
	}
	answerJSON(w, http.StatusOK, map[string]any{"posts": views})
}
