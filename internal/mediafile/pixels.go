package mediafile

import (
	"image"
	"image/color"
	"math"
)

// pixels are a decoded picture, of which rows are taken on white, and as sRGB.
type pixels struct {
	// img is an image.YCbCr, NYCbCrA, Gray, Paletted, CMYK, NRGBA, or an RGBA that is opaque, from 0, 0 on; or, before prepare, one of 16
	// bits a channel.
	img     image.Image
	ycc     *ycc        // of YCbCr and NYCbCrA
	opacity *image.Gray // as large as img, beside an img that has none itself; nil if that is opaque
	// premultiplied reports whether colors were multiplied by the opacity.
	premultiplied bool
	to            *transform // nil if the colors are sRGB
	// late reports whether finish turns the colors into sRGB instead of row: of an opaque picture that is scaled down fewer are left.
	late    bool
	palette [256][4]uint8
	buf     []uint8
}

// prepare makes pixels ready for row, whose colors are such. errProfile says that the profile can't be used.
func (p *pixels) prepare(c colors) (err error) {
	const most8, most16 = 255, 65535
	switch img := p.img.(type) {
	case *image.Gray16, *image.RGBA64, *image.NRGBA64:
		to, err := newTransform(c, most16)
		p.img = reduced(img, to)
		return err
	case *image.Paletted:
		for i, entry := range img.Palette[:min(len(img.Palette), len(p.palette))] {
			n, _ := color.NRGBAModel.Convert(entry).(color.NRGBA)
			p.palette[i] = [4]uint8{n.R, n.G, n.B, n.A}
		}
	}
	p.to, err = newTransform(c, most8)
	switch p.img.(type) {
	case *image.YCbCr, *image.Gray, *image.RGBA:
		p.late = p.opacity == nil
	}
	return err
}

// finish turns pixels that row returned, and that may have been scaled, into sRGB.
func (p *pixels) finish(row []uint8) {
	if p.to == nil || !p.late {
		return
	}
	for ; len(row) >= 3; row = row[3:] {
		row[0], row[1], row[2] = p.to.rgb(int(row[0]), int(row[1]), int(row[2]), 0)
	}
}

// row fills dst with pixels from x, y on: red, green and blue, for finish.
func (p *pixels) row(dst []uint8, x, y int) {
	n := len(dst) / 3
	if len(p.buf) < 4*n {
		p.buf = make([]uint8, 4*n)
	}
	buf := p.buf[:4*n]
	p.values(buf, x, y)
	_, inks := p.img.(*image.CMYK)
	switch {
	case p.to != nil && !p.late:
		p.to.row(buf)
	case inks:
		for i := 0; i < len(buf); i += 4 {
			buf[i], buf[i+1], buf[i+2] = color.CMYKToRGB(buf[i], buf[i+1], buf[i+2], buf[i+3])
		}
	}
	for i := range n {
		d, s := dst[3*i:3*i+3:3*i+3], buf[4*i:4*i+4:4*i+4]
		d[0], d[1], d[2] = s[0], s[1], s[2]
		if a := uint32(s[3]); a != 0xff && !inks {
			for j, v := range d {
				d[j] = uint8((uint32(v)*a + 0xff*(0xff-a) + 0x7f) / 0xff)
			}
		}
	}
}

// values fills buf with the values of pixels from x, y on, of 4 bytes each: red, green, blue and opacity, or inks.
func (p *pixels) values(buf []uint8, x, y int) {
	switch img := p.img.(type) {
	case *image.YCbCr:
		p.ycc.row(buf, img, x, y)
	case *image.NYCbCrA:
		p.ycc.row(buf, &img.YCbCr, x, y)
		from := img.A[img.AOffset(x, y):]
		for i := range len(buf) / 4 {
			buf[4*i+3] = from[i]
		}
	case *image.Gray:
		from := img.Pix[img.PixOffset(x, y):]
		for i := range len(buf) / 4 {
			v := from[i]
			buf[4*i], buf[4*i+1], buf[4*i+2], buf[4*i+3] = v, v, v, 0xff
		}
	case *image.Paletted:
		from := img.Pix[img.PixOffset(x, y):]
		for i := range len(buf) / 4 {
			copy(buf[4*i:4*i+4], p.palette[from[i]][:])
		}
	case *image.RGBA:
		copy(buf, img.Pix[img.PixOffset(x, y):])
	case *image.NRGBA:
		copy(buf, img.Pix[img.PixOffset(x, y):])
	case *image.CMYK:
		copy(buf, img.Pix[img.PixOffset(x, y):])
	}
	if p.opacity != nil {
		from := p.opacity.Pix[p.opacity.PixOffset(x, y):]
		for i := range len(buf) / 4 {
			buf[4*i+3] = from[i]
		}
	}
	if p.premultiplied {
		divide(buf)
	}
}

