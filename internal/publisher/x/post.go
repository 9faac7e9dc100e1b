package x

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

const (
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
	Media *media `json:"media,omitempty"`
	// MadeWithAI says that a model made some of its files.
	MadeWithAI      bool `json:"made_with_ai,omitempty"`
	PaidPartnership bool `json:"paid_partnership,omitempty"`
}

type media struct {
	IDs []string `json:"media_ids"`
}

type reply struct {
	To string `json:"in_reply_to_tweet_id"`
}

// bodyOf returns what is posted for a part.
func bodyOf(p mission.Part) newPost {
	body := newPost{Text: p.Text, MadeWithAI: p.Labels.MadeWithAI, PaidPartnership: p.Labels.PaidPartnership}
	if p.Parent != nil {
		body.Reply = &reply{To: p.Parent.PostID}
	}
	if len(p.Media) > 0 {
		body.Media = &media{}
	}
	for _, f := range p.Media {
		body.Media.IDs = append(body.Media.IDs, f.Upload.ID)
	}
	return body
}

// Publish implements [publisher.Adapter]. X has no idempotency key; it rejects the
// text of a post that the account has, for a time that it doesn't publish, and doesn't
// name that post: nothing is built on it.
func (a *Adapter) Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	response, err := a.do(ctx, c, http.MethodPost, "/2/tweets", nil, bodyOf(p))
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
		return mission.Publication{}, response.Refused(
			publisher.CodeDuplicate, "The platform already has a post with this text", problemOf(response).words(),
		)
	case response.Status == http.StatusBadRequest && len(p.Media) > 0 && problemOf(response).mediaGone():
		return mission.Publication{}, response.FileGone(problemOf(response).words())
	case refused:
		return mission.Publication{}, fail(response)
	}
	return mission.Publication{}, emptyHanded(response)
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

// Find implements [publisher.Adapter]: it reads the account's latest posts, and returns the
// one that is the part. Errors: also unknown, if there are more posts than are read.
func (a *Adapter) Find(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
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
		Data   []post  `json:"data"`
		Errors []fault `json:"errors"`
		Meta   *struct {
			Next string `json:"next_token"`
		} `json:"meta"`
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
	if timeline.Meta != nil && timeline.Meta.Next != "" && query.Has("start_time") {
		return mission.Publication{}, false, &mission.PublishError{Outcome: mission.OutcomeUnknown, Failure: mission.Failure{
			Code: publisher.CodeUnavailable, Message: "The account has too many newer posts to tell whether this one is among them.",
		}}
	}
	return mission.Publication{}, false, nil
}
