package mediafile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"strings"
	"unicode/utf16"
)

// labels are what a file says of the system that made it, beside its source type.
type labels struct {
	// aigc is the label of GB 45438-2025, annex E, as JSON; "" for none.
	aigc string
	// system and version are IPTC's AISystemUsed and AISystemVersionUsed (Photo Metadata Standard 2025.1).
	system, version string
}

// any reports whether a model made the file.
func (l labels) any() bool { return l.aigc != "" || l.system != "" }

// Bounds of a label: what may be in a value, and of the whole as it is written, in bytes.
const (
	maxLabelValue = 2 << 10
	maxLabel      = 24 << 10
)

// labelFields are the fields of a label, in the standard's order: that a model made the file (1), may have (2) or
// seems to have (3); who made and who spread it, by their codes, with what number; and what these use to sign it.
var labelFields = []string{"Label", "ContentProducer", "ProduceID", "ReservedCode1", "ContentPropagator", "PropagateID", "ReservedCode2"}

// addLabel reads a text that may be or have a label, and reports whether it is one and nothing else. What the label
// has beside the standard's fields is left out.
func (m *metadata) addLabel(text string) (alone bool) {
	clean, alone := cleanLabel(text)
	if m.aigc == "" {
		m.aigc = clean
	}
	return alone && clean != "" && clean == m.aigc
}

// cleanLabel returns the label that a text has, with the standard's fields alone; "" if it has none that says that
// a model made the file. alone reports whether nothing was left out of the text.
func cleanLabel(text string) (clean string, alone bool) {
	begin := strings.IndexByte(text, '{')
	if begin < 0 || len(text) > maxMetadata {
		return "", false
	}
	d := json.NewDecoder(strings.NewReader(text[begin:]))
	var fields map[string]json.RawMessage
	if d.Decode(&fields) != nil {
		return "", false
	}
	if inner, ok := fields["AIGC"]; ok { // as some write it, also as a text of JSON
		var quoted string
		if json.Unmarshal(inner, &quoted) == nil {
			inner = []byte(quoted)
		}
		fields = nil
		if json.Unmarshal(inner, &fields) != nil {
			return "", false
		}
		begin = -1 // there is something around it
	}
	return joinLabel(fields, begin == 0 && strings.TrimSpace(text[d.InputOffset():]) == "")
}

// joinLabel returns a label with the standard's fields of others; whole reports whether nothing was left out before.
func joinLabel(fields map[string]json.RawMessage, whole bool) (clean string, alone bool) {
	var kept []string
	for _, name := range labelFields {
		value, ok := labelValue(fields[name])
		if name == labelFields[0] && value != "1" && value != "2" && value != "3" {
			return "", false
		}
		if ok {
			encoded, _ := json.Marshal(value) // a string can always be
			kept = append(kept, `"`+name+`":`+string(encoded))
		}
	}
	clean, alone = "{"+strings.Join(kept, ",")+"}", whole && len(kept) == len(fields)
	var escaped bytes.Buffer
	_ = xml.EscapeText(&escaped, []byte(clean)) // a buffer takes everything
	if escaped.Len() > maxLabel {
		return "{" + kept[0] + "}", false
	}
	return clean, alone
}

// labelValue returns the value of a field: a text, or a number as some write it. ok is false if it is something else or
// too long.
func labelValue(raw json.RawMessage) (value string, ok bool) {
	var number json.Number
	switch {
	case len(raw) == 0 || len(raw) > maxLabelValue || string(raw) == "null":
		return "", false
	case json.Unmarshal(raw, &value) == nil:
		return value, true
	case json.Unmarshal(raw, &number) == nil:
		return number.String(), true
	}
	return "", false
}

// addComment reads EXIF's UserComment, whose first eight bytes say in what characters it is: where some write the label.
func (m *metadata) addComment(comment []byte, order binary.ByteOrder) {
	const code = 8
	if len(comment) < code {
		return
	}
	text := comment[code:]
	switch {
	case string(comment[:code]) == "UNICODE\x00":
		if bytes.HasPrefix(text, []byte("\xff\xfe")) {
			order = binary.LittleEndian
		} else if bytes.HasPrefix(text, []byte("\xfe\xff")) {
			order = binary.BigEndian
		}
		text = append(bytes.Clone(text), 0) // half of a character may have been taken for the end
		units := make([]uint16, len(text)/2)
		for i := range units {
			units[i] = order.Uint16(text[2*i:])
		}
		text = []byte(string(utf16.Decode(units)))
	case comment[0] == '{':
		text = comment // without its characters
	}
	m.addLabel(string(text))
}

// addSystem notes the name of a system or its version. What is too long for one is private.
func (m *metadata) addSystem(of *string, name string) {
	short := note(name)
	m.private = m.private || short != strings.TrimSpace(name)
	*of = cmp.Or(*of, short)
}

// addText reads a text of a PNG by its keyword.
func (m *metadata) addText(keyword, text []byte) {
	switch string(keyword) {
	case "AIGC", "TC260:AIGC":
		m.addLabel(string(text))
	}
}

// xmp returns the properties of XMP that say which system made a file.
func (l labels) xmp() (properties []property) {
	return []property{
		{`<TC260:AIGC xmlns:TC260="http://www.tc260.org.cn/ns/AIGC/1.0/">%s</TC260:AIGC>`, l.aigc},
		{"<Iptc4xmpExt:AISystemUsed>%s</Iptc4xmpExt:AISystemUsed>", l.system},
		{"<Iptc4xmpExt:AISystemVersionUsed>%s</Iptc4xmpExt:AISystemVersionUsed>", l.version},
	}
}
