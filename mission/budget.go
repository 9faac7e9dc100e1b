package mission

import "time"

// Micros is an amount of money: millionths of the budget's currency unit, so
// 10,000 are a cent. Fees and tokens cost fractions of a cent.
type Micros int64

// MicrosPerCent is how many Micros a cent has.
const MicrosPerCent Micros = 10_000

// Cents returns the amount in cents, rounded up.
func (m Micros) Cents() int64 { return int64((m + MicrosPerCent - 1) / MicrosPerCent) }

// SpendingKind is what money is spent on.
type SpendingKind string

// What money is spent on.
const (
	SpendWriting    SpendingKind = "writing"    // a writer's call
	SpendPublishing SpendingKind = "publishing" // a platform's fee for posts
	SpendMeasuring  SpendingKind = "measuring"  // a platform's fee for figures and for replies
)

// Spending is a reservation of a mission's money: made before a call that costs
// money, settled after it. One that is never settled, because the process was
// killed in between, counts as spent in full when the call is made again.
type Spending struct {
	ID        string `bun:",pk"`
	TenantID  string
	MissionID string
	JobID     string
	Kind      SpendingKind
	// Subject is what the call is about: a content, or a position in a plan. It
	// has at most one open reservation.
	Subject   string
	Reserved  Micros `bun:"reserved_micros"`
	CreatedAt time.Time
}

// SpentCents returns what the mission's calls cost so far, in cents, rounded up.
func (m Mission) SpentCents() int64 { return m.Spent.Cents() }

// ReservedCents returns what the calls under way may cost, in cents, rounded up.
func (m Mission) ReservedCents() int64 { return m.Reserved.Cents() }

// CodeBudgetExhausted is the code of a failure because the budget is used up.
const CodeBudgetExhausted = "budget_exhausted"

// Affords reports whether the mission's budget allows another call at a price.
func (m Mission) Affords(price Micros) bool {
	b := m.Constraints.BudgetCents
	return b == nil || m.Spent+m.Reserved+price <= Micros(*b)*MicrosPerCent
}

// BudgetExhausted returns the failure of a call that the budget doesn't allow.
func BudgetExhausted() Failure {
	return Failure{Code: CodeBudgetExhausted, Message: "The mission's budget is used up."}
}
