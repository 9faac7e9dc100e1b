package mediafile

import "math"

// vector is a color: red, green and blue.
type vector [3]float32

// transform turns the values of pixels into sRGB, by tables that are made once.
type transform struct {
	channels int
	most     int // the value of all of a channel: 255, or 65,535
	// parts are the light of each channel's values, whose sum is that of the pixel, in lightSteps; nil if there is a grid.
	parts [][]vector
	grid  *grid
}

// newTransform returns how colors of pixels become sRGB whose channels have values up to most. It is nil if they are sRGB. errProfile
// says that the profile can't be used.
func newTransform(c colors, most int) (*transform, error) {
	c = c.applied()
	f, additive, err := c.meaning()
	if f == nil || err != nil {
		return nil, err
	}
	t := &transform{channels: c.channels, most: most}
	if additive {
		t.addParts(f)
	} else {
		t.grid = newGrid(f, t.channels, most)
	}
	if t.isIdentity() {
		return nil, nil
	}
	return t, nil
}

// addParts makes the tables of light.
func (t *transform) addParts(f meaning) {
	none := f(make([]float64, t.channels))
	for channel := range t.channels {
		values, part := make([]float64, t.channels), make([]vector, t.most+1)
		for v := range part {
			values[channel] = float64(v) / float64(t.most)
			for i, light := range f(values) {
				if channel > 0 { // the light of nothing counts once
					light -= none[i]
				}
				part[v][i] = float32(light * lightSteps)
			}
		}
		t.parts = append(t.parts, part)
	}
}

// rgb returns a pixel as sRGB. Values of channels that there aren't are ignored.
func (t *transform) rgb(a, b, c, d int) (red, green, blue uint8) {
	if t.grid != nil {
		v := t.grid.at(a, b, c, d)
		return bound(v[0]), bound(v[1]), bound(v[2])
	}
	first := &t.parts[0][a]
	if t.channels == 1 {
		return encoded(first[0]), encoded(first[1]), encoded(first[2])
	}
	second, third := &t.parts[1][b], &t.parts[2][c]
	return encoded(first[0] + second[0] + third[0]), encoded(first[1] + second[1] + third[1]), encoded(first[2] + second[2] + third[2])
}

// row turns pixels of 4 bytes each, in place: their values, of which the last is opacity if there aren't 4 channels.
func (t *transform) row(pix []uint8) {
	for ; len(pix) >= 4; pix = pix[4:] {
		pix[0], pix[1], pix[2] = t.rgb(int(pix[0]), int(pix[1]), int(pix[2]), int(pix[3]))
	}
}

// isIdentity reports whether pixels stay what they are, but for a rounding.
func (t *transform) isIdentity() bool {
	if t.channels == 4 {
		return false
	}
	const steps, inexact = 16, 1
	same := func(a, b, c int) bool {
		near := func(v int, got uint8) bool { return math.Abs(float64(v)*255/float64(t.most)-float64(got)) <= inexact }
		red, green, blue := t.rgb(a, b, c, 0)
		return near(a, red) && near(b, green) && near(c, blue)
	}
	for v := range 256 {
		if grey := v * t.most / 255; !same(grey, grey, grey) {
			return false
		}
	}
	for i := range steps * steps * steps {
		a, b, c := i%steps, i/steps%steps, i/steps/steps
		if t.channels == 3 && !same(a*t.most/(steps-1), b*t.most/(steps-1), c*t.most/(steps-1)) {
			return false
		}
	}
	return true
}

// bound returns a value of sRGB, from 0 to 255, as a byte.
func bound(v float32) uint8 { return uint8(min(max(int(v+0.5), 0), 255)) }

// lightSteps are how finely light is told apart before it becomes a value of sRGB: a fifth of one where it is darkest.
const lightSteps = 1 << 14

var encodedLight = func() (table [lightSteps + 1]uint8) {
	for i := range table {
		table[i] = uint8(math.Round(srgbValue(float64(i)/lightSteps) * 255))
	}
	return table
}()

// encoded returns light, in lightSteps, as a value of sRGB.
func encoded(light float32) uint8 { return encodedLight[min(max(int(light+0.5), 0), lightSteps)] }

// grid is a table of colors of 3 or 4 channels, between whose points colors are interpolated.
type grid struct {
	side   int
	points []vector // of sRGB, from 0 to 255; the last channel is the nearest
	// places are where a channel's values are in the grid. Where colors change faster points are closer.
	places [][]float32
}

