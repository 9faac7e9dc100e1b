package mission

import (
	"cmp"
	"slices"
)

// Bounds of the views that a person saves.
const (
	MaxViews     = 20
	maxViewName  = 60  // characters
	maxViewQuery = 500 // characters
)

// SavedView is a list of posts that a person has named: the query of its address in the console.
type SavedView struct {
	Name  string `json:"name"`
	Query string `json:"query"`
}

// CheckViewName checks the bounds of a view's name. Errors: invalid_request on param.
func CheckViewName(param, name string) error { return checkLine(param, name, 1, maxViewName) }

// Check checks the view's bounds. param is its name. Errors: invalid_request.
func (v SavedView) Check(param string) error {
	return cmp.Or(CheckViewName(param+".name", v.Name), checkLine(param+".query", v.Query, 0, maxViewQuery))
}

// WithView returns a person's views with one more, or with another query for the one of its
// name. Errors: conflict if there are too many.
func WithView(views []SavedView, v SavedView) ([]SavedView, error) {
	if i := viewNamed(views, v.Name); i >= 0 {
		changed := slices.Clone(views)
		changed[i] = v
		return changed, nil
	}
	if len(views) >= MaxViews {
		return nil, Conflict("You have %d saved views. Delete one first.", MaxViews)
	}
	return append(slices.Clone(views), v), nil
}

// WithoutView returns a person's views without the one of a name. param is the name's. Errors:
// invalid_request if there is none.
func WithoutView(views []SavedView, name, param string) ([]SavedView, error) {
	i := viewNamed(views, name)
	if i < 0 {
		return nil, Invalid(param, "No view is called %q.", name)
	}
	return slices.Delete(slices.Clone(views), i, i+1), nil
}

// viewNamed returns the index of the view of a name, -1 for none. The exact name comes first: views may have been stored
// under names that look the same.
func viewNamed(views []SavedView, name string) int {
	if i := slices.IndexFunc(views, func(v SavedView) bool { return v.Name == name }); i >= 0 {
		return i
	}
	return slices.IndexFunc(views, func(v SavedView) bool { return SameText(v.Name, name) })
}
