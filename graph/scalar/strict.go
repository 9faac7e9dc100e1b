package scalar

import (
	"encoding/json"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
)

// gqlgen's own scalars accept a number for a string and the other way round. The
// GraphQL specification doesn't (section 3.5, "Input Coercion"), and neither does
// the REST API.

// MarshalInt writes an integer.
func MarshalInt(n int) graphql.Marshaler { return graphql.MarshalInt(n) }

// UnmarshalInt accepts only integers.
func UnmarshalInt(v any) (int, error) {
	n, err := UnmarshalInt64(v)
	return int(n), err
}

// MarshalInt64 writes an integer.
func MarshalInt64(n int64) graphql.Marshaler { return graphql.MarshalInt64(n) }

// UnmarshalInt64 accepts only integers.
func UnmarshalInt64(v any) (int64, error) {
	switch v := v.(type) {
	case int:
		return int64(v), nil
	case int64:
		return v, nil
	case json.Number:
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return n, nil
		}
	}
	return 0, invalid("the value must be an integer")
}

// MarshalFloat writes a number.
func MarshalFloat(f float64) graphql.Marshaler { return graphql.MarshalFloat(f) }

// UnmarshalFloat accepts only numbers.
func UnmarshalFloat(v any) (float64, error) {
	switch v := v.(type) {
	case float64:
		return v, nil
	case int64:
		return float64(v), nil
	case int:
		return float64(v), nil
	case json.Number:
		if f, err := v.Float64(); err == nil {
			return f, nil
		}
	}
	return 0, invalid("the value must be a number")
}

// MarshalBoolean writes a boolean.
func MarshalBoolean(b bool) graphql.Marshaler { return graphql.MarshalBoolean(b) }

// UnmarshalBoolean accepts only booleans.
func UnmarshalBoolean(v any) (bool, error) {
	if b, ok := v.(bool); ok {
		return b, nil
	}
	return false, invalid("the value must be true or false")
}
