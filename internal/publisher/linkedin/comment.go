package linkedin

import (
	"context"
	"net/http"
	"net/url"
	"regexp"

	"missiond/internal/publisher"
	"missiond/mission"
)

// commentIDs matches the ids of comments.
var commentIDs = regexp.MustCompile(`^[0-9]+$`)

// newComment is the body that creates a comment. Its text is plain, not a commentary.
type newComment struct {
	Actor   string      `json:"actor"`
	Object  string      `json:"object"`
	Message commentText `json:"message"`
}

type commentText struct {
	Text string `json:"text"`
}

// comment publishes a part after the first: LinkedIn has no threads, so that it is a
// comment on the post. LinkedIn takes the same comment twice, and isn't asked whether it
// has one.
func (a *Adapter) comment(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	post := p.Root.PostID
	response, err := a.do(ctx, c, http.MethodPost, "/rest/socialActions/"+within(post)+"/comments", newComment{
		Actor: c.AccountID, Object: post, Message: commentText{Text: p.Text},
	})
	if err != nil {
		return mission.Publication{}, err
	}
	switch {
	case response.Status == http.StatusForbidden: // other calls may still be allowed
		return mission.Publication{}, response.Refused(
			publisher.CodeRefused, "The platform doesn't let the account comment", refusalOf(response).words(),
		)
	case !response.OK():
		return mission.Publication{}, a.fail(response)
	}
	id := response.Header.Get(idHeader)
	if !commentIDs.MatchString(id) {
		return mission.Publication{}, response.Malformed()
	}
	made := a.publication(post)
	made.PostID = "urn:li:comment:(" + post + "," + id + ")"
	made.URL += "?commentUrn=" + url.QueryEscape(made.PostID)
	return made, nil
}
