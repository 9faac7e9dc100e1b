package api

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"missiond/mission"
	"missiond/store"
)

// ownAPI has the operations on tenants' own writers and applications, over either API.
type ownAPI interface {
	linkAPI
	accountsAPI
	setWriter(body map[string]any) result
	writer() result
	removeWriter() result
	setApp(platform string, body map[string]any) result
	app(platform string) result
	removeApp(platform string) result
}

func (a restAPI) setWriter(body map[string]any) result { return a.call("PUT", "/tenant/writer", body) }
func (a restAPI) writer() result                       { return a.call("GET", "/tenant/writer", nil) }
func (a restAPI) removeWriter() result                 { return a.call("DELETE", "/tenant/writer", nil) }

func (a restAPI) setApp(platform string, body map[string]any) result {
	return a.call("PUT", "/tenant/platforms/"+platform, body)
}

func (a restAPI) app(platform string) result {
	return a.call("GET", "/tenant/platforms/"+platform, nil)
}

func (a restAPI) removeApp(platform string) result {
	return a.call("DELETE", "/tenant/platforms/"+platform, nil)
}

const (
	writerFields = `url model keySet prices { input output } error { code } createdAt updatedAt`
	appFields    = `platform clientId clientSecretSet createdAt updatedAt`
)

func (a graphAPI) setWriter(body map[string]any) result {
	return a.run(`mutation($input: SetTenantWriterInput!) { setTenantWriter(input: $input) { writer { `+writerFields+` } } }`,
		map[string]any{"input": asGraphQL(body)}, "setTenantWriter", "writer")
}

func (a graphAPI) writer() result {
	return a.own(`{ viewer { tenant { record: writer { `+writerFields+` } } } }`, nil)
}

func (a graphAPI) removeWriter() result {
	return a.run(`mutation { removeTenantWriter { writer { `+writerFields+` } } }`, nil, "removeTenantWriter", "writer")
}

func (a graphAPI) setApp(platform string, body map[string]any) result {
	return ofPlatform(a.run(`mutation($platform: Platform!, $input: SetTenantPlatformInput!) { setTenantPlatform(platform: $platform, input: $input) { app { `+appFields+` } } }`,
		map[string]any{"platform": strings.ToUpper(platform), "input": asGraphQL(body)}, "setTenantPlatform", "app"))
}

func (a graphAPI) app(platform string) result {
	return ofPlatform(a.own(`query($platform: Platform!) { viewer { tenant { record: platformApp(platform: $platform) { `+appFields+` } } } }`,
		map[string]any{"platform": strings.ToUpper(platform)}))
}

func (a graphAPI) removeApp(platform string) result {
	return ofPlatform(a.run(`mutation($platform: Platform!) { removeTenantPlatform(platform: $platform) { app { `+appFields+` } } }`,
		map[string]any{"platform": strings.ToUpper(platform)}, "removeTenantPlatform", "app"))
}

// own returns a record of the viewer's tenant; one that isn't there is not_found, as over REST.
func (a graphAPI) own(document string, variables map[string]any) result {
	data, failed := a.call(document, variables)
	if failed.Code == "" && at(data, "viewer", "tenant", "record") == nil {
		failed.Code = "not_found"
		return failed
	}
	return under(data, failed, "viewer", "tenant", "record")
}

// ofPlatform converts the platform of a record to REST's form.
func ofPlatform(a result) result {
	if text, ok := a.Fields["platform"].(string); ok {
		a.Fields["platform"] = strings.ToLower(text)
	}
	return a
}

func TestOwnKeyScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[ownAPI]{
		{"a tenant's own writer", ownWriters},
		{"a tenant's own application", ownApps},
		{"nobody sees the keys of a tenant's own", ownSecretsStay},
	})
}

