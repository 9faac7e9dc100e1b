package mediafile_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/gif"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"missiond/internal/mediafile"
	"missiond/internal/mediafile/mediatest"
)

// otherJPEGs returns JPEGs of encoders that Go hasn't: progressive, with restarts, a scan for each component.
// libjpeg-turbo 2.1.5 made them: cjpeg -quality 60 -sample 2x2 -progressive; cjpeg -quality 60 -sample 2x1 -optimize
// -restart 1; and jpegtran -scans of the latter, of a script "0; 1; 2;".
func otherJPEGs(t testing.TB) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, name := range []string{"progressive", "restarts", "scans"} {
		data, err := os.ReadFile(filepath.Join("testdata", name+".jpg"))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = data
	}
	return all
}

// rareJPEGs returns JPEGs that Go's decoder refuses, and browsers show.
func rareJPEGs() map[string][]byte {
	patches := [][]uint8{{76, 85, 255}, {150, 44, 21}}
	const none = -1
	return map[string][]byte{
		"sampled":              mediatest.Sampled{Factors: []byte("\x22\x11\x12"), Transform: none}.JPEG(patches...),
		"sampled, restarts":    mediatest.Sampled{Factors: []byte("\x21\x12\x11"), Transform: none, Restart: 2}.JPEG(patches...),
		"sampled, alone":       mediatest.Sampled{Factors: []byte("\x22\x11\x11"), Transform: none, Restart: 9, Alone: true}.JPEG(patches...),
		"sampled, progressive": mediatest.Sampled{Factors: []byte("\x41\x21\x11"), Transform: none, Restart: 5, Progressive: true}.JPEG(patches...),
	}
}

// cleanJPEGs returns JPEGs that have nothing private, as cameras, editors and encoders make them.
func cleanJPEGs(t testing.TB) map[string][]byte {
	t.Helper()
	all := otherJPEGs(t)
	maps.Copy(all, rareJPEGs())
	good := mediatest.JPEG(60, 40)
	all["plain"] = good
	profile := profileOf("desc", []byte("desc\x00\x00\x00\x00\x00\x00\x00\x05sRGB\x00"))
	half := len(profile) / 2
	for name, segments := range map[string][][]byte{
		"JFIF":               {mediatest.Segment(0xe0, []byte("JFIF\x00\x01\x01\x01\x00\x48\x00\x48\x00\x00"))},
		"Adobe":              {mediatest.Segment(0xee, []byte("Adobe\x00\x64\x80\x00\x00\x00\x01"))},
		"saved for the web":  {mediatest.Segment(0xec, []byte("Ducky\x00\x01\x00\x04\x00\x00\x00\x3c\x00\x00")), mediatest.Segment(0xee, []byte("Adobe\x00\x64\xc0\x00\x00\x00\x01"))},
		"upright":            {mediatest.EXIFSegment(mediatest.EXIF(1, false))},
		"XMP":                {mediatest.XMPSegment([]byte("<?xpacket begin=\"\ufeff\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>" + string(mediatest.XMP("digitalCapture", "A", "B")) + strings.Repeat(" ", 100) + "\n<?xpacket end=\"w\"?>"))},
		"a profile in parts": {part(1, 2, profile[:half]), part(2, 2, profile[half:])},
		"IPTC":               {mediatest.IPTCSegment(iptc("\x1c\x01\x5a\x00\x03\x1b%G\x1c\x02\x00\x00\x02\x00\x04\x1c\x02\x6e\x00\x01A"))},
		"fill bytes":         {{0xff, 0xff, 0xff}},
	} {
		all[name] = mediatest.WithSegments(good, segments...)
	}
	return all
}

// part returns a segment with the n-th of several parts of a color profile.
func part(n, of byte, data []byte) []byte {
	return mediatest.Segment(0xe2, append([]byte{'I', 'C', 'C', '_', 'P', 'R', 'O', 'F', 'I', 'L', 'E', 0, n, of}, data...))
}

