package api

import (
	"encoding/json"
	"maps"
	"strings"
)

// accountsAPI is the part of both APIs that concerns callers and their tenants.
type accountsAPI interface {
	api
	login(body map[string]any) result
	refresh() result
	logout() result
	whoami() result
	createKey(body map[string]any) result
	listKeys(query map[string]any) result
	readKey(id string) result
	revokeKey(id string) result
	rotateKey(id string, body map[string]any) result
	onboard(body map[string]any) result
	settings() result
	updateSettings(body map[string]any) result
	members(query map[string]any) result
	setRole(id, role string) result
	removeMember(id, keys string) result
	endSessions(id string) result
	deleteTenant(confirm string) result
	restoreTenant() result
	holdTenant(body map[string]any) result
	releaseTenant() result
	hold() result
	auditLog(query map[string]any) result
}

func (a restAPI) page(path string, query map[string]any) result {
	var q []string
	for name, value := range query {
		text, _ := json.Marshal(value)
		q = append(q, name+"="+strings.Trim(string(text), `"`))
	}
	got := a.call("GET", path+"?"+strings.Join(q, "&"), nil)
	if got.Code == "" {
		got.Fields = map[string]any{"ids": ids(got.Fields["data"].([]any)), "more": got.Fields["has_more"], "total": got.Fields["total"]}
	}
	return got
}

func (a restAPI) login(body map[string]any) result     { return a.call("POST", "/auth/login", body) }
func (a restAPI) refresh() result                      { return a.call("POST", "/auth/refresh", nil) }
func (a restAPI) logout() result                       { return a.call("POST", "/auth/logout", nil) }
func (a restAPI) whoami() result                       { return a.call("GET", "/auth/whoami", nil) }
func (a restAPI) createKey(body map[string]any) result { return a.call("POST", "/auth/keys", body) }
func (a restAPI) listKeys(query map[string]any) result { return a.page("/auth/keys", query) }
func (a restAPI) readKey(id string) result             { return a.call("GET", "/auth/keys/"+id, nil) }
func (a restAPI) revokeKey(id string) result           { return a.call("DELETE", "/auth/keys/"+id, nil) }
func (a restAPI) onboard(body map[string]any) result   { return a.call("POST", "/onboard", body) }
func (a restAPI) settings() result                     { return a.call("GET", "/tenant", nil) }
func (a restAPI) members(query map[string]any) result  { return a.page("/members", query) }
func (a restAPI) auditLog(query map[string]any) result { return a.page("/audit-log", query) }
func (a restAPI) rotateKey(id string, body map[string]any) result {
	if body == nil {
		return a.call("POST", "/auth/keys/"+id+"/rotate", nil)
	}
	return a.call("POST", "/auth/keys/"+id+"/rotate", body)
}

func (a restAPI) updateSettings(body map[string]any) result { return a.call("PUT", "/tenant", body) }

func (a restAPI) setRole(id, role string) result {
	return a.call("PUT", "/members/"+id, map[string]any{"role": role})
}

func (a restAPI) removeMember(id, keys string) result {
	path := "/members/" + id
	if keys != "" {
		path += "?keys=" + keys
	}
	return a.call("DELETE", path, nil)
}

func (a restAPI) endSessions(id string) result {
	return a.call("POST", "/members/"+id+"/end_sessions", nil)
}

func (a restAPI) deleteTenant(confirm string) result {
	return a.call("DELETE", "/tenant?confirm="+confirm, nil)
}

func (a restAPI) restoreTenant() result { return a.call("POST", "/tenant/restore", nil) }

func (a restAPI) holdTenant(body map[string]any) result { return a.call("POST", "/tenant/hold", body) }
func (a restAPI) releaseTenant() result                 { return a.call("DELETE", "/tenant/hold", nil) }
func (a restAPI) hold() result                          { return a.call("GET", "/tenant/hold", nil) }

func (a graphAPI) removeMember(id, keys string) result {
	variables := map[string]any{"id": id}
	if keys != "" {
		variables["keys"] = strings.ToUpper(keys)
	}
	return a.run(`mutation($id: ID!, $keys: MemberKeys) { removeMember(id: $id, keys: $keys) { deletedId sessionsEnded keys { id status } } }`, variables, "removeMember")
}

