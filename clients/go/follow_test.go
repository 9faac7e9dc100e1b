package missiond_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	missiond "missiond/clients/go"
)

// cutting passes so many bytes of a stream on, and then fails.
type cutting struct {
	io.ReadCloser
	left int
}

func (c *cutting) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := c.ReadCloser.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}

// Each event comes once, in order, although connections are cut wherever it happens.
func TestFollow(t *testing.T) {
	t.Parallel()
	s := serve(t, "17280")
	target, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	var streams atomic.Int64
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.FlushInterval = -1
	proxy.ErrorLog = nil
	proxy.ModifyResponse = func(r *http.Response) error {
		if strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream") {
			if n := streams.Add(1); n <= 4 {
				r.Body = &cutting{r.Body, 300 * int(n)}
			}
		}
		return nil
	}
	through := listen(t, proxy.ServeHTTP)
	c := s.client(t, func(o *missiond.Options) { o.URL = through.url })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	no, perDay := false, int64(2)
	body := brief("Followed")
	body.DurationDays, body.Constraints = 1, &missiond.ConstraintsInput{PostsPerDay: &perDay, RequireApproval: &no}
	made, err := c.MissionsCreateWithResponse(ctx, nil, body)
	if err != nil {
		t.Fatal(err)
	}
	mission := made.JSON201.ID
	var created string
	for e, err := range missiond.Events(ctx, c, missiond.EventsListParams{MissionID: &mission}) {
		if err != nil {
			t.Fatal(err)
		}
		created = e.ID
	}
	if _, err := c.MissionsStartWithResponse(ctx, mission, nil); err != nil {
		t.Fatal(err)
	}
	var got []string
	lost := 0
	for e, err := range missiond.Follow(ctx, c, missiond.FollowParams{After: created, MissionID: mission, OnLost: func(error) { lost++ }}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.ID+" "+e.Type)
		if e.Type == "mission.completed" {
			break
		}
	}
	var want, published []string
	for e, err := range missiond.Events(ctx, c, missiond.EventsListParams{MissionID: &mission}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.ID != created {
			want = append(want, e.ID+" "+e.Type)
		}
	}
	slices.Reverse(want)
	want = want[:slices.IndexFunc(want, func(e string) bool { return strings.HasSuffix(e, " mission.completed") })+1]
	if lost < 4 || !slices.Equal(got, want) {
		t.Errorf("after %d cuts got\n%q, want\n%q", lost, got, want)
	}
	types := missiond.FollowParams{After: created, Types: []string{"content.published", "mission.completed"}}
	for e, err := range missiond.Follow(ctx, c, types) {
		if err != nil {
			t.Fatal(err)
		}
		if published = append(published, e.ID+" "+e.Type); e.Type == "mission.completed" {
			break
		}
	}
	want = slices.DeleteFunc(want, func(e string) bool { return !slices.Contains(types.Types, strings.Fields(e)[1]) })
	if !slices.Equal(published, want) {
		t.Errorf("of two types got\n%q, want\n%q", published, want)
	}
}

func TestFollowRefused(t *testing.T) {
	t.Parallel()
	s := serve(t, "60")
	var e *missiond.Error
	for _, err := range missiond.Follow(t.Context(), s.client(t, nil), missiond.FollowParams{After: "evt_no"}) {
		if !errors.As(err, &e) || e.Field != "after" {
			t.Errorf("after an unknown event: %v", err)
		}
	}
	for _, err := range missiond.Follow(t.Context(), s.client(t, func(o *missiond.Options) { o.Key = "cms_live_nobody" }), missiond.FollowParams{}) {
		if !errors.As(err, &e) || e.Code != "unauthorized" {
			t.Errorf("with another key: %v", err)
		}
	}
	if e == nil {
		t.Fatal("nothing was refused")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	for _, err := range missiond.Follow(ctx, s.client(t, nil), missiond.FollowParams{Types: []string{"mission.completed"}}) {
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("until its context ends: %v", err)
		}
	}
}

// An empty log is waited for, and its first event comes if it is wanted.
func TestFollowEmptyLog(t *testing.T) {
	t.Parallel()
	for mission, want := range map[string]string{"": "evt_1 evt_2", "msn_1": "evt_1 evt_2", "msn_2": "evt_2"} {
		lists := 0
		s := listen(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/graphql" {
				body, _ := io.ReadAll(r.Body)
				if !strings.Contains(string(body), `"after":"evt_1"`) || r.Header.Get("Idempotency-Key") != "" {
					t.Errorf("subscribed by %s, %v", body, r.Header)
				}
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, ":\n\nevent: next\ndata: {\"data\":{\"events\":{\"id\":\"evt_2\",\"type\":\"MISSION_STARTED\","+
					"\"createdAt\":\"2026-11-01T00:00:00Z\",\"data\":{}}}}\n\nevent: complete\ndata:\n\n")
				return
			}
			lists++
			w.Header().Set("Content-Type", "application/json")
			data := ""
			if lists > 1 && r.URL.Query().Get("mission_id") != "msn_2" {
				data = `{"id":"evt_1","type":"mission.created","created_at":"2026-11-01T00:00:00Z","data":{"mission_id":"msn_1"}}`
			}
			_, _ = fmt.Fprintf(w, `{"data":[%s],"has_more":false,"total":0}`, data)
		})
		var got []string
		for e, err := range missiond.Follow(t.Context(), s.client(t, nil), missiond.FollowParams{MissionID: mission}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("of the mission %q got %q, want %q", mission, got, want)
		}
	}
}
