package api

// lifeAPI is the part of both APIs that concerns a mission's lifecycle and its
// posts.
type lifeAPI interface {
	api
	start(id string) result
	complete(id string) result
	retry(id string) result
	remove(id string) result
	update(id string, body map[string]any) result
	contents(query map[string]any) result
	content(id string) result
	approve(id string, body map[string]any) result
	reject(id string, body map[string]any) result
	reopen(id string) result
	settle(id string, body map[string]any) result
	edit(id string, body map[string]any) result
	regenerate(id string, body map[string]any) result
}

func (a restAPI) start(id string) result    { return a.call("POST", "/missions/"+id+"/start", nil) }
func (a restAPI) complete(id string) result { return a.call("POST", "/missions/"+id+"/complete", nil) }
func (a restAPI) retry(id string) result    { return a.call("POST", "/missions/"+id+"/retry", nil) }
func (a restAPI) remove(id string) result   { return a.call("DELETE", "/missions/"+id, nil) }
func (a restAPI) content(id string) result  { return a.call("GET", "/content/"+id, nil) }

func (a restAPI) update(id string, body map[string]any) result {
	return a.call("PUT", "/missions/"+id, body)
}

func (a restAPI) contents(query map[string]any) result { return a.page("/content", query) }

func (a restAPI) approve(id string, body map[string]any) result {
	return a.call("POST", "/content/"+id+"/approve", body)
}

func (a restAPI) reject(id string, body map[string]any) result {
	return a.call("POST", "/content/"+id+"/reject", body)
}

func (a restAPI) reopen(id string) result { return a.call("POST", "/content/"+id+"/reopen", nil) }

func (a restAPI) settle(id string, body map[string]any) result {
	return a.call("POST", "/content/"+id+"/settle", body)
}

func (a restAPI) edit(id string, body map[string]any) result {
	return a.call("PUT", "/content/"+id, body)
}

func (a restAPI) regenerate(id string, body map[string]any) result {
	return a.call("POST", "/content/"+id+"/regenerate", body)
}

// mission runs a mutation of a mission.
func (a graphAPI) mission(name, id string) result {
	return a.run(`mutation($id: ID!) { `+name+`(id: $id) { mission { `+missionFields+` } } }`, map[string]any{"id": id}, name, "mission")
}

func (a graphAPI) start(id string) result    { return a.mission("startMission", id) }
func (a graphAPI) complete(id string) result { return a.mission("completeMission", id) }
func (a graphAPI) retry(id string) result    { return a.mission("retryMission", id) }

func (a graphAPI) remove(id string) result {
	got := a.run(`mutation($id: ID!) { deleteMission(id: $id) { deletedId } }`, map[string]any{"id": id}, "deleteMission")
	if got.Code == "" {
		got.Fields = map[string]any{"id": got.Fields["deleted_id"], "deleted": true}
	}
	return got
}

func (a graphAPI) update(id string, body map[string]any) result {
	return a.run(`mutation($id: ID!, $input: UpdateMissionInput!) { updateMission(id: $id, input: $input) { mission { `+missionFields+` } } }`,
		map[string]any{"id": id, "input": asGraphQL(body)}, "updateMission", "mission")
}

// largeFields may have too much for each post of a calendar.
const largeFields = ` text parts firstComment { text status platformUrl error { code message } } media { mediaId part altText hash } disclosure { line madeWithAi paidPartnership } links { url sentUrl clicks }
	facts { text source } verdict { passed excludedTopic topicsChecked checks { rule passed message part } } error { code message } metrics { likes }`

const contentFields = `expiresAt id missionId origin jobId platform integrationId accountHandle type status unreviewed` + largeFields + ` angle revision scheduledAt publishedAt platformPostId platformUrl
	rejectionReason costCents createdAt updatedAt`

func (a graphAPI) content(id string) result {
	return lowered(a.run(`query($id: ID!) { content(id: $id) { `+contentFields+` } }`, map[string]any{"id": id}, "content"))
}

// lowered converts the enums that only posts have to REST's form.
func lowered(a result) result {
	for _, name := range []string{"type", "angle", "origin"} {
		if a.Code == "" {
			a.Fields[name] = lower(a.Fields[name])
		}
	}
	if comment, ok := a.Fields["first_comment"].(map[string]any); ok {
		comment["status"] = lower(comment["status"])
	}
	return a
}

func (a graphAPI) contents(query map[string]any) result {
	filter := map[string]any{}
	for name, value := range query {
		if _, paging := listNames[name]; !paging {
			filter[name] = value
		}
	}
	document := `query($first: Int, $after: String, $filter: ContentFilter) { contents(first: $first, after: $after, filter: $filter) { ` + pageFields + ` } }`
	return a.pageOf(document, query, map[string]any{"filter": asGraphQL(filter)}, "contents")
}

// post runs a mutation of a post.
func (a graphAPI) post(name, arguments, passed, id string, variables map[string]any) result {
	variables["id"] = id
	return lowered(a.run(`mutation($id: ID!`+arguments+`) { `+name+`(id: $id`+passed+`) { content { `+contentFields+` } } }`, variables, name, "content"))
}

func (a graphAPI) approve(id string, body map[string]any) result {
	return a.post("approveContent", ", $revision: Int", ", revision: $revision", id, map[string]any{"revision": body["revision"]})
}

func (a graphAPI) reject(id string, body map[string]any) result {
	return a.post("rejectContent", ", $reason: String, $revision: Int", ", reason: $reason, revision: $revision", id,
		map[string]any{"reason": body["reason"], "revision": body["revision"]})
}

func (a graphAPI) reopen(id string) result {
	return a.post("reopenContent", "", "", id, map[string]any{})
}

func (a graphAPI) settle(id string, body map[string]any) result {
	return a.post("settleContent", ", $input: SettleContentInput!", ", input: $input", id, map[string]any{"input": asGraphQL(body)})
}

func (a graphAPI) edit(id string, body map[string]any) result {
	return a.post("editContent", ", $input: EditContentInput!", ", input: $input", id, map[string]any{"input": asGraphQL(body)})
}

func (a graphAPI) regenerate(id string, body map[string]any) result {
	return a.post("regenerateContent", ", $instructions: String, $revision: Int", ", instructions: $instructions, revision: $revision", id,
		map[string]any{"instructions": body["instructions"], "revision": body["revision"]})
}
