package blueskytest

import (
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Embed is a link's card in a record (app.bsky.embed.external).
type Embed struct {
	Type     string `json:"$type"`
	External struct {
		URI         *string `json:"uri"`
		Title       *string `json:"title"`
		Description *string `json:"description"`
		Thumb       *blob   `json:"thumb"`
	} `json:"external"`
}

type blob struct {
	Type string `json:"$type"`
	Ref  struct {
		Link string `json:"$link"`
	} `json:"ref"`
	MimeType string `json:"mimeType"`
	Size     int    `json:"size"`
}

// maxThumb is the largest picture of a card, in bytes.
const maxThumb = 1_000_000

// uploadBlob keeps nothing but what the bytes are.
func (s *Stub) uploadBlob(w http.ResponseWriter, r *http.Request) {
	content, err := io.ReadAll(r.Body)
	kind := r.Header.Get("Content-Type")
	if s.NoBlobs || err != nil || len(content) == 0 || kind == "" {
		Refuse(w, http.StatusBadRequest, "InvalidRequest", "Request body is required")
		return
	}
	sum := sha256.Sum256(content)
	b := blob{Type: "blob", MimeType: kind, Size: len(content)}
	b.Ref.Link = "bafkrei" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:]))
	s.blobs[b.Ref.Link] = b
	answerJSON(w, http.StatusOK, map[string]any{"blob": b})
}

// checkEmbed holds a record's embed to its lexicon.
func (s *Stub) checkEmbed(p post) error {
	if p.Embed == nil {
		return nil
	}
	switch e := p.Embed.External; {
	case s.NoEmbeds:
		return errors.New("the stub takes no embeds now")
	case p.Embed.Type != "app.bsky.embed.external" || e.URI == nil || e.Title == nil || e.Description == nil:
		return fmt.Errorf("the embed %+v lacks something", p.Embed)
	case e.Thumb == nil:
		return nil
	case s.blobs[e.Thumb.Ref.Link] != *e.Thumb:
		return fmt.Errorf("could not find blob: %s", e.Thumb.Ref.Link)
	case !strings.HasPrefix(e.Thumb.MimeType, "image/") || e.Thumb.Size > maxThumb:
		return fmt.Errorf("the thumb is %d bytes of %s", e.Thumb.Size, e.Thumb.MimeType)
	}
	return nil
}

// Embeds returns the posts' embeds, oldest first; nil for a post without one.
func (s *Stub) Embeds() []*Embed {
	s.mu.Lock()
	defer s.mu.Unlock()
	var embeds []*Embed
	for _, r := range s.records {
		embeds = append(embeds, r.post.Embed)
	}
	return embeds
}

// String returns a card as its readers see it.
func (e *Embed) String() string {
	if e == nil {
		return "no card"
	}
	x := e.External
	text := *x.URI + "|" + *x.Title + "|" + *x.Description
	if x.Thumb != nil {
		text += fmt.Sprintf("|%s %d", x.Thumb.MimeType, x.Thumb.Size)
	}
	return text
}
