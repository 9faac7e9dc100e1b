package mission

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// problemsOf returns the problems of an input that err tells; nil if it isn't an
// invalid_request.
func problemsOf(err error) Problems {
	var e *Error
	switch {
	case !errors.As(err, &e) || e.Code != CodeInvalidRequest:
		return nil
	case len(e.Problems) > 0:
		return e.Problems
	}
	return Problems{e}
}

func goodInput() CreateInput {
	days, target := 21, 10.0
	return CreateInput{
		Name: "Autumn", Objectives: []string{"Announce it", "Explain it"}, Platforms: []Platform{Mastodon, Bluesky}, DurationDays: &days,
		Constraints: &ConstraintsInput{PostingTimes: []string{"09:00"}}, KPIs: []KPIInput{{Metric: Likes, Target: &target}},
	}
}

// faults each make one field of a good input wrong, in the order of the fields.
var faults = []struct {
	param string
	do    func(in *CreateInput)
}{
	{"name", func(in *CreateInput) { in.Name = " " }},
	{"description", func(in *CreateInput) { text := strings.Repeat("x", MaxDescription+1); in.Description = &text }},
	{"objectives[1]", func(in *CreateInput) { in.Objectives[1] = "" }},
	{"platforms[2]", func(in *CreateInput) { in.Platforms = append(in.Platforms, Mastodon) }},
	{"integration_ids[0]", func(in *CreateInput) { in.IntegrationIDs = []string{"int_x"} }},
	{"constraints.tone", func(in *CreateInput) { tone := ""; in.Constraints.Tone = &tone }},
	{"constraints.cadence", func(in *CreateInput) { often := Cadence("often"); in.Constraints.Cadence = &often }},
	{"constraints.posts_per_day", func(in *CreateInput) { n := 0; in.Constraints.PostsPerDay = &n }},
	{"constraints.budget_cents", func(in *CreateInput) { n := int64(-1); in.Constraints.BudgetCents = &n }},
	{"constraints.posting_times[1]", func(in *CreateInput) { in.Constraints.PostingTimes = append(in.Constraints.PostingTimes, "9") }},
	{"constraints.timezone", func(in *CreateInput) { zone := "Local"; in.Constraints.Timezone = &zone }},
	{"constraints.excluded_topics[0]", func(in *CreateInput) { in.Constraints.ExcludedTopics = []string{"", "x"} }},
	{"kpis[0].target", func(in *CreateInput) { in.KPIs[0].Target = nil }},
	{"kpis[0].platform", func(in *CreateInput) { p := Twitter; in.KPIs[0].Platform = &p }},
	{"duration_days", func(in *CreateInput) { in.DurationDays = nil }},
	{"starts_at", func(in *CreateInput) { then := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC); in.StartsAt = &then }},
}

func paramsOf(p Problems) (params []string) {
	for _, e := range p {
		params = append(params, e.Param)
	}
	return params
}

// All that is wrong with a new mission is told, in the order of the fields, and nothing
// else; the error itself is the first of it.
func TestEveryProblemIsTold(t *testing.T) {
	now := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		in, want := goodInput(), []string(nil)
		for _, f := range faults {
			if rapid.Bool().Draw(t, f.param) {
				f.do(&in)
				want = append(want, f.param)
			}
		}
		_, _, err := New("msn_1", "tnt_1", in, now)
		if (err == nil) != (len(want) == 0) {
			t.Fatalf("got %v, want problems with %v", err, want)
		}
		if err == nil {
			return
		}
		var e *Error
		if !errors.As(err, &e) || e.Code != CodeInvalidRequest || e.Param != want[0] || e.Message != e.Problems[0].Message || !slices.Equal(paramsOf(e.Problems), want) {
			t.Fatalf("got %v with %v, want %v", err, paramsOf(problemsOf(err)), want)
		}
	})
}

// An update tells of fields that can't be null together with those that are out of bounds.
func TestEveryProblemOfAnUpdateIsTold(t *testing.T) {
	days := 0
	in := UpdateInput{
		Name: Optional[string]{Given: true}, DurationDays: Optional[int]{Given: true, Value: &days}, Objectives: []string{},
		Constraints: ConstraintsUpdate{Cadence: Optional[Cadence]{Given: true}, Timezone: Some("Nowhere")},
	}
	want := []string{"name", "constraints.cadence", "objectives", "constraints.timezone", "duration_days"}
	if got := paramsOf(problemsOf(in.Check())); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// However much is wrong, what is told is bounded.
func TestProblemsAreBounded(t *testing.T) {
	in := goodInput()
	in.Platforms = slices.Repeat([]Platform{"nowhere"}, 10_000)
	for i := range MaxListItems {
		in.Objectives = append(in.Objectives[:i:i], "")
		in.Constraints.ExcludedTopics = append(in.Constraints.ExcludedTopics, "")
	}
	if got := problemsOf(in.Check()); len(got) != MaxProblems || got[0].Param != "objectives[0]" {
		t.Errorf("%d problems are told, the first %v", len(got), got[0])
	}
}

func TestProblemsWithin(t *testing.T) {
	in := goodInput()
	in.Name, in.DurationDays = "", nil
	var e *Error
	if err := in.Check(); !errors.As(err, &e) {
		t.Fatal(err)
	}
	whole := e.Within("mission")
	if got, want := fmt.Sprintln(whole.Param, paramsOf(whole.Problems), e.Param, paramsOf(e.Problems)), "mission.name [mission.name mission.duration_days] name [name duration_days]\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
