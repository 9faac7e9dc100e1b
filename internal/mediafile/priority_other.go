//go:build !linux

package mediafile

func lowerPriority(int, int) {}
