package mediatest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
)

// What a test looks for in files that have been cleaned: none of it may be there.
const (
	Serial  = "SN-0123456789"
	Owner   = "Owner Of The Camera"
	Comment = "a comment that nobody should read"
	Place   = "+48.8577+002.295/"
)

// Model is what EXIF says of a camera; nobody is told by it.
const Model = "Model 1"

// entry is one of EXIF's.
type entry struct {
	tag, kind uint16
	count     uint32
	value     []byte
}

const (
	kindASCII, kindShort, kindLong, kindRational = 2, 3, 4, 5
)

func ascii(tag uint16, s string) entry {
	return entry{tag, kindASCII, uint32(len(s) + 1), append([]byte(s), 0)}
}

func short(tag, v uint16) entry {
	return entry{tag, kindShort, 1, binary.BigEndian.AppendUint16(nil, v)}
}

func long(tag uint16, v uint32) entry {
	return entry{tag, kindLong, 1, binary.BigEndian.AppendUint32(nil, v)}
}

// directory returns a directory at an offset, with its values after it.
func directory(at int, entries []entry) []byte {
	head := binary.BigEndian.AppendUint16(nil, uint16(len(entries)))
	values := at + 2 + 12*len(entries) + 4
	var data []byte
	for _, e := range entries {
		head = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(head, e.tag), e.kind)
		head = binary.BigEndian.AppendUint32(head, e.count)
		if len(e.value) <= 4 {
			head = append(head, append(slices.Clone(e.value), make([]byte, 4-len(e.value))...)...)
			continue
		}
		head = binary.BigEndian.AppendUint32(head, uint32(values+len(data)))
		data = append(data, e.value...)
	}
	return slices.Concat(head, make([]byte, 4), data)
}

// EXIF returns a block of EXIF as cameras write it: an orientation from 1 to 8, and if private
// is true an owner, serial numbers and a place.
func EXIF(orientation uint16, private bool) []byte {
	first := []entry{ascii(0x0110, Model), short(0x0112, orientation)}
	own := []entry{long(0xa002, 100)}
	place := []entry{ascii(0x0001, "N"), {0x0002, kindRational, 3, bytes.Repeat([]byte{0, 0, 0, 48, 0, 0, 0, 1}, 3)}}
	const start = 8
	if private {
		own = append(own, ascii(0xa430, Owner), ascii(0xa431, Serial))
		first = append(first, long(0x8825, 0))
	}
	first = append(first, long(0x8769, 0))
	ownAt := start + len(directory(start, first))
	placeAt := ownAt + len(directory(ownAt, own))
	for i := range first {
		switch first[i].tag {
		case 0x8769:
			first[i] = long(0x8769, uint32(ownAt))
		case 0x8825:
			first[i] = long(0x8825, uint32(placeAt))
		}
	}
	data := slices.Concat([]byte("MM\x00*\x00\x00\x00\x08"), directory(start, first), directory(ownAt, own))
	if private {
		data = append(data, directory(placeAt, place)...)
	}
	return data
}

// EXIFComment returns a block of EXIF with a UserComment.
func EXIFComment(comment string) []byte {
	const start, undefined = 8, 7
	first := []entry{long(0x8769, 0)}
	own := uint32(start + len(directory(start, first)))
	first[0] = long(0x8769, own)
	comments := []entry{{0x9286, undefined, uint32(len(comment)), []byte(comment)}}
	return slices.Concat([]byte("MM\x00*\x00\x00\x00\x08"), directory(start, first), directory(int(own), comments))
}

// Label is a label of GB 45438-2025 that says that a model made a file.
const Label = `{"Label":"1","ContentProducer":"001191610133596325171T12566","ProduceID":"BG-20250001","ReservedCode1":"{\"Type\":\"DS\"}",` +
	`"ContentPropagator":"","PropagateID":"","ReservedCode2":""}`

