package mediafile

import (
	"errors"
	"image"
)

// errHEIC says that the decoder can't decode a file.
var errHEIC = errors.New("the decoder refuses it")

// decodeHEIC decodes the picture of a HEIC. It changes the file.
func decodeHEIC(file []byte, of heicPicture) (*pixels, error) {
	d, err := newHEICDecoder()
	if err != nil {
		return nil, err
	}
	defer d.close()
	return d.picture(file, of)
}

// picture decodes a picture with its opacity, and applies its turn. It changes the file.
func (d *heicDecoder) picture(file []byte, of heicPicture) (*pixels, error) {
	const major = 8
	copy(file[major:], "heic") // the decoder wants it, whatever others there are
	img, err := d.primary(file)
	if err != nil {
		return nil, err
	}
	p := &pixels{img: img, premultiplied: of.premultiplied}
	switch img := img.(type) {
	case *image.YCbCr:
		if of.grey && of.full {
			p.img = luma(img)
		}
		if p.ycc, err = of.ycc(); err != nil {
			return nil, err
		}
	case *image.NRGBA: // has its opacity
		return p, nil
	}
	if of.opacity == 0 {
		return p, nil
	}
	for i := range of.id {
		of.id[len(of.id)-1-i] = byte(of.opacity >> (8 * i))
	}
	if img, err = d.primary(file); err == nil {
		p.opacity = fitted(img, p.img.Bounds())
	}
	return p, err
}

// luma returns the luma of a picture.
func luma(img *image.YCbCr) *image.Gray {
	return &image.Gray{Pix: img.Y, Stride: img.YStride, Rect: img.Rect}
}

// fitted returns the luma of a picture in a size.
func fitted(img image.Image, size image.Rectangle) *image.Gray {
	if c, ok := img.(*image.YCbCr); ok {
		img = luma(c)
	}
	if grey, ok := img.(*image.Gray); ok && grey.Rect == size {
		return grey
	}
	dst := image.NewGray(size)
	from := img.Bounds()
	for y := range size.Dy() {
		for x := range size.Dx() {
			dst.Set(x, y, img.At(x*from.Dx()/size.Dx(), y*from.Dy()/size.Dy()))
		}
	}
	return dst
}
