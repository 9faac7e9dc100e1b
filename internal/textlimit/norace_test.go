//go:build !race

package textlimit

// allocated bounds what cutting a text allocates, in bytes a byte.
const allocated = 1 << 10
