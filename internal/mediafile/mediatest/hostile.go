package mediatest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"missiond/internal/mediafile"
)

// Hostile is a file that somebody may send to do harm, or by mistake.
type Hostile struct {
	Name string
	Data []byte
	// Want is why it is refused; "" if it isn't, since it does no harm.
	Want mediafile.Code
}

// HostileFiles returns files that must neither harm the service nor be taken for what they
// aren't. Altogether they have some 60 MB.
func HostileFiles() []Hostile {
	return slices.Concat(strangers(), hostileJPEGs(), hostilePNGs(), hostileGIFs(), hostileWebPs(), hostileHEICs(), hostileVideos(), truncated())
}

const (
	damaged = mediafile.CodeDamaged
	pixels  = mediafile.CodePixels
	unknown = mediafile.CodeUnknownType
	codec   = mediafile.CodeCodec
)

// strangers are of other kinds.
func strangers() []Hostile {
	zip := []byte("PK\x03\x04\x14\x00\x00\x00\x08\x00")
	return []Hostile{
		{"empty", nil, unknown},
		{"one byte", []byte{0xff}, unknown},
		{"zeros", make([]byte, 100_000), unknown},
		{"SVG", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), unknown},
		{"HTML", []byte("<!doctype html><script>alert(1)</script>"), unknown},
		{"PDF", []byte("%PDF-1.7\n1 0 obj"), unknown},
		{"ZIP", zip, unknown},
		{"a program", append([]byte("\x7fELF\x02\x01\x01"), make([]byte, 200)...), unknown},
		{"BMP", append([]byte("BM"), make([]byte, 200)...), unknown},
		{"TIFF", append([]byte("II*\x00\x08\x00\x00\x00"), make([]byte, 200)...), unknown},
		{"WAV", []byte("RIFF\x24\x00\x00\x00WAVEfmt "), unknown},
		{"AVIF", Box("ftyp", []byte("avif\x00\x00\x00\x00avifmif1")), unknown},
		{"sound alone", slices.Concat(Box("ftyp", []byte("M4A \x00\x00\x00\x00M4A ")), Box("mdat")), unknown},
		{"GIF and script", append([]byte("GIF89a/*"), "*/=1;alert(1)"...), pixels},
		{"HTML with a PNG's start", append([]byte("\x89PNG\r\n\x1a\n"), "<script>alert(1)</script>"...), damaged},
		{"HTML with a JPEG's start", append([]byte("\xff\xd8\xff"), "<script>alert(1)</script>"...), damaged},
		{"JPEG and ZIP", append(JPEG(20, 20), zip...), ""},
		{"JPEG with HTML in a comment", WithSegments(JPEG(20, 20), Segment(0xfe, []byte("<script>alert(1)</script>"))), ""},
		{"PNG and HTML", append(PNG(20, 20), "<script>alert(1)</script>"...), ""},
		{"GIF and ZIP", append(GIF(2), zip...), ""},
	}
}

// frameHeader returns a JPEG's frame header that states a size in pixels.
func frameHeader(width, height uint16) []byte {
	return Segment(0xc0, []byte{8, byte(height >> 8), byte(height), byte(width >> 8), byte(width), 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1})
}