// newGrid makes the table of a meaning whose values go up to most.
func newGrid(f meaning, channels, most int) *grid {
	g := &grid{side: map[int]int{1: 256, 3: 33, 4: 17}[channels]}
	values := func(v []float64) (c vector) {
		for i, light := range f(v) {
			c[i] = float32(srgbValue(light) * 255)
		}
		return c
	}
	stops := make([][]float64, channels) // the value of each point
	for channel := range channels {
		places, at := spread(values, channel, channels, most, g.side)
		g.places, stops[channel] = append(g.places, places), at
	}
	number := 1
	for range channels {
		number *= g.side
	}
	g.points = make([]vector, number)
	v := make([]float64, channels)
	for i := range g.points {
		rest := i
		for channel := channels - 1; channel >= 0; channel-- {
			v[channel] = stops[channel][rest%g.side]
			rest /= g.side
		}
		g.points[i] = values(v)
	}
	return g
}

// spread returns where each of a channel's values is among side points, and the points' values, from 0 to 1. The points are closer
// where the color changes faster, half of them, and even, the other half.
func spread(values func([]float64) vector, channel, channels, most, side int) (places []float32, stops []float64) {
	const steps = 255
	v := make([]float64, channels)
	way, last := make([]float64, steps+1), values(v)
	for i := 1; i <= steps; i++ {
		for c := range v { // of inks one alone, of light all
			if c == channel || channels == 3 {
				v[c] = float64(i) / steps
			}
		}
		next := values(v)
		way[i] = way[i-1]
		for c := range next {
			way[i] += math.Abs(float64(next[c] - last[c]))
		}
		last = next
	}
	for i := range way {
		even := float64(i) / steps
		if way[steps] > 0 {
			even = (even + way[i]/way[steps]) / 2
		}
		way[i] = even * float64(side-1)
	}
	way[steps] = float64(side - 1)
	places, stops = make([]float32, most+1), make([]float64, side)
	for i := range places {
		at := float64(i) * steps / float64(most)
		j := min(int(at), steps-1)
		places[i] = float32(way[j] + (at-float64(j))*(way[j+1]-way[j]))
	}
	for i, j := 1, 0; i < side; i++ {
		for j < steps-1 && way[j+1] < float64(i) {
			j++
		}
		stops[i] = min((float64(j)+(float64(i)-way[j])/(way[j+1]-way[j]))/steps, 1)
	}
	return places, stops
}

// at returns a pixel's color, from 0 to 255.
func (g *grid) at(a, b, c, d int) vector {
	switch len(g.places) {
	case 1:
		i, part := g.place(0, a)
		return between(g.points[i], g.points[i+1], part)
	case 3:
		return g.within(0, 0, a, b, c)
	}
	i, part := g.place(0, a)
	cube := g.side * g.side * g.side
	return between(g.within(i*cube, 1, b, c, d), g.within((i+1)*cube, 1, b, c, d), part)
}

// place returns the point before a channel's value, and how far it is on the way to the next.
func (g *grid) place(channel, value int) (int, float32) {
	at := g.places[channel][value]
	i := min(int(at), g.side-2)
	return i, at - float32(i)
}

// within interpolates in the cube of three channels from first on, whose points begin at an index, between the four points of the
// tetrahedron that the color is in (Kasson, Nin, Plouffe and Hafner 1995).
func (g *grid) within(from, first, a, b, c int) (v vector) {
	i, x := g.place(first, a)
	j, y := g.place(first+1, b)
	k, z := g.place(first+2, c)
	dx, dy, dz := g.side*g.side, g.side, 1
	// The way from the first point to the last goes along the channel that is farthest first.
	if x < y {
		x, y, dx, dy = y, x, dy, dx
	}
	if y < z {
		y, z, dy, dz = z, y, dz, dy
	}
	if x < y {
		x, y, dx, dy = y, x, dy, dx
	}
	at := from + (i*g.side+j)*g.side + k
	p0, p1, p2, p3 := &g.points[at], &g.points[at+dx], &g.points[at+dx+dy], &g.points[at+dx+dy+dz]
	for n := range v {
		v[n] = (1-x)*p0[n] + (x-y)*p1[n] + (y-z)*p2[n] + z*p3[n]
	}
	return v
}

// between returns a color between two, a part of the way from the first.
func between(a, b vector, part float32) vector {
	for i := range a {
		a[i] += part * (b[i] - a[i])
	}
	return a
}
