package mediafile

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// heicPicture is what is needed to decode the picture of a HEIC.
type heicPicture struct {
	// id are the bytes of the file that name the picture: the item that is decoded.
	id []byte
	// opacity is the item that has the opacity of the picture; 0 if there is none.
	opacity uint32
	// premultiplied reports whether colors were multiplied by it.
	premultiplied bool
	// matrix says how colors became luma and chroma (ITU-T H.273, table 4), full whether they use all values.
	matrix int
	full   bool
	// grey reports whether it has no color.
	grey bool
}

// heicScan reads the boxes of a HEIC (ISO/IEC 23008-12 and 14496-12).
type heicScan struct {
	scan

	walk       boxWalk
	properties []box
	of         map[uint32][]int // the properties of an item, by their index from 1
	references []heicReference
	kinds      map[uint32]uint32 // of an item, by four letters
}

// heicReference is from an item to others.
type heicReference struct {
	kind string
	from uint32
	to   []uint32
}

// opacityNames are how an item says that it is the opacity of another.
var opacityNames = []string{"urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"}

// scanHEIC reads the properties of a HEIC's pictures: the size of the largest, the colors of the one that is shown,
// and what is said of its making. Its turn is applied by the decoder.
func scanHEIC(file []byte) (scan, error) {
	s := heicScan{scan: scan{plain: true, channels: 3}, of: map[uint32][]int{}, kinds: map[uint32]uint32{}}
	err := s.walk.each(file, 0, func(b box) error {
		switch b.kind {
		case "meta":
			return s.boxes(b, 1)
		case "moov":
			return refuse(CodeUnknownType, "A HEIC that moves can't be used: a GIF or a video can.")
		case "uuid":
			if after, ok := bytes.CutPrefix(b.inside, c2paBox); ok {
				s.meta.addC2PA(after)
			}
		}
		return nil
	})
	if err == nil && s.width == 0 {
		err = damaged("it has no picture")
	}
	if err == nil {
		err = s.picture()
	}
	s.meta.addXMP(embeddedXMP(file))
	return s.scan, err
}

// boxes reads the boxes in another one: meta, iinf, iprp, ipco or iref.
func (s *heicScan) boxes(in box, depth int) error {
	data := in.inside
	head := map[string]int{"meta": 4, "iref": 4, "iinf": 6}[in.kind]
	if in.kind == "iinf" && len(data) > 0 && data[0] > 0 {
		head = 8
	}
	if len(data) < head {
		return damaged("a box is too short")
	}
	data = data[head:]
	return s.walk.each(data, depth, func(b box) error {
		switch {
		case in.kind == "ipco":
			s.properties = append(s.properties, b)
			return s.size(b)
		case in.kind == "iref":
			s.reference(b, in.inside[0] > 0)
		case in.kind == "iinf":
			s.entry(b.inside)
		case slices.Contains([]string{"iinf", "iprp", "ipco", "iref"}, b.kind):
			return s.boxes(b, depth+1)
		case b.kind == "pitm":
			s.primary(b.inside)
		case b.kind == "ipma":
			s.associations(b.inside)
		}
		return nil
	})
}

// size notes how large a picture is.
func (s *heicScan) size(b box) error {
	const size = 12
	if b.kind != "ispe" {
		return nil
	}
	if len(b.inside) < size {
		return damaged("a box is too short")
	}
	s.atLeast(int(binary.BigEndian.Uint32(b.inside[4:])), int(binary.BigEndian.Uint32(b.inside[8:])))
	return nil
}

// primary notes which item is shown.
func (s *heicScan) primary(inside []byte) {
	const head, short, long = 4, 2, 4
	size := short
	if len(inside) > 0 && inside[0] > 0 {
		size = long
	}
	if len(inside) >= head+size {
		s.heic.id = inside[head : head+size]
	}
}

// property returns a property by its index; a box of no kind if there is none.
func (s *heicScan) property(index int) box {
	if index >= 1 && index <= len(s.properties) {
		return s.properties[index-1]
	}
	return box{}
}

// entry notes the kind of an item.
func (s *heicScan) entry(inside []byte) {
	r := reader{data: inside}
	version := r.number(4) >> 24
	item := r.id(version > 2)
	r.number(2)
	s.kinds[item] = r.number(4)
}

// associations notes which items have which properties. What is cut off isn't noted.
func (s *heicScan) associations(inside []byte) {
	r := reader{data: inside}
	head := r.number(4)
	long, wide := head>>24 > 0, head&1 > 0
	for n := r.number(4); n > 0 && !r.short; n-- {
		item := r.id(long)
		for of := r.number(1); of > 0 && !r.short; of-- {
			index := int(r.number(1) & 0x7f) // the other bit says that it is essential
			if wide {
				index = index<<8 | int(r.number(1))
			}
			s.of[item] = append(s.of[item], index)
		}
	}
}

// reference notes a reference, whose items have long names or short ones.
func (s *heicScan) reference(b box, long bool) {
	r := reader{data: b.inside}
	all := heicReference{kind: b.kind, from: r.id(long)}
	for n := r.number(2); n > 0 && !r.short; n-- {
		all.to = append(all.to, r.id(long))
	}
	s.references = append(s.references, all)
}

// reader reads numbers; short reports whether there were too few bytes, which are 0.
type reader struct {
	data  []byte
	short bool
}

func (r *reader) number(size int) (v uint32) {
	if len(r.data) < size {
		r.data, r.short = nil, true
		return 0
	}
	for _, b := range r.data[:size] {
		v = v<<8 | uint32(b)
	}
	r.data = r.data[size:]
	return v
}

