package endpoint

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"missiond/graph/stream"
	"missiond/mission"
)

// Types of a response's body (GraphQL over HTTP). With the second a request that fails
// before it is executed has a status of 4xx and no data; with the first it has null as
// its data, and 200 where the body itself was read.
const (
	typeJSON     = "application/json"
	typeResponse = "application/graphql-response+json"
)

// responseType returns the type of the response that a request accepts: JSON unless
// typeResponse is named before it.
func responseType(r *http.Request) string {
	for part := range strings.SplitSeq(r.Header.Get("Accept"), ",") {
		switch t, _, _ := mime.ParseMediaType(part); t {
		case typeResponse:
			return typeResponse
		case typeJSON, "application/*", "*/*":
			return typeJSON
		}
	}
	return typeJSON
}

// addressMembers are the members of a request that a GET has in its address.
var addressMembers = []string{"query", "operationName", "variables", "extensions"}

// addressed returns the members of a GET, which are in its address, as a POST has them
// in its body.
func addressed(r *http.Request) ([]byte, error) {
	if len(r.URL.RawQuery) > maxBody {
		return nil, &mission.Error{Code: mission.CodePayloadTooLarge, Message: fmt.Sprintf("The address must be at most %d KiB.", maxBody>>10)}
	}
	if r.ContentLength != 0 {
		return nil, mission.Invalid("", "GET takes no body: the request is in its address.")
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, mission.Invalid("", "The address isn't encoded as a form is.")
	}
	members := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		value := values.Get(name)
		switch {
		case !slices.Contains(addressMembers, name):
			return nil, mission.Invalid(
				strings.ToValidUTF8(name, "\uFFFD"), "Unknown query parameter; known are %s.",
				strings.Join(addressMembers, ", "),
			)
		case len(values[name]) > 1:
			return nil, mission.Invalid(name, "Duplicate query parameter.")
		case name == "query" || name == "operationName":
			members[name] = value
		case !json.Valid([]byte(value)):
			return nil, mission.Invalid(name, "%s must be JSON.", name)
		default:
			members[name] = json.RawMessage(value)
		}
	}
	return json.Marshal(members)
}

// posts is the transport of queries and mutations, whose bodies were read. It
// writes what gqlgen's own would, without encoding the data a second time.
type posts struct{}

// Supports reports whether the request is one of the transport's.
func (posts) Supports(r *http.Request) bool {
	return r.Method == http.MethodPost || r.Method == http.MethodGet
}

// Do executes the request's operation and writes the response.
func (posts) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	ctx, kind := r.Context(), responseType(r)
	start := graphql.Now()
	params, err := readParams(r)
	if err != nil {
		fail(w, r, err)
		return
	}
	params.ReadTime = graphql.TraceTiming{Start: start, End: graphql.Now()}
	op, errs := exec.CreateOperationContext(ctx, params)
	if errs != nil {
		executed(w, kind, exec.DispatchError(graphql.WithOperationContext(ctx, op), errs))
		return
	}
	if r.Method == http.MethodGet && op.Operation.Operation != ast.Query {
		w.Header().Set("Allow", http.MethodPost)
		failAs(
			w, r,
			&mission.Error{Code: mission.CodeMethodNotAllowed, Message: "GET executes queries only: send a mutation with POST."},
			http.StatusMethodNotAllowed,
		)
		return
	}
	respond, ctx := exec.DispatchOperation(ctx, op)
	response := respond(ctx)
	if response == nil { // the request was canceled, or its time was up, before it was executed
		fail(w, r, ctx.Err())
		return
	}
	executed(w, kind, response)
}

// readParams reads a body, which must have a query or name a persisted document: one
// without either is no GraphQL request, and is a 400 whatever the response's type.
// Errors: invalid_request.
func readParams(r *http.Request) (*graphql.RawParams, error) {
	var body struct {
		graphql.RawParams

		Query *string `json:"query"`
	}
	if err := stream.Decode(r.Body, &body); err != nil {
		return nil, err
	}
	params := &body.RawParams
	params.Headers = r.Header
	if body.Query != nil {
		params.Query = *body.Query
	} else if _, named := params.Extensions["persistedQuery"]; !named {
		if r.Method == http.MethodGet {
			return nil, mission.Invalid("query", "The address must have a query, or extensions that name a persisted one.")
		}
		return nil, stream.ErrUndecoded
	}
	return params, nil
}

// executed writes the response to a request whose body was read.
func executed(w http.ResponseWriter, kind string, response *graphql.Response) {
	status := http.StatusOK
	switch {
	case slices.ContainsFunc(response.Errors, refusesCaller):
		status = http.StatusUnauthorized
		w.Header().Set("WWW-Authenticate", challenge)
	case kind == typeResponse && response.Data == nil && len(response.Errors) > 0:
		status = statusOf(response.Errors[0], kind)
	}
	writeResponse(w, kind, response, status)
}

// refusesCaller reports whether a field of the root type has refused the request's own
// credential.
func refusesCaller(e *gqlerror.Error) bool {
	return len(e.Path) == 1 && e.Extensions["code"] == mission.CodeUnauthorized
}

// statuses are those of requests that aren't executed; that of any other code is a 400.
var statuses = map[mission.Code]int{
	mission.CodeUnauthorized:       http.StatusUnauthorized,
	mission.CodeForbidden:          http.StatusForbidden,
	mission.CodeConflict:           http.StatusConflict,
	mission.CodeRateLimitExceeded:  http.StatusTooManyRequests,
	mission.CodePreconditionFailed: http.StatusPreconditionFailed,
	mission.CodePayloadTooLarge:    http.StatusRequestEntityTooLarge,
	mission.CodeUnsupportedMedia:   http.StatusUnsupportedMediaType,
	mission.CodeInternal:           http.StatusInternalServerError,
	mission.CodeServiceUnavailable: http.StatusServiceUnavailable,
	mission.CodeMethodNotAllowed:   http.StatusMethodNotAllowed,
}

// statusOf returns the status of a response of a type to a request that fails with an
// error before it is executed. For JSON the contract requires 200 for some.
func statusOf(e *gqlerror.Error, kind string) int {
	code, _ := e.Extensions["code"].(mission.Code)
	if kind == typeJSON && (code == mission.CodeForbidden || code == mission.CodeConflict || code == mission.CodeRateLimitExceeded) {
		return http.StatusOK
	}
	return cmp.Or(statuses[code], http.StatusBadRequest)
}

// writeResponse writes a response, whose data is JSON already. It leaves out the data of
// a request that wasn't executed where the type says so. Writing fails only if the
// client is gone.
func writeResponse(w http.ResponseWriter, kind string, response *graphql.Response, status int) {
	w.Header().Set("Content-Type", kind)
	if status != http.StatusOK {
		w.WriteHeader(status)
	}
	_ = stream.WriteResponse(w, response, kind == typeResponse) // fails only if the client is gone
}
