package api

import "strings"

// linkAPI is the part of both APIs that concerns connections to platforms.
type linkAPI interface {
	hookAPI
	connect(body map[string]any) result
	links(query map[string]any) result
	link(id string) result
	updateLink(id string, body map[string]any) result
	disconnect(id string) result
	testLink(id string) result
}

func (a restAPI) connect(body map[string]any) result { return a.call("POST", "/integrations", body) }
func (a restAPI) links(query map[string]any) result  { return a.page("/integrations", query) }
func (a restAPI) link(id string) result              { return a.call("GET", "/integrations/"+id, nil) }
func (a restAPI) disconnect(id string) result        { return a.call("DELETE", "/integrations/"+id, nil) }
func (a restAPI) updateLink(id string, body map[string]any) result {
	return a.call("PUT", "/integrations/"+id, body)
}
func (a restAPI) testLink(id string) result {
	return a.call("POST", "/integrations/"+id+"/test", nil)
}

const linkFields = `id platform status auth account { id handle name url avatarUrl limits { maxLength linkLength } } default label server scopes expiresAt lastError { code message } checkedAt connectedAt createdAt updatedAt`

// linked converts the fields of integrations to REST's form.
func linked(a result, record string) result {
	a = plain(a, record)
	for _, name := range []string{"platform", "status", "auth"} {
		if a.Fields[name] != nil {
			a.Fields[name] = lower(a.Fields[name])
		}
	}
	return a
}

func (a graphAPI) connect(body map[string]any) result {
	input := map[string]any{}
	for name, value := range body {
		if name == "platform" {
			value = strings.ToUpper(value.(string))
		}
		input[camelCase(name)] = value
	}
	return linked(a.run(`mutation($input: ConnectIntegrationInput!) { connectIntegration(input: $input) { integration { `+linkFields+` } authorizeUrl } }`,
		map[string]any{"input": input}, "connectIntegration"), "integration")
}

func (a graphAPI) links(query map[string]any) result {
	return a.pageOf(`query($first: Int, $after: String) { integrations(first: $first, after: $after) { `+pageFields+` } }`, query, map[string]any{}, "integrations")
}

func (a graphAPI) link(id string) result {
	return linked(a.run(`query($id: ID!) { integration(id: $id) { `+linkFields+` } }`, map[string]any{"id": id}, "integration"), "")
}

func (a graphAPI) updateLink(id string, body map[string]any) result {
	return linked(a.run(`mutation($id: ID!, $input: UpdateIntegrationInput!) { updateIntegration(id: $id, input: $input) { integration { `+linkFields+` } } }`,
		map[string]any{"id": id, "input": body}, "updateIntegration"), "integration")
}

func (a graphAPI) disconnect(id string) result {
	got := a.run(`mutation($id: ID!) { disconnectIntegration(id: $id) { deletedId } }`, map[string]any{"id": id}, "disconnectIntegration")
	if got.Code == "" {
		got.Fields = map[string]any{"id": got.Fields["deleted_id"], "deleted": true}
	}
	return got
}

func (a graphAPI) testLink(id string) result {
	return linked(a.run(`mutation($id: ID!) { testIntegration(id: $id) { integration { id status } ok durationMs error } }`, map[string]any{"id": id}, "testIntegration"), "integration")
}
