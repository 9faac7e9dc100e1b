package mission

import (
	"fmt"
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
// are added to the mission's, its language is that of a mission without one, and its facts are
// left out: those that hold are read when a post is written.
func NewBrief(m Mission, brand Brand) Brief {
	c := m.Constraints
	c.ExcludedTopics = m.Exclusions(brand).Topics
	if c.Language == nil && brand.Language != "" {
		c.Language = &brand.Language
	}
	brand.Facts = nil
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
	// Repeats is the post that the slot's repeats, if that is still possible when it is written; "" for
	// none.
	Repeats string `json:"repeats,omitempty"`
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

// KeptApart is how many of a tenant's latest posts on a platform say different things.
const KeptApart = 60

// Assignment is a writer's input for one post of a plan.
type Assignment struct {
	Brief    Brief
	Slot     Slot
	Revision int
	// Instructions are a reviewer's instructions for a new revision, or "".
	Instructions string
	// UsedTexts are the texts of the tenant's latest posts on the platform, and of the account's.
	UsedTexts TextSet
	// LatestTexts are the texts of the account's latest posts, which the text must not be like.
	LatestTexts TextSet
	// Replaced are the texts of the revision that this one replaces, which it may be like.
	Replaced []string
	// Original is the published post that this one says again in other words; nil for none.
	Original *Content
	// Facts are those of the brand; see Holding.
	Facts []Fact
	// UsedOpenings are the openings of the mission's posts, which a writer
	// doesn't use again.
	UsedOpenings TextSet
	// Limits are the own limits of the account that publishes the post.
	Limits TextLimits
	// Disclosure is what the post discloses. LineLength is what its line takes, in the platform's
	// unit, which the writer leaves free.
	Disclosure Disclosure
	LineLength int
	// Links is what becomes of the post's links, whose lengths count as they are sent.
	Links LinkRule
	// Pictures are those that the post may have. Captioned reports that it has files already, which stay.
	Pictures  []Picture
	Captioned bool
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

// LeftOut is why a post isn't there whose texts all broke a rule: its slot stays empty.
func LeftOut(r Rule, why string) *WritingError {
	return &WritingError{Failure: Failure{Code: CodeWriterBrokeRule, Message: fmt.Sprintf("A post was left out by the rule %s. %s", r, why)}}
}

// Under returns the assignment with what its posts are kept from now.
func (a Assignment) Under(e Exclusions) Assignment {
	a.Brief.Constraints.ExcludedTopics, a.Brief.Brand.BannedWords, a.Facts = e.Topics, e.BannedWords, e.Facts
	return a
}

// Holding returns the facts that the post may state: those that hold in its slot.
func (a Assignment) Holding() []Fact {
	return slices.DeleteFunc(slices.Clone(a.Facts), func(f Fact) bool { return f.Expired(a.Slot.At) })
}

// Exclusions returns what the assignment's post is kept from.
func (a Assignment) Exclusions() Exclusions {
	return Exclusions{Topics: a.Brief.Constraints.ExcludedTopics, BannedWords: a.Brief.Brand.BannedWords, Facts: a.Facts}
}

// Capabilities returns what the account that publishes the post allows a writer, whose text is
// followed by the disclosure's line; ok is false for an unknown platform.
func (a Assignment) Capabilities() (c Capabilities, ok bool) {
	c, ok = CapabilitiesOf(a.Slot.Platform)
	c = c.Within(a.Limits).Sending(a.Links)
	if a.Captioned {
		c = c.Captioning()
	}
	c.MaxLength = max(c.MaxLength-a.LineLength, 1)
	if c.CaptionLength > 0 {
		c.CaptionLength = max(c.CaptionLength-a.LineLength, 1)
	}
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
	// Facts are those that the text rests on.
	Facts []CitedFact
	// MediaID is the picture that the writer gives to it; "" for none.
	MediaID string
	// Media are the files that are sent with it; a writer leaves them out.
	Media []PostMedia
	// Writer is what wrote it, if a writer did.
	Writer WrittenBy
	// AuthorID is the person who wrote it; "" for a writer.
	AuthorID string
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
	// CodeWriterBrokeRule: what it wrote, twice, breaks a rule of all posts.
	CodeWriterBrokeRule = "writer_broke_rule"
	// CodeWriterRejected: the endpoint of the tenant's own language model rejects calls.
	CodeWriterRejected = "writer_rejected"
	// CodeWriterUsedUp: the writer has nothing to say that the latest posts don't.
	CodeWriterUsedUp = "writer_used_up"
	// CodeWriterNoPicture: the post needs a picture, and there is none for it.
	CodeWriterNoPicture = "writer_no_picture"
	// CodeWriterLanguage: the brief isn't in the language that the writer is to write.
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
