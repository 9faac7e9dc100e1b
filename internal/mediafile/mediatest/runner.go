package mediatest

import "missiond/internal/mediafile"

// NewRunner returns a Runner of at most n children, which don't give way to other processes: on a busy machine a test of many
// files would never be done.
func NewRunner(n int) *mediafile.Runner {
	r := mediafile.NewRunner(n)
	r.Niceness = 0
	return r
}
