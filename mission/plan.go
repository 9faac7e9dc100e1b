package mission

import (
	"hash/fnv"
	"slices"
	"time"
)

// Brief is the input of a job: the mission's configuration and the tenant's
// brand, frozen when the cycle begins.
type Brief struct {
	MissionName string     `json:"mission_name"`
	Description string     `json:"description"`
	Objectives  []string   `json:"objectives"`
	Platforms   []Platform `json:"platforms"`
	// IntegrationIDs are the accounts that the mission has chosen.
	IntegrationIDs []string    `json:"integration_ids"`
	Constraints    Constraints `json:"constraints"`
	KPIs           []KPI       `json:"kpis"`
	Occasions      []Occasion  `json:"events"`
	// Blackouts hold at once: they are set from the mission when a plan is made, and not stored.
	Blackouts Blackouts `json:"-"`
	Brand     Brand     `json:"brand"`
}

// NewBrief returns m's configuration as a brief. The brand's excluded topics
// are added to the mission's.
func NewBrief(m Mission, brand Brand) Brief {
	c := m.Constraints
	c.ExcludedTopics = m.Exclusions(brand)
	return Brief{
		MissionName: m.Name, Description: WithoutHidden(m.Description), Objectives: allWithoutHidden(m.Objectives),
		Platforms: m.Platforms, IntegrationIDs: m.IntegrationIDs, Constraints: c, KPIs: m.KPIs, Occasions: m.Occasions,
		Brand: brand,
	}
}

// Check is the intake stage's check that posts can be written from the brief.
// Errors: invalid_request, naming the field.
func (b Brief) Check() error {
	found := append(checkTexts("objectives", b.Objectives, 1), CreateInput{Platforms: b.Platforms}.checkPlatforms()...)
	found.add(checkZone(b.Constraints.Timezone))
	return found.Err()
}

// Angle is the approach that a post takes to its objective.
type Angle string

// The angles that strategy chooses from.
const (
	AngleHowTo    Angle = "how_to"
	AngleQuestion Angle = "question"
	AngleStory    Angle = "story"
	AngleInsight  Angle = "insight"
	AngleTip      Angle = "tip"
	AngleMyth     Angle = "myth"
)

// AllAngles lists the angles.
func AllAngles() []Angle {
	return []Angle{AngleHowTo, AngleQuestion, AngleStory, AngleInsight, AngleTip, AngleMyth}
}

// Slot is the plan of one post.
type Slot struct {
	Position int       `json:"position"`
	At       time.Time `json:"at"`
	Platform Platform  `json:"platform"`
	// IntegrationID is the account; "" for the platform's default.
	IntegrationID string `json:"integration_id,omitempty"`
	// AccountHandle is the account\'s handle, or "".
	AccountHandle string `json:"account_handle,omitempty"`
	Format        Format `json:"format"`
	Angle         Angle  `json:"angle"`
	Objective     string `json:"objective"`
	// Occasion is the event that the post leads up to; nil for none.
	Occasion *Occasion `json:"event,omitempty"`
}

// Plan is what the strategy stage decided for a job.
type Plan struct {
	Slots []Slot `json:"slots"`
	// Reasons explain the plan in words.
	Reasons []string `json:"reasons"`
}

// Slot returns the plan of the post at a position; ok is false if there is
// none.
func (p Plan) Slot(position int) (s Slot, ok bool) {
	i := slices.IndexFunc(p.Slots, func(s Slot) bool { return s.Position == position })
	if i < 0 {
		return Slot{}, false
	}
	return p.Slots[i], true
}

