package mediafile

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"math"
)

// decodeJPEG decodes a JPEG. Go's decoder does most; it refuses components that are sampled in rare ways, restarts in scans of one of
// several components, inks without Adobe's segment, and a missing end.
func decodeJPEG(file []byte) (image.Image, error) {
	img, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		img, err = decodeCoded(file, err)
	}
	return img, err
}

// decodeCoded decodes a JPEG by its coefficients. The error is otherwise if they are of a kind that isn't known.
func decodeCoded(file []byte, otherwise error) (image.Image, error) {
	j := &jpegScan{coded: coded{keeps: true}}
	if err := j.read(file); err != nil {
		return nil, err
	}
	if j.coded.components == nil {
		return nil, otherwise
	}
	return j.picture()
}

// picture returns the picture of coefficients that were kept. Inks are stored inverted.
func (j *jpegScan) picture() (image.Image, error) {
	c := &j.coded
	for _, k := range c.components {
		if c.partial || k.values == nil || k.table == nil {
			return nil, damaged("a part of its picture is missing")
		}
	}
	size := image.Rect(0, 0, c.width, c.height)
	switch len(c.components) {
	case 1:
		img := image.NewGray(size)
		c.planes(1, img.Pix)
		return img, nil
	case 3:
		if j.isRGB() {
			img := white(size)
			c.planes(4, img.Pix, img.Pix[1:], img.Pix[2:])
			return img, nil
		}
		img := image.NewYCbCr(size, image.YCbCrSubsampleRatio444)
		c.planes(1, img.Y, img.Cb, img.Cr)
		return img, nil
	case 4:
		img := image.NewCMYK(size)
		c.planes(4, img.Pix, img.Pix[1:], img.Pix[2:], img.Pix[3:])
		for p := img.Pix; len(p) > 0; p = p[4:] {
			if j.adobe && j.transform != 0 { // luma and chroma of what the inks aren't
				p[0], p[1], p[2] = color.YCbCrToRGB(p[0], p[1], p[2])
			} else {
				p[0], p[1], p[2] = ^p[0], ^p[1], ^p[2]
			}
			p[3] = ^p[3]
		}
		return img, nil
	}
	return nil, jpeg.UnsupportedError("number of components")
}

// isRGB reports whether three components are red, green and blue: by JFIF's segment, Adobe's, or their names, as for libjpeg.
func (j *jpegScan) isRGB() bool {
	if j.jfif || j.adobe {
		return !j.jfif && j.transform == 0
	}
	k := j.coded.components
	return k[0].id == 'R' && k[1].id == 'G' && k[2].id == 'B'
}

// planes fills every step-th byte of a destination for each component with its samples, one for each pixel, and drops its coefficients.
func (c *coded) planes(step int, all ...[]uint8) {
	const side = 8
	for i, dst := range all {
		k := &c.components[i]
		stride := side * k.stride
		strip, last := make([]uint8, side*stride), -1
		for y := range c.height {
			row := y * k.down / c.down
			if row/side != last {
				last = row / side
				for x := range k.stride {
					k.values[last*k.stride+x].samples(strip[side*x:], stride, k.table)
				}
			}
			line, to := strip[row%side*stride:], dst[y*c.width*step:]
			for x := range c.width {
				to[x*step] = line[x*k.across/c.across]
			}
		}
		k.values = nil
	}
}

// zigzag is where coefficients are, in the order in which they are coded, in rows of 8 (ITU-T T.81, figure A.6).
var zigzag = [64]int{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

// cosines are the factors of the inverse transform (A.3.3), by sample and frequency.
var cosines = func() (t [8][8]float32) {
	for x := range t {
		for u := range t[x] {
			t[x][u] = float32(math.Cos(float64((2*x+1)*u)*math.Pi/16) / 2)
		}
		t[x][0] = math.Sqrt2 / 4
	}
	return t
}()

// of returns what a coefficient is multiplied by.
func (q *quantizer) of(k int) int {
	if q.values[0]>>4 == 0 {
		return int(q.values[1+k])
	}
	return int(binary.BigEndian.Uint16(q.values[1+2*k:]))
}

// samples writes a block's 8 rows of 8 samples.
func (b *block) samples(dst []uint8, stride int, q *quantizer) {
	var across [8][8]float32 // rows of frequencies down, of samples across
	rows := 0                // that aren't zero
	for k, v := range b {
		if v == 0 {
			continue
		}
		down, f := zigzag[k]/8, zigzag[k]%8
		rows = max(rows, down+1)
		scaled := float32(int(v) * q.of(k))
		for x := range across[down] {
			across[down][x] += scaled * cosines[x][f]
		}
	}
	for y := range 8 {
		var line [8]float32
		for f := range rows {
			for x, v := range across[f] {
				line[x] += v * cosines[y][f]
			}
		}
		for x, v := range line {
			const middle = 128.5
			dst[y*stride+x] = uint8(min(max(v+middle, 0), 255))
		}
	}
}
