package mastodon

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

const (
	// clocksApart is how much a server's clock may differ from ours.
	clocksApart = 5 * time.Minute
	// pageSize is the most statuses that a server lists at once, and lookPages how many
	// pages are read at most, back to the time of the call: 4,000 statuses, of 300 requests
	// that a server allows in five minutes.
	pageSize  = 40
	lookPages = 100
)

// status is the API's Status.
type status struct {
	ID        string    `json:"id"`
	CreatedAt time.Time `json:"created_at"`
	URL       string    `json:"url"`
	URI       string    `json:"uri"`
	Content   string    `json:"content"`
	InReplyTo string    `json:"in_reply_to_id"`
	// EditedAt is nil if nobody edited it.
	EditedAt *time.Time `json:"edited_at"`
	// Visibility is who sees it, and Account who wrote it.
	Visibility string  `json:"visibility"`
	Account    account `json:"account"`
	// Reblog is set if the status only shares another.
	Reblog *struct{} `json:"reblog"`
	// Servers that don't count something leave it out.
	Replies    *float64 `json:"replies_count"`
	Reblogs    *float64 `json:"reblogs_count"`
	Favourites *float64 `json:"favourites_count"`
	Quotes     *float64 `json:"quotes_count"`
}

// Publish posts a status under the part's key, for which Mastodon itself makes only one
// status within an hour. Other servers ignore the key, so that nothing is built on it.
func (a *Adapter) Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	form := url.Values{"status": {p.Text}}
	if p.Presentation.Visibility != "" {
		form.Set("visibility", string(p.Presentation.Visibility)) // else the account's own default applies
	}
	if p.Presentation.Language != "" {
		form.Set("language", mission.BaseLanguage(p.Presentation.Language)) // ISO 639
	}
	if p.Parent != nil {
		form.Set("in_reply_to_id", p.Parent.PostID)
	}
	for _, f := range p.Media {
		form.Add("media_ids[]", f.Upload.ID)
	}
	response, err := a.do(ctx, c, call{method: http.MethodPost, path: "/api/v1/statuses", form: form, key: p.Key()})
	if err != nil {
		return mission.Publication{}, a.filesGone(ctx, c, p, response, err)
	}
	var s status
	if err := response.JSON(&s); err != nil {
		return mission.Publication{}, err
	}
	if s.ID == "" {
		return mission.Publication{}, response.Malformed()
	}
	if s.CreatedAt.IsZero() {
		s.CreatedAt = a.client.Now()
	}
	return s.publication(), nil
}

func (s status) publication() mission.Publication {
	return mission.Publication{PostID: s.ID, URL: cmp.Or(webAddress(s.URL), webAddress(s.URI)), PublishedAt: s.CreatedAt.UTC()}
}

// Find searches the account's statuses since the part's first call for one with its
// text, in its position. Errors: also unknown, if there are more statuses than are
// searched.
func (a *Adapter) Find(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
	since, pages := p.CalledAt.Add(-clocksApart), lookPages
	if p.CalledAt.After(a.client.Now().Add(clocksApart)) {
		// A development clock that runs fast: its times mean nothing to the server.
		since, pages = time.Time{}, 1
	}
	before := ""
	for range pages {
		statuses, err := a.recent(ctx, c, before)
		if err != nil {
			return mission.Publication{}, false, err
		}
		for _, s := range statuses {
			if s.ID != "" && !s.CreatedAt.Before(since) && s.is(p) {
				return s.publication(), true, nil
			}
		}
		if len(statuses) == 0 || statuses[len(statuses)-1].CreatedAt.Before(since) {
			return mission.Publication{}, false, nil
		}
		before = statuses[len(statuses)-1].ID
	}
	if since.IsZero() {
		return mission.Publication{}, false, nil
	}
	return mission.Publication{}, false, &mission.PublishError{Outcome: mission.OutcomeUnknown, Failure: mission.Failure{
		Code: publisher.CodeUnavailable, Message: "The account has too many newer posts to tell whether this one is among them.",
	}}
}

// is reports whether a status is a part: its text, in its position.
func (s status) is(p mission.Part) bool {
	parent := ""
	if p.Parent != nil {
		parent = p.Parent.PostID
	}
	return s.Reblog == nil && s.InReplyTo == parent && plainText(s.Content) == normal(p.Text)
}

// recent returns the account's statuses, newest first, before the one with the id,
// unless that is "".
func (a *Adapter) recent(ctx context.Context, c mission.Credentials, before string) ([]status, error) {
	query := url.Values{"limit": {strconv.Itoa(pageSize)}, "exclude_reblogs": {"true"}}
	if before != "" {
		query.Set("max_id", before)
	}
	response, err := a.do(
		ctx, c,
		call{method: http.MethodGet, path: "/api/v1/accounts/" + url.PathEscape(c.AccountID) + "/statuses", query: query},
	)
	if err != nil {
		return nil, inDoubt(err)
	}
	var statuses []status
	if err := response.JSON(&statuses); err != nil {
		return nil, err
	}
	return statuses, nil
}

// inDoubt returns the error of a lookup that failed: the lookup was rejected, not
// the post, whose outcome is still unknown.
func inDoubt(err error) error {
	var pe *mission.PublishError
	if errors.As(err, &pe) && pe.Outcome == mission.OutcomeRefused {
		pe.Outcome = mission.OutcomeUnknown
	}
	return err
}
