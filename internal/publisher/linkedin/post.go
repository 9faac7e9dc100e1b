package linkedin

import (
	"context"
	"net/http"
	"regexp"
	"time"

	"missiond/mission"
)

// idHeader is the header in which LinkedIn returns the URN of what it created.
const idHeader = "X-Restli-Id"

// urns matches the URNs of posts.
var urns = regexp.MustCompile(`^urn:li:(share|ugcPost):[0-9]+$`)

// newPost is the body that creates a post. LinkedIn requires the first five fields.
type newPost struct {
	Author       string       `json:"author"`
	Commentary   string       `json:"commentary"`
	Visibility   string       `json:"visibility"`
	Distribution distribution `json:"distribution"`
	Lifecycle    string       `json:"lifecycleState"`
	NoReshares   bool         `json:"isReshareDisabledByAuthor"`
	Content      *content     `json:"content,omitempty"`
}

// content is what a post shows below its text: a file, several pictures, or a link's card.
type content struct {
	Media   *media      `json:"media,omitempty"`
	Images  *multiImage `json:"multiImage,omitempty"`
	Article *article    `json:"article,omitempty"`
}

type multiImage struct {
	Images []media `json:"images"`
}

// media is a file that LinkedIn has.
type media struct {
	ID      string `json:"id"`
	AltText string `json:"altText,omitempty"`
}

// contentOf returns files as a post has them; nil for none.
func contentOf(files []mission.PartFile) *content {
	var all []media
	for _, f := range files {
		if f.Kind == mission.MediaLink {
			return articleOf(f.Upload)
		}
		all = append(all, media{ID: f.Upload.ID, AltText: f.Upload.AltText})
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return &content{Media: &all[0]}
	}
	return &content{Images: &multiImage{Images: all}}
}

type distribution struct {
	Feed     string   `json:"feedDistribution"`
	Targets  []string `json:"targetEntities"`
	Channels []string `json:"thirdPartyDistributionChannels"`
}

// Publish implements [publisher.Adapter]. LinkedIn has no idempotency key; for ten
// minutes it rejects the text of a post that the author has, and names that post
// (learn.microsoft.com, "UGC Post API": "Wait 10 minutes for the duplicate restriction to
// expire"; "Posts API" names no time). If an earlier call may have been accepted, that
// post may be the part.
func (a *Adapter) Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	if p.Root != nil {
		return a.comment(ctx, c, p)
	}
	post := newPost{
		Author: c.AccountID, Commentary: Escape(p.Text), Visibility: "PUBLIC", Lifecycle: "PUBLISHED",
		Distribution: distribution{Feed: "MAIN_FEED", Targets: []string{}, Channels: []string{}},
		Content:      contentOf(p.Media),
	}
	response, err := a.do(ctx, c, http.MethodPost, "/rest/posts", post)
	if err == nil && refusesCard(post, p.Media, response) {
		post.Content = nil
		response, err = a.do(ctx, c, http.MethodPost, "/rest/posts", post)
	}
	if err != nil {
		return mission.Publication{}, err
	}
	if response.OK() {
		urn := response.Header.Get(idHeader)
		if !urns.MatchString(urn) {
			return mission.Publication{}, response.Malformed()
		}
		return a.publication(urn), nil
	}
	original, twin := refusalOf(response).duplicate()
	switch {
	case refusalOf(response).about(p.Media):
		return mission.Publication{}, fileGone(p, response)
	case response.Status != http.StatusUnprocessableEntity || !twin:
		return mission.Publication{}, a.denied(response)
	case p.Again:
		return a.original(p, original, response)
	}
	return mission.Publication{}, duplicate(response)
}

func (a *Adapter) publication(urn string) mission.Publication {
	return mission.Publication{
		PostID: urn, URL: "https://www.linkedin.com/feed/update/" + urn + "/",
		PublishedAt: a.client.Now().UTC().Truncate(time.Millisecond),
	}
}
