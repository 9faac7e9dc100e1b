package mediafile

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// manifestParts are the parts of a C2PA manifest store in a JPEG's segments (JPEG XT, ISO 18477-3): each has, after the
// first two bytes, the number of its box in two, its own number from 1 in four, and the box's header, which is repeated.
type manifestParts struct {
	store []byte
	box   uint16
	last  uint32
	wrong bool
}

func (p *manifestParts) add(payload []byte) {
	const head, repeated = 6, 8
	if len(payload) < head+repeated {
		p.wrong = true
		return
	}
	box, n := binary.BigEndian.Uint16(payload), binary.BigEndian.Uint32(payload[2:])
	part := payload[head+repeated:]
	if p.last == 0 {
		p.box, part = box, payload[head:]
	} else if !bytes.HasPrefix(p.store, payload[head:head+repeated]) {
		p.wrong = true
	}
	p.wrong = p.wrong || box != p.box || n != p.last+1
	p.last = n
	p.store = append(p.store, part...)
}

// join returns the store. ok is false if its parts aren't in order, or are something else's.
func (p *manifestParts) join() (store []byte, ok bool) {
	if len(p.store) > 0 && !bytes.Contains(p.store, []byte("c2pa")) {
		return nil, false
	}
	return p.store, !p.wrong
}

