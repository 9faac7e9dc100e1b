package mission

import (
	"slices"
	"testing"
	"time"
)

// The limits are those that are enforced: the plan's, and a tenant's own in their
// place.
func TestTenantLimits(t *testing.T) {
	of := func(p Principal, kind LimitKind, op Operation) (found Limit) {
		t.Helper()
		list := p.TenantLimits()
		i := slices.IndexFunc(list, func(l Limit) bool { return l.Kind == kind && l.Operation == op })
		if i < 0 {
			return Limit{}
		}
		return list[i]
	}
	own := Principal{Plan: PlanFree, Limits: Limits{"missions.create": "7/m", "burst": "3", "content.edit": "9/h"}}
	for _, c := range []struct {
		p    Principal
		kind LimitKind
		op   Operation
		want Limit
	}{
		{Principal{Plan: PlanPro}, LimitOfRequests, "", Limit{LimitOfRequests, "", 300, time.Minute, 50}},
		{own, LimitOfRequests, "", Limit{LimitOfRequests, "", 60, time.Minute, 3}},
		{Principal{Plan: PlanPro}, LimitOfCost, "", Limit{LimitOfCost, "", 10000, 0, 0}},
		{Principal{Plan: PlanPro}, LimitOfOperation, OpMissionsCreate, Limit{LimitOfOperation, OpMissionsCreate, 10, time.Hour, 0}},
		{own, LimitOfOperation, OpMissionsCreate, Limit{LimitOfOperation, OpMissionsCreate, 7, time.Minute, 0}},
		{own, LimitOfOperation, OpContentEdit, Limit{LimitOfOperation, OpContentEdit, 9, time.Hour, 0}},
		{Principal{Plan: PlanPro}, LimitOfOperation, OpContentEdit, Limit{}},
		{own, LimitOfWebhooks, "", Limit{LimitOfWebhooks, "", MaxWebhooks, 0, 0}},
	} {
		if got := of(c.p, c.kind, c.op); got != c.want {
			t.Errorf("%s %s is %+v, want %+v", c.kind, c.op, got, c.want)
		}
	}
	for _, kind := range []LimitKind{LimitOfRequests, LimitOfCost, LimitOfOperation, LimitOfWebhooks, LimitOfIntegrations, LimitOfOwnPosts} {
		if !slices.ContainsFunc(own.TenantLimits(), func(l Limit) bool { return l.Kind == kind }) {
			t.Errorf("there is no limit of %s", kind)
		}
	}
}
