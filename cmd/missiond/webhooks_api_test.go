package main

import "strings"

// hookAPI is the part of both APIs that is about endpoints, deliveries, events
// and notifications.
type hookAPI interface {
	api
	createHook(body map[string]any) answer
	hooks(query map[string]any) answer
	hook(id string) answer
	updateHook(id string, body map[string]any) answer
	deleteHook(id string) answer
	testHook(id string) answer
	rotateHook(id string) answer
	replay(id string, body map[string]any) answer
	deliveries(id string, query map[string]any) answer
	delivery(id, deliveryID string) answer
	redeliver(id, deliveryID string) answer
	events(query map[string]any) answer
	event(id string) answer
	notifications(query map[string]any) answer
	markRead(ids ...string) answer
}

func (a restAPI) createHook(body map[string]any) answer { return a.call("POST", "/webhooks", body) }
func (a restAPI) hooks(query map[string]any) answer     { return a.page("/webhooks", query) }
func (a restAPI) hook(id string) answer                 { return a.call("GET", "/webhooks/"+id, nil) }
func (a restAPI) deleteHook(id string) answer           { return a.call("DELETE", "/webhooks/"+id, nil) }
func (a restAPI) testHook(id string) answer             { return a.call("POST", "/webhooks/"+id+"/test", nil) }
func (a restAPI) events(query map[string]any) answer    { return a.page("/events", query) }
func (a restAPI) event(id string) answer                { return a.call("GET", "/events/"+id, nil) }

func (a restAPI) updateHook(id string, body map[string]any) answer {
	return a.call("PUT", "/webhooks/"+id, body)
}

func (a restAPI) rotateHook(id string) answer {
	return a.call("POST", "/webhooks/"+id+"/rotate_secret", nil)
}

func (a restAPI) replay(id string, body map[string]any) answer {
	return a.call("POST", "/webhooks/"+id+"/replay", body)
}

func (a restAPI) deliveries(id string, query map[string]any) answer {
	return a.page("/webhooks/"+id+"/deliveries", query)
}

func (a restAPI) delivery(id, deliveryID string) answer {
	return a.call("GET", "/webhooks/"+id+"/deliveries/"+deliveryID, nil)
}

func (a restAPI) redeliver(id, deliveryID string) answer {
	return a.call("POST", "/webhooks/"+id+"/deliveries/"+deliveryID+"/redeliver", nil)
}

func (a restAPI) notifications(query map[string]any) answer { return a.page("/notifications", query) }

func (a restAPI) markRead(ids ...string) answer {
	got := a.call("POST", "/notifications/read", map[string]any{"ids": ids})
	if got.Code != "" {
		return got
	}
	return answer{Fields: got.Fields["data"].([]any)[0].(map[string]any)}
}

const (
	hookFields     = `id url events status enabled createdAt updatedAt`
	deliveryFields = `id webhookId eventId eventType status attemptCount nextAttemptAt createdAt completedAt attempts { at statusCode durationMs error response }`
)

// eventEnum is an event type as GraphQL writes it.
func eventEnum(v any) any {
	switch v := v.(type) {
	case string:
		return strings.ToUpper(strings.ReplaceAll(v, ".", "_"))
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = eventEnum(v[i])
		}
		return list
	default:
		return v
	}
}

// eventName is an event type as REST writes it: below its group.
func eventName(v any) any {
	switch v := v.(type) {
	case string:
		return strings.Replace(strings.ToLower(v), "_", ".", 1)
	case []any:
		for i := range v {
			v[i] = eventName(v[i])
		}
	}
	return v
}

// plain writes the fields of webhooks as REST does.
func plain(a answer, record string) answer {
	if a.Code != "" {
		return a
	}
	if below, ok := a.Fields[record].(map[string]any); ok {
		delete(a.Fields, record)
		for name, value := range below {
			a.Fields[name] = value
		}
	}
	for _, name := range []string{"events", "event_type", "type"} {
		if _, count := a.Fields[name].(float64); !count && a.Fields[name] != nil {
			a.Fields[name] = eventName(a.Fields[name])
		}
	}
	if a.Fields["kind"] != nil {
		a.Fields["kind"] = lower(a.Fields["kind"])
	}
	return a
}

func hookInput(body map[string]any) map[string]any {
	input := map[string]any{}
	for name, value := range body {
		if name == "events" {
			value = eventEnum(value)
		}
		input[camelCase(name)] = value
	}
	return input
}

func (a graphAPI) createHook(body map[string]any) answer {
	return plain(a.run(`mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { `+hookFields+` } secret } }`,
		map[string]any{"input": hookInput(body)}, "createWebhook"), "webhook")
}

