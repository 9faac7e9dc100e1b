package mediafile

import (
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"io"
	"math"
)

// turn is how a stored picture is turned before people see it: its axes are swapped, and then
// it is mirrored.
type turn struct{ swap, flipX, flipY bool }

var noTurn turn

// turnOf returns the turn of an orientation of EXIF, from 1 to 8; 0 is none.
func turnOf(orientation int) turn {
	return [...]turn{1: {}, 2: {flipX: true}, 3: {flipX: true, flipY: true}, 4: {flipY: true}, 5: {swap: true}, 6: {swap: true, flipX: true}, 7: {true, true, true}, 8: {swap: true, flipY: true}}[orientation]
}

// size returns the size of a picture once it is turned, or before.
func (t turn) size(width, height int) (int, int) {
	if t.swap {
		return height, width
	}
	return width, height
}

// undo returns where a part of a turned picture, of a width and height, is in the stored one.
func (t turn) undo(r image.Rectangle, width, height int) image.Rectangle {
	if t.flipX {
		r.Min.X, r.Max.X = width-r.Max.X, width-r.Min.X
	}
	if t.flipY {
		r.Min.Y, r.Max.Y = height-r.Max.Y, height-r.Min.Y
	}
	if t.swap {
		r = image.Rect(r.Min.Y, r.Min.X, r.Max.Y, r.Max.X)
	}
	return r
}

// apply returns where a point of a stored picture is in the turned one, of a width and height.
func (t turn) apply(x, y, width, height int) (int, int) {
	if t.swap {
		x, y = y, x
	}
	if t.flipX {
		x = width - 1 - x
	}
	if t.flipY {
		y = height - 1 - y
	}
	return x, y
}

// white returns a white picture.
func white(r image.Rectangle) *image.RGBA {
	img := image.NewRGBA(r)
	draw.Draw(img, r, image.NewUniform(color.White), image.Point{}, draw.Src)
	return img
}

// firstFrame decodes the first frame of a GIF, on a canvas of the GIF's size.
func firstFrame(r io.Reader) (image.Image, error) {
	g, err := gif.DecodeAll(r)
	if err != nil {
		return nil, err
	}
	dst := white(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	draw.Draw(dst, g.Image[0].Rect, g.Image[0], g.Image[0].Rect.Min, draw.Over)
	return dst, nil
}

// render returns the picture in a frame: turned, scaled, and on white. It works row by
// row, so that its memory is that of the frame.
func (m *maker) render(f frame) *image.RGBA {
	dst := white(image.Rect(0, 0, f.width, f.height))
	from := m.turn.undo(f.from, m.width, m.height)
	width, height := m.turn.size(f.to.Dx(), f.to.Dy())
	s := newScaler(m.pixels, from, width, height)
	for y := range height {
		row := s.row(y)
		m.pixels.finish(row)
		for x := range width {
			tx, ty := m.turn.apply(x, y, f.to.Dx(), f.to.Dy())
			at := dst.Pix[dst.PixOffset(f.to.Min.X+tx, f.to.Min.Y+ty):]
			at[0], at[1], at[2] = row[3*x], row[3*x+1], row[3*x+2]
		}
	}
	return dst
}

// scaler scales a part of a picture by the filter of Catmull and Rom. It keeps just the rows
// that one row of the outcome depends on: draw.CatmullRom of x/image keeps all, as floats, which
// is 800 MB for a phone's picture of 48 megapixels.
type scaler struct {
	img    *pixels
	from   image.Rectangle
	across []taps
	down   []taps

	line    []uint8     // a row of the part
	rows    [][]float32 // rows scaled across: row y is at y modulo their number
	next    int         // the first row that hasn't been scaled across
	blended []float32
	out     []uint8
}

// taps are the weights of the pixels, from the first on, that a pixel depends on.
type taps struct {
	first   int
	weights []float32
}

func newScaler(img *pixels, from image.Rectangle, width, height int) *scaler {
	s := &scaler{
		img: img, from: from, across: tapsOf(from.Dx(), width), down: tapsOf(from.Dy(), height),
		line: make([]uint8, 3*from.Dx()), blended: make([]float32, 3*width), out: make([]uint8, 3*width),
	}
	most := 0
	for _, t := range s.down {
		most = max(most, len(t.weights))
	}
	for range most {
		s.rows = append(s.rows, make([]float32, 3*width))
	}
	return s
}

// tapsOf returns, for each of to pixels, what it depends on of from.
func tapsOf(from, to int) []taps {
	scale := float64(from) / float64(to)
	stretch := max(scale, 1)
	all := make([]taps, to)
	for i := range all {
		middle := (float64(i)+0.5)*scale - 0.5
		first, last := max(0, int(math.Ceil(middle-2*stretch))), min(from-1, int(math.Floor(middle+2*stretch)))
		var sum float64
		weights := make([]float64, 0, last-first+1)
		for j := first; j <= last; j++ {
			w := catmullRom((float64(j) - middle) / stretch)
			weights, sum = append(weights, w), sum+w
		}
		all[i] = taps{first: first, weights: make([]float32, len(weights))}
		for j, w := range weights {
			all[i].weights[j] = float32(w / sum)
		}
	}
	return all
}

// catmullRom is the cubic filter with B = 0 and C = 1/2 (Mitchell and Netravali 1988, eq. 8).
func catmullRom(x float64) float64 {
	switch x = math.Abs(x); {
	case x < 1:
		return (1.5*x-2.5)*x*x + 1
	case x < 2:
		return ((-0.5*x+2.5)*x-4)*x + 2
	}
	return 0
}

// row returns row y of the outcome, 3 bytes a pixel, valid until the next call. Rows are asked
// for in order.
func (s *scaler) row(y int) []uint8 {
	t := s.down[y]
	for ; s.next < t.first+len(t.weights); s.next++ {
		if s.next >= t.first {
			s.scaleAcross(s.next)
		}
	}
	clear(s.blended)
	for i, w := range t.weights {
		for x, v := range s.rows[(t.first+i)%len(s.rows)] {
			s.blended[x] += w * v
		}
	}
	for x, v := range s.blended {
		s.out[x] = uint8(min(max(v+0.5, 0), 255))
	}
	return s.out
}

// scaleAcross fills the row of the part's row y.
func (s *scaler) scaleAcross(y int) {
	s.img.row(s.line, s.from.Min.X, s.from.Min.Y+y)
	row := s.rows[y%len(s.rows)]
	for x, t := range s.across {
		var r, g, b float32
		at := s.line[3*t.first:]
		for i, w := range t.weights {
			p := at[3*i : 3*i+3 : 3*i+3]
			r += w * float32(p[0])
			g += w * float32(p[1])
			b += w * float32(p[2])
		}
		row[3*x], row[3*x+1], row[3*x+2] = r, g, b
	}
}
