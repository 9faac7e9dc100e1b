package stream

import (
	"sync"

	"missiond/mission"
)

// Limits of a process's open connections, by address. maxTenantStreams limits a
// tenant's.
const (
	// maxAddressStreams lets two tenants behind one address have all of theirs.
	maxAddressStreams = 2 * maxTenantStreams
	// maxAddressWaiting and maxWaiting limit connections that haven't authenticated
	// yet.
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

// visit is a counted connection.
type visit struct {
	all     *visitors
	address string
	waiting bool
	left    bool
}

// enter counts a connection from an address, whose peer hasn't authenticated yet.
// Errors: rate_limit_exceeded if there are too many.
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

// admitted is called when the peer has authenticated.
func (one *visit) admitted() {
	one.all.mu.Lock()
	defer one.all.mu.Unlock()
	one.stopWaiting()
}

// leave is called when the connection is closed.
func (one *visit) leave() {
	one.all.mu.Lock()
	defer one.all.mu.Unlock()
	if one.left {
		return
	}
	one.left = true
	one.stopWaiting()
	from := one.all.from[one.address]
	if from.open--; from.open == 0 {
		delete(one.all.from, one.address)
	}
}

func (one *visit) stopWaiting() {
	if one.waiting {
		one.waiting = false
		one.all.waiting--
		one.all.from[one.address].waiting--
	}
}
