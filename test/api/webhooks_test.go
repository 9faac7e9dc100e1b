package api

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/test/internal/webhooktest"
)

var hookScenarios = []scenario[hookAPI]{
	{"an endpoint's life", hookLife},
	{"endpoints that are refused", badHooks},
	{"twenty endpoints", manyHooks},
	{"tests and rotated secrets", testedHooks},
	{"deliveries and their attempts", attemptsAreLogged},
	{"a failing endpoint and its notification", hookFails},
	{"redelivery and replay", replays},
	{"events of the past go where one was taken", unprovenHooks},
	{"what happened is delivered when its mission is gone", deliveriesOutliveMissions},
	{"the event log", eventLog},
}

func TestWebhookScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, hookScenarios)
}

// deliver runs the delivery tasks that are due.
func (s *harness) deliver() {
	s.t.Helper()
	ctx := context.Background()
	for {
		hands, err := s.DB.Dispatch(ctx, s.clock.Now(), 100)
		s.must(err)
		ran := false
		for _, h := range hands {
			if h.Task.Type != mission.TaskWebhookDeliver {
				continue
			}
			task, ok, err := s.DB.Claim(ctx, h.Task.ID, s.clock.Now(), time.Minute)
			s.must(err)
			if ok {
				s.must(s.Webhooks.Deliver(ctx, task))
				ran = true
			}
		}
		if !ran {
			return
		}
	}
}

func (s *harness) newHook(a hookAPI, url string, events ...any) result {
	s.t.Helper()
	got := a.createHook(map[string]any{"url": url, "events": events})
	if got.Code != "" {
		s.t.Fatalf("createHook returned %s on %q", got.Code, got.Param)
	}
	return got
}

func hookLife(s *harness, a hookAPI) {
	made := a.createHook(map[string]any{"url": "http://127.0.0.1:1/x", "events": []any{"mission.created", "content.published", "mission.created"}})
	s.field(made, "url", "http://127.0.0.1:1/x")
	s.field(made, "events", []any{"mission.created", "content.published"})
	s.field(made, "status", "active")
	s.field(made, "created_at", "2026-11-21T08:00:00.000Z")
	if secret, _ := made.Fields["secret"].(string); !strings.HasPrefix(secret, "whsec_") || len(secret) < 40 {
		s.t.Errorf("got the generated secret %q", secret)
	}
	given := a.createHook(map[string]any{"url": "http://127.0.0.1:1/y", "events": []any{"mission.created"}, "secret": "a secret of our own", "enabled": false})
	s.field(given, "secret", "a secret of our own")
	id := made.Fields["id"].(string)
	read := a.hook(id)
	s.field(read, "enabled", true)
	s.field(read, "secret", nil)
	s.field(a.hook(given.Fields["id"].(string)), "enabled", false)
	s.field(a.hooks(nil), "ids", []string{given.Fields["id"].(string), id})
	s.field(a.hooks(map[string]any{"limit": 1}), "more", true)
	s.field(a.hooks(map[string]any{"limit": 1, "starting_after": given.Fields["id"]}), "ids", []string{id})

	s.clock.Advance(time.Minute)
	changed := a.updateHook(id, map[string]any{"events": []any{"pipeline.stage_completed"}, "enabled": false})
	s.field(changed, "events", []any{"pipeline.stage_completed"})
	s.field(changed, "enabled", false)
	s.field(changed, "url", "http://127.0.0.1:1/x")
	s.field(changed, "updated_at", "2026-11-21T08:01:00.000Z")
	s.field(a.updateHook(id, map[string]any{"url": "http://127.0.0.1:1/z"}), "url", "http://127.0.0.1:1/z")
	s.field(a.updateHook(id, map[string]any{}), "enabled", false)

	s.field(a.deleteHook(id), "deleted", true)
	for _, got := range []result{a.hook(id), a.deleteHook(id), a.updateHook(id, map[string]any{}), a.testHook(id), a.rotateHook(id), a.deliveries(id, nil)} {
		s.want(got, "not_found", "")
	}
	s.field(a.hooks(nil), "total", 1.0)
}

