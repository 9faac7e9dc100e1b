package endpoint

import (
	"encoding/json"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// maxOpenTokens limits a document of an unauthenticated caller.
const maxOpenTokens = 200

// opensSession reports whether a request may go on without a caller: its document
// must be a single mutation that logs in or refreshes a session, and nothing else.
// Those mutations check their credential themselves.
func opensSession(body []byte, allowed *allowList) bool {
	var request struct {
		Query      string         `json:"query"`
		Extensions map[string]any `json:"extensions"`
	}
	if json.Unmarshal(body, &request) != nil {
		return false
	}
	query, err := allowed.find(request.Query, request.Extensions)
	if err != nil {
		return false
	}
	document, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: query}, maxOpenTokens)
	if err != nil || len(document.Operations) != 1 || len(document.Fragments) > 0 || document.Operations[0].Operation != ast.Mutation {
		return false
	}
	opening := 0
	for _, selection := range document.Operations[0].SelectionSet {
		field, ok := selection.(*ast.Field)
		if !ok {
			return false
		}
		switch field.Name {
		case "login", "refreshSession":
			opening++
		case "__typename":
		default:
			return false
		}
	}
	return opening == 1
}

// challenge is the WWW-Authenticate header of a 401.
const challenge = `Bearer realm="missiond"`
