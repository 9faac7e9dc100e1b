package mediafile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"missiond/mission"
)

const (
	// maxMetadata bounds a packet of XMP and a color profile, in bytes.
	maxMetadata = 1 << 20
	// maxNote bounds credit and copyright, in characters.
	maxNote = 400
)

// metadata is what a file says beside its pixels.
type metadata struct {
	sourceType, credit, copyright string
	labels
	c2pa bool
	// c2paEnd is the end of what was read of a manifest store that is in several parts.
	c2paEnd []byte
	// private reports whether there is anything that isn't known to be harmless.
	private bool
	// orientation is EXIF's, 1 to 8; 0 if it isn't stated.
	orientation int
	profile     []byte // the color profile
}

// provenance returns what the file says of its making.
func (m metadata) provenance() mission.Provenance {
	p := mission.Provenance{SourceType: m.sourceType, C2PA: m.c2pa, Credit: m.credit, Copyright: m.copyright}
	if m.labels.any() {
		p.AI = mission.AIDetected
	}
	boundProvenance(&p)
	return p
}

// boundProvenance cuts what is too long, and says what follows from the source type or was detected otherwise.
func boundProvenance(p *mission.Provenance) {
	p.Credit, p.Copyright = note(p.Credit), note(p.Copyright)
	if !sourceName.MatchString(p.SourceType) {
		p.SourceType = ""
	}
	if p.AI == mission.AIDetected || mission.Synthetic(p.SourceType) {
		p.AI = mission.AIDetected
	} else {
		p.AI = mission.AINone
	}
}

var sourceName = regexp.MustCompile(`^[A-Za-z]{1,64}$`)

// note returns a text in UTF-8 (older ones are in Latin 1), without what can't be seen, of
// maxNote characters at most.
func note(s string) string {
	if !utf8.ValidString(s) {
		latin := make([]rune, len(s))
		for i := range len(s) {
			latin[i] = rune(s[i])
		}
		s = string(latin)
	}
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == ' ' }), " ")
	if utf8.RuneCountInString(s) > maxNote {
		s = string([]rune(s)[:maxNote])
	}
	return s
}

// source notes a source type by its address or last part, also behind a colon ("digsrctype:"). One that says that a model made the
// file prevails.
func (m *metadata) source(address string) {
	name := address[strings.LastIndexAny(address, "/:")+1:]
	if sourceName.MatchString(name) && (m.sourceType == "" || mission.Synthetic(name) && !mission.Synthetic(m.sourceType)) {
		m.sourceType = name
	}
}

// merge adds what other says of the file's making.
func (m *metadata) merge(other metadata) {
	m.source(other.sourceType)
	m.c2pa = m.c2pa || other.c2pa
	m.credit, m.copyright = cmp.Or(m.credit, other.credit), cmp.Or(m.copyright, other.copyright)
	m.aigc, m.system, m.version = cmp.Or(m.aigc, other.aigc), cmp.Or(m.system, other.system), cmp.Or(m.version, other.version)
}

// harmlessXMP are the properties, by their local names, that a picture may keep.
var harmlessXMP = []string{
	"xmpmeta", "xmptk", "RDF", "Description", "about", "Bag", "Seq", "Alt", "li", "lang", "parseType", "resource",
	"DigitalSourceType", "DigitalSourceFileType", "DigitalSourcefileType", "AIGC", "AISystemUsed", "AISystemVersionUsed", "Credit", "rights", "Marked", "WebStatement", "UsageTerms", "provenance", "CopyrightNotice", "CopyrightOwner", "LicensorURL", "Licensor",
	"creator", "title", "description", "format", "subject", "CreatorTool", "CreateDate", "ModifyDate", "MetadataDate", "DateCreated", "Rating", "Headline", "ColorMode", "ICCProfile",
	"Orientation", "XResolution", "YResolution", "ResolutionUnit", "ImageWidth", "ImageLength", "PixelXDimension", "PixelYDimension", "ColorSpace",
	"DocumentID", "InstanceID", "OriginalDocumentID",
}

