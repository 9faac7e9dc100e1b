package node

import "time"

// Clock is what the service's clock shows.
type Clock struct {
	Now   time.Time
	Speed float64
}
