package mediafile

import (
	"bytes"
	"errors"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"

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
	img, err := decode(file, kind)
	if err != nil {
		return Result{}, err
	}
	if size := img.Bounds(); kind == mission.TypeHEIC {
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
	colors, known := colorsOf(s.meta.profile)
	m := maker{
		original: file, passes: kind == mission.TypeJPEG && s.plain && !s.meta.private && turn == noTurn && known && colors == nil,
		img: opaque(img), turn: turn, width: width, height: height,
		colors: colors, xmp: s.meta.writeXMP(), out: out,
	}
	made, err := m.make(o.Pictures)
	return Result{
		Facts: Facts{Kind: mission.MediaImage, ContentType: kind, Width: width, Height: height, Frames: 1, Provenance: s.meta.provenance()},
		Made:  made,
	}, err
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
		return scan{width: config.Width, height: config.Height}, nil
	}
}

// decode decodes a picture whose stated size was checked.
func decode(file []byte, kind string) (img image.Image, err error) {
	r := bytes.NewReader(file)
	switch kind {
	case mission.TypeJPEG:
		img, err = jpeg.Decode(r)
	case mission.TypePNG:
		img, err = png.Decode(r)
	case mission.TypeWebP:
		img, err = webp.Decode(r)
	case mission.TypeHEIC:
		img, err = decodeHEIC(file)
	default:
		img, err = firstFrame(r)
	}
	var refused *Refused
	if err != nil && !errors.As(err, &refused) {
		err = damaged("%v", err)
	}
	return img, err
}
