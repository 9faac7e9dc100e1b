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
	broken // a rule of all posts
)

// fault is what is wrong with a response, in the service's own words: it
// contains nothing of the brief or the response.
type fault struct {
	kind  faultKind
	words string
	rule  mission.Rule // of a broken one
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
	case broken:
		return mission.LeftOut(f.rule, "The language model's second text has a fault too: "+f.words+".")
	case invalid:
		code, text = mission.CodeWriterInvalid, "The language model's second response can't be used either: "+f.words+"."
	}
	return &mission.WritingError{Failure: mission.Failure{Code: code, Message: text}}
}

// response is what a model returned: a text, or a fault in place of it.
type response struct {
	text  string
	fault *fault
	used  *usage // nil if the endpoint doesn't report it
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
var errNoCompletion = &RejectedError{words: "sent a response that is not a chat completion"}

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
	a, f := o.parse(s.text)
	if f != nil {
		return mission.Draft{}, f
	}
	parts, picture := a.texts, a.picture
	if picture != "" && !slices.ContainsFunc(o.pictures, func(p mission.Picture) bool { return p.MediaID == picture }) {
		return mission.Draft{}, wrong(`the member "picture" must be an id of pictures, or null`)
	}
	d := mission.Draft{Format: o.format, Text: strings.Join(parts, "\n\n"), MediaID: picture}
	if d.Facts, f = o.cited(a.facts); f != nil {
		return mission.Draft{}, f
	}
	if o.format == mission.FormatThread {
		d.Parts = parts
	}
	return d, o.judge(d)
}

// The members of a response that name a picture, and the facts that the text states.
const (
	pictureMember = "picture"
	factsMember   = "facts"
)

// answer is what a model's response has.
type answer struct {
	texts   []string
	picture string // "" for none
	facts   []int
}

// parse returns what a model's response has, of which the first JSON object counts, whatever is
// around it.
func (o order) parse(text string) (a answer, f *fault) {
	if len(text) > maxText {
		return a, wrong("it is much too long")
	}
	if _, after, thought := strings.Cut(text, "</think>"); thought {
		text = after // some models think aloud, in braces too
	}
	object, ok := firstObject(text)
	if !ok {
		return a, wrong("it holds no JSON object")
	}
	want, thread := "text", o.format == mission.FormatThread
	if thread {
		want = "parts"
	}
	may := []string{want}
	if len(o.pictures) > 0 {
		may = append(may, pictureMember)
	}
	if len(o.facts) > 0 {
		may = append(may, factsMember)
	}
	found, ok := members(object, may)
	switch {
	case !ok || found[want] == nil:
		return a, wrong(`the JSON object must have the member "` + strings.Join(may, `" and "`) + `" once, and no other`)
	case found[pictureMember] != nil && json.Unmarshal(found[pictureMember], &a.picture) != nil: // null is ""
		return a, wrong(`the member "picture" must be a string or null`)
	case found[factsMember] != nil && json.Unmarshal(found[factsMember], &a.facts) != nil: // null is none
		return a, wrong(`the member "facts" must be a list of numbers`)
	}
	a.picture = strings.TrimSpace(a.picture)
	a.texts, f = textsIn(found[want], thread)
	return a, f
}

// cited returns the facts with some numbers.
func (o order) cited(numbers []int) (cited []mission.CitedFact, f *fault) {
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		if n < 1 || n > len(o.facts) {
			return nil, wrong(`the member "facts" must have numbers of facts`)
		}
		cited = append(cited, o.facts[n-1].Cited())
	}
	return cited, nil
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

// members returns the values of an object's members; ok is false if it has others than those it may
// have, or one twice. encoding/json alone would also accept duplicates, and names in another case.
func members(object json.RawMessage, may []string) (values map[string]json.RawMessage, ok bool) {
	d := json.NewDecoder(strings.NewReader(string(object)))
	if _, err := d.Token(); err != nil {
		return nil, false
	}
	values = map[string]json.RawMessage{}
	for d.More() {
		key, err := d.Token()
		name, _ := key.(string)
		if err != nil || values[name] != nil || !slices.Contains(may, name) {
			return nil, false
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil, false
		}
		values[name] = value
	}
	return values, true
}
