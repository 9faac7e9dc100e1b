package rest

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"missiond/internal/httpserver"
)

// describeAll adds to the description what every operation has: the headers of its
// responses, and the header that makes a POST safe to retry.
func (a *API) describeAll() {
	for name, schema := range a.huma.OpenAPI().Components.Schemas.Map() {
		exemplify(name, schema)
	}
	for _, path := range a.huma.OpenAPI().Paths {
		for method, op := range map[string]*huma.Operation{
			http.MethodGet: path.Get, http.MethodPost: path.Post, http.MethodPut: path.Put, http.MethodDelete: path.Delete,
		} {
			if op != nil {
				describeOperation(method, op)
			}
		}
	}
}

func describeOperation(method string, op *huma.Operation) {
	for status, r := range op.Responses {
		describeHeaders(r, method, status)
	}
	if op.RequestBody != nil {
		for _, body := range op.RequestBody.Content {
			exemplify(op.OperationID, body.Schema)
		}
	}
	for _, p := range op.Parameters {
		if p.Example == nil {
			p.Example = fieldOf(op.OperationID, p.Name).example
		}
	}
	if method == http.MethodPost {
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: httpserver.IdempotencyHeader, In: "header", Example: "8e03978e-40d5-43e8-bc93-6894a57f9324",
			Description: "Identifies the request: if it is sent again with the same key within 24 hours, it is not executed again, and the first response is repeated.",
			Schema:      &huma.Schema{Type: huma.TypeString},
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
	add(httpserver.RequestIDHeader, huma.TypeString, "The request's id: the caller's own if it sent one of 8 to 64 letters, digits, dots, hyphens and underscores")
	add("X-RateLimit-Limit", huma.TypeInteger, "How many requests the plan allows per minute")
	add("X-RateLimit-Remaining", huma.TypeInteger, "How many requests are left; 0 while the burst is used up")
	add("X-RateLimit-Reset", huma.TypeInteger, "When the whole limit is available again, in Unix time")
	switch {
	case status == "default":
		add("Retry-After", huma.TypeInteger, "Seconds to wait, on rate limiting and when the service is unavailable")
		add("WWW-Authenticate", huma.TypeString, "The kind of credential required, on 401")
	case method == http.MethodPost:
		add(httpserver.ReplayedHeader, huma.TypeString, "true if the response repeats an earlier one to the same Idempotency-Key")
	}
}
