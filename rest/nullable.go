package rest

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"missiond/internal/jsonwire"
)

// nullable is an object that may be null, which its schema says.
type nullable[T any] struct{ value *T }

// MarshalJSON writes the object, or null.
func (n nullable[T]) MarshalJSON() ([]byte, error) { return jsonwire.Marshal(n.value) }

// Schema describes the object, or null.
func (nullable[T]) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{r.Schema(reflect.TypeFor[T](), true, ""), {Type: "null"}}}
}
