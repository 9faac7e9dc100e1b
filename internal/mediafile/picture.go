package mediafile

import (
	"bytes"
	"errors"
	"image"
	"image/gif"
	"image/jpeg"

	"golang.org/x/image/webp"

	"missiond/mission"
)

// makePictures writes what the order says to make of a picture.
func makePictures(file []byte, kind string, o order, limits Limits, out frameWriter) (Result, error) {
	s, err := scanPicture(file, kind)
	if err != nil {
		return Result{}, err
	}
	if err := limits.frame(s.width, s.height); err != nil {
		return Result{}, err
	}
	p, err := decode(file, kind, s)
	if err != nil {
		return Result{}, err
	}
	size := p.img.Bounds()
	if kind == mission.TypeHEIC {
		s.width, s.height, s.meta.orientation = size.Dx(), size.Dy(), 0 // it has been turned
		err = limits.frame(s.width, s.height)
	} else if size.Dx() != s.width || size.Dy() != s.height {
		err = damaged("it states a size of %d × %d pixels and has %d × %d", s.width, s.height, size.Dx(), size.Dy())
	}
	if err != nil {
		return Result{}, err
	}
	turn := turnOf(s.meta.orientation)
	width, height := turn.size(s.width, s.height)
	m := maker{original: file, pixels: p, turn: turn, width: width, height: height, xmp: s.meta.writeXMP(), out: out}
	m.color(s)
	m.passes = kind == mission.TypeJPEG && s.plain && !s.meta.private && turn == noTurn && p.to == nil
	made, err := m.make(o.Pictures)
	return Result{
		Facts: Facts{Kind: mission.MediaImage, ContentType: kind, Width: width, Height: height, Frames: 1, Provenance: s.meta.provenance()},
		Made:  made,
	}, err
}

// colors returns what holds of a picture's colors.
func (s scan) colors(p *pixels) colors {
	c := colors{channels: s.channels, profile: s.meta.profile, encoding: s.encoding}
	if _, grey := p.img.(*image.Gray); grey {
		c.channels = 1
	}
	return c.applied()
}

// color prepares the pixels. A profile that can't be applied goes with the values of red, green and blue, if nothing private is in
// it; others aren't written, so that nothing can be made of them.
func (m *maker) color(s scan) {
	c := s.colors(m.pixels)
	if m.pixels.prepare(c) == nil {
		return
	}
	if c.channels == 3 && len(c.profile) <= maxProfile && isHarmlessProfile(c.profile) {
		m.profile = c.profile
		return
	}
	m.refusal = refuse(CodeUnknownType, "The color profile of the picture can't be used: convert the picture to sRGB and upload it again.")
}

// scanPicture reads what a picture says of itself.
func scanPicture(file []byte, kind string) (scan, error) {
	switch kind {
	case mission.TypeJPEG:
		return scanJPEG(file)
	case mission.TypePNG:
		return scanPNG(file)
	case mission.TypeWebP:
		return scanWebP(file)
	case mission.TypeHEIC:
		return scanHEIC(file)
	default: // a GIF, whose blocks were walked through
		config, err := gif.DecodeConfig(bytes.NewReader(file))
		if err != nil {
			return scan{}, damaged("%v", err)
		}
		return scan{width: config.Width, height: config.Height, channels: 3}, nil
	}
}

// decode decodes a picture whose stated size was checked. What a decoder says is for the log.
func decode(file []byte, kind string, s scan) (*pixels, error) {
	if kind == mission.TypeHEIC {
		p, err := decodeHEIC(file, s.heic)
		return p, inOurWords(err)
	}
	r, p := bytes.NewReader(file), &pixels{}
	var err error
	switch kind {
	case mission.TypeJPEG:
		p.ycc = jpegYCC
		p.img, err = decodeJPEG(file)
	case mission.TypePNG:
		p.img, err = s.png.decode()
	case mission.TypeWebP:
		p.ycc = webpYCC
		p.img, err = webp.Decode(r)
	default:
		p.img, err = firstFrame(r)
	}
	return p, inOurWords(err)
}

// inOurWords returns what a decoder's error means to the person who uploaded the file.
func inOurWords(err error) error {
	var refused *Refused
	var unknown jpeg.UnsupportedError
	switch {
	case err == nil || errors.As(err, &refused):
		return err
	case errors.As(err, &unknown):
		const message = "The picture is a JPEG of a kind that can't be used: save it again as a JPEG or PNG."
		return &Refused{Code: CodeUnknownType, Message: message, Detail: err.Error()}
	}
	const most = 4000
	said := err.Error()
	return &Refused{Code: CodeDamaged, Message: "The file can't be read: it is damaged.", Detail: said[:min(len(said), most)]}
}
