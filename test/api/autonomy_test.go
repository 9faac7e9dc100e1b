package api

import (
	"strings"
	"testing"
)

// autonomyAPI is the part of both APIs that says what a mission has earned.
type autonomyAPI interface {
	whyAPI
	autonomy(id string) result
}

func (a restAPI) autonomy(id string) result { return a.call("GET", "/missions/"+id+"/autonomy", nil) }

func (a graphAPI) autonomy(id string) result {
	got := a.run(`query($id: ID!) { missionAutonomy(missionId: $id) { state missing approvals { contentId approvedBy approvedAt } ended { reason at contentId } } }`,
		map[string]any{"id": id}, "missionAutonomy")
	for _, enum := range []map[string]any{got.Fields, ended(got)} {
		for _, name := range []string{"state", "reason"} {
			if value, ok := enum[name].(string); ok {
				enum[name] = strings.ToLower(value)
			}
		}
	}
	return got
}

func ended(got result) map[string]any {
	fields, _ := got.Fields["ended"].(map[string]any)
	return fields
}

func TestAutonomyScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[autonomyAPI]{{"autonomy is earned", autonomyIsEarned}})
}

func autonomyIsEarned(s *harness, a autonomyAPI) {
	with := map[string]any{"earned": map[string]any{"after": 1, "share": 1}}
	id, post := s.written(a, map[string]any{
		"start_immediately": true, "autonomy": with, "platforms": []any{"twitter"}, "constraints": map[string]any{"require_approval": true},
	})
	s.field(a.content(post), "unreviewed", false)
	got := a.autonomy(id)
	s.field(got, "state", "earning")
	s.field(got, "missing", 1.0)
	s.field(got, "approvals", []any{})
	s.field(got, "ended", nil)
	a.approve(post, nil)
	got = a.autonomy(id)
	s.field(got, "state", "earned")
	approvals := at(got.Fields, "approvals").([]any)
	if len(approvals) != 1 || at(approvals[0].(map[string]any), "content_id") != post || at(approvals[0].(map[string]any), "approved_at") != "2026-11-21T08:00:00.000Z" {
		s.t.Errorf("got the approvals %v", approvals)
	}

	// A new text has to be reviewed, and ends what was earned.
	s.field(a.edit(post, map[string]any{"text": "In other words."}), "status", "pending_review")
	got = a.autonomy(id)
	s.field(got, "state", "earning")
	s.equal("what ended it", s.at(got, "ended", "reason"), "edit")
	s.equal("where", s.at(got, "ended", "content_id"), post)
	s.field(a.update(id, map[string]any{"autonomy": map[string]any{"earned": map[string]any{"after": 9, "share": 0.1}}}), "autonomy",
		map[string]any{"earned": map[string]any{"after": 9.0, "share": 0.1}})
	s.want(a.update(id, map[string]any{"constraints": map[string]any{"require_approval": false}}), "invalid_request", "autonomy")
	s.want(a.update(id, map[string]any{"autonomy": map[string]any{"earned": map[string]any{"after": 99, "share": 0.1}}}), "invalid_request", "autonomy.earned.after")
	s.field(a.update(id, map[string]any{"autonomy": nil}), "autonomy", nil)
	s.field(a.autonomy(id), "state", "off")
	s.want(a.autonomy("msn_01jd0000000000000000000000"), "not_found", "")
}
