package linkedin

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// LinkedIn reads no pages for posts that come by its API: their links have cards only if they are
// given with the post (learn.microsoft.com, "Posts API", "Article content").

// article is a link's card.
type article struct {
	Source      string `json:"source"`
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	// Thumbnail is the URN of a picture, or "".
	Thumbnail string `json:"thumbnail,omitempty"`
}

const (
	// cardLimit bounds the reading of a page.
	cardLimit = 5 * time.Second
	// maxLooks is how many times it is asked whether a card's picture is available.
	maxLooks = 12
)

// card makes a link's card: it reads the page, and uploads its picture. The upload's Token is the
// article in its JSON, "" for none. What goes wrong costs the card or its picture, never the post.
func (a *Adapter) card(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) mission.Upload {
	if u.State == mission.UploadProcessing {
		next, err := a.look(ctx, c, u)
		next.Sent++ // counts the looks
		if late := next.Sent > maxLooks; err != nil || late && next.State != mission.UploadReady {
			u.ID, u.State = "", mission.UploadReady
			return u
		}
		return next
	}
	u.State = mission.UploadReady
	if a.options.Cards == nil {
		return u
	}
	within, cancel := context.WithTimeout(ctx, cardLimit)
	defer cancel()
	page, err := a.options.Cards.Read(within, f.Key)
	if err != nil {
		return u
	}
	text, err := json.Marshal(article{Source: f.Link, Title: page.Title, Description: page.Description})
	if err != nil {
		return u
	}
	u.Token = string(text)
	if page.Picture == nil {
		return u
	}
	picture, err := a.beginPicture(ctx, c, mission.Upload{})
	if err != nil {
		return u
	}
	body := io.NopCloser(bytes.NewReader(page.Picture))
	if _, err := a.put(ctx, c, picture, page.PictureType, body, int64(len(page.Picture)), "Bearer "+c.AccessToken); err != nil {
		return u
	}
	u.ID, u.State, u.Wait = picture.ID, mission.UploadProcessing, pictureWait
	return u
}

// articleOf returns the article of a card's upload; nil for none.
func articleOf(u mission.Upload) *content {
	var made article
	if u.Token == "" || json.Unmarshal([]byte(u.Token), &made) != nil {
		return nil
	}
	made.Thumbnail = u.ID
	return &content{Article: &made}
}

// refusesCard reports whether LinkedIn refused a post that has a card, perhaps for its card or the
// card's picture.
func refusesCard(p newPost, files []mission.PartFile, response publisher.Response) bool {
	refused := refusalOf(response)
	_, twin := refused.duplicate()
	perhaps := response.Status == http.StatusBadRequest || response.Status == http.StatusUnprocessableEntity ||
		response.Status > 400 && response.Status < 500 && refused.about(files)
	return p.Content != nil && p.Content.Article != nil && !twin && perhaps
}
