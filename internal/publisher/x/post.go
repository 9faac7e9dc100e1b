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
	// lookSlack is how much the clocks of X and of the service may differ.
	lookSlack = 5 * time.Minute
	// lookAt is how many posts a look reads, each of which X charges for; 10 is
	// what mission's fee for a look counts on.
	lookAt = "10"
	// epoch is when X's ids begin, in Unix milliseconds; the time stands above
	// their lowest 22 bits.
	epoch      = 1288834974657
	epochShift = 22
	// settled is how old a post may be that is answered: those in doubt are
	// looked for long before.
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

// Publish implements [publisher.Adapter]. X has no idempotency key; it refuses
// the text of a post that the account has. Where an earlier call may have been
// taken, that post is looked for.
func (a *Adapter) Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	body := newPost{Text: p.Text}
	if p.Parent != nil {
		body.Reply = &reply{To: p.Parent.PostID}
	}
	answer, err := a.ask(ctx, c, http.MethodPost, "/2/tweets", nil, body)
	if err != nil {
		return mission.Publication{}, err
	}
	refused := !answer.OK()
	var created struct {
		Data *struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if !refused {
		if err := answer.JSON(&created); err != nil {
			return mission.Publication{}, err
		}
	}
	switch {
	case created.Data != nil && isID(created.Data.ID):
		return a.publication(created.Data.ID), nil
	case created.Data != nil:
		return mission.Publication{}, answer.Malformed()
	case answer.Status/100 != 5 && problemOf(answer).duplicate():
		return a.twin(ctx, c, p, answer)
	case refused:
		return mission.Publication{}, fail(answer)
	}
	return mission.Publication{}, emptyHanded(answer)
}

// twin returns a part whose text X has already: it may be the part itself, by an
// earlier call. While timelines may lag, it stays in doubt until a look tells (see
// Find); then one look decides. On a development clock that is fast, CalledAt is
// still to come; that counts as recent.
func (a *Adapter) twin(ctx context.Context, c mission.Credentials, p mission.Part, answer publisher.Answer) (mission.Publication, error) {
	refusal := answer.Refused(publisher.CodeDuplicate, "The platform has a post with this text already", problemOf(answer).words())
	switch {
	case !p.Again:
		return mission.Publication{}, refusal
	case a.lags(p):
		return mission.Publication{}, stillInDoubt(refusal)
	}
	found, ok, err := a.look(ctx, c, p)
	switch {
	case err != nil:
		return mission.Publication{}, stillInDoubt(err)
	case !ok:
		return mission.Publication{}, refusal
	}
	return found, nil
}

// stillInDoubt is an error that leaves open whether an earlier call was taken.
// One that is unauthorized stays as it is: it says so by itself.
func stillInDoubt(err error) error {
	var pe *mission.PublishError
	if !errors.As(err, &pe) || pe.Unauthorized {
		return err
	}
	doubt := *pe
	doubt.Outcome = mission.OutcomeUnknown
	return &doubt
}

// publication returns a post by its id, which tells when it was made.
func (a *Adapter) publication(id string) mission.Publication {
	now := a.client.Now()
	at := now
	if n, err := strconv.ParseInt(id, 10, 64); err == nil {
		made := time.UnixMilli(n>>epochShift + epoch)
		if made.After(now.Add(-settled)) && made.Before(now.Add(lookSlack)) {
			at = made
		}
	}
	return mission.Publication{
		PostID: id, URL: "https://x.com/i/status/" + id,
		PublishedAt: at.UTC().Truncate(time.Millisecond),
	}
}

// lags reports whether the account's timeline may lag behind a part.
func (a *Adapter) lags(p mission.Part) bool { return a.client.Now().Sub(p.CalledAt) < lag }

// Find implements [publisher.Adapter]. Errors: ErrNotShownYet too, for a part that
// the account's timeline may not show yet.
func (a *Adapter) Find(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
	found, ok, err := a.look(ctx, c, p)
	if err == nil && !ok && a.lags(p) {
		err = mission.ErrNotShownYet
	}
	return found, ok, err
}

// look reads the account's latest posts, and answers the one that is a part.
func (a *Adapter) look(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
	query := url.Values{
		"max_results":  {lookAt},
		"tweet.fields": {"created_at,entities,referenced_tweets,note_tweet"},
		"exclude":      {"retweets"},
	}
	// X refuses a start that is to come.
	if !p.CalledAt.After(a.client.Now()) {
		query.Set("start_time", p.CalledAt.Add(-lookSlack).UTC().Format(time.RFC3339))
	}
	answer, err := a.call(ctx, c, http.MethodGet, "/2/users/"+url.PathEscape(c.AccountID)+"/tweets", query, nil)
	if err != nil {
		return mission.Publication{}, false, err
	}
	var timeline struct {
		Data   []post    `json:"data"`
		Errors []fault   `json:"errors"`
		Meta   *struct{} `json:"meta"`
	}
	if err := answer.JSON(&timeline); err != nil {
		return mission.Publication{}, false, err
	}
	if len(timeline.Data) == 0 && (len(timeline.Errors) > 0 || timeline.Meta == nil) {
		return mission.Publication{}, false, answer.Malformed() // it doesn't tell what the account has
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
