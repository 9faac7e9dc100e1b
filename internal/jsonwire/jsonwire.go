// Package jsonwire writes and reads JSON as the service does: times in UTC with
// milliseconds, lists never null, and strict input.
package jsonwire

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"missiond/mission"
)

// TimeFormat is the format of times: RFC 3339, UTC, milliseconds.
const TimeFormat = "2006-01-02T15:04:05.000Z"

// AppendTime appends a time in TimeFormat. It is faster than time.Time.AppendFormat, which
// reads the format each time, but for RFC 3339's own.
func AppendTime(b []byte, t time.Time) []byte {
	t = t.UTC()
	b = t.AppendFormat(b, time.RFC3339)
	ms := t.Nanosecond() / int(time.Millisecond)
	return append(b[:len(b)-1], '.', byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10), 'Z')
}

var marshal = json.JoinOptions(
	json.WithMarshalers(json.MarshalToFunc(func(e *jsontext.Encoder, t time.Time) error {
		var buf [len(TimeFormat) + 4]byte
		return e.WriteToken(jsontext.String(string(AppendTime(buf[:0], t))))
	})),
	json.Deterministic(true),
)

// Marshal returns v's JSON.
func Marshal(v any) ([]byte, error) { return json.Marshal(v, marshal) }

// Write writes v's JSON.
func Write(w io.Writer, v any) error { return json.MarshalWrite(w, v, marshal) }

// decoding reads times as mission.ParseTime does, and integers in any form of JSON's numbers:
// 2.0 and 2e0 are 2, as in JSON Schema.
var decoding = json.WithUnmarshalers(json.JoinUnmarshalers(
	json.UnmarshalFromFunc(func(d *jsontext.Decoder, t *time.Time) error {
		if d.PeekKind() != '"' {
			return errors.ErrUnsupported
		}
		text, err := d.ReadToken()
		if err != nil {
			return err
		}
		*t, err = mission.ParseTime(text.String())
		return err
	}),
	json.UnmarshalFromFunc(readInteger[int]), json.UnmarshalFromFunc(readInteger[int64]),
))

// readInteger reads a number whose value is an integer.
func readInteger[N int | int64](d *jsontext.Decoder, n *N) error {
	if d.PeekKind() != '0' {
		return errors.ErrUnsupported
	}
	text, err := d.ReadValue()
	if err != nil {
		return err
	}
	whole, err := strconv.ParseInt(string(text), 10, strconv.IntSize)
	if err != nil {
		f, bad := strconv.ParseFloat(string(text), 64)
		if bad != nil || f != math.Trunc(f) || math.Abs(f) > maxExact || !strings.ContainsAny(string(text), ".eE") {
			return err
		}
		whole = int64(f)
	}
	*n = N(whole)
	return nil
}

// maxExact is up to where a float has every integer.
const maxExact = 1 << 53

// Value decodes a value inside a text that Read reads.
func Value(text []byte, v any) error { return json.Unmarshal(text, v, decoding) }

// Read decodes one JSON value into v, a pointer. It rejects unknown and duplicate members,
// strings that CheckStrings rejects, null for what can't be null (checkNulls), and anything
// after the value. Errors: a
// *mission.Error, invalid_request, whose Param is the field's path.
func Read(body []byte, v any) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return mission.Invalid("", "The body is empty; a JSON object is expected.")
	}
	if err := CheckStrings(body); err != nil {
		return err
	}
	err := json.Unmarshal(body, v, json.RejectUnknownMembers(true), decoding)
	if err == nil {
		return checkNulls(body, reflect.TypeOf(v).Elem())
	}
	var semantic *json.SemanticError
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &semantic) && errors.Is(semantic.Err, json.ErrUnknownName):
		return mission.Invalid(Param(semantic.JSONPointer), "Unknown field.")
	case errors.As(err, &semantic):
		return mission.Invalid(Param(semantic.JSONPointer), "The value must be %s.", expected(semantic.GoType))
	case errors.As(err, &syntactic) && errors.Is(syntactic.Err, jsontext.ErrDuplicateName):
		return mission.Invalid(Param(syntactic.JSONPointer), "Duplicate field.")
	default:
		return mission.Invalid("", "The body is not valid JSON.")
	}
}

// CheckStrings rejects a JSON text with a string or a member's name that isn't
// UTF-8, has half of a surrogate pair, or that mission.CheckString rejects. A text
// that isn't JSON passes: whoever decodes it reports that. Errors: a
// *mission.Error, invalid_request, whose Param is the field's path.
func CheckStrings(text []byte) error { return checkStrings(text, mission.CheckString) }

// CheckUTF8 is CheckStrings for a text whose strings are checked where they are
// used.
func CheckUTF8(text []byte) error {
	return checkStrings(text, func(string, string) error { return nil })
}

func checkStrings(text []byte, check func(param, text string) error) error {
	d := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true))
	for {
		token, err := d.ReadToken()
		if err != nil {
			return notUTF8(text, err)
		}
		if token.Kind() != '"' {
			continue
		}
		if err := check(printable(Param(d.StackPointer())), token.String()); err != nil {
			return err
		}
	}
}

// notUTF8 returns the error if a string isn't UTF-8, and nil if the text is at its
// end or isn't JSON.
func notUTF8(text []byte, wrong error) error {
	var broken *jsontext.SyntacticError
	if errors.As(wrong, &broken) && jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return mission.Invalid(printable(Param(broken.JSONPointer)), "The text is not valid UTF-8.")
	}
	return nil
}

// printable returns a path in which names are valid UTF-8.
func printable(param string) string { return strings.ToValidUTF8(param, "\uFFFD") }

// Param returns a JSON pointer as the API names fields: /kpis/0/metric is
// kpis[0].metric.
func Param(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		if _, err := strconv.ParseUint(token, 10, 32); err == nil {
			b.WriteString("[" + token + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(token)
	}
	return b.String()
}

// expected describes the JSON that a Go type requires.
func expected(t reflect.Type) string {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return "of another type"
	}
	if records(t) {
		return expected(valueType(t))
	}
	if t == reflect.TypeFor[time.Time]() {
		return mission.TimeForm
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "an integer"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "an array"
	default:
		return "an object"
	}
}
