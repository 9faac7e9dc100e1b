package api

import (
	"context"
	"errors"
	"testing"
	"time"

	"missiond/internal/app"
	"missiond/internal/identity"
	"missiond/internal/jsonwire"
	"missiond/internal/service/missions"
	"missiond/internal/testkit"
	"missiond/mission"
)

// due claims the pending tasks of a type that are due.
func (s *harness) due(kind mission.TaskType) (tasks []mission.Task) {
	s.t.Helper()
	ctx := context.Background()
	hands, err := s.DB.Dispatch(ctx, s.clock.Now(), 1000)
	s.must(err)
	for _, h := range hands {
		if h.Task.Type != kind {
			continue
		}
		task, ok, err := s.DB.Claim(ctx, h.Task.ID, s.clock.Now(), time.Minute)
		s.must(err)
		if ok {
			tasks = append(tasks, task)
		}
	}
	return tasks
}

// allOf returns all data of a tenant as an export has it.
func (s *harness) allOf(tenantID string) string {
	s.t.Helper()
	text := ""
	s.must(s.DB.ExportTenant(context.Background(), tenantID, func(table string, row map[string]any) error {
		line, err := jsonwire.Marshal(map[string]any{table: row})
		text += string(line) + "\n"
		return err
	}))
	return text
}

// A tenant under deletion stays complete during the grace period and is deleted
// completely after it; no other tenant's data changes.
func TestTenantIsDeleted(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			ctx := context.Background()
			mine, theirs := s.estate("mine"), s.estate("theirs-too")
			mineID, theirsID := mine.ids[0], theirs.ids[0]
			_, err := s.Accounts.DeleteTenantAs(ctx, mineID, "another", mission.DeletionGrace)
			if mission.CodeOf(err) != mission.CodeInvalidRequest {
				t.Errorf("confirming with another slug returned %v", err)
			}
			tenant, err := s.DB.Tenant(ctx, mineID)
			s.must(err)
			_, err = s.Accounts.DeleteTenantAs(ctx, mineID, tenant.Slug, mission.DeletionGrace)
			s.must(err)
			see := func(want int) {
				t.Helper()
				tasks := s.due(mission.TaskTenantDelete)
				if len(tasks) != want {
					t.Errorf("got %d tasks of the deletion, want %d", len(tasks), want)
				}
				for _, task := range tasks {
					s.must(s.Accounts.RunDeletion(ctx, task))
				}
			}
			see(1) // it pauses the missions, and waits
			before, others := s.allOf(mineID), s.allOf(theirsID)
			active, err := s.DB.ActiveMissions(ctx, mineID, "", 10)
			if err != nil || len(active) != 0 {
				t.Errorf("got the active missions %v, %v", active, err)
			}
			s.clock.Advance(mission.DeletionGrace - time.Millisecond)
			see(0)
			if s.allOf(mineID) != before {
				t.Error("the tenant changed before the end of the grace period")
			}
			s.clock.Advance(time.Millisecond)
			see(1)
			if _, err := s.DB.Tenant(ctx, mineID); mission.CodeOf(err) != mission.CodeNotFound || s.allOf(mineID) != "" {
				t.Errorf("the tenant still has data, %v:\n%s", err, s.allOf(mineID))
			}
			see(0)
			if s.allOf(theirsID) != others {
				t.Error("the other tenant's data changed")
			}
		})
	}
}

// Whatever a concurrent request does after a deletion began, no task of a mission
// runs, and no draft starts.
func TestLeavingMissionsStop(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			ctx := context.Background()
			p, err := s.Accounts.Identify(ctx, s.key)
			s.must(err)
			now, days, at := true, 3, s.clock.Now().Add(time.Hour)
			in := mission.CreateInput{Name: "runs", Objectives: []string{"x"}, Platforms: []mission.Platform{mission.Twitter}, DurationDays: &days, StartImmediately: &now}
			running, err := s.Missions.CreateMission(ctx, p, in)
			s.must(err)
			in.StartImmediately, in.StartsAt = nil, &at
			draft, err := s.Missions.CreateMission(ctx, p, in)
			s.must(err)
			tenant, err := s.DB.Tenant(ctx, p.TenantID)
			s.must(err)
			_, err = s.Accounts.DeleteTenantAs(ctx, p.TenantID, tenant.Slug, mission.DeletionGrace)
			s.must(err)
			state := func(id string) mission.Status {
				t.Helper()
				m, err := s.Missions.Mission(ctx, p, id)
				s.must(err)
				return m.Status
			}
			s.equal("the mission", state(running.ID), mission.StatusPaused)
			_, err = s.Missions.ResumeMission(ctx, p, running.ID) // by a request that was authenticated before
			s.must(err)
			for _, task := range s.due(mission.TaskStageIntake) {
				if err := s.Pipeline.Intake(ctx, task); !errors.Is(err, missions.ErrDone) {
					t.Errorf("a stage runs: %v", err)
				}
			}
			s.equal("the resumed mission", state(running.ID), mission.StatusPaused)
			s.clock.Advance(time.Hour)
			starts := s.due(mission.TaskMissionStart)
			s.equal("drafts whose time has come", len(starts), 1)
			s.must(s.Pipeline.StartMission(ctx, starts[0]))
			s.equal("the draft", state(draft.ID), mission.StatusDraft)
			_, err = s.Accounts.RestoreTenantAs(ctx, p.TenantID)
			s.must(err)
			s.clock.Advance(time.Hour)
			for _, task := range s.due(mission.TaskMissionStart) {
				s.must(s.Pipeline.StartMission(ctx, task))
			}
			s.equal("the draft of a tenant that stays", state(draft.ID), mission.StatusActive)
		})
	}
}

