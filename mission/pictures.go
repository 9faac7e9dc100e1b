package mission

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"time"
	"unicode/utf8"
)

// Bounds of the pictures that a mission's writer may use.
const (
	// MaxMissionMedia is how many a mission names.
	MaxMissionMedia = 200
	// MediaCooldown is how long the writer doesn't give a picture to a post that another post
	// has, before its slot and after it.
	MediaCooldown = 14 * 24 * time.Hour
)

// checkMediaIDs checks the form of the ids of a mission's pictures.
func checkMediaIDs(ids []string) (found Problems) {
	if len(ids) > MaxMissionMedia {
		return Problems{Invalid("media_ids", "At most %d pictures are allowed.", MaxMissionMedia)}
	}
	for n, id := range ids {
		param := fmt.Sprintf("media_ids[%d]", n)
		switch {
		case !HasIDForm(PrefixMedia, id):
			found.add(Invalid(param, "No such file: %.60q.", id))
		case slices.Contains(ids[:n], id):
			found.add(Invalid(param, "Duplicate file %s.", id))
		}
	}
	return found
}

// PictureIDs returns those of the ids of its pictures that may exist; nil if there are too many.
func (in CreateInput) PictureIDs() []string {
	if len(in.MediaIDs) > MaxMissionMedia {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(in.MediaIDs), func(id string) bool { return !HasIDForm(PrefixMedia, id) })
}

// CheckPictures checks the pictures that in names, and whether its platforms need some. found are
// those of them that its tenant has; PictureIDs are those to look up.
func (in CreateInput) CheckPictures(found map[string]Media) (problems Problems) {
	if len(in.MediaIDs) > MaxMissionMedia {
		return nil // that is the problem
	}
	for n, id := range in.MediaIDs {
		param := fmt.Sprintf("media_ids[%d]", n)
		switch m, ok := found[id]; {
		case !ok:
			problems.add(Invalid(param, "No such file: %.60q.", id))
		case m.Status == MediaFailed:
			problems.add(Invalid(param, "%s can't be used: %s", id, m.Error.Message))
		case m.Kind != MediaImage && m.Kind != "":
			problems.add(Invalid(param, "%s is %s: the writer uses pictures.", id, m.Kind.phrase(1)))
		}
	}
	for _, p := range in.Platforms {
		if caps, _ := CapabilitiesOf(p); caps.Media.Required && len(in.MediaIDs) == 0 {
			problems.add(Invalid("media_ids", "%s takes no post without a picture: name those that the writer may use.", p.Name()))
		}
	}
	return problems
}

// CheckPictures is CreateInput.CheckPictures of an updated mission. Errors: invalid_request, with
// all problems.
func (m Mission) CheckPictures(found map[string]Media) error {
	return m.asInput(nil).CheckPictures(found).Err()
}

// Picture is a picture that a writer may give to a post.
type Picture struct {
	MediaID string
	// Shows is what it shows, in a person's words; "" if nobody has said so.
	Shows string
	// Uses is how many posts have it.
	Uses int
}

// Pictures are those that a mission's writer may use, and when posts have them.
type Pictures struct {
	Media []Media
	// Slots are the times of the posts that have them, by id.
	Slots map[string][]time.Time
}

// For returns the pictures that a post may have in a slot: those that its platform takes and that
// no other post has within MediaCooldown.
func (p Pictures) For(slot Slot) (offered []Picture) {
	for _, m := range p.Media {
		if m.offered(slot.Platform) && !InCooldown(p.Slots[m.ID], slot.At) {
			offered = append(offered, Picture{MediaID: m.ID, Shows: WithoutHidden(cmp.Or(m.Description, m.AltText)), Uses: m.Uses})
		}
	}
	return offered
}

// Coming reports whether pictures are still processed for the first time.
func (p Pictures) Coming() bool {
	return slices.ContainsFunc(p.Media, func(m Media) bool { return m.Status == MediaProcessing && !m.Usable() })
}

// offered reports whether a writer may give the file to a post on a platform.
func (m Media) offered(on Platform) bool {
	caps, _ := CapabilitiesOf(on)
	if !m.Usable() || m.Kind != MediaImage {
		return false
	}
	_, err := caps.ChooseMedia([]MediaChoice{{MediaID: m.ID}}, map[string]Media{m.ID: m}, 1)
	return err == nil
}

