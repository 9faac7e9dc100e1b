package mediatest

import (
	"encoding/binary"
	"math"
)

// ProfileTag is a part of a color profile.
type ProfileTag struct {
	Name string
	Data []byte
}

// Primaries are X, Y and Z of red, green and blue, for a white at D50.
type Primaries [9]float64

// The primaries of some spaces, as their profiles state them.
var (
	SRGB      = Primaries{0.4361, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7139}
	DisplayP3 = Primaries{0.5151, 0.2412, -0.0011, 0.2920, 0.6922, 0.0419, 0.1571, 0.0666, 0.7841}
	AdobeRGB  = Primaries{0.6097, 0.3111, 0.0195, 0.2053, 0.6257, 0.0609, 0.1492, 0.0632, 0.7446}
	ProPhoto  = Primaries{0.7977, 0.2880, 0, 0.1352, 0.7119, 0, 0.0313, 0.0001, 0.8249}
)

// d50 is the white of profiles.
var d50 = [3]float64{0.9642, 1, 0.8249}

// fixed appends numbers as 16.16.
func fixed(data []byte, all ...float64) []byte {
	for _, v := range all {
		data = binary.BigEndian.AppendUint32(data, uint32(int32(math.Round(v*65536))))
	}
	return data
}

// words appends numbers from 0 to 1 in 16 bits each.
func words(data []byte, all ...float64) []byte {
	for _, v := range all {
		data = binary.BigEndian.AppendUint16(data, uint16(math.Round(min(max(v, 0), 1)*65535)))
	}
	return data
}

// ICC returns a color profile of a space ("RGB ", "GRAY", "CMYK") whose tags lead to another ("XYZ ", "Lab "), as version 2 or 4 says.
func ICC(version byte, space, pcs string, tags ...ProfileTag) []byte {
	const header, entry = 128, 12
	tags = append(tags, ProfileTag{"wtpt", fixed([]byte("XYZ \x00\x00\x00\x00"), d50[0], d50[1], d50[2])},
		ProfileTag{"desc", append([]byte("desc\x00\x00\x00\x00\x00\x00\x00\x02a\x00"), make([]byte, 78)...)},
		ProfileTag{"cprt", []byte("text\x00\x00\x00\x00none\x00")})
	data := make([]byte, header)
	copy(data[8:], []byte{version, 0, 0, 0})
	copy(data[12:], map[string]string{"CMYK": "prtr"}[space]+"mntr")
	copy(data[16:], space+pcs)
	copy(data[36:], "acsp")
	copy(data[68:], fixed(nil, d50[0], d50[1], d50[2]))
	data = binary.BigEndian.AppendUint32(data, uint32(len(tags)))
	var content []byte
	for _, t := range tags {
		data = binary.BigEndian.AppendUint32(append(data, t.Name...), uint32(header+4+entry*len(tags)+len(content)))
		data = binary.BigEndian.AppendUint32(data, uint32(len(t.Data)))
		content = append(content, t.Data...)
		content = append(content, make([]byte, -len(content)&3)...)
	}
	data = append(data, content...)
	binary.BigEndian.PutUint32(data, uint32(len(data)))
	return data
}

// GammaCurve returns a curve of an exponent.
func GammaCurve(exponent float64) []byte {
	return binary.BigEndian.AppendUint16([]byte("curv\x00\x00\x00\x00\x00\x00\x00\x01"), uint16(math.Round(exponent*256)))
}

// SRGBCurve returns the curve of sRGB.
func SRGBCurve() []byte {
	return fixed([]byte("para\x00\x00\x00\x00\x00\x03\x00\x00"), 2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045)
}

// PointsCurve returns a curve of n points of a function from 0 to 1.
func PointsCurve(n int, f func(float64) float64) []byte {
	data := binary.BigEndian.AppendUint32([]byte("curv\x00\x00\x00\x00"), uint32(n))
	for i := range n {
		data = words(data, f(float64(i)/float64(n-1)))
	}
	return data
}

// MatrixProfile returns a profile of primaries and a curve.
func MatrixProfile(p Primaries, curve []byte) []byte {
	var tags []ProfileTag
	for i, name := range []string{"r", "g", "b"} {
		column := fixed([]byte("XYZ \x00\x00\x00\x00"), p[3*i], p[3*i+1], p[3*i+2])
		tags = append(tags, ProfileTag{name + "XYZ", column}, ProfileTag{name + "TRC", curve})
	}
	return ICC(2, "RGB ", "XYZ ", tags...)
}