// fakeAsker is a provider for checks of logins.
type fakeAsker struct {
	role    string
	err     error
	checked []identity.Login
	during  func() // may be nil
}

func (f *fakeAsker) CheckLogin(_ context.Context, who identity.Login) (string, error) {
	f.checked = append(f.checked, who)
	if f.during != nil {
		f.during()
	}
	return f.role, f.err
}

// A renewal that takes longer than the token works gets no token, and doesn't pass for a
// copy's: the session goes on.
func TestLateRenewal(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	ctx, provider := context.Background(), &fakeAsker{role: "org:admin"}
	a := s.another(func(c *app.Config) { c.LoginChecker = provider }).Accounts
	login, err := a.Login(ctx, s.token(member("a@example.com", "org:member")))
	s.must(err)
	s.real.Advance(mission.TokenLife - 9*time.Minute)
	renewed, ok, err := a.Renew(ctx, login.Token)
	s.must(err)
	s.equal("the first renewal", ok, true)
	s.real.Advance(mission.RefreshLeeway - time.Second)
	provider.during = func() { s.real.Advance(2 * time.Second) }
	_, ok, err = a.Renew(ctx, login.Token)
	s.must(err)
	s.equal("the late renewal", ok, false)
	s.equal("the calls of the provider", len(provider.checked), 2)
	if _, err := a.Identify(ctx, renewed.Token); err != nil {
		t.Errorf("the session ended: %v", err)
	}
	if _, err := a.Refresh(ctx, login.Token); mission.CodeOf(err) != mission.CodeUnauthorized {
		t.Errorf("a replay was refreshed: %v", err)
	}
	if _, err := a.Identify(ctx, renewed.Token); mission.CodeOf(err) != mission.CodeUnauthorized {
		t.Errorf("a replay didn't end the session: %v", err)
	}
}

// A refresh checks the login with the provider: the role it names is taken, a
// session that ended there ends, and an outage ends none.
func TestRefreshChecksTheProvider(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	ctx, provider := context.Background(), &fakeAsker{role: "org:admin"}
	a := s.another(func(c *app.Config) { c.LoginChecker = provider }).Accounts
	login, err := a.Login(ctx, s.token(member("a@example.com", "org:member")))
	s.must(err)
	next, err := a.Refresh(ctx, login.Token)
	s.must(err)
	p, err := a.Identify(ctx, next.Token)
	s.must(err)
	if !p.Has(mission.ScopeAdmin) || len(provider.checked) != 1 || provider.checked[0].OrganizationID != "org_1" || provider.checked[0].SessionID == "" || provider.checked[0].Subject == "" {
		t.Errorf("checked %+v, the caller is %+v", provider.checked, p)
	}
	provider.err = errors.New("an outage")
	if next, err = a.Refresh(ctx, next.Token); err != nil {
		t.Errorf("an outage of the provider ended a session: %v", err)
	}
	provider.err = identity.ErrGone
	if _, err := a.Refresh(ctx, next.Token); mission.CodeOf(err) != mission.CodeUnauthorized {
		t.Errorf("a session that ended at the provider was refreshed: %v", err)
	}
	provider.err = nil
	if _, err := a.Identify(ctx, next.Token); mission.CodeOf(err) != mission.CodeUnauthorized {
		t.Errorf("its token is still valid: %v", err)
	}
	if _, err := a.Refresh(ctx, next.Token); mission.CodeOf(err) != mission.CodeUnauthorized {
		t.Errorf("it was refreshed again: %v", err)
	}
}

// Of a tenant that is to be deleted only admins' sessions are refreshed, as only they are
// accepted; others go on once it is restored.
func TestLeavingSessions(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			ctx := context.Background()
			enter := func(email, role string) string {
				t.Helper()
				login, err := s.Accounts.Login(ctx, s.token(identity.DevPerson{Email: email, Organization: "org_leaving", OrganizationSlug: "leaving", OrganizationRole: role}))
				s.must(err)
				return login.Token
			}
			admin, viewer := enter("admin@leaving", "admin"), enter("viewer@leaving", "viewer")
			p, err := s.Accounts.Identify(ctx, admin)
			s.must(err)
			tenant, err := s.DB.Tenant(ctx, p.TenantID)
			s.must(err)
			_, err = s.Accounts.DeleteTenantAs(ctx, p.TenantID, tenant.Slug, mission.DeletionGrace)
			s.must(err)
			s.key = viewer
			for _, path := range []string{"/v1/auth/whoami", "/v1/auth/refresh", "/graphql"} {
				method, body := "POST", any(map[string]any{"query": "mutation { refreshSession { token } }"})
				switch path {
				case "/v1/auth/whoami":
					method, body = "GET", nil
				case "/v1/auth/refresh":
					body = nil
				}
				if status, object := s.send(method, path, body); status != 401 {
					t.Errorf("%s of a viewer returned %d %v", path, status, object)
				}
			}
			s.key = admin
			if status, object := s.send("POST", "/v1/auth/refresh", nil); status != 200 {
				t.Errorf("an admin's refresh returned %d %v", status, object)
			}
			_, err = s.Accounts.RestoreTenantAs(ctx, p.TenantID)
			s.must(err)
			s.key = viewer
			if status, object := s.send("POST", "/v1/auth/refresh", nil); status != 200 {
				t.Errorf("the refresh after the restoration returned %d %v", status, object)
			}
		})
	}
}
