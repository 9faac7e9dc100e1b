package mission

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// MaxUTM bounds the parameters of links, in characters.
const MaxUTM = 100

// Links is what becomes of the links of a mission's posts (people.md, "Links"). It is decided when a
// post's text is written: see Outgoing.
type Links struct {
	UTM UTM `json:"utm"`
	// Track are the platforms whose links lead through the service, which counts clicks.
	Track []Platform `json:"track" doc:"The platforms on which links lead through the service, which counts their clicks; empty: none" example:"twitter,bluesky"`
}

// UTM are the parameters that links get. Each is a template; nil is none.
type UTM struct {
	Source   *string `json:"source" doc:"utm_source: a text, in which {mission} is the mission's name, {platform} the platform and {content_id} the post; null for none" example:"{platform}"`
	Medium   *string `json:"medium" doc:"utm_medium, as source" example:"social"`
	Campaign *string `json:"campaign" doc:"utm_campaign, as source" example:"{mission}"`
	Content  *string `json:"content" doc:"utm_content, as source" example:"{content_id}"`
}

// LinksInput is what a caller says that becomes of links; nil changes none.
type LinksInput struct {
	UTM   *UTMInput  `json:"utm,omitempty" doc:"Parameters that links get, unless they have them already"`
	Track []Platform `json:"track,omitempty" doc:"The mission's platforms on which links lead through the service, which counts their clicks; none by default. Mastodon discourages that" example:"twitter,bluesky"`
}

// UTMInput is the parameters that a caller wants links to have.
type UTMInput struct {
	Source   *string `json:"source,omitempty" nullable:"true" doc:"utm_source: a text, in which {mission} is the mission's name, {platform} the platform and {content_id} the post" example:"{platform}"`
	Medium   *string `json:"medium,omitempty" nullable:"true" doc:"utm_medium, as source" example:"social"`
	Campaign *string `json:"campaign,omitempty" nullable:"true" doc:"utm_campaign, as source" example:"{mission}"`
	Content  *string `json:"content,omitempty" nullable:"true" doc:"utm_content, as source" example:"{content_id}"`
}

// LinksUpdate is a partial update of what becomes of links: parameters are merged, a nil Track stays.
type LinksUpdate struct {
	Source, Medium, Campaign, Content Optional[string]
	Track                             []Platform
}

// utmNames are the parameters' names, in the order of UTM.values.
var utmNames = []string{"source", "medium", "campaign", "content"}

func (u UTM) values() []*string { return []*string{u.Source, u.Medium, u.Campaign, u.Content} }

// WithDefaults returns what the input describes.
func (in *LinksInput) WithDefaults() Links {
	l := Links{Track: []Platform{}}
	if in == nil {
		return l
	}
	l.Track = append(l.Track, in.Track...)
	if in.UTM != nil {
		l.UTM = UTM(*in.UTM)
	}
	return l
}

// asInput returns the input that describes l.
func (l Links) asInput() *LinksInput {
	utm := UTMInput(l.UTM)
	return &LinksInput{UTM: &utm, Track: l.Track}
}

func (in *LinksInput) check(platforms []Platform) (found Problems) {
	if in == nil {
		return nil
	}
	if in.UTM != nil {
		for i, value := range UTM(*in.UTM).values() {
			found.add(checkTemplate("links.utm."+utmNames[i], value))
		}
	}
	for i, p := range in.Track[:min(len(in.Track), len(AllPlatforms())+1)] {
		param := fmt.Sprintf("links.track[%d]", i)
		switch {
		case !slices.Contains(platforms, p):
			found.add(Invalid(param, "Must be one of the mission's platforms."))
		case slices.Contains(in.Track[:i], p):
			found.add(Invalid(param, "Duplicate platform %s.", p.Name()))
		}
	}
	return found
}

// placeholders are what templates may have in braces.
var placeholders = []string{"{mission}", "{platform}", "{content_id}"}

func checkTemplate(param string, template *string) error {
	if template == nil {
		return nil
	}
	if err := checkLine(param, *template, 1, MaxUTM); err != nil {
		return err
	}
	rest := *template
	for _, p := range placeholders {
		rest = strings.ReplaceAll(rest, p, "")
	}
	if strings.ContainsAny(rest, "{}") {
		return Invalid(param, "Only %s may be in braces.", strings.Join(placeholders, ", "))
	}
	return nil
}

// restate applies in to l.
func (l *Links) restate(in LinksUpdate) {
	for _, f := range []struct {
		to   **string
		from Optional[string]
	}{{&l.UTM.Source, in.Source}, {&l.UTM.Medium, in.Medium}, {&l.UTM.Campaign, in.Campaign}, {&l.UTM.Content, in.Content}} {
		if f.from.Given {
			*f.to = f.from.Value
		}
	}
	if in.Track != nil {
		l.Track = slices.Clone(in.Track)
	}
}

// Tracks reports whether the links of posts on a platform lead through the service.
func (l Links) Tracks(p Platform) bool { return slices.Contains(l.Track, p) }

// linkNotices returns the warnings about the mission's links.
func (m Mission) linkNotices() (notices []Notice) {
	if m.Links.Tracks(Mastodon) {
		notices = append(notices, Notice{
			Param: "links.track", Message: "Mastodon's guide discourages links that lead through another site: readers there want to see where they lead.",
		})
	}
	return notices
}