// addC2PA reads a C2PA manifest store: that it is there, and the source types that it states. They are texts of CBOR, with
// their length in the byte before them.
func (m *metadata) addC2PA(store []byte) {
	m.c2pa = true
	m.private = m.private || !isHarmlessStore(store)
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

// privateAssertions are in the names of what a manifest says of a camera and a place. What it says can't be taken out of
// it, since it is signed.
var privateAssertions = []string{":GPS", "GPSL", "GPSDest", "SerialNumber", "CameraOwnerName", "LocationCreated", "LocationShown"}

// harmlessLabels are how the labels begin of what a manifest may have to be sent (C2PA 2.2, 6.2 and 18): what was done with a
// file and by which program, of what it was made, the hashes and signatures that hold it together, and whether
// models may learn from it.
var harmlessLabels = []string{
	"c2pa.assertions", "c2pa.claim", "c2pa.signature", "c2pa.databoxes", "c2pa.data",
	"c2pa.actions", "c2pa.hash.", "c2pa.ingredient", "c2pa.soft-binding", "c2pa.training-mining", "cawg.training-mining", "c2pa.time-stamp",
	"c2pa.certificate-status", "c2pa.asset-type", "c2pa.ai-disclosure", "stds.schema-org.CreativeWork",
	thumbnailLabel,
}

// thumbnailLabel begins the labels of thumbnails, and metadataLabels those of metadata in JSON-LD.
const thumbnailLabel = "c2pa.thumbnail."

var metadataLabels = []string{"stds.exif", "stds.iptc", "c2pa.metadata", "cawg.metadata"}

// manifestName is the label of a manifest.
var manifestName = regexp.MustCompile(`^[A-Za-z0-9.:_-]{1,200}$`)

// isHarmlessStore reports whether a manifest store has nothing but what is known to be harmless.
func isHarmlessStore(store []byte) bool {
	if slices.ContainsFunc(privateAssertions, func(name string) bool { return bytes.Contains(store, []byte(name)) }) {
		return false
	}
	const head = 8
	if len(store) < head || string(store[4:head]) != "jumb" {
		store = withoutPurpose(store)
	}
	b, rest, err := nextBox(store)
	return err == nil && b.kind == "jumb" && isZero(rest) && isHarmlessPart(b.inside, 0)
}

// withoutPurpose returns the manifest store in a video's box: flags, a text that says what it has, and an offset
// precede it (C2PA 2.2, A.5).
func withoutPurpose(box []byte) []byte {
	const flags, offset = 4, 8
	purpose, store, ok := bytes.Cut(box[min(flags, len(box)):], []byte{0})
	if !ok || string(purpose) != "manifest" || len(store) < offset {
		return nil
	}
	return store[offset:]
}

// isHarmlessPart reports whether the content of a box jumb is harmless, which is at a depth: the store itself, a
// manifest, a part of it, an assertion.
func isHarmlessPart(content []byte, depth int) bool {
	const deepest = 4
	description, rest, err := nextBox(content)
	if err != nil || description.kind != "jumd" || depth > deepest {
		return false
	}
	label, ok := labelOf(description.inside)
	ok = ok && isHarmlessLabel(label, depth)
	for ok && len(rest) > 0 {
		var b box
		if b, rest, err = nextBox(rest); err != nil {
			return false
		}
		ok = isHarmlessBox(b, label, depth)
	}
	return ok
}

// isHarmlessLabel reports whether a label is one that is harmless at a depth.
func isHarmlessLabel(label string, depth int) bool {
	const store, manifest = 0, 1
	switch depth {
	case store:
		return label == "c2pa"
	case manifest:
		return manifestName.MatchString(label)
	}
	return manifestName.MatchString(label) && (hasPrefix(label, harmlessLabels) || hasPrefix(label, metadataLabels))
}

// hasPrefix reports whether a text begins with any of some others.
func hasPrefix(s string, of []string) bool {
	return slices.ContainsFunc(of, func(prefix string) bool { return strings.HasPrefix(s, prefix) })
}

// isHarmlessBox reports whether a box is harmless that is a part of one with a label at a depth.
func isHarmlessBox(b box, label string, depth int) bool {
	const mostType = 64
	isMetadata := hasPrefix(label, metadataLabels)
	switch b.kind {
	case "jumb":
		return isHarmlessPart(b.inside, depth+1)
	case "cbor":
		return !isMetadata
	case "json":
		return !isMetadata || isHarmlessJSON(b.inside)
	case "bfdb": // the type of a picture
		return len(b.inside) < mostType
	case "bidb":
		return strings.HasPrefix(label, thumbnailLabel) && isHarmlessThumbnail(b.inside)
	case "free":
		return isZero(b.inside)
	}
	return false
}

// labelOf returns the label of a box jumd (JUMBF, ISO 19566-5): a type, flags, the label, and what the flags announce: a
// number, a hash, and a salt.
func labelOf(description []byte) (label string, ok bool) {
	const kind, flags, most = 16, 1, 100
	if len(description) < kind+flags {
		return "", false
	}
	text, rest, ok := bytes.Cut(description[kind+flags:], []byte{0})
	return string(text), ok && len(rest) <= most
}

// isHarmlessThumbnail reports whether a thumbnail is a JPEG that has nothing private, and no manifest of its own.
func isHarmlessThumbnail(data []byte) bool {
	if !bytes.HasPrefix(data, []byte{0xff, jpegSOI}) || bytes.Contains(data, []byte("jumb")) {
		return false
	}
	s, err := scanJPEG(data)
	return err == nil && !s.meta.private
}

// harmlessExposure are the properties of EXIF in JSON-LD that a manifest may have beside those of XMP: the camera, dates,
// and how a picture was exposed.
var harmlessExposure = []string{
	"Make", "Model", "Software", "DateTime", "DateTimeOriginal", "DateTimeDigitized", "OffsetTime", "OffsetTimeOriginal", "OffsetTimeDigitized", "SubSecTime",
	"SubSecTimeOriginal", "SubSecTimeDigitized", "ExposureTime", "ExposureMode", "ExposureProgram", "ExposureBiasValue", "FNumber", "ApertureValue", "MaxApertureValue", "ShutterSpeedValue",
	"BrightnessValue", "FocalLength", "FocalLengthIn35mmFilm", "PhotographicSensitivity", "ISOSpeedRatings", "SensitivityType", "MeteringMode", "LightSource", "Flash", "WhiteBalance",
	"DigitalZoomRatio", "SceneCaptureType", "LensMake", "LensModel", "LensSpecification", "Lens", "ExifVersion", "FlashpixVersion", "Contrast", "Saturation", "Sharpness",
}

// isHarmlessJSON reports whether all names in a text of JSON-LD are those of properties that are harmless.
func isHarmlessJSON(text []byte) bool {
	var v any
	return json.Unmarshal(bytes.TrimRight(text, "\x00"), &v) == nil && areHarmlessNames(v)
}

func areHarmlessNames(v any) bool {
	switch v := v.(type) {
	case []any:
		return !slices.ContainsFunc(v, func(v any) bool { return !areHarmlessNames(v) })
	case map[string]any:
		for name, v := range v {
			local := name[strings.LastIndexByte(name, ':')+1:]
			known := strings.HasPrefix(name, "@") || slices.Contains(harmlessXMP, local) || slices.Contains(harmlessExposure, local)
			if name == "@context" {
				known, v = isHarmlessContext(v), nil
			}
			if !known || !areHarmlessNames(v) {
				return false
			}
		}
	}
	return true
}

// isHarmlessContext reports whether a context of JSON-LD names known namespaces alone.
func isHarmlessContext(v any) bool {
	known := func(v any) bool {
		name, isText := v.(string)
		return isText && slices.Contains(harmlessNamespaces, name)
	}
	prefixes, ok := v.(map[string]any)
	for _, of := range prefixes {
		ok = ok && known(of)
	}
	return ok || known(v)
}

// uuid passes a box of a type of somebody's own on: a C2PA manifest store as it is, unless it has
// something private; that, and XMP, with just the provenance, as XMP. Others are overwritten, as is what is too large to be
// looked into.
func (c *videoCleaner) uuid(h header) error {
	if h.content > maxManifest {
		kind, _ := c.r.Peek(len(c2paBox)) // an error is met again
		c.provenance.c2pa = c.provenance.c2pa || bytes.Equal(kind, c2paBox)
		return c.blank(h)
	}
	data, err := c.content(h, maxManifest)
	if err != nil {
		return err
	}
	var m metadata
	store, isC2PA := bytes.CutPrefix(data, c2paBox)
	if isC2PA {
		m.addC2PA(store)
		if !m.private {
			c.provenance.merge(m)
			return c.write(h.bytes, data)
		}
		copy(data, xmpBox)
	}
	clean := []byte{}
	if packet, ok := bytes.CutPrefix(data, xmpBox); ok {
		if !isC2PA {
			m.addXMP(packet)
		}
		c.provenance.merge(m)
		clean = m.writeXMP()
	}
	const head = 8
	total, size := len(h.bytes)+len(data), head+len(xmpBox)+len(clean)
	if len(clean) == 0 || size > total {
		copy(h.bytes[4:], "free")
		clear(data)
		return c.write(h.bytes, data)
	}
	if total-size < head { // no box is so small
		clean = append(clean, bytes.Repeat([]byte(" "), total-size)...)
		size = total
	}
	if err := c.write(binary.BigEndian.AppendUint32(nil, uint32(size)), []byte("uuid"), xmpBox, clean); err != nil || size == total {
		return err
	}
	return c.write(binary.BigEndian.AppendUint32(nil, uint32(total-size)), []byte("free"), make([]byte, total-size-head))
}
