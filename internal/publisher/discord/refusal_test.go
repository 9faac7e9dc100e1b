package discord

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher/discord/discordtest"
	"missiond/mission"
)

// Each error that Discord documents for what is called, by a bot and a webhook: which end the
// credentials, which the post, and which are waited out.
func TestRefusals(t *testing.T) {
	const (
		refused = "refused"
		ended   = "unauthorized"
		later   = "not accepted"
		unknown = "unknown"
	)
	type answer struct {
		status int
		body   string
		bot    string
		hook   string
		words  string
		wait   time.Duration
	}
	for name, a := range map[string]answer{
		"10003":         {404, `{"code":10003,"message":"Unknown Channel"}`, ended, ended, "Unknown Channel", 0},
		"10004":         {404, `{"code":10004,"message":"Unknown Guild"}`, ended, ended, "Unknown Guild", 0},
		"10008":         {404, `{"code":10008,"message":"Unknown Message"}`, refused, refused, "Unknown Message", 0},
		"10015":         {404, `{"code":10015,"message":"Unknown Webhook"}`, ended, ended, "Unknown Webhook", 0},
		"50001":         {403, `{"code":50001,"message":"Missing Access"}`, ended, ended, "Missing Access", 0},
		"50013":         {403, `{"code":50013,"message":"Missing Permissions"}`, ended, ended, "Missing Permissions", 0},
		"50024":         {400, `{"code":50024,"message":"Cannot execute action on this channel type"}`, ended, ended, "channel type", 0},
		"50027":         {401, `{"code":50027,"message":"Invalid Webhook Token"}`, ended, ended, "Invalid Webhook Token", 0},
		"40001":         {401, `{"code":40001,"message":"Unauthorized"}`, ended, ended, "Unauthorized", 0},
		"no JSON, 401":  {401, `no`, ended, ended, "", 0},
		"no JSON, 404":  {404, `no`, refused, ended, "", 0},
		"the edge, 403": {403, `<html>error code: 1010</html>`, later, later, "edge", 10 * time.Minute},
		"the edge, 429": {429, `<html>error code: 1015</html>`, later, later, "", 5 * time.Minute},
		"50006":         {400, `{"code":50006,"message":"Cannot send an empty message"}`, refused, refused, "empty message", 0},
		"50035":         {400, `{"code":50035,"message":"Invalid Form Body","errors":{"content":{"_errors":[{"code":"BASE_TYPE_MAX_LENGTH","message":"Must be 2000 or fewer in length."}]}}}`, refused, refused, "Invalid Form Body: content: Must be 2000 or fewer in length.", 0},
		"50035, deep":   {400, `{"code":50035,"message":"Invalid Form Body","errors":{"attachments":{"1":{"description":{"_errors":[{"code":"A","message":"Too long."}]}},"3":{"id":{"_errors":[{"code":"A","message":"No."}]}}}}}`, refused, refused, "Invalid Form Body: attachments.1.description: Too long.", 0},
		"50035, whole":  {400, `{"code":50035,"message":"Invalid Form Body","errors":{"_errors":[{"code":"A","message":"Too large."}]}}`, refused, refused, "Invalid Form Body: Too large.", 0},
		"50035, no use": {400, `{"code":50035,"message":"Invalid Form Body","errors":[1]}`, refused, refused, "Invalid Form Body", 0},
		"50035, abyss":  {400, `{"code":50035,"message":"Invalid Form Body","errors":` + strings.Repeat(`{"a":`, 5000) + `1` + strings.Repeat(`}`, 5000) + `}`, refused, refused, "Invalid Form Body", 0},
		"40005":         {413, `{"code":40005,"message":"Request entity too large"}`, refused, refused, "too large", 0},
		"50045":         {400, `{"code":50045,"message":"File uploaded exceeds the maximum size"}`, refused, refused, "maximum size", 0},
		"200000":        {400, `{"code":200000,"message":"Message was blocked by automatic moderation"}`, refused, refused, "moderation", 0},
		"240000":        {403, `{"code":240000,"message":"Message blocked by harmful links filter"}`, refused, refused, "harmful", 0},
		"220001":        {400, `{"code":220001,"message":"Webhooks posted to forum channels must have a thread_name or thread_id"}`, ended, ended, "forum", 0},
		"40058":         {400, `{"code":40058,"message":"Cannot send a message in a forum channel"}`, ended, ended, "forum", 0},
		"20016":         {429, `{"code":20016,"message":"Slowmode","retry_after":12.5,"global":false}`, later, later, "Slowmode", 12500 * time.Millisecond},
		"20028":         {429, `{"code":20028,"message":"The write action","retry_after":3.25,"global":false}`, later, later, "write", 3250 * time.Millisecond},
		"20029":         {403, `{"code":20029,"message":"The write action"}`, later, later, "write", 5 * time.Minute},
		"429":           {429, `{"message":"You are being rate limited.","retry_after":64.57,"global":true}`, later, later, "rate limited", 64570 * time.Millisecond},
		"429, hostile":  {429, `{"message":"You are being rate limited.","retry_after":1e300,"global":true}`, later, later, "rate limited", -1},
		"500":           {500, `{"code":0,"message":"500: Internal Server Error"}`, unknown, unknown, "500", time.Minute},
		"502":           {502, `<html>bad gateway</html>`, unknown, unknown, "", time.Minute},
	} {
		for kind, want := range map[bool]string{false: a.bot, true: a.hook} {
			w := newWorld(t, func(s *discordtest.Stub) { s.Webhook = kind })
			token := w.creds.AccessToken[strings.LastIndex(w.creds.AccessToken, "/")+1:]
			w.stub.Handle = func(rw http.ResponseWriter, _ *http.Request) bool {
				rw.WriteHeader(a.status)
				_, _ = rw.Write([]byte(strings.Replace(a.body, `"message":"`, `"message":"`+token+" ", 1)))
				return true
			}
			_, err := w.adapter.Publish(t.Context(), w.creds, w.part("News"))
			pe := failed(t, err)
			got := map[mission.Outcome]string{mission.OutcomeRefused: refused, mission.OutcomeNotAccepted: later, mission.OutcomeUnknown: unknown}[pe.Outcome]
			if pe.Unauthorized {
				got = ended
			}
			if words := strings.ReplaceAll(pe.Failure.Message, "… ", ""); got != want || !strings.Contains(words, a.words) || strings.Contains(words, token) {
				t.Errorf("%s (webhook %t): got %s, %q; want %s", name, kind, got, words, want)
			}
			if a.wait >= 0 && pe.RetryAfter != a.wait || pe.RetryAfter < 0 || pe.RetryAfter > 24*time.Hour {
				t.Errorf("%s: to be left alone for %s, want %s", name, pe.RetryAfter, a.wait)
			}
		}
	}
}