// Assignment is a writer's input for one post of a plan.
type Assignment struct {
	Brief    Brief
	Slot     Slot
	Revision int
	// Instructions are a reviewer's instructions for a new revision, or "".
	Instructions string
	// UsedTexts are the texts of the tenant's latest posts on the platform.
	UsedTexts TextSet
	// UsedOpenings are the openings of the mission's posts, which a writer
	// doesn't use again.
	UsedOpenings TextSet
	// Limits are the own limits of the account that publishes the post.
	Limits TextLimits
	// Disclosure is what the post discloses. LineLength is what its line takes, in the platform's
	// unit, which the writer leaves free.
	Disclosure Disclosure
	LineLength int
	// Pictures are those that the post may have.
	Pictures []Picture
	// Worked are the plan's reasons: what has worked for the mission's posts.
	Worked []string
	// Seed determines the choices of a deterministic writer: the same seed and
	// assignment yield the same draft.
	Seed uint64
}

// NewAssignment returns the assignment for the post in a slot of a job's plan.
func NewAssignment(j Job, slot Slot) Assignment {
	h := fnv.New64a()
	_, _ = h.Write([]byte(j.MissionID))
	return Assignment{
		Brief: j.Brief, Slot: slot, Revision: 1, Worked: j.Plan.Reasons,
		Seed: h.Sum64() + uint64(j.Cycle)<<16 + uint64(slot.Position),
	}
}

// Capabilities returns what the account that publishes the post allows a writer, whose text is
// followed by the disclosure's line; ok is false for an unknown platform.
func (a Assignment) Capabilities() (c Capabilities, ok bool) {
	c, ok = CapabilitiesOf(a.Slot.Platform)
	c = c.Within(a.Limits)
	c.MaxLength = max(c.MaxLength-a.LineLength, 1)
	if c.MaxBytes > 0 {
		c.MaxBytes -= len(LineRoom(a.Disclosure.Line()))
	}
	return c, ok
}

// Draft is what a writer wrote.
type Draft struct {
	Format Format
	Text   string   // of a thread: its parts joined by blank lines
	Parts  []string // of a thread, in order; else empty
	// MediaID is the picture that the writer gives to it; "" for none.
	MediaID string
	// Media are the files that are sent with it; a writer leaves them out.
	Media []PostMedia
	// Writer is what wrote it, if a writer did.
	Writer WrittenBy
	// Cost is the cost of writing it.
	Cost Micros
}

// Texts returns the parts of a draft, in order.
func (d Draft) Texts() []string {
	if len(d.Parts) > 0 {
		return d.Parts
	}
	return []string{d.Text}
}

// The codes of a writer's failures and remarks.
const (
	// CodeWriterRefused: the language model won't write the post.
	CodeWriterRefused = "writer_refused"
	// CodeWriterInvalid: what it writes breaks the post's rules.
	CodeWriterInvalid = "writer_invalid"
	// CodeWriterTruncated: its response is too long and is cut off.
	CodeWriterTruncated = "writer_truncated"
	// CodeWriterUnavailable: it doesn't respond, or requests a pause.
	CodeWriterUnavailable = "writer_unavailable"
	// CodeWriterUsedUp: the writer has nothing to say that the latest posts don't.
	CodeWriterUsedUp = "writer_used_up"
	// CodeWriterNoPicture: the post needs a picture, and there is none for it.
	CodeWriterNoPicture = "writer_no_picture"
	// CodeWriterLanguage: the writer doesn't write the objectives' language.
	CodeWriterLanguage = "writer_language"
)

// WritingError is a writer's failure that an immediate retry won't fix: the
// post can't be written as assigned.
type WritingError struct {
	Failure Failure
}

func (e *WritingError) Error() string { return e.Failure.Code + ": " + e.Failure.Message }

// OutageError is a writer's failure to respond: no connection, a timeout, too
// many calls, or an error of its own. A later retry may succeed.
type OutageError struct {
	Failure Failure
	// RetryAfter is the wait that the writer requested, in real time; 0 if it
	// doesn't say.
	RetryAfter time.Duration
	// Err is the cause, for operators.
	Err error
}

func (e *OutageError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *OutageError) Unwrap() error { return e.Err }
