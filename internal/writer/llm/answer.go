package llm

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"missiond/mission"
)

// maxText bounds how much of a response is read: several times what any
// platform takes.
const maxText = 64 << 10

// maxObjects is how many starts of a JSON object are tried in a response.
const maxObjects = 16

type faultKind uint8

const (
	invalid faultKind = iota
	truncated
	refused
)

// fault is what is wrong with a response, in the service's own words: it
// contains nothing of the brief or the response.
type fault struct {
	kind  faultKind
	words string
}

func wrong(words string) *fault { return &fault{kind: invalid, words: words} }

// failure returns the error for the tenant.
func (f *fault) failure() *mission.WritingError {
	var code, text string
	switch f.kind {
	case refused:
		code, text = mission.CodeWriterRefused, "The language model refused to write this post."
	case truncated:
		code, text = mission.CodeWriterTruncated, "The language model's response was too long and was cut off, twice."
	case invalid:
		code, text = mission.CodeWriterInvalid, "The language model's second response can't be used either: "+f.words+"."
	}
	return &mission.WritingError{Failure: mission.Failure{Code: code, Message: text}}
}

// response is what a model returned: a text, or a fault in place of it.
type response struct {
	text  string
	fault *fault
}

// completion is what this package reads of an endpoint's response.
type completion struct {
	Choices []struct {
		FinishReason string `json:"finish_reason"`
		Message      struct {
			Content *string `json:"content"`
			Refusal *string `json:"refusal"`
		} `json:"message"`
	} `json:"choices"`
	Usage *usage `json:"usage"`
}

// errNoCompletion is returned for a response that isn't a chat completion.
var errNoCompletion = errors.New("llm: the endpoint's response is not a chat completion")

// parseCompletion parses an endpoint's response. A member of a wrong type
// counts as missing.
func parseCompletion(body []byte) (response, *usage, error) {
	var c completion
	err := json.Unmarshal(body, &c)
	var mistyped *json.UnmarshalTypeError
	if err != nil && (!errors.As(err, &mistyped) || mistyped.Field == "") {
		return response{}, nil, errNoCompletion
	}
	if len(c.Choices) == 0 {
		return response{fault: wrong("it is empty")}, c.Usage, nil
	}
	choice := c.Choices[0]
	s := response{}
	if choice.Message.Content != nil {
		s.text = *choice.Message.Content
	}
	switch {
	case choice.Message.Refusal != nil && strings.TrimSpace(*choice.Message.Refusal) != "", choice.FinishReason == "content_filter":
		s.fault = &fault{kind: refused}
	case choice.FinishReason == "length":
		s.fault = &fault{kind: truncated, words: "it was too long and was cut off; answer much shorter"}
	case !utf8.Valid(body):
		s.fault = wrong("it is not valid UTF-8")
	case strings.TrimSpace(s.text) == "":
		s.fault = wrong("it has no text")
	}
	return s, c.Usage, nil
}

// read returns the draft in a response, or what is wrong with it.
func (o order) read(s response) (mission.Draft, *fault) {
	if s.fault != nil {
		return mission.Draft{}, s.fault
	}
	parts, picture, f := parseResponse(s.text, o.format == mission.FormatThread, len(o.pictures) > 0)
	if f != nil {
		return mission.Draft{}, f
	}
	if picture != "" && !slices.ContainsFunc(o.pictures, func(p mission.Picture) bool { return p.MediaID == picture }) {
		return mission.Draft{}, wrong(`the member "picture" must be an id of pictures, or null`)
	}
	d := mission.Draft{Format: o.format, Text: strings.Join(parts, "\n\n"), MediaID: picture}
	if o.format == mission.FormatThread {
		d.Parts = parts
	}
	return d, o.judge(d, parts)
}

// pictureMember is the member of a response that names a picture.
const pictureMember = "picture"

// parseResponse returns the texts in a model's response, which the first JSON object has,
// whatever is around it, and the picture that it chooses where it may; "" for none.
func parseResponse(text string, thread, pictures bool) (texts []string, picture string, f *fault) {
	if len(text) > maxText {
		return nil, "", wrong("it is much too long")
	}
	if _, after, thought := strings.Cut(text, "</think>"); thought {
		text = after // some models think aloud, in braces too
	}
	object, ok := firstObject(text)
	if !ok {
		return nil, "", wrong("it holds no JSON object")
	}
	want, may := "text", ""
	if thread {
		want = "parts"
	}
	if pictures {
		may = pictureMember
	}
	value, also, ok := members(object, want, may)
	switch {
	case !ok && pictures:
		return nil, "", wrong(`the JSON object must have the members "` + want + `" and "` + may + `" once, and no other`)
	case !ok:
		return nil, "", wrong(`the JSON object must have the member "` + want + `" once, and no other`)
	case also != nil && json.Unmarshal(also, &picture) != nil: // null is ""
		return nil, "", wrong(`the member "picture" must be a string or null`)
	}
	texts, f = textsIn(value, thread)
	return texts, strings.TrimSpace(picture), f
}

// textsIn returns the texts in the value of a response's member: one, or a thread's parts.
func textsIn(value json.RawMessage, thread bool) ([]string, *fault) {
	if thread {
		var parts []*string
		if json.Unmarshal(value, &parts) != nil || parts == nil {
			return nil, wrong(`the member "parts" must be a list of strings`)
		}
		return tidy(parts)
	}
	var one *string
	if json.Unmarshal(value, &one) != nil {
		return nil, wrong(`the member "text" must be a string`)
	}
	return tidy([]*string{one})
}

// tidy trims texts and normalizes line breaks. A null text is a fault.
func tidy(texts []*string) ([]string, *fault) {
	tidied := make([]string, len(texts))
	for i, t := range texts {
		if t == nil {
			return nil, wrong("a text is null")
		}
		tidied[i] = strings.TrimSpace(strings.ReplaceAll(*t, "\r\n", "\n"))
	}
	return tidied, nil
}

// firstObject returns the first complete JSON object in a text.
func firstObject(text string) (object json.RawMessage, ok bool) {
	for range maxObjects {
		at := strings.IndexByte(text, '{')
		if at < 0 {
			return nil, false
		}
		text = text[at:]
		if json.NewDecoder(strings.NewReader(text)).Decode(&object) == nil {
			return object, true
		}
		text = text[1:]
	}
	return nil, false
}

// members returns the values of an object's member want and, if may isn't "", of its member may,
// which may be missing; ok is false if it has others, or one twice. encoding/json alone would also
// accept duplicates, and names in another case.
func members(object json.RawMessage, want, may string) (value, also json.RawMessage, ok bool) {
	d := json.NewDecoder(strings.NewReader(string(object)))
	if _, err := d.Token(); err != nil {
		return nil, nil, false
	}
	for d.More() {
		key, err := d.Token()
		to := &value
		if key == json.Token(may) && may != "" {
			to = &also
		} else if key != json.Token(want) {
			return nil, nil, false
		}
		if err != nil || *to != nil || d.Decode(to) != nil {
			return nil, nil, false
		}
	}
	return value, also, value != nil
}