// XMPOf returns a packet of XMP with properties of Iptc4xmpExt, TC260, aux and exif.
func XMPOf(properties string) []byte {
	return []byte(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
		`<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:TC260="http://www.tc260.org.cn/ns/AIGC/1.0/"` +
		` xmlns:aux="http://ns.adobe.com/exif/1.0/aux/" xmlns:exif="http://ns.adobe.com/exif/1.0/">` + properties + `</rdf:Description></rdf:RDF></x:xmpmeta>`)
}

// XMP returns a packet of XMP that names a source type (the last part of its address), a credit
// and a copyright; "" leaves one out.
func XMP(sourceType, credit, copyright string) []byte {
	var b bytes.Buffer
	b.WriteString(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"`)
	if sourceType != "" {
		fmt.Fprintf(&b, ` Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/%s"`, sourceType)
	}
	b.WriteString(">")
	if credit != "" {
		fmt.Fprintf(&b, "<photoshop:Credit>%s</photoshop:Credit>", credit)
	}
	if copyright != "" {
		fmt.Fprintf(&b, `<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">%s</rdf:li></rdf:Alt></dc:rights>`, copyright)
	}
	b.WriteString("</rdf:Description></rdf:RDF></x:xmpmeta>")
	return b.Bytes()
}

// IPTC returns Photoshop's resources with a credit and a copyright in an IPTC record.
func IPTC(credit, copyright string) []byte {
	set := func(number byte, v string) []byte {
		return slices.Concat([]byte{0x1c, 2, number}, binary.BigEndian.AppendUint16(nil, uint16(len(v))), []byte(v))
	}
	data := slices.Concat(set(110, credit), set(116, copyright))
	return slices.Concat([]byte("8BIM\x04\x04\x00\x00"), binary.BigEndian.AppendUint32(nil, uint32(len(data))), data, make([]byte, len(data)%2))
}

// C2PA returns what looks like a C2PA manifest store to whoever doesn't verify it: JUMBF with an
// assertion that names a source type.
func C2PA(sourceType string) []byte {
	source := "http://cv.iptc.org/newscodes/digitalsourcetype/" + sourceType
	assertion := slices.Concat([]byte("\xa1\x71digitalSourceType\x78"), []byte{byte(len(source))}, []byte(source), []byte("\x6dsoftwareAgent"))
	return Box("jumb", Box("jumd", []byte("c2pa\x00\x11\x00\x10\x80\x00\x00\xaa\x00\x38\x9b\x71\x03c2pa\x00")), Box("cbor", assertion))
}

// The segments of a JPEG.

// EXIFSegment returns a segment with a block of EXIF.
func EXIFSegment(block []byte) []byte { return Segment(0xe1, append([]byte("Exif\x00\x00"), block...)) }

// XMPSegment returns a segment with a packet of XMP.
func XMPSegment(packet []byte) []byte {
	return Segment(0xe1, append([]byte("http://ns.adobe.com/xap/1.0/\x00"), packet...))
}

// IPTCSegment returns a segment with Photoshop's resources.
func IPTCSegment(resources []byte) []byte {
	return Segment(0xed, append([]byte("Photoshop 3.0\x00"), resources...))
}

// C2PASegment returns a segment with a C2PA manifest store.
func C2PASegment(store []byte) []byte {
	return Segment(0xeb, append([]byte("JP\x00\x01\x00\x00\x00\x01"), store...))
}

// PhoneJPEG returns a JPEG as a phone writes it: with an orientation from 1 to 8, a place, an
// owner and serial numbers.
func PhoneJPEG(width, height int, orientation uint16) []byte {
	return WithSegments(JPEG(width, height), EXIFSegment(EXIF(orientation, true)))
}

// ICCSegment returns a JPEG's segments with a color profile.
func ICCSegment(profile []byte) (all []byte) {
	const most = 65_519
	parts := slices.Collect(slices.Chunk(profile, most))
	for i, part := range parts {
		all = append(all, Segment(0xe2, slices.Concat([]byte("ICC_PROFILE\x00"), []byte{byte(i + 1), byte(len(parts))}, part))...)
	}
	return all
}
