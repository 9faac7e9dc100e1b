package ghost

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/article"
	"missiond/mission"
)

const (
	// readBatch is how many posts one call returns at most: an article's HTML is long.
	readBatch = 10
	// settling is how long after it was published an article's own change may be recorded.
	settling = 5 * time.Second
)

// postIDs matches the ids of posts.
var postIDs = regexp.MustCompile(`^[0-9a-f]{24}$`)

// Measure returns the posts that the site still has, without figures: Ghost reports those of
// newsletters only, which the service doesn't send.
func (a *Adapter) Measure(ctx context.Context, c mission.Credentials, contents []mission.Content) (map[string]mission.Metrics, error) {
	requested, ids := map[string]string{}, []string(nil)
	for _, post := range contents {
		if id := post.PlatformPostID; id != nil && *id != "" {
			requested[*id], ids = post.ID, append(ids, *id)
		}
	}
	measured := map[string]mission.Metrics{}
	found, err := a.byID(ctx, c, ids, "id,status", "")
	for _, p := range found {
		if id, ok := requested[p.ID]; ok && p.out() {
			measured[id] = mission.Metrics{}
		}
	}
	return measured, err
}

// byID returns those of the posts that the site has, with some of their fields and formats.
func (a *Adapter) byID(ctx context.Context, c mission.Credentials, ids []string, fields, formats string) ([]post, error) {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !postIDs.MatchString(id) })
	if len(ids) == 0 {
		return nil, nil
	}
	query := url.Values{"filter": {"id:[" + strings.Join(ids, ",") + "]"}, "fields": {fields}, "limit": {strconv.Itoa(len(ids))}}
	if formats != "" {
		query.Set("formats", formats)
	}
	response, err := a.do(ctx, c, call{path: "/posts/", query: query})
	if err != nil {
		return nil, err
	}
	var found posts[post]
	if err := response.JSON(&found); err != nil {
		return nil, err
	}
	if found.Posts == nil {
		return nil, response.Malformed()
	}
	return found.Posts, nil
}

// Read implements [publisher.Reader]. Ghost makes its own form of an article's HTML, so that only
// words are compared; of others than were sent, in an article that nobody has changed since, it can't
// be told what Ghost made them from.
func (a *Adapter) Read(ctx context.Context, c mission.Credentials, contents []mission.Content) (map[string][]mission.Shown, error) {
	fetch := func(ids []string, found map[string]post) error {
		all, err := a.byID(ctx, c, ids, postFields, "html")
		for _, p := range all {
			if p.out() {
				found[p.ID] = p
			}
		}
		return err
	}
	return publisher.ReadParts(contents, readBatch, fetch, func(p post, text string) (mission.Shown, bool) {
		sent := article.Of(mission.Part{Content: mission.Content{Platform: mission.Ghost}, Text: text})
		shown := mission.Shown{Text: article.Text(p.Title, p.HTML)}
		shown.Same = shown.Text == sent.Text()
		return shown, shown.Same || p.changed()
	})
}

// changed reports whether somebody changed a post after it was published.
func (p post) changed() bool {
	at, err := time.Parse(time.RFC3339, p.UpdatedAt)
	return err == nil && p.PublishedAt != nil && at.Sub(*p.PublishedAt) > settling
}
