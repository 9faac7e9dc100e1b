package bluesky

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/bluesky/blueskytest"
	"missiond/mission"
)

// network is a server with an account: the stub, or the reference PDS.
type network struct {
	t       *testing.T
	adapter *Adapter
	account mission.Credentials
	did     string
}

// conformance has the checks that the stub and the reference PDS both pass: what the
// adapter does there, and how they respond.
var conformance = []struct {
	name string
	test func(n *network)
}{
	{"connect", connectsThere},
	{"refuse", refusesThere},
	{"publish", publishesThere},
	{"thread", threadsThere},
	{"again", repeatsThere},
	{"foreign", foreignThere},
	{"refresh", refreshesThere},
	{"errors", errorsThere},
	{"pictures", picturesThere},
	{"limits of pictures", pictureLimits},
}

// The stub responds as the reference PDS does.
func TestStubConforms(t *testing.T) {
	t.Parallel()
	for _, c := range conformance {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c.test(&network{t: t, adapter: w.adapter, account: w.pds.Credentials(w.address), did: blueskytest.DID})
		})
	}
}

func (n *network) connected() mission.Credentials {
	n.t.Helper()
	_, c, err := n.adapter.Connect(n.t.Context(), n.account)
	if err != nil {
		n.t.Fatal(err)
	}
	return c
}

func (n *network) publish(c mission.Credentials, p mission.Part) mission.Publication {
	n.t.Helper()
	got, err := n.adapter.Publish(n.t.Context(), c, p)
	if err != nil {
		n.t.Fatal(err)
	}
	return got
}

// request is a call as it goes over the network; without a body it is a GET. A
// token with a space in it is the whole header.
type request struct {
	verb, method, token, kind string
	query                     url.Values
	body                      any
}

