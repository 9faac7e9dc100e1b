package x

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

const (
	// lag is how long a post may be missing from its author's timeline.
	lag = time.Hour
	// lookupSlack is how much the clocks of X and of the service may differ.
	lookupSlack = 5 * time.Minute
	// lookupMax is how many posts a lookup reads, each of which X charges for; 10
	// is what mission's fee for a lookup assumes.
	lookupMax = "10"
	// epoch is when X's ids begin, in Unix milliseconds; the time is above their
	// lowest 22 bits.
	epoch      = 1288834974657
	epochShift = 22
	// settled is the greatest age of a post in a valid response: posts with an
	// unknown outcome are looked up long before.
	settled = 7 * 24 * time.Hour
)

var ids = regexp.MustCompile(`^[0-9]{1,19}$`)

// isID reports whether a text is an id of X's.
func isID(text string) bool { return ids.MatchString(text) }

type newPost struct {
	Text  string `json:"text"`
	Reply *reply `json:"reply,omitempty"`
}

type reply struct {
	To string `json:"in_reply_to_tweet_id"`
}

// Publish implements [publisher.Adapter]. X has no idempotency key; it rejects the
// text of a post that the account has. If an earlier call may have been accepted,
// that post is looked up.
func (a *Adapter) Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	body := newPost{Text: p.Text}
	if p.Parent != nil {
		body.Reply = &reply{To: p.Parent.PostID}
	}
	response, err := a.do(ctx, c, http.MethodPost, "/2/tweets", nil, body)
	if err != nil {
		return mission.Publication{}, err
	}
	refused := !response.OK()
	var created struct {
		Data *struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if !refused {
		if err := response.JSON(&created); err != nil {
			return mission.Publication{}, err
		}
	}
	switch {
	case created.Data != nil && isID(created.Data.ID):
		return a.publication(created.Data.ID), nil
	case created.Data != nil:
		return mission.Publication{}, response.Malformed()
	case response.Status/100 != 5 && problemOf(response).duplicate():
		return a.existing(ctx, c, p, response)
	case refused:
		return mission.Publication{}, fail(response)
	}
	return mission.Publication{}, emptyHanded(response)
}

// existing handles a part whose text X already has: that may be the part itself,
// from an earlier call. While timelines may lag, its outcome stays unknown until
// Find decides; after that one lookup decides. On a development clock that runs
// fast, CalledAt is in the future; that counts as recent.
func (a *Adapter) existing(ctx context.Context, c mission.Credentials, p mission.Part, response publisher.Response) (mission.Publication, error) {
	refusal := response.Refused(publisher.CodeDuplicate, "The platform already has a post with this text", problemOf(response).words())
	switch {
	case !p.Again:
		return mission.Publication{}, refusal
	case a.lags(p):
		return mission.Publication{}, stillInDoubt(refusal)
	}
	found, ok, err := a.lookup(ctx, c, p)
	switch {
	case err != nil:
		return mission.Publication{}, stillInDoubt(err)
	case !ok:
		return mission.Publication{}, refusal
	}
	return found, nil
}

// stillInDoubt returns an error that leaves open whether an earlier call was
// accepted. An unauthorized error stays as it is.
func stillInDoubt(err error) error {
	var pe *mission.PublishError
	if !errors.As(err, &pe) || pe.Unauthorized {
		return err
	}
	doubt := *pe
	doubt.Outcome = mission.OutcomeUnknown
	return &doubt
}

// publication returns a post's publication by its id, which contains the time.
func (a *Adapter) publication(id string) mission.Publication {
	now := a.client.Now()
	at := now
	if n, err := strconv.ParseInt(id, 10, 64); err == nil {
		made := time.UnixMilli(n>>epochShift + epoch)
		if made.After(now.Add(-settled)) && made.Before(now.Add(lookupSlack)) {
			at = made
		}
	}
	return mission.Publication{
		PostID: id, URL: "https://x.com/i/status/" + id,
		PublishedAt: at.UTC().Truncate(time.Millisecond),
	}
}

// lags reports whether the account's timeline may not show a part yet.
func (a *Adapter) lags(p mission.Part) bool { return a.client.Now().Sub(p.CalledAt) < lag }

// Find implements [publisher.Adapter]. Errors: also ErrNotVisibleYet, for a part that
// the account's timeline may not show yet.
func (a *Adapter) Find(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
	found, ok, err := a.lookup(ctx, c, p)
	if err == nil && !ok && a.lags(p) {
		err = mission.ErrNotVisibleYet
	}
	return found, ok, err
}

// lookup reads the account's latest posts, and returns the one that is the part.
func (a *Adapter) lookup(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
	query := url.Values{
		"max_results":  {lookupMax},
		"tweet.fields": {"created_at,entities,referenced_tweets,note_tweet"},
		"exclude":      {"retweets"},
	}
	// X rejects a start time in the future.
	if !p.CalledAt.After(a.client.Now()) {
		query.Set("start_time", p.CalledAt.Add(-lookupSlack).UTC().Format(time.RFC3339))
	}
	response, err := a.call(ctx, c, http.MethodGet, "/2/users/"+url.PathEscape(c.AccountID)+"/tweets", query, nil)
	if err != nil {
		return mission.Publication{}, false, err
	}
	var timeline struct {
		Data   []post    `json:"data"`
		Errors []fault   `json:"errors"`
		Meta   *struct{} `json:"meta"`
	}
	if err := response.JSON(&timeline); err != nil {
		return mission.Publication{}, false, err
	}
	if len(timeline.Data) == 0 && (len(timeline.Errors) > 0 || timeline.Meta == nil) {
		return mission.Publication{}, false, response.Malformed() // it doesn't say what the account has
	}
	parent := ""
	if p.Parent != nil {
		parent = p.Parent.PostID
	}
	for _, candidate := range timeline.Data {
		if isID(candidate.ID) && candidate.parent() == parent && candidate.says(p.Text) {
			return a.publication(candidate.ID), true, nil
		}
	}
	return mission.Publication{}, false, nil
}
