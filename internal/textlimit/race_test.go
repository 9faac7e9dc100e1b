//go:build race

package textlimit

// allocated bounds what cutting a text allocates, in bytes a byte: the race
// detector drops buffers from pools, regexp's among them.
const allocated = 8 << 10