func ownWriters(s *harness, a ownAPI) {
	s.want(a.writer(), "not_found", "")
	s.want(a.removeWriter(), "not_found", "")
	input := func(change map[string]any) map[string]any {
		body := map[string]any{"url": "http://127.0.0.1:1/v1", "model": "m", "key": "k"}
		for name, value := range change {
			body[name] = value
		}
		return body
	}
	for param, change := range map[string]map[string]any{
		"url":           {"url": "http://10.0.0.1/v1"},
		"model":         {"model": " "},
		"key":           {"key": "a b"},
		"prices.input":  {"prices": map[string]any{"input": -1, "output": 1}},
		"prices.output": {"prices": map[string]any{"input": 0, "output": 10001}},
	} {
		s.want(a.setWriter(input(change)), "invalid_request", param)
	}
	for _, address := range []string{"ftp://127.0.0.1", "http://u:p@127.0.0.1", "http://127.0.0.1/?q", "http://169.254.169.254/v1", "x", strings.Repeat("http://127.0.0.1/", 999)} {
		s.want(a.setWriter(input(map[string]any{"url": address})), "invalid_request", "url")
	}
	set := a.setWriter(input(map[string]any{"prices": map[string]any{"input": 0.15, "output": 0.6}}))
	s.field(set, "key_set", true)
	s.field(set, "error", nil)
	s.equal("the prices", fmt.Sprint(s.at(set, "prices", "input"), s.at(set, "prices", "output")), "0.15 0.6")
	s.equal("what is read", fmt.Sprint(a.writer().Fields), fmt.Sprint(set.Fields))
	moved := input(map[string]any{"url": "http://127.0.0.1:2/v1"})
	delete(moved, "key")
	s.want(a.setWriter(moved), "invalid_request", "key")
	moved["url"] = "http://127.0.0.1:1/v2/"
	s.field(a.setWriter(moved), "url", "http://127.0.0.1:1/v2")
	s.field(a.writer(), "key_set", true)

	// Nobody but admins, and no other tenant.
	ours := s.key
	_, s.key = s.newKey(a, map[string]any{"name": "x", "scopes": []any{"missions:write", "integrations:write"}})
	s.want(a.writer(), "forbidden", "")
	s.want(a.setWriter(input(nil)), "forbidden", "")
	s.want(a.removeWriter(), "forbidden", "")
	s.key = s.keys["theirs"]
	s.want(a.writer(), "not_found", "")
	s.want(a.removeWriter(), "not_found", "")
	s.key = ours
	s.field(a.removeWriter(), "model", "m")
	s.want(a.writer(), "not_found", "")
}

func ownApps(s *harness, a ownAPI) {
	ctx, b := context.Background(), browser{}
	s.want(a.app("twitter"), "not_found", "")
	s.want(a.app("mastodon"), "invalid_request", "platform")
	s.want(a.setApp("bluesky", map[string]any{"client_id": "x"}), "invalid_request", "platform")
	s.want(a.setApp("twitter", map[string]any{"client_id": ""}), "invalid_request", "client_id")
	s.want(a.setApp("twitter", map[string]any{"client_id": "x", "client_secret": "a b"}), "invalid_request", "client_secret")
	s.want(a.setApp("linkedin", map[string]any{"client_id": "x"}), "invalid_request", "client_secret")
	set := a.setApp("twitter", map[string]any{"client_id": "own", "client_secret": "first"})
	s.field(set, "client_secret_set", true)
	s.equal("what is read", fmt.Sprint(a.app("twitter").Fields), fmt.Sprint(set.Fields))

	// A consent that is under way when the application is replaced comes to nothing.
	state := s.open(b, a.connect(map[string]any{"platform": "twitter"}))
	s.equal("the client", s.platform.grant.ClientID+" "+s.platform.grant.ClientSecret, "own first")
	s.field(a.setApp("twitter", map[string]any{"client_id": "other"}), "client_secret_set", false)
	_, _, err := s.Integrations.Consented(ctx, back(b, mission.Twitter, state))
	s.equal("the consent to the application before", mission.CodeOf(err), mission.CodeInvalidRequest)

	// An account is renewed by the application that connected it, with its newest secret.
	s.want(a.setApp("twitter", map[string]any{"client_id": "own", "client_secret": "first"}), "", "")
	got := a.connect(map[string]any{"platform": "twitter"})
	i, _, err := s.Integrations.Consented(ctx, back(b, mission.Twitter, s.open(b, got)))
	s.must(err)
	s.field(a.setApp("twitter", map[string]any{"client_id": "own", "client_secret": "second"}), "client_id", "own")
	s.platform.set(func(f *fakePlatform) { f.ended = true })
	s.field(a.testLink(i.ID), "ok", true)
	s.equal("who renews", s.platform.renewedBy, "own second")
	s.want(a.setApp("twitter", map[string]any{"client_id": "other"}), "", "")
	s.field(a.removeApp("twitter"), "client_id", "other") // nothing is connected by it
	s.want(a.setApp("twitter", map[string]any{"client_id": "own", "client_secret": "third"}), "", "")
	s.want(a.removeApp("twitter"), "conflict", "")
	p, err := s.Accounts.Authenticate(ctx, s.key)
	s.must(err)
	_, err = s.Integrations.RemoveTenantApp(ctx, p, mission.Twitter)
	s.equal("the accounts are named", strings.Contains(err.Error(), i.ID), true)

	ours := s.key
	s.key = s.keys["theirs"]
	s.want(a.app("twitter"), "not_found", "")
	s.want(a.removeApp("twitter"), "not_found", "")
	a.connect(map[string]any{"platform": "twitter"})
	s.equal("another tenant's client", s.platform.grant.ClientID, "")
	s.key = ours
	s.want(a.disconnect(i.ID), "", "")
	s.field(a.removeApp("twitter"), "client_id", "own")
	s.want(a.app("twitter"), "not_found", "")
	a.connect(map[string]any{"platform": "twitter"})
	s.equal("the operator's client", s.platform.grant.ClientID, "")
}