// divide takes opacity out of colors that were multiplied by it.
func divide(buf []uint8) {
	for i := 0; i < len(buf); i += 4 {
		for a, j := int(buf[i+3]), i; j < i+3 && a > 0; j++ {
			buf[j] = uint8(min((int(buf[j])*0xff+a/2)/a, 0xff))
		}
	}
}

// reduced returns a picture of 16 bits a channel as one of 8, whose colors have become sRGB.
func reduced(img image.Image, to *transform) image.Image {
	size := img.Bounds()
	dst := image.NewNRGBA(size)
	byte8 := func(v uint16) uint8 { return uint8((uint32(v)*0xff + 0x7fff) / 0xffff) }
	for y := range size.Dy() {
		for x := range size.Dx() {
			var c color.NRGBA64
			switch img := img.(type) {
			case *image.Gray16:
				v := img.Gray16At(x, y).Y
				c = color.NRGBA64{R: v, G: v, B: v, A: 0xffff}
			case *image.RGBA64: // is opaque
				c = color.NRGBA64(img.RGBA64At(x, y))
			case *image.NRGBA64:
				c = img.NRGBA64At(x, y)
			}
			n := color.NRGBA{R: byte8(c.R), G: byte8(c.G), B: byte8(c.B), A: byte8(c.A)}
			if to != nil {
				n.R, n.G, n.B = to.rgb(int(c.R), int(c.G), int(c.B), 0)
			}
			dst.SetNRGBA(x, y, n)
		}
	}
	return dst
}

// ycc turns luma and chroma into red, green and blue, by tables of 16.16.
type ycc struct{ luma, redOfCr, greenOfCr, greenOfCb, blueOfCb [256]int32 }

// newYCC returns the tables for a share of red and of blue in luma, and for values of the full range (0 to 255), or of the limited one
// (luma of 16 to 235, chroma of 16 to 240), by ITU-R BT.601, 2.5, and T.871.
func newYCC(red, blue float64, full bool) *ycc {
	black, luma, chroma := 0.0, 1.0, 1.0
	if !full {
		black, luma, chroma = 16, 255.0/219, 255.0/224
	}
	t, green := &ycc{}, 1-red-blue
	fixed := func(v float64) int32 { return int32(math.Round(v * 65536)) }
	for i := range t.luma {
		c := (float64(i) - 128) * chroma
		t.luma[i] = fixed((float64(i)-black)*luma + 0.5)
		t.redOfCr[i], t.blueOfCb[i] = fixed(2*(1-red)*c), fixed(2*(1-blue)*c)
		t.greenOfCr[i], t.greenOfCb[i] = fixed(-2*(1-red)*red/green*c), fixed(-2*(1-blue)*blue/green*c)
	}
	return t
}

// jpegYCC is that of JPEG (T.871), webpYCC that of lossy WebP (RFC 6386, 9.2: BT.601).
var jpegYCC, webpYCC = newYCC(0.299, 0.114, true), newYCC(0.299, 0.114, false)

// row fills buf with pixels from x, y on: red, green, blue, 255.
func (t *ycc) row(buf []uint8, img *image.YCbCr, x, y int) {
	shift := map[image.YCbCrSubsampleRatio]int{
		image.YCbCrSubsampleRatio422: 1, image.YCbCrSubsampleRatio420: 1, image.YCbCrSubsampleRatio411: 2, image.YCbCrSubsampleRatio410: 2,
	}[img.SubsampleRatio]
	luma, at := img.Y[img.YOffset(x, y):], img.COffset(0, y)
	blues, reds := img.Cb[at:], img.Cr[at:]
	for i := range len(buf) / 4 {
		l, c := t.luma[luma[i]], (x+i)>>shift
		cb, cr := blues[c], reds[c]
		p := buf[4*i : 4*i+4 : 4*i+4]
		p[0] = fromFixed(l + t.redOfCr[cr])
		p[1] = fromFixed(l + t.greenOfCr[cr] + t.greenOfCb[cb])
		p[2] = fromFixed(l + t.blueOfCb[cb])
		p[3] = 0xff
	}
}

// fromFixed returns a value of 16.16 as a byte.
func fromFixed(v int32) uint8 { return uint8(min(max(v>>16, 0), 0xff)) }
