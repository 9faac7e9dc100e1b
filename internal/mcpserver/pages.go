package mcpserver

import (
	"errors"
	"strings"

	"missiond/internal/admission"
	"missiond/internal/jsonwire"
	"missiond/mission"
	"missiond/store"
)

// paging is what every list takes.
type paging struct {
	Limit         *int   `json:"limit,omitempty" doc:"10 if omitted; a page may have fewer" minimum:"1" maximum:"50"`
	StartingAfter string `json:"starting_after,omitempty" doc:"next of the page before"`
}

// Bounds of a page, in rows.
const (
	defaultRows = 10
	mostRows    = 50
)

// page returns the page that is asked for. Errors: invalid_request on limit.
func (p paging) page() (store.Page, error) {
	limit := defaultRows
	if p.Limit != nil {
		limit = *p.Limit
	}
	if limit < 1 || limit > mostRows {
		return store.Page{}, mission.Invalid("limit", "The limit must be between 1 and %d.", mostRows)
	}
	return store.Page{After: p.StartingAfter, Limit: limit}, nil
}

// paged is a list.
type paged[T any] struct {
	Data    []T    `json:"data"`
	HasMore bool   `json:"has_more"`
	Next    string `json:"next,omitempty" doc:"starting_after of the next page"`
}

// detail is how much of records is returned.
type detail string

const detailFull detail = "full"

// detailed is what every tool that reads takes.
type detailed struct {
	Detail detail `json:"detail,omitempty" enum:"concise,full" doc:"concise, if omitted"`
}

func (d detailed) full() bool { return d.Detail == detailFull }

// Bounds of a list's rows together, in bytes: a concise answer has 2,000 tokens of three bytes at
// most, any answer 25,000.
const (
	conciseBytes = 5_000
	fullBytes    = 60_000
)

// budget is the bound of an answer's rows.
func (d detailed) budget() int {
	if d.full() {
		return fullBytes
	}
	return conciseBytes
}

// fitted returns the first rows that fit into a budget together, at least one, and how many they
// are.
func fitted[T any](rows []T, budget int) ([]T, int) {
	for i, row := range rows {
		text, err := jsonwire.Marshal(row)
		if err == nil {
			budget -= len(text) + 1
		}
		if budget < 0 && i > 0 {
			return rows[:i], i
		}
	}
	return append([]T{}, rows...), len(rows)
}

// pageOf returns the page of a list as shown, as many of its rows as fit.
func pageOf[T, R any](listed store.Listed[T], rows []R, d detailed, id func(T) string) paged[R] {
	data, n := fitted(rows, d.budget())
	p := paged[R]{Data: data, HasMore: listed.More || n < len(rows)}
	switch {
	case n < len(rows):
		p.Next = id(listed.List[n-1])
	case listed.Next != "":
		p.Next, p.HasMore = listed.Next, true
	case listed.More && n > 0:
		p.Next = id(listed.List[n-1])
	}
	return p
}

// namingCursor adds the name of the argument to the error for an invalid cursor.
func namingCursor(err error) error {
	param := "starting_after"
	if admission.IsFull(err) {
		param = "limit"
	}
	return naming(err, mission.CodeInvalidRequest, param)
}

// naming adds the name of the argument that an error with a code is about, unless it has one.
func naming(err error, code mission.Code, param string) error {
	var m *mission.Error
	if !errors.As(err, &m) || m.Param != "" || m.Code != code {
		return err
	}
	named := *m
	named.Param = param
	return &named
}

// renamed returns an error about fields below one prefix as one about those below another.
func renamed(err error, prefix, by string) error {
	var m *mission.Error
	if !errors.As(err, &m) || m.Param == "" {
		return err
	}
	change := func(e *mission.Error) *mission.Error {
		with := *e
		if rest, ok := strings.CutPrefix(e.Param, prefix); ok {
			with.Param = by + rest
		}
		return &with
	}
	with := change(m)
	with.Problems = make(mission.Problems, len(m.Problems))
	for i, problem := range m.Problems {
		with.Problems[i] = change(problem)
	}
	return with
}

func without(param, prefix string) string { return strings.TrimPrefix(param, prefix) }