// rejects returns the response to a request, which is an error.
func (s *harness) rejects(method, path string, body any) map[string]any {
	s.t.Helper()
	status, response := s.send(method, path, body)
	if status < 400 {
		s.t.Errorf("%s %s returned %d", method, path, status)
	}
	return response
}

// No response, no entry of the audit log, no row and no export has a key.
func ownSecretsStay(s *harness, a ownAPI) {
	const secret = "s3cr3t-of-ours"
	ours := []result{
		a.setWriter(map[string]any{"url": "http://127.0.0.1:1/v1", "model": "m", "key": secret}), a.writer(),
		a.setApp("twitter", map[string]any{"client_id": "own", "client_secret": secret}), a.app("twitter"),
	}
	for _, got := range ours {
		s.want(got, "", "")
	}
	shown := []any{
		ours,
		s.rejects("PUT", "/v1/tenant/writer", map[string]any{"url": "http://10.0.0.1/v1", "model": "m", "key": secret}),
		s.rejects("PUT", "/v1/tenant/writer", map[string]any{"url": "http://127.0.0.1:1/v1", "model": "m", "key": secret + "\n"}),
	}
	p, err := s.Accounts.Authenticate(context.Background(), s.key)
	s.must(err)
	log, err := s.Accounts.AuditLog(context.Background(), p, mission.AuditFilter{TargetID: p.TenantID}, store.Page{Limit: 2})
	s.must(err)
	s.equal("entries of the audit log", fmt.Sprint(log.List[0].Action, " ", log.List[0].Details["fields"], " ", log.List[1].Action, " ", log.List[1].Details["fields"]),
		"tenant.platform_set [client_id client_secret] tenant.writer_set [url model key]")
	shown = append(shown, log.List)
	exported := map[string]bool{}
	s.must(s.DB.ExportTenant(context.Background(), p.TenantID, func(table string, row map[string]any) error {
		exported[table] = true
		shown = append(shown, row)
		if _, ok := row["sealed"]; ok {
			s.t.Errorf("the export of %s has a sealed secret", table)
		}
		return nil
	}))
	s.equal("exported", fmt.Sprint(exported["tenant_writers"], exported["tenant_apps"]), "true true")
	s.must(s.DB.Tx(context.Background(), func(tx store.Tx) error {
		w, err := tx.SealedTenantWriters(context.Background(), "", 10)
		shown = append(shown, w)
		return err
	}))
	s.must(s.DB.Tx(context.Background(), func(tx store.Tx) error {
		apps, err := tx.SealedTenantApps(context.Background(), "", "", 10)
		shown = append(shown, apps)
		return err
	}))
	text, err := json.Marshal(shown)
	s.must(err)
	if strings.Contains(string(text), secret) {
		s.t.Errorf("a key is shown: %s", text)
	}
	n, err := s.Integrations.Reseal(context.Background())
	s.must(err)
	s.equal("resealed with the same key", n, 0)
}