func hostileJPEGs() []Hostile {
	good := JPEG(20, 20)
	start, end := []byte{0xff, 0xd8}, []byte{0xff, 0xd9}
	scan := Segment(0xda, []byte{3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0})
	rare, twelve := frameHeader(7_000, 7_000), frameHeader(10, 10)
	rare[11], twelve[4] = 0x44, 12
	bomb := slices.Concat(start, frameHeader(65_535, 65_535), scan, end)
	many := binary.BigEndian.AppendUint32([]byte("MM\x00*"), 8)
	many = append(binary.BigEndian.AppendUint16(many, 65_535), bytes.Repeat([]byte("\x01\x00\x00\x04\x00\x00\x00\x01\x00\x00\x00\x01"), 5_000)...)
	loop := slices.Concat([]byte("MM\x00*\x00\x00\x00\x08\x00\x01\x87\x69\x00\x04\x00\x00\x00\x01\x00\x00\x00\x08"), []byte("\x00\x00\x00\x08"))
	var entries [][]byte
	for range 24 { // 5,000 entries a segment: 120,000
		entries = append(entries, EXIFSegment(many))
	}
	var profile [][]byte
	for i := range 160 {
		profile = append(profile, Segment(0xe2, append([]byte{'I', 'C', 'C', '_', 'P', 'R', 'O', 'F', 'I', 'L', 'E', 0, byte(i + 1), 160}, make([]byte, 65_000)...)))
	}
	deep := append([]byte(`<x:xmpmeta xmlns:x="adobe:ns:meta/">`), bytes.Repeat([]byte("<a>"), 20_000)...)
	entity := []byte(`<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]><x:xmpmeta xmlns:x="adobe:ns:meta/"><Credit>&c;&c;&c;</Credit></x:xmpmeta>`)
	return []Hostile{
		{"JPEG, 65,535 × 65,535", bomb, pixels},
		{"JPEG, 16,384 × 16,384", slices.Concat(start, frameHeader(16_384, 16_384), scan, end), pixels},
		{"JPEG, no rows", slices.Concat(start, frameHeader(100, 0), scan, end), damaged},
		{"JPEG, a header alone", slices.Concat(start, frameHeader(7_000, 7_000), end), damaged},
		{"JPEG, pixels that aren't there", slices.Concat(start, frameHeader(7_000, 7_000), scan, end), damaged},
		{"JPEG, two headers", slices.Concat(start, frameHeader(10, 10), frameHeader(60_000, 60_000), scan, end), damaged},
		{"JPEG, no picture", slices.Concat(start, end), damaged},
		{"JPEG, no end", good[:len(good)-2], ""},
		{"JPEG, pixels of a rare kind that aren't there", slices.Concat(start, rare, scan, end), damaged},
		{"JPEG, 12 bits", slices.Concat(start, twelve, scan, end), unknown},
		{"JPEG, a segment beyond the end", []byte("\xff\xd8\xff\xe1\xff\xff"), damaged},
		{"JPEG, a segment of no size", []byte("\xff\xd8\xff\xe1\x00\x00\xff\xd9"), damaged},
		{"JPEG, fill bytes", append(start, bytes.Repeat([]byte{0xff}, 1<<20)...), damaged},
		{"JPEG, a million restarts", slices.Concat(good[:len(good)-2], bytes.Repeat([]byte{0xff, 0xd0}, 1<<20), end), ""},
		{"JPEG, 100,000 segments", WithSegments(good, bytes.Repeat(Segment(0xfe, nil), 100_000)), ""},
		{"JPEG, 120,000 entries of EXIF", WithSegments(good, entries...), ""},
		{"JPEG, EXIF in a loop", WithSegments(good, EXIFSegment(loop)), ""},
		{"JPEG, EXIF beyond its end", WithSegments(good, EXIFSegment([]byte("MM\x00*\xff\xff\xff\xff"))), ""},
		{"JPEG, half of EXIF", WithSegments(good, EXIFSegment([]byte("II*\x00"))), ""},
		{"JPEG, an orientation of 9", WithSegments(good, EXIFSegment(EXIF(9, false))), ""},
		{"JPEG, a profile of 10 MB", WithSegments(good, profile...), ""},
		{"JPEG, a profile of lies", WithSegments(good, ICCSegment(append(make([]byte, 16), append([]byte("RGB "), bytes.Repeat([]byte{0xff}, 4_000)...)...))), ""},
		{"JPEG, deep XMP", WithSegments(good, XMPSegment(deep)), ""},
		{"JPEG, XMP with entities", WithSegments(good, XMPSegment(entity)), ""},
		{"JPEG, IPTC of lies", WithSegments(good, IPTCSegment([]byte("8BIM\x04\x04\x00\x00\xff\xff\xff\xff"))), ""},
		{"JPEG, C2PA of lies", WithSegments(good, C2PASegment([]byte("c2pa\x78\xffhttp://cv.iptc.org/newscodes/digitalsourcetype/"))), ""},
	}
}

// pngOf returns a PNG that states a size, with some compressed pixels.
func pngOf(width, height uint32, depth, kind byte, data []byte) []byte {
	head := append(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height), depth, kind, 0, 0, 0)
	return slices.Concat([]byte("\x89PNG\r\n\x1a\n"), PNGChunk("IHDR", head), PNGChunk("IDAT", data), PNGChunk("IEND", nil))
}

