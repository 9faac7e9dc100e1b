package mission

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Platform is the name of a platform that posts are published on.
type Platform string

// The platforms known (decisions, "Mission").
const (
	Twitter   Platform = "twitter"
	LinkedIn  Platform = "linkedin"
	Facebook  Platform = "facebook"
	Instagram Platform = "instagram"
	Threads   Platform = "threads"
	TikTok    Platform = "tiktok"
	YouTube   Platform = "youtube"
	Pinterest Platform = "pinterest"
	Mastodon  Platform = "mastodon"
	Bluesky   Platform = "bluesky"
)

// Capabilities are what a platform allows.
type Capabilities struct {
	Platform Platform
	// MaxRunes bounds the text of one part, in Unicode code points.
	MaxRunes int
	// MaxBytes bounds the text of one part in UTF-8 bytes; 0 is no bound.
	MaxBytes int
	// Formats are the kinds of content that the platform takes, simplest first.
	Formats []Format
	// MaxParts bounds the parts of a thread.
	MaxParts int
	// MaxHashtags is how many hashtags its readers put up with.
	MaxHashtags int
	// Metrics are the figures that the platform reports of a post.
	Metrics []Metric
}

var engagementMetrics = []Metric{Likes, Comments, Shares}

var allMetrics = AllMetrics()

// capabilities: limits as the platforms document them (platform-apis.md, and
// the platforms' help pages for those without an adapter).
var capabilities = []Capabilities{
	{Platform: Twitter, MaxRunes: 280, Formats: []Format{FormatPost, FormatThread}, MaxParts: 6, MaxHashtags: 2, Metrics: allMetrics},
	{Platform: LinkedIn, MaxRunes: 3000, Formats: []Format{FormatPost, FormatArticle}, MaxParts: 1, MaxHashtags: 3, Metrics: allMetrics},
	{Platform: Facebook, MaxRunes: 5000, Formats: []Format{FormatPost, FormatArticle}, MaxParts: 1, MaxHashtags: 2, Metrics: allMetrics},
	{Platform: Instagram, MaxRunes: 2200, Formats: []Format{FormatPost}, MaxParts: 1, MaxHashtags: 5, Metrics: allMetrics},
	{Platform: Threads, MaxRunes: 500, Formats: []Format{FormatPost, FormatThread}, MaxParts: 6, MaxHashtags: 1, Metrics: allMetrics},
	{Platform: TikTok, MaxRunes: 2200, Formats: []Format{FormatPost}, MaxParts: 1, MaxHashtags: 4, Metrics: allMetrics},
	{Platform: YouTube, MaxRunes: 5000, Formats: []Format{FormatPost, FormatArticle}, MaxParts: 1, MaxHashtags: 3, Metrics: allMetrics},
	{Platform: Pinterest, MaxRunes: 500, Formats: []Format{FormatPost}, MaxParts: 1, MaxHashtags: 3, Metrics: allMetrics},
	{Platform: Mastodon, MaxRunes: 500, Formats: []Format{FormatPost, FormatThread}, MaxParts: 6, MaxHashtags: 3, Metrics: engagementMetrics},
	{Platform: Bluesky, MaxRunes: 300, MaxBytes: 3000, Formats: []Format{FormatPost, FormatThread}, MaxParts: 6, MaxHashtags: 2, Metrics: engagementMetrics},
}

// AllPlatforms lists the platforms known.
func AllPlatforms() []Platform {
	ps := make([]Platform, len(capabilities))
	for i, c := range capabilities {
		ps[i] = c.Platform
	}
	return ps
}

// CapabilitiesOf answers what p allows; ok is false for a platform not known.
func CapabilitiesOf(p Platform) (c Capabilities, ok bool) {
	i := slices.IndexFunc(capabilities, func(c Capabilities) bool { return c.Platform == p })
	if i < 0 {
		return Capabilities{}, false
	}
	return capabilities[i], true
}

// Known tells whether p is a platform of the interface.
func (p Platform) Known() bool {
	_, ok := CapabilitiesOf(p)
	return ok
}

// Fits tells whether text is within the limits of one part.
func (c Capabilities) Fits(text string) bool {
	return utf8.RuneCountInString(text) <= c.MaxRunes && (c.MaxBytes == 0 || len(text) <= c.MaxBytes)
}

// CheckText answers why a draft breaks the platform's limits, or nil. Param
// names text or parts[i].
func (c Capabilities) CheckText(d Draft) error {
	if !slices.Contains(c.Formats, d.Format) {
		return Invalid("type", "%s takes no %s.", c.Platform, d.Format)
	}
	if d.Format != FormatThread {
		return c.checkPart("text", d.Text)
	}
	if n := len(d.Parts); n < 2 || n > c.MaxParts {
		return Invalid("parts", "A thread on %s has 2 to %d parts, not %d.", c.Platform, c.MaxParts, n)
	}
	for i, part := range d.Parts {
		if err := c.checkPart(fmt.Sprintf("parts[%d]", i), part); err != nil {
			return err
		}
	}
	return nil
}

func (c Capabilities) checkPart(param, text string) error {
	if strings.TrimSpace(text) == "" {
		return Invalid(param, "The text is empty.")
	}
	if !c.Fits(text) {
		return Invalid(param, "%s takes at most %d characters, this has %d.", c.Platform, c.MaxRunes, utf8.RuneCountInString(text))
	}
	return nil
}
