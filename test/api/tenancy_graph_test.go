package api

import (
	"fmt"
	"slices"
	"strings"

	"missiond/store"
)

var pageOne = store.Page{Limit: 20}

// typeRef is a type in introspection's form.
type typeRef struct {
	Kind, Name string
	OfType     *typeRef
}

// named returns the type below lists and non-nulls.
func (t typeRef) named() typeRef {
	for t.OfType != nil {
		t = *t.OfType
	}
	return t
}

func (t typeRef) isList() bool {
	for ; t.Kind != "LIST"; t = *t.OfType {
		if t.OfType == nil {
			return false
		}
	}
	return true
}

type inputField struct {
	Name, Description string
	Type              typeRef
}

type outputField struct {
	Name string
	Type typeRef
	Args []inputField
}

type schemaType struct {
	Kind, Name  string
	Fields      []outputField
	InputFields []inputField
	EnumValues  []struct{ Name string }
	Interfaces  []typeRef
}

const introspection = `{ __schema { types { kind name
	fields { name type { ...t } args { name description type { ...t } } }
	inputFields { name description type { ...t } } enumValues { name } interfaces { ...t } } } }
	fragment t on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`

func (s *harness) schema() map[string]schemaType {
	s.t.Helper()
	s.key = s.keys["ours"]
	_, response := s.send("POST", "/graphql", map[string]any{"query": introspection})
	types := map[string]schemaType{}
	for _, each := range response["data"].(map[string]any)["__schema"].(map[string]any)["types"].([]any) {
		t := readType(each.(map[string]any))
		types[t.Name] = t
	}
	return types
}

func readType(o map[string]any) schemaType {
	t := schemaType{Kind: o["kind"].(string), Name: o["name"].(string)}
	list := func(name string) []map[string]any {
		items, _ := o[name].([]any)
		objects := make([]map[string]any, len(items))
		for i := range items {
			objects[i] = items[i].(map[string]any)
		}
		return objects
	}
	for _, f := range list("fields") {
		field := outputField{Name: f["name"].(string), Type: readRef(f["type"])}
		for _, a := range f["args"].([]any) {
			arg := a.(map[string]any)
			field.Args = append(field.Args, readInput(arg))
		}
		t.Fields = append(t.Fields, field)
	}
	for _, f := range list("inputFields") {
		t.InputFields = append(t.InputFields, readInput(f))
	}
	for _, v := range list("enumValues") {
		t.EnumValues = append(t.EnumValues, struct{ Name string }{v["name"].(string)})
	}
	for _, i := range list("interfaces") {
		t.Interfaces = append(t.Interfaces, readRef(i))
	}
	return t
}

func readInput(o map[string]any) inputField {
	description, _ := o["description"].(string)
	return inputField{o["name"].(string), description, readRef(o["type"])}
}

func readRef(v any) typeRef {
	o, ok := v.(map[string]any)
	if !ok {
		return typeRef{}
	}
	t := typeRef{Kind: o["kind"].(string)}
	t.Name, _ = o["name"].(string)
	if o["ofType"] != nil {
		below := readRef(o["ofType"])
		t.OfType = &below
	}
	return t
}

// graphProbes returns the fields of the schema that take ids: those of the roots
// and of every record that node returns.
func (s *harness) graphProbes() []probe {
	s.t.Helper()
	types := s.schema()
	var probes []probe
	for _, root := range []string{"query", "mutation"} {
		for _, f := range types[strings.ToUpper(root[:1])+root[1:]].Fields {
			for _, at := range idArguments(types, f) {
				if strings.HasSuffix(f.Name, "PostDraft") || f.Name == "allowAgent" {
					continue // they need a session: TestPostDrafts and internal/oauth's TestAttacks try them
				}
				if at == "input.mission.integrationIds" || at == "input.mission.mediaIds" || at == "input.mission.reviewers" || strings.HasSuffix(at, "media.mediaId") {
					continue // onboarding needs a session, its scenario tests it; the tests of service/media try files
				}
				probes = append(probes, probe{root + " " + f.Name + " " + at, func(s *harness, e estate, id string) (bool, string) {
					document, ok := idDocuments[f.Name+" "+at]
					if !ok {
						document = root + " { " + s.document(types, f, at, id) + " }"
					}
					document = strings.NewReplacer("<id>", id, "<mission>", e.onLinkedIn).Replace(document)
					return s.sendAs(e, "POST", "/graphql", map[string]any{"query": document}, id)
				}})
			}
		}
	}
	for _, t := range types {
		if !slices.ContainsFunc(t.Interfaces, func(i typeRef) bool { return i.Name == "Node" }) {
			continue
		}
		for _, f := range t.Fields {
			for _, at := range idArguments(types, f) {
				probes = append(probes, probe{t.Name + " " + f.Name + " " + at, func(s *harness, e estate, id string) (bool, string) {
					return s.queryBelow(types, t, f, at, e, id)
				}})
			}
		}
	}
	return probes
}