// profileOf returns a color profile of sRGB's primaries (IEC 61966-2-1, adapted to D50) with one more tag.
func profileOf(tag string, content []byte) []byte {
	const head, entry = 132, 12
	data := mediatest.MatrixProfile(mediatest.Primaries{0.4360, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7141}, mediatest.SRGBCurve())
	n := binary.BigEndian.Uint32(data[head-4:])
	for i := range int(n) { // what they say is a further entry's length behind
		at := data[head+entry*i+4:]
		binary.BigEndian.PutUint32(at, binary.BigEndian.Uint32(at)+entry)
	}
	binary.BigEndian.PutUint32(data[head-4:], n+1)
	more := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte(tag), uint32(len(data)+entry)), uint32(len(content)))
	return append(slices.Insert(data, head+entry*int(n), more...), content...)
}

// iptc returns Photoshop's resources with IPTC's datasets.
func iptc(sets string) []byte {
	block := binary.BigEndian.AppendUint32([]byte("8BIM\x04\x04\x00\x00"), uint32(len(sets)))
	return append(append(block, sets...), make([]byte, len(sets)%2)...)
}

// exifOf returns a block of EXIF of one directory: entries of 12 bytes, little-endian, and what follows it.
func exifOf(entries string, next uint32, after ...[]byte) []byte {
	block := binary.LittleEndian.AppendUint16([]byte("II*\x00\x08\x00\x00\x00"), uint16(len(entries)/12))
	return slices.Concat(binary.LittleEndian.AppendUint32(append(block, entries...), next), slices.Concat(after...))
}

