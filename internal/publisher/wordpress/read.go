package wordpress

import (
	"context"
	"net/http"
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
var postIDs = regexp.MustCompile(`^[1-9][0-9]{0,18}$`)

// byID returns those of the posts that are out, with some of their fields, as editors see them.
func (a *Adapter) byID(ctx context.Context, c mission.Credentials, ids []string, fields string) ([]post, error) {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !postIDs.MatchString(id) })
	if len(ids) == 0 {
		return nil, nil
	}
	response, err := a.do(ctx, c, call{path: "/wp/v2/posts", query: url.Values{
		"include": {strings.Join(ids, ",")}, "per_page": {strconv.Itoa(len(ids))}, "context": {"edit"}, "_fields": {fields},
	}})
	if err != nil {
		return nil, err
	}
	var found []post
	if err := response.JSON(&found); err != nil {
		return nil, err
	}
	if found == nil {
		return nil, response.Malformed()
	}
	return found, nil
}

// Measure counts the posts' approved comments, with a call for each, which is all that WordPress
// itself counts. A site that doesn't show comments reports none.
func (a *Adapter) Measure(ctx context.Context, c mission.Credentials, contents []mission.Content) (map[string]mission.Metrics, error) {
	requested, ids := map[string]string{}, []string(nil)
	for _, p := range contents {
		if id := p.PlatformPostID; id != nil && *id != "" {
			requested[*id], ids = p.ID, append(ids, *id)
		}
	}
	measured := map[string]mission.Metrics{}
	found, err := a.byID(ctx, c, ids, "id,status")
	if err != nil {
		return measured, err
	}
	for _, p := range found {
		id, ok := requested[strconv.Itoa(p.ID)]
		if !ok || p.Status != published {
			continue
		}
		n, known, err := a.comments(ctx, c, p.ID)
		if err != nil {
			return measured, err
		}
		measured[id] = mission.Metrics{}
		if known {
			measured[id][mission.Comments] = float64(n)
		}
	}
	return measured, nil
}

// comments returns how many comments a post has; known is false if the site doesn't tell.
func (a *Adapter) comments(ctx context.Context, c mission.Credentials, id int) (n int, known bool, err error) {
	response, err := a.do(ctx, c, call{path: "/wp/v2/comments", query: url.Values{
		"post": {strconv.Itoa(id)}, "per_page": {"1"}, "_fields": {"id"},
	}})
	if response.Status == http.StatusForbidden || response.Status == http.StatusNotFound {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	n, err = strconv.Atoi(response.Header.Get("X-WP-Total"))
	return n, err == nil && n >= 0, nil
}

// Read implements [publisher.Reader]. Words are compared, since WordPress rewrites the HTML of users
// who may not write any; of others than were sent, in an article that nobody has changed since, it
// can't be told what WordPress made them from.
func (a *Adapter) Read(ctx context.Context, c mission.Credentials, contents []mission.Content) (map[string][]mission.Shown, error) {
	fetch := func(ids []string, found map[string]post) error {
		all, err := a.byID(ctx, c, ids, postFields+",title.raw,content.raw")
		for _, p := range all {
			found[strconv.Itoa(p.ID)] = p
		}
		return err
	}
	return publisher.ReadParts(contents, readBatch, fetch, func(p post, text string) (mission.Shown, bool) {
		sent := article.Of(mission.Part{Content: mission.Content{Platform: mission.WordPress}, Text: text})
		shown := mission.Shown{Text: article.Text(article.Words(p.Title.Raw), p.Content.Raw)}
		shown.Same = shown.Text == sent.Text()
		return shown, shown.Same || p.changed()
	})
}

// changed reports whether somebody changed a post after it was published.
func (p post) changed() bool {
	made, err1 := time.Parse(timeFormat, p.Date)
	at, err2 := time.Parse(timeFormat, p.Modified)
	return err1 == nil && err2 == nil && at.Sub(made) > settling
}
