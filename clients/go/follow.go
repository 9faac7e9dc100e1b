package missiond

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	eventStream = "text/event-stream"
	// silence is how long a stream may say nothing; the service writes something every 24 s.
	silence = time.Minute
	// longestEvent is how many bytes an event may have.
	longestEvent = 4 << 20
	// mostFailures is how many connections in a row may bring no event.
	mostFailures = 30
)

// FollowParams say which events to follow.
type FollowParams struct {
	After     string      // the id of the last event that was seen, at most 30 days old; without it only new events come
	Types     []string    // only events of these types, such as "content.published"
	MissionID string      // only events of this mission
	OnLost    func(error) // is told when a connection is lost, before it is made again
}

// Follow yields the events of the tenant in their order, each once, as they happen. Whatever ends
// the connection, it resumes after the last event that it yielded. It ends with the first error
// that another connection won't mend.
func Follow(ctx context.Context, c *ClientWithResponses, p FollowParams) iter.Seq2[WebhookEvent, error] {
	return func(yield func(WebhookEvent, error) bool) {
		p := p
		first, err := begin(ctx, c, &p)
		if err != nil {
			yield(WebhookEvent{}, err)
			return
		}
		if first != nil && !yield(*first, nil) {
			return
		}
		for failures := 0; ; {
			err := stream(ctx, c, p, func(e WebhookEvent) bool {
				failures = 0
				more := yield(e, nil)
				p.After = e.ID
				return more
			})
			if err == nil {
				return
			}
			failures++
			wait, again := pause(err, min(failures, 6), http.MethodGet)
			if !again || failures >= mostFailures || wait > time.Minute || ctx.Err() != nil {
				yield(WebhookEvent{}, err)
				return
			}
			if p.OnLost != nil {
				p.OnLost(err)
			}
			if err := sleep(ctx, wait); err != nil {
				yield(WebhookEvent{}, err)
				return
			}
		}
	}
}

// begin sets After to the newest event, so that a subscription can resume before its first
// message. If there is none yet, it waits for the first one, which it returns if it is wanted.
func begin(ctx context.Context, c *ClientWithResponses, p *FollowParams) (*WebhookEvent, error) {
	one := int64(1)
	for waited := false; p.After == ""; waited = true {
		newest, err := c.EventsListWithResponse(ctx, &EventsListParams{Limit: &one})
		switch {
		case err != nil:
			return nil, err
		case newest.JSON200 == nil:
			return nil, errNoJSON
		case len(newest.JSON200.Data) > 0 && !waited:
			p.After = newest.JSON200.Data[0].ID
		case len(newest.JSON200.Data) > 0:
			return oldest(ctx, c, p)
		default:
			if err := sleep(ctx, 2*time.Second); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

// oldest sets After to the oldest event, and returns it if it is wanted.
func oldest(ctx context.Context, c *ClientWithResponses, p *FollowParams) (*WebhookEvent, error) {
	last := func(params EventsListParams) (event ShownEvent, err error) {
		for event, err = range Events(ctx, c, params) {
			if err != nil {
				return event, err
			}
		}
		return event, nil
	}
	first, err := last(EventsListParams{})
	if err != nil {
		return nil, err
	}
	p.After = first.ID
	if p.MissionID != "" {
		of, err := last(EventsListParams{MissionID: &p.MissionID})
		if err != nil || of.ID != first.ID {
			return nil, err
		}
	}
	if len(p.Types) > 0 && !slices.Contains(p.Types, first.Type) {
		return nil, nil
	}
	data, err := json.Marshal(first.Data)
	return &WebhookEvent{first.ID, first.Type, first.CreatedAt, data}, err
}

// answer is a response of GraphQL to a subscription of events.
type answer struct {
	Data struct {
		Events *struct {
			ID        string          `json:"id"`
			Type      string          `json:"type"`
			CreatedAt time.Time       `json:"createdAt"`
			Data      json.RawMessage `json:"data"`
		} `json:"events"`
	} `json:"data"`
	Errors []struct {
		Message    string `json:"message"`
		Extensions struct {
			Code       string `json:"code"`
			Param      string `json:"param"`
			RequestID  string `json:"requestId"`
			RetryAfter int64  `json:"retryAfter"`
		} `json:"extensions"`
	} `json:"errors"`
}

// event returns the event of a response, or its error.
func (a answer) event() (WebhookEvent, error) {
	switch {
	case len(a.Errors) > 0:
		e := a.Errors[0]
		return WebhookEvent{}, &Error{
			Status: http.StatusOK, Code: e.Extensions.Code, Message: e.Message, Field: e.Extensions.Param,
			RequestID: e.Extensions.RequestID, RetryAfter: seconds(e.Extensions.RetryAfter),
		}
	case a.Data.Events == nil:
		return WebhookEvent{}, &Error{Status: http.StatusOK, Code: "unknown", Message: "the response has no event"}
	}
	e := a.Data.Events
	return WebhookEvent{e.ID, strings.ToLower(strings.Replace(e.Type, "_", ".", 1)), e.CreatedAt, e.Data}, nil
}

// subscribe opens a stream of server-sent events.
func subscribe(ctx context.Context, c *ClientWithResponses, p FollowParams) (*http.Response, error) {
	raw, ok := c.ClientInterface.(*Client)
	if !ok {
		return nil, fmt.Errorf("missiond: Follow needs a client of New, not a %T", c.ClientInterface)
	}
	variables := map[string]any{"after": p.After}
	if p.MissionID != "" {
		variables["missionId"] = p.MissionID
	}
	if len(p.Types) > 0 {
		var types []string
		for _, t := range p.Types {
			types = append(types, strings.ToUpper(strings.Replace(t, ".", "_", 1)))
		}
		variables["types"] = types
	}
	const query = `subscription($types: [EventType!], $missionId: ID, $after: ID) {
	events(types: $types, missionId: $missionId, after: $after) { id type createdAt data }
}`
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, raw.Server+"graphql", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", eventStream)
	return raw.Client.Do(req)
}

var errCut = errors.New("missiond: the stream of events ended")

// stream gives the events of one connection to each, until that returns false or the service says
// that the subscription is complete. Any other end is an error.
func stream(ctx context.Context, c *ClientWithResponses, p FollowParams, each func(WebhookEvent) bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	resp, err := subscribe(ctx, c, p)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), eventStream) {
		// A request that is refused before the stream begins is answered in JSON.
		text, err := io.ReadAll(io.LimitReader(resp.Body, longestEvent))
		if err != nil {
			return err
		}
		return refused(text)
	}
	timer := time.AfterFunc(silence, cancel)
	defer timer.Stop()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, longestEvent)
	kind := ""
	for lines.Scan() {
		timer.Reset(silence)
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case name == "event":
			kind = value
		case name == "data" && kind == "complete":
			return nil
		case name == "data" && kind == "next":
			var a answer
			if err := json.Unmarshal([]byte(value), &a); err != nil {
				return errCut // within its line
			}
			e, err := a.event()
			if err != nil {
				return err
			}
			timer.Stop() // whoever reads may take their time
			if !each(e) {
				return nil
			}
			timer.Reset(silence)
		}
	}
	return errors.Join(errCut, lines.Err())
}

// refused returns the error of a response that isn't a stream.
func refused(text []byte) error {
	var a answer
	if err := json.Unmarshal(text, &a); err != nil {
		return &Error{Status: http.StatusOK, Code: "unknown", Message: fmt.Sprintf("no stream of events: %.200q", text)}
	}
	_, err := a.event()
	return err
}
