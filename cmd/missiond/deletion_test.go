package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"missiond/internal/identity"
	"missiond/internal/jsonwire"
	"missiond/internal/service"
	"missiond/internal/testkit"
	"missiond/mission"
)

// due claims the waiting tasks of a type that are due.
func (s *stage) due(kind mission.TaskType) (tasks []mission.Task) {
	s.t.Helper()
	ctx := context.Background()
	hands, err := s.db.Dispatch(ctx, s.clock.Now(), 1000)
	s.must(err)
	for _, h := range hands {
		if h.Task.Type != kind {
			continue
		}
		task, ok, err := s.db.Claim(ctx, h.Task.ID, s.clock.Now(), time.Minute)
		s.must(err)
		if ok {
			tasks = append(tasks, task)
		}
	}
	return tasks
}

// allOf is all of a tenant's data as an export has it.
func (s *stage) allOf(tenantID string) string {
	s.t.Helper()
	text := ""
	s.must(s.db.ExportTenant(context.Background(), tenantID, func(table string, row map[string]any) error {
		line, err := jsonwire.Marshal(map[string]any{table: row})
		text += string(line) + "\n"
		return err
	}))
	return text
}

// A tenant that is to be deleted stays whole for its grace, and goes whole after
// it; nobody else's data changes.
func TestTenantIsDeleted(t *testing.T) {
	t.Parallel()
	for dialect, open := range dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newStage(t, open)
			ctx := context.Background()
			mine, theirs := s.estate("mine"), s.estate("theirs-too")
			mineID, theirsID := mine.ids[0], theirs.ids[0]
			_, err := s.accounts.DeleteTenantAs(ctx, mineID, "another", mission.DeletionGrace)
			if mission.CodeOf(err) != mission.CodeInvalidRequest {
				t.Errorf("another slug confirms: %v", err)
			}
			tenant, err := s.db.Tenant(ctx, mineID)
			s.must(err)
			_, err = s.accounts.DeleteTenantAs(ctx, mineID, tenant.Slug, mission.DeletionGrace)
			s.must(err)
			see := func(want int) {
				t.Helper()
				tasks := s.due(mission.TaskTenantDelete)
				if len(tasks) != want {
					t.Errorf("%d tasks see to the deletion, want %d", len(tasks), want)
				}
				for _, task := range tasks {
					s.must(s.accounts.RunDeletion(ctx, task))
				}
			}
			see(1) // it pauses what there is, and waits
			before, others := s.allOf(mineID), s.allOf(theirsID)
			active, err := s.db.ActiveMissions(ctx, mineID, "", 10)
			if err != nil || len(active) != 0 {
				t.Errorf("%v are active, %v", active, err)
			}
			s.clock.Advance(mission.DeletionGrace - time.Millisecond)
			see(0)
			if s.allOf(mineID) != before {
				t.Error("the tenant changes before its time")
			}
			s.clock.Advance(time.Millisecond)
			see(1)
			if _, err := s.db.Tenant(ctx, mineID); mission.CodeOf(err) != mission.CodeNotFound || s.allOf(mineID) != "" {
				t.Errorf("the tenant is left, %v:\n%s", err, s.allOf(mineID))
			}
			see(0)
			if s.allOf(theirsID) != others {
				t.Error("the other tenant's data has changed")
			}
		})
	}
}