func (a graphAPI) endSessions(id string) result {
	return a.run(`mutation($id: ID!) { endMemberSessions(id: $id) { member { id } sessionsEnded } }`, map[string]any{"id": id}, "endMemberSessions")
}

func (a graphAPI) deleteTenant(confirm string) result {
	return a.run(`mutation($confirm: String!) { deleteTenant(confirm: $confirm) { tenant { `+settingsFields+` } } }`, map[string]any{"confirm": confirm}, "deleteTenant", "tenant")
}

func (a graphAPI) restoreTenant() result {
	return a.run(`mutation { restoreTenant { tenant { `+settingsFields+` } } }`, nil, "restoreTenant", "tenant")
}

const holdFields = `reason since until heldBy`

func (a graphAPI) holdTenant(body map[string]any) result {
	return a.run(`mutation($input: HoldTenantInput!) { holdTenant(input: $input) { hold { `+holdFields+` } } }`,
		map[string]any{"input": asGraphQL(body)}, "holdTenant", "hold")
}

func (a graphAPI) releaseTenant() result {
	return a.run(`mutation { releaseTenant { hold { `+holdFields+` } } }`, nil, "releaseTenant", "hold")
}

func (a graphAPI) hold() result {
	data, failed := a.call(`{ tenantHold { `+holdFields+` } }`, nil)
	if failed.Code == "" && data["tenantHold"] == nil {
		return result{Fields: map[string]any{"reason": nil, "until": nil, "held_by": nil}}
	}
	return under(data, failed, "tenantHold")
}

// run sends a document and returns the data at path.
func (a graphAPI) run(document string, variables map[string]any, path ...string) result {
	data, failed := a.call(document, variables)
	return scoped(under(data, failed, path...))
}

// scoped converts a payload's scopes to REST's form.
func scoped(a result) result {
	for _, object := range []any{a.Fields, a.Fields["new_key"], a.Fields["old_key"]} {
		fields, _ := object.(map[string]any)
		list, _ := fields["scopes"].([]any)
		for i, s := range list {
			list[i] = strings.Replace(strings.ToLower(s.(string)), "_", ":", 1)
		}
	}
	return a
}

func (a graphAPI) login(body map[string]any) result {
	return a.run(`mutation($input: LoginInput!) { login(input: $input) { token expiresAt user { id email name } tenant { id name } } }`,
		map[string]any{"input": asGraphQL(body)}, "login")
}

func (a graphAPI) refresh() result {
	return a.run(`mutation { refreshSession { token expiresAt } }`, nil, "refreshSession")
}

func (a graphAPI) logout() result { return a.run(`mutation { logout { success } }`, nil, "logout") }

func (a graphAPI) whoami() result {
	got := a.run(`{ viewer { user { id email name role } tenant { id name slug } authMethod scopes } }`, nil, "viewer")
	if got.Code == "" {
		got.Fields["auth_method"] = strings.ToLower(got.Fields["auth_method"].(string))
	}
	return got
}

const keyFields = `id name keyPrefix scopes lastUsedAt expiresAt status createdAt createdByUserId createdByKeyId`

// upperScopes converts an input's scopes to GraphQL's enum.
func upperScopes(body map[string]any) map[string]any {
	body = maps.Clone(body)
	if list, ok := body["scopes"].([]any); ok {
		upper := []any{}
		for _, s := range list {
			if text, ok := s.(string); ok {
				s = strings.ToUpper(strings.ReplaceAll(text, ":", "_"))
			}
			upper = append(upper, s)
		}
		body["scopes"] = upper
	}
	return body
}

func (a graphAPI) createKey(body map[string]any) result {
	got := a.run(`mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { key notice apiKey { id name keyPrefix scopes expiresAt createdAt } } }`,
		map[string]any{"input": asGraphQL(upperScopes(body))}, "createApiKey")
	if k, ok := got.Fields["api_key"].(map[string]any); ok {
		maps.Copy(got.Fields, k)
		delete(got.Fields, "api_key")
	}
	return scoped(got)
}

func (a graphAPI) readKey(id string) result {
	return a.run(`query($id: ID!) { apiKey(id: $id) { `+keyFields+` usage { totalRequests last_30_days: last30Days } } }`, map[string]any{"id": id}, "apiKey")
}

