package mediafile

import (
	"cmp"
	"image"
	"math"

	"missiond/mission"
)

// frame is how a picture that is made lies in its frame.
type frame struct {
	width, height int
	// from is the part of the turned original that is shown, to where it is in the frame. Around
	// it the frame is white.
	from, to image.Rectangle
}

// frameOf returns the largest frame that the rules allow, and that isn't larger than the
// original.
func frameOf(width, height int, p Picture) frame {
	w, h := float64(width), float64(height)
	ratio, r := w/h, p.Rules
	allowed := min(max(ratio, cmp.Or(r.MinRatio, ratio)), cmp.Or(r.MaxRatio, ratio))
	from := image.Rect(0, 0, width, height)
	switch {
	case p.Crop && allowed < ratio:
		from = around(from, max(1, int(h*allowed)), height, p)
	case p.Crop && allowed > ratio:
		from = around(from, width, max(1, int(w/allowed)), p)
	case allowed < ratio:
		h = w / allowed
	case allowed > ratio:
		w = h * allowed
	}
	if p.Crop {
		w, h = float64(from.Dx()), float64(from.Dy())
	}
	return fill(w, h, r, from)
}

// around returns the part of all of some size that has the picture's focus as near to its middle
// as can be.
func around(all image.Rectangle, width, height int, p Picture) image.Rectangle {
	at := func(focus float64, whole, part int) int {
		middle := focus * float64(whole)
		return int(min(max(middle-float64(part)/2, 0), float64(whole-part)))
	}
	left, top := at(p.FocusX, all.Dx(), width), at(p.FocusY, all.Dy(), height)
	return image.Rect(left, top, left+width, top+height)
}

// mostPixels bounds a frame, which may be larger than the picture on it.
const mostPixels = 50_000_000

// fill returns a frame of the ratio of w and h, as large as these or as the rules allow, and in
// its middle what is shown, not larger than it was.
func fill(w, h float64, r mission.PictureRules, from image.Rectangle) frame {
	scale := 1.0
	if r.MaxSide > 0 {
		scale = min(scale, float64(r.MaxSide)/max(w, h))
	}
	scale = min(scale, math.Sqrt(float64(cmp.Or(min(r.MaxPixels, mostPixels), mostPixels))/(w*h)))
	f := frame{width: max(1, int(w*scale)), height: max(1, int(h*scale)), from: from}
	// Whole pixels may be beyond the ratio: the longer side gives way.
	for r.MaxRatio > 0 && f.width > 1 && float64(f.width)/float64(f.height) > r.MaxRatio {
		f.width--
	}
	for r.MinRatio > 0 && f.height > 1 && float64(f.width)/float64(f.height) < r.MinRatio {
		f.height--
	}
	f.place()
	return f
}

// place puts what is shown in the middle of the frame.
func (f *frame) place() {
	w, h := float64(f.from.Dx()), float64(f.from.Dy())
	scale := min(float64(f.width)/w, float64(f.height)/h)
	// A pixel of white where the ratios differ by a rounding would be a line at the edge.
	inside := func(whole int, part float64) int {
		n := max(1, int(math.Round(part)))
		if whole-n <= 1 {
			return whole
		}
		return n
	}
	pw, ph := inside(f.width, w*scale), inside(f.height, h*scale)
	left, top := (f.width-pw)/2, (f.height-ph)/2
	f.to = image.Rect(left, top, left+pw, top+ph)
}
