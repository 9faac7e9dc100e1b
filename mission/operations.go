package mission

import "slices"

// Scope is a right that a credential holds (interface, section 5).
type Scope string

// The scopes. ScopeAdmin implies every other; ScopeAny is what any valid
// credential holds.
const (
	ScopeAny               Scope = ""
	ScopeMissionsRead      Scope = "missions:read"
	ScopeMissionsWrite     Scope = "missions:write"
	ScopeContentRead       Scope = "content:read"
	ScopeContentWrite      Scope = "content:write"
	ScopeAnalyticsRead     Scope = "analytics:read"
	ScopeIntegrationsRead  Scope = "integrations:read"
	ScopeIntegrationsWrite Scope = "integrations:write"
	ScopeAdmin             Scope = "admin"
)

// AllScopes lists the scopes of the interface.
func AllScopes() []Scope {
	return []Scope{
		ScopeMissionsRead, ScopeMissionsWrite, ScopeContentRead, ScopeContentWrite, ScopeAnalyticsRead,
		ScopeIntegrationsRead, ScopeIntegrationsWrite, ScopeAdmin,
	}
}

// Operation names something that callers do. A REST route and a GraphQL field
// are each registered with theirs.
type Operation string

// The operations.
const (
	OpMissionsList   Operation = "missions.list"
	OpMissionsCreate Operation = "missions.create"
	OpMissionsRead   Operation = "missions.read"
	OpMissionsStatus Operation = "missions.status"
	OpMissionsPause  Operation = "missions.pause"
	OpMissionsResume Operation = "missions.resume"
	OpMissionsDelete Operation = "missions.delete"
	// OpNode reads a record by its id alone; the record's own operation is
	// checked once its type is known.
	OpNode Operation = "node"
)

// Policy is what an operation asks of its caller.
type Policy struct {
	Scope Scope
	// PerHour bounds the operation for a tenant, beside its plan's limit; 0
	// is no bound (interface, section 8).
	PerHour int
}

// operations is the one table: every operation with its policy.
var operations = map[Operation]Policy{
	OpMissionsList:   {Scope: ScopeMissionsRead},
	OpMissionsCreate: {Scope: ScopeMissionsWrite, PerHour: 10},
	OpMissionsRead:   {Scope: ScopeMissionsRead},
	OpMissionsStatus: {Scope: ScopeMissionsRead},
	OpMissionsPause:  {Scope: ScopeMissionsWrite},
	OpMissionsResume: {Scope: ScopeMissionsWrite},
	OpMissionsDelete: {Scope: ScopeMissionsWrite},
	OpNode:           {Scope: ScopeAny},
}

// Operations answers the policy of every operation.
func Operations() map[Operation]Policy {
	table := make(map[Operation]Policy, len(operations))
	for op, p := range operations {
		table[op] = p
	}
	return table
}

// PolicyOf answers op's policy; ok is false for an operation not in the table.
func PolicyOf(op Operation) (p Policy, ok bool) {
	p, ok = operations[op]
	return p, ok
}

// Principal is who calls: a tenant's user, through a session or a key.
type Principal struct {
	TenantID string
	UserID   string
	KeyID    string // "" in a session
	Scopes   []Scope
}

// Has tells whether the principal holds s.
func (p Principal) Has(s Scope) bool {
	return s == ScopeAny || slices.Contains(p.Scopes, s) || slices.Contains(p.Scopes, ScopeAdmin)
}

// Check answers whether the principal may do op. Errors: forbidden, naming the
// scope; internal_error for an operation that isn't in the table.
func (p Principal) Check(op Operation) error {
	policy, ok := PolicyOf(op)
	if !ok {
		return &Error{Code: CodeInternal, Message: "The operation " + string(op) + " has no policy."}
	}
	if !p.Has(policy.Scope) {
		return Forbidden(policy.Scope)
	}
	return nil
}

// TenantPlan is what a tenant pays for.
type TenantPlan string

// The plans of the interface's section 8.
const (
	PlanFree       TenantPlan = "free"
	PlanPro        TenantPlan = "pro"
	PlanEnterprise TenantPlan = "enterprise"
)

// AllPlans lists the plans.
func AllPlans() []TenantPlan { return []TenantPlan{PlanFree, PlanPro, PlanEnterprise} }
