package devenv

import (
	"testing"

	"missiond/mission"
)

// In a development run each operation that is limited by the hour may be done a thousand
// times.
func TestDemoLimits(t *testing.T) {
	p := mission.Principal{Plan: mission.PlanFree, Limits: demoLimits()}
	if err := p.Limits.Check(); err != nil {
		t.Error(err)
	}
	for op := range mission.Operations() {
		if _, rate, ok := p.AllowanceOf(op); ok && rate.Limit != 1000 {
			t.Errorf("%s may be done %d times", op, rate.Limit)
		}
	}
}