func (a graphAPI) hooks(query map[string]any) answer {
	return a.pageOf(`query($first: Int, $after: String) { webhooks(first: $first, after: $after) { `+pageFields+` } }`, query, map[string]any{}, "webhooks")
}

func (a graphAPI) hook(id string) answer {
	return plain(a.run(`query($id: ID!) { webhook(id: $id) { `+hookFields+` } }`, map[string]any{"id": id}, "webhook"), "")
}

func (a graphAPI) updateHook(id string, body map[string]any) answer {
	return plain(a.run(`mutation($id: ID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) { webhook { `+hookFields+` } } }`,
		map[string]any{"id": id, "input": hookInput(body)}, "updateWebhook", "webhook"), "")
}

func (a graphAPI) deleteHook(id string) answer {
	got := a.run(`mutation($id: ID!) { deleteWebhook(id: $id) { deletedId } }`, map[string]any{"id": id}, "deleteWebhook")
	if got.Code == "" {
		got.Fields = map[string]any{"id": got.Fields["deleted_id"], "deleted": true}
	}
	return got
}

func (a graphAPI) testHook(id string) answer {
	return a.run(`mutation($id: ID!) { testWebhook(id: $id) { eventId delivered statusCode durationMs error } }`, map[string]any{"id": id}, "testWebhook")
}

func (a graphAPI) rotateHook(id string) answer {
	return plain(a.run(`mutation($id: ID!) { rotateWebhookSecret(id: $id) { webhook { id } secret previousValidUntil } }`,
		map[string]any{"id": id}, "rotateWebhookSecret"), "webhook")
}

func (a graphAPI) replay(id string, body map[string]any) answer {
	got := a.run(`mutation($id: ID!, $since: DateTime!, $undelivered: Boolean) { replayWebhook(id: $id, since: $since, undelivered: $undelivered) { webhook { id } events } }`,
		map[string]any{"id": id, "since": body["since"], "undelivered": body["undelivered"]}, "replayWebhook")
	return plain(got, "webhook")
}

func (a graphAPI) deliveries(id string, query map[string]any) answer {
	variables := map[string]any{"id": id}
	if query["status"] != nil {
		variables["status"] = strings.ToUpper(query["status"].(string))
	}
	return a.pageOf(`query($id: ID!, $first: Int, $after: String, $status: DeliveryStatus) { webhook(id: $id) { deliveries(first: $first, after: $after, status: $status) { `+pageFields+` } } }`,
		query, variables, "webhook", "deliveries")
}

func (a graphAPI) delivery(_, deliveryID string) answer {
	return plain(a.run(`query($id: ID!) { delivery(id: $id) { `+deliveryFields+` } }`, map[string]any{"id": deliveryID}, "delivery"), "")
}

func (a graphAPI) redeliver(_, deliveryID string) answer {
	return plain(a.run(`mutation($id: ID!) { redeliver(id: $id) { delivery { `+deliveryFields+` } } }`, map[string]any{"id": deliveryID}, "redeliver", "delivery"), "")
}

func (a graphAPI) events(query map[string]any) answer {
	filter := map[string]any{}
	if text, ok := query["type"].(string); ok {
		types := []any{}
		for _, t := range strings.Split(text, ",") {
			types = append(types, eventEnum(t))
		}
		filter["types"] = types
	}
	if query["mission_id"] != nil {
		filter["missionId"] = query["mission_id"]
	}
	return a.pageOf(`query($first: Int, $after: String, $filter: EventFilter) { events(first: $first, after: $after, filter: $filter) { `+pageFields+` } }`,
		query, map[string]any{"filter": filter}, "events")
}

func (a graphAPI) event(id string) answer {
	return plain(a.run(`query($id: ID!) { event(id: $id) { id type createdAt data } }`, map[string]any{"id": id}, "event"), "")
}

func (a graphAPI) notifications(query map[string]any) answer {
	return a.pageOf(`query($first: Int, $after: String, $unread: Boolean) { notifications(first: $first, after: $after, unread: $unread) { `+pageFields+` } }`,
		query, map[string]any{"unread": query["unread"]}, "notifications")
}

func (a graphAPI) markRead(ids ...string) answer {
	data, failed := a.call(`mutation($ids: [ID!]!) { markNotificationsRead(ids: $ids) { notifications { id kind message subjectId createdAt readAt } } }`, map[string]any{"ids": ids})
	if failed.Code != "" {
		return failed
	}
	list := data["markNotificationsRead"].(map[string]any)["notifications"].([]any)
	return plain(answer{Fields: asREST(list[0]).(map[string]any)}, "")
}
