package bluesky

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/linkcard"
	"missiond/mission"
)

// A card may take at most cardLimit, and a third of the time that is left for the call.
const (
	cardLimit = 3 * time.Second
	cardShare = 3
)

// embed is a link's card in a record (app.bsky.embed.external).
type embed struct {
	Type     string   `json:"$type"`
	External external `json:"external"`
}

type external struct {
	URI         string `json:"uri"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Thumb       *blob  `json:"thumb,omitempty"`
}

// blob names uploaded bytes.
type blob struct {
	Type string `json:"$type"`
	Ref  struct {
		Link string `json:"$link"`
	} `json:"ref"`
	MimeType string `json:"mimeType"`
	Size     int64  `json:"size"`
}

// is reports whether the reference is one to bytes.
func (b blob) is() bool { return b.Type == "blob" && b.Ref.Link != "" }

// card returns the card of a part's record's first link in its JSON; nil if there is no link,
// or no card can be made in time. It says what is on the page that the link leads to.
func (a *Adapter) card(ctx context.Context, c mission.Credentials, p mission.Part, record post) json.RawMessage {
	link := firstLink(record.Facets)
	if a.cards == nil || link == "" {
		return nil
	}
	limit := cardLimit
	if until, ok := ctx.Deadline(); ok {
		limit = min(limit, until.Sub(a.client.Now())/cardShare)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	read, err := a.cards.Read(ctx, p.Content.LeadsTo(link))
	if err != nil {
		return nil
	}
	made, err := json.Marshal(embed{Type: "app.bsky.embed.external", External: external{
		URI: link, Title: read.Title, Description: read.Description, Thumb: a.upload(ctx, c, read),
	}})
	if err != nil {
		return nil
	}
	return made
}

// firstLink returns the first link among facets, or "".
func firstLink(fs []facet) string {
	for _, f := range fs {
		for _, feature := range f.Features {
			if feature.Type == linkType {
				return feature.URI
			}
		}
	}
	return ""
}

// upload uploads a card's picture; nil if there is none or the server doesn't take it. A
// server removes blobs that no record names.
func (a *Adapter) upload(ctx context.Context, c mission.Credentials, of linkcard.Card) *blob {
	if of.Picture == nil {
		return nil
	}
	response, err := a.do(ctx, call{method: "com.atproto.repo.uploadBlob", bytes: of.Picture, kind: of.PictureType}.with(c))
	var uploaded struct {
		Blob blob `json:"blob"`
	}
	if err != nil || response.JSON(&uploaded) != nil || !uploaded.Blob.is() {
		return nil
	}
	return &uploaded.Blob
}

// refusedCard reports whether a server refused to make a record that has a card, perhaps
// for its card.
func refusedCard(record post, err error, response publisher.Response) bool {
	var pe *mission.PublishError
	return record.Embed != nil && errors.As(err, &pe) && pe.Outcome == mission.OutcomeRefused && problemOf(response).Name != invalidSwap
}