// GreyProfile returns a profile of grey.
func GreyProfile(curve []byte) []byte { return ICC(2, "GRAY", "XYZ ", ProfileTag{"kTRC", curve}) }

// TableProfile returns a profile of a table of so many points a channel: of the kind "mft1", "mft2" or "mAB ", for a space with Lab or
// XYZ as pcs, of a function from values to X, Y and Z.
func TableProfile(kind, space, pcs string, side int, f func(values []float64) [3]float64) []byte {
	channels := map[string]int{"RGB ": 3, "CMYK": 4}[space]
	points := 1
	for range channels {
		points *= side
	}
	var all []float64
	values := make([]float64, channels)
	for i := range points {
		for rest, c := i, channels-1; c >= 0; c-- {
			values[c] = float64(rest%side) / float64(side-1)
			rest /= side
		}
		all = append(all, coded(kind, pcs, f(values))...)
	}
	tag := append([]byte(kind+"\x00\x00\x00\x00"), byte(channels), 3)
	version := byte(2)
	switch kind {
	case "mAB ": // curves B after the head, then the table
		const curves, head, grid = 32, 12, 16
		version = 4
		tag = append(tag, 0, 0)
		for _, at := range []uint32{curves, 0, 0, curves + 3*head, curves} {
			tag = binary.BigEndian.AppendUint32(tag, at)
		}
		for range channels {
			tag = append(tag, "curv\x00\x00\x00\x00\x00\x00\x00\x00"...)
		}
		binary.BigEndian.PutUint32(tag[24:], uint32(len(tag)))
		sides := make([]byte, grid)
		for c := range channels {
			sides[c] = byte(side)
		}
		tag = words(append(append(tag, sides...), 2, 0, 0, 0), all...)
	case "mft2":
		tag = fixed(append(tag, byte(side), 0), 1, 0, 0, 0, 1, 0, 0, 0, 1)
		tag = append(tag, 0, 2, 0, 2)
		for range channels {
			tag = words(tag, 0, 1)
		}
		tag = words(words(tag, all...), 0, 1, 0, 1, 0, 1)
	case "mft1":
		tag = fixed(append(tag, byte(side), 0), 1, 0, 0, 0, 1, 0, 0, 0, 1)
		line := make([]byte, 256)
		for i := range line {
			line[i] = byte(i)
		}
		for range channels {
			tag = append(tag, line...)
		}
		for _, v := range all {
			tag = append(tag, byte(math.Round(min(max(v, 0), 1)*255)))
		}
		tag = append(append(append(tag, line...), line...), line...)
	}
	return ICC(version, space, pcs, ProfileTag{"A2B0", tag})
}

// coded returns X, Y and Z as a table has them.
func coded(kind, pcs string, xyz [3]float64) []float64 {
	if pcs == "XYZ " {
		const most = 1 + 32767.0/32768
		return []float64{xyz[0] / most, xyz[1] / most, xyz[2] / most}
	}
	root := func(i int) float64 {
		v := xyz[i] / d50[i]
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return (v*24389/27 + 16) / 116
	}
	l, a, b := (116*root(1)-16)/100, (500*(root(0)-root(1))+128)/255, (200*(root(1)-root(2))+128)/255
	if kind == "mft2" { // in which FF00 is all
		const most = 65280.0 / 65535
		return []float64{l * most, a * most, b * most}
	}
	return []float64{l, a, b}
}

// Seen returns X, Y and Z of red, green and blue, from 0 to 1, of primaries and an exponent: a function for a table.
func (p Primaries) Seen(exponent float64) func(values []float64) [3]float64 {
	return func(values []float64) (xyz [3]float64) {
		for i, v := range values {
			for j := range xyz {
				xyz[j] += p[3*i+j] * math.Pow(v, exponent)
			}
		}
		return xyz
	}
}

// Printed returns X, Y and Z of cyan, magenta, yellow and black, from 0 to 1, on paper that isn't quite white: a function for a table.
func Printed(inks []float64) (xyz [3]float64) {
	through := [4][3]float64{{0.16, 0.22, 0.62}, {0.34, 0.17, 0.20}, {0.72, 0.78, 0.09}, {0.02, 0.02, 0.02}}
	for j := range xyz {
		xyz[j] = d50[j] * 0.93
		for i, ink := range inks {
			xyz[j] *= 1 - ink*(1-through[i][j])
		}
	}
	return xyz
}
