package endpoint

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"missiond/mission"
)

// What a caller sees of errors: the service's own with their code, everything
// else masked.
func TestErrorsArePresented(t *testing.T) {
	for _, code := range mission.AllCodes() {
		shown := present(context.Background(), &gqlerror.Error{Err: &mission.Error{Code: code, Message: "words", Param: "kpis[0].metric", RetryAfter: 3}})
		if code == mission.CodeInternal {
			if shown.Message == "words" || shown.Extensions["code"] != code {
				t.Errorf("an internal error is shown as %v %v", shown.Message, shown.Extensions)
			}
			continue
		}
		if shown.Message != "words" || shown.Extensions["code"] != code || shown.Extensions["param"] != "kpis[0].metric" || shown.Extensions["retryAfter"] != 3 {
			t.Errorf("%s is shown as %v %v", code, shown.Message, shown.Extensions)
		}
	}
	masked := present(context.Background(), &gqlerror.Error{Err: errors.New("password=hunter2"), Message: "password=hunter2"})
	if strings.Contains(masked.Message, "hunter2") || masked.Extensions["code"] != mission.CodeInternal {
		t.Errorf("it is shown as %v %v", masked.Message, masked.Extensions)
	}
	late := present(context.Background(), &gqlerror.Error{Err: fmt.Errorf("query: %w", context.DeadlineExceeded)})
	if late.Extensions["code"] != mission.CodeServiceUnavailable || late.Extensions["retryAfter"] != 1 {
		t.Errorf("it is shown as %v %v", late.Message, late.Extensions)
	}
}

func TestInputParams(t *testing.T) {
	for _, tt := range []struct {
		path ast.Path
		want string
	}{
		{ast.Path{ast.PathName("variable"), ast.PathName("i"), ast.PathName("kpis"), ast.PathIndex(1), ast.PathName("metric")}, "kpis[1].metric"},
		{ast.Path{ast.PathName("createMission"), ast.PathName("input"), ast.PathName("constraints"), ast.PathName("postsPerDay")}, "constraints.posts_per_day"},
		{ast.Path{ast.PathName("variable"), ast.PathName("input")}, ""},
		{ast.Path{ast.PathName("variable"), ast.PathName("items"), ast.PathIndex(0), ast.PathName("id")}, "items[0].id"},
		{ast.Path{ast.PathName("variable"), ast.PathName("postIds"), ast.PathIndex(2)}, "post_ids[2]"},
		{ast.Path{ast.PathName("missions"), ast.PathName("edges"), ast.PathIndex(0)}, ""},
		{nil, ""},
	} {
		if got := inputParam(tt.path); got != tt.want {
			t.Errorf("%v is %q, want %q", tt.path, got, tt.want)
		}
	}
}
