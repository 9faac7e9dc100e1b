package mediafile_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"slices"
	"strings"
	"testing"

	"missiond/internal/mediafile"
	"missiond/internal/mediafile/mediatest"
	"missiond/mission"
)

// decoded returns a JPEG's pixels.
func decoded(t *testing.T, data []byte) image.Image {
	t.Helper()
	img, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// isNear reports whether a pixel has a color, but for what JPEG loses.
func isNear(c color.Color, r, g, b uint8) bool {
	cr, cg, cb, _ := c.RGBA()
	near := func(x uint32, y uint8) bool { return max(int(x>>8), int(y))-min(int(x>>8), int(y)) <= 12 }
	return near(cr, r) && near(cg, g) && near(cb, b)
}

func TestPlainJPEGPasses(t *testing.T) {
	harmless := mediatest.WithSegments(mediatest.JPEG(60, 40),
		mediatest.EXIFSegment(mediatest.EXIF(1, false)), mediatest.XMPSegment(mediatest.XMP("trainedAlgorithmicMedia", "A Studio", "© A Studio")),
		mediatest.C2PASegment(mediatest.C2PA("trainedAlgorithmicMedia")), mediatest.IPTCSegment(mediatest.IPTC("Other", "Other")))
	for name, data := range map[string][]byte{"plain": mediatest.JPEG(60, 40), "with what is harmless": harmless} {
		t.Run(name, func(t *testing.T) {
			res, made := processed(t, data, plain)
			if want := (mediafile.Facts{Kind: mission.MediaImage, ContentType: mission.TypeJPEG, Width: 60, Height: 40, Frames: 1, Provenance: res.Provenance}); res.Facts != want {
				t.Errorf("got %+v", res.Facts)
			}
			if !bytes.Equal(made["plain"].Bytes(), data) {
				t.Error("it was made anew")
			}
		})
	}
	res, _ := processed(t, harmless)
	want := mission.Provenance{AI: mission.AIDetected, SourceType: "trainedAlgorithmicMedia", C2PA: true, Credit: "A Studio", Copyright: "© A Studio"}
	if res.Provenance != want {
		t.Errorf("provenance %+v, want %+v", res.Provenance, want)
	}
}

// What is private isn't in what is made, and what says where a picture comes from is.
func TestPrivateIsRemoved(t *testing.T) {
	xmp := mediatest.XMPSegment(mediatest.XMP("digitalCapture", "A & B", "© A"))
	thumbnail := mediatest.Segment(0xe0, append([]byte("JFXX\x00\x10"), mediatest.JPEG(8, 8)...))
	noted := strings.Replace(string(mediatest.XMP("digitalCapture", "A & B", "© A")), "rdf:about", `aux:SerialNumber="`+mediatest.Serial+`" rdf:about`, 1)
	for name, segments := range map[string][][]byte{
		"EXIF":       {mediatest.EXIFSegment(mediatest.EXIF(1, true)), xmp},
		"a comment":  {mediatest.Segment(0xfe, []byte(mediatest.Comment)), xmp},
		"thumbnail":  {thumbnail, xmp},
		"in XMP":     {mediatest.XMPSegment([]byte(noted))},
		"another":    {mediatest.Segment(0xec, []byte(mediatest.Owner)), xmp},
		"in C2PA":    {xmp, mediatest.C2PASegment(append(mediatest.C2PA("digitalCapture"), "exif:GPSLatitude "+mediatest.Serial...))},
		"other IPTC": {mediatest.IPTCSegment(append(mediatest.IPTC("", ""), "8BIM\x04\x0c\x00\x00\x00\x00\x00\x02hi"...)), xmp},
	} {
		t.Run(name, func(t *testing.T) {
			_, made := processed(t, mediatest.WithSegments(mediatest.JPEG(60, 40), segments...), plain)
			out := made["plain"].Bytes()
			for _, private := range []string{mediatest.Serial, mediatest.Owner, mediatest.Comment, mediatest.Model, "JFXX"} {
				if bytes.Contains(out, []byte(private)) {
					t.Errorf("%q is still there", private)
				}
			}
			again, _ := processed(t, out, plain)
			if want := (mission.Provenance{AI: mission.AINone, SourceType: "digitalCapture", Credit: "A & B", Copyright: "© A"}); again.Provenance != want {
				t.Errorf("what was made says %+v", again.Provenance)
			}
			if again.Made[0].Hash != hexHash(out) {
				t.Error("what was made is made anew again")
			}
		})
	}
}

func TestTrailingDataIsRemoved(t *testing.T) {
	_, made := processed(t, append(mediatest.JPEG(60, 40), "PK\x03\x04"+mediatest.Place...), plain)
	if bytes.Contains(made["plain"].Bytes(), []byte(mediatest.Place)) {
		t.Error("what follows the picture is still there")
	}
}

// The pixels of Pixels tell which corner is which.
func TestTurns(t *testing.T) {
	// Where the stored corners (top left, top right, bottom right, bottom left) are seen, clockwise
	// from the top left (EXIF 2.32, tag 0x0112).
	for orientation, corners := range map[uint16][4]int{1: {0, 1, 2, 3}, 2: {1, 0, 3, 2}, 3: {2, 3, 0, 1}, 4: {3, 2, 1, 0}, 5: {0, 3, 2, 1}, 6: {3, 0, 1, 2}, 7: {2, 1, 0, 3}, 8: {1, 2, 3, 0}} {
		res, made := processed(t, mediatest.PhoneJPEG(64, 32, orientation), plain)
		width, height := 64, 32
		if orientation >= 5 {
			width, height = 32, 64
		}
		img := decoded(t, made["plain"].Bytes())
		if res.Width != width || res.Height != height || img.Bounds().Dx() != width || img.Bounds().Dy() != height {
			t.Fatalf("%d: %d × %d, and %v", orientation, res.Width, res.Height, img.Bounds())
		}
		for i, at := range []image.Point{{1, 1}, {width - 2, 1}, {width - 2, height - 2}, {1, height - 2}} {
			red, green := [4]uint8{251, 7, 7, 251}[corners[i]], [4]uint8{8, 8, 247, 247}[corners[i]]
			if !isNear(img.At(at.X, at.Y), red, green, 128) {
				t.Errorf("%d: corner %d is %v, want red %d, green %d", orientation, i, img.At(at.X, at.Y), red, green)
			}
		}
	}
}

func TestKinds(t *testing.T) {
	for name, c := range map[string]struct {
		data          []byte
		kind          string
		width, height int
	}{
		"PNG":                {mediatest.PNG(50, 20), mission.TypePNG, 50, 20},
		"WebP":               {mediatest.WebP(), mission.TypeWebP, 1, 1},
		"a GIF of one frame": {mediatest.GIF(1), mission.TypeGIF, 32, 24},
	} {
		t.Run(name, func(t *testing.T) {
			res, made := processed(t, c.data, plain)
			if res.Kind != mission.MediaImage || res.ContentType != c.kind || res.Width != c.width || res.Height != c.height || res.Frames != 1 {
				t.Errorf("got %+v", res.Facts)
			}
			if size := decoded(t, made["plain"].Bytes()).Bounds(); size.Dx() != c.width || size.Dy() != c.height || res.Made[0].ContentType != mission.TypeJPEG {
				t.Errorf("made %v, %+v", size, res.Made[0])
			}
		})
	}
}

func TestWebPIsDecoded(t *testing.T) {
	_, made := processed(t, mediatest.WebP(), plain)
	if c := decoded(t, made["plain"].Bytes()).At(0, 0); !isNear(c, 200, 120, 40) {
		t.Errorf("its pixel is %v", c)
	}
}

func TestTransparencyIsWhite(t *testing.T) {
	_, made := processed(t, mediatest.TransparentPNG(64, 32), plain)
	img := decoded(t, made["plain"].Bytes())
	if !isNear(img.At(4, 16), 255, 255, 255) || !isNear(img.At(60, 16), 200, 0, 0) {
		t.Errorf("got %v and %v", img.At(4, 16), img.At(60, 16))
	}
}

func TestProvenanceOfEachKind(t *testing.T) {
	const synthetic = "compositeWithTrainedAlgorithmicMedia"
	packet, store := mediatest.XMP(synthetic, "C", "R"), mediatest.C2PA(synthetic)
	const xmpHead = "XML:com.adobe.xmp\x00\x00\x00\x00\x00"
	xmpText := append([]byte(xmpHead), packet...)
	hidden := append([]byte(xmpHead), mediatest.XMP("", "A\u200b &amp;\u202e B\ue000", "\u2028© C\U000e0041\u0085")...)
	all := mission.Provenance{AI: mission.AIDetected, SourceType: synthetic, C2PA: true, Credit: "C", Copyright: "R"}
	store1 := mission.Provenance{AI: mission.AIDetected, SourceType: synthetic, C2PA: true}
	for name, c := range map[string]struct {
		data []byte
		want mission.Provenance
	}{
		"PNG":            {mediatest.WithChunks(mediatest.PNG(9, 9), mediatest.PNGChunk("iTXt", xmpText), mediatest.PNGChunk("caBX", store)), all},
		"PNG, C2PA only": {mediatest.WithChunks(mediatest.PNG(9, 9), mediatest.PNGChunk("caBX", store)), store1},
		"WebP":           {webpWith(mediatest.Chunk("XMP ", packet), mediatest.Chunk("C2PA", store)), all},
		"IPTC alone":     {mediatest.WithSegments(mediatest.JPEG(9, 9), mediatest.IPTCSegment(mediatest.IPTC("C", "\xa9 R"))), mission.Provenance{AI: mission.AINone, Credit: "C", Copyright: "© R"}},
		"hidden":         {mediatest.WithChunks(mediatest.PNG(9, 9), mediatest.PNGChunk("iTXt", hidden)), mission.Provenance{AI: mission.AINone, Credit: "A & B", Copyright: "© C"}},
		"a video":        {mediatest.Movie{Duration: 1e9, Width: 64, Height: 48, More: slices.Concat(mediatest.XMPBox(packet), mediatest.C2PABox(store))}.Bytes(), all},
	} {
		t.Run(name, func(t *testing.T) {
			if res, _ := processed(t, c.data); res.Provenance != c.want {
				t.Errorf("got %+v", res.Provenance)
			}
		})
	}
}

func webpWith(chunks ...[]byte) []byte {
	const head = 12
	return mediatest.RIFF(append([][]byte{mediatest.WebP()[head:]}, chunks...)...)
}

func TestRules(t *testing.T) {
	rules := func(name string, r mission.PictureRules) mediafile.Picture {
		return mediafile.Picture{Name: name, Rules: r, FocusX: 0.5, FocusY: 0.5}
	}
	cropped := rules("cropped", mission.PictureRules{MinRatio: 0.8, MaxRatio: 1.91})
	cropped.Crop, cropped.FocusX = true, 0
	res, made := processed(t, mediatest.JPEG(1200, 300),
		rules("a", mission.PictureRules{MaxSide: 600}), rules("b", mission.PictureRules{MaxSide: 600, MaxBytes: 1 << 20}), rules("pixels", mission.PictureRules{MaxPixels: 10_000}),
		rules("small", mission.PictureRules{MaxBytes: 2_000}), rules("on white", mission.PictureRules{MinRatio: 0.8, MaxRatio: 1.91, MaxSide: 1000}), cropped, rules("same", mission.PictureRules{}))
	sizes := map[string][2]int{}
	for _, m := range res.Made {
		slices.Sort(m.Names)
		sizes[strings.Join(m.Names, " ")] = [2]int{m.Width, m.Height}
	}
	for names, want := range map[string][2]int{"a b": {600, 150}, "pixels": {200, 50}, "on white": {998, 523}, "cropped": {573, 300}, "same": {1200, 300}} {
		if sizes[names] != want {
			t.Errorf("%s: got %v, want %v; all: %v", names, sizes[names], want, sizes)
		}
	}
	if n := made["small"].Len(); n > 2_000 {
		t.Errorf("small has %d bytes", n)
	}
	if img := decoded(t, made["on white"].Bytes()); !isNear(img.At(500, 20), 255, 255, 255) || isNear(img.At(500, 262), 255, 255, 255) {
		t.Errorf("on white: %v above, %v in the middle", img.At(500, 20), img.At(500, 262))
	}
	if img := decoded(t, made["cropped"].Bytes()); !isNear(img.At(2, 2), 254, 2, 128) {
		t.Errorf("cropped: its left is %v", img.At(2, 2))
	}
}

// Whatever the sizes, a frame keeps its rules exactly.
func TestFrames(t *testing.T) {
	for _, c := range []mission.PictureRules{{MinRatio: 4.0 / 5, MaxRatio: 1.91, MaxSide: 1440}, {MaxRatio: 10, MaxSide: 1440}, {MaxPixels: 33_177_600}, {MaxPixels: 100_000, MinRatio: 0.5, MaxRatio: 2}} {
		for _, size := range [][2]int{{1, 1}, {1, 16_384}, {16_384, 1}, {4032, 3024}, {3024, 4032}, {1439, 1801}, {16_000, 3_000}, {7, 5}} {
			for _, crop := range []bool{false, true} {
				w, h, sw, sh := mediafile.FrameOf(size[0], size[1], mediafile.Picture{Rules: c, Crop: crop, FocusX: 1, FocusY: 1})
				ratio := float64(w) / float64(h)
				wrong := w < 1 || h < 1 || sw > w || sh > h || sw < 1 || sh < 1 ||
					c.MaxSide > 0 && max(w, h) > c.MaxSide || c.MaxPixels > 0 && int64(w)*int64(h) > c.MaxPixels ||
					c.MinRatio > 0 && ratio < c.MinRatio || c.MaxRatio > 0 && ratio > c.MaxRatio
				if wrong || crop && (sw != w || sh != h) {
					t.Errorf("%v, crop %t, %+v: %d × %d with %d × %d in it", size, crop, c, w, h, sw, sh)
				}
			}
		}
	}
}

// A GIF that moves ends after its last whole frame, whatever follows instead of its end.
func TestGIFWithoutItsEnd(t *testing.T) {
	data := mediatest.GIF(3)
	frames := data[:len(data)-1]
	for name, file := range map[string][]byte{
		"no end": frames, "no last block": frames[:len(frames)-1], "an unknown block": append(slices.Clone(frames), "\x99and more"...),
		"half an extension": append(slices.Clone(frames), "\x21\xfe\x30and"...), "the begin of one": append(slices.Clone(frames), 0x21), "zeros": append(slices.Clone(frames), 0, 0, 0x3b),
	} {
		if clean, n, err := mediafile.CleanGIF(file); err != nil || n != 3 || !bytes.Equal(clean, data) {
			t.Errorf("%s: %d bytes of %d, %d frames, %v", name, len(clean), len(data), n, err)
		}
	}
}

// A number of EXIF is a byte, of 16 bits or of 32, in either order.
func TestNumbersOfEXIF(t *testing.T) {
	const orientation, below = 0x0112, 0x8769
	block := func(order binary.AppendByteOrder, tag, kind uint16, value uint32) []byte {
		data := order.AppendUint16([]byte("II"), 42)
		if order == binary.AppendByteOrder(binary.BigEndian) {
			copy(data, "MM\x00\x2a")
		}
		data = order.AppendUint16(order.AppendUint32(data, 8), 1)
		data = order.AppendUint32(order.AppendUint16(order.AppendUint16(data, tag), kind), 1)
		switch kind {
		case 1, 2, 6, 7:
			data = append(data, byte(value), 0, 0, 0)
		case 3, 8:
			data = order.AppendUint16(order.AppendUint16(data, uint16(value)), 0)
		default:
			data = order.AppendUint32(data, value)
		}
		return append(data, make([]byte, 4+6)...) // no next directory, and an empty one
	}
	for kind := range uint16(14) {
		number := kind == 1 || kind == 3 || kind == 4
		for name, order := range map[string]binary.AppendByteOrder{"II": binary.LittleEndian, "MM": binary.BigEndian} {
			if got, _ := mediafile.AddEXIF(block(order, orientation, kind, 6)); (got == 6) != number || !number && got != 0 {
				t.Errorf("%s: an orientation of type %d is %d", name, kind, got)
			}
			if _, private := mediafile.AddEXIF(block(order, below, kind, 26)); private == number {
				t.Errorf("%s: a directory whose place is of type %d: private is %t", name, kind, private)
			}
		}
	}
}
