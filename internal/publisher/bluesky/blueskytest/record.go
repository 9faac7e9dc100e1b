package blueskytest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"missiond/internal/textlimit"
	"missiond/mission"
)

// Problem is an error as the protocol has it: a name for programs, and a message.
type Problem struct{ Name, Words string }

// The collection of posts, and what the stub knows of its lexicon.
const (
	collection  = "app.bsky.feed.post"
	linkType    = "app.bsky.richtext.facet#link"
	tagType     = "app.bsky.richtext.facet#tag"
	mentionType = "app.bsky.richtext.facet#mention"
)

type post struct {
	Type      string  `json:"$type"`
	Text      string  `json:"text"`
	CreatedAt string  `json:"createdAt"`
	Facets    []facet `json:"facets"`
	Reply     *struct {
		Root   reference `json:"root"`
		Parent reference `json:"parent"`
	} `json:"reply"`
	Embed *Embed   `json:"embed"`
	Langs []string `json:"langs"`
}

// language is the form of a language tag.
var language = regexp.MustCompile(`^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

type reference struct {
	URI string `json:"uri"`
	CID string `json:"cid"`
}

type facet struct {
	Index struct {
		Start int `json:"byteStart"`
		End   int `json:"byteEnd"`
	} `json:"index"`
	Features []struct {
		Type string `json:"$type"`
		URI  string `json:"uri"`
		Tag  string `json:"tag"`
		DID  string `json:"did"`
	} `json:"features"`
}

// TIDs are the forms of TIDs, by their specification.
var TIDs = regexp.MustCompile(`^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$`)

// strictly reads JSON with no field that v hasn't.
func strictly(r interface{ Read([]byte) (int, error) }, v any) error {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// check holds a record to its lexicon.
func (s *Stub) check(in write, next *stored) error {
	caps := mission.Capabilities{Platform: mission.Bluesky, MaxLength: 300, MaxBytes: 3000, Unit: mission.UnitGraphemes} // as the lexicon has them
	if err := strictly(bytes.NewReader(in.Record), &next.post); err != nil {
		return err
	}
	p := next.post
	switch _, err := time.Parse(time.RFC3339, p.CreatedAt); {
	case in.Collection != collection || p.Type != collection:
		return errors.New("the stub takes posts only")
	case !TIDs.MatchString(in.Key):
		return fmt.Errorf("record key %q is no TID", in.Key)
	case err != nil:
		return fmt.Errorf("createdAt must be an valid atproto datetime: %w", err)
	case !textlimit.Fits(caps, p.Text):
		return errors.New("text must not be longer than 300 graphemes")
	}
	if len(p.Langs) > 3 || slices.ContainsFunc(p.Langs, func(tag string) bool { return !language.MatchString(tag) }) {
		return fmt.Errorf("langs must be at most 3 well-formed language tags: %q", p.Langs)
	}
	if err := checkFacets(p.Text, p.Facets); err != nil {
		return err
	}
	if err := s.checkEmbed(p); err != nil || p.Reply == nil {
		return err
	}
	for _, ref := range []reference{p.Reply.Root, p.Reply.Parent} {
		if !slices.ContainsFunc(s.records, func(r *stored) bool { return r.uri() == ref.URI && r.cid == ref.CID }) {
			return fmt.Errorf("reply names %+v, which there isn't", ref)
		}
	}
	return nil
}

// checkFacets returns facets that don't match their text.
func checkFacets(text string, fs []facet) error {
	end := 0
	for _, f := range fs {
		i := f.Index
		if i.Start < end || i.End <= i.Start || i.End > len(text) || !utf8.RuneStart(text[i.Start]) || i.End < len(text) && !utf8.RuneStart(text[i.End]) {
			return fmt.Errorf("facet %+v isn't within %q", f, text)
		}
		end = i.End
		piece := text[i.Start:i.End]
		if len(f.Features) != 1 {
			return fmt.Errorf("facet %+v has no feature", f)
		}
		feature := f.Features[0]
		link := feature.Type == linkType && (feature.URI == piece || feature.URI == "https://"+piece) && feature.Tag+feature.DID == ""
		tag := feature.Type == tagType && feature.URI+feature.DID == "" &&
			("#"+feature.Tag == piece || "＃"+feature.Tag == piece || feature.Tag[:min(1, len(feature.Tag))] == "$" && feature.Tag == strings.ToUpper(piece))
		mention := feature.Type == mentionType && strings.HasPrefix(piece, "@") && strings.HasPrefix(feature.DID, "did:") && feature.URI+feature.Tag == ""
		if !link && !tag && !mention {
			return fmt.Errorf("facet %+v isn't of %q", f, piece)
		}
	}
	return nil
}

// CheckFacets returns facets, in a record's form, that don't match their text.
func CheckFacets(text string, facets any) error {
	encoded, err := json.Marshal(facets)
	if err != nil {
		return err
	}
	var fs []facet
	if err := strictly(bytes.NewReader(encoded), &fs); err != nil {
		return err
	}
	return checkFacets(text, fs)
}
