package mediafile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"image"
	"image/jpeg"
	"math"
	"slices"

	"missiond/mission"
)

// maker makes pictures of one.
type maker struct {
	original []byte
	passes   bool // the original may be sent as it is
	pixels   *pixels
	turn     turn
	// width and height are those of the turned picture.
	width, height int
	// profile is written into what is made: a color profile that can't be applied, and goes out with its values.
	profile []byte
	// refusal is why nothing can be made, so that only the original may be sent; nil if there is no reason.
	refusal error
	xmp     []byte
	out     frameWriter
}

// group is the pictures that are made in one frame.
type group struct {
	frame    frame
	pictures []Picture
}

// make writes a file for each distinct outcome and returns them.
func (m *maker) make(pictures []Picture) ([]Made, error) {
	var all []Made
	passed := Made{ContentType: mission.TypeJPEG, Width: m.width, Height: m.height}
	left := slices.DeleteFunc(slices.Clone(pictures), func(p Picture) bool {
		passes := m.passes && m.fits(p.Rules)
		if passes {
			passed.Names = append(passed.Names, p.Name)
		}
		return passes
	})
	if len(passed.Names) > 0 {
		if err := m.write(passed.Names[0], m.original); err != nil {
			return nil, err
		}
		all = append(all, passed)
	}
	if len(left) > 0 && m.refusal != nil {
		return nil, m.refusal
	}
	for len(left) > 0 {
		groups := m.groups(left)
		left = nil
		for _, g := range groups {
			made, large, err := m.makeGroup(g)
			if err != nil {
				return nil, err
			}
			all, left = append(all, made...), append(left, large...)
		}
	}
	return all, nil
}

// groups returns the pictures by their frames.
func (m *maker) groups(pictures []Picture) (all []group) {
	for _, p := range pictures {
		f := frameOf(m.width, m.height, p)
		i := slices.IndexFunc(all, func(g group) bool { return g.frame == f })
		if i < 0 {
			i, all = len(all), append(all, group{frame: f})
		}
		all[i].pictures = append(all[i].pictures, p)
	}
	return all
}

// fits reports whether the rules take the original.
func (m *maker) fits(r mission.PictureRules) bool {
	ratio := float64(m.width) / float64(m.height)
	pixels := int64(m.width) * int64(m.height)
	return max(m.width, m.height) <= cmp.Or(r.MaxSide, m.width+m.height) && pixels <= cmp.Or(r.MaxPixels, pixels) &&
		ratio >= cmp.Or(r.MinRatio, ratio) && ratio <= cmp.Or(r.MaxRatio, ratio) && int64(len(m.original)) <= maxBytes(r)
}

// maxBytes returns how large a picture may be; where no bound is stated, the service's own holds.
func maxBytes(r mission.PictureRules) int64 { return cmp.Or(r.MaxBytes, mission.MaxPictureBytes) }

func (m *maker) write(name string, data []byte) error {
	if err := m.out.Begin(name); err != nil {
		return err
	}
	if _, err := m.out.Write(data); err != nil {
		return err
	}
	return m.out.End()
}

// qualities are tried in this order, until a picture has few enough bytes.
var qualities = []int{90, 78, 64}

// makeGroup makes the pictures of a group: for each, the best quality that its rules have room
// for. It returns those for which none is small enough, with rules of a smaller frame.
func (m *maker) makeGroup(g group) (all []Made, left []Picture, err error) {
	left = g.pictures
	pixels, size := m.render(g.frame), 0
	for _, quality := range qualities {
		data, err := m.encode(pixels, quality)
		if err != nil {
			return nil, nil, err
		}
		size = len(data)
		made := Made{ContentType: mission.TypeJPEG, Width: g.frame.width, Height: g.frame.height}
		left = slices.DeleteFunc(left, func(p Picture) bool {
			fits := int64(size) <= maxBytes(p.Rules)
			if fits {
				made.Names = append(made.Names, p.Name)
			}
			return fits
		})
		if len(made.Names) > 0 {
			if err := m.write(made.Names[0], data); err != nil {
				return nil, nil, err
			}
			all = append(all, made)
		}
		if len(left) == 0 {
			return all, nil, nil
		}
	}
	return all, left, shrink(left, g.frame, size)
}

// shrink lowers the rules' longest side of pictures of a frame, for which size bytes are too
// many.
func shrink(pictures []Picture, f frame, size int) error {
	const least, slowest, fastest = 16, 0.9, 0.5
	for i := range pictures {
		r := &pictures[i].Rules
		share := math.Sqrt(float64(maxBytes(*r)) / float64(size))
		r.MaxSide = int(float64(max(f.width, f.height)) * min(max(share, fastest), slowest))
		if r.MaxSide < least {
			return refuse(CodeBytes, "No picture of at most %d bytes can be made of the file.", maxBytes(*r))
		}
	}
	return nil
}

// encode returns a JPEG with the provenance of the file, and with its color profile where that has to go with it.
func (m *maker) encode(img image.Image, quality int) ([]byte, error) {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}); err != nil {
		return nil, err
	}
	const soi, mostProfile = 2, 65_519
	made := []byte{0xff, jpegSOI}
	if len(m.xmp) > 0 {
		made = jpegAppend(made, jpegAPP1, []byte("http://ns.adobe.com/xap/1.0/\x00"), m.xmp)
	}
	parts := slices.Collect(slices.Chunk(m.profile, mostProfile))
	for i, part := range parts {
		made = jpegAppend(made, jpegAPP2, []byte("ICC_PROFILE\x00"), []byte{byte(i + 1), byte(len(parts))}, part)
	}
	return append(made, b.Bytes()[soi:]...), nil
}

// jpegAppend appends a segment, whose payload is in parts.
func jpegAppend(file []byte, marker byte, parts ...[]byte) []byte {
	payload := slices.Concat(parts...)
	file = binary.BigEndian.AppendUint16(append(file, 0xff, marker), uint16(len(payload)+2))
	return append(file, payload...)
}
