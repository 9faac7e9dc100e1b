package mission

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// Rate is an allowance: a bucket of Limit plus Burst, which refills at
// Limit per Per.
type Rate struct {
	Limit, Burst int
	Per          time.Duration
}

// The names in a tenant's Limits that override its plan's own; the others are
// operations.
const (
	LimitRequests = "requests"
	LimitBurst    = "burst"
)

// rates are the plans' (interface, section 8; decisions, "Limits").
var rates = map[TenantPlan]Rate{
	PlanFree:       {Limit: 60, Burst: 10, Per: time.Minute},
	PlanPro:        {Limit: 300, Burst: 50, Per: time.Minute},
	PlanEnterprise: {Limit: 1000, Burst: 200, Per: time.Minute},
}

// costs is the highest cost of a GraphQL operation, by plan (the GraphQL
// contract, "Guards").
var costs = map[TenantPlan]int{PlanFree: 5000, PlanPro: 10000, PlanEnterprise: 20000}

// LoginRate is how often one person of an identity provider may log in.
var LoginRate = Rate{Limit: 100, Per: time.Hour}

// Limits override a plan's allowances: "missions.create": "1000/h",
// "requests": "5000/m", "burst": "500".
type Limits map[string]string

var rateForm = regexp.MustCompile(`^([1-9][0-9]{0,8})/([mh])$`)

// ParseRate parses an allowance such as 1000/h or 60/m. Errors are for
// operators.
func ParseRate(text string) (Rate, error) {
	parts := rateForm.FindStringSubmatch(text)
	if parts == nil {
		return Rate{}, fmt.Errorf("%q is not of the form 1000/h or 60/m", text)
	}
	n, err := strconv.Atoi(parts[1])
	return Rate{Limit: n, Per: map[string]time.Duration{"m": time.Minute, "h": time.Hour}[parts[2]]}, err
}

// Check returns an error if an override is invalid. Errors are for operators.
func (l Limits) Check() error {
	for name, text := range l {
		var err error
		switch policy, ok := PolicyOf(Operation(name)); {
		case policy.Allowance != "":
			return fmt.Errorf("%s takes from the allowance of %s", name, policy.Allowance)
		case name == LimitBurst:
			_, err = strconv.ParseUint(text, 10, 31)
		case name == LimitRequests || ok:
			_, err = ParseRate(text)
		default:
			return fmt.Errorf("unknown operation %q", name)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// Allowance returns the request rate of the principal's tenant, by its plan and
// its overrides.
func (p Principal) Allowance() Rate {
	rate, ok := rates[p.Plan]
	if !ok {
		rate = rates[PlanFree]
	}
	if own, err := ParseRate(p.Limits[LimitRequests]); err == nil {
		rate.Limit, rate.Per = own.Limit, own.Per
	}
	if burst, err := strconv.Atoi(p.Limits[LimitBurst]); err == nil {
		rate.Burst = burst
	}
	return rate
}

// CostLimit returns what one GraphQL operation of the principal may cost, by
// its tenant's plan.
func (p Principal) CostLimit() int {
	if limit, ok := costs[p.Plan]; ok {
		return limit
	}
	return costs[PlanFree]
}

// AllowanceOf returns how often the principal's tenant may do an operation, in
// addition to its plan's allowance, and the operation whose allowance that is: its own, or
// that of another that does the same. ok is false if it has no bound of its own.
func (p Principal) AllowanceOf(op Operation) (of Operation, r Rate, ok bool) {
	policy, _ := PolicyOf(op)
	if policy.Allowance != "" {
		return p.AllowanceOf(policy.Allowance)
	}
	if own, err := ParseRate(p.Limits[string(op)]); err == nil {
		return op, own, true
	}
	return op, Rate{Limit: policy.PerHour, Per: time.Hour}, policy.PerHour > 0
}

// RateLimited returns the error for a request that may be retried after wait.
func RateLimited(wait time.Duration, format string, args ...any) *Error {
	seconds := int((wait + time.Second - 1) / time.Second)
	return &Error{Code: CodeRateLimitExceeded, Message: fmt.Sprintf(format, args...), RetryAfter: max(1, seconds)}
}
