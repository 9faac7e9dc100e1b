package main

import "strings"

// linkAPI is the part of both APIs that is about connections to platforms.
type linkAPI interface {
	hookAPI
	connect(body map[string]any) answer
	links(query map[string]any) answer
	link(id string) answer
	disconnect(id string) answer
	testLink(id string) answer
}

func (a restAPI) connect(body map[string]any) answer { return a.call("POST", "/integrations", body) }
func (a restAPI) links(query map[string]any) answer  { return a.page("/integrations", query) }
func (a restAPI) link(id string) answer              { return a.call("GET", "/integrations/"+id, nil) }
func (a restAPI) disconnect(id string) answer        { return a.call("DELETE", "/integrations/"+id, nil) }
func (a restAPI) testLink(id string) answer {
	return a.call("POST", "/integrations/"+id+"/test", nil)
}

const linkFields = `id platform status auth account { id handle name url } server scopes expiresAt lastError { code message } checkedAt connectedAt createdAt updatedAt`

// linked writes the fields of integrations as REST does.
func linked(a answer, record string) answer {
	a = plain(a, record)
	for _, name := range []string{"platform", "status", "auth"} {
		if a.Fields[name] != nil {
			a.Fields[name] = lower(a.Fields[name])
		}
	}
	return a
}

func (a graphAPI) connect(body map[string]any) answer {
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

func (a graphAPI) links(query map[string]any) answer {
	return a.pageOf(`query($first: Int, $after: String) { integrations(first: $first, after: $after) { `+pageFields+` } }`, query, map[string]any{}, "integrations")
}

func (a graphAPI) link(id string) answer {
	return linked(a.run(`query($id: ID!) { integration(id: $id) { `+linkFields+` } }`, map[string]any{"id": id}, "integration"), "")
}

func (a graphAPI) disconnect(id string) answer {
	got := a.run(`mutation($id: ID!) { disconnectIntegration(id: $id) { deletedId } }`, map[string]any{"id": id}, "disconnectIntegration")
	if got.Code == "" {
		got.Fields = map[string]any{"id": got.Fields["deleted_id"], "deleted": true}
	}
	return got
}

func (a graphAPI) testLink(id string) answer {
	return linked(a.run(`mutation($id: ID!) { testIntegration(id: $id) { integration { id status } ok durationMs error } }`, map[string]any{"id": id}, "testIntegration"), "integration")
}
