package mission

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
