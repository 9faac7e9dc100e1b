package learning

// turns assigns a mission's posts to its destinations and objectives by their
// number, from 0, without knowing the earlier assignments.
//
//   - Destinations take turns: after any number of posts their counts differ by one
//     at most.
//   - After any number of rounds, and so after as many posts as the least common
//     multiple of parts, destinations and objectives, the counts of the pairs of an
//     objective and a destination differ by one at most, and so do those of an
//     objective and a part of the day, and of a destination and a part of the day.
//   - After parts times destinations times objectives posts, each objective has been
//     on each destination at each part of the day once.
type turns struct {
	// parts are the parts of a posting day; post n has the part n modulo parts.
	parts, destinations, objectives int
}

// round returns the number of posts after which days and the destinations' turns
// end together. shared is the greatest common divisor of parts and destinations.
func (t turns) round() (posts, shared int) {
	shared = greatestCommonDivisor(t.parts, t.destinations)
	return t.parts / shared * t.destinations, shared
}

// whole returns the number of posts after which all combinations have occurred.
func (t turns) whole() int { return t.parts * t.destinations * t.objectives }

// destination returns the index of the destination of post n. Within a round, a part of
// the day meets only every shared-th destination: each round begins one later.
func (t turns) destination(n int) int {
	round, shared := t.round()
	return (n + n/round%shared) % t.destinations
}

// objective returns the index of the objective of post n.
//
// Within a round, a part of the day meets each of its destinations once. Their
// objectives, and likewise those of a destination at each of its parts, are spaced
// evenly on a circle of all the objectives, which makes any stretch of the circle
// have its share but for one. Each round moves all of them by one, so that rounds
// sum up to such stretches; where the rounds and the circle share a divisor, one
// more after each time that they end together.
//
// Where it preserves that order for the destinations too, the parts that share a round's
// destinations begin two apart, as a part and its destination move in opposite
// directions then. Else they have one objective in a round.
func (t turns) objective(n int) int {
	round, shared := t.round()
	part, destination, rounds := n%t.parts, t.destination(n), n/round
	parts, destinations := t.parts/shared, t.destinations/shared
	x, y := alternating(destination/shared, destinations, t.objectives), part/shared
	if destinations == 1 {
		y = alternating(y, parts, t.objectives)
	}
	index := t.objectives*(x*parts+y*destinations)/(parts*destinations) + rounds
	index += rounds / (shared / greatestCommonDivisor(shared, t.objectives) * t.objectives)
	if 2*shared%t.objectives == 0 {
		index += 2 * (part % shared)
	}
	return index % t.objectives
}

// alternating returns the index of i among n numbers ordered by their
// remainder, so that neighbors have different objectives if possible.
func alternating(i, n, by int) int {
	index := i / by
	for remainder := range i % by {
		index += (n - remainder + by - 1) / by
	}
	return index
}

// greatestCommonDivisor returns that of two numbers above 0.
func greatestCommonDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
