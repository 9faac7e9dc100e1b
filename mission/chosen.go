package mission

import (
	"fmt"
	"slices"
)

// MediaChoice is a file that a person gives to a post.
type MediaChoice struct {
	MediaID string
	// AltText is what the post says of it; nil is the file's own.
	AltText *string
	// Part is the index of the part of a thread that has it, from 0.
	Part int
}

// MaxPostMedia bounds the files of a post.
const MaxPostMedia = 40

// mediaParam is the name of a post's files in errors.
const mediaParam = "media"

// CheckMediaChoices checks what needs no file. Errors: invalid_request on media[i] or one of
// its fields.
func CheckMediaChoices(choices []MediaChoice) error {
	if len(choices) > MaxPostMedia {
		return Invalid(mediaParam, "A post has at most %d files.", MaxPostMedia)
	}
	for i, c := range choices { // what was sent before what isn't there
		if c.AltText == nil {
			continue
		}
		if err := checkProse(fmt.Sprintf("%s[%d].alt_text", mediaParam, i), *c.AltText, 0, MaxAltText); err != nil {
			return err
		}
	}
	for i, c := range choices {
		at := fmt.Sprintf("%s[%d]", mediaParam, i)
		switch {
		case !HasIDForm(PrefixMedia, c.MediaID):
			return noMedia(at, c.MediaID)
		case slices.ContainsFunc(choices[:i], func(o MediaChoice) bool { return o.MediaID == c.MediaID && o.Part == c.Part }):
			return Invalid(at+".media_id", "%s is there twice.", c.MediaID)
		}
	}
	return nil
}

func noMedia(at, id string) error { return Invalid(at+".media_id", "No such file: %.60q.", id) }

// ChosenIDs returns the ids of files that were chosen, each once, in order.
func ChosenIDs(choices []MediaChoice) []string {
	ids := make([]string, len(choices))
	for i, c := range choices {
		ids[i] = c.MediaID
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// ChooseMedia returns the files of a post on a platform: the very bytes that go out. found are
// the tenant's files, by id; parts is how many parts the post has. Errors: invalid_request on
// media[i] or one of its fields, with all problems.
func (c Capabilities) ChooseMedia(choices []MediaChoice, found map[string]Media, parts int) ([]PostMedia, error) {
	chosen := make([]PostMedia, 0, len(choices))
	var problems Problems
	for i, choice := range choices {
		at := fmt.Sprintf("%s[%d]", mediaParam, i)
		m, ok := found[choice.MediaID]
		if !ok {
			problems.add(noMedia(at, choice.MediaID))
			continue
		}
		has, err := m.For(c.Platform, choice.Part, choice.AltText, at)
		problems.add(err)
		same := slices.IndexFunc(chosen, func(o PostMedia) bool { return o.Hash == has.Hash && o.Part == has.Part && has.Hash != "" })
		if same >= 0 && chosen[same].MediaID != has.MediaID {
			problems.add(Invalid(at+".media_id", "%s has the same bytes as %s, which is there too.", has.MediaID, chosen[same].MediaID))
		}
		chosen = append(chosen, has)
	}
	if c.Media.Required && !slices.ContainsFunc(choices, func(o MediaChoice) bool { return o.Part == 0 }) {
		problems.add(Invalid(mediaParam, "%s takes no post without a file.", c.Platform.Name()))
	}
	if len(problems) > 0 {
		return nil, problems.Err()
	}
	return chosen, c.CheckMedia(mediaParam, chosen, parts).Err()
}

// MediaWithin returns the post's files for a text of so many parts: those of parts that are
// gone are the last one's, as far as the platform takes them there.
func (c Content) MediaWithin(parts int) []PostMedia {
	caps, _ := CapabilitiesOf(c.Platform)
	var kept []PostMedia
	for _, m := range c.Media {
		if m.Part >= parts {
			m.Part = parts - 1
		}
		if with := append(slices.Clone(kept), m); len(caps.CheckMedia(mediaParam, with, parts)) == 0 {
			kept = with
		}
	}
	return kept
}

// PartMedia returns the files of a part of the post.
func (c Content) PartMedia(part int) []PostMedia {
	var of []PostMedia
	for _, m := range c.Media {
		if m.Part == part {
			of = append(of, m)
		}
	}
	return of
}
