package x

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"missiond/mission"
)

// shownPost is a post as X shows it.
type shownPost struct {
	post

	// Versions are the ids of its versions, the latest last: an edit makes another post.
	Versions []string `json:"edit_history_tweet_ids"`
}

// Read implements [publisher.Reader] for the first parts of posts: X charges for each post that is
// read, but not twice a day.
func (a *Adapter) Read(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string][]mission.Shown, error) {
	of := map[string]mission.Content{}
	var ids []string
	for _, p := range posts {
		if id := p.PlatformPostID; id != nil && isID(*id) {
			of[*id], ids = p, append(ids, *id)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	query := url.Values{"ids": {strings.Join(ids, ",")}, "tweet.fields": {"entities,note_tweet,edit_history_tweet_ids"}}
	response, err := a.call(ctx, c, http.MethodGet, "/2/tweets", query, nil)
	if err != nil {
		return nil, err
	}
	var found struct {
		Data []shownPost `json:"data"`
	}
	if err := response.JSON(&found); err != nil {
		return nil, err
	}
	shown := map[string][]mission.Shown{}
	for _, each := range found.Data {
		p, ok := of[each.ID]
		n := len(each.Versions)
		edited := n > 0 && each.Versions[n-1] != each.ID
		if same := each.says(p.SentTexts()[0]) && !edited; ok && (same || edited) {
			shown[p.ID] = []mission.Shown{{Same: same}}
		}
	}
	return shown, nil
}