func (a graphAPI) revokeKey(id string) result {
	got := a.run(`mutation($id: ID!) { revokeApiKey(id: $id) { apiKey { id status revokedAt } alsoRevokedIds } }`, map[string]any{"id": id}, "revokeApiKey")
	if k, ok := got.Fields["api_key"].(map[string]any); ok {
		maps.Copy(got.Fields, k)
		got.Fields["also_revoked"] = got.Fields["also_revoked_ids"]
	}
	return got
}

func (a graphAPI) rotateKey(id string, body map[string]any) result {
	variables := map[string]any{"id": id, "days": body["grace_period_days"]}
	return a.run(`mutation($id: ID!, $days: Int) { rotateApiKey(id: $id, gracePeriodDays: $days) {
		old_key: oldApiKey { id status validUntil } new_key: newApiKey { id keyPrefix scopes createdAt } key } }`, variables, "rotateApiKey")
}

func (a graphAPI) onboard(body map[string]any) result {
	return a.run(`mutation($input: OnboardInput!) { onboard(input: $input) { tenant { id name slug } brand { voice audience website excludedTopics language examples requiredWords bannedWords emoji hashtags { max always } facts { text source expiresAt } } mission { id status } nextSteps } }`,
		map[string]any{"input": asGraphQL(body)}, "onboard")
}

const settingsFields = `id name slug plan brand { voice audience website excludedTopics language examples requiredWords bannedWords emoji hashtags { max always } facts { text source expiresAt } } createdAt updatedAt deletesAt`

func (a graphAPI) settings() result { return a.run(`{ tenant { `+settingsFields+` } }`, nil, "tenant") }

func (a graphAPI) updateSettings(body map[string]any) result {
	return a.run(`mutation($input: UpdateTenantInput!) { updateTenant(input: $input) { tenant { `+settingsFields+` } } }`,
		map[string]any{"input": asGraphQL(body)}, "updateTenant", "tenant")
}

func (a graphAPI) setRole(id, role string) result {
	return a.run(`mutation($id: ID!, $role: Role!) { updateMember(id: $id, role: $role) { member { id email name role createdAt } } }`,
		map[string]any{"id": id, "role": strings.ToUpper(role)}, "updateMember", "member")
}

// page queries the connection at path.
func (a graphAPI) page(document string, query map[string]any, path ...string) result {
	return a.pageOf(document, query, map[string]any{}, path...)
}

// pageOf is page with variables besides those of the paging.
func (a graphAPI) pageOf(document string, query, variables map[string]any, path ...string) result {
	for restName, graphName := range listNames {
		variables[graphName] = query[restName]
	}
	data, failed := a.call(document, variables)
	for restName, graphName := range listNames {
		if failed.Param == graphName {
			failed.Param = restName
		}
	}
	if failed.Code != "" {
		return failed
	}
	for _, name := range path {
		data = data[name].(map[string]any)
	}
	found := []any{}
	for _, e := range data["edges"].([]any) {
		found = append(found, e.(map[string]any)["node"])
	}
	return result{Fields: map[string]any{"ids": ids(found), "more": data["pageInfo"].(map[string]any)["hasNextPage"], "total": data["totalCount"]}}
}

const pageFields = `totalCount pageInfo { hasNextPage } edges { node { id } }`

func (a graphAPI) listKeys(query map[string]any) result {
	return a.page(`query($first: Int, $after: String) { apiKeys(first: $first, after: $after) { `+pageFields+` } }`, query, "apiKeys")
}

func (a graphAPI) members(query map[string]any) result {
	return a.page(`query($first: Int, $after: String) { tenant { members(first: $first, after: $after) { `+pageFields+` } } }`, query, "tenant", "members")
}

func (a graphAPI) auditLog(query map[string]any) result {
	filter := map[string]any{}
	for restName, graphName := range map[string]string{
		"user_id": "userId", "key_id": "keyId", "target_id": "targetId", "created_from": "createdFrom", "created_to": "createdTo",
	} {
		if v, ok := query[restName]; ok {
			filter[graphName] = v
		}
	}
	if action, ok := query["action"].(string); ok {
		filter["action"] = strings.ToUpper(strings.ReplaceAll(action, ".", "_"))
	}
	return a.pageOf(`query($filter: AuditFilter, $first: Int, $after: String) { auditLog(filter: $filter, first: $first, after: $after) { `+pageFields+` } }`,
		query, map[string]any{"filter": filter}, "auditLog")
}