// queryBelow queries a field of the tenant's own records of a type with an id as an
// argument, and reports whether none of them accepts it.
func (s *harness) queryBelow(types map[string]schemaType, t schemaType, f outputField, at string, e estate, id string) (failed bool, response string) {
	for _, own := range e.ids {
		document := fmt.Sprintf(`{ node(id: %q) { __typename ... on %s { %s } } }`, own, t.Name, s.document(types, f, at, id))
		failed, response = s.sendAs(e, "POST", "/graphql", map[string]any{"query": document}, id)
		if strings.Contains(response, `"__typename":"`+t.Name+`"`) {
			return failed, response
		}
	}
	s.t.Errorf("no estate has a %s", t.Name)
	return true, response
}

// idArguments returns the arguments of a field that take ids, or the paths of
// fields of its input objects: "id", "input.filter.missionId", "after".
func idArguments(types map[string]schemaType, f outputField) []string {
	var found []string
	var look func(at string, fields []inputField, depth int)
	look = func(at string, fields []inputField, depth int) {
		for _, in := range fields {
			named := in.Type.named()
			switch {
			case named.Name == "ID", named.Name == "String" && (in.Name == "after" || in.Name == "before"):
				found = append(found, at+in.Name)
			case named.Kind == "INPUT_OBJECT" && depth < 4:
				look(at+in.Name+".", types[named.Name].InputFields, depth+1)
			}
		}
	}
	look("", f.Args, 0)
	return found
}

// document writes a field with an id in one of its arguments, and its other
// required arguments.
func (s *harness) document(types map[string]schemaType, f outputField, at, id string) string {
	var args []string
	for _, a := range f.Args {
		if value := s.value(types, a, "", at, id); value != "" {
			args = append(args, a.Name+": "+value)
		}
	}
	text := f.Name + "(" + strings.Join(args, ", ") + ")"
	switch t := f.Type.named(); {
	case strings.HasSuffix(t.Name, "Connection"):
		text += " { edges { cursor } }"
	case t.Kind == "OBJECT" || t.Kind == "INTERFACE" || t.Kind == "UNION":
		text += " { __typename }"
	}
	return text
}

