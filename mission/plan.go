package mission

import (
	"hash/fnv"
	"slices"
	"time"
)

// Brief is what a job works from: the mission's configuration and the
// tenant's brand, frozen when the cycle begins.
type Brief struct {
	MissionName string      `json:"mission_name"`
	Description string      `json:"description"`
	Objectives  []string    `json:"objectives"`
	Platforms   []Platform  `json:"platforms"`
	Constraints Constraints `json:"constraints"`
	KPIs        []KPI       `json:"kpis"`
	Brand       Brand       `json:"brand"`
}

// NewBrief freezes m's configuration. The brand's excluded topics join the
// mission's.
func NewBrief(m Mission, brand Brand) Brief {
	c := m.Constraints
	c.ExcludedTopics = m.Exclusions(brand)
	return Brief{
		MissionName: m.Name, Description: m.Description, Objectives: m.Objectives,
		Platforms: m.Platforms, Constraints: c, KPIs: m.KPIs, Brand: brand,
	}
}

// Check is the intake stage's look at a brief: what it says must still make
// posts. Errors: invalid_request, naming the field.
func (b Brief) Check() error {
	in := CreateInput{Name: b.MissionName, Objectives: b.Objectives, Platforms: b.Platforms}
	if err := checkTexts("objectives", in.Objectives, 1); err != nil {
		return err
	}
	if err := in.checkPlatforms(); err != nil {
		return err
	}
	return checkZone(b.Constraints.Timezone)
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
	Position  int       `json:"position"`
	At        time.Time `json:"at"`
	Platform  Platform  `json:"platform"`
	Format    Format    `json:"format"`
	Angle     Angle     `json:"angle"`
	Objective string    `json:"objective"`
}

// Plan is what the strategy stage decided for a job.
type Plan struct {
	Slots []Slot `json:"slots"`
	// Reasons explain the plan in words.
	Reasons []string `json:"reasons"`
}

// Slot returns the plan of the post at a position.
func (p Plan) Slot(position int) (s Slot, ok bool) {
	i := slices.IndexFunc(p.Slots, func(s Slot) bool { return s.Position == position })
	if i < 0 {
		return Slot{}, false
	}
	return p.Slots[i], true
}

// Assignment is what a writer is asked to write: one post of a plan.
type Assignment struct {
	Brief    Brief
	Slot     Slot
	Revision int
	// Instructions are a reviewer's wishes for a new revision, or "".
	Instructions string
	// Said is what the tenant's latest posts on the platform say.
	Said Said
	// Opened are the openings of the mission's posts, which a writer doesn't use
	// again.
	Opened Said
	// Worked are the plan's reasons: what posts of the mission have shown to work.
	Worked []string
	// Seed makes a deterministic writer's choices: the same seed and
	// assignment give the same draft.
	Seed uint64
}

// NewAssignment asks for the post of a job's plan at a position.
func NewAssignment(j Job, slot Slot) Assignment {
	h := fnv.New64a()
	_, _ = h.Write([]byte(j.MissionID))
	return Assignment{
		Brief: j.Brief, Slot: slot, Revision: 1, Worked: j.Plan.Reasons,
		Seed: h.Sum64() + uint64(j.Cycle)<<16 + uint64(slot.Position),
	}
}

// Draft is what a writer wrote.
type Draft struct {
	Format Format
	Text   string   // of a thread: its parts joined by blank lines
	Parts  []string // of a thread, in order; else empty
	// Cost is what the writing cost.
	Cost Micros
}

// Texts are the parts of a draft, in order.
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
	// CodeWriterTruncated: it finds no end.
	CodeWriterTruncated = "writer_truncated"
	// CodeWriterUnavailable: it doesn't answer, or asks to be left alone.
	CodeWriterUnavailable = "writer_unavailable"
	// CodeWriterLanguage: the writer doesn't write the objectives' language.
	CodeWriterLanguage = "writer_language"
)

// WritingError is a writer's failure that another try at once won't mend: the
// post can't be written as assigned.
type WritingError struct {
	Failure Failure
}

func (e *WritingError) Error() string { return e.Failure.Code + ": " + e.Failure.Message }

// OutageError is a writer's failure to answer: no connection, no answer in time,
// too many calls, or trouble of its own. Another try later may succeed.
type OutageError struct {
	Failure Failure
	// RetryAfter is how long the writer wants to be left alone, in real time; 0
	// where it doesn't say.
	RetryAfter time.Duration
	// Err is what an operator should know.
	Err error
}

func (e *OutageError) Error() string { return e.Err.Error() }

// Unwrap returns what an operator should know.
func (e *OutageError) Unwrap() error { return e.Err }

// Outcome is what is known of a platform after a call that failed.
type Outcome string

// The outcomes.
const (
	// OutcomeRefused: the platform will never take the post as it is.
	OutcomeRefused Outcome = "refused"
	// OutcomeNotTaken: the platform didn't take the post, and may take it later.
	OutcomeNotTaken Outcome = "not_taken"
	// OutcomeUnknown: the platform may have taken the post.
	OutcomeUnknown Outcome = "unknown"
)

// PublishError is a publisher's failure with what it means for the post. Any
// other error of a publisher counts as OutcomeUnknown.
type PublishError struct {
	Outcome Outcome
	Failure Failure
	// RetryAfter is how long the platform wants to be left alone; 0 where it
	// doesn't say. It holds for all posts of the tenant's there.
	RetryAfter time.Duration
	// Unauthorized tells that the platform refused the credentials, and nothing
	// else: it took nothing. Forbidden tells that they may be good for other calls.
	Unauthorized, Forbidden bool
}

func (e *PublishError) Error() string { return e.Failure.Code + ": " + e.Failure.Message }
