package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"missiond/internal/outbound"
)

// Service is the service that a demo is a client of.
type Service struct {
	URL    string // without a path
	APIKey string
	// Speed is how many times faster than real time its clock runs.
	Speed float64
}

// Bounds of a call.
const (
	callLimit   = 20 * time.Second
	maxHeader   = 16 << 10 // bytes
	maxResponse = 1 << 20
)

// client makes the calls.
var client = outbound.Rules{}.Trusted(outbound.Options{Call: callLimit, Connect: callLimit, Wait: callLimit, Header: maxHeader, Body: maxResponse, Idle: 1})

// call sends a request and decodes the response into result. An error response is
// an error.
func (s Service) call(ctx context.Context, method, path string, body, result any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return s.send(ctx, method, path, "application/json", text, result)
}

// send is call with a body of another type.
func (s Service) send(ctx context.Context, method, path, contentType string, body []byte, result any) error {
	req, err := http.NewRequestWithContext(ctx, method, s.URL+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+s.APIKey)
	req.Header.Set("Content-Type", contentType)
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, text)
	}
	return json.Unmarshal(text, result)
}

func (s Service) get(ctx context.Context, path string, result any) error {
	return s.call(ctx, http.MethodGet, path, nil, result)
}

// event is an event of GET /v1/events; its data has the fields of its type.
type event struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	CreatedAt time.Time `json:"created_at"`
	Data      struct {
		ContentID   string  `json:"content_id"`
		JobID       string  `json:"job_id"`
		Cycle       int     `json:"cycle"`
		Stage       string  `json:"stage"`
		Platform    string  `json:"platform"`
		PlatformURL string  `json:"platform_url"`
		Metric      string  `json:"metric"`
		Target      float64 `json:"target"`
		Current     float64 `json:"current"`
	} `json:"data"`
}

// pageSize is the longest page that the API returns. The demo's mission has fewer
// events and posts.
const pageSize = 100

// events returns a mission's events, the newest first.
func (s Service) events(ctx context.Context, id string) ([]event, error) {
	var page struct{ Data []event }
	err := s.get(ctx, fmt.Sprintf("/v1/events?mission_id=%s&limit=%d", id, pageSize), &page)
	return page.Data, err
}

type post struct {
	JobID       string             `json:"job_id"`
	Platform    string             `json:"platform"`
	Type        string             `json:"type"`
	Angle       string             `json:"angle"`
	Text        string             `json:"text"`
	ScheduledAt time.Time          `json:"scheduled_at"`
	Metrics     map[string]float64 `json:"metrics"`
	Media       []struct {
		AltText string `json:"alt_text"`
	} `json:"media"`
}

func (s Service) post(ctx context.Context, id string) (p post, err error) {
	err = s.get(ctx, "/v1/content/"+id, &p)
	return p, err
}

// posts returns a mission's posts, the newest first.
func (s Service) posts(ctx context.Context, id string) ([]post, error) {
	var page struct{ Data []post }
	err := s.get(ctx, fmt.Sprintf("/v1/content?mission_id=%s&limit=%d", id, pageSize), &page)
	return page.Data, err
}

type progress struct {
	Metric  string   `json:"metric"`
	Target  float64  `json:"target"`
	Current *float64 `json:"current"` // nil before the first measurement
}

func (s Service) kpis(ctx context.Context, id string) ([]progress, error) {
	var status struct {
		KPIs []progress `json:"kpi_progress"`
	}
	err := s.get(ctx, "/v1/missions/"+id+"/status", &status)
	return status.KPIs, err
}

// reasons returns why a cycle's strategy is what it is, which only GraphQL shows.
func (s Service) reasons(ctx context.Context, id string, cycle int) ([]string, error) {
	body := map[string]any{
		"query":     "query($id: ID!) { mission(id: $id) { jobs { edges { node { cycle strategy { reasons } } } } } }",
		"variables": map[string]string{"id": id},
	}
	var response struct {
		Data struct {
			Mission struct {
				Jobs struct {
					Edges []struct {
						Node struct {
							Cycle    int
							Strategy struct{ Reasons []string }
						}
					}
				}
			}
		}
	}
	err := s.call(ctx, http.MethodPost, "/graphql", body, &response)
	for _, edge := range response.Data.Mission.Jobs.Edges {
		if edge.Node.Cycle == cycle {
			return edge.Node.Strategy.Reasons, err
		}
	}
	return nil, err
}
