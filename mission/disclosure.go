package mission

import (
	"slices"
	"strings"
)

// AITextDisclosure is how posts say that a model wrote their text.
type AITextDisclosure string

// The ways to disclose a text. No platform has a field for it.
const (
	AITextNone AITextDisclosure = "none"
	AITextLine AITextDisclosure = "line" // a line at the end of the text
)

// AllAITextDisclosures lists the ways to disclose a text.
func AllAITextDisclosures() []AITextDisclosure { return []AITextDisclosure{AITextNone, AITextLine} }

// AIMediaDisclosure is which posts with files are labeled as having ones that a model made, on
// platforms that have a field for it.
type AIMediaDisclosure string

// The ways to disclose files.
const (
	AIMediaAuto   AIMediaDisclosure = "auto" // those with a file whose provenance says so
	AIMediaAlways AIMediaDisclosure = "always"
	AIMediaNever  AIMediaDisclosure = "never"
)

// AllAIMediaDisclosures lists the ways to disclose files.
func AllAIMediaDisclosures() []AIMediaDisclosure {
	return []AIMediaDisclosure{AIMediaAuto, AIMediaAlways, AIMediaNever}
}

// Bounds of what a mission discloses, in characters.
const (
	MaxDisclosureLine = 200
	MaxEmail          = 254
)

// DefaultDisclosureLine is the line of missions that don't choose one.
const DefaultDisclosureLine = "Written with AI"

// Disclosure is what a mission's posts disclose (people.md, "Disclosure and the editorial
// record").
type Disclosure struct {
	AIText          AITextDisclosure  `json:"ai_text" doc:"How posts say that the service's writer wrote them; line: line_text is the end of their text" example:"line"`
	LineText        string            `json:"line_text" doc:"The line: 1 to 200 characters" example:"Written with AI"`
	AIMedia         AIMediaDisclosure `json:"ai_media" doc:"Which posts are labeled as having pictures made by AI, on X and Instagram; auto: those with a file whose provenance says so" example:"auto"`
	PaidPartnership bool              `json:"paid_partnership" doc:"Whether posts are labeled as a paid partnership, on X" example:"false"`
}

// NewDisclosure returns what missions disclose by default.
func NewDisclosure() Disclosure {
	return Disclosure{AIText: AITextNone, LineText: DefaultDisclosureLine, AIMedia: AIMediaAuto}
}

// Line returns the line that a writer's texts end with; "" for none.
func (d Disclosure) Line() string {
	if d.AIText != AITextLine {
		return ""
	}
	return d.LineText
}

// DisclosureInput is what a caller says that posts disclose; nil is the default.
type DisclosureInput struct {
	AIText          *AITextDisclosure  `json:"ai_text,omitempty" nullable:"true" doc:"How posts say that the service's writer wrote them; line: line_text is the end of their text; none by default" example:"line"`
	LineText        *string            `json:"line_text,omitempty" nullable:"true" doc:"The line; Written with AI by default" example:"Written with AI"`
	AIMedia         *AIMediaDisclosure `json:"ai_media,omitempty" nullable:"true" doc:"Which posts are labeled as having pictures made by AI, on X and Instagram; auto, the default: those with a file whose provenance says so" example:"auto"`
	PaidPartnership *bool              `json:"paid_partnership,omitempty" nullable:"true" doc:"Whether posts are labeled as a paid partnership, on X" example:"false"`
}

// WithDefaults returns the disclosure that the input describes.
func (in *DisclosureInput) WithDefaults() Disclosure {
	d := NewDisclosure()
	if in == nil {
		return d
	}
	return Disclosure{
		AIText: deref(in.AIText, d.AIText), LineText: strings.TrimSpace(deref(in.LineText, d.LineText)),
		AIMedia: deref(in.AIMedia, d.AIMedia), PaidPartnership: deref(in.PaidPartnership, d.PaidPartnership),
	}
}

func (in *DisclosureInput) check() (found Problems) {
	if in == nil {
		return nil
	}
	if in.AIText != nil && !slices.Contains(AllAITextDisclosures(), *in.AIText) {
		found.add(Invalid("disclosure.ai_text", "Unknown value %q: must be one of %s.", *in.AIText, list(AllAITextDisclosures())))
	}
	if in.LineText != nil {
		found.add(checkLine("disclosure.line_text", *in.LineText, 1, MaxDisclosureLine))
	}
	if in.AIMedia != nil && !slices.Contains(AllAIMediaDisclosures(), *in.AIMedia) {
		found.add(Invalid("disclosure.ai_media", "Unknown value %q: must be one of %s.", *in.AIMedia, list(AllAIMediaDisclosures())))
	}
	return found
}

// DisclosureUpdate is a partial update of a disclosure.
type DisclosureUpdate struct {
	AIText          Optional[AITextDisclosure]
	LineText        Optional[string]
	AIMedia         Optional[AIMediaDisclosure]
	PaidPartnership Optional[bool]
}

// restate applies in to d, except what is null and can't be.
func (d *Disclosure) restate(in DisclosureUpdate) (found Problems) {
	found.add(
		set("disclosure.ai_text", &d.AIText, in.AIText), set("disclosure.line_text", &d.LineText, in.LineText),
		set("disclosure.ai_media", &d.AIMedia, in.AIMedia), set("disclosure.paid_partnership", &d.PaidPartnership, in.PaidPartnership),
	)
	return found
}

// asInput returns the input that describes d; nil for the zero one.
func (d Disclosure) asInput() *DisclosureInput {
	if d == (Disclosure{}) {
		return nil
	}
	return &DisclosureInput{AIText: &d.AIText, LineText: &d.LineText, AIMedia: &d.AIMedia, PaidPartnership: &d.PaidPartnership}
}

