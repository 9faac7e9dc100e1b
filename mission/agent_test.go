package mission

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func paramOf(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return fmt.Sprint(err)
	}
	return string(e.Code) + " " + e.Param
}

func TestLeashForm(t *testing.T) {
	id := PrefixMission + strings.Repeat("0", 26)
	number, money := func(n int) *int { return &n }, func(m Micros) *Micros { return &m }
	for _, tt := range []struct {
		leash Leash
		want  string
	}{
		{Leash{}, "<nil>"},
		{Leash{Posts: number(0), Micros: money(0), Missions: []string{}}, "<nil>"},
		{Leash{Posts: number(MaxLeashPosts), Micros: money(MaxBudgetCents * MicrosPerCent), Missions: []string{id}}, "<nil>"},
		{Leash{Posts: number(-1)}, "invalid_request leash.posts_per_day"},
		{Leash{Posts: number(MaxLeashPosts + 1)}, "invalid_request leash.posts_per_day"},
		{Leash{Micros: money(-1)}, "invalid_request leash.cents_per_day"},
		{Leash{Micros: money(MaxBudgetCents*MicrosPerCent + 1)}, "invalid_request leash.cents_per_day"},
		{Leash{Missions: []string{"cnt_1"}}, "invalid_request leash.mission_ids[0]"},
		{Leash{Missions: []string{id, id}}, "invalid_request leash.mission_ids[1]"},
		{Leash{Missions: make([]string, MaxLeashMissions+1)}, "invalid_request leash.mission_ids"},
	} {
		if got := paramOf(tt.leash.Check()); got != tt.want {
			t.Errorf("%+v: got %s, want %s", tt.leash, got, tt.want)
		}
	}
}

// Whatever an agent asks for in whatever order, what it does in a day stays within its leash, and
// what fits is allowed.
func TestLeashHolds(t *testing.T) {
	now := time.Date(2026, 11, 27, 23, 59, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		posts, money := rapid.IntRange(0, 20).Draw(t, "posts"), Micros(rapid.Int64Range(0, 1000).Draw(t, "micros"))
		l, day := Leash{Posts: &posts, Micros: &money}, AgentDay{}
		for range 30 {
			act := AgentAct{Posts: rapid.IntRange(0, 5).Draw(t, "of"), Micros: Micros(rapid.Int64Range(0, 300).Draw(t, "for"))}
			fits := (act.Posts == 0 || day.Posts+act.Posts <= posts) && (act.Micros == 0 || day.Micros+act.Micros <= money)
			err := l.CheckAct(day, act, now)
			if (err == nil) != fits {
				t.Fatalf("%+v after %+v: got %v", act, day, err)
			}
			if err != nil {
				var e *Error
				if !errors.As(err, &e) || e.Code != CodeRateLimitExceeded || e.RetryAfter != 61 {
					t.Fatalf("got %+v", e)
				}
				continue
			}
			day.Posts, day.Micros = day.Posts+act.Posts, day.Micros+act.Micros
		}
	})
}

func TestMicrosText(t *testing.T) {
	for m, want := range map[Micros]string{0: "$0.00", 1: "$0.000001", 10_000: "$0.01", 1_250_000: "$1.25", 1_200_500: "$1.2005", 12_000_000: "$12.00"} {
		if m.String() != want {
			t.Errorf("%d: got %s, want %s", int64(m), m, want)
		}
	}
}

