package mission

// turns assigns a mission's posts to its platforms and objectives by their
// number, from 0, without knowing the earlier assignments.
//
//   - Platforms take turns: after any number of posts their counts differ by one
//     at most.
//   - After any number of rounds, and so after as many posts as the least common
//     multiple of parts, platforms and objectives, the counts of the pairs of an
//     objective and a platform differ by one at most, and so do those of an
//     objective and a part of the day, and of a platform and a part of the day.
//   - After parts times platforms times objectives posts, each objective has been
//     on each platform at each part of the day once.
type turns struct {
	// parts are the parts of a posting day; post n has the part n modulo parts.
	parts, platforms, objectives int
}

// round returns the number of posts after which days and the platforms' turns
// end together. shared is the greatest common divisor of parts and platforms.
func (t turns) round() (posts, shared int) {
	shared = greatestCommonDivisor(t.parts, t.platforms)
	return t.parts / shared * t.platforms, shared
}

// whole returns the number of posts after which all combinations have occurred.
func (t turns) whole() int { return t.parts * t.platforms * t.objectives }

// platform returns the index of the platform of post n. Within a round, a part of
// the day meets only every shared-th platform: each round begins one later.
func (t turns) platform(n int) int {
	round, shared := t.round()
	return (n + n/round%shared) % t.platforms
}

// objective returns the index of the objective of post n.
//
// Within a round, a part of the day meets each of its platforms once. Their
// objectives, and likewise those of a platform at each of its parts, are spaced
// evenly on a circle of all the objectives, which makes any stretch of the circle
// have its share but for one. Each round moves all of them by one, so that rounds
// sum up to such stretches; where the rounds and the circle share a divisor, one
// more after each time that they end together.
//
// Where it keeps that order for the platforms too, the parts that share a round's
// platforms begin two apart, as a part and its platform move in opposite
// directions then. Else they have one objective in a round.
func (t turns) objective(n int) int {
	round, shared := t.round()
	part, platform, rounds := n%t.parts, t.platform(n), n/round
	parts, platforms := t.parts/shared, t.platforms/shared
	x, y := alternating(platform/shared, platforms, t.objectives), part/shared
	if platforms == 1 {
		y = alternating(y, parts, t.objectives)
	}
	index := t.objectives*(x*parts+y*platforms)/(parts*platforms) + rounds
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
