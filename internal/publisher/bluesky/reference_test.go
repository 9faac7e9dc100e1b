package bluesky

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/testkit/await"
	"missiond/internal/textlimit"
	"missiond/mission"
)

// alone has the checks that only the reference PDS can make.
var alone = []struct {
	name string
	test func(n *network)
}{
	{"measure", measuresTheIndex},
	{"texts that just fit", fitsThere},
	{"a token that has expired", tokenExpires},
	{"accounts that end", accountsEnd},
	{"a password that is withdrawn", passwordEnds},
	{"a rate limit", limitsSigningIn},
}

// person is an account that a test makes.
type person struct {
	did, handle, token string
}

// theirs is the password of these accounts.
const theirs = "known to the test only"

// signUp makes an account.
func (n *network) signUp(name string) person {
	n.t.Helper()
	var made struct{ DID, Handle, AccessJWT string }
	n.must(request{method: "com.atproto.server.createAccount", body: map[string]string{
		"handle": name + ".test", "email": name + "@example.com", "password": theirs,
	}}, &made)
	return person{made.DID, made.Handle, made.AccessJWT}
}

// admin is who dev-env's servers take for their operator.
var admin = "Basic " + base64.StdEncoding.EncodeToString([]byte("admin:admin-pass"))

// accountsEnd ends accounts in the midst of a session, whose access token goes
// on; then there is nothing left that the credentials are good for.
func accountsEnd(n *network) {
	for name, end := range map[string]func(p person) request{
		"deactivated": func(p person) request {
			return request{method: "com.atproto.server.deactivateAccount", token: p.token, body: struct{}{}}
		},
		"takendown": func(p person) request {
			return request{method: "com.atproto.admin.updateSubjectStatus", token: admin, body: map[string]any{
				"subject":  map[string]any{"$type": "com.atproto.admin.defs#repoRef", "did": p.did},
				"takedown": map[string]any{"applied": true, "ref": "1"},
			}}
		},
		"deleted": func(p person) request {
			return request{method: "com.atproto.admin.deleteAccount", token: admin, body: map[string]any{"did": p.did}}
		},
	} {
		n.t.Run(name, func(t *testing.T) {
			n := n.in(t)
			p := n.signUp(name)
			_, c, err := n.adapter.Connect(t.Context(), mission.Credentials{Server: n.account.Server, Identifier: p.handle, Password: theirs})
			if err != nil {
				t.Fatal(err)
			}
			n.publish(c, another('9', "While it lasts."))
			n.must(end(p), nil)
			_, err = n.adapter.Publish(t.Context(), c, another('a', "Too late."))
			if pe := failed(t, err); !pe.Unauthorized || pe.Outcome != mission.OutcomeNotAccepted {
				t.Errorf("publish: got %+v", pe)
			}
			if _, _, err := n.adapter.Connect(t.Context(), c); !failed(t, err).Unauthorized {
				t.Errorf("connect: got %+v", failed(t, err))
			}
			if _, err := n.adapter.Refresh(t.Context(), c); !failed(t, err).Unauthorized {
				t.Errorf("refresh: got %+v", failed(t, err))
			}
			// The record isn't shown any more, which doesn't prove that it isn't there.
			if _, ok, err := n.adapter.Find(t.Context(), c, another('9', "While it lasts.")); ok || failed(t, err).Outcome != mission.OutcomeUnknown {
				t.Errorf("find: got %t, %+v", ok, failed(t, err))
			}
		})
	}
}

// passwordEnds withdraws an app password, with the sessions that it opened.
func passwordEnds(n *network) {
	p := n.signUp("dora")
	var made struct{ Password string }
	n.must(request{method: "com.atproto.server.createAppPassword", token: p.token, body: map[string]string{"name": "ours"}}, &made)
	_, c, err := n.adapter.Connect(n.t.Context(), mission.Credentials{Server: n.account.Server, Identifier: p.did, Password: made.Password})
	if err != nil {
		n.t.Fatal(err)
	}
	n.must(request{method: "com.atproto.server.revokeAppPassword", token: p.token, body: map[string]string{"name": "ours"}}, nil)
	_, err = n.adapter.Refresh(n.t.Context(), c)
	if pe := failed(n.t, err); !pe.Unauthorized || !strings.Contains(pe.Failure.Message, "Invalid identifier or password") {
		n.t.Errorf("got %+v", pe)
	}
}

// fitsThere publishes the longest texts that this service takes for short
// enough, of scripts in which that is a matter of the Unicode version.
func fitsThere(n *network) {
	caps, _ := mission.CapabilitiesOf(mission.Bluesky)
	c := n.connected()
	for i, unit := range []string{
		"a", "\u00e4", "a\u0308", "\U0001F33B", "\U0001F468\u200d\U0001F469\u200d\U0001F467\u200d\U0001F466 ", "\U0001F1E9\U0001F1EA",
		"\U0001F44D\U0001F3FD", "\u2764\ufe0f", "1\ufe0f\u20e3", "\u0915\u094d\u0937\u093f", "\u0c15\u0c4d\u0c37", "\u0995\u09cd\u09b7", "\u0e01\u0e33", "\u1100\u1161\u11a8", "\ud55c",
		"\u0ba8\u0bbf", "\r\n.", "\u0627\u0644\u0633", "\u0600\u0661", "\u1019\u103c\u1014\u103a", "a\u200d", "\u0d15\u0d4d\u0d15", "#a ", "https://a.example/b ",
	} {
		var text string
		for next := unit; textlimit.Fits(caps, next); next = text + unit {
			text = next
		}
		p := another('b', text)
		p.Content.Revision = i + 1
		if _, err := n.adapter.Publish(n.t.Context(), c, p); err != nil {
			n.t.Errorf("%d times %+q: %v", strings.Count(text, unit), unit, err)
		}
	}
}

