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
	// Parent is the comment that it replies to; "" for one on the post itself.
	Parent string `json:"parentComment,omitempty"`
}

type commentText struct {
	Text string `json:"text"`
}

// comment publishes a part after the first, or an answer to a comment: LinkedIn has no threads, so
// that it is a comment on the post, or on the comment. LinkedIn takes the same comment twice, and
// isn't asked whether it has one.
func (a *Adapter) comment(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	post := p.Root.PostID
	made, on := newComment{Actor: c.AccountID, Object: post, Message: commentText{Text: p.Text}}, post
	if p.Parent != nil && commentURNs.MatchString(p.Parent.PostID) {
		made.Parent, on = p.Parent.PostID, p.Parent.PostID
	}
	response, err := a.do(ctx, c, http.MethodPost, "/rest/socialActions/"+within(on)+"/comments", made)
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
	published := a.publication(post)
	published.PostID = "urn:li:comment:(" + post + "," + id + ")"
	published.URL += "?commentUrn=" + url.QueryEscape(published.PostID)
	return published, nil
}
