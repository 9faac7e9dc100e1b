package mediafile

import (
	"math"

	"github.com/kovidgoyal/imaging/prism/meta/icc"
)

// colors is what a file says the numbers of its pixels mean: by a profile, or else by an encoding. Without either they are sRGB.
type colors struct {
	// channels are 1 for grey, 3 for red, green and blue, 4 for cyan, magenta, yellow and black.
	channels int
	profile  []byte
	encoding *encoding
}

// encoding is a space of red, green and blue that is told by numbers: where its primaries are, and how a value becomes light.
type encoding struct {
	primaries primaries
	light     func(float64) float64 // both from 0 to 1
}

// primaries are where red, green, blue and white are, as x and y of CIE 1931.
type primaries [4][2]float64

// srgb are sRGB's own (IEC 61966-2-1), which are those of ITU-R BT.709.
var srgb = primaries{{0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}, {0.3127, 0.3290}}

// codedPrimaries are those of ITU-T H.273 (2024), table 2, by their code.
var codedPrimaries = map[int]primaries{
	1:  srgb,
	4:  {{0.67, 0.33}, {0.21, 0.71}, {0.14, 0.08}, {0.310, 0.316}},
	5:  {{0.64, 0.33}, {0.29, 0.60}, {0.15, 0.06}, {0.3127, 0.3290}},
	6:  {{0.630, 0.340}, {0.310, 0.595}, {0.155, 0.070}, {0.3127, 0.3290}},
	7:  {{0.630, 0.340}, {0.310, 0.595}, {0.155, 0.070}, {0.3127, 0.3290}},
	8:  {{0.681, 0.319}, {0.243, 0.692}, {0.145, 0.049}, {0.310, 0.316}},
	9:  {{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}, {0.3127, 0.3290}},
	10: {{1, 0}, {0, 1}, {0, 0}, {1.0 / 3, 1.0 / 3}},
	11: {{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}, {0.314, 0.351}},
	12: {{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}, {0.3127, 0.3290}},
	22: {{0.630, 0.340}, {0.295, 0.605}, {0.155, 0.077}, {0.3127, 0.3290}},
}

// Codes of H.273, table 3, for light beyond a screen's white.
const (
	transferPQ  = 16
	transferHLG = 18
)

// codedLight returns how a value becomes light by a code of H.273, table 3; nil for codes that say nothing, and for high dynamic
// range. Those of cameras and television are shown by a display's own curve (ITU-R BT.1886), as Chromium does.
func codedLight(code int) func(float64) float64 {
	switch code {
	case 1, 6, 11, 14, 15:
		return power(2.4)
	case 4:
		return power(2.2)
	case 5:
		return power(2.8)
	case 7: // SMPTE ST 240
		return func(v float64) float64 {
			if v < 0.0913 {
				return v / 4
			}
			return math.Pow((v+0.1115)/1.1115, 1/0.45)
		}
	case 8:
		return power(1)
	case 13:
		return srgbLight
	case 17: // SMPTE ST 428-1
		return func(v float64) float64 { return math.Pow(v, 2.6) * 52.37 / 48 }
	}
	return nil
}

// codedColors returns the encoding of codes of H.273, for primaries and for how a value becomes light. It refuses high dynamic range,
// and returns nil for codes that say nothing.
func codedColors(primary, transfer int) (*encoding, error) {
	if transfer == transferPQ || transfer == transferHLG {
		return nil, refuse(CodeUnknownType, "A picture in HDR (%s) can't be used: export it in standard range, as sRGB or Display P3.",
			map[int]string{transferPQ: "PQ", transferHLG: "HLG"}[transfer])
	}
	p, light := codedPrimaries[primary], codedLight(transfer)
	if p == (primaries{}) || light == nil {
		return nil, nil //nolint:nilnil // nothing is said, and nothing is wrong
	}
	return &encoding{primaries: p, light: light}, nil
}

// power returns the curve of an exponent.
func power(exponent float64) func(float64) float64 {
	return func(v float64) float64 { return math.Pow(v, exponent) }
}