// plantedJPEGs returns JPEGs with a secret in each place that there is beside the pixels.
func plantedJPEGs(t testing.TB) map[string][]byte {
	t.Helper()
	all, good := map[string][]byte{}, mediatest.JPEG(60, 40)
	add := func(name string, segments ...[]byte) { all[name] = mediatest.WithSegments(good, segments...) }
	for marker := range 0xff {
		if marker > 1 && marker < 0xd0 || marker > 0xd9 {
			add("a segment "+string("0123456789abcdef"[marker>>4])+string("0123456789abcdef"[marker&15]), mediatest.Segment(byte(marker), encoded()))
		}
	}
	for name, begins := range map[string]string{
		"JFIF with a thumbnail": "\xe0JFIF\x00\x01\x01\x01\x00\x48\x00\x48\x08\x08", "JFIF that is longer": "\xe0JFIF\x00\x01\x01\x01\x00\x48\x00\x48\x00\x00", "JFXX": "\xe0JFXX\x00\x10",
		"Adobe that is longer": "\xeeAdobe\x00\x64\x80\x00\x00\x00\x01", "Ducky with a comment": "\xecDucky\x00\x02\x00\x40", "MPF": "\xe2MPF\x00II*\x00", "FlashPix": "\xe2FPXR\x00", "extended XMP": "\xe1http://ns.adobe.com/xmp/extension/\x00",
		"JPEG XT": "\xebJP\x00\x01\x00\x00\x00\x01\x00\x00\x00\x40jumb", "C2PA with text": "\xebJP\x00\x01\x00\x00\x00\x01\x00\x00\x00\x40jumbc2pa", "a comment": "\xfe", "tables of quantization": "\xdb\x03", "codes": "\xc4\x13",
		"restarts that are longer": "\xdd\x00\x00", "what defines lines": "\xdc\x00\x10", "Photoshop": "\xedPhotoshop 3.0\x008BIM\x04\x0c\x00\x00\x00\x00\x00\x40", "its end": "\xedPhotoshop 3.0\x00",
		"a resource's name": "\xedPhotoshop 3.0\x008BIM\x04\x0a\x40",
	} {
		add(name, mediatest.Segment(begins[0], append([]byte(begins[1:]), encoded()...)))
	}
	text := string(encoded())
	size := string([]byte{byte(len(text) >> 8), byte(len(text))})
	store := mediatest.C2PA("digitalCapture")
	labeled := func(label string, box []byte) []byte {
		return mediatest.C2PASegment(mediatest.Box("jumb", mediatest.Box("jumd", []byte("c2pa\x00\x11\x00\x10\x80\x00\x00\xaa\x00\x38\x9b\x71\x03c2pa\x00")), mediatest.Box("jumb", mediatest.Box("jumd", []byte("c2ma\x00\x11\x00\x10\x80\x00\x00\xaa\x00\x38\x9b\x71\x03urn:uuid:1\x00")),
			mediatest.Box("jumb", mediatest.Box("jumd", []byte("json\x00\x11\x00\x10\x80\x00\x00\xaa\x00\x38\x9b\x71\x03"+label+"\x00")), box))))
	}
	xmp := string(mediatest.XMP("digitalCapture", "A", "B"))
	profile := profileOf("desc", []byte("desc\x00\x00\x00\x00\x00\x00\x00\x05sRGB\x00"))
	for name, segment := range map[string][]byte{
		"EXIF, nothing refers to it": mediatest.EXIFSegment(append(mediatest.EXIF(1, false), encoded()...)),
		"EXIF, a comment":            mediatest.EXIFSegment(mediatest.EXIFComment("ASCII\x00\x00\x00" + text)),
		"EXIF, of a number":          mediatest.EXIFSegment(exifOf("\x03\x01\x03\x00\x00\x01\x00\x00\x1a\x00\x00\x00", 0, make([]byte, 512-len(text)), encoded())),
		"EXIF, a second directory":   mediatest.EXIFSegment(exifOf("\x12\x01\x03\x00\x01\x00\x00\x00\x01\x00\x00\x00", 26, []byte("\x00\x00\x00\x00\x00\x00"), encoded())),
		"EXIF, before its directory": mediatest.EXIFSegment(slices.Concat([]byte("II*\x00"), binary.LittleEndian.AppendUint32(nil, uint32(8+len(text))), encoded(), []byte("\x00\x00\x00\x00\x00\x00"))),
		"XMP, an instruction":        mediatest.XMPSegment([]byte("<?secret " + text + "?>" + xmp)),
		"XMP, the packet's":          mediatest.XMPSegment([]byte(`<?xpacket begin="" id="` + secret + `"?>` + xmp)),
		"XMP, a declaration":         mediatest.XMPSegment([]byte(`<!DOCTYPE a "` + secret + `">` + xmp)),
		"XMP, a comment":             mediatest.XMPSegment([]byte(xmp + "<!-- " + secret + "-->")),
		"XMP, after it":              mediatest.XMPSegment([]byte(xmp + secret)),
		"XMP, between properties":    mediatest.XMPSegment([]byte(strings.Replace(xmp, "</rdf:Description>", secret+"</rdf:Description>", 1))),
		"XMP, a namespace":           mediatest.XMPSegment([]byte(strings.Replace(xmp, `xmlns:dc=`, `xmlns:secret="http://`+secret+`" xmlns:dc=`, 1))),
		"XMP, what it is about":      mediatest.XMPSegment([]byte(strings.Replace(xmp, `rdf:about=""`, `rdf:about="`+secret+`"`, 1))),
		"XMP, an unknown property":   mediatest.XMPSegment([]byte(strings.Replace(xmp, `rdf:about=""`, `rdf:about="" xmp:Secret="`+secret+`"`, 1))),
		"IPTC, record 1":             mediatest.IPTCSegment(iptc("\x1c\x01\x1e" + size + text)),
		"IPTC, a place":              mediatest.IPTCSegment(iptc("\x1c\x02\x5a" + size + text)),
		"IPTC, after its end":        mediatest.IPTCSegment(iptc("\x1c\x02\x00\x00\x02\x00\x04" + text)),
		"IPTC, beyond its end":       mediatest.IPTCSegment(iptc("\x1c\x02\x05\x7f\xff" + text)),
		"a profile's fifth of nine":  part(5, 9, encoded()),
		"a profile's part 0":         slices.Concat(part(1, 1, profile), part(0, 1, encoded())),
		"a profile's part again":     slices.Concat(part(1, 1, profile), part(1, 1, encoded())),
		"a profile's part too many":  slices.Concat(part(1, 1, profile), part(2, 1, encoded())),
		"a profile's end":            part(1, 1, append(slices.Clone(profile), encoded()...)),
		"a profile's unknown tag":    part(1, 1, profileOf("mmod", encoded())),
		"C2PA, after it":             mediatest.C2PASegment(append(slices.Clone(store), encoded()...)),
		"C2PA, a place":              labeled("c2pa.location.broad", mediatest.Box("cbor", encoded())),
		"C2PA, somebody's assertion": labeled("org.example.secret", mediatest.Box("json", encoded())),
		"C2PA, a box":                labeled("c2pa.actions", mediatest.Box("uuid", encoded())),
		"C2PA, a thumbnail":          labeled("c2pa.thumbnail.claim.jpeg", mediatest.Box("bidb", mediatest.WithSegments(good, mediatest.Segment(0xfe, encoded())))),
		"C2PA, metadata":             labeled("c2pa.metadata", mediatest.Box("json", []byte(`{"@context":{"x":"http://x"},"x:Secret":"`+secret+`"}`))),
		"C2PA, GPS":                  labeled("stds.exif", mediatest.Box("json", []byte(`{"exif:GPSLatitude":"`+secret+`"}`))),
	} {
		add(name, segment)
	}
	all["after its end"] = append(slices.Clone(good), encoded()...)
	for name, file := range cleanJPEGs(t) {
		all["after the last unit, "+name] = slices.Concat(file[:len(file)-2], encoded(), file[len(file)-2:])
		all["without an end, "+name] = append(slices.Clone(file[:len(file)-2]), encoded()...)
		all["between segments, without a marker, "+name] = mediatest.WithSegments(file, encoded())
		all["between segments, "+name] = mediatest.WithSegments(file, []byte{0xff, 0x01}, mediatest.Segment(0xfd, encoded()))
	}
	for name, file := range cleanJPEGs(t) {
		for n, at := 0, 0; n < 6; n++ { // before each marker of scans and restarts
			next := nextMarker(file, at)
			if next < 0 {
				break
			}
			at = next + 2
			all["before marker "+string(rune('0'+n))+" of "+name] = slices.Insert(slices.Clone(file), next, encoded()...)
			all["a few bytes before marker "+string(rune('0'+n))+" of "+name] = slices.Insert(slices.Clone(file), next, []byte(secret[:4])...)
		}
	}
	return all
}

