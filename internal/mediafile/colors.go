package mediafile

import (
	"encoding/binary"
	"math"
)

// colors converts a color space to sRGB, both of them red, green and blue at D65.
type colors struct {
	linear [256]float32 // a value's light, from 0 to 1
	matrix [9]float32
}

// space is a color space that is told by its primaries, as profiles state them: X, Y and Z of
// red, green and blue, for D50.
type space struct {
	primaries [9]float64
	// gamma is the exponent of its curve; 0 is sRGB's own curve.
	gamma float64
	// matrix leads to linear sRGB; nil if it is sRGB.
	matrix *[9]float32
}

// spaces are those that cameras and phones use. The primaries are sRGB's (IEC 61966-2-1), those
// of Display P3 (SMPTE EG 432-1) and of Adobe RGB (1998), adapted to D50 by Bradford's matrix.
var spaces = []space{
	{primaries: [9]float64{0.4361, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7139}},
	{
		primaries: [9]float64{0.5151, 0.2412, -0.0011, 0.2920, 0.6922, 0.0419, 0.1571, 0.0666, 0.7841},
		matrix:    &[9]float32{1.2249, -0.2249, 0, -0.0421, 1.0421, 0, -0.0196, -0.0786, 1.0982},
	},
	{
		primaries: [9]float64{0.6097, 0.3111, 0.0195, 0.2053, 0.6257, 0.0609, 0.1492, 0.0632, 0.7446}, gamma: 563.0 / 256,
		matrix: &[9]float32{1.3984, -0.3984, 0, 0, 1, 0, 0, -0.0429, 1.0429},
	},
}

// colorsOf returns how the colors of a profile become sRGB; nil if they are, or if the profile
// isn't one of spaces: then they are left as they are, and known is false.
func colorsOf(profile []byte) (c *colors, known bool) {
	primaries, ok := profilePrimaries(profile)
	if !ok {
		return nil, len(profile) == 0
	}
	for _, s := range spaces {
		switch {
		case !near(primaries, s.primaries):
		case s.matrix == nil:
			return nil, true
		default:
			c := &colors{matrix: *s.matrix}
			for i := range c.linear {
				c.linear[i] = float32(s.light(float64(i) / 255))
			}
			return c, true
		}
	}
	return nil, false
}

// light returns the light of a value, both from 0 to 1.
func (s space) light(v float64) float64 {
	switch {
	case s.gamma > 0:
		return math.Pow(v, s.gamma)
	case v <= 0.04045:
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

func near(a, b [9]float64) bool {
	const tolerance = 0.005
	for i := range a {
		if math.Abs(a[i]-b[i]) > tolerance {
			return false
		}
	}
	return true
}

// profilePrimaries returns the primaries of an ICC profile that is a matrix with curves (ICC.1,
// 9.2.46: tags of 20 bytes, numbers in 16.16). ok is false for others.
func profilePrimaries(profile []byte) (primaries [9]float64, ok bool) {
	const header, entry, most = 128, 12, 100
	if len(profile) < header+4 || string(profile[16:20]) != "RGB " {
		return primaries, false
	}
	n, found := int(min(binary.BigEndian.Uint32(profile[header:]), most)), 0
	for i := range n {
		at := header + 4 + i*entry
		if at+entry > len(profile) {
			return primaries, false
		}
		column := map[string]int{"rXYZ": 0, "gXYZ": 3, "bXYZ": 6}
		first, is := column[string(profile[at:at+4])]
		from := uint64(binary.BigEndian.Uint32(profile[at+4:]))
		if !is || from+20 > uint64(len(profile)) {
			continue
		}
		found++
		for j := range 3 {
			primaries[first+j] = float64(int32(binary.BigEndian.Uint32(profile[int(from)+8+4*j:]))) / 65536
		}
	}
	return primaries, found == 3
}

// steps are how finely light is told apart before it becomes a value of sRGB.
const steps = 4096

var encoded = func() (table [steps + 1]uint8) {
	for i := range table {
		v := float64(i) / steps
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		table[i] = uint8(math.Round(v * 255))
	}
	return table
}()

// convert converts a row of 3 bytes a pixel. On nil it does nothing.
func (c *colors) convert(row []uint8) {
	if c == nil {
		return
	}
	for ; len(row) >= 3; row = row[3:] {
		r, g, b := c.linear[row[0]], c.linear[row[1]], c.linear[row[2]]
		for i := range 3 {
			v := c.matrix[3*i]*r + c.matrix[3*i+1]*g + c.matrix[3*i+2]*b
			row[i] = encoded[int(min(max(v, 0), 1)*steps+0.5)]
		}
	}
}
