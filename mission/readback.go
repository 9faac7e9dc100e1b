package mission

import (
	"slices"
	"time"
)

// ReadbackState says whether a platform shows what was sent.
type ReadbackState string

// The states of a post that is read back.
const (
	ReadbackPending     ReadbackState = "pending"      // it hasn't been read yet
	ReadbackAsApproved  ReadbackState = "as_approved"  // it is what was sent
	ReadbackDiffers     ReadbackState = "differs"      // somebody changed it there
	ReadbackNotPossible ReadbackState = "not_possible" // it can't be asked, or doesn't say enough
)

// AllReadbackStates lists the states of a post that is read back.
func AllReadbackStates() []ReadbackState {
	return []ReadbackState{ReadbackPending, ReadbackAsApproved, ReadbackDiffers, ReadbackNotPossible}
}

// A post is read back with the first measurement from an age on, or with a later one if the
// platform didn't say enough, until another.
const (
	readbackFrom  = 5 * time.Minute
	readbackUntil = 3 * day
)

// Shown is what a platform shows of a part of a post.
type Shown struct {
	// Part is its index.
	Part int
	// Same reports whether it is what was sent, after the platform's own changes to every text.
	Same bool
	// Text is what it is otherwise; "" if it isn't known.
	Text string
}

// Readback is what was found when a post was read back.
type Readback struct {
	At time.Time `json:"at"`
	// Parts is how many parts were read: some platforms charge for each.
	Parts   int          `json:"parts"`
	Differs []ShownOther `json:"differs,omitempty"`
}

// ShownOther is a part of a post that isn't what was sent.
type ShownOther struct {
	Part int     `json:"part" doc:"The index of the part of a thread, from 0" example:"0"`
	Text *string `json:"text" doc:"What the platform shows; null if it says only that it was changed" example:"Version 2.0 is out. Edited."`
}

// RecordReadback is what a record says of the post on its platform.
type RecordReadback struct {
	State     ReadbackState `json:"state" doc:"as_approved: the platform shows what was sent; differs: somebody changed it there; not_possible: it can't be asked, or doesn't say enough, or nothing was published; pending: it hasn't been asked yet" example:"as_approved"`
	CheckedAt *time.Time    `json:"checked_at" doc:"When it was read; null if it wasn't"`
	Parts     int           `json:"parts" doc:"How many parts of a thread were read: on X, which charges for each, the first alone" example:"1"`
	Differs   []ShownOther  `json:"differs" doc:"The parts that aren't what was sent"`
}

// AwaitsReadback reports whether the post is to be read back at now.
func (c Content) AwaitsReadback(now time.Time) bool {
	return c.readable() && !now.Before(c.PublishedAt.Add(readbackFrom)) && now.Before(c.PublishedAt.Add(readbackUntil))
}

// readable reports whether the post may still be read back: its platform can be asked, and it hasn't
// been.
func (c Content) readable() bool {
	caps, _ := CapabilitiesOf(c.Platform)
	return c.Readback == nil && c.Status == ContentPublished && c.PublishedAt != nil && c.PlatformPostID != nil &&
		(caps.ReadBack || c.IntegrationID == "")
}

// NewReadback returns what was found of a post; ok is false if nothing was.
func NewReadback(shown []Shown, now time.Time) (r Readback, ok bool) {
	r = Readback{At: now, Parts: len(shown)}
	for _, s := range shown {
		if !s.Same {
			r.Differs = append(r.Differs, ShownOther{Part: s.Part, Text: orNil(s.Text)})
		}
	}
	return r, len(shown) > 0
}

// readback returns what the post's record says at now.
func (c Content) readback(now time.Time) RecordReadback {
	switch b := c.Readback; {
	case b != nil && len(b.Differs) > 0:
		return RecordReadback{State: ReadbackDiffers, CheckedAt: &b.At, Parts: b.Parts, Differs: slices.Clone(b.Differs)}
	case b != nil:
		return RecordReadback{State: ReadbackAsApproved, CheckedAt: &b.At, Parts: b.Parts, Differs: []ShownOther{}}
	case c.readable() && now.Before(c.PublishedAt.Add(readbackUntil)):
		return RecordReadback{State: ReadbackPending, Differs: []ShownOther{}}
	default:
		return RecordReadback{State: ReadbackNotPossible, Differs: []ShownOther{}}
	}
}
