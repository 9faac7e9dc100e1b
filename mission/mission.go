package mission

import (
	"math"
	"sync"
	"time"
)

// Status is the state of a mission.
type Status string

// The states of the interface's section 3.
const (
	StatusDraft     Status = "draft"
	StatusActive    Status = "active"
	StatusPaused    Status = "paused"
	StatusCompleted Status = "completed"
)

// AllStatuses lists the states of a mission.
func AllStatuses() []Status {
	return []Status{StatusDraft, StatusActive, StatusPaused, StatusCompleted}
}

// Cadence is how often a mission has a posting day.
type Cadence string

// The cadences of decisions, "Mission".
const (
	Daily    Cadence = "daily"
	Weekdays Cadence = "weekdays"
	Weekly   Cadence = "weekly"
	Biweekly Cadence = "biweekly"
	Monthly  Cadence = "monthly"
)

// AllCadences lists the cadences.
func AllCadences() []Cadence { return []Cadence{Daily, Weekdays, Weekly, Biweekly, Monthly} }

// Constraints bound what a mission may do (interface, section 2). PostingTimes are
// HH:MM, 24 hours, in Timezone, an IANA zone.
type Constraints struct {
	Tone            *string  `json:"tone" doc:"How posts sound" example:"friendly"`
	Cadence         Cadence  `json:"cadence" doc:"On which days it posts" example:"daily"`
	PostsPerDay     int      `json:"posts_per_day" doc:"On each posting day, on all platforms together: 1 to 50" example:"2"`
	PostingTimes    []string `json:"posting_times" doc:"When posts go out, in the mission's time zone; more than posts a day are taken in turn; empty: the service chooses" example:"09:00,17:30"`
	Timezone        string   `json:"timezone" doc:"An IANA time zone, in which days and posting times are meant" example:"Europe/Berlin"`
	RequireApproval bool     `json:"require_approval" doc:"Whether a person approves each post" example:"true"`
	BudgetCents     *int64   `json:"budget_cents" doc:"What writing and publishing may cost, in US cents; null: no bound" example:"5000"`
	ExcludedTopics  []string `json:"excluded_topics" doc:"What posts never mention" example:"politics"`
	// Language and what follows are extensions of the interface's constraints: absent unless
	// set. nil leaves them to the texts and the accounts.
	Language   *string     `json:"language,omitempty" doc:"The language of the posts, as a BCP 47 tag, which platforms are told; absent: as each post's text seems to be" example:"pt-BR"`
	Visibility *Visibility `json:"visibility,omitempty" doc:"Who sees posts, on platforms where that can be chosen; absent: as the account's owner has set it there" example:"unlisted"`
	// Guidance is nil if everything is learned.
	Guidance *Guidance `json:"guidance,omitempty" doc:"What plans prefer and avoid, whatever was learned; absent: everything is learned"`
	// Evergreen is nil if no post is repeated.
	Evergreen *Evergreen `json:"evergreen,omitempty" doc:"How the best posts are repeated after a while; absent: they aren't"`
	// PaidReplies are the platforms on which replies are read although that costs.
	PaidReplies []Platform `json:"paid_replies,omitempty" doc:"The platforms on which the replies to posts are read although the platform charges for each, which counts against the budget; absent: none" example:"twitter"`
}

// loadedZones are the locations that were loaded, by name. Only names of zones are stored, of
// which there are a few hundred.
var loadedZones sync.Map

// Zone returns the location of Timezone. Validation has checked that it loads;
// if the zone has disappeared since, Zone returns UTC.
func (c Constraints) Zone() *time.Location {
	known, _ := loadedZones.Load(c.Timezone)
	if zone, ok := known.(*time.Location); ok {
		return zone
	}
	zone, err := time.LoadLocation(c.Timezone)
	if err != nil {
		return time.UTC
	}
	loadedZones.Store(c.Timezone, zone)
	return zone
}

