package mission

import (
	"regexp"
	"slices"
	"strings"
)

// Visibility is who sees a post, on platforms where that can be chosen.
type Visibility string

// The visibilities.
const (
	VisibilityPublic   Visibility = "public"
	VisibilityUnlisted Visibility = "unlisted" // everyone, but not in public timelines
	VisibilityPrivate  Visibility = "private"  // followers
)

// AllVisibilities lists the visibilities.
func AllVisibilities() []Visibility {
	return []Visibility{VisibilityPublic, VisibilityUnlisted, VisibilityPrivate}
}

// Presentation is how a post is presented on its platform, beside its text.
type Presentation struct {
	// Language is the language of the text as a BCP 47 tag; "" leaves it to the account.
	Language string
	// Visibility is who sees the post; "" leaves it to the account.
	Visibility Visibility
}

// Presents returns how the mission's posts are presented on a platform. detected is the
// language that a post seems to be in, or "", for missions without a language.
func (c Constraints) Presents(p Platform, detected string) Presentation {
	at := Presentation{Language: deref(c.Language, detected)}
	if caps, _ := CapabilitiesOf(p); c.Visibility != nil && slices.Contains(caps.Visibilities, *c.Visibility) {
		at.Visibility = *c.Visibility
	}
	return at
}

// LanguagePattern is the form of a language: its code, and where it matters its script
// and its region.
const LanguagePattern = `^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$`

// MaxLanguage is the maximal length of a language.
const MaxLanguage = 11

var languageTag = regexp.MustCompile(LanguagePattern)

func checkLanguage(param, tag string) error {
	if len(tag) > MaxLanguage || !languageTag.MatchString(tag) {
		return Invalid(param, "Invalid language %.40q: must be a BCP 47 tag, such as de, pt-BR or zh-Hant.", tag)
	}
	return nil
}

func checkVisibility(param string, v Visibility) error {
	if !slices.Contains(AllVisibilities(), v) {
		return Invalid(param, "Unknown visibility %q: must be one of %s.", v, list(AllVisibilities()))
	}
	return nil
}

// canonicalLanguage returns a tag in the usual case: zh-Hant-TW. nil stays nil.
func canonicalLanguage(tag *string) *string {
	if tag == nil {
		return nil
	}
	parts := strings.Split(strings.ToLower(*tag), "-")
	for i, part := range parts[1:] {
		if len(part) == len("hant") {
			part = strings.ToUpper(part[:1]) + part[1:]
		} else {
			part = strings.ToUpper(part)
		}
		parts[i+1] = part
	}
	canonical := strings.Join(parts, "-")
	return &canonical
}

// BaseLanguage returns the language of a tag, without its script and region.
func BaseLanguage(tag string) string {
	base, _, _ := strings.Cut(tag, "-")
	return strings.ToLower(base)
}