// Outgoing is what is sent for the links of a revision. It is decided when the revision is written, so
// that a post which is sent again, looked up or read back is the very same.
type Outgoing struct {
	// Tracked reports whether its links are tracked, if it has any.
	Tracked bool `json:"tracked,omitempty"`
	// Links are those that are changed, in order.
	Links []SentLink `json:"links,omitempty"`
}

// SentLink is a link that is changed.
type SentLink struct {
	// Part is the index of the text that has it: of a part, or behind them of the first comment.
	Part int `json:"part"`
	// Start and End are where it is in that text, in bytes.
	Start int `json:"start"`
	End   int `json:"end"`
	// Sent is what is sent for it, Target where it leads.
	Sent   string `json:"sent"`
	Target string `json:"target"`
	// Code is the tracked link's; "" for others.
	Code string `json:"code,omitempty"`
}

// SentTexts returns the parts of the post as they are sent, in order: Texts with its links replaced.
func (c Content) SentTexts() []string {
	texts := c.Texts()
	if len(c.Outgoing.Links) == 0 {
		return texts
	}
	sent := make([]string, len(texts))
	for i, text := range texts {
		sent[i] = c.Outgoing.sent(i, text)
	}
	return sent
}

// sent returns a text as it is sent.
func (o Outgoing) sent(part int, text string) string {
	var b strings.Builder
	at := 0
	for _, l := range o.Links {
		if l.Part == part && at <= l.Start && l.End <= len(text) {
			b.WriteString(text[at:l.Start] + l.Sent)
			at = l.End
		}
	}
	return b.String() + text[at:]
}

// SentComment returns the text of the post's first comment as it is sent; "" if it has none.
func (c Content) SentComment() string { return c.Outgoing.sent(len(c.Texts()), c.CommentText()) }

// LeadsTo returns where a link that the post is sent with leads: for one that isn't changed, the link.
func (c Content) LeadsTo(sent string) string {
	i := slices.IndexFunc(c.Outgoing.Links, func(l SentLink) bool { return l.Sent == sent })
	if i < 0 {
		return sent
	}
	return c.Outgoing.Links[i].Target
}

// ContentLink is a link of a post and what is sent for it.
type ContentLink struct {
	URL     string `json:"url" doc:"The link as it is written" example:"https://acme.example/2.0"`
	SentURL string `json:"sent_url" doc:"What is sent for it" example:"https://missions.example.com/l/k3v9q2m7w4x8n5rt"`
	// Clicks is nil if the link isn't tracked.
	Clicks *int64 `json:"clicks" doc:"How often it was followed, as the service counts it; null if it isn't tracked" example:"42"`
}

// Links returns the links that are changed, each once, with how often those with a code were followed.
func (c Content) Links(clicks map[string]int64) []ContentLink {
	texts, listed := append(slices.Clone(c.Texts()), c.CommentText()), []ContentLink{}
	for _, l := range c.Outgoing.Links {
		if l.Part >= len(texts) || l.End > len(texts[l.Part]) {
			continue
		}
		link := ContentLink{URL: texts[l.Part][l.Start:l.End], SentURL: l.Sent}
		if slices.ContainsFunc(listed, func(o ContentLink) bool { return o.URL == link.URL }) {
			continue
		}
		if l.Code != "" {
			n := clicks[l.Code]
			link.Clicks = &n
		}
		listed = append(listed, link)
	}
	return listed
}

// DayClicks is how often the tracked links of a post were followed on a day (UTC).
type DayClicks struct {
	Date   string `json:"date" format:"date" doc:"The day, in UTC" example:"2025-03-03"`
	Clicks int64  `json:"clicks" doc:"How often its tracked links were followed, as the service counts it" example:"12"`
}

// TrackedLink is a tracked link that was sent: where its code leads.
type TrackedLink struct {
	Code      string `bun:"id,pk"`
	TenantID  string
	MissionID string
	ContentID string
	Target    string
}

// TrackedLinks returns the tracked links of the post, each once.
func (c Content) TrackedLinks() (links []TrackedLink) {
	for _, l := range c.Outgoing.Links {
		if l.Code != "" && !slices.ContainsFunc(links, func(o TrackedLink) bool { return o.Code == l.Code }) {
			links = append(links, TrackedLink{Code: l.Code, TenantID: c.TenantID, MissionID: c.MissionID, ContentID: c.ID, Target: l.Target})
		}
	}
	return links
}

// CountedMetrics returns the figures that the service counts itself, since the platform doesn't report them: of
// posts whose links are tracked.
func (c Capabilities) CountedMetrics() []Metric {
	if slices.Contains(c.Metrics, LinkClicks) {
		return []Metric{}
	}
	return []Metric{LinkClicks}
}

// CountsLinkClicks reports whether the service's own count is the post's LinkClicks: its links are
// tracked, and its platform doesn't report them.
func (c Content) CountsLinkClicks() bool {
	caps, _ := CapabilitiesOf(c.Platform)
	return c.Outgoing.Tracked && len(caps.CountedMetrics()) > 0
}

// WithClicks returns figures by posts' ids, with the service's own counts of clicks for those of the posts
// whose platform reports none. If it reports nothing at all, the count is all there is of a post.
func WithClicks(posts []Content, figures map[string]Metrics, clicks map[string]int64) map[string]Metrics {
	with := maps.Clone(figures)
	for _, c := range posts {
		m, ok := figures[c.ID]
		if !ok && c.Reported() || !c.CountsLinkClicks() {
			continue
		}
		counted := Metrics{LinkClicks: float64(clicks[c.ID])}
		maps.Copy(counted, m)
		with[c.ID] = counted
	}
	return with
}
