package oauth_test

import (
	"testing"

	"missiond/internal/service/accounts"
	"missiond/internal/service/agents"
	"missiond/mission"
)

// An agent that is revoked in one process is refused in all when Revoke returns, though they have looked its token up before.
func TestRevokedEverywhere(t *testing.T) {
	t.Parallel()
	each(t, nil, func(w *world) {
		process := func() *accounts.Service { return accounts.New(w.db, accounts.Options{Clock: w.clock, Real: w.clock}) }
		processes := []*accounts.Service{process(), process()}
		service := agents.New(w.db, agents.Options{Clock: w.clock, Real: w.clock, Issuer: issuer, Callers: processes[0]})
		a, access, _ := w.connect()
		for i, p := range processes {
			if _, err := p.AuthenticateAgent(w.Context(), access); err != nil {
				t.Fatalf("process %d: %v", i, err)
			}
		}
		_, err := service.Revoke(w.Context(), w.person, a.ID)
		w.must(err)
		for i, p := range processes {
			if _, err := p.AuthenticateAgent(w.Context(), access); mission.CodeOf(err) != mission.CodeUnauthorized {
				t.Errorf("process %d: %v", i, err)
			}
		}
	})
}
