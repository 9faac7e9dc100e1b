package blueskytest

import (
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"missiond/internal/publisher/publishertest"
)

// Embed is a link's card (app.bsky.embed.external) or the files of a record (images, gallery or
// video).
type Embed struct {
	Type     string `json:"$type"`
	External struct {
		URI         *string `json:"uri"`
		Title       *string `json:"title"`
		Description *string `json:"description"`
		Thumb       *blob   `json:"thumb"`
	} `json:"external"`
	Images []Image `json:"images"`
	Items  []Image `json:"items"`
	Video  *blob   `json:"video"`
	Alt    string  `json:"alt"`
	Ratio  *ratio  `json:"aspectRatio"`
}

// Image is a picture in a record.
type Image struct {
	Type  string  `json:"$type"`
	Image *blob   `json:"image"`
	Alt   *string `json:"alt"`
	Ratio *ratio  `json:"aspectRatio"`
}

type ratio struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

func (r *ratio) is() bool { return r != nil && r.Width > 0 && r.Height > 0 }

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

// uploadBlob stores bytes under their hash.
func (s *Stub) uploadBlob(w http.ResponseWriter, r *http.Request) {
	content, err := io.ReadAll(r.Body)
	kind := r.Header.Get("Content-Type")
	if s.NoBlobs || err != nil || len(content) == 0 || kind == "" {
		Refuse(w, http.StatusBadRequest, "InvalidRequest", "Request body is required")
		return
	}
	answerJSON(w, http.StatusOK, map[string]any{"blob": s.store(kind, content)})
}

// store stores bytes, and returns the reference to them.
func (s *Stub) store(kind string, content []byte) blob {
	b := blob{Type: "blob", MimeType: kind, Size: len(content)}
	b.Ref.Link = cid(content)
	s.Put(b.Ref.Link, publishertest.File{Type: kind, Size: int64(len(content))})
	s.Piece(b.Ref.Link, 0, content)
	s.Ready(b.Ref.Link)
	return b
}

// cid returns the CID of bytes: version 1, raw, SHA-256, in base 32.
func cid(content []byte) string {
	sum := sha256.Sum256(content)
	return "b" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(append([]byte{1, 0x55, 0x12, 0x20}, sum[:]...)))
}

// getBlob shows the bytes that a record refers to.
func (s *Stub) getBlob(w http.ResponseWriter, r *http.Request) {
	link := r.URL.Query().Get("cid")
	f, ok := s.File(link)
	if !ok || !slices.ContainsFunc(s.records, func(r *stored) bool { return r.post.Embed.refersTo(link) }) {
		Refuse(w, http.StatusBadRequest, "BlobNotFound", "Blob not found")
		return
	}
	w.Header().Set("Content-Type", f.Type)
	_, _ = w.Write(f.Bytes())
}

// refersTo reports whether an embed has stored bytes.
func (e *Embed) refersTo(link string) bool {
	if e == nil {
		return false
	}
	is := func(b *blob) bool { return b != nil && b.Ref.Link == link }
	return is(e.External.Thumb) || is(e.Video) || slices.ContainsFunc(slices.Concat(e.Images, e.Items), func(i Image) bool { return is(i.Image) })
}

// errNoBlob is the error for a reference to bytes that aren't there.
var errNoBlob = errors.New("could not find blob")

// holds checks a reference to bytes of a type, most at most.
func (s *Stub) holds(b *blob, types string, most int) error {
	switch f, ok := s.File(b.Ref.Link); {
	case b.Type != "blob":
		return fmt.Errorf("%+v is no reference", b)
	case !ok || s.State(b.Ref.Link) != publishertest.FileReady || f.Type != b.MimeType || f.Size != int64(b.Size):
		return fmt.Errorf("%w: %s", errNoBlob, b.Ref.Link)
	case !strings.HasPrefix(b.MimeType, types) || b.Size > most:
		return fmt.Errorf("the blob is %d bytes of %s", b.Size, b.MimeType)
	}
	return nil
}

// checkEmbed holds a record's embed to its lexicon.
func (s *Stub) checkEmbed(p post) error {
	e := p.Embed
	if e == nil {
		return nil
	}
	if s.NoEmbeds {
		return errors.New("the stub takes no embeds now")
	}
	card := e.External.URI != nil && e.External.Title != nil && e.External.Description != nil
	switch {
	case e.Type == "app.bsky.embed.external" && card && len(e.Images)+len(e.Items) == 0 && e.Video == nil:
		if e.External.Thumb == nil {
			return nil
		}
		return s.holds(e.External.Thumb, "image/", maxThumb)
	case e.Type == "app.bsky.embed.images" && !card && len(e.Images) > 0 && len(e.Images) <= 4 && len(e.Items) == 0 && e.Video == nil:
		return s.holdsImages(e.Images, "")
	case e.Type == "app.bsky.embed.gallery" && !card && len(e.Items) > 0 && len(e.Items) <= 20 && len(e.Images) == 0 && e.Video == nil:
		return s.holdsImages(e.Items, "app.bsky.embed.gallery#image")
	case e.Type == "app.bsky.embed.video" && !card && e.Video != nil && len(e.Images)+len(e.Items) == 0:
		if !e.Ratio.is() {
			return fmt.Errorf("the ratio is %+v", e.Ratio)
		}
		return s.holds(e.Video, "video/mp4", 300_000_000)
	}
	return fmt.Errorf("the embed %+v lacks something, or has too much", e)
}

// holdsImages checks pictures, each of which has a $type in a union.
func (s *Stub) holdsImages(images []Image, kind string) error {
	for _, i := range images {
		if i.Type != kind || i.Image == nil || i.Alt == nil || !i.Ratio.is() {
			return fmt.Errorf("the picture %+v lacks something", i)
		}
		if err := s.holds(i.Image, "image/", 2_000_000); err != nil {
			return err
		}
	}
	return nil
}

// files returns the files of an embed with their alt texts.
func (s *Stub) files(e *Embed) (files []publishertest.File) {
	if e == nil {
		return nil
	}
	add := func(b *blob, alt string) {
		f, _ := s.File(b.Ref.Link)
		f.Alt = alt
		files = append(files, f)
	}
	for _, i := range slices.Concat(e.Images, e.Items) {
		add(i.Image, *i.Alt)
	}
	if e.Video != nil {
		add(e.Video, e.Alt)
	}
	return files
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