func badHooks(s *harness, a hookAPI) {
	sound := func(name string, value any) map[string]any {
		b := map[string]any{"url": "https://192.0.2.1/x", "events": []any{"mission.created"}}
		b["url"] = "http://127.0.0.1:1/"
		b[name] = value
		return b
	}
	for _, bad := range []struct {
		name  string
		value any
		param string
	}{
		{"url", "", "url"},
		{"url", "ftp://127.0.0.1/", "url"},
		{"url", "not a url", "url"},
		{"url", "https://", "url"},
		{"url", "https://user:password@example.com/", "url"},
		{"url", "https://10.0.0.1/", "url"},
		{"url", "https://169.254.169.254/latest/meta-data", "url"},
		{"url", "https://[::ffff:10.0.0.1]/", "url"},
		{"url", "https://0x7f.1/", "url"},
		{"url", 5, "url"},
		{"events", []any{}, "events"},
		{"secret", "short", "secret"},
		{"secret", strings.Repeat("x", 201), "secret"},
		{"secret", "with a \u0000 in the midst of it", "secret"},
		{"enabled", "yes", "enabled"},
	} {
		s.want(a.createHook(sound(bad.name, bad.value)), "invalid_request", bad.param)
	}
	if rest, ok := a.(restAPI); ok { // GraphQL's schema excludes these
		s.want(rest.createHook(sound("events", []any{"mission.created", "mission.exploded"})), "invalid_request", "events[1]")
		s.want(rest.createHook(sound("events", "mission.created")), "invalid_request", "events")
		s.want(rest.createHook(map[string]any{"url": "http://127.0.0.1:1/"}), "invalid_request", "events")
		s.want(rest.createHook(map[string]any{"events": []any{"mission.created"}}), "invalid_request", "url")
		s.want(rest.createHook(sound("status", "active")), "invalid_request", "status")
	}
	s.field(a.hooks(nil), "total", 0.0)
	id := s.newHook(a, "http://127.0.0.1:1/", "mission.created").Fields["id"].(string)
	s.want(a.updateHook(id, map[string]any{"url": "https://10.0.0.1/"}), "invalid_request", "url")
	s.want(a.updateHook(id, map[string]any{"events": []any{}}), "invalid_request", "events")
	s.field(a.hook(id), "url", "http://127.0.0.1:1/")
}

func manyHooks(s *harness, a hookAPI) {
	var last result
	for range 20 {
		last = s.newHook(a, "http://127.0.0.1:1/", "mission.created")
	}
	more := map[string]any{"url": "http://127.0.0.1:1/", "events": []any{"mission.created"}}
	s.want(a.createHook(more), "conflict", "")
	s.field(a.deleteHook(last.Fields["id"].(string)), "deleted", true)
	s.field(a.createHook(more), "status", "active")
	// The statements of a change don't grow with the endpoints.
	statements := func() int64 {
		before := s.faults.Statements()
		s.make(a, nil)
		return s.faults.Statements() - before
	}
	s.make(a, nil)
	twenty := statements()
	s.key = s.keys["theirs"]
	s.newHook(a, "http://127.0.0.1:1/", "mission.created")
	s.make(a, nil)
	if one := statements(); twenty != one {
		s.t.Errorf("a change took %d statements with twenty endpoints, %d with one", twenty, one)
	}
}

