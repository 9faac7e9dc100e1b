package rest

import (
	"net/http"

	"missiond/mission"
)

// route describes a route. Each has an operation, whose policy decides who may call
// it: without one, registering it panics.
type route struct {
	operation    mission.Operation
	method, path string
	status       int
	summary      string
	tag          tag
	bodyOptional bool
	// nullable says that null is no body, as for a review, where nothing depends on
	// which of the two it is.
	nullable bool
	// example is a body that the operation accepts, in JSON.
	example string
	// explain replaces an error about the body by a better one; may be nil.
	explain func(error) error
}

// tag is a group of operations in the API's description. Its methods return the routes of
// the group, with the status 200.
type tag string

func (t tag) get(op mission.Operation, path, summary string) route {
	return t.route(op, http.MethodGet, path, summary)
}

func (t tag) post(op mission.Operation, path, summary string) route {
	return t.route(op, http.MethodPost, path, summary)
}

func (t tag) put(op mission.Operation, path, summary string) route {
	return t.route(op, http.MethodPut, path, summary)
}

func (t tag) delete(op mission.Operation, path, summary string) route {
	return t.route(op, http.MethodDelete, path, summary)
}

func (t tag) route(op mission.Operation, method, path, summary string) route {
	return route{operation: op, method: method, path: path, status: http.StatusOK, summary: summary, tag: t}
}

// created returns the route with the status 201.
func (r route) created() route {
	r.status = http.StatusCreated
	return r
}

// optionalBody returns the route with a body that may be absent.
func (r route) optionalBody() route {
	r.bodyOptional = true
	return r
}

// optionalOrNull returns the route with a body that may be absent or null.
func (r route) optionalOrNull() route {
	r.bodyOptional, r.nullable = true, true
	return r
}

// explained returns the route with an explanation of errors about the body.
func (r route) explained(explain func(error) error) route {
	r.explain = explain
	return r
}

// withExample returns the route with a body that the operation accepts, in JSON.
func (r route) withExample(body string) route {
	r.example = body
	return r
}