func hostilePNGs() []Hostile {
	good := PNG(20, 20)
	zeros := deflate(make([]byte, 30<<20))
	named := func(name string, data []byte) []byte { return append([]byte(name), data...) }
	giant := binary.BigEndian.AppendUint32([]byte("\x89PNG\r\n\x1a\n"), 0xffff_ffff)
	return []Hostile{
		{"PNG, 30,000 × 30,000", pngOf(30_000, 30_000, 8, 2, zeros), pixels},
		{"PNG, 4 billion wide", pngOf(0xffff_ffff, 1, 8, 2, zeros), pixels},
		{"PNG, no size", pngOf(0, 0, 8, 2, zeros), damaged},
		{"PNG, pixels that aren't there", pngOf(7_000, 7_000, 16, 6, zeros), damaged},
		{"PNG, more pixels than stated", pngOf(10, 10, 8, 2, zeros), ""},
		{"PNG, a chunk of 4 GB", append(giant, "IHDR"...), damaged},
		{"PNG, no header", slices.Concat([]byte("\x89PNG\r\n\x1a\n"), PNGChunk("IDAT", zeros), PNGChunk("IEND", nil)), damaged},
		{"PNG, two headers", WithChunks(good, PNGChunk("IHDR", make([]byte, 13))), damaged},
		{"PNG, a header of no size", slices.Concat([]byte("\x89PNG\r\n\x1a\n"), PNGChunk("IHDR", nil), PNGChunk("IEND", nil)), damaged},
		{"PNG, an unknown depth", pngOf(10, 10, 77, 2, zeros), damaged},
		{"PNG, 500,000 chunks", WithChunks(good, bytes.Repeat(PNGChunk("teXt", nil), 500_000)), ""},
		{"PNG, a profile that grows", WithChunks(good, PNGChunk("iCCP", named("p\x00\x00", zeros))), ""},
		{"PNG, XMP that grows", WithChunks(good, PNGChunk("iTXt", named("XML:com.adobe.xmp\x00\x01\x00\x00\x00", zeros))), ""},
		{"PNG, EXIF of lies", WithChunks(good, PNGChunk("eXIf", []byte("II*\x00\xff\xff\xff\x7f"))), ""},
		{"PNG, a wrong sum", slices.Concat(good[:32], []byte{good[32] + 1}, good[33:]), damaged},
	}
}

func hostileGIFs() []Hostile {
	screen := func(width, height uint16) []byte {
		return append(binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16([]byte("GIF89a"), width), height), 0x80, 0, 0, 0, 0, 0, 255, 255, 255)
	}
	image := []byte("\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x4c\x01\x00")
	one := slices.Concat(screen(1, 1), image)
	end := []byte{0x3b}
	return []Hostile{
		{"GIF, 65,535 × 65,535", slices.Concat(screen(65_535, 65_535), image, end), pixels},
		{"GIF, 100,000 frames", slices.Concat(screen(1, 1), bytes.Repeat(image, 100_000), end), pixels},
		{"GIF, frames of 7,000 × 7,000", slices.Concat(screen(7_000, 7_000), bytes.Repeat(image, 100), end), pixels},
		{"GIF, no frame", slices.Concat(screen(1, 1), end), damaged},
		{"GIF, a frame beyond its screen", slices.Concat(screen(1, 1), []byte("\x2c\xff\xff\xff\xff\xff\xff\xff\xff\x00\x02\x02\x4c\x01\x00"), end), damaged},
		{"GIF, no end", one, ""},
		{"GIF, a block of no kind", append(slices.Clone(one), 0x99), ""},
		{"GIF, a comment of 10 MB", slices.Concat(one, []byte("\x21\xfe"), bytes.Repeat(append([]byte{255}, make([]byte, 255)...), 40_000), []byte{0}, image, end), ""},
		{"GIF, a million extensions", slices.Concat(one, bytes.Repeat([]byte("\x21\xfe\x00"), 1_000_000), image, end), ""},
		{"GIF, codes of no size", slices.Concat(screen(1, 1), []byte("\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\xff\x02\x4c\x01\x00"), end), damaged},
	}
}

