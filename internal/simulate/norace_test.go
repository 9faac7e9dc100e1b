//go:build !race

package simulate

// thin: see race_test.go.
const thin = false
