package oauth_test

import (
	"testing"
	"time"

	"missiond/mission"
	"missiond/store"
)

// seen checks whether an agent is shown as working, and as pending.
func (w *world) seen(what string, a mission.Agent, working, pending bool) {
	w.Helper()
	found, err := w.agents.Agent(w.Context(), w.person, a.ID)
	w.must(err)
	list, err := w.agents.See(w.Context(), w.person, found)
	w.must(err)
	w.want(what+": working", list[0].Working, working)
	w.want(what+": pending", list[0].Pending, pending)
}

// A client has a minute to exchange its code. Until it does its agent is pending, and ends then if it hasn't.
func TestUnusedConsent(t *testing.T) {
	t.Parallel()
	each(t, nil, func(w *world) {
		connected, access, refresh := w.connect()
		w.seen("once connected", connected, true, false)
		w.clock.pass(mission.CodeLife)
		w.must(w.agents.EndUnused(w.Context()))
		w.seen("after a minute", connected, true, false)
		w.want("its token works", w.works(access), true)
		w.want("refreshing", w.refresh(refresh).Code, 200)

		a, code := w.consent()
		w.seen("allowed", a, false, true)
		w.clock.pass(mission.CodeLife - time.Millisecond)
		w.must(w.agents.EndUnused(w.Context()))
		w.seen("until its code expires", a, false, true)
		w.clock.pass(time.Millisecond)
		w.seen("once it has", a, false, false)
		w.must(w.agents.EndUnused(w.Context()))
		ended, err := w.agents.Agent(w.Context(), w.person, a.ID)
		w.must(err)
		if ended.RevokedAt == nil {
			t.Error("the agent hasn't ended")
		}
		log, err := w.accounts.AuditLog(w.Context(), w.person, mission.AuditFilter{TargetID: a.ID, Action: mission.AuditAgentRevoked}, store.Page{Limit: 2})
		w.must(err)
		if len(log.List) != 1 || log.List[0].Details["why"] != "never_connected" {
			t.Errorf("the audit log has %+v", log.List)
		}
		w.refused("the code", w.redeem(code), "invalid_grant")
		w.must(w.agents.EndUnused(w.Context())) // nothing is left to do
		again, _ := w.consent()
		w.seen("another consent", again, false, true)
	})
}
