package mediafile_test

import (
	"bytes"
	"encoding/xml"
	"image/gif"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"missiond/internal/mediafile"
	"missiond/internal/mediafile/mediatest"
	"missiond/mission"
)

// escaped returns a text as it is in XML.
func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text))
	return b.String()
}

// wide returns a text in UTF-16.
func wide(text string, little bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(text)) {
		high, low := byte(u>>8), byte(u)
		if little {
			high, low = low, high
		}
		b.WriteString(string([]byte{high}))
		b.WriteString(string([]byte{low}))
	}
	return b.String()
}

// What says that a model made a picture is detected, and is in what goes out; what is private beside it isn't.
func TestLabelsStay(t *testing.T) {
	const (
		label  = mediatest.Label
		system = "<Iptc4xmpExt:AISystemUsed>A Painter</Iptc4xmpExt:AISystemUsed>"
		serial = "<aux:SerialNumber>" + mediatest.Serial + "</aux:SerialNumber>"
		source = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"
	)
	aigc := "<TC260:AIGC>" + escaped(label) + "</TC260:AIGC>"
	also := strings.Replace(label, "{", `{"Owner":"`+mediatest.Owner+`",`, 1)
	jpeg := func(segments ...[]byte) []byte { return mediatest.WithSegments(mediatest.JPEG(60, 40), segments...) }
	xmp := func(properties string) []byte { return jpeg(mediatest.XMPSegment(mediatest.XMPOf(properties))) }
	comment := func(text string) []byte { return jpeg(mediatest.EXIFSegment(mediatest.EXIFComment(text))) }
	png := func(kind, payload string) []byte {
		return mediatest.WithChunks(mediatest.PNG(60, 40), mediatest.PNGChunk(kind, []byte(payload)))
	}
	for name, c := range map[string]struct {
		data   []byte
		has    string // what goes out has this
		passes bool   // it goes out byte for byte
	}{
		"AIGC": {xmp(aigc), escaped(label), true},
		"AIGC, an attribute": {
			jpeg(mediatest.XMPSegment(bytes.Replace(mediatest.XMPOf(""), []byte(`rdf:about=""`), []byte(`rdf:about="" TC260:AIGC="`+escaped(label)+`"`), 1))),
			escaped(label), true,
		},
		"AIGC, CDATA":                {xmp("<TC260:AIGC><![CDATA[" + label + "]]></TC260:AIGC>"), "CDATA", true},
		"AIGC with what is private":  {xmp(aigc + serial), label, false},
		"AIGC with a field too many": {xmp("<TC260:AIGC>" + escaped(also) + "</TC260:AIGC>"), label, false},
		"AIGC of a possible model":   {xmp(`<TC260:AIGC>{"Label":"2"}</TC260:AIGC>` + serial), `{"Label":"2"}`, false},
		"AISystemUsed":               {xmp(system), system, true},
		"AISystemUsed with a person": {
			xmp(system + "<Iptc4xmpExt:AIPromptWriterName>" + mediatest.Owner + "</Iptc4xmpExt:AIPromptWriterName>"), system, false,
		},
		"DigitalSourceFileType": {xmp("<Iptc4xmpExt:DigitalSourceFileType>" + source + "</Iptc4xmpExt:DigitalSourceFileType>"), source, true},
		"DigitalSourceFileType with what is private": {
			xmp("<Iptc4xmpExt:DigitalSourceFileType>" + source + "</Iptc4xmpExt:DigitalSourceFileType>" + serial), source, false,
		},
		"a code":                {xmp("<Iptc4xmpExt:DigitalSourceType>digsrctype:trainedAlgorithmicMedia</Iptc4xmpExt:DigitalSourceType>" + serial), source, false},
		"a PNG's text":          {png("tEXt", "AIGC\x00"+label), label, false},
		"a PNG's longer text":   {png("iTXt", "AIGC\x00\x00\x00\x00\x00"+label), label, false},
		"a PNG's XMP":           {png("iTXt", "XML:com.adobe.xmp\x00\x00\x00\x00\x00"+string(mediatest.XMPOf(aigc))), label, false},
		"a comment":             {comment("ASCII\x00\x00\x00" + label), label, false},
		"a comment around it":   {comment("ASCII\x00\x00\x00" + mediatest.Comment + `{"AIGC":` + also + "}"), label, false},
		"a comment in UTF-16":   {comment("UNICODE\x00" + wide(label, false)), label, false},
		"a comment with a mark": {comment("UNICODE\x00\xff\xfe" + wide(label, true)), label, false},
		"a comment in XMP":      {xmp("<exif:UserComment>" + escaped(label) + "</exif:UserComment>"), label, false},
	} {
		t.Run(name, func(t *testing.T) {
			res, made := processed(t, c.data, plain)
			out := made["plain"].Bytes()
			if res.Provenance.AI != mission.AIDetected {
				t.Errorf("provenance %+v", res.Provenance)
			}
			if bytes.Equal(out, c.data) != c.passes || !bytes.Contains(out, []byte(c.has)) {
				t.Errorf("%d bytes became %d: %q", len(c.data), len(out), out[:min(900, len(out))])
			}
			for _, private := range []string{mediatest.Serial, mediatest.Owner, mediatest.Comment} {
				if bytes.Contains(out, []byte(private)) {
					t.Errorf("%q is still there", private)
				}
			}
			again, _ := processed(t, out, plain)
			if again.Provenance.AI != mission.AIDetected || again.Made[0].Hash != hexHash(out) {
				t.Errorf("what was made says %+v, and is made anew again", again.Provenance)
			}
		})
	}
}