// Mission is a content mission of a tenant (interface, section 2).
type Mission struct {
	ID          string     `json:"id" doc:"Its id" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca" bun:",pk"`
	TenantID    string     `json:"-"`
	Name        string     `json:"name" doc:"What people call it: 1 to 200 characters" example:"Autumn launch"`
	Description string     `json:"description" doc:"What the mission is about, in sentences that posts may say: the built-in writer quotes them" example:"Version 2.0 is out. It opens files twice as fast."`
	Status      Status     `json:"status" doc:"The mission's state" example:"active"`
	Objectives  []string   `json:"objectives" doc:"What the mission is to reach: 1 to 50" example:"Announce the 2.0 release"`
	Platforms   []Platform `json:"platforms" doc:"Where it posts" example:"twitter,linkedin"`
	// IntegrationIDs are the accounts that it posts to; platforms without one of them use
	// their default account.
	IntegrationIDs []string `json:"integration_ids" doc:"The accounts that it posts to; a platform without one of them uses its default account" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp" bun:"integration_ids"`
	// MediaIDs are the pictures that its writer may give to posts.
	MediaIDs []string `json:"media_ids" doc:"The pictures that its writer may give to posts, each at most once in 14 days, chosen by their descriptions; Instagram needs some" example:"med_01jnd2x6k8e4rvt0m7y3bqz5ce" bun:"media_ids"`
	// Reviewers are the members who are asked to review its posts; none: all who may.
	Reviewers []string `json:"reviewers" doc:"The members who are asked to review its posts; empty: all who may" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	// ReviewersOnly reports whether nobody else may approve and reject them.
	ReviewersOnly bool        `json:"reviewers_only" doc:"Whether only its reviewers may approve and reject its posts" example:"false"`
	Constraints   Constraints `json:"constraints"`
	KPIs          []KPI       `json:"kpis" bun:"kpis"`
	// Occasions are what its posts lead up to, from the next cycle on.
	Occasions []Occasion `json:"events" doc:"What its posts lead up to; takes effect from the next cycle on" bun:"events"`
	// Blackouts hold at once.
	Blackouts  []Blackout `json:"blackouts" doc:"When it publishes nothing"`
	Disclosure Disclosure `json:"disclosure"`
	// Links applies to the posts that are written or edited next.
	Links Links `json:"links" doc:"What becomes of the links of posts"`
	// Editor is nil if nobody is named.
	Editor         *Editor `json:"editor"`
	PublicInterest bool    `json:"public_interest" doc:"Whether posts are to inform the public on matters of public interest" example:"false"`
	// Autonomy is nil if each post is reviewed that has to be.
	Autonomy      *Autonomy  `json:"autonomy" bun:",nullzero"`
	DurationDays  int        `json:"duration_days" doc:"How long it lasts: 1 to 366 days" example:"21"`
	StartsAt      *time.Time `json:"starts_at" doc:"When it starts, or started"`
	EndsAt        *time.Time `json:"ends_at" doc:"When it ends; null before its start is known"`
	PipelineJobID *string    `json:"pipeline_job_id" doc:"The current job; null in a draft" example:"job_01jnd2x6k8e4rvt0m7y3bqz5cj"`
	CreatedAt     time.Time  `json:"created_at" doc:"When it was made"`
	UpdatedAt     time.Time  `json:"updated_at" doc:"When it changed last"`

	// PausedAt is when the current pause began; nil if the mission isn't
	// paused.
	PausedAt *time.Time `json:"-"`
	// PausedFor is the sum of the pauses that have ended: the mission's own
	// time is the clock's minus PausedFor.
	PausedFor time.Duration `json:"-" bun:"paused_ms"`
	// PlannedFrom is when the posts lie, at the earliest, of days that have no job yet: behind the
	// latest pause and the posts that it moved; nil if there was none.
	PlannedFrom *time.Time `json:"-"`
	// Owed is how many posts the days beyond the duration have at most: as many as pauses took slots
	// that no post had.
	Owed int `json:"-" bun:"owed_posts"`
	// NextCycle is the number of the cycle that begins next, from 0.
	NextCycle int `json:"-"`
	// Counts are updated with every change of a post, never recounted.
	Counts ContentCounts `json:"-" bun:"embed:"`
	// Spent is what the mission's calls cost, Reserved what those under way may
	// cost.
	Spent    Micros `json:"-" bun:"spent_micros"`
	Reserved Micros `json:"-" bun:"reserved_micros"`
	// Totals are the latest metrics of the published posts.
	Totals PlatformTotals `json:"-"`
	// Achieved are the KPIs that have reached their target once.
	Achieved []KPI `json:"-"`
	// Trends are where the KPIs are heading.
	Trends Trends `json:"-"`
	// CreatedBy is the user who created it, if need be with an API key; "" if that isn't known.
	CreatedBy string `json:"-" bun:",nullzero"`
	// AutonomyEnded is what ended its row of approvals last, other than a reviewer's decision; nil
	// if nothing did.
	AutonomyEnded *AutonomyEnd `json:"-" bun:",nullzero"`
	// Held reports whether the tenant's hold has paused the mission, so that the release
	// resumes it.
	Held bool `json:"-"`
	// OnHold reports that the tenant is on hold, so the mission doesn't continue. It is set
	// only on a locked mission.
	OnHold bool `json:"-" bun:",scanonly"`
	// Leaving reports that the tenant is to be deleted, so the mission doesn't
	// continue. It is set only on a locked mission.
	Leaving bool `json:"-" bun:",scanonly"`
}

// MissionChange is what a rule decides about a mission: the state before, the state
// after, and the events that report it. The store writes all of it or returns a
// conflict.
type MissionChange struct {
	From   Status
	To     Mission
	Events []Event
}

// change returns a Change of m to a status at now, without events.
func (m Mission) change(to Status, now time.Time) MissionChange {
	c := MissionChange{From: m.Status, To: m}
	c.To.Status = to
	c.To.UpdatedAt = now
	return c
}

// refuse returns the conflict of an operation with m's state.
func (m Mission) refuse(operation string) error {
	return Conflict("A mission that is %s can't be %s.", m.Status, operation)
}

// startSlack is how late a planned start may happen and still count as on time.
const startSlack = time.Hour

// Start makes a draft active at now: its duration and its first cycle begin. A
// mission that starts as planned retains its starts_at; one started earlier, or
// more than startSlack later, starts now. Errors: conflict.
func (m Mission) Start(now time.Time) (MissionChange, error) {
	if m.Status != StatusDraft {
		return MissionChange{}, m.refuse("started")
	}
	c := m.change(StatusActive, now)
	starts := now
	if m.StartsAt != nil && !now.Before(*m.StartsAt) && now.Before(m.StartsAt.Add(startSlack)) {
		starts = *m.StartsAt
	}
	ends := AddDays(starts, m.DurationDays, m.Constraints.Zone())
	c.To.StartsAt, c.To.EndsAt = &starts, &ends
	c.Events = []Event{c.To.event(EventMissionStarted, now, MissionData(c.To))}
	return c, nil
}

// Pause stops the mission's clock. A mission that its tenant's hold has paused stays paused
// when the hold is released. Errors: conflict.
func (m Mission) Pause(now time.Time) (MissionChange, error) {
	if m.Held {
		c := m.change(StatusPaused, now)
		c.To.Held = false
		return c, nil
	}
	if m.Status != StatusActive {
		return MissionChange{}, m.refuse("paused")
	}
	c := m.change(StatusPaused, now)
	c.To.PausedAt = &now
	c.Events = []Event{c.To.event(EventMissionPaused, now, MissionData(c.To))}
	return c, nil
}

// Resume restarts the mission's clock: its end moves later by Shift. Its days stay where they
// are; see Resumption. Errors: conflict, also while the tenant is on hold.
func (m Mission) Resume(now time.Time) (MissionChange, error) {
	if m.OnHold && m.Status == StatusPaused {
		return MissionChange{}, Conflict("The tenant is on hold: release it first (API: DELETE /v1/tenant/hold or releaseTenant).")
	}
	if m.Status != StatusPaused || m.PausedAt == nil || m.EndsAt == nil {
		return MissionChange{}, m.refuse("resumed")
	}
	c := m.change(StatusActive, now)
	shift := m.Shift(now)
	ends := m.EndsAt.Add(shift)
	c.To.EndsAt, c.To.PausedAt, c.To.Held = &ends, nil, false
	c.To.PausedFor += shift
	c.Events = []Event{c.To.event(EventMissionResumed, now, MissionData(c.To))}
	return c, nil
}

// Shift returns how long the current pause has lasted at now; 0 if the mission
// isn't paused.
func (m Mission) Shift(now time.Time) time.Duration {
	if m.PausedAt == nil || now.Before(*m.PausedAt) {
		return 0
	}
	return now.Sub(*m.PausedAt)
}

// Complete ends an active or paused mission. Errors: conflict.
func (m Mission) Complete(now time.Time) (MissionChange, error) {
	if m.Status != StatusActive && m.Status != StatusPaused {
		return MissionChange{}, m.refuse("completed")
	}
	c := m.change(StatusCompleted, now)
	c.To.PausedAt, c.To.Held = nil, false
	c.Events = []Event{c.To.event(EventMissionCompleted, now, completedData(c.To))}
	return c, nil
}

// CheckDelete returns a conflict if the mission is active.
func (m Mission) CheckDelete() error {
	if m.Status == StatusActive {
		return Conflict("A mission that is active can't be deleted; pause or complete it first.")
	}
	return nil
}

// Due reports whether m's duration is over at now. A paused clock doesn't run
// out.
func (m Mission) Due(now time.Time) bool {
	return m.Status == StatusActive && m.EndsAt != nil && !now.Before(*m.EndsAt)
}

// KPIProgress returns the progress of each KPI at now.
func (m Mission) KPIProgress(now time.Time) []KPIProgress {
	progress, elapsed, left := []KPIProgress{}, 0.0, 0.0
	if m.StartsAt != nil && m.EndsAt != nil && m.Status != StatusCompleted && m.Status != StatusDraft {
		at := now.Add(-m.Shift(now)) // the clock is stopped in a pause
		elapsed = max(0, math.Ceil((at.Sub(*m.StartsAt)-m.PausedFor).Hours()/24))
		left = max(0, math.Ceil(m.EndsAt.Sub(at).Hours()/24))
	}
	for _, k := range m.KPIs {
		progress = append(progress, k.progress(m, elapsed, left))
	}
	return progress
}
