package api

import "strings"

// hookAPI is the part of both APIs that concerns endpoints, deliveries, events and
// notifications.
type hookAPI interface {
	api
	createHook(body map[string]any) result
	hooks(query map[string]any) result
	hook(id string) result
	updateHook(id string, body map[string]any) result
	deleteHook(id string) result
	testHook(id string) result
	rotateHook(id string) result
	replay(id string, body map[string]any) result
	deliveries(id string, query map[string]any) result
	delivery(id, deliveryID string) result
	redeliver(id, deliveryID string) result
	events(query map[string]any) result
	event(id string) result
	notifications(query map[string]any) result
	markRead(ids ...string) result
}

func (a restAPI) createHook(body map[string]any) result { return a.call("POST", "/webhooks", body) }
func (a restAPI) hooks(query map[string]any) result     { return a.page("/webhooks", query) }
func (a restAPI) hook(id string) result                 { return a.call("GET", "/webhooks/"+id, nil) }
func (a restAPI) deleteHook(id string) result           { return a.call("DELETE", "/webhooks/"+id, nil) }
func (a restAPI) testHook(id string) result             { return a.call("POST", "/webhooks/"+id+"/test", nil) }
func (a restAPI) events(query map[string]any) result    { return a.page("/events", query) }
func (a restAPI) event(id string) result                { return a.call("GET", "/events/"+id, nil) }

func (a restAPI) updateHook(id string, body map[string]any) result {
	return a.call("PUT", "/webhooks/"+id, body)
}

func (a restAPI) rotateHook(id string) result {
	return a.call("POST", "/webhooks/"+id+"/rotate_secret", nil)
}

func (a restAPI) replay(id string, body map[string]any) result {
	return a.call("POST", "/webhooks/"+id+"/replay", body)
}

func (a restAPI) deliveries(id string, query map[string]any) result {
	return a.page("/webhooks/"+id+"/deliveries", query)
}

func (a restAPI) delivery(id, deliveryID string) result {
	return a.call("GET", "/webhooks/"+id+"/deliveries/"+deliveryID, nil)
}

func (a restAPI) redeliver(id, deliveryID string) result {
	return a.call("POST", "/webhooks/"+id+"/deliveries/"+deliveryID+"/redeliver", nil)
}

func (a restAPI) notifications(query map[string]any) result { return a.page("/notifications", query) }

func (a restAPI) markRead(ids ...string) result {
	got := a.call("POST", "/notifications/read", map[string]any{"ids": ids})
	if got.Code != "" {
		return got
	}
	return result{Fields: got.Fields["data"].([]any)[0].(map[string]any)}
}

const (
	hookFields     = `id url events status enabled createdAt updatedAt`
	deliveryFields = `id webhookId eventId eventType status attemptCount nextAttemptAt createdAt completedAt attempts { at statusCode durationMs error response }`
)

// eventEnum converts an event type to GraphQL's form.
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

// eventName converts an event type to REST's form, with its group.
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

// plain converts the fields of webhooks to REST's form.
func plain(a result, record string) result {
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

func (a graphAPI) createHook(body map[string]any) result {
	return plain(a.run(`mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { `+hookFields+` } secret } }`,
		map[string]any{"input": hookInput(body)}, "createWebhook"), "webhook")
}

func (a graphAPI) hooks(query map[string]any) result {
	return a.pageOf(`query($first: Int, $after: String) { webhooks(first: $first, after: $after) { `+pageFields+` } }`, query, map[string]any{}, "webhooks")
}

func (a graphAPI) hook(id string) result {
	return plain(a.run(`query($id: ID!) { webhook(id: $id) { `+hookFields+` } }`, map[string]any{"id": id}, "webhook"), "")
}

func (a graphAPI) updateHook(id string, body map[string]any) result {
	return plain(a.run(`mutation($id: ID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) { webhook { `+hookFields+` } } }`,
		map[string]any{"id": id, "input": hookInput(body)}, "updateWebhook", "webhook"), "")
}

func (a graphAPI) deleteHook(id string) result {
	got := a.run(`mutation($id: ID!) { deleteWebhook(id: $id) { deletedId } }`, map[string]any{"id": id}, "deleteWebhook")
	if got.Code == "" {
		got.Fields = map[string]any{"id": got.Fields["deleted_id"], "deleted": true}
	}
	return got
}

func (a graphAPI) testHook(id string) result {
	return a.run(`mutation($id: ID!) { testWebhook(id: $id) { eventId delivered statusCode durationMs error } }`, map[string]any{"id": id}, "testWebhook")
}

func (a graphAPI) rotateHook(id string) result {
	return plain(a.run(`mutation($id: ID!) { rotateWebhookSecret(id: $id) { webhook { id } secret previousValidUntil } }`,
		map[string]any{"id": id}, "rotateWebhookSecret"), "webhook")
}

func (a graphAPI) replay(id string, body map[string]any) result {
	got := a.run(`mutation($id: ID!, $since: DateTime!, $undelivered: Boolean) { replayWebhook(id: $id, since: $since, undelivered: $undelivered) { webhook { id } events } }`,
		map[string]any{"id": id, "since": body["since"], "undelivered": body["undelivered"]}, "replayWebhook")
	return plain(got, "webhook")
}

func (a graphAPI) deliveries(id string, query map[string]any) result {
	variables := map[string]any{"id": id}
	if query["status"] != nil {
		variables["status"] = strings.ToUpper(query["status"].(string))
	}
	return a.pageOf(`query($id: ID!, $first: Int, $after: String, $status: DeliveryStatus) { webhook(id: $id) { deliveries(first: $first, after: $after, status: $status) { `+pageFields+` } } }`,
		query, variables, "webhook", "deliveries")
}

func (a graphAPI) delivery(_, deliveryID string) result {
	return plain(a.run(`query($id: ID!) { delivery(id: $id) { `+deliveryFields+` } }`, map[string]any{"id": deliveryID}, "delivery"), "")
}

func (a graphAPI) redeliver(_, deliveryID string) result {
	return plain(a.run(`mutation($id: ID!) { redeliver(id: $id) { delivery { `+deliveryFields+` } } }`, map[string]any{"id": deliveryID}, "redeliver", "delivery"), "")
}

func (a graphAPI) events(query map[string]any) result {
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

func (a graphAPI) event(id string) result {
	return plain(a.run(`query($id: ID!) { event(id: $id) { id type createdAt data } }`, map[string]any{"id": id}, "event"), "")
}

func (a graphAPI) notifications(query map[string]any) result {
	return a.pageOf(`query($first: Int, $after: String, $unread: Boolean) { notifications(first: $first, after: $after, unread: $unread) { `+pageFields+` } }`,
		query, map[string]any{"unread": query["unread"]}, "notifications")
}

func (a graphAPI) markRead(ids ...string) result {
	data, failed := a.call(`mutation($ids: [ID!]!) { markNotificationsRead(ids: $ids) { notifications { id kind message subjectId createdAt readAt } } }`, map[string]any{"ids": ids})
	if failed.Code != "" {
		return failed
	}
	list := data["markNotificationsRead"].(map[string]any)["notifications"].([]any)
	return plain(result{Fields: asREST(list[0]).(map[string]any)}, "")
}
