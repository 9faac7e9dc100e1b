package graph

import (
	"sync"

	"missiond/mission"
)

// Bounds of the connections that a process has open, by address. A tenant's are
// bounded by maxTenantStreams.
const (
	// maxAddressStreams lets two tenants behind one address have all of theirs.
	maxAddressStreams = 2 * maxTenantStreams
	// maxAddressWaiting and maxWaiting are those that haven't said who they are.
	maxAddressWaiting = 200
	maxWaiting        = 4_000
)

// visitors counts the connections of each address.
type visitors struct {
	mu      sync.Mutex
	waiting int
	from    map[string]*visitor
}

type visitor struct{ open, waiting int }

// visit is a connection that is counted.
type visit struct {
	all     *visitors
	address string
	waiting bool
	left    bool
}

// enter counts a connection from an address, whose peer hasn't said who it is.
// Errors: rate_limit_exceeded where there are too many.
func (v *visitors) enter(address string) (*visit, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	from := v.from[address]
	if from == nil {
		from = &visitor{}
	}
	if from.open >= maxAddressStreams || from.waiting >= maxAddressWaiting || v.waiting >= maxWaiting {
		return nil, &mission.Error{Code: mission.CodeRateLimitExceeded, RetryAfter: 1, Message: "Too many streams are open from this address."}
	}
	if v.from == nil {
		v.from = map[string]*visitor{}
	}
	v.from[address] = from
	from.open++
	from.waiting++
	v.waiting++
	return &visit{all: v, address: address, waiting: true}, nil
}

// admitted is called when the peer has said who it is.
func (one *visit) admitted() {
	one.all.mu.Lock()
	defer one.all.mu.Unlock()
	one.settle()
}

// leave is called when the connection is closed.
func (one *visit) leave() {
	one.all.mu.Lock()
	defer one.all.mu.Unlock()
	if one.left {
		return
	}
	one.left = true
	one.settle()
	from := one.all.from[one.address]
	if from.open--; from.open == 0 {
		delete(one.all.from, one.address)
	}
}

func (one *visit) settle() {
	if one.waiting {
		one.waiting = false
		one.all.waiting--
		one.all.from[one.address].waiting--
	}
}