// addXMP reads a packet of XMP.
func (m *metadata) addXMP(packet []byte) {
	if len(packet) > maxMetadata {
		m.private = true
		return
	}
	d := xml.NewDecoder(bytes.NewReader(packet))
	d.Strict = false
	const mostTokens = 50_000
	var within []string
	for range mostTokens {
		token, err := d.RawToken()
		if err != nil {
			m.private = m.private || !errors.Is(err, io.EOF)
			return
		}
		switch t := token.(type) {
		case xml.StartElement:
			within = append(within, t.Name.Local)
			m.xmpName(t.Name)
			for _, a := range t.Attr {
				m.xmpAttribute(within, a)
			}
		case xml.EndElement:
			within = within[:max(len(within)-1, 0)]
		case xml.CharData:
			m.xmpText(within, strings.TrimSpace(string(t)))
		case xml.Comment:
			m.private = true
		}
	}
	m.private = true
}

// xmpName notes if a property isn't harmless.
func (m *metadata) xmpName(n xml.Name) {
	if n.Space != "xmlns" && n.Local != "xmlns" && !slices.Contains(harmlessXMP, n.Local) {
		m.private = true
	}
}

func (m *metadata) xmpAttribute(within []string, a xml.Attr) {
	m.xmpName(a.Name)
	switch {
	case a.Name.Space == "xmlns": // a prefix
	case a.Name.Local == "resource": // of the element that has it
		m.xmpText(within, a.Value)
	default:
		m.xmpText([]string{a.Name.Local}, a.Value)
	}
}

// xmpText notes a property's value; the property may be a list of them.
func (m *metadata) xmpText(within []string, text string) {
	lists := []string{"Alt", "Bag", "Seq", "li"}
	for len(within) > 0 && slices.Contains(lists, within[len(within)-1]) {
		within = within[:len(within)-1]
	}
	if text == "" || len(within) == 0 {
		return
	}
	switch within[len(within)-1] {
	case "DigitalSourceType", "DigitalSourceFileType", "DigitalSourcefileType": // the latter two are its older names
		m.source(text)
	case "AIGC":
		m.private = !m.addLabel(text) || m.private
	case "UserComment": // of EXIF
		m.addLabel(text)
	case "AISystemUsed":
		m.addSystem(&m.system, text)
	case "AISystemVersionUsed":
		m.addSystem(&m.version, text)
	case "Credit":
		m.credit = cmp.Or(m.credit, text)
	case "rights":
		m.copyright = cmp.Or(m.copyright, text)
	}
}

// embeddedXMP returns the packet of XMP that is somewhere in data, found by how it begins and
// ends; nil if there is none.
func embeddedXMP(data []byte) []byte {
	_, after, found := bytes.Cut(data, []byte("<x:xmpmeta"))
	end := bytes.Index(after, []byte("</x:xmpmeta>"))
	if !found || end < 0 || end > maxMetadata {
		return nil
	}
	return slices.Concat([]byte("<x:xmpmeta"), after[:end], []byte("</x:xmpmeta>"))
}

// sourceScheme is how addresses of source types begin.
const sourceScheme = "http://cv.iptc.org/newscodes/digitalsourcetype/"

// property is one of XMP, with where its value goes; one without a value isn't written.
type property struct{ format, value string }

// plainQuotes replaces what an element's text needn't escape: labels are full of quotes.
var plainQuotes = strings.NewReplacer("&#34;", `"`, "&#39;", "'")

