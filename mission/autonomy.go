package mission

import (
	"cmp"
	"slices"
	"time"
)

// Bounds of autonomy.
const (
	// MaxAfter bounds how many approvals autonomy is earned by, so also how many it rests on.
	MaxAfter = 50
	// AutonomyPosts is how many of a mission's latest posts by its writer are looked at.
	AutonomyPosts = 200
)

// Autonomy is what a mission that requires approval may do without.
type Autonomy struct {
	Earned Earned `json:"earned" doc:"A share of the writer's posts goes out without review, once enough were approved in a row"`
}

// Earned is autonomy that a mission earns by approvals of its writer's posts.
type Earned struct {
	After int     `json:"after" doc:"After how many approvals in a row, none of them after an edit: 1 to 50" example:"10"`
	Share float64 `json:"share" doc:"The share of the writer's posts that goes out without review then: more than 0, at most 1" example:"0.5"`
}

func (a *Autonomy) check(c *ConstraintsInput) (found Problems) {
	if a == nil {
		return nil
	}
	if c == nil || !deref(c.RequireApproval, false) {
		found.add(Invalid("autonomy", "Only a mission that requires approval can have autonomy (API: set constraints.require_approval, or leave autonomy out)."))
	}
	if a.Earned.After < 1 || a.Earned.After > MaxAfter {
		found.add(Invalid("autonomy.earned.after", "The number of approvals must be 1 to %d.", MaxAfter))
	}
	if !(a.Earned.Share > 0 && a.Earned.Share <= 1) {
		found.add(Invalid("autonomy.earned.share", "The share must be more than 0 and at most 1."))
	}
	return found
}

