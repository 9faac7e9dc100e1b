package rest

import (
	"errors"

	"missiond/mission"
	"missiond/store"
)

// Paging holds the parameters of every list.
type Paging struct {
	Limit         int    `query:"limit" default:"20" minimum:"1" maximum:"100" doc:"How many to return"`
	StartingAfter string `query:"starting_after" doc:"The last id of the previous page"`
}

func (p Paging) page() store.Page { return store.Page{After: p.StartingAfter, Limit: p.Limit} }

// page is a list (interface, section 2, "Paged list envelope").
type page[T any] struct {
	Data    []T  `json:"data"`
	HasMore bool `json:"has_more" doc:"Whether there are more"`
	Total   int  `json:"total" doc:"How many records match the filter"`
}

func pageOf[T, R any](list []T, more bool, total int, shown func(T) R) page[R] {
	p := page[R]{Data: make([]R, len(list)), HasMore: more, Total: total}
	for i, each := range list {
		p.Data[i] = shown(each)
	}
	return p
}

// namingCursor adds the name of the parameter to the error for an invalid cursor.
func namingCursor(err error) error {
	var m *mission.Error
	if !errors.As(err, &m) || m.Param != "" || m.Code != mission.CodeInvalidRequest {
		return err
	}
	named := *m
	named.Param = "starting_after"
	return &named
}