func hostileWebPs() []Hostile {
	extended := Chunk("VP8X", []byte("\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff"))
	lie := Chunk("VP8X", make([]byte, 10))
	return []Hostile{
		{"WebP, 16,777,216 wide", RIFF(extended, Chunk("VP8L", vp8l(1, 1))), pixels},
		{"WebP, a small canvas of a large picture", RIFF(lie, Chunk("VP8L", vp8l(16_000, 16_000))), pixels},
		{"WebP, pixels that aren't there", RIFF(Chunk("VP8L", vp8l(7_000, 7_000)[:6])), damaged},
		{"WebP, a lossy header alone", RIFF(Chunk("VP8 ", []byte("\x10\x00\x00\x9d\x01\x2a\x00\x10\x00\x10"))), damaged},
		{"WebP, no picture", RIFF(), damaged},
		{"WebP, a chunk of 4 GB", RIFF(append([]byte("VP8L"), 0xff, 0xff, 0xff, 0xff)), damaged},
		{"WebP, a file of 4 GB", append([]byte("RIFF\xff\xff\xff\xffWEBP"), make([]byte, 100)...), damaged},
		{"WebP, a million chunks", RIFF(bytes.Repeat(Chunk("what", nil), 1_000_000), Chunk("VP8L", vp8l(1, 1))), ""},
		{"WebP that moves", RIFF(lie, Chunk("ANIM", make([]byte, 6))), unknown},
	}
}

func hostileHEICs() []Hostile {
	brand := Box("ftyp", []byte("heic\x00\x00\x00\x00mif1heic"))
	sized := func(width, height uint32) []byte {
		return Box("meta", numbers(0), Box("iprp", Box("ipco", Box("ispe", numbers(0, width, height)))))
	}
	return []Hostile{
		{"HEIC, 4 billion wide", append(brand, sized(0xffff_ffff, 0xffff_ffff)...), pixels},
		{"HEIC, no picture", brand, damaged},
		{"HEIC, boxes in boxes", append(slices.Clone(brand), Box("meta", numbers(0), nested("iprp", 5_000))...), damaged},
		{"HEIC, a million boxes", append(slices.Clone(brand), bytes.Repeat(Box("free"), 1_000_000)...), damaged},
		{"HEIC, a box of no size", append(slices.Clone(brand), "\x00\x00\x00\x04meta"...), damaged},
	}
}

// nested returns boxes in one another.
func nested(kind string, depth int) []byte {
	var b []byte
	for range depth {
		b = Box(kind, b)
	}
	return b
}

