package mission

// Policy is what an operation requires of its caller.
type Policy struct {
	Scope Scope
	// Also is a scope that is needed in addition, or ScopeAny: always, or in
	// the case that AlsoWhen describes, which the service method checks.
	Also     Scope
	AlsoWhen string
	// Open reports that no caller is needed: the operation's input is the
	// credential.
	Open bool
	// PerHour bounds the operation for a tenant, in addition to its plan's
	// limit; 0 is no bound (interface, section 8).
	PerHour int
	// Allowance is the operation from whose allowance this one takes, since it does the same;
	// "" is its own.
	Allowance Operation
	// Rows is how many rows weigh as much as a request (Weight); 0 is any number.
	Rows int
}

// Weight returns from how many requests' allowance an operation takes that makes or changes
// so many rows: one, and one more for each Rows of them (decisions, "Limits").
func (p Policy) Weight(rows int) int {
	if p.Rows == 0 {
		return 1
	}
	return 1 + rows/p.Rows
}

// Needs returns, in words, which scopes an operation needs; shown formats each
// scope.
func (p Policy) Needs(shown func(Scope) string) string {
	switch {
	case p.Open:
		return "Needs no credential other than its input."
	case p.Scope == ScopeAny:
		return "Needs any valid credential."
	case p.Also == ScopeAny:
		return "Needs the scope " + shown(p.Scope) + "."
	case p.AlsoWhen == "":
		return "Needs the scopes " + shown(p.Scope) + " and " + shown(p.Also) + "."
	}
	return "Needs the scope " + shown(p.Scope) + "; " + shown(p.Also) + " too " + p.AlsoWhen + "."
}
