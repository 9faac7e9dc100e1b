package scalar

import (
	"errors"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"missiond/mission"
)

// MarshalString writes a string.
func MarshalString(s string) graphql.Marshaler { return graphql.MarshalString(s) }

// UnmarshalString accepts only strings that pass mission.CheckString; literals and
// variables both come through here.
func UnmarshalString(v any) (string, error) {
	if s, ok := v.(string); ok {
		return s, sound(s)
	}
	return "", invalid("the value must be a string")
}

// MarshalID writes an id.
func MarshalID(s string) graphql.Marshaler { return graphql.MarshalID(s) }

// UnmarshalID accepts strings as UnmarshalString does, and integers (GraphQL
// specification, section 3.5.5).
func UnmarshalID(v any) (string, error) {
	if s, ok := v.(string); ok {
		return s, sound(s)
	}
	n, err := UnmarshalInt64(v)
	if err != nil {
		return "", invalid("the value must be a string or an integer")
	}
	return strconv.FormatInt(n, 10), nil
}

// sound returns mission.CheckString's error as an Error of this package: only the
// caller knows the field's path.
func sound(s string) error {
	var wrong *mission.Error
	if errors.As(mission.CheckString("", s), &wrong) {
		return &Error{words: wrong.Message}
	}
	return nil
}
