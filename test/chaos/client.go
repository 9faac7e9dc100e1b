package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"missiond/internal/clock"
)

// client uses the service as one tenant, with missions of its own.
type client struct {
	w      *harness
	b      *record
	tenant tenant
	number int
	r      *rand.Rand
	http   *http.Client
	made   int // names so far
	own    []*sentMission
}

// Bounds of a request.
const (
	answerLimit = 25 * time.Second // longer than any responding process is frozen
	longestBody = 8 << 20
)

// request is what a client sends.
type request struct {
	method, path string
	body         any
	// key is its Idempotency-Key, or "". A request with a key is retried until its
	// outcome is known.
	key string
}

// response is the response to a request.
type response struct {
	outcome outcome
	status  int // 0 without a response
	body    []byte
	// again means that the request must be retried with its key.
	again bool
}

// read decodes the response's body into v.
func (a response) read(v any) error { return json.Unmarshal(a.body, v) }

// do settles a request. It repeats one in four successful requests with a key, which
// must return the same response.
func (c *client) do(ctx context.Context, q request) response {
	first := c.settle(ctx, q)
	if first.outcome != unknown {
		c.b.checked() // by the caller
	}
	if q.key == "" || first.outcome != done || c.r.IntN(4) > 0 {
		return first
	}
	if a := c.settle(ctx, q); a.outcome != unknown && !a.again {
		c.b.checked()
		if a.status != first.status || !bytes.Equal(a.body, first.body) {
			c.b.violated("the Idempotency-Key "+q.key, fmt.Sprintf("the first response again: %d %s", first.status, first.body), fmt.Sprintf("%d %s", a.status, a.body))
		}
	}
	return first
}

// settle sends a request once or, if it has a key, until its outcome is known or ctx
// ends.
func (c *client) settle(ctx context.Context, q request) response {
	a := c.send(ctx, q)
	defer c.b.write(func() { delete(c.b.waiting, q.key) })
	for q.key != "" && (a.outcome == unknown || a.again) {
		c.b.write(func() {
			c.b.waiting[q.key] = fmt.Sprintf("%s %s %v: %d %s", q.method, q.path, q.body, a.status, a.body)
		})
		if clock.Sleep(ctx, between(c.r, 100*time.Millisecond, 800*time.Millisecond)) != nil {
			break
		}
		a = c.send(ctx, q)
	}
	return a
}

// send sends a request to one of the API's processes.
func (c *client) send(ctx context.Context, q request) response {
	a := c.attempt(ctx, q)
	what := "declined"
	switch {
	case a.outcome == done:
		what = "successful"
	case a.outcome == unknown && a.status == 0:
		what = "without a response"
	case a.outcome == unknown:
		what = "failed"
	}
	c.b.countRequest(what)
	return a
}

func (c *client) attempt(ctx context.Context, q request) response {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	var body io.Reader = http.NoBody
	if q.body != nil {
		text, err := json.Marshal(q.body)
		if err != nil {
			panic("bug: a request can't be written: " + err.Error())
		}
		body = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, q.method, oneOf(c.r, c.w.apis).url+q.path, body)
	if err != nil {
		panic("bug: a request can't be made: " + err.Error())
	}
	req.Header.Set("Authorization", "Bearer "+c.tenant.Key)
	req.Header.Set("Content-Type", "application/json")
	if q.key != "" {
		req.Header.Set("Idempotency-Key", q.key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return response{}
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(resp.Body, longestBody))
	if err != nil || !json.Valid(text) {
		return response{}
	}
	return parseResponse(resp.StatusCode, text)
}

// failure is an error of either API.
type failure struct {
	Code  string `json:"code"`
	Param string `json:"param"`
}

// parseResponse returns the outcome of a response. GraphQL's errors have status 200.
func parseResponse(status int, text []byte) response {
	a := response{status: status, body: text}
	var e struct {
		Error  *failure `json:"error"`
		Errors []struct {
			Extensions failure `json:"extensions"`
		} `json:"errors"`
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return response{}
	}
	var f failure
	switch {
	case len(e.Errors) > 0:
		f = e.Errors[0].Extensions
	case e.Error != nil && status >= http.StatusBadRequest:
		f = *e.Error
	case status/100 == 2:
		a.outcome = done
		return a
	}
	switch strings.ToLower(f.Code) {
	case "invalid_request", "unauthorized", "forbidden", "not_found", "conflict", "rate_limit_exceeded":
		a.outcome = declined
	default:
		a.outcome = unknown
	}
	// It is being worked on, or the caller couldn't be authenticated.
	a.again = f.Param == "Idempotency-Key" || status == http.StatusTooManyRequests || strings.EqualFold(f.Code, "rate_limit_exceeded")
	return a
}

// mutation is a request of GraphQL's about a record.
func mutation(field, id, key string) request {
	return request{method: http.MethodPost, path: "/graphql", key: key, body: map[string]any{
		"query":     fmt.Sprintf("mutation Do($id: ID!) { %s(id: $id) { __typename } }", field),
		"variables": map[string]string{"id": id},
	}}
}

// post is a request of REST's about a record.
func post(path, key string, body any) request {
	return request{method: http.MethodPost, path: path, key: key, body: body}
}

func get(path string) request { return request{method: http.MethodGet, path: path} }