func testedHooks(s *harness, a hookAPI) {
	r := webhooktest.NewReceiver(s.t, http.StatusOK)
	made := s.newHook(a, r.URL+"/hook", "mission.created")
	id, secret := made.Fields["id"].(string), made.Fields["secret"].(string)
	got := a.testHook(id)
	s.field(got, "delivered", true)
	s.field(got, "status_code", 200.0)
	s.field(got, "error", nil)
	m := r.Messages()[0]
	if m.Get("Content-Type") != "application/json" || !strings.HasPrefix(m.Get("User-Agent"), "missiond") || m.Get("webhook-id") != got.Fields["event_id"] {
		s.t.Errorf("got the test message %v %s", m.Header, m.Body)
	}
	m.CheckSigned(s.t, secret, true, true)
	testkit.CheckEvent(s.t, mission.EventWebhookTest, m.Body)
	s.field(a.event(got.Fields["event_id"].(string)), "type", "webhook.test")

	rotated := a.rotateHook(id)
	s.field(rotated, "previous_valid_until", "2026-11-22T08:00:00.000Z")
	s.want(a.rotateHook(id), "conflict", "") // both hold for a day
	next := rotated.Fields["secret"].(string)
	r.Respond(http.StatusTeapot)
	got = a.testHook(id)
	s.field(got, "delivered", false)
	s.field(got, "status_code", 418.0)
	r.Messages()[1].CheckSigned(s.t, secret, true, true)
	r.Messages()[1].CheckSigned(s.t, next, false, true)
	s.clock.Advance(24 * time.Hour)
	a.testHook(id)
	r.Messages()[2].CheckSigned(s.t, secret, false, false)
	r.Messages()[2].CheckSigned(s.t, next, true, true)
	r.Server.Close()
	got = a.testHook(id)
	s.field(got, "delivered", false)
	s.field(got, "status_code", nil)
	if words, _ := got.Fields["error"].(string); !strings.HasPrefix(words, "No response") {
		s.t.Errorf("got the error %q", words)
	}
	s.field(a.hook(id), "status", "active") // tests don't count
}

func attemptsAreLogged(s *harness, a hookAPI) {
	r := webhooktest.NewReceiver(s.t, http.StatusInternalServerError)
	id := s.newHook(a, r.URL, "mission.created").Fields["id"].(string)
	m := s.make(a, nil)
	list := a.deliveries(id, nil)
	s.field(list, "total", 1.0)
	d := list.Fields["ids"].([]string)[0]
	s.field(a.delivery(id, d), "attempts", []any{})
	s.field(a.delivery(id, d), "next_attempt_at", "2026-11-21T08:00:00.000Z")
	s.deliver()
	got := a.delivery(id, d)
	s.field(got, "status", "pending")
	s.field(got, "attempt_count", 1.0)
	s.field(got, "next_attempt_at", "2026-11-21T08:01:00.000Z")
	s.field(got, "event_type", "mission.created")
	attempt := got.Fields["attempts"].([]any)[0].(map[string]any)
	s.equal("the attempt's status", attempt["status_code"], 500.0)
	s.equal("the attempt's answer", attempt["response"], "so it is")
	s.equal("the attempt's error", attempt["error"], nil)
	s.equal("the attempt's time", attempt["at"], "2026-11-21T08:00:00.000Z")
	s.clock.Advance(time.Minute - time.Millisecond)
	s.deliver()
	s.field(a.delivery(id, d), "attempt_count", 1.0) // never before its time
	s.clock.Advance(time.Millisecond)
	r.Respond(http.StatusNoContent)
	s.deliver()
	got = a.delivery(id, d)
	s.field(got, "status", "delivered")
	s.field(got, "next_attempt_at", nil)
	s.field(got, "completed_at", "2026-11-21T08:01:00.000Z")
	messages := r.Messages()
	event := a.event(got.Fields["event_id"].(string))
	s.equal("the event's mission", s.at(event, "data", "mission_id"), m)
	if len(messages) != 2 || string(messages[0].Body) != string(messages[1].Body) || messages[0].Get("webhook-id") != messages[1].Get("webhook-id") {
		s.t.Errorf("got the messages %q", messages)
	}
	s.field(a.deliveries(id, map[string]any{"status": "delivered"}), "ids", []string{d})
	s.field(a.deliveries(id, map[string]any{"status": "failed"}), "ids", []string{})
	s.field(a.deliveries(id, map[string]any{"status": "failed"}), "total", 0.0)
}