// What only people decide isn't an agent's: whether and by whom posts are approved.
func TestAgentsDecideNothingOfPeople(t *testing.T) {
	yes, no, cents, money := true, false, int64(100), Micros(1_000_000)
	agent := Principal{TenantID: "tnt_1", UserID: "usr_1", AgentID: "agt_1", Agent: true, AgentsMayApprove: true}
	tied, spender := agent, agent
	tied.Leash.Missions, spender.Leash.Micros = []string{"msn_1"}, &money
	approved := func(c ConstraintsInput) *ConstraintsInput { c.RequireApproval = &yes; return &c }
	for i, tt := range []struct {
		in   CreateInput
		by   Principal
		want string
	}{
		{CreateInput{}, Principal{UserID: "usr_1"}, "<nil>"},
		{CreateInput{Constraints: approved(ConstraintsInput{})}, agent, "<nil>"},
		{CreateInput{}, agent, "forbidden constraints.require_approval"},
		{CreateInput{Constraints: &ConstraintsInput{RequireApproval: &no}}, agent, "forbidden constraints.require_approval"},
		{CreateInput{Constraints: approved(ConstraintsInput{}), Autonomy: &Autonomy{}}, agent, "forbidden autonomy"},
		{CreateInput{Constraints: approved(ConstraintsInput{})}, tied, "forbidden "},
		{CreateInput{Constraints: approved(ConstraintsInput{})}, spender, "invalid_request constraints.budget_cents"},
		{CreateInput{Constraints: approved(ConstraintsInput{BudgetCents: &cents})}, spender, "<nil>"},
	} {
		if got := paramOf(tt.in.CheckNew(tt.by)); got != tt.want {
			t.Errorf("%d: got %s, want %s", i, got, tt.want)
		}
	}
	for i, tt := range []struct {
		in   UpdateInput
		by   Principal
		want string
	}{
		{UpdateInput{Name: Some("New")}, agent, "<nil>"},
		{UpdateInput{Constraints: ConstraintsUpdate{RequireApproval: Some(false)}}, agent, "forbidden constraints.require_approval"},
		{UpdateInput{Constraints: ConstraintsUpdate{RequireApproval: Some(false)}}, Principal{UserID: "usr_1"}, "<nil>"},
		{UpdateInput{Autonomy: Optional[Autonomy]{Given: true}}, agent, "forbidden autonomy"},
		{UpdateInput{Reviewers: []string{}}, agent, "forbidden reviewers"},
		{UpdateInput{ReviewersOnly: Some(false)}, agent, "forbidden reviewers_only"},
		{UpdateInput{Editor: Optional[Editor]{Given: true}}, agent, "forbidden editor"},
		{UpdateInput{PublicInterest: Some(false)}, agent, "forbidden public_interest"},
		{UpdateInput{Constraints: ConstraintsUpdate{BudgetCents: Optional[int64]{Given: true}}}, agent, "<nil>"},
		{UpdateInput{Constraints: ConstraintsUpdate{BudgetCents: Optional[int64]{Given: true}}}, spender, "forbidden constraints.budget_cents"},
	} {
		if got := paramOf(tt.in.CheckChange(tt.by)); got != tt.want {
			t.Errorf("update %d: got %s, want %s", i, got, tt.want)
		}
	}
}

func TestAgentsApprove(t *testing.T) {
	agent := Principal{TenantID: "tnt_1", UserID: "usr_1", AgentID: "agt_1", Agent: true, AgentsMayApprove: true}
	keyed := Principal{TenantID: "tnt_1", UserID: "usr_1", KeyID: "key_1", Agent: true, AgentsMayApprove: true}
	unallowed := agent
	unallowed.AgentsMayApprove = false
	people := Content{Writer: WrittenBy{Kind: AuthorPerson}}
	for i, tt := range []struct {
		m    Mission
		c    Content
		by   Principal
		want string
	}{
		{Mission{}, people, agent, "<nil>"},
		{Mission{}, Content{Writer: WrittenBy{Kind: AuthorModel}}, keyed, "<nil>"},
		{Mission{}, people, unallowed, "forbidden "},
		{Mission{Editor: &Editor{}}, people, agent, "forbidden "},
		{Mission{}, Content{Writer: ByPerson(agent)}, agent, "forbidden "},
		{Mission{}, Content{Writer: ByPerson(keyed)}, agent, "forbidden "},
		{Mission{}, Content{Writer: ByPerson(agent)}, keyed, "forbidden "},
		{Mission{}, Content{Writer: ByPerson(agent)}, Principal{UserID: "usr_1"}, "<nil>"},
		{Mission{ReviewersOnly: true, Reviewers: []string{"usr_1"}}, people, agent, "forbidden "},
		{Mission{ReviewersOnly: true, Reviewers: []string{"usr_1"}}, people, Principal{UserID: "usr_1"}, "<nil>"},
	} {
		if got := paramOf(tt.m.CheckApprover(tt.by, tt.c)); got != tt.want {
			t.Errorf("%d: got %s, want %s", i, got, tt.want)
		}
	}
	if agent.Reviewer() != "agt_1" || keyed.Reviewer() != "key_1" || agent.Author() != "agt_1" || agent.Credential() != "agt_1" {
		t.Error("an agent decides and writes in its own name")
	}
}

// An agent's approvals don't earn a mission its autonomy.
func TestAgentsEarnNoAutonomy(t *testing.T) {
	now := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
	m := Mission{Constraints: Constraints{RequireApproval: true}, Autonomy: &Autonomy{Earned: Earned{After: 1, Share: 1}}}
	for by, want := range map[string]AutonomyState{"usr_1": AutonomyEarned, "agt_1": AutonomyEarning, "key_1": AutonomyEarning} {
		post := Content{ID: "cnt_1", Status: ContentPublished, Revision: 1, ReviewedBy: by, ReviewedAt: &now, Writer: WrittenBy{Kind: AuthorBuiltIn}}
		if got := m.Standing([]Content{post}, nil, WrittenBy{}).State; got != want {
			t.Errorf("approved by %s: got %s, want %s", by, got, want)
		}
	}
}

func TestAgentEnds(t *testing.T) {
	now := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
	a := Agent{ExpiresAt: now.Add(time.Hour)}
	revoked, changed := a.Revoke(now)
	if !a.Works(now) || !changed || revoked.Works(now) || a.Works(now.Add(time.Hour)) {
		t.Errorf("got %+v", revoked)
	}
	if _, again := revoked.Revoke(now.Add(time.Minute)); again {
		t.Error("revoked twice")
	}
}