func (r *reader) id(long bool) uint32 {
	if long {
		return r.number(4)
	}
	return r.number(2)
}

// picture finds what belongs to the picture that is shown: its opacity and its colors.
func (s *heicScan) picture() error {
	r := reader{data: s.heic.id}
	primary := r.id(len(s.heic.id) > 2)
	s.heic.grey = s.isGrey(primary)
	s.color()
	for _, ref := range s.references {
		for _, to := range ref.to {
			switch {
			case ref.kind == "auxl" && to == primary && s.isOpacity(ref.from):
				s.heic.opacity = ref.from
			case ref.kind == "prem" && ref.from == primary:
				s.heic.premultiplied = true
			}
		}
	}
	const unstated = 2
	s.heic.matrix, s.heic.full = unstated, true
	own := s.colorBoxes(func(index int) bool { return s.has(primary, index) })
	if len(own) == 0 { // those of the tiles that it is made of
		own = s.colorBoxes(func(index int) bool { return !s.has(s.heic.opacity, index) })
	}
	for _, b := range own {
		if err := s.colorBox(b); err != nil {
			return err
		}
	}
	const grid, overlay = 0x67726964, 0x696f766c
	if kind := s.kinds[primary]; kind == grid || kind == overlay { // libheif 1.18.2 makes these in red, green and blue first
		s.heic.matrix, s.heic.full = unstated, true
	}
	return nil
}

func (s *heicScan) has(item uint32, index int) bool {
	return slices.Contains(s.of[item], index)
}

// isOpacity reports whether an item says that it is the opacity of another.
func (s *heicScan) isOpacity(item uint32) bool {
	const head = 4
	for _, of := range s.of[item] {
		b := s.property(of)
		if b.kind != "auxC" || len(b.inside) < head {
			continue
		}
		name, _, _ := bytes.Cut(b.inside[head:], []byte{0})
		if slices.Contains(opacityNames, string(name)) {
			return true
		}
	}
	return false
}

// colorBoxes returns what is said of colors: a profile, codes, or both.
func (s *heicScan) colorBoxes(of func(index int) bool) (all [][]byte) {
	const kind = 4
	for i, b := range s.properties {
		if b.kind == "colr" && len(b.inside) >= kind && of(i+1) {
			all = append(all, b.inside)
		}
	}
	return all
}

// colorBox notes a profile, which precedes, or codes of H.273. What the codes don't state is sRGB; so are the curves of cameras and
// television, which Chromium takes for sRGB's in pictures of this family (AVIF), though not in PNG.
func (s *heicScan) colorBox(inside []byte) (err error) {
	const kind, codes, unstated, srgbPrimaries, srgbTransfer = 4, 11, 2, 1, 13
	television := []int{unstated, 1, 6, 14, 15}
	switch string(inside[:kind]) {
	case "prof", "rICC":
		s.meta.profile = inside[kind:]
	case "nclx":
		if len(inside) < codes {
			return damaged("a box is too short")
		}
		number := func(at int) int { return int(binary.BigEndian.Uint16(inside[at:])) }
		primary, transfer := number(4), number(6)
		s.heic.matrix, s.heic.full = number(8), inside[10]&0x80 > 0
		if primary == unstated {
			primary = srgbPrimaries
		}
		if slices.Contains(television, transfer) {
			transfer = srgbTransfer
		}
		s.encoding, err = codedColors(primary, transfer)
	}
	return err
}

// ycc returns how luma and chroma become colors by a matrix of H.273, table 4; where it isn't stated, by that of BT.601.
func (p heicPicture) ycc() (*ycc, error) {
	shares := map[int][2]float64{
		1: {0.2126, 0.0722}, 2: {0.299, 0.114}, 4: {0.30, 0.11}, 5: {0.299, 0.114}, 6: {0.299, 0.114}, 7: {0.212, 0.087}, 9: {0.2627, 0.0593},
	}
	of, ok := shares[p.matrix]
	if !ok {
		return nil, refuse(CodeUnknownType, "The HEIC has its colors in a form that can't be used (matrix %d): export it as a JPEG.", p.matrix)
	}
	return newYCC(of[0], of[1], p.full), nil
}

// color makes grey pictures colored ones without color: libheif 1.18.2 doesn't put grey tiles together. What they are is still
// noted in what is coded, which it looks at first.
func (s *heicScan) color() {
	const format, mask, color, channels = 16, 3, 1, 4 // of a configuration record of HEVC; of pixi
	for _, b := range s.properties {
		switch {
		case b.kind == "hvcC" && len(b.inside) > format && b.inside[format]&mask == 0:
			b.inside[format] |= color
		case b.kind == "pixi" && len(b.inside) > channels && b.inside[channels] == 1:
			copy(b.whole[4:], "free")
		}
	}
}

// isGrey reports whether an item, or what it is made of, is coded in grey.
func (s *heicScan) isGrey(item uint32) bool {
	const format, mask = 16, 3
	for _, of := range s.of[item] {
		if b := s.property(of); b.kind == "hvcC" && len(b.inside) > format {
			return b.inside[format]&mask == 0
		}
	}
	for _, ref := range s.references {
		if ref.kind == "dimg" && ref.from == item && len(ref.to) > 0 && ref.to[0] != item {
			return slices.ContainsFunc(s.of[ref.to[0]], func(of int) bool {
				b := s.property(of)
				return b.kind == "hvcC" && len(b.inside) > format && b.inside[format]&mask == 0
			})
		}
	}
	return false
}
