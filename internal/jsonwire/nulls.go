package jsonwire

import (
	"bytes"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"missiond/mission"
)

// checkNulls rejects the nulls of a JSON text that were decoded into a value of a type
// without a trace: those of fields that aren't tagged nullable:"true", the tag that the
// description of a body is made of too, and those of items of lists. A type that records
// whether it was null decides itself: it has a method JSONType. Errors: invalid_request,
// with all such fields.
func checkNulls(text []byte, of reflect.Type) error {
	if !bytes.Contains(text, []byte("null")) {
		return nil
	}
	var found mission.Problems
	d := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		token, err := d.ReadToken()
		if err != nil { // the end: the text has been decoded
			return found.Err()
		}
		if token.Kind() == 'n' && !takesNull(of, d.StackPointer()) {
			found = append(found, mission.Invalid(Param(d.StackPointer()), "This field can't be null."))
		}
	}
}

// takesNull reports whether the value of a type at a pointer may be null. The whole may.
func takesNull(t reflect.Type, at jsontext.Pointer) bool {
	takes := true
	for name := range at.Tokens() {
		t = valueType(t)
		switch t.Kind() {
		case reflect.Struct:
			f, ok := member(t, name)
			if !ok {
				return true // of a type with a decoder of its own
			}
			t, takes = f.Type, f.Tag.Get("nullable") == "true" || records(f.Type)
		case reflect.Slice, reflect.Array, reflect.Map:
			t = t.Elem()
			takes = t.Kind() == reflect.Interface
		default:
			return true
		}
	}
	return takes
}

// stated is a type that records whether it was sent, and as null.
type stated interface{ JSONType() reflect.Type }

func records(t reflect.Type) bool { return t.Implements(reflect.TypeFor[stated]()) }

// valueType returns the type of the value that a field of a type has.
func valueType(t reflect.Type) reflect.Type {
	for {
		switch {
		case t.Kind() == reflect.Pointer:
			t = t.Elem()
		default:
			value, ok := reflect.Zero(t).Interface().(stated)
			if !ok {
				return t
			}
			t = value.JSONType()
		}
	}
}

// member returns the field of a struct that has a name in JSON.
func member(t reflect.Type, name string) (reflect.StructField, bool) {
	for _, f := range reflect.VisibleFields(t) {
		if known, _, _ := strings.Cut(f.Tag.Get("json"), ","); known == name && known != "" {
			return f, true
		}
	}
	return reflect.StructField{}, false
}
