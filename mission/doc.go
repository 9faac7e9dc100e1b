// Package mission is the language of the service: its types, its state
// machines, its schedule and clock rules, its event catalogue, its operations
// with their scopes, and its error codes.
//
// The package is pure. It imports the standard library and the tables of Unicode's
// normalization forms only, and no rule in it reads a clock, a database, a request
// or a random source: a rule takes what it needs as arguments, and returns what it
// decides. A rule that changes a state
// returns a Change: the state before, the state after, and the events that
// report it. The store writes all three or none.
//
// Times are UTC with millisecond precision everywhere (see Millis).
//
// Records say themselves how they are stored, so that a field stands here alone: a field is the
// column of its name, or of its bun tag's; "-" is none, "scanonly" one that is only read, and
// "nullzero" one of which a zero is NULL. A list is never NULL otherwise: none is stored as an
// empty one.
package mission