// Editor is who holds editorial responsibility for a mission's posts.
type Editor struct {
	Name  string `json:"name" doc:"Their name: 1 to 200 characters" example:"Jo Doe"`
	Email string `json:"email" doc:"Their e-mail address" example:"jo@acme.example"`
}

func (e *Editor) check() (found Problems) {
	if e == nil {
		return nil
	}
	found.add(checkLine("editor.name", e.Name, 1, MaxName), checkEmail("editor.email", e.Email))
	return found
}

// checkEmail checks that a text may be an address: whether mail arrives there only mail tells.
func checkEmail(param, address string) error {
	if err := checkLine(param, address, 1, MaxEmail); err != nil {
		return err
	}
	user, host, ok := strings.Cut(address, "@")
	if !ok || user == "" || host == "" || strings.ContainsAny(host, "@") || strings.ContainsAny(address, " <>,;\"") {
		return Invalid(param, "Not an e-mail address: must be as in jo@example.com.")
	}
	return nil
}

// Labels are what a platform is told of a post in fields of their own.
type Labels struct {
	MadeWithAI      bool `json:"made_with_ai,omitempty"` // a model made one of its files
	PaidPartnership bool `json:"paid_partnership,omitempty"`
}

// Disclosed is what a post discloses: decided when its revision was written.
type Disclosed struct {
	// Line is what the text was made to end with, because a writer wrote it; "" for none. What is shown
	// of it is what the text has.
	Line            string            `json:"line,omitempty"`
	AIMedia         AIMediaDisclosure `json:"ai_media,omitempty"` // "" is never
	PaidPartnership bool              `json:"paid_partnership,omitempty"`
}

// Disclose returns what a post of the mission discloses, with a line or "".
func (d Disclosure) Disclose(line string) Disclosed {
	return Disclosed{Line: line, AIMedia: d.AIMedia, PaidPartnership: d.PaidPartnership}
}

// Labels returns the labels of a part of the post that its platform has fields for.
func (c Content) Labels(part int) Labels { return c.Disclosed.on(c.Platform, c.PartMedia(part)) }

func (d Disclosed) on(p Platform, files []PostMedia) Labels {
	caps, _ := CapabilitiesOf(p)
	return Labels{
		MadeWithAI:      caps.Labels.MadeWithAI && d.madeWithAI(files),
		PaidPartnership: caps.Labels.PaidPartnership && d.PaidPartnership,
	}
}

// ContentDisclosure is what a post discloses on its platform.
type ContentDisclosure struct {
	Line            *string `json:"line" doc:"The line at the end of its text that says that a writer wrote it; null if there is none" example:"Written with AI"`
	MadeWithAI      bool    `json:"made_with_ai" doc:"Whether its platform is told, in a field of its own, that AI made some of its files" example:"false"`
	PaidPartnership bool    `json:"paid_partnership" doc:"Whether its platform is told, in a field of its own, that it is a paid partnership" example:"false"`
}

// Disclosure returns what the post discloses.
func (c Content) Disclosure() ContentDisclosure {
	return c.Disclosed.shown(c.Platform, Draft{Text: c.Text, Parts: c.Parts}, c.Media)
}

// shown returns what a post with a text and files discloses on a platform. The line is what the text has
// of it: nothing is claimed that isn't there.
func (d Disclosed) shown(on Platform, of Draft, files []PostMedia) ContentDisclosure {
	labels := d.on(on, files)
	return ContentDisclosure{Line: orNil(of.lineOf(d.Line)), MadeWithAI: labels.MadeWithAI, PaidPartnership: labels.PaidPartnership}
}

func (d Disclosed) madeWithAI(files []PostMedia) bool {
	switch d.AIMedia {
	case AIMediaAlways:
		return len(files) > 0
	case AIMediaAuto:
		return slices.ContainsFunc(files, func(m PostMedia) bool { return m.Provenance.byAI() })
	default:
		return false
	}
}

func (p Provenance) byAI() bool { return p.AI == AIDeclared || p.AI == AIDetected }

// unlabeled returns the names of those of the platforms that lack a label.
func unlabeled(platforms []Platform, has func(Labels) bool) string {
	var lacking []string
	for _, p := range platforms {
		if caps, _ := CapabilitiesOf(p); !has(caps.Labels) {
			lacking = append(lacking, p.Name())
		}
	}
	return strings.Join(lacking, ", ")
}

// disclosureNotices returns the warnings about what the mission's posts disclose.
func (m Mission) disclosureNotices() (notices []Notice) {
	if on := unlabeled(m.Platforms, func(l Labels) bool { return l.PaidPartnership }); m.Disclosure.PaidPartnership && on != "" {
		notices = append(notices, Notice{
			Param: "disclosure.paid_partnership", Message: "No field says so on " + on + ": the text of posts must.",
		})
	}
	if on := unlabeled(m.Platforms, func(l Labels) bool { return l.MadeWithAI }); m.Disclosure.AIMedia == AIMediaAlways && on != "" {
		notices = append(notices, Notice{
			Param: "disclosure.ai_media", Message: "No field says so on " + on + ": the text of posts must.",
		})
	}
	if m.PublicInterest && m.Disclosure.AIText == AITextNone && (!m.Constraints.RequireApproval || m.Autonomy != nil || m.Editor == nil) {
		notices = append(notices, Notice{
			Param: "public_interest", Message: "A text that a model wrote must be disclosed, unless a person reviewed it and somebody holds editorial " +
				"responsibility: disclose it, or require approval, name an editor and allow no autonomy" +
				" (API: disclosure.ai_text; constraints.require_approval, editor and autonomy).",
		})
	}
	return notices
}
