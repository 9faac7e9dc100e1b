package mission

import (
	"errors"
	"slices"
	"strings"
)

// MaxProblems is how many problems an error tells.
const MaxProblems = 50

// Problems is what is wrong with an input, in the order of its fields: each is an
// invalid_request that names its field.
type Problems []*Error

// add adds those of some errors that aren't nil; all are Errors.
func (p *Problems) add(errs ...error) {
	for _, err := range errs {
		var e *Error
		if errors.As(err, &e) {
			*p = append(*p, e)
		}
	}
}

// And returns the problems with those of others that are about other fields.
func (p Problems) And(others Problems) Problems {
	for _, o := range others {
		if !slices.ContainsFunc(p, func(known *Error) bool { return known.Param == o.Param }) {
			p = append(p, o)
		}
	}
	return p
}

// About reports whether a problem is about one of some fields, or about a part of one.
func (p Problems) About(fields ...string) bool {
	return slices.ContainsFunc(p, func(e *Error) bool {
		return slices.ContainsFunc(fields, func(field string) bool {
			part, ok := strings.CutPrefix(e.Param, field)
			return ok && (part == "" || part[0] == '[' || part[0] == '.')
		})
	})
}

// Err returns the first problem as an error that has all of them, up to MaxProblems; nil
// if there are none.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	first := *p[0]
	first.Problems = p[:min(len(p), MaxProblems)]
	return &first
}

// Within returns the error, which names a field of a part of an input, as one about the
// whole, whose field the part is.
func (e *Error) Within(field string) *Error {
	whole := *e
	whole.Param, whole.Problems = field+"."+e.Param, nil
	for _, p := range e.Problems {
		whole.Problems = append(whole.Problems, p.Within(field))
	}
	return &whole
}