// A message that is gone is absent from figures; whoever can't be asked any more says so.
func TestMeasuresWhatIsThere(t *testing.T) {
	w := newWorld(t, aWebhook)
	one, two := w.post("One"), w.post("Two")
	w.stub.React(two.PostID, mission.Metrics{mission.Likes: 7})
	other, none := w.stub.Say(w.now, discordtest.OtherID, "Theirs"), "urn:li:share:1"
	posts := []mission.Content{
		{ID: "a", PlatformPostID: &one.PostID}, {ID: "b", PlatformPostID: &two.PostID}, {ID: "c", PlatformPostID: &other}, {ID: "d", PlatformPostID: &none}, {ID: "e"},
	}
	got, err := w.adapter.Measure(t.Context(), w.creds, posts)
	if err != nil || len(got) != 2 || got["a"][mission.Likes] != 0 || got["b"][mission.Likes] != 7 || len(got["a"]) != 1 {
		t.Errorf("got %v, %v", got, err)
	}
	w.stub.Handle = refusing("GET "+"/"+two.PostID, 429, 0, "You are being rate limited.")
	if got, err = w.adapter.Measure(t.Context(), w.creds, posts); len(got) != 1 || failed(t, err).RetryAfter == 0 {
		t.Errorf("limited on the way: got %v, %v", got, err)
	}
	w.stub.Handle = nil
	w.stub.Revoke()
	if _, err = w.adapter.Measure(t.Context(), w.creds, posts); !failed(t, err).Unauthorized || failed(t, err).Forbidden {
		t.Errorf("a webhook that was deleted: got %v", err)
	}
}
