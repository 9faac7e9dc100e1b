// Package linkcard reads what a web page says of itself, for the card that readers of
// a post see below its link. A page belongs to anybody: it is read from public
// addresses only, within limits of time and size.
package linkcard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"time"

	"missiond/internal/outbound"
)

// Card is what a page says of itself.
type Card struct {
	Title string
	// Description may be "".
	Description string
	// Picture is the page's picture, nil if there is none that can be used, and
	// PictureType its media type.
	Picture     []byte
	PictureType string
}

// Limits of what is read.
const (
	// stepLimit limits each step of a connection, callLimit a call; the caller limits the
	// whole.
	stepLimit = 3 * time.Second
	callLimit = 10 * time.Second
	maxHeader = 16 << 10 // bytes
	maxHops   = 5
	// maxPage is how much of a page is read, in bytes: what it says of itself is at
	// its beginning.
	maxPage = 1 << 20
	// MaxPicture is the size of the largest picture that is used, in bytes:
	// Bluesky's limit (lexicon app.bsky.embed.external).
	MaxPicture = 1_000_000
)

// errUnusable is the error for a response that has nothing for a card.
var errUnusable = errors.New("linkcard: unusable response")

// Reader reads cards. It is safe for concurrent use.
type Reader struct {
	rules outbound.Rules
	http  *http.Client
}

// NewReader returns a Reader that connects to what the rules allow.
func NewReader(rules outbound.Rules) *Reader {
	return &Reader{rules: rules, http: rules.Client(outbound.Options{
		Call: callLimit, Connect: stepLimit, Wait: stepLimit, Header: maxHeader, Body: maxPage, Idle: 1,
	})}
}

// Close closes the idle connections.
func (r *Reader) Close() { r.http.CloseIdleConnections() }

// Read returns the card of the page at a link. A picture that can't be read is left
// out. Errors: any other failure, also a page without a title.
func (r *Reader) Read(ctx context.Context, link string) (Card, error) {
	response, err := r.get(ctx, link, "text/html,application/xhtml+xml")
	if err != nil {
		return Card{}, err
	}
	defer func() { _ = response.Body.Close() }()
	kind := response.Header.Get("Content-Type")
	if media, _, err := mime.ParseMediaType(kind); err != nil || media != "text/html" && media != "application/xhtml+xml" {
		return Card{}, fmt.Errorf("%w: a page of type %.100q", errUnusable, kind)
	}
	said := parse(io.LimitReader(response.Body, maxPage), kind)
	if said.title == "" {
		return Card{}, fmt.Errorf("%w: a page without a title", errUnusable)
	}
	card := Card{Title: said.title, Description: said.description}
	if address, err := response.Request.URL.Parse(said.picture); err == nil && said.picture != "" {
		card.Picture, card.PictureType = r.picture(ctx, address.String())
	}
	return card, nil
}

// pictureTypes are the types of pictures that are used. Only the bytes decide which one
// a picture has.
var pictureTypes = []string{"image/jpeg", "image/png", "image/webp", "image/gif"}

// picture returns the picture at an address with its media type; nil if it can't be
// used.
func (r *Reader) picture(ctx context.Context, address string) (content []byte, kind string) {
	response, err := r.get(ctx, address, "image/jpeg,image/png,image/webp,image/gif")
	if err != nil {
		return nil, ""
	}
	defer func() { _ = response.Body.Close() }()
	content, err = io.ReadAll(io.LimitReader(response.Body, MaxPicture+1))
	kind = http.DetectContentType(content)
	if err != nil || len(content) > MaxPicture || !slices.Contains(pictureTypes, kind) {
		return nil, ""
	}
	return content, kind
}

// get returns the response of an address, which is OK and not compressed, after at most
// maxHops redirects, each of which the rules allow. The caller closes its body.
func (r *Reader) get(ctx context.Context, address, accept string) (*http.Response, error) {
	for range maxHops + 1 {
		u, err := url.Parse(address)
		if err != nil {
			return nil, err
		}
		u.Fragment = ""
		if err := r.rules.Check(ctx, "url", u.String()); err != nil {
			return nil, err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
		if err != nil {
			return nil, err
		}
		req.Header.Set("User-Agent", "missiond/1 (link card)")
		req.Header.Set("Accept", accept)
		req.Header.Set("Accept-Encoding", "identity")
		// The client itself follows no redirect.
		response, err := r.http.Do(req)
		if err != nil {
			return nil, err
		}
		// What a server compresses all the same isn't unpacked: it could be of any size.
		encoding := response.Header.Get("Content-Encoding")
		if response.StatusCode == http.StatusOK && (encoding == "" || encoding == "identity") {
			return response, nil
		}
		_ = response.Body.Close()
		next, err := response.Location()
		if err != nil || response.StatusCode/100 != 3 {
			return nil, fmt.Errorf("%w: HTTP %d, encoding %.20q", errUnusable, response.StatusCode, encoding)
		}
		address = next.String()
	}
	return nil, fmt.Errorf("%w: too many redirects", errUnusable)
}
