package mission

import (
	"maps"
	"slices"
	"time"
)

// LimitKind is what a limit of a tenant bounds.
type LimitKind string

// The kinds of limits.
const (
	LimitOfRequests     LimitKind = "requests"
	LimitOfCost         LimitKind = "operation_cost"
	LimitOfOperation    LimitKind = "operation"
	LimitOfWebhooks     LimitKind = "webhooks"
	LimitOfIntegrations LimitKind = "integrations"
	LimitOfOwnPosts     LimitKind = "mission_posts"
)

// Limit is a limit of a tenant.
type Limit struct {
	Kind LimitKind
	// Operation is what a LimitOfOperation bounds.
	Operation Operation
	// Max is how much is allowed: in each Per, or altogether if that is 0.
	Max int
	Per time.Duration
	// Burst is how many of the requests may come at the same time; 0 for other kinds.
	Burst int
}

// TenantLimits returns the limits of the principal's tenant, by its plan and its
// overrides: those of operations in the order of their names.
func (p Principal) TenantLimits() []Limit {
	requests := p.Allowance()
	list := []Limit{
		{Kind: LimitOfRequests, Max: requests.Limit, Per: requests.Per, Burst: requests.Burst},
		{Kind: LimitOfCost, Max: p.CostLimit()},
	}
	for _, op := range slices.Sorted(maps.Keys(operations)) {
		if of, rate, ok := p.AllowanceOf(op); ok && of == op {
			list = append(list, Limit{Kind: LimitOfOperation, Operation: op, Max: rate.Limit, Per: rate.Per})
		}
	}
	return append(list, Limit{Kind: LimitOfWebhooks, Max: MaxWebhooks}, Limit{Kind: LimitOfIntegrations, Max: MaxIntegrations},
		Limit{Kind: LimitOfOwnPosts, Max: MaxOwnPosts})
}
