package bluesky

import (
	"context"
	"net/url"
	"regexp"
	"strings"
	"time"

	"missiond/internal/links"
	"missiond/mission"
)

// facet is a part of a text with a function: the protocol links nothing by itself
// (app.bsky.richtext.facet).
type facet struct {
	Index    span      `json:"index"`
	Features []feature `json:"features"`
}

// span is a part of a text in bytes of its UTF-8, the end excluded.
type span struct {
	Start int `json:"byteStart"`
	End   int `json:"byteEnd"`
}

// feature is what the part does: it links to URI, to the posts with Tag, or to the account
// with DID.
type feature struct {
	Type string `json:"$type"`
	URI  string `json:"uri,omitempty"`
	Tag  string `json:"tag,omitempty"`
	DID  string `json:"did,omitempty"`
}

const (
	linkType    = "app.bsky.richtext.facet#link"
	tagType     = "app.bsky.richtext.facet#tag"
	mentionType = "app.bsky.richtext.facet#mention"
)

// facets returns a text's links, tags and mentions, in order, as package links defines
// them. dids are the accounts of handles in lower case; a mention of another handle stays
// plain.
func facets(text string, dids map[string]string) []facet {
	var found []facet
	for _, e := range links.Entities(mission.Bluesky, text) {
		f := facet{Index: span{e.Start, e.End}}
		switch e.Kind {
		case links.KindLink:
			f.Features = []feature{{Type: linkType, URI: address(text[e.Start:e.End])}}
		case links.KindTag:
			f.Features = []feature{{Type: tagType, Tag: e.Name}}
		case links.KindMention:
			did := dids[strings.ToLower(e.Name)]
			if did == "" {
				continue
			}
			f.Features = []feature{{Type: mentionType, DID: did}}
		}
		found = append(found, f)
	}
	return found
}

// address returns the address of a link as it is written.
func address(link string) string {
	if scheme, _, ok := strings.Cut(link, "://"); ok && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http")) {
		return link
	}
	return "https://" + link
}

// Handles are looked up for at most lookupLimit, and a third of the time that is left for
// the call; the first maxLookups of a text.
const (
	lookupLimit = 3 * time.Second
	lookupShare = 3
	maxLookups  = 10
	maxDID      = 2048
)

// dids is the form of DIDs, which have at most maxDID bytes (atproto.com/specs/did).
var dids = regexp.MustCompile(`^did:[a-z]+:[a-zA-Z0-9._:%-]+$`)

// accounts returns the DIDs of the handles that a text mentions, in lower case. It leaves
// out those that there are none of, and that can't be looked up in time.
func (a *Adapter) accounts(ctx context.Context, c mission.Credentials, text string) map[string]string {
	found := map[string]string{}
	limit := lookupLimit
	if until, ok := ctx.Deadline(); ok {
		limit = min(limit, until.Sub(a.client.Now())/lookupShare)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for _, e := range links.Entities(mission.Bluesky, text) {
		handle := strings.ToLower(e.Name)
		if _, looked := found[handle]; looked || e.Kind != links.KindMention || len(found) == maxLookups {
			continue
		}
		response, err := a.do(ctx, call{method: "com.atproto.identity.resolveHandle", query: url.Values{"handle": {handle}}}.with(c))
		var resolved struct {
			DID string `json:"did"`
		}
		found[handle] = ""
		if err == nil && response.JSON(&resolved) == nil && len(resolved.DID) <= maxDID && dids.MatchString(resolved.DID) {
			found[handle] = resolved.DID
		}
	}
	return found
}
