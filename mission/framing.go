package mission

import (
	"path"
	"slices"
	"time"
)

// Fit is how a picture is made whose ratio a platform doesn't take.
type Fit string

// The ways to make a picture fit.
const (
	FitLetterbox Fit = "letterbox" // whole, on white
	FitCrop      Fit = "crop"      // a part of it
)

// Framing is how a picture is made for platforms that don't take its ratio.
type Framing struct {
	Fit Fit `json:"fit"`
	// FocusX and FocusY are what a crop keeps as near to its middle as can be, from 0 to 1, from
	// the left and from the top.
	FocusX float64 `json:"focus_x"`
	FocusY float64 `json:"focus_y"`
}

// NewFraming returns the framing of a picture of which nobody has said anything.
func NewFraming() Framing { return Framing{Fit: FitLetterbox, FocusX: 0.5, FocusY: 0.5} }

// maxFramings is how many earlier framings of a file are kept for posts.
const maxFramings = 5

// reframe returns the file with another framing, for which a ready one is made anew. Errors:
// invalid_request for what isn't a picture; conflict if posts have too many earlier framings.
func (m Media) reframe(f Framing) (Media, error) {
	if f == m.Framing {
		return m, nil
	}
	if m.Kind != "" && m.Kind != MediaImage {
		return m, Invalid("framing", "The file is %s: only pictures are framed.", m.Kind.phrase(1))
	}
	if m.framings() >= maxFramings {
		return m, Conflict("Posts that aren't out yet have %d earlier framings of the file: give them the file again, or upload another.", maxFramings)
	}
	m.Framing = f
	if m.Status == MediaReady {
		m.Status = MediaProcessing
	}
	return m, nil
}

// framings returns how many earlier framings are kept.
func (m Media) framings() int {
	attempts := map[string]bool{}
	for _, v := range m.Earlier {
		attempts[path.Dir(v.Key)] = true
	}
	return len(attempts)
}

// Reprocessed is Processed for a file that was made anew; keep reports whether posts may need what
// was made before. gone are the variants that nothing needs any more.
func (m Media) Reprocessed(facts Media, keep bool, now time.Time) (done Media, gone []MediaVariant) {
	done, before := m, slices.Concat(m.Earlier, m.Variants)
	done.Variants, done.Error, done.Status, done.UpdatedAt = facts.Variants, nil, MediaReady, now
	if keep {
		done.Earlier = before
		return done, nil
	}
	done.Earlier = []MediaVariant{}
	return done, before
}

// NotReprocessed records that a file couldn't be made anew: it stays what it was.
func (m Media) NotReprocessed(why Failure, now time.Time) Media {
	m.Status, m.Error, m.UpdatedAt = MediaReady, &why, now
	return m
}

// FramingInput changes a framing; a nil field stays as it is.
type FramingInput struct {
	Fit            *Fit
	FocusX, FocusY *float64
}

// apply returns the changed framing, and what is wrong with the input.
func (in FramingInput) apply(f Framing) (changed Framing, found Problems) {
	if in.Fit != nil {
		if f.Fit = *in.Fit; f.Fit != FitLetterbox && f.Fit != FitCrop {
			found.add(Invalid("framing.fit", "Unknown value %q: must be letterbox or crop.", f.Fit))
		}
	}
	focus := func(param string, to, from *float64) {
		if from == nil {
			return
		}
		if *to = *from; !(*to >= 0 && *to <= 1) {
			found.add(Invalid(param, "Must be between 0 and 1."))
		}
	}
	focus("framing.focus_x", &f.FocusX, in.FocusX)
	focus("framing.focus_y", &f.FocusY, in.FocusY)
	return f, found
}