func deliveriesOutliveMissions(s *harness, a hookAPI) {
	r := webhooktest.NewReceiver(s.t, http.StatusOK)
	s.newHook(a, r.URL, "mission.completed")
	life := a.(lifeAPI)
	id := s.make(a, map[string]any{"start_immediately": true})
	s.field(life.complete(id), "status", "completed")
	s.field(life.remove(id), "deleted", true)
	s.deliver()
	messages := r.Messages()
	if len(messages) != 1 || !strings.Contains(string(messages[0].Body), id) || !strings.Contains(string(messages[0].Body), "mission.completed") {
		s.t.Errorf("got %q, want the mission's completion", messages)
	}
}

func hookFails(s *harness, a hookAPI) {
	r := webhooktest.NewReceiver(s.t, http.StatusBadGateway)
	id := s.newHook(a, r.URL, "mission.created").Fields["id"].(string)
	s.make(a, nil)
	for _, wait := range []time.Duration{0, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour} {
		s.field(a.hook(id), "status", "active")
		s.clock.Advance(wait)
		s.deliver()
	}
	if n := len(r.Messages()); n != 5 {
		s.t.Errorf("got %d attempts", n)
	}
	s.field(a.hook(id), "status", "failing")
	list := a.notifications(map[string]any{"unread": true})
	s.field(list, "total", 1.0)
	note := list.Fields["ids"].([]string)[0]
	s.want(a.markRead(note, "ntf_01jd0000000000000000000000"), "not_found", "")
	s.clock.Advance(time.Minute)
	read := a.markRead(note)
	s.field(read, "kind", "webhook_failing")
	s.field(read, "subject_id", id)
	s.field(read, "read_at", "2026-11-21T10:37:00.000Z")
	if words := read.Fields["message"].(string); !strings.Contains(words, r.URL) || !strings.Contains(words, "5 attempts") {
		s.t.Errorf("got the notification %q", words)
	}
	s.clock.Advance(time.Minute)
	s.field(a.markRead(note), "read_at", "2026-11-21T10:37:00.000Z")
	s.field(a.notifications(map[string]any{"unread": true}), "total", 0.0)
	s.field(a.notifications(nil), "ids", []string{note})
	s.want(a.markRead(), "invalid_request", "ids")
	// It still receives events; enabling it makes it active again, as does a success.
	s.field(a.updateHook(id, map[string]any{"enabled": true}), "status", "active")
	r.Respond(http.StatusGone)
	s.make(a, nil)
	s.deliver()
	s.field(a.hook(id), "enabled", false)
	s.field(a.notifications(map[string]any{"unread": true}), "total", 1.0)
	before := len(r.Messages())
	s.make(a, nil)
	s.deliver()
	s.equal("messages to a disabled endpoint", len(r.Messages())-before, 0)
}

func replays(s *harness, a hookAPI) {
	r := webhooktest.NewReceiver(s.t, http.StatusOK)
	id := s.newHook(a, r.URL, "mission.created").Fields["id"].(string)
	for range 3 {
		s.make(a, nil)
		s.clock.Advance(time.Second)
	}
	s.deliver()
	s.equal("messages", len(r.Messages()), 3)
	d := a.deliveries(id, nil).Fields["ids"].([]string)[2]
	again := a.redeliver(id, d)
	s.field(again, "status", "pending")
	s.field(again, "event_id", a.delivery(id, d).Fields["event_id"])
	s.deliver()
	s.equal("messages after a redelivery", len(r.Messages()), 4)
	repeated, same := r.Messages()[3], 0
	for _, m := range r.Messages() { // those of a batch arrive in any order
		if m.Get("webhook-id") == repeated.Get("webhook-id") && string(m.Body) == string(repeated.Body) {
			same++
		}
	}
	s.equal("messages with the bytes of the one that was sent again", same, 2)
	s.field(a.replay(id, map[string]any{"since": "2026-11-21T08:00:00Z", "undelivered": true}), "events", 0.0)
	s.field(a.replay(id, map[string]any{"since": "2026-11-21T08:00:01Z"}), "events", 2.0)
	s.deliver()
	s.equal("messages of a replay at once", len(r.Messages()), 5)
	s.clock.Advance(50 * time.Millisecond)
	s.deliver()
	s.equal("messages of a replay", len(r.Messages()), 6)
	for _, since := range []string{"2026-11-22T08:00:00Z", "2026-10-01T08:00:00Z"} {
		s.want(a.replay(id, map[string]any{"since": since}), "invalid_request", "since")
	}
	s.want(a.replay(id, map[string]any{"since": "yesterday"}), "invalid_request", "since")
	s.want(a.replay(id, map[string]any{}), "invalid_request", "since")
	s.field(a.updateHook(id, map[string]any{"enabled": false}), "enabled", false)
	s.want(a.redeliver(id, d), "conflict", "")
	s.want(a.replay(id, map[string]any{"since": "2026-11-21T08:00:00Z"}), "conflict", "")
	s.want(a.redeliver(id, "dlv_01jd0000000000000000000000"), "not_found", "")
}