// InCooldown reports whether a picture that posts have at times is too fresh for one at another.
func InCooldown(times []time.Time, at time.Time) bool {
	return slices.ContainsFunc(times, func(t time.Time) bool { return t.Sub(at).Abs() < MediaCooldown })
}

// PictureFor returns the picture for a text of the assignment: that whose description has most in
// common with it, where a word counts the more the fewer pictures have it, and of equals the one
// with the fewest posts. It is "" if none has a word of the text, unless the platform takes no post
// without a picture.
func (a Assignment) PictureFor(text string) string {
	ranked := a.ranked(text + " " + a.Slot.Objective)
	if len(ranked) == 0 || ranked[0].score == 0 && !a.NeedsPicture() {
		return ""
	}
	return ranked[0].MediaID
}

// NeedsPicture reports whether the post's platform takes none without a file.
func (a Assignment) NeedsPicture() bool {
	caps, _ := CapabilitiesOf(a.Slot.Platform)
	return caps.Media.Required
}

// Without returns the assignment without one of its pictures.
func (a Assignment) Without(mediaID string) Assignment {
	a.Pictures = slices.DeleteFunc(slices.Clone(a.Pictures), func(p Picture) bool { return p.MediaID == mediaID })
	return a
}

// NoPicture is why a post can't be written that needs a picture.
func (a Assignment) NoPicture() *WritingError {
	return &WritingError{Failure: Failure{Code: CodeWriterNoPicture, Message: fmt.Sprintf(
		"%s takes no post without a picture, and the mission has none for it that no other post has within %d days. Give the mission more pictures.",
		a.Slot.Platform.Name(), MediaCooldown/(24*time.Hour),
	)}}
}

// BestPictures returns at most n of the pictures of the assignment, those first that fit what is to
// be written of.
func (a Assignment) BestPictures(n int) []Picture {
	ranked := a.ranked(a.Slot.Objective + " " + a.Brief.Description)
	best := make([]Picture, min(n, len(ranked)))
	for i := range best {
		best[i] = ranked[i].Picture
	}
	return best
}

type rankedPicture struct {
	Picture

	score  float64
	chance uint64
}

// ranked returns the pictures of the assignment, those first that fit a text best.
func (a Assignment) ranked(text string) []rankedPicture {
	said := pictureWords(text)
	words, having := make([][]string, len(a.Pictures)), map[string]int{}
	for i, p := range a.Pictures {
		words[i] = pictureWords(p.Shows)
		for _, w := range words[i] {
			having[w]++
		}
	}
	ranked := make([]rankedPicture, len(a.Pictures))
	for i, p := range a.Pictures {
		h := fnv.New64a()
		_, _ = fmt.Fprintf(h, "%d %s", a.Seed, p.MediaID)
		ranked[i] = rankedPicture{p, 0, h.Sum64()}
		for _, w := range words[i] {
			if _, ok := slices.BinarySearch(said, w); ok {
				ranked[i].score += 1 / float64(having[w])
			}
		}
	}
	slices.SortFunc(ranked, func(a, b rankedPicture) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.Uses, b.Uses), cmp.Compare(a.chance, b.chance))
	})
	return ranked
}

// commonWords are words of three letters and more of which every text has some.
var commonWords = Words(`about after all also and any are because been before but can could each every
	for from get had has have her his how into its just like make more most new not now off one
	only other our out over own she some such than that the their them then there these they this
	those through too under until use very was were what when where which while who why will with
	would you your`)

// pictureWords returns the words by which pictures are compared with texts, in order, without the
// ending of English plurals.
func pictureWords(text string) []string {
	words := Words(text)
	kept := words[:0]
	for _, w := range words {
		if _, common := slices.BinarySearch(commonWords, w); common || utf8.RuneCountInString(w) < 3 && w[0] < utf8.RuneSelf {
			continue
		}
		if n := len(w); n > 4 && w[n-1] == 's' && w[n-2] != 's' {
			w = w[:n-1]
		}
		kept = append(kept, w)
	}
	slices.Sort(kept)
	return slices.Compact(kept)
}