// Approval is an approval of a writer's post that autonomy rests on.
type Approval struct {
	ContentID string    `json:"content_id" doc:"The post" example:"cnt_01jnd2x6k8e4rvt0m7y3bqz5cb"`
	By        string    `json:"approved_by" doc:"Who approved it: a user, an API key or a review link" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	At        time.Time `json:"approved_at" doc:"When it was approved"`
}

// AutonomyState is whether a mission has earned its autonomy.
type AutonomyState string

// The states of autonomy.
const (
	AutonomyOff     AutonomyState = "off"     // it isn't asked for
	AutonomyEarning AutonomyState = "earning" // approvals are missing
	AutonomyEarned  AutonomyState = "earned"
)

// AllAutonomyStates lists the states of autonomy.
func AllAutonomyStates() []AutonomyState {
	return []AutonomyState{AutonomyOff, AutonomyEarning, AutonomyEarned}
}

// AutonomyEndReason is what has ended a row of approvals.
type AutonomyEndReason string

// What ends a row of approvals.
const (
	EndedByRejection AutonomyEndReason = "rejection"
	EndedByEdit      AutonomyEndReason = "edit"    // or by a new text that a reviewer asked for
	EndedByCancel    AutonomyEndReason = "cancel"  // a person canceled a writer's post
	EndedByAnomaly   AutonomyEndReason = "anomaly" // a post's figures were unusual
	EndedByHold      AutonomyEndReason = "hold"
	EndedByBrand     AutonomyEndReason = "brand_changed"
	EndedByWriter    AutonomyEndReason = "writer_changed" // another model, or the built-in writer
)

// AllAutonomyEndReasons lists what ends a row of approvals.
func AllAutonomyEndReasons() []AutonomyEndReason {
	return []AutonomyEndReason{
		EndedByRejection, EndedByEdit, EndedByCancel, EndedByAnomaly, EndedByHold, EndedByBrand, EndedByWriter,
	}
}

// AutonomyEnd is what has ended a row of approvals, and when.
type AutonomyEnd struct {
	Reason AutonomyEndReason `json:"reason" doc:"What it was" example:"rejection"`
	At     time.Time         `json:"at" doc:"When it was"`
	// ContentID is nil for what isn't about one post.
	ContentID *string `json:"content_id" doc:"The post that it was about; null for a hold or a change of the brand" example:"cnt_01jnd2x6k8e4rvt0m7y3bqz5cb"`
}

// Standing is how far a mission has come with earning its autonomy.
type Standing struct {
	State AutonomyState
	// Approvals are the latest in a row, latest first, at most MaxAfter.
	Approvals []Approval
	// Missing is how many more it needs.
	Missing int
	// Ended is what ended the row before; nil if nothing did.
	Ended *AutonomyEnd

	share float64
	since time.Time // when it was earned; of a longer row, when the latest MaxAfter sufficed
	known []Content // the approved posts
}

// Standing returns how far the mission has come. posts are its latest by its writer, at most
// AutonomyPosts, in any order; tenantEnd is what ended the autonomy of all missions of the tenant
// last, or nil. Only approvals of what w wrote count; if that is zero, w is who wrote what was
// approved last.
func (m Mission) Standing(posts []Content, tenantEnd *AutonomyEnd, w WrittenBy) Standing {
	if m.Autonomy == nil || !m.Constraints.RequireApproval {
		return Standing{State: AutonomyOff}
	}
	s := Standing{State: AutonomyEarning, share: m.Autonomy.Earned.Share}
	for _, d := range decisionsOf(posts, m.AutonomyEnded, tenantEnd) {
		if d.ended == nil && w == (WrittenBy{}) {
			w = d.post.Writer
		}
		if d.ended == nil && d.post.Writer != w {
			d.ended = &AutonomyEnd{EndedByWriter, d.at, &d.post.ID}
		}
		if s.Ended = d.ended; s.Ended != nil || len(s.Approvals) == MaxAfter {
			break
		}
		s.Approvals = append(s.Approvals, Approval{d.post.ID, d.post.ReviewedBy, d.at})
		s.known = append(s.known, d.post)
	}
	after := m.Autonomy.Earned.After
	if s.Missing = max(after-len(s.Approvals), 0); s.Missing == 0 {
		s.State, s.since = AutonomyEarned, s.Approvals[len(s.Approvals)-after].At
	}
	return s
}

// Unreviewed reports whether the post goes out, or went out, without review since its mission has
// earned that.
func (c Content) Unreviewed() bool { return len(c.RestsOn) > 0 }

// decided is an approval of a post as its writer wrote it, or what ended a row of them.
type decided struct {
	at    time.Time
	post  Content
	ended *AutonomyEnd
}

// decisionsOf returns what was decided about posts, and what else ended a row of approvals,
// latest first. Of what happened at the same time the ends come first.
func decisionsOf(posts []Content, ends ...*AutonomyEnd) (all []decided) {
	for _, e := range ends {
		if e != nil {
			all = append(all, decided{at: e.At, ended: e})
		}
	}
	for _, c := range posts {
		if d, ok := c.decided(); ok {
			all = append(all, d)
		}
	}
	slices.SortStableFunc(all, func(a, b decided) int {
		if later := b.at.Compare(a.at); later != 0 {
			return later
		}
		switch {
		case a.ended != nil && b.ended == nil:
			return -1
		case a.ended == nil && b.ended != nil:
			return 1
		}
		return cmp.Compare(b.post.ID, a.post.ID)
	})
	return all
}

// decided returns what people decided about a writer's post; ok is false if that is nothing.
func (c Content) decided() (d decided, ok bool) {
	d = decided{at: c.UpdatedAt, post: c}
	if c.ReviewedAt != nil {
		d.at = *c.ReviewedAt
	}
	end := func(r AutonomyEndReason) (decided, bool) {
		d.ended = &AutonomyEnd{r, d.at, &c.ID}
		return d, true
	}
	switch {
	case c.Status == ContentRejected:
		return end(EndedByRejection)
	case c.Status == ContentCanceled && c.Error != nil && c.Error.Code == CodeCanceled:
		d.at = c.UpdatedAt
		return end(EndedByCancel)
	case c.Revision > 1:
		return end(EndedByEdit)
	}
	// Of a post that repeats another the words may be another writer's; an agent's approval isn't a person's.
	return d, c.ReviewedAt != nil && c.Repeats == "" && !byAgent(c.ReviewedBy)
}

// news is what a post has that no approved one has.
type news string

// What can be new in a post.
const (
	newPlatform news = "platform"
	newLink     news = "link"
	newMedia    news = "media"
	newFact     news = "fact"
)

// news returns the first thing that a post has and none of the approved ones, or "". linksOf
// returns the links of a post.
func (s Standing) news(c Content, linksOf func(Content) []string) news {
	for _, kind := range []struct {
		news news
		of   func(Content) []string
	}{
		{newPlatform, Content.platformAndAccount}, {newLink, linksOf}, {newMedia, Content.MediaIDs}, {newFact, Content.factTexts},
	} {
		var known []string
		for _, k := range s.known {
			known = append(known, kind.of(k)...)
		}
		for _, has := range kind.of(c) {
			if !slices.Contains(known, has) {
				return kind.news
			}
		}
	}
	return ""
}

// platformAndAccount returns the post's platform, and its account if it isn't the default one.
func (c Content) platformAndAccount() []string {
	if c.IntegrationID == "" {
		return []string{string(c.Platform)}
	}
	return []string{string(c.Platform), c.IntegrationID}
}

func (c Content) factTexts() []string {
	texts := make([]string, len(c.Facts))
	for i, f := range c.Facts {
		texts[i] = f.Text
	}
	return texts
}

// draws reports whether a new post is one of the share that goes out without review. posts are
// those of Standing. The share is kept on each platform and for each objective.
func (s Standing) draws(c Content, posts []Content) bool {
	if s.State != AutonomyEarned {
		return false
	}
	all, without := 1, 1
	for _, p := range posts {
		if p.ID == c.ID || p.Repeats != "" || p.Platform != c.Platform || p.Objective != c.Objective || !p.CreatedAt.After(s.since) {
			continue
		}
		all++
		if p.Unreviewed() {
			without++
		}
	}
	const rounding = 1e-9
	return float64(without) <= s.share*float64(all)+rounding
}

// NewContent is NewContent for a post that goes out without review if the mission has earned that
// for it. posts are those of Standing.
func (s Standing) NewContent(
	id string, j Job, a Assignment, d Draft, v Verdict, posts []Content, linksOf func(Content) []string, now time.Time,
) (Content, []Event) {
	return newContent(id, j, a, d, v, func(c Content) []Approval {
		if !s.draws(c, posts) || s.news(c, linksOf) != "" {
			return nil
		}
		return s.Approvals
	}, now)
}

// CodeAutonomyEnded is the code of a post that was to go out without review, and waits for it
// since its mission's autonomy has ended.
const CodeAutonomyEnded = "autonomy_ended"

// Distrust returns the change that has a post wait for review that was to go out without, since
// its mission's autonomy has ended. ok is false if nothing changes: it was reviewed, or its
// platform has begun to publish it, or may have.
func (c Content) Distrust(now time.Time) (ch ContentChange, ok bool) {
	if !c.Unreviewed() || c.MayBePublished() || c.Status != ContentApproved && c.Status != ContentScheduled {
		return ch, false
	}
	return c.heldBack(Failure{CodeAutonomyEnded, "The post was to go out without review, and its mission's autonomy has ended."}, now), true
}
