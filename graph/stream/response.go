package stream

import (
	"io"

	"github.com/99designs/gqlgen/graphql"

	"missiond/internal/jsonwire"
)

// WriteResponse writes a response, whose data is JSON already and isn't copied. Without data it writes null for it, unless bare
// is set. Errors: those of w.
func WriteResponse(w io.Writer, response *graphql.Response, bare bool) (err error) {
	before := byte('{')
	member := func(name string, value []byte) {
		if err == nil {
			_, err = io.WriteString(w, string(before)+`"`+name+`":`)
		}
		if err == nil {
			_, err = w.Write(value)
		}
		before = ','
	}
	if len(response.Errors) > 0 {
		member("errors", encoded(response.Errors))
	}
	if response.Data != nil {
		member("data", response.Data)
	} else if !bare {
		member("data", []byte("null"))
	}
	if len(response.Extensions) > 0 {
		member("extensions", encoded(response.Extensions))
	}
	if err == nil {
		_, err = io.WriteString(w, "}")
	}
	return err
}

// encoded returns the JSON of errors or extensions, which always have one.
func encoded(v any) []byte {
	text, err := jsonwire.Marshal(v)
	if err != nil {
		panic("bug: a response that isn't JSON: " + err.Error())
	}
	return text
}
