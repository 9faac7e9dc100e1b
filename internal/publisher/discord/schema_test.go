package discord

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"missiond/internal/publisher/discord/discordtest"
)

// description is Discord's own description of its API (OpenAPI 3.1, github.com/discord/discord-api-spec,
// specs/openapi.json), whose schemas are those of JSON Schema 2020-12.
type description struct {
	doc      map[string]any
	compiler *jsonschema.Compiler
	mu       sync.Mutex
	schemas  map[string]*jsonschema.Schema
}

// theDescription reads it from where MISSIOND_DISCORD_OPENAPI says; nil without.
var theDescription = sync.OnceValue(func() *description {
	path := os.Getenv("MISSIOND_DISCORD_OPENAPI")
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		panic("bug: MISSIOND_DISCORD_OPENAPI: " + err.Error())
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic("bug: MISSIOND_DISCORD_OPENAPI: " + err.Error())
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("discord.json", doc); err != nil {
		panic("bug: MISSIOND_DISCORD_OPENAPI: " + err.Error())
	}
	return &description{doc: doc.(map[string]any), compiler: c, schemas: map[string]*jsonschema.Schema{}}
})

// described has each request that a stub gets, and what it responds, checked against Discord's own
// description, where there is a copy.
func described(t *testing.T, s *discordtest.Stub) {
	t.Helper()
	d := theDescription()
	if d == nil {
		return
	}
	s.Seen = func(r *http.Request, body []byte, status int, response []byte) {
		if status == http.StatusBadRequest {
			body = nil // one that is too long, as the suite means it to be
		}
		for _, problem := range d.problems(r, body, status, response) {
			t.Errorf("%s %s: %s", r.Method, r.URL.Path, problem)
		}
	}
}

