//go:build race

package simulate

// thin has the longest tests try less: the race detector makes them ten times
// as long, and finds its races in a part of them.
const thin = true