// srgbLight is sRGB's curve (IEC 61966-2-1), srgbValue its inverse, which is odd.
func srgbLight(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

func srgbValue(light float64) float64 {
	switch {
	case light < 0:
		return -srgbValue(-light)
	case light <= 0.0031308:
		return light * 12.92
	}
	return 1.055*math.Pow(light, 1/2.4) - 0.055
}

// d50 is the white of profiles (ICC.1, 7.2.16), and bradford leads to the responses of the eye in which whites are adapted (annex E).
var (
	d50      = [3]float64{0.9642, 1, 0.8249}
	bradford = icc.Matrix3{{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}
)

// toXYZ returns the matrix from light of the primaries to XYZ, with white adapted to D50. ok is false if there is none.
func (p primaries) toXYZ() (m icc.Matrix3, ok bool) {
	var white [3]float64
	for i, at := range p {
		if at[1] == 0 && i == 3 {
			return m, false
		}
		z := 1 - at[0] - at[1]
		if i == 3 {
			white = [3]float64{at[0] / at[1], 1, z / at[1]}
			break
		}
		m[0][i], m[1][i], m[2][i] = at[0], at[1], z
	}
	inverse, err := m.Inverted()
	if err != nil {
		return m, false
	}
	r, g, b := inverse.Transform(white[0], white[1], white[2])
	m = m.Multiply(icc.Matrix3{{r, 0, 0}, {0, g, 0}, {0, 0, b}})
	from, to := [3]float64{}, [3]float64{}
	from[0], from[1], from[2] = bradford.Transform(white[0], white[1], white[2])
	to[0], to[1], to[2] = bradford.Transform(d50[0], d50[1], d50[2])
	back, err := bradford.Inverted()
	if err != nil || from[0] == 0 || from[1] == 0 || from[2] == 0 {
		return m, false
	}
	adapted := back.Multiply(icc.Matrix3{{to[0] / from[0], 0, 0}, {0, to[1] / from[1], 0}, {0, 0, to[2] / from[2]}})
	adapted = adapted.Multiply(bradford)
	return adapted.Multiply(m), true
}

// xyzToSRGB leads from XYZ, with white at D50, to the light of sRGB.
var xyzToSRGB = func() icc.Matrix3 {
	m, _ := srgb.toXYZ()
	inverse, err := m.Inverted()
	if err != nil {
		panic("bug: sRGB has no inverse")
	}
	return inverse
}()

// applied returns what holds of it for the pixels. A profile of other pixels is ignored, as everybody does, and so is one that is
// none; one of red, green and blue goes with grey, which then has three channels.
func (c colors) applied() colors {
	const from, to = 16, 20
	if len(tagsOf(c.profile)) == 0 {
		c.profile = nil
		return c
	}
	switch space := string(c.profile[from:to]); {
	case c.channels == 1 && space == profileSpaces[3]:
		c.channels = 3
	case space != profileSpaces[c.channels]:
		c.profile = nil
	}
	return c
}

// meaning returns what values from 0 to 1, one a channel, are as light of sRGB. additive reports whether the light is a sum of what
// each channel gives. It is nil if the values are sRGB; errProfile says that the profile can't be used.
func (c colors) meaning() (f meaning, additive bool, err error) {
	if len(c.profile) > 0 {
		return profileMeaning(c.profile, c.channels)
	}
	if c.encoding == nil || c.channels == 4 {
		return nil, false, nil
	}
	m, ok := c.encoding.primaries.toXYZ()
	if !ok {
		return nil, false, nil
	}
	m = xyzToSRGB.Multiply(m)
	light := c.encoding.light
	return func(v []float64) (s [3]float64) {
		r, g, b := v[0], v[0], v[0]
		if c.channels == 3 {
			g, b = v[1], v[2]
		}
		s[0], s[1], s[2] = m.Transform(light(r), light(g), light(b))
		return s
	}, true, nil
}