// Whatever a request under way does behind a deletion, no task of a mission's goes
// on, and no draft begins.
func TestLeavingMissionsStop(t *testing.T) {
	t.Parallel()
	for dialect, open := range dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newStage(t, open)
			ctx := context.Background()
			p, err := s.accounts.Identify(ctx, s.key)
			s.must(err)
			now, days, at := true, 3, s.clock.Now().Add(time.Hour)
			in := mission.CreateInput{Name: "runs", Objectives: []string{"x"}, Platforms: []mission.Platform{mission.Twitter}, DurationDays: &days, StartImmediately: &now}
			running, err := s.service.CreateMission(ctx, p, in)
			s.must(err)
			in.StartImmediately, in.StartsAt = nil, &at
			draft, err := s.service.CreateMission(ctx, p, in)
			s.must(err)
			tenant, err := s.db.Tenant(ctx, p.TenantID)
			s.must(err)
			_, err = s.accounts.DeleteTenantAs(ctx, p.TenantID, tenant.Slug, mission.DeletionGrace)
			s.must(err)
			state := func(id string) mission.Status {
				t.Helper()
				m, err := s.service.Mission(ctx, p, id)
				s.must(err)
				return m.Status
			}
			s.equal("the mission", state(running.ID), mission.StatusPaused)
			_, err = s.service.ResumeMission(ctx, p, running.ID) // by a request that was let in before
			s.must(err)
			for _, task := range s.due(mission.TaskStageIntake) {
				if err := s.service.Intake(ctx, task); !errors.Is(err, service.ErrDone) {
					t.Errorf("a stage goes on: %v", err)
				}
			}
			s.equal("the resumed mission", state(running.ID), mission.StatusPaused)
			s.clock.Advance(time.Hour)
			starts := s.due(mission.TaskMissionStart)
			s.equal("drafts whose time has come", len(starts), 1)
			s.must(s.service.StartMission(ctx, starts[0]))
			s.equal("the draft", state(draft.ID), mission.StatusDraft)
			_, err = s.accounts.RestoreTenantAs(ctx, p.TenantID)
			s.must(err)
			s.clock.Advance(time.Hour)
			for _, task := range s.due(mission.TaskMissionStart) {
				s.must(s.service.StartMission(ctx, task))
			}
			s.equal("the draft of a tenant that stays", state(draft.ID), mission.StatusActive)
		})
	}
}

// fakeAsker is a provider that is asked.
type fakeAsker struct {
	role  string
	err   error
	asked []identity.Asked
}

func (f *fakeAsker) Ask(_ context.Context, who identity.Asked) (string, error) {
	f.asked = append(f.asked, who)
	return f.role, f.err
}

// A refresh asks the provider: what it says of the role holds, a session that is
// over there ends, and an outage ends none.
func TestRefreshAsksTheProvider(t *testing.T) {
	t.Parallel()
	s := newStage(t, testkit.SQLite)
	ctx, asker := context.Background(), &fakeAsker{role: "org:admin"}
	provider, err := s.provider.Provider()
	s.must(err)
	a := service.NewAccounts(s.db, service.AccountsOptions{
		DisableCache: true, Missions: s.service, Clock: s.clock, Real: s.real, Provider: provider, Secrets: s.secrets, Asker: asker,
	})
	s.must(a.MaintainKeys(ctx))
	login, err := a.Login(ctx, s.token(member("a@example.com", "org:member")))
	s.must(err)
	next, err := a.Refresh(ctx, login.Token)
	s.must(err)
	p, err := a.Identify(ctx, next.Token)
	s.must(err)
	if !p.Has(mission.ScopeAdmin) || len(asker.asked) != 1 || asker.asked[0].OrganizationID != "org_1" || asker.asked[0].SessionID == "" || asker.asked[0].Subject == "" {
		t.Errorf("asked %+v, the caller is %+v", asker.asked, p)
	}
	asker.err = errors.New("an outage")
	if next, err = a.Refresh(ctx, next.Token); err != nil {
		t.Errorf("an outage of the provider's ends a session: %v", err)
	}
	asker.err = identity.ErrGone
	if _, err := a.Refresh(ctx, next.Token); mission.CodeOf(err) != mission.CodeUnauthorized {
		t.Errorf("a session that is over at the provider goes on: %v", err)
	}
	asker.err = nil
	if _, err := a.Identify(ctx, next.Token); mission.CodeOf(err) != mission.CodeUnauthorized {
		t.Errorf("its token works: %v", err)
	}
	if _, err := a.Refresh(ctx, next.Token); mission.CodeOf(err) != mission.CodeUnauthorized {
		t.Errorf("it is refreshed again: %v", err)
	}
}