// call makes a call without the adapter, and decodes the response into v.
func (n *network) call(r request, v any) int {
	n.t.Helper()
	var body io.Reader
	if r.body != nil {
		text, err := json.Marshal(r.body)
		if err != nil {
			n.t.Fatal(err)
		}
		body = bytes.NewReader(text)
	}
	if r.verb == "" {
		r.verb = http.MethodGet
		if body != nil {
			r.verb = http.MethodPost
		}
	}
	req, err := http.NewRequestWithContext(n.t.Context(), r.verb, n.account.Server+"/xrpc/"+r.method+"?"+r.query.Encode(), body)
	if err != nil {
		n.t.Fatal(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.kind != "" {
		req.Header.Set("Content-Type", r.kind)
	}
	if strings.Contains(r.token, " ") {
		req.Header.Set("Authorization", r.token)
	} else if r.token != "" {
		req.Header.Set("Authorization", "Bearer "+r.token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		n.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if err := json.NewDecoder(resp.Body).Decode(v); err != nil && !errors.Is(err, io.EOF) {
		n.t.Fatalf("%s %s: %v", r.verb, r.method, err)
	}
	return resp.StatusCode
}

// must makes a call that has to succeed; v is nil where its response doesn't matter.
func (n *network) must(r request, v any) {
	n.t.Helper()
	var text json.RawMessage
	if status := n.call(r, &text); status != http.StatusOK {
		n.t.Fatalf("%s: got %d: %s", r.method, status, text)
	}
	if v == nil {
		return
	}
	if err := json.Unmarshal(text, v); err != nil {
		n.t.Fatal(err)
	}
}

// written is a record as anybody reads it.
type written struct {
	URI   string         `json:"uri"`
	CID   string         `json:"cid"`
	Value map[string]any `json:"value"`
}

// record reads what was published back.
func (n *network) record(of mission.Publication) written {
	n.t.Helper()
	var got written
	n.must(request{method: "com.atproto.repo.getRecord", query: url.Values{
		"repo": {n.did}, "collection": {collection}, "rkey": {of.PostID[strings.LastIndex(of.PostID, "/")+1:]},
	}}, &got)
	if got.URI != of.PostID || got.CID != of.Hash {
		n.t.Errorf("the record is %s (%s), the publication %s (%s)", got.URI, got.CID, of.PostID, of.Hash)
	}
	return got
}

// texts are those of the account's records, newest first.
func (n *network) texts() []string {
	n.t.Helper()
	var got struct{ Records []written }
	n.must(request{method: "com.atproto.repo.listRecords", query: url.Values{"repo": {n.did}, "collection": {collection}, "limit": {"100"}}}, &got)
	var texts []string
	for _, r := range got.Records {
		text, _ := r.Value["text"].(string)
		texts = append(texts, text)
	}
	return texts
}

// times counts the records of a text.
func (n *network) times(text string) int {
	n.t.Helper()
	return len(slices.DeleteFunc(n.texts(), func(s string) bool { return s != text }))
}

// another returns a part of a content that no other subtest has.
func another(digit byte, text string) mission.Part {
	p := part(text)
	p.Content.ID = "cnt_01k8x3p9z0000000000000001" + string(digit)
	p.CalledAt = time.Date(2026, 8, 20, 9, 30, 15, 678_900_000, time.UTC)
	return p
}

func connectsThere(n *network) {
	account, c, err := n.adapter.Connect(n.t.Context(), n.account)
	if err != nil {
		n.t.Fatal(err)
	}
	if account.ID != n.did || account.Handle != n.account.Identifier || c.AccountID != n.did || c.Server != n.account.Server {
		n.t.Errorf("connected %+v of %q at %q", account, c.AccountID, c.Server)
	}
	if c.ExpiresAt == nil || time.Until(*c.ExpiresAt) < 10*time.Minute || !c.Renewable() {
		n.t.Errorf("kept is a session until %v", c.ExpiresAt)
	}
	again, kept, err := n.adapter.Connect(n.t.Context(), c)
	if err != nil || again != account || kept.AccessToken != c.AccessToken || kept.RefreshToken != c.RefreshToken {
		n.t.Errorf("a second time %+v is connected (%v)", again, err)
	}
}

func refusesThere(n *network) {
	for _, c := range []mission.Credentials{
		{Server: n.account.Server, Identifier: n.account.Identifier, Password: "wrong"},
		{Server: n.account.Server, Identifier: "nobody.test", Password: n.account.Password},
		{Server: n.account.Server, Identifier: "not a name", Password: n.account.Password},
		{Server: n.account.Server, AccessToken: "a.b.c"},
	} {
		_, _, err := n.adapter.Connect(n.t.Context(), c)
		if pe := failed(n.t, err); !pe.Unauthorized {
			n.t.Errorf("%q: got %+v", c.Identifier, pe)
		}
	}
	c := n.connected()
	c.AccessToken = "a.b.c"
	_, err := n.adapter.Publish(n.t.Context(), c, another('0', "Never."))
	if pe := failed(n.t, err); !pe.Unauthorized || pe.Outcome != mission.OutcomeNotAccepted {
		n.t.Errorf("publish: got %+v", pe)
	}
	// Records are shown to everybody, whoever calls.
	if _, ok, err := n.adapter.Find(n.t.Context(), c, another('0', "Never.")); ok || err != nil {
		n.t.Errorf("find: got %t, %v", ok, err)
	}
	c = n.connected()
	_, err = n.adapter.Publish(n.t.Context(), c, another('0', strings.Repeat("a", 301)))
	if pe := failed(n.t, err); pe.Unauthorized || pe.Outcome != mission.OutcomeRefused || !strings.Contains(pe.Failure.Message, "300") {
		n.t.Errorf("a text that is too long: got %+v", pe)
	}
}

func publishesThere(n *network) {
	const text = "Schöner 🌻 wohnen: https://example.com/a?b=1&c=ü #grün"
	p := another('1', text)
	got := n.publish(n.connected(), p)
	want := map[string]any{
		"$type": "app.bsky.feed.post", "text": text, "createdAt": "2026-08-20T09:30:15.678Z",
		"facets": []any{
			map[string]any{
				"index":    map[string]any{"byteStart": 22.0, "byteEnd": 52.0},
				"features": []any{map[string]any{"$type": "app.bsky.richtext.facet#link", "uri": "https://example.com/a?b=1&c=ü"}},
			},
			map[string]any{
				"index":    map[string]any{"byteStart": 53.0, "byteEnd": 59.0},
				"features": []any{map[string]any{"$type": "app.bsky.richtext.facet#tag", "tag": "grün"}},
			},
		},
	}
	if r := n.record(got); !reflect.DeepEqual(r.Value, want) {
		n.t.Errorf("the record is %v, want %v", r.Value, want)
	}
	if !got.PublishedAt.Equal(p.CalledAt.Truncate(time.Millisecond)) || got.URL != profile(n.did)+"/post/"+recordKey(p) {
		n.t.Errorf("the publication is %+v", got)
	}
	if n.times(text) != 1 {
		n.t.Errorf("the account has %q", n.texts())
	}
}

func threadsThere(n *network) {
	c := n.connected()
	texts := []string{"Thread one.", "Thread two.", "Thread three."}
	var made []mission.Publication
	for i, text := range texts {
		p := another('2', text)
		p.Index = i
		if i > 0 {
			p.Root, p.Parent = &made[0], &made[i-1]
		}
		made = append(made, n.publish(c, p))
	}
	for i, m := range made {
		value := n.record(m).Value
		var want any
		if i > 0 {
			reference := func(p mission.Publication) map[string]any { return map[string]any{"uri": p.PostID, "cid": p.Hash} }
			want = map[string]any{"root": reference(made[0]), "parent": reference(made[i-1])}
		}
		if value["text"] != texts[i] || !reflect.DeepEqual(value["reply"], want) {
			n.t.Errorf("part %d is %v, want it to reply to %v", i, value, want)
		}
	}
	slices.Reverse(texts)
	if got := slices.DeleteFunc(n.texts(), func(s string) bool { return !strings.HasPrefix(s, "Thread ") }); !slices.Equal(got, texts) {
		n.t.Errorf("the account shows %q", got)
	}
}

func repeatsThere(n *network) {
	c, p := n.connected(), another('3', "Once only. #once")
	if _, ok, err := n.adapter.Find(n.t.Context(), c, p); ok || err != nil {
		n.t.Errorf("before it is published: found %t (%v)", ok, err)
	}
	one := n.publish(c, p)
	p.Again = true
	if two := n.publish(c, p); two != one {
		n.t.Errorf("again it is %+v, at first %+v", two, one)
	}
	// Not the same record, as a later release would write it.
	p.CalledAt = p.CalledAt.Add(time.Hour)
	if three := n.publish(c, p); three != one {
		n.t.Errorf("at another time it is %+v, at first %+v", three, one)
	}
	found, ok, err := n.adapter.Find(n.t.Context(), c, p)
	if err != nil || !ok || found != one {
		n.t.Errorf("found %+v, %t (%v), want %+v", found, ok, err, one)
	}
	if n.times(p.Text) != 1 {
		n.t.Errorf("the account has %q", n.texts())
	}
}

func foreignThere(n *network) {
	c, p := n.connected(), another('4', "Another's.")
	one := n.publish(c, p)
	p.Text = "Ours."
	if _, ok, err := n.adapter.Find(n.t.Context(), c, p); ok || err != nil {
		n.t.Errorf("found another's (%v)", err)
	}
	_, err := n.adapter.Publish(n.t.Context(), c, p)
	if pe := failed(n.t, err); pe.Outcome != mission.OutcomeRefused || pe.Failure.Code != publisher.CodeRefused || pe.Unauthorized {
		n.t.Errorf("got %+v", pe)
	}
	var said problem
	status := n.call(request{method: "com.atproto.repo.putRecord", token: c.AccessToken, body: put{
		Repo: c.AccountID, Collection: collection, Key: recordKey(p), Validate: true, Record: postOf(p, nil),
	}}, &said)
	if want := (problem{invalidSwap, "Record was at " + one.Hash}); status != http.StatusBadRequest || said != want {
		n.t.Errorf("got %d %+v, want %+v", status, said, want)
	}
	if n.record(one).Value["text"] != "Another's." {
		n.t.Error("another's is replaced")
	}
}

func refreshesThere(n *network) {
	old := n.connected()
	c, err := n.adapter.Refresh(n.t.Context(), old)
	if err != nil {
		n.t.Fatal(err)
	}
	if c.RefreshToken == old.RefreshToken || c.AccountID != n.did || c.Server != old.Server || c.ExpiresAt == nil {
		n.t.Errorf("the renewed session is %q at %q until %v", c.AccountID, c.Server, c.ExpiresAt)
	}
	n.publish(c, another('5', "Renewed."))
	// A lost response costs no session: the old token goes on for two
	// hours.
	for _, from := range []mission.Credentials{c, old} {
		from.Password = ""
		if _, err := n.adapter.Refresh(n.t.Context(), from); err != nil {
			n.t.Error(err)
		}
	}
	c.RefreshToken = "a.b.c"
	if again, err := n.adapter.Refresh(n.t.Context(), c); err != nil || again.AccessToken == "" || again.RefreshToken == "a.b.c" {
		n.t.Errorf("the password opens no other session: %v", err)
	}
	c.Password = ""
	_, err = n.adapter.Refresh(n.t.Context(), c)
	if pe := failed(n.t, err); !pe.Unauthorized {
		n.t.Errorf("got %+v", pe)
	}
}

func errorsThere(n *network) {
	const (
		signIn, renew, who = "com.atproto.server.createSession", "com.atproto.server.refreshSession", "com.atproto.server.getSession"
		putOne, getOne     = "com.atproto.repo.putRecord", "com.atproto.repo.getRecord"
	)
	c := n.connected()
	record := func(repo, key, at string) map[string]any {
		return map[string]any{
			"repo": repo, "collection": collection, "rkey": key, "validate": true,
			"record": map[string]any{"$type": collection, "text": "Never.", "createdAt": at},
		}
	}
	const key, now = "3l25zusnsfck2", "2026-08-20T09:30:15.678Z"
	missing := url.Values{"repo": {n.account.Identifier}, "collection": {collection}, "rkey": {key}}
	for _, x := range []struct {
		name   string
		call   request
		status int
		want   problem
	}{
		{"a wrong password", request{method: signIn, body: map[string]string{"identifier": n.did, "password": "x"}}, 401, problem{"AuthenticationRequired", "Invalid identifier or password"}},
		{"no password", request{method: signIn, body: map[string]string{"identifier": n.did}}, 400, problem{"InvalidRequest", ""}},
		{"signing in by GET", request{method: signIn}, 400, problem{"InvalidRequest", "Incorrect HTTP method (GET) expected POST"}},
		{"signing in by form", request{method: signIn, kind: "text/plain", body: "x"}, 400, problem{"InvalidRequest", "Wrong request encoding (Content-Type): text/plain"}},
		{"no token", request{method: who}, 401, problem{"AuthMissing", "Authentication Required"}},
		{"another's token", request{method: who, token: "a.b.c"}, 400, problem{"InvalidToken", "Token could not be verified"}},
		{"a token that renews", request{method: who, token: c.RefreshToken}, 400, problem{"InvalidToken", "Token could not be verified"}},
		{"a token that doesn't renew", request{verb: "POST", method: renew, token: c.AccessToken}, 400, problem{"InvalidToken", "Token could not be verified"}},
		{"renewing with a body", request{method: renew, token: c.RefreshToken, body: struct{}{}}, 400, problem{"InvalidRequest", "A request body was provided when none was expected"}},
		{"writing without a token", request{method: putOne, body: record(n.did, key, now)}, 401, problem{"AuthMissing", "Authentication Required"}},
		{"writing in another's", request{method: putOne, token: c.AccessToken, body: record("did:plc:aaaaaaaaaaaaaaaaaaaaaaaa", key, now)}, 403, problem{"AccountNotFound", "Account not found"}},
		{"writing under no TID", request{method: putOne, token: c.AccessToken, body: record(n.did, "zzz", now)}, 400, problem{"InvalidRequest", ""}},
		{"writing at no time", request{method: putOne, token: c.AccessToken, body: record(n.did, key, "yesterday")}, 400, problem{"InvalidRequest", ""}},
		{"reading what isn't there", request{method: getOne, query: missing}, 400, problem{"RecordNotFound", "Could not locate record: at://" + n.did + "/" + collection + "/" + key}},
	} {
		var got problem
		status := n.call(x.call, &got)
		if status != x.status || got.Name != x.want.Name || x.want.Words != "" && got.Words != x.want.Words {
			n.t.Errorf("%s: got %d %+v, want %d %+v", x.name, status, got, x.status, x.want)
		}
	}
	if n.times("Never.") != 0 {
		n.t.Error("what was refused is there")
	}
}