// nextMarker returns where the next marker is that ends coded data; -1 if there is none.
func nextMarker(file []byte, from int) int {
	scan := bytes.Index(file, []byte{0xff, 0xda})
	for i := max(from, scan+14); i < len(file)-1; i++ {
		if next := file[i+1]; file[i] == 0xff && (next >= 0xd0 && next <= 0xd7 || next == 0xd9 || next == 0xda || next == 0xc4) {
			return i
		}
	}
	return -1
}

// Clean JPEGs are sent byte for byte.
func TestCleanJPEGsPass(t *testing.T) {
	for name, data := range cleanJPEGs(t) {
		t.Run(name, func(t *testing.T) {
			if _, made := processed(t, data, plain); !bytes.Equal(made["plain"].Bytes(), data) {
				t.Error("it was made anew")
			}
		})
	}
}

// Nothing that is planted beside a JPEG's pixels is sent: it is made anew, or refused.
func TestNothingPrivateOfJPEGsIsSent(t *testing.T) {
	planted := plantedJPEGs(t)
	if len(planted) < 400 {
		t.Fatalf("%d files", len(planted))
	}
	checkPlanted(t, planted)
	sent := 0
	for _, name := range slices.Sorted(maps.Keys(planted)) {
		made, err := mediafile.MadeOfJPEG(planted[name], plain)
		if err == nil {
			sent++
		} else if refusal(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
		for _, data := range made {
			if len(leaks(data)) > 0 {
				t.Errorf("%s: the secret is still there", name)
			}
		}
	}
	if sent < 400 {
		t.Errorf("%d files are made, of %d", sent, len(planted))
	}
}

// Nothing that is planted in a GIF that moves is sent, and its pictures are what they were.
func TestNothingPrivateOfGIFsIsSent(t *testing.T) {
	data := mediatest.GIF(3)
	const head = 13 + 3*4 // and its table of four colors
	block := func(text string) string { return string([]byte{byte(len(text))}) + text }
	text := block(secret) + block(wide(secret, true)) + "\x00"
	first := bytes.IndexByte(data[head:], 0x2c) + head
	end := first + 11 // its descriptor, and in how many bits the codes begin
	for data[end] != 0 {
		end += 1 + int(data[end])
	}
	planted := map[string][]byte{"after its end": append(slices.Clone(data), encoded()...)}
	for name, extension := range map[string]string{
		"a comment": "\x21\xfe" + text, "a text": "\x21\x01" + block("\x00\x00\x00\x00\x10\x00\x10\x00\x08\x08\x01\x02") + text, "an application": "\x21\xff" + block("SECRETS 1.0") + text,
		"XMP": "\x21\xff" + block("XMP DataXMP") + text, "a profile": "\x21\xff" + block("ICCRGBG1012") + text, "a loop with more": "\x21\xff" + block("NETSCAPE2.0") + block("\x01\x00\x00") + text,
		"a loop's buffer": "\x21\xff" + block("NETSCAPE2.0") + text, "a control with more": "\x21\xf9" + block("\x00\x0a\x00\x00") + text, "an unknown one": "\x21\x77" + text,
	} {
		planted[name] = slices.Insert(slices.Clone(data), head, []byte(extension)...)
		planted[name+", later"] = slices.Insert(slices.Clone(data), end+1, []byte(extension)...)
	}
	planted["after the codes"] = slices.Insert(slices.Clone(data), end, []byte(strings.TrimSuffix(text, "\x00"))...)
	planted["after the codes, in their block"] = slices.Insert(slices.Clone(data), end, []byte(secret)...)
	planted["after the codes, in their block"][first+11] += byte(len(secret))
	whole, _, err := mediafile.CleanGIF(data)
	if err != nil || !bytes.Equal(whole, data) {
		t.Fatalf("a clean one became %d bytes of %d, %v", len(whole), len(data), err)
	}
	checkPlanted(t, planted)
	for name, file := range planted {
		clean, _, err := mediafile.CleanGIF(file)
		if err != nil || len(leaks(clean)) > 0 {
			t.Errorf("%s: the secret is still there: %v, %v", name, leaks(clean), err)
		}
		before, _ := gif.DecodeAll(bytes.NewReader(data))
		after, err := gif.DecodeAll(bytes.NewReader(clean))
		if err != nil || len(after.Image) != 3 || !slices.EqualFunc(before.Image, after.Image, func(a, b *image.Paletted) bool { return bytes.Equal(a.Pix, b.Pix) }) {
			t.Errorf("%s: its pictures aren't what they were: %v", name, err)
		}
	}
}

// Whatever is in a segment isn't sent, but for texts that stay: those of XMP, IPTC and EXIF, and the address of a copyright.
func FuzzPlantedSegment(f *testing.F) {
	f.Add(byte(0xe0), []byte("JFIF\x00\x01\x01\x01\x00\x48\x00\x48\x00\x00"))
	f.Add(byte(0xed), []byte("Photoshop 3.0\x008BIM\x04\x0c\x00\x00\x00\x00\x00\x40"))
	f.Add(byte(0xe2), []byte("ICC_PROFILE\x00\x01\x01"))
	f.Add(byte(0xc4), []byte("\x13"))
	good := mediatest.JPEG(16, 16)
	stays := []string{"8BIM\x04\x04", "8BIM\x04\x0b", "8BIM\x04\x25"}
	f.Fuzz(func(t *testing.T, marker byte, begins []byte) {
		const most = 60_000
		other := marker > 1 && marker < 0xc0 || marker == 0xc4 || marker > 0xda
		if !other || marker == 0xe1 || len(begins) > most || slices.ContainsFunc(stays, func(s string) bool { return bytes.Contains(begins, []byte(s)) }) {
			return
		}
		made, _ := mediafile.MadeOfJPEG(mediatest.WithSegments(good, mediatest.Segment(marker, append(bytes.Clone(begins), encoded()...))), plain)
		for _, data := range made {
			if len(leaks(data)) > 0 {
				t.Errorf("the secret is still there: %x %q", marker, begins)
			}
		}
	})
}
