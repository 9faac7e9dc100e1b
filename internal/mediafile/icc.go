package mediafile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/kovidgoyal/imaging/prism/meta/icc"
)

// errProfile says that a color profile can't be used.
var errProfile = errors.New("the color profile can't be used")

// maxProfile bounds a color profile, in bytes: those of printing presses have up to some 3 MB.
const maxProfile = 4 << 20

// profileSpaces are the names of the spaces of pixels, by their channels.
var profileSpaces = map[int]string{1: "GRAY", 3: "RGB ", 4: "CMYK"}

// meaning returns what values from 0 to 1, one a channel, are as light of sRGB.
type meaning func(values []float64) (light [3]float64)

// profileMeaning returns the meaning of values by a profile: by its table for pictures (A2B0, perceptual), else by the other one (A2B1),
// else by its curves, and without a change of its black. That is what Chromium does, and littleCMS by default.
func profileMeaning(profile []byte, channels int) (f meaning, additive bool, err error) {
	defer func() { // the library's, for a profile that is a lie
		if p := recover(); p != nil {
			f, err = nil, fmt.Errorf("%w: %v", errProfile, p)
		}
	}()
	slim, table, err := slimProfile(profile, channels)
	if err != nil {
		return nil, false, err
	}
	p, err := icc.NewProfileReader(bytes.NewReader(slim)).ReadProfile()
	if err != nil {
		return nil, false, fmt.Errorf("%w: %w", errProfile, err)
	}
	pipeline, err := p.CreateTransformerToPCS(icc.PerceptualRenderingIntent, channels, true)
	if err != nil {
		return nil, false, fmt.Errorf("%w: %w", errProfile, err)
	}
	lab := icc.NewLABtoXYZ(icc.XYZType{X: d50[0], Y: d50[1], Z: d50[2]})
	isLab := p.Header.ProfileConnectionSpace == icc.ColorSpaceLab
	f = func(values []float64) (light [3]float64) {
		var in, out [4]float64
		copy(in[:], values)
		if channels == 3 {
			out[0], out[1], out[2] = pipeline.Transform(in[0], in[1], in[2])
		} else {
			pipeline.TransformGeneral(out[:], in[:])
		}
		if isLab {
			out[0], out[1], out[2] = lab.Transform(out[0], out[1], out[2])
		}
		light[0], light[1], light[2] = xyzToSRGB.Transform(out[0], out[1], out[2])
		return light
	}
	for _, v := range [][]float64{{0, 0, 0, 0}, {0.5, 0.5, 0.5, 0.5}, {1, 1, 1, 1}} {
		for _, light := range f(v[:channels]) {
			if math.IsNaN(light) || math.Abs(light) > 100 {
				return nil, false, fmt.Errorf("%w: it leads to %v", errProfile, light)
			}
		}
	}
	return f, !table, nil
}

// profileTag is a part of a profile with its name.
type profileTag struct {
	name string
	data []byte
}

// slimProfile returns a profile with what is needed of it alone, whose sizes were checked: a library that believed them would take
// gigabytes, or minutes. table reports whether that is a table.
func slimProfile(profile []byte, channels int) (slim []byte, table bool, err error) {
	const header, version, illuminant, minTags, maxTags, entry = 128, 8, 68, 1, 200, 12
	space := profileSpaces[channels]
	if len(profile) < header+4 || len(profile) > maxProfile || string(profile[36:40]) != "acsp" || string(profile[16:20]) != space {
		return nil, false, fmt.Errorf("%w: its header", errProfile)
	}
	n := binary.BigEndian.Uint32(profile[header:])
	if n < minTags || n > maxTags || header+4+int(n)*entry > len(profile) {
		return nil, false, fmt.Errorf("%w: it has %d tags", errProfile, n)
	}
	find := func(name string) []byte { return tagOf(profile, profile[header+4:header+4+int(n)*entry], name) }
	tags, table := neededTags(find, channels)
	for _, t := range tags {
		if !isSound(t.data, channels) {
			return nil, false, fmt.Errorf("%w: its tag %q", errProfile, t.name)
		}
	}
	slim = bytes.Clone(profile[:header])
	copy(slim[version:], "\x02\x00\x00\x00") // by which the library leaves black as it is
	for i, v := range d50 {
		binary.BigEndian.PutUint32(slim[illuminant+4*i:], uint32(math.Round(v*65536)))
	}
	slim = binary.BigEndian.AppendUint32(slim, uint32(len(tags)))
	at := len(slim) + len(tags)*entry
	for _, t := range tags {
		slim = binary.BigEndian.AppendUint32(append(slim, t.name...), uint32(at))
		slim = binary.BigEndian.AppendUint32(slim, uint32(len(t.data)))
		at += len(t.data)
	}
	for _, t := range tags {
		slim = append(slim, t.data...)
	}
	return slim, table, nil
}