// idDocuments are the documents of fields that take an id and need more than sound values.
var idDocuments = map[string]string{
	"createMission input.integrationIds":       `mutation { createMission(input: {name: "x", objectives: ["x"], platforms: [LINKEDIN], durationDays: 1, integrationIds: ["<id>"]}) { __typename } }`,
	"estimateMission input.integrationIds":     `query { estimateMission(input: {name: "x", objectives: ["x"], platforms: [LINKEDIN], durationDays: 1, startImmediately: true, integrationIds: ["<id>"]}) { firstSlots { at accountHandle } estimatedCostCents problems { path message } } }`,
	"createMission input.reviewers":            `mutation { createMission(input: {name: "x", objectives: ["x"], platforms: [LINKEDIN], durationDays: 1, reviewers: ["<id>"]}) { __typename } }`,
	"estimateMission input.reviewers":          `query { estimateMission(input: {name: "x", objectives: ["x"], platforms: [LINKEDIN], durationDays: 1, startImmediately: true, reviewers: ["<id>"]}) { problems { path message } } }`,
	"updateMission input.reviewers":            `mutation { updateMission(id: "<mission>", input: {reviewers: ["<id>"]}) { __typename } }`,
	"createMission input.mediaIds":             `mutation { createMission(input: {name: "x", objectives: ["x"], platforms: [LINKEDIN], durationDays: 1, mediaIds: ["<id>"]}) { __typename } }`,
	"estimateMission input.mediaIds":           `query { estimateMission(input: {name: "x", objectives: ["x"], platforms: [LINKEDIN], durationDays: 1, startImmediately: true, mediaIds: ["<id>"]}) { problems { path message } } }`,
	"updateMission input.mediaIds":             `mutation { updateMission(id: "<mission>", input: {mediaIds: ["<id>"]}) { __typename } }`,
	"updateMission input.integrationIds":       `mutation { updateMission(id: "<mission>", input: {integrationIds: ["<id>"]}) { __typename } }`,
	"createContents input.missionId":           `mutation { createContents(input: {missionId: "<id>", items: [{platform: TWITTER, text: "x"}]}) { __typename } }`,
	"createContents input.items.integrationId": `mutation { createContents(input: {missionId: "<mission>", items: [{platform: LINKEDIN, text: "x", integrationId: "<id>"}]}) { results { content { __typename } } } }`,
	"createContent input.missionId":            `mutation { createContent(input: {missionId: "<id>", platform: TWITTER, text: "x"}) { __typename } }`,
	"createContent input.integrationId":        `mutation { createContent(input: {missionId: "<mission>", platform: LINKEDIN, text: "x", integrationId: "<id>"}) { __typename } }`,
	"importContents input.missionId":           `mutation { importContents(input: {missionId: "<id>", format: CSV, data: "platform,text\nlinkedin,x"}) { __typename } }`,
	"rescheduleContent id":                     `mutation { rescheduleContent(id: "<id>", scheduledAt: "2026-11-22T08:00:00Z") { __typename } }`,
	"validateContent input.integrationId":      `query { validateContent(input: {platform: LINKEDIN, text: "x", integrationId: "<id>"}) { __typename } }`,
	"approveContents items.id":                 `mutation { approveContents(items: [{id: "<id>", revision: 1}]) { results { content { __typename } } } }`,
	"rescheduleContents items.id":              `mutation { rescheduleContents(items: [{id: "<id>", scheduledAt: "2026-11-22T08:00:00Z"}]) { results { content { __typename } } } }`,
	"cancelContents ids":                       `mutation { cancelContents(ids: ["<id>"]) { results { content { __typename } } } }`,
	"rejectContents items.id":                  `mutation { rejectContents(items: [{id: "<id>", revision: 1}]) { results { content { __typename } } } }`,
}

// inputs are valid values of input objects that take no id.
var inputs = map[string]string{"CommentContentInput": `{text: "x"}`, "AnswerReplyInput": `{text: "x"}`, "CreateReviewLinkInput": `{name: "x", expiresInHours: 1}`, "EditContentInput": `{text: "x"}`, "UpdateMediaInput": `{altText: "x"}`, "SettleContentInput": `{publishAgain: true}`, "UpdateMissionInput": `{name: "x"}`, "UpdateWebhookInput": `{enabled: true}`, "UpdateIntegrationInput": `{label: "x"}`,
	"RescheduledInput": `{id: "cnt_01jd0000000000000000000000", scheduledAt: "2026-11-22T08:00:00Z"}`, "ReviewedInput": `{id: "cnt_01jd0000000000000000000000", revision: 1}`}

// value writes an argument: the id at its path, a valid value where one is
// required, "" otherwise.
func (s *harness) value(types map[string]schemaType, in inputField, below, at, id string) string {
	path := below + in.Name
	named := in.Type.named()
	var value string
	switch {
	case path == at && named.Kind != "ENUM":
		value = fmt.Sprintf("%q", id)
	case named.Kind == "INPUT_OBJECT" && strings.HasPrefix(at, path+"."):
		var fields []string
		for _, f := range types[named.Name].InputFields {
			if v := s.value(types, f, path+".", at, id); v != "" {
				fields = append(fields, f.Name+": "+v)
			}
		}
		value = "{" + strings.Join(fields, ", ") + "}"
	case in.Type.Kind != "NON_NULL":
		return ""
	case inputs[named.Name] != "":
		value = inputs[named.Name]
	case named.Kind == "ENUM":
		value = types[named.Name].EnumValues[0].Name
	case named.Name == "String":
		value = `"text"`
	case named.Name == "Int", named.Name == "Float":
		value = "1"
	case named.Name == "DateTime":
		value = `"2026-11-20T00:00:00Z"`
	case named.Name == "Date":
		value = `"2026-11-21"`
	default:
		s.t.Errorf("the argument %s requires a %s: add it to value", path, named.Name)
		return ""
	}
	if in.Type.isList() {
		value = "[" + value + "]"
	}
	return value
}
