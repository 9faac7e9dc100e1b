//go:build !race

package tasks

// thin: see race_test.go.
const thin = false