// The description must refuse what is wrong, or it proves nothing.
func TestDescription(t *testing.T) {
	d := theDescription()
	if d == nil {
		t.Skip("MISSIOND_DISCORD_OPENAPI doesn't name a copy of Discord's openapi.json: requests are checked by the stub alone")
	}
	const messages = discordtest.Prefix + "/channels/1/messages"
	for name, wrong := range map[string]struct{ method, url, body string }{
		"a good one":           {http.MethodPost, messages, `{"content":"a","allowed_mentions":{"parse":[]},"nonce":"b","enforce_nonce":true,"attachments":[{"id":"0","filename":"a.png"}]}`},
		"no such path":         {http.MethodPost, discordtest.Prefix + "/channels/1/posts", `{"content":"a"}`},
		"no such method":       {http.MethodPut, messages, `{"content":"a"}`},
		"no such parameter":    {http.MethodGet, messages + "?since=1", ""},
		"a wrong parameter":    {http.MethodGet, messages + "?limit=101", ""},
		"no id":                {http.MethodGet, discordtest.Prefix + "/channels/news/messages", ""},
		"no such field":        {http.MethodPost, messages, `{"content":"a","text":"b"}`},
		"no such field below":  {http.MethodPost, messages, `{"content":"a","allowed_mentions":{"parse":[],"all":true}}`},
		"a long nonce":         {http.MethodPost, messages, `{"content":"a","nonce":"` + strings.Repeat("a", 26) + `"}`},
		"a wrong type":         {http.MethodPost, messages, `{"content":1}`},
		"a long alt text":      {http.MethodPost, messages, `{"attachments":[{"id":"0","description":"` + strings.Repeat("a", 1025) + `"}]}`},
		"a webhook's nonce":    {http.MethodPost, discordtest.Prefix + "/webhooks/1/a?wait=true", `{"content":"a","nonce":"b"}`},
		"a webhook's long one": {http.MethodPost, discordtest.Prefix + "/webhooks/1/a?wait=true", `{"content":"` + strings.Repeat("a", 2001) + `"}`},
	} {
		r, err := http.NewRequestWithContext(t.Context(), wrong.method, wrong.url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		problems := d.problems(r, []byte(wrong.body), http.StatusBadRequest, []byte(`{"code":0,"message":"No"}`))
		if (len(problems) == 0) != (name == "a good one") {
			t.Errorf("%s: got %q", name, problems)
		}
	}
}

// problems returns how a request and its response aren't as described.
func (d *description) problems(r *http.Request, body []byte, status int, response []byte) (all []string) {
	op, params, where := d.operation(r)
	if op == nil {
		return []string{"there is no such call"}
	}
	for name, values := range r.URL.Query() {
		at, ok := params["query "+name]
		if !ok {
			all = append(all, "there is no parameter "+name)
			continue
		}
		all = append(all, d.check(at+"/schema", scalar(values[0]))...)
	}
	if len(body) > 0 {
		all = append(all, d.checkBody(where, body)...)
	}
	if status == http.StatusTooManyRequests || status >= http.StatusInternalServerError || len(response) == 0 {
		return all
	}
	if status/100 == 4 { // the tree of a form's errors has codes that are texts, by the reference; here they are numbers
		return append(all, d.checkJSON("/components/schemas/Error", response)...)
	}
	if strings.Contains(r.URL.Path, "/guilds/") {
		return all // the stub leaves out most of a server
	}
	return append(all, d.checkJSON(where+"/responses/200/content/application~1json/schema", response)...)
}

// operation returns the description of a call, where its parameters are, and where it is itself.
func (d *description) operation(r *http.Request) (op map[string]any, params map[string]string, where string) {
	path, ok := strings.CutPrefix(r.URL.Path, discordtest.Prefix)
	if !ok {
		return nil, nil, ""
	}
	braces := regexp.MustCompile(`\\\{[a-z_]+\\\}`)
	for template, of := range d.doc["paths"].(map[string]any) {
		named := regexp.MustCompile(`^` + braces.ReplaceAllString(regexp.QuoteMeta(template), `([^/]+)`) + `$`).FindStringSubmatch(path)
		op, ok := of.(map[string]any)[strings.ToLower(r.Method)].(map[string]any)
		if named == nil || !ok || strings.Contains(template, "@me") != strings.Contains(path, "@me") {
			continue
		}
		at := "/paths/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(template)
		params, where = map[string]string{}, at+"/"+strings.ToLower(r.Method)
		for base, list := range map[string]any{at: of.(map[string]any)["parameters"], where: op["parameters"]} {
			each, _ := list.([]any)
			for i, p := range each {
				p := p.(map[string]any)
				params[p["in"].(string)+" "+p["name"].(string)] = base + "/parameters/" + string(rune('0'+i))
			}
		}
		n := 1
		for _, segment := range strings.Split(template, "/") {
			if !strings.HasPrefix(segment, "{") {
				continue
			}
			if problems := d.check(params["path "+strings.Trim(segment, "{}")]+"/schema", named[n]); len(problems) > 0 {
				return nil, nil, ""
			}
			n++
		}
		return op, params, where
	}
	return nil, nil, ""
}

// scalar returns a parameter's value as JSON has it.
func scalar(text string) any {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if _, number := v.(json.Number); err == nil && (len(text) < 10 || !number) { // else it is an id
		return v
	}
	return text
}

// bodies are the schemas of what is posted, whose fields are all that there are.
var bodies = map[bool]string{true: "IncomingWebhookRequestPartial", false: "MessageCreateRequest"}

// checkBody checks what is posted, which may have no other fields than those described: the schemas
// themselves allow others.
func (d *description) checkBody(where string, body []byte) []string {
	schema := "/components/schemas/" + bodies[strings.Contains(where, "webhook")]
	all := d.checkJSON(schema, body)
	var posted map[string]any
	if json.Unmarshal(body, &posted) != nil {
		return append(all, "it is no object")
	}
	schemas := d.doc["components"].(map[string]any)["schemas"].(map[string]any)
	known := func(of string, fields map[string]any) {
		properties := schemas[of].(map[string]any)["properties"].(map[string]any)
		for name := range fields {
			if _, ok := properties[name]; !ok {
				all = append(all, "there is no field "+name+" of "+of)
			}
		}
	}
	known(bodies[strings.Contains(where, "webhook")], posted)
	if m, ok := posted["allowed_mentions"].(map[string]any); ok {
		known("MessageAllowedMentionsRequest", m)
	}
	attachments, _ := posted["attachments"].([]any)
	for _, each := range attachments {
		if a, ok := each.(map[string]any); ok {
			known("MessageAttachmentRequest", a)
		}
	}
	return all
}

func (d *description) checkJSON(at string, text []byte) []string {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return []string{err.Error()}
	}
	return d.check(at, v)
}

// check returns how a value isn't as the schema at a pointer says.
func (d *description) check(at string, v any) []string {
	d.mu.Lock()
	s, ok := d.schemas[at]
	if !ok {
		var err error
		if s, err = d.compiler.Compile("discord.json#" + at); err != nil {
			d.mu.Unlock()
			return []string{err.Error()}
		}
		d.schemas[at] = s
	}
	d.mu.Unlock()
	if err := s.Validate(v); err != nil {
		return slices.Compact(strings.Split(err.Error(), "\n"))
	}
	return nil
}