func eventLog(s *harness, a hookAPI) {
	first := s.make(a, nil)
	s.clock.Advance(time.Second)
	second := s.make(a, map[string]any{"start_immediately": true})
	s.clock.Advance(time.Second)
	s.field(a.pause(second), "status", "paused")
	all := a.events(nil)
	s.field(all, "total", 4.0)
	found := all.Fields["ids"].([]string)
	newest := a.event(found[0])
	s.field(newest, "type", "mission.paused")
	s.field(newest, "created_at", "2026-11-21T08:00:02.000Z")
	s.equal("its mission", s.at(newest, "data", "mission_id"), second)
	s.field(a.events(map[string]any{"type": "mission.created,mission.paused"}), "total", 3.0)
	s.field(a.events(map[string]any{"mission_id": first}), "ids", found[3:])
	s.field(a.events(map[string]any{"mission_id": second, "type": "mission.started"}), "total", 1.0)
	s.field(a.events(map[string]any{"limit": 2}), "more", true)
	s.field(a.events(map[string]any{"limit": 2, "starting_after": found[1]}), "ids", found[2:])
	s.want(a.events(map[string]any{"starting_after": "evt_01jd0000000000000000000000"}), "invalid_request", "starting_after")
	s.want(a.event("evt_01jd0000000000000000000000"), "not_found", "")
	if rest, ok := a.(restAPI); ok {
		s.want(rest.events(map[string]any{"type": "mission.exploded"}), "invalid_request", "type")
	}
	s.clock.Advance(mission.EventRetention)
	s.field(a.events(nil), "ids", found[:1]) // the latest is exactly at the end of the retention
	s.must(s.Webhooks.ExpireEvents(context.Background()))
	s.field(a.events(nil), "total", 1.0)
}

func unprovenHooks(s *harness, a hookAPI) {
	r := webhooktest.NewReceiver(s.t, http.StatusInternalServerError)
	id, since := s.newHook(a, r.URL, "mission.created").Fields["id"].(string), map[string]any{"since": "2026-11-21T08:00:00Z"}
	s.make(a, nil)
	s.deliver()
	sent := len(r.Messages())
	d := a.deliveries(id, nil).Fields["ids"].([]string)[0]
	s.want(a.replay(id, since), "conflict", "")
	s.want(a.redeliver(id, d), "conflict", "")
	s.field(a.testHook(id), "delivered", false)
	s.want(a.replay(id, since), "conflict", "") // it responded, but accepted nothing
	if n := len(r.Messages()); n != sent+1 {
		s.t.Errorf("got %d messages, want %d and the test", n, sent)
	}
	r.Respond(http.StatusOK)
	s.field(a.testHook(id), "delivered", true)
	s.field(a.replay(id, since), "events", 1.0)
	s.want(a.redeliver(id, d), "", "")
	s.want(a.updateHook(id, map[string]any{"enabled": true, "url": r.URL}), "", "")
	s.want(a.redeliver(id, d), "", "") // the URL is the same
	s.want(a.updateHook(id, map[string]any{"url": r.URL + "/elsewhere"}), "", "")
	s.want(a.redeliver(id, d), "conflict", "")
	s.deliver()
	s.want(a.redeliver(id, d), "", "") // it accepted the pending delivery
}