// What only looks like a label says nothing, and doesn't stay.
func TestNoLabels(t *testing.T) {
	for name, text := range map[string]string{
		"another label": `{"Label":"0","ContentProducer":"` + mediatest.Owner + `"}`, "none": `{"ContentProducer":"` + mediatest.Owner + `"}`,
		"no JSON": "Label 1 " + mediatest.Owner, "half": `{"Label":"1","ContentProducer":"` + mediatest.Owner, "a list": `{"Label":["1"],"ProduceID":"` + mediatest.Owner + `"}`,
		"nested": `{"AIGC":{"AIGC":{"Label":"1","ProduceID":"` + mediatest.Owner + `"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			segment := mediatest.XMPSegment(mediatest.XMPOf("<TC260:AIGC>" + escaped(text) + "</TC260:AIGC>"))
			res, made := processed(t, mediatest.WithSegments(mediatest.JPEG(60, 40), segment, mediatest.EXIFSegment(mediatest.EXIFComment("ASCII\x00\x00\x00"+text))), plain)
			if res.Provenance.AI != mission.AINone || bytes.Contains(made["plain"].Bytes(), []byte(mediatest.Owner)) {
				t.Errorf("got %+v", res.Provenance)
			}
		})
	}
}

// noted returns a GIF with a packet of XMP, before its end.
func noted(gif, packet []byte) []byte {
	end := len(gif) - 1
	return slices.Concat(gif[:end], mediafile.GIFNote(packet), gif[end:])
}

// A GIF that moves keeps what says where it comes from, which its decoders pass over, and nothing else.
func TestMovingGIFKeepsLabels(t *testing.T) {
	data := noted(mediatest.GIF(3), mediatest.XMPOf("<TC260:AIGC>"+escaped(mediatest.Label)+"</TC260:AIGC><aux:SerialNumber>"+mediatest.Serial+"</aux:SerialNumber>"))
	res, made := processed(t, data)
	out := made[""].Bytes()
	if res.Provenance.AI != mission.AIDetected || !bytes.Contains(out, []byte(mediatest.Label)) || bytes.Contains(out, []byte(mediatest.Serial)) {
		t.Errorf("%+v: %q", res.Provenance, out)
	}
	moving, err := gif.DecodeAll(bytes.NewReader(out))
	if err != nil || len(moving.Image) != 3 {
		t.Errorf("got %v", err)
	}
	if again, _ := processed(t, out); again.Provenance.AI != mission.AIDetected || again.Made[0].Hash != hexHash(out) {
		t.Errorf("what was made says %+v, and is made anew again", again.Provenance)
	}
}