// writeXMP returns a packet of XMP with a file's provenance; nil if it has none.
func (m metadata) writeXMP() []byte {
	p := m.provenance()
	if p.SourceType == "" && p.Credit == "" && p.Copyright == "" && !m.labels.any() {
		return nil
	}
	var b bytes.Buffer
	b.WriteString(`<?xpacket begin="` + "\ufeff" + `" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""` +
		` xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">`)
	source := p.SourceType
	if source != "" {
		source = sourceScheme + source
	}
	for _, of := range append([]property{
		{"<Iptc4xmpExt:DigitalSourceType>%s</Iptc4xmpExt:DigitalSourceType>", source},
		{"<photoshop:Credit>%s</photoshop:Credit>", p.Credit},
		{`<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">%s</rdf:li></rdf:Alt></dc:rights>`, p.Copyright},
	}, m.labels.xmp()...) {
		if of.value != "" {
			var escaped bytes.Buffer
			_ = xml.EscapeText(&escaped, []byte(of.value)) // a buffer takes everything
			fmt.Fprintf(&b, of.format, plainQuotes.Replace(escaped.String()))
		}
	}
	b.WriteString(`</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`)
	return b.Bytes()
}

// privateAssertions are in the names of what a manifest's assertions about a camera and a place
// say (C2PA, "Metadata about asset": EXIF and IPTC in JSON-LD). What a manifest says can't be
// taken out of it.
var privateAssertions = []string{"GPSL", "GPSDest", "SerialNumber", "CameraOwnerName", "LocationCreated", "LocationShown"}

// c2paPartHead is the size of what precedes a manifest store's bytes in a segment, and c2paOverlap
// how much of a part is read again with the next.
const (
	c2paPartHead = 16
	c2paOverlap  = 128
)

// addC2PA reads a C2PA manifest store or a part of it: that it is there, and the source types
// that it states. They are texts of CBOR, with their length in the byte before them.
func (m *metadata) addC2PA(store []byte) {
	m.c2pa = true
	m.private = m.private || slices.ContainsFunc(privateAssertions, func(name string) bool { return bytes.Contains(store, []byte(name)) })
	for {
		i := bytes.Index(store, []byte(sourceScheme))
		if i < 0 {
			return
		}
		if i >= 2 && store[i-2] == 0x78 {
			n := int(store[i-1])
			m.source(string(store[i:min(i+n, len(store))]))
		}
		store = store[i+len(sourceScheme):]
	}
}

// photoshopHarmless are the resources of Photoshop that a picture may keep: resolution,
// copyright's flag and address, digest of IPTC. Those are read.
var photoshopHarmless = []uint16{0x03ed, 0x040a, 0x040b, 0x0425}

// addPhotoshop reads Photoshop's resources, for the IPTC record among them.
func (m *metadata) addPhotoshop(data []byte) {
	for len(data) > 0 {
		const head = 6
		if len(data) < head+2 || string(data[:4]) != "8BIM" {
			m.private = true
			return
		}
		id := binary.BigEndian.Uint16(data[4:])
		name := int(data[head]) + 1
		data = data[min(head+name+name%2, len(data)):]
		if len(data) < 4 || uint64(binary.BigEndian.Uint32(data)) > uint64(len(data)-4) {
			m.private = true
			return
		}
		n := int(binary.BigEndian.Uint32(data))
		content := data[4 : 4+n]
		data = data[min(4+n+n%2, len(data)):]
		switch {
		case id == 0x0404:
			m.addIPTC(content)
		case !slices.Contains(photoshopHarmless, id):
			m.private = true
		}
	}
}

// iptcHarmless are the datasets of record 2 that a picture may keep: version, title, category,
// headline, source.
var iptcHarmless = []byte{0, 5, 15, 20, 105, 115}

// addIPTC reads datasets of IPTC's IIM.
func (m *metadata) addIPTC(data []byte) {
	for len(data) >= 5 && data[0] == 0x1c {
		record, set, n := data[1], data[2], int(binary.BigEndian.Uint16(data[3:]))
		if n > len(data)-5 {
			m.private = true
			return
		}
		value := string(data[5 : 5+n])
		data = data[5+n:]
		switch {
		case record == 2 && set == 110:
			m.credit = cmp.Or(m.credit, value)
		case record == 2 && set == 116:
			m.copyright = cmp.Or(m.copyright, value)
		case record == 1 || record == 2 && slices.Contains(iptcHarmless, set):
		default:
			m.private = true
		}
	}
}