func hostileVideos() []Hostile {
	good := Movie{Duration: time.Second, Width: 64, Height: 48}
	brand := Box("ftyp", []byte("isom\x00\x00\x00\x00isom"))
	data := Box("mdat", []byte("x"))
	most := numbers(0xffff_ffff)
	sizes := Box("stbl", Box("stts", numbers(0, 0xffff_ffff, 0xffff_ffff, 1)), Box("stsz", numbers(0, 1, 0xffff_ffff)), Box("stsc", numbers(0, 1, 1, 1, 1)), Box("stco", numbers(0, 1, 0)))
	samples := slices.Concat(brand, Box("moov", Box("mvhd", make([]byte, 100)), Box("trak", Box("mdia", Box("minf", sizes)))), data)
	movie := func(change func(*Movie)) []byte {
		m := good
		change(&m)
		return m.Bytes()
	}
	long := func(kind string, size uint64) []byte {
		return slices.Concat(brand, []byte("\x00\x00\x00\x01"), []byte(kind), binary.BigEndian.AppendUint64(nil, size))
	}
	files := []Hostile{
		{"MP4, 4 billion samples in 300 bytes", samples, unknown},
		{"MP4, a million free boxes", append(good.Bytes(), bytes.Repeat(Box("free"), 1_000_000)...), damaged},
		{"MP4, a million tracks", slices.Concat(brand, Box("moov", bytes.Repeat(Box("trak"), 1_000_000)), data), damaged},
		{"MP4, 300,000 fragments", append(good.Bytes(), bytes.Repeat(Box("moof"), 300_000)...), damaged},
		{"MP4, a million boxes in an index", movie(func(m *Movie) { m.Private = bytes.Repeat(Box("abcd"), 1_000_000) }), damaged},
		{"MP4, boxes in boxes", slices.Concat(brand, Box("moov", Box("trak", nested("mdia", 20_000))), data), damaged},
		{"MP4, 4 billion samples in a fragment", movie(func(m *Movie) {
			m.Fragments, m.More = 1, Box("moof", Box("traf", Box("tfhd", numbers(0, 1)), Box("trun", numbers(0x100, 0xffff_ffff))))
		}), damaged},
		{"MP4, no index", slices.Concat(brand, data), damaged},
		{"MP4, two indexes", append(good.Bytes(), good.index()...), damaged},
		{"MP4, a fragment first", slices.Concat(brand, Box("moof"), data), damaged},
		{"MP4, no pictures", slices.Concat(brand, good.index()), damaged},
		{"MP4, an index of 4 GB", append(slices.Clone(brand), "\xff\xff\xff\xffmoov"...), damaged},
		{"MP4, an index of 40 MB", slices.Concat(brand, Box("moov", make([]byte, 40<<20)), data), mediafile.CodeTooLarge},
		{"MP4, no time", movie(func(m *Movie) { m.Duration = 0 }), damaged},
		{"MP4, for ever", movie(func(m *Movie) { m.Duration = 0xffff_fff0 * time.Millisecond }), damaged},
		{"MP4, 65,535 × 65,535", movie(func(m *Movie) { m.Width, m.Height = 65_535, 65_535 }), pixels},
		{"MP4, no size", movie(func(m *Movie) { m.Width, m.Height = 0, 0 }), damaged},
		{"MP4, VP9", movie(func(m *Movie) { m.Format = "vp09" }), codec},
		{"MP4, encrypted", movie(func(m *Movie) { m.Format = "encv" }), codec},
		{"MP4, sound as AC-3", movie(func(m *Movie) { m.Sound = "ac-3" }), codec},
		{"MP4, a compressed index", movie(func(m *Movie) { m.Private = Box("cmov") }), codec},
		{"MP4, a track of places", movie(func(m *Movie) { m.Tracks = []Track{{Handler: "meta", Format: "gpmd"}} }), ""},
		{"MP4, a track of places that shares its samples", movie(func(m *Movie) {
			m.Private = good.track(3, Track{Handler: "meta"}, 1, Box("stbl", Box("stsd", numbers(0, 1), Box("gpmd")), Box("stsz", numbers(0, 1, 60)), Box("stsc", numbers(0, 1, 1, 60, 1)), Box("stco", numbers(0, 1, 40))))
			m.Last = true
		}), mediafile.CodePrivate},
		{"MP4, a track without samples", movie(func(m *Movie) {
			m.Sound, m.Private = "-", good.track(3, Track{Handler: "soun"}, 1, Box("stbl", Box("stsd", numbers(0, 0))))
		}), damaged},
		{"MP4, a header of lies", slices.Concat(brand, Box("moov", Box("mvhd", []byte{1}), Box("trak", Box("tkhd", most), Box("mdia", Box("mdhd"), Box("hdlr"), Box("minf", Box("stbl", Box("stsd")))))), data), unknown},
	}
	for _, size := range []uint64{0, 1, 15, 1 << 31, 1 << 62, 1<<63 - 1, 1<<64 - 8, 1<<64 - 1} {
		files = append(files, Hostile{fmt.Sprintf("MP4, a box of %d bytes", size), long("moov", size), damaged})
	}
	return files
}

// truncated are good files that end too early.
func truncated() []Hostile {
	webp := WebP()
	all := []Hostile{{"WebP, half of it", webp[:len(webp)/2], damaged}, {"WebP, all but the last byte", webp[:len(webp)-1], damaged}}
	for name, file := range map[string][]byte{"JPEG": PhoneJPEG(40, 30, 6), "PNG": PNG(40, 30), "GIF": GIF(2), "MP4": MP4(time.Second, 64, 48)} {
		for _, share := range []int{25, 50, 75, 80} {
			all = append(all, Hostile{fmt.Sprintf("%s, %d %% of it", name, share), file[:len(file)*share/100], damaged})
		}
	}
	movie := Movie{Duration: time.Second, Width: 64, Height: 48, Last: true}
	file := movie.Bytes()
	for at, i := 24, 1; at < len(file); i++ {
		all = append(all, Hostile{fmt.Sprintf("MP4 within its box %d", i), file[:at+8], damaged})
		at += int(binary.BigEndian.Uint32(file[at:]))
	}
	return all
}
