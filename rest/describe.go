package rest

import (
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"missiond/internal/httpserver"
	"missiond/mission"
)

// clientErrors are the responses of all refused requests; rawBody is the media type that
// huma adds to bodies that it hands on as they are.
const (
	clientErrors = "4XX"
	rawBody      = "application/octet-stream"
)

// describedTags are the groups of operations, in the order of the interface.
var describedTags = []*huma.Tag{
	{Name: string(tagSession), Description: "Logging in and out, and who the caller is"},
	{Name: string(tagKeys), Description: "Keys for programs"},
	{Name: string(tagAgents), Description: "Programs that act for people"},
	{Name: string(tagMissions), Description: "What is to be posted about, where and how often"},
	{Name: string(tagContent), Description: "The posts, and their review"},
	{Name: string(tagMedia), Description: "Pictures and videos"},
	{Name: string(tagAnalytics), Description: "How posts performed"},
	{Name: string(tagIntegrations), Description: "The accounts on platforms"},
	{Name: string(tagPlatforms), Description: "What each platform allows"},
	{Name: string(tagWebhooks), Description: "Endpoints that events are sent to, and the deliveries"},
	{Name: string(tagEvents), Description: "The log of what happened"},
	{Name: string(tagNotifications), Description: "What people have to know"},
	{Name: string(tagTenant), Description: "Settings, members and the audit log"},
}

// schemaPrefix begins huma's references to schemas.
const schemaPrefix = "#/components/schemas/"

// describeAll adds to the description what tags don't say of fields, and what every
// operation has: the headers of its responses, and the header that makes a POST safe
// to retry.
func (a *API) describeAll() {
	schemas := a.huma.OpenAPI().Components.Schemas
	for name, schema := range schemas.Map() {
		describeFields(schema, schemas.TypeFromRef(schemaPrefix+name))
	}
	for _, kpi := range []string{"KPI", "KPIInput", "KPIProgress"} {
		platform := schemas.Map()[kpi].Properties["platform"]
		platform.Enum = append(slices.Clone(platform.Enum), string(mission.EveryPlatform))
	}
	for _, path := range a.huma.OpenAPI().Paths {
		for method, op := range map[string]*huma.Operation{
			http.MethodGet: path.Get, http.MethodPost: path.Post, http.MethodPut: path.Put, http.MethodDelete: path.Delete,
		} {
			if op != nil {
				describeOperation(method, op, path.Get != nil && takesIfMatch(method))
			}
		}
	}
}

func describeOperation(method string, op *huma.Operation, conditional bool) {
	if conditional {
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: httpserver.IfMatchHeader, In: "header",
			Description: "ETags of what GET returned for this path, without parameters: the change is made only if " +
				"the record is still one of these; otherwise the error is precondition_failed. * is any.",
			Schema: &huma.Schema{Type: huma.TypeString, Examples: []any{"*"}}, // pages fill it in
		})
		op.Responses["412"] = &huma.Response{
			Description: "The record isn't one of those of If-Match any more, and was not changed",
			Content:     op.Responses[clientErrors].Content,
		}
	}
	for status, r := range op.Responses {
		describeHeaders(r, method, status)
	}
	for _, p := range op.Parameters {
		p.Example, p.Schema.Examples = p.Schema.Examples[0], nil
	}
	if method == http.MethodPost {
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: httpserver.IdempotencyHeader, In: "header",
			// No example: pages that fill it in would send every request with the same key.
			Description: "A UUID or another unique text. Identifies the request: if it is sent again with the same key " +
				"within 24 hours, it is not executed again, and the first response is repeated.",
			Schema: &huma.Schema{Type: huma.TypeString},
		})
	}
}

func describeHeaders(r *huma.Response, method, status string) {
	if r.Headers == nil {
		r.Headers = map[string]*huma.Param{}
	}
	add := func(name, kind, about string) {
		r.Headers[name] = &huma.Param{Description: about, Schema: &huma.Schema{Type: kind}}
	}
	add(
		httpserver.RequestIDHeader, huma.TypeString,
		"The request's id: the caller's own if it sent one of 8 to 64 letters, digits, dots, hyphens and underscores",
	)
	add("X-RateLimit-Limit", huma.TypeInteger, "How many requests the plan allows per minute")
	add("X-RateLimit-Remaining", huma.TypeInteger, "How many requests are left; 0 while the burst is used up")
	add("X-RateLimit-Reset", huma.TypeInteger, "When the whole limit is available again, in Unix time")
	switch {
	case status == "default", status == clientErrors, status == "412":
		add("Retry-After", huma.TypeInteger, "Seconds to wait, on rate limiting and when the service is unavailable")
		add("WWW-Authenticate", huma.TypeString, "The kind of credential required, on 401")
	case method == http.MethodPost:
		add(httpserver.ReplayedHeader, huma.TypeString, "true if the response repeats an earlier one to the same Idempotency-Key")
	}
}