// tokenExpires calls with a token of the server's own that has ended, which
// Refresh replaces.
func tokenExpires(n *network) {
	c := n.connected()
	live := c.AccessToken
	parts := strings.Split(live, ".")
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		n.t.Fatal(err)
	}
	var claims map[string]any
	if err := json.Unmarshal(payload, &claims); err != nil {
		n.t.Fatal(err)
	}
	claims["exp"] = time.Now().Add(-time.Minute).Unix()
	if payload, err = json.Marshal(claims); err != nil {
		n.t.Fatal(err)
	}
	signed := parts[0] + "." + base64.RawURLEncoding.EncodeToString(payload)
	mac := hmac.New(sha256.New, []byte("jwt-secret")) // dev-env's
	_, _ = mac.Write([]byte(signed))
	c.AccessToken = signed + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))

	p := another('c', "After a while.")
	_, err = n.adapter.Publish(n.t.Context(), c, p)
	if pe := failed(n.t, err); !pe.Unauthorized || pe.Outcome != mission.OutcomeNotAccepted || !strings.Contains(pe.Failure.Message, "Token has expired") {
		n.t.Errorf("publish: got %+v", pe)
	}
	id := "at://" + n.did + "/" + collection + "/" + recordKey(p)
	_, err = n.adapter.Measure(n.t.Context(), c, []mission.Content{{ID: "a", PlatformPostID: &id}})
	if pe := failed(n.t, err); !pe.Unauthorized {
		n.t.Errorf("measure: got %+v", pe)
	}
	if _, _, err = n.adapter.Connect(n.t.Context(), c); !failed(n.t, err).Unauthorized {
		n.t.Errorf("connect: got %v", err)
	}
	if c, err = n.adapter.Refresh(n.t.Context(), c); err != nil {
		n.t.Fatal(err)
	}
	n.publish(c, p)
}

// limitsSigningIn signs in until the server takes no more of that.
func limitsSigningIn(n *network) {
	c := mission.Credentials{Server: n.account.Server, Identifier: "limited.test", Password: "wrong"}
	var calls sync.WaitGroup
	for range 30 {
		calls.Go(func() { _, _, _ = n.adapter.Connect(n.t.Context(), c) })
	}
	calls.Wait()
	_, _, err := n.adapter.Connect(n.t.Context(), c)
	pe := failed(n.t, err)
	if pe.Unauthorized || pe.Outcome != mission.OutcomeNotAccepted || pe.Failure.Code != publisher.CodeRateLimited {
		n.t.Errorf("got %+v", pe)
	}
	if pe.RetryAfter < 4*time.Minute || pe.RetryAfter > 5*time.Minute {
		n.t.Errorf("to be left alone for %s, want the rest of five minutes", pe.RetryAfter)
	}
}

// measuresTheIndex has somebody react, and waits until the network's index
// counts it.
func measuresTheIndex(n *network) {
	c := n.connected()
	liked, deleted := another('6', "Liked."), another('7', "Deleted.")
	one, two := n.publish(c, liked), n.publish(c, deleted)
	first := another('8', "Thread: first.")
	three := n.publish(c, first)
	second := another('8', "Thread: second.")
	second.Index, second.Root, second.Parent = 1, &three, &three
	n.publish(c, second)
	fan := n.signUp("bea")
	react := func(kind string, record map[string]any) {
		n.t.Helper()
		record["$type"], record["createdAt"] = kind, time.Now().UTC().Format(timeFormat)
		n.must(request{method: "com.atproto.repo.createRecord", token: fan.token, body: map[string]any{"repo": fan.did, "collection": kind, "record": record}}, nil)
	}
	for _, of := range []mission.Publication{one, three} {
		r := reference{URI: of.PostID, CID: of.Hash}
		react("app.bsky.feed.like", map[string]any{"subject": r})
		react("app.bsky.feed.repost", map[string]any{"subject": r})
		react(collection, map[string]any{"text": "Look!", "embed": map[string]any{"$type": "app.bsky.embed.record", "record": r}})
		react(collection, map[string]any{"text": "Yes.", "reply": reply{Root: r, Parent: r}})
		react(collection, map[string]any{"text": "No.", "reply": reply{Root: r, Parent: r}})
	}
	n.must(request{method: "com.atproto.repo.deleteRecord", token: c.AccessToken, body: map[string]any{"repo": n.did, "collection": collection, "rkey": recordKey(deleted)}}, nil)
	posts := []mission.Content{
		{ID: "alone", PlatformPostID: &one.PostID}, {ID: "gone", PlatformPostID: &two.PostID},
		{ID: "thread", Format: mission.FormatThread, PlatformPostID: &three.PostID},
	}
	figures := mission.Metrics{mission.Likes: 1, mission.Comments: 2, mission.Shares: 2}
	want := map[string]mission.Metrics{"alone": figures, "thread": figures}
	deadline, tick := time.Now().Add(await.Long()), time.NewTicker(100*time.Millisecond)
	defer tick.Stop()
	for {
		got, err := n.adapter.Measure(n.t.Context(), c, posts)
		if err == nil && reflect.DeepEqual(got, want) {
			return
		}
		if err != nil || time.Now().After(deadline) {
			n.t.Fatalf("measured are %v (%v), want %v", got, err, want)
		}
		<-tick.C
	}
}
