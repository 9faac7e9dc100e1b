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
	// maxMetadata bounds a packet of XMP, in bytes.
	maxMetadata = 1 << 20
	// maxNote bounds credit and copyright, in characters.
	maxNote = 400
)

// metadata is what a file says beside its pixels.
type metadata struct {
	sourceType, credit, copyright string
	labels
	c2pa bool
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
	return mission.CleanLine(s)
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

// harmlessNamespaces are those of properties and structures, by their addresses.
var harmlessNamespaces = []string{
	"adobe:ns:meta/", "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/XML/1998/namespace", "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/",
	"http://ns.adobe.com/xap/1.0/", "http://ns.adobe.com/xap/1.0/mm/", "http://ns.adobe.com/xap/1.0/rights/", "http://ns.adobe.com/xap/1.0/sType/ResourceRef#",
	"http://ns.adobe.com/xap/1.0/sType/ResourceEvent#", "http://ns.adobe.com/photoshop/1.0/", "http://ns.adobe.com/tiff/1.0/", "http://ns.adobe.com/exif/1.0/", "http://ns.adobe.com/exif/1.0/aux/",
	"http://cipa.jp/exif/1.0/", "http://ns.adobe.com/camera-raw-settings/1.0/", "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/", "http://iptc.org/std/Iptc4xmpExt/2008-02-29/",
	"http://ns.useplus.org/ldf/xmp/1.0/", "http://creativecommons.org/ns#", "http://www.tc260.org.cn/ns/AIGC/1.0/", "http://www.metadataworkinggroup.com/schemas/regions/", "https://schema.org/", "http://schema.org/",
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
			m.xmpName(t.Name)
			within = within[:max(len(within)-1, 0)]
		case xml.CharData:
			m.xmpText(within, strings.TrimSpace(string(t)))
		case xml.ProcInst:
			m.private = m.private || t.Target != "xpacket" || !packetMark.Match(t.Inst)
		default: // a comment, or a declaration
			m.private = true
		}
	}
	m.private = true
}

// packetMark is how a packet begins and ends: a mark of the order of bytes, the same number in all packets, and
// whether it may be written to.
var packetMark = regexp.MustCompile(`^\s*(begin=(""|''|"\x{feff}"|'\x{feff}')\s+id=["']W5M0MpCehiHzreSzNTczkc9d["']|end=["'][rw]["'])\s*$`)

// xmpName notes if a property isn't harmless.
func (m *metadata) xmpName(n xml.Name) {
	if n.Space != "xmlns" && n.Local != "xmlns" && !slices.Contains(harmlessXMP, n.Local) || !xmpPrefix.MatchString(n.Space) {
		m.private = true
	}
}

// xmpPrefix is what stands for a namespace in a name; xmpCode is a value that isn't a text: a number, a date, a code.
var (
	xmpPrefix = regexp.MustCompile(`^[A-Za-z0-9_]{0,16}$`)
	xmpCode   = regexp.MustCompile(`^[A-Za-z0-9 .:/+_-]{0,100}$`)
)

// xmpTexts are the properties whose values are written for people, or are read here; those of others are codes.
var xmpTexts = []string{
	"DigitalSourceType", "DigitalSourceFileType", "DigitalSourcefileType", "AIGC", "AISystemUsed", "AISystemVersionUsed", "Credit", "rights", "WebStatement", "UsageTerms", "CopyrightNotice", "CopyrightOwner",
	"LicensorURL", "Licensor", "creator", "title", "description", "subject", "CreatorTool", "Headline", "ICCProfile", "provenance", "xmptk",
}

func (m *metadata) xmpAttribute(within []string, a xml.Attr) {
	m.xmpName(a.Name)
	switch {
	case a.Name.Space == "xmlns" || a.Name.Local == "xmlns": // a prefix
		m.private = m.private || !xmpPrefix.MatchString(a.Name.Local) || !slices.Contains(harmlessNamespaces, a.Value)
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
	name := ""
	if len(within) > 0 {
		name = within[len(within)-1]
	}
	if text == "" {
		return
	}
	m.private = m.private || !isXMPValue(name, text)
	switch name {
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

// isXMPValue reports whether a property may have a value; "" is no property's.
func isXMPValue(name, text string) bool {
	if slices.Contains([]string{"", "xmpmeta", "RDF", "Description"}, name) {
		return false
	}
	return slices.Contains(xmpTexts, name) || xmpCode.MatchString(text)
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

// photoshopSizes are the resources of Photoshop that a picture may keep, and their sizes: resolution, copyright's flag
// and address (of any size), digest of IPTC. Beside those IPTC's record is read.
var photoshopSizes = map[uint16]int{0x03ed: 16, 0x040a: 1, 0x040b: -1, 0x0425: 16}

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
		named := data[head:min(head+name+name%2, len(data))]
		data = data[head+len(named):]
		if len(data) < 4 || uint64(binary.BigEndian.Uint32(data)) > uint64(len(data)-4) {
			m.private = true
			return
		}
		n := int(binary.BigEndian.Uint32(data))
		content := data[4 : 4+n]
		filled := data[4+n : min(4+n+n%2, len(data))]
		data = data[4+n+len(filled):]
		size, known := photoshopSizes[id]
		m.private = m.private || !isZero(named) || !isZero(filled)
		switch {
		case id == 0x0404:
			m.addIPTC(content)
		case !known || size >= 0 && size != n:
			m.private = true
		}
	}
}

// iptcHarmless are the datasets of record 2 that a picture may keep: version, title, category,
// headline, source.
var iptcHarmless = []byte{0, 5, 15, 20, 105, 115}

// addIPTC reads datasets of IPTC's IIM.
func (m *metadata) addIPTC(data []byte) {
	const head = 5
	for len(data) >= head && data[0] == 0x1c {
		record, set, n := data[1], data[2], int(binary.BigEndian.Uint16(data[3:]))
		if n > len(data)-head {
			break
		}
		m.private = !m.addDataset(record, set, string(data[head:head+n])) || m.private
		data = data[head+n:]
	}
	m.private = m.private || !isZero(data)
}

// addDataset reads a dataset of a record, and reports whether it is harmless.
func (m *metadata) addDataset(record, set byte, value string) bool {
	const credit, copyright, version, characters = 110, 116, 0, 90
	switch {
	case record == 2 && set == credit:
		m.credit = cmp.Or(m.credit, value)
	case record == 2 && set == copyright:
		m.copyright = cmp.Or(m.copyright, value)
	case record == 2:
		return slices.Contains(iptcHarmless, set)
	case record == 1 && set == version:
		return len(value) == 2
	case record == 1 && set == characters:
		return iptcCharacters.MatchString(value)
	default:
		return false
	}
	return true
}

// iptcCharacters are the characters of texts as record 1 says them: sequences of ISO 2022.
var iptcCharacters = regexp.MustCompile(`^(\x1b[%(-/][0-9A-Za-z@]{1,2})+$`)
