//go:build !race

package mediafile

const raceDetector = false
