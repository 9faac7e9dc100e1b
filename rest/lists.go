package rest

import (
	"errors"
	"time"

	"missiond/internal/admission"
	"missiond/mission"
	"missiond/store"
)

// Paging has the parameters of every list.
type Paging struct {
	Limit         int    `query:"limit" default:"20" minimum:"1" maximum:"100" doc:"How many to return" example:"20"`
	StartingAfter string `query:"starting_after" doc:"The last id of the previous page" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
}

func (p Paging) page() store.Page { return store.Page{After: p.StartingAfter, Limit: p.Limit} }

// timeParam is a parameter with a time, and where it goes.
type timeParam struct {
	name, text string
	at         **time.Time
}

// readTimes reads those parameters that are given. Errors: invalid_request, naming one.
func readTimes(params []timeParam) error {
	for _, p := range params {
		if p.text == "" {
			continue
		}
		at, err := mission.ParseTime(p.text)
		if err != nil {
			return mission.Invalid(p.name, "Invalid time %q: must be %s.", p.text, mission.TimeForm)
		}
		*p.at = &at
	}
	return nil
}

// page is a list (interface, section 2, "Paged list envelope").
type page[T any] struct {
	Data    []T  `json:"data"`
	HasMore bool `json:"has_more" doc:"Whether there are more" example:"false"`
	Total   int  `json:"total" doc:"How many records match the filter" example:"1"`
}

// pageOf returns a page as shown, with the number of all records.
func pageOf[T, R any](listed store.Listed[T], total int, shown func(T) R) page[R] {
	p := page[R]{Data: make([]R, len(listed.List)), HasMore: listed.More, Total: total}
	for i, each := range listed.List {
		p.Data[i] = shown(each)
	}
	return p
}

// counted returns a page that was read, as shown, with the number of all records,
// or the error of either.
func counted[T, R any](listed store.Listed[T], err error, count func() (int, error), shown func(T) R) (page[R], error) {
	if err != nil {
		return page[R]{}, namingCursor(err)
	}
	total, err := count()
	return pageOf(listed, total, shown), err
}

// whole returns a list that has only one page.
func whole[T, R any](list []T, shown func(T) R) page[R] {
	return pageOf(store.Listed[T]{List: list}, len(list), shown)
}

// shownAll returns a list as shown, never nil.
func shownAll[T, R any](list []T, shown func(T) R) []R {
	all := make([]R, len(list))
	for i, each := range list {
		all[i] = shown(each)
	}
	return all
}

// namingCursor adds the name of the parameter to the error for an invalid cursor.
func namingCursor(err error) error {
	var m *mission.Error
	if !errors.As(err, &m) || m.Param != "" || m.Code != mission.CodeInvalidRequest {
		return err
	}
	named := *m
	if named.Param = "starting_after"; admission.IsFull(err) {
		named.Param = "limit"
	}
	return &named
}
