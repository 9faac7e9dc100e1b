package mission

import "testing"

// Each plan has its own limit on an operation's cost; an unknown plan has the
// smallest.
func TestCostLimits(t *testing.T) {
	for _, plan := range AllPlans() {
		if costs[plan] == 0 {
			t.Errorf("%s has no limit", plan)
		}
	}
	for plan, want := range map[TenantPlan]int{PlanFree: 5000, PlanPro: 10000, PlanEnterprise: 20000, "": 5000} {
		if got := (Principal{Plan: plan}).CostLimit(); got != want {
			t.Errorf("%q: got the cost limit %d, want %d", plan, got, want)
		}
	}
}