// tagOf returns a tag of a profile by the entries of its table; nil if there is none, or not in the profile.
func tagOf(profile, entries []byte, name string) []byte {
	const size = 12
	for ; len(entries) >= size; entries = entries[size:] {
		at, n := uint64(binary.BigEndian.Uint32(entries[4:])), uint64(binary.BigEndian.Uint32(entries[8:]))
		if string(entries[:4]) == name && at+n <= uint64(len(profile)) {
			return profile[at : at+n]
		}
	}
	return nil
}

// neededTags returns the tags by which colors are converted.
func neededTags(find func(string) []byte, channels int) (tags []profileTag, table bool) {
	for _, name := range []string{"A2B0", "A2B1"} {
		if data := find(name); data != nil {
			return []profileTag{{"A2B0", data}}, true
		}
	}
	names := []string{"kTRC"}
	if channels != 1 {
		names = []string{"rTRC", "gTRC", "bTRC", "rXYZ", "gXYZ", "bXYZ"}
	}
	for _, name := range names {
		tags = append(tags, profileTag{name, find(name)})
	}
	return tags, false
}

// isSound reports whether a tag has the size that it states, and isn't too large.
func isSound(tag []byte, channels int) bool {
	const head = 12
	if len(tag) < head {
		return false
	}
	switch string(tag[:4]) {
	case "XYZ ":
		return len(tag) >= 20
	case "curv", "para":
		return curveSize(tag) > 0
	case "mft1", "mft2":
		return isSoundTable(tag, channels)
	case "mAB ":
		return isSoundStages(tag, channels)
	}
	return false
}

// maxCurve bounds the points of a curve. Others have at most 4,096.
const maxCurve = 4096

// curveSize returns how many bytes the curve has that data begins with (ICC.1:2022, 10.6 and 10.18); 0 if it can't be used.
func curveSize(data []byte) int {
	const head = 12
	if len(data) < head {
		return 0
	}
	size := 0
	switch string(data[:4]) {
	case "curv":
		n := binary.BigEndian.Uint32(data[8:])
		if n > maxCurve {
			return 0
		}
		size = head + 2*int(n)
	case "para":
		numbers := map[uint16]int{0: 1, 1: 3, 2: 4, 3: 5, 4: 7}[binary.BigEndian.Uint16(data[8:])]
		if numbers == 0 {
			return 0
		}
		size = head + 4*numbers
	}
	if size > len(data) {
		return 0
	}
	return size
}

// isSoundTable reports whether a tag lut8Type or lut16Type is whole (ICC.1:2022, 10.10 and 10.11).
func isSoundTable(tag []byte, channels int) bool {
	const head8, head16 = 48, 52
	if len(tag) < head16 || int(tag[8]) != channels || tag[9] != 3 || tag[10] < 2 {
		return false
	}
	size, in, out, bytesEach := head8, 256, 256, 1
	if string(tag[:4]) == "mft2" {
		size, in, out, bytesEach = head16, int(binary.BigEndian.Uint16(tag[48:])), int(binary.BigEndian.Uint16(tag[50:])), 2
	}
	points := math.Pow(float64(tag[10]), float64(channels)) * 3
	whole := float64(size) + float64(bytesEach)*(float64(in*channels)+points+float64(out*3))
	return in >= 2 && out >= 2 && in <= maxCurve && out <= maxCurve && whole <= float64(len(tag))
}

// isSoundStages reports whether a tag lutAToBType is whole (ICC.1:2022, 10.12). The library doesn't know grids that are finer in one
// channel than in another.
func isSoundStages(tag []byte, channels int) bool {
	const head, matrix, out = 32, 48, 3
	if len(tag) < head || int(tag[8]) != channels || tag[9] != out {
		return false
	}
	at := func(i int) []byte {
		from := uint64(binary.BigEndian.Uint32(tag[12+4*i:]))
		if from == 0 || from > uint64(len(tag)) {
			return nil
		}
		return tag[from:]
	}
	if m := at(1); m != nil && len(m) < matrix {
		return false
	}
	if !areCurves(at(0), out) || !areCurves(at(2), out) || !areCurves(at(4), channels) {
		return false
	}
	if grid := at(3); grid != nil {
		return isSoundGrid(grid, channels)
	}
	return channels == out
}

// isSoundGrid reports whether the grid of a tag lutAToBType is whole.
func isSoundGrid(grid []byte, channels int) bool {
	const head, out, precision = 20, 3, 16
	if len(grid) < head || grid[0] < 2 || grid[precision] != 1 && grid[precision] != 2 {
		return false
	}
	for _, n := range grid[1:channels] {
		if n != grid[0] {
			return false
		}
	}
	return math.Pow(float64(grid[0]), float64(channels))*out*float64(grid[precision]) <= float64(len(grid)-head)
}

// areCurves reports whether data begins with n curves, each at a multiple of 4 bytes; there may be none.
func areCurves(data []byte, n int) bool {
	if data == nil {
		return true
	}
	for range n {
		size := curveSize(data)
		if size == 0 {
			return false
		}
		data = data[min((size+3)&^3, len(data)):]
	}
	return true
}
