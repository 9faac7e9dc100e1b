package linkedin

import (
	"context"
	"net/http"
	"strings"

	"missiond/internal/links"
	"missiond/internal/publisher"
	"missiond/internal/publisher/linkcard"
	"missiond/mission"
)

// article is a link's card: LinkedIn makes none itself for posts that come through its API.
type article struct {
	Source      string `json:"source"`
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
}

// card returns the card of a text's first link; nil if there is none, or no card can be made in
// time. It has no picture, which LinkedIn would have to be asked to take before.
func (a *Adapter) card(ctx context.Context, text string) *content {
	link := firstLink(text)
	if a.options.Cards == nil || link == "" {
		return nil
	}
	ctx, cancel := linkcard.Within(ctx, a.client.Now())
	defer cancel()
	read, err := a.options.Cards.Read(ctx, link)
	if err != nil {
		return nil
	}
	return &content{Article: &article{Source: link, Title: read.Title, Description: read.Description}}
}

// firstLink returns the first address with a scheme in a text, or "".
func firstLink(text string) string {
	for _, l := range links.On(mission.LinkedIn, text) {
		if address := text[l.Start:l.End]; strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://") {
			return address
		}
	}
	return ""
}

// create creates a post; without its card, if LinkedIn refuses the post with it.
func (a *Adapter) create(ctx context.Context, c mission.Credentials, post newPost) (publisher.Response, error) {
	response, err := a.do(ctx, c, http.MethodPost, "/rest/posts", post)
	if err != nil || post.Content == nil || post.Content.Article == nil {
		return response, err
	}
	_, twin := refusalOf(response).duplicate()
	if !twin && (response.Status == http.StatusBadRequest || response.Status == http.StatusUnprocessableEntity) {
		post.Content = nil
		return a.do(ctx, c, http.MethodPost, "/rest/posts", post)
	}
	return response, nil
}
