package api

import (
	"fmt"
	"strings"
	"testing"
)

// whyAPI is the part of both APIs that says why posts haven't gone out.
type whyAPI interface {
	lifeAPI
	// why returns the reasons of a post or a mission; below is content or missions.
	why(below, id string) result
}

func (a restAPI) why(below, id string) result { return a.call("GET", "/"+below+"/"+id+"/why", nil) }

func (a graphAPI) why(below, id string) result {
	field := strings.TrimSuffix(below, "s")
	got := a.run(`query($id: ID!) { `+field+`(id: $id) { status why {
		summary reasons { code message since until failure { code message } actions { code message } } } } }`, map[string]any{"id": id}, field)
	if got.Code != "" {
		return got
	}
	why, _ := got.Fields["why"].(map[string]any)
	why["status"] = got.Fields["status"]
	for _, r := range why["reasons"].([]any) {
		reason := r.(map[string]any)
		reason["code"] = lower(reason["code"])
		for _, action := range reason["actions"].([]any) {
			action.(map[string]any)["code"] = lower(action.(map[string]any)["code"])
		}
	}
	return result{Fields: why}
}

func TestWhyScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[whyAPI]{{"why posts don't go out", whys}})
}

// wantWhy checks the codes of reasons with those of what can be done, as in "waits_for_review: approve reject".
func (s *harness) wantWhy(got result, status, summary string, want ...string) {
	s.t.Helper()
	var found []string
	reasons, _ := got.Fields["reasons"].([]any)
	for _, r := range reasons {
		reason := r.(map[string]any)
		line := fmt.Sprint(reason["code"], ":")
		for _, action := range reason["actions"].([]any) {
			line += fmt.Sprint(" ", at(action.(map[string]any), "code"))
		}
		found = append(found, line)
	}
	if got.Code != "" || got.Fields["status"] != status || got.Fields["summary"] != summary || strings.Join(found, "\n") != strings.Join(want, "\n") {
		s.t.Errorf("got %+v, want %s, %q, %q", got, status, summary, want)
	}
}

func whys(s *harness, a whyAPI) {
	draft := s.make(a, nil)
	s.wantWhy(a.why("missions", draft), "draft", "The mission hasn't started.", "mission_draft: start")

	missionID, id := s.written(a, reviewed)
	const until = "2026-11-22 08:00 UTC."
	waits := a.why("content", id)
	s.wantWhy(waits, "pending_review", "It waits for review until "+until, "waits_for_review: approve reject edit regenerate")
	if reason, _ := at(waits.Fields, "reasons").([]any)[0].(map[string]any); reason["until"] != a.content(id).Fields["expires_at"] || reason["since"] != nil {
		s.t.Errorf("got %v", reason)
	}
	s.wantWhy(a.why("missions", missionID), "active", "A post waits for review.",
		"waits_for_review: approve reject", "posts_written: wait", "waits_for_cycle: wait")
	a.pause(missionID)
	s.wantWhy(a.why("missions", missionID), "paused", "The mission is paused.", "mission_paused: resume", "waits_for_review: approve reject")
	s.wantWhy(a.why("content", id), "pending_review", "The mission is paused.", "mission_paused: resume", "waits_for_review: approve reject edit")
	a.reject(id, map[string]any{"reason": "Too loud"})
	s.wantWhy(a.why("content", id), "rejected", `It was rejected with the reason "Too loud".`, "rejected: reopen edit")

	_, id = s.written(a, nil)
	s.unknown(id, false)
	settled := a.why("content", id)
	s.wantWhy(settled, "unknown", fmt.Sprint(at(settled.Fields, "summary")), "outcome_unknown: settle")
	if failure := at(settled.Fields, "reasons").([]any)[0].(map[string]any)["failure"]; at(failure.(map[string]any), "code") != "outcome_unknown" {
		s.t.Errorf("got %v", settled)
	}
	s.want(a.why("content", "cnt_01jd0000000000000000000000"), "not_found", "")
	s.want(a.why("missions", "msn_01jd0000000000000000000000"), "not_found", "")
	s.want(a.why("missions", id), "not_found", "")
}
