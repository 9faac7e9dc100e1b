package endpoint

import (
	"errors"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"missiond/internal/jsonwire"
	"missiond/mission"
)

// checkUTF8 rejects an operation, as the client wrote it, whose strings aren't
// valid UTF-8: decoding would silently change them. The scalars check what else a
// string may not contain, in variables and literals alike. Errors: invalid_request,
// naming an input field as the REST API does.
func checkUTF8(text []byte) error {
	var wrong *mission.Error
	if !errors.As(jsonwire.CheckUTF8(text), &wrong) {
		return nil
	}
	if variable, ok := strings.CutPrefix(wrong.Param, "variables."); ok {
		wrong.Param = snake(variable)
		if _, field, ok := strings.Cut(wrong.Param, "."); ok {
			wrong.Param = field
		}
	}
	return wrong
}

// inputParam returns the path of an input field as the REST API writes it, or "".
// gqlgen writes it as variable.<name>.kpis[0].metric, or as
// <mutation>.input.kpis[0].metric; a variable of another kind has its own name, and a
// list's is the beginning of its items' paths.
func inputParam(p ast.Path) string {
	const behind = 2
	if len(p) == behind && p[0] == ast.PathName("variable") && p[1] != ast.PathName("input") {
		name, _ := p[1].(ast.PathName) // an argument that is no input object
		return snake(string(name))
	}
	if len(p) < behind || p[0] != ast.PathName("variable") && p[1] != ast.PathName("input") {
		return ""
	}
	param := ""
	if len(p) > behind && p[0] == ast.PathName("variable") {
		if _, item := p[behind].(ast.PathIndex); item {
			name, _ := p[1].(ast.PathName)
			param = snake(string(name))
		}
	}
	for _, part := range p[behind:] {
		switch v := part.(type) {
		case ast.PathName:
			param += "." + snake(string(v))
		case ast.PathIndex:
			param += "[" + strconv.Itoa(int(v)) + "]"
		}
	}
	return strings.TrimPrefix(param, ".")
}

// valueParam is inputParam that also handles a value which is an argument by
// itself.
func valueParam(p ast.Path) string {
	if param := inputParam(p); param != "" || len(p) == 0 {
		return param
	}
	name, _ := p[len(p)-1].(ast.PathName)
	return snake(string(name))
}

// snake returns a field's name as the REST API writes it, so that both APIs name
// the same param.
func snake(name string) string {
	var out []rune
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			out = append(out, '_', r+('a'-'A'))
			continue
		}
		out = append(out, r)
	}
	return string(out)
}
