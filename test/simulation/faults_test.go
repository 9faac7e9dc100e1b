package simulation

import (
	"fmt"
	"time"
)

// fault is what goes wrong at a point; "" if nothing does.
type fault string

const (
	faultLostBefore  fault = " LOST BEFORE"  // the connection, before the statement has run
	faultLostAfter   fault = " LOST AFTER"   // the connection, before its result came
	faultCrashBefore fault = " CRASH BEFORE" // the process
	faultCrashAfter  fault = " CRASH AFTER"
	faultStall       fault = " STALLED"
	faultFreeze      fault = " FROZEN" // the whole process

	faultCut fault = " CUT" // the request, whose client has gone

	// Of calls.
	faultRefused fault = " REFUSED" // there is no connection
	faultSilent  fault = " SILENT"  // the answer never comes, nothing was done
	faultUnheard fault = " UNHEARD" // the answer never comes, all was done
	faultLate    fault = " LATE"    // the answer comes when nobody listens any more
	faultBusy    fault = " BUSY"    // 503
	faultLimited fault = " LIMITED" // 429
	faultTwice   fault = " TWICE"   // the platform takes it twice
)

// Chances of faults, in ten thousand.
const (
	whole          = 10_000
	chanceLost     = 20
	chanceCrash    = 10
	chanceStall    = 15
	chanceFreeze   = 12
	chanceCut      = 150
	chanceCall     = 600
	chancePost     = 2500 // of a call that publishes
	chanceFavored  = 6000 // of one on the platform that all missions are for
	chanceDown     = 3000 // that a server is down within four hours
	chanceForget   = 200
	chanceTwice    = 400  // that Redis hands a task over twice
	chanceDowntime = 1500 // that a downtime is long
	chanceJump     = 1500 // that a clock is wrong
)

// The longest of what goes wrong for some time.
const (
	stallTime  = 45 * time.Second // a lease is 15 s
	longDown   = 90 * time.Minute
	shortDown  = 40 * time.Second
	longOutage = 40 * time.Minute
	drift      = 300 * time.Millisecond
	jump       = 90 * time.Second
)

// draw draws what goes wrong at a point, once. The caller has the lock.
func (s *sim) draw(p *point, now time.Time) {
	if p.drawn {
		return
	}
	p.drawn = true
	if s.calm {
		return
	}
	r := s.keyed("point", p.n)
	n := r.IntN(whole)
	below := func(chance int) bool { n -= chance; return n < 0 }
	var f fault
	switch {
	case below(chanceCrash):
		f = faultCrashBefore
	case below(chanceStall):
		f = faultStall
	case below(chanceFreeze):
		f = faultFreeze
	case p.conn != nil && below(chanceCrash):
		f = faultCrashAfter
	case p.conn != nil && below(chanceLost):
		f = faultLostBefore
	case p.conn != nil && below(chanceLost):
		f = faultLostAfter
	case p.cut != nil && below(chanceCut):
		f = faultCut
	case p.kind == atCall && below(chanceCall), p.publishes && below(chancePost-chanceCall), p.favored && below(chanceFavored-chancePost):
		f = []fault{faultRefused, faultSilent, faultUnheard, faultUnheard, faultLate, faultBusy, faultLimited, faultTwice}[r.IntN(8)]
	default:
		return
	}
	if !s.happens(fmt.Sprintf("point %d%s", p.n, f)) {
		return
	}
	s.covered[string(p.kind)+string(f)]++
	p.fault = f
	pause := time.Duration(1 + r.Int64N(int64(stallTime)))
	if f == faultStall {
		p.until = now.Add(pause)
	}
	if f == faultFreeze {
		p.of.frozen = now.Add(pause)
	}
}

// downtime returns how long an instance stays dead.
func (s *sim) downtime(i *instance) time.Duration {
	if s.calm {
		return time.Second
	}
	r := s.keyed(fmt.Sprint("downtime ", i.n), uint64(i.generation))
	most := shortDown
	if r.IntN(whole) < chanceDowntime {
		most = longDown
	}
	return time.Duration(r.Int64N(int64(most)))
}

// drift returns how far an instance's clock is ahead.
func (s *sim) drift(i *instance) time.Duration {
	if s.plan.calm {
		return 0
	}
	r := s.keyed(fmt.Sprint("drift ", i.n), uint64(i.generation))
	most := drift
	if r.IntN(whole) < chanceJump && !s.calm && s.happens(fmt.Sprintf("clock of %d in %d", i.n, i.generation)) {
		most = jump
		s.count("clock jumped")
	}
	return time.Duration(r.Int64N(2*int64(most))) - most
}

// down reports whether a server is down: within some hours it is, for up to forty minutes.
func (s *sim) down(host string, now time.Time) bool {
	if s.calm {
		return false
	}
	const span, most = 4 * time.Hour, longOutage
	n := uint64(now.Sub(s.began) / span)
	r := s.keyed("down "+host, n)
	from := time.Duration(n)*span + time.Duration(r.Int64N(int64(span-most)))
	lasts := time.Duration(r.Int64N(int64(most)))
	if at := now.Sub(s.began); r.IntN(whole) >= chanceDown || at < from || at > from+lasts {
		return false
	}
	key := fmt.Sprintf("down %s %d", host, n)
	if known, ok := s.outages[key]; ok {
		return known
	}
	s.outages[key] = s.happens(key)
	s.covered["server down"]++
	return s.outages[key]
}

// forgets reports whether Redis loses what was dispatched.
func (s *sim) forgets() bool {
	s.dispatches++
	if s.calm || s.keyed("forget", s.dispatches).IntN(whole) >= chanceForget || !s.happens(fmt.Sprintf("forget %d", s.dispatches)) {
		return false
	}
	s.count("redis forgot")
	return true
}

// handsTwice reports whether Redis hands a task over twice.
func (s *sim) handsTwice() bool {
	s.handed++
	if s.calm || s.keyed("hand", s.handed).IntN(whole) >= chanceTwice || !s.happens(fmt.Sprintf("hand %d", s.handed)) {
		return false
	}
	s.count("redis handed twice")
	return true
}

// everyFault returns what may go wrong, as it is counted.
func everyFault() []string {
	all := []string{"server down", "server limits all calls", "redis forgot", "redis handed twice", "clock jumped", "instance crashed"}
	for _, k := range []kind{atBegin, atWrite, atCommit} {
		for _, f := range []fault{faultLostBefore, faultLostAfter, faultCrashBefore, faultCrashAfter, faultStall, faultFreeze} {
			all = append(all, string(k)+string(f))
		}
	}
	all = append(all, string(atBegin)+string(faultCut), string(atWrite)+string(faultCut), string(atCommit)+string(faultCut), string(atCall)+string(faultCut))
	for _, f := range []fault{faultCrashBefore, faultStall, faultFreeze, faultRefused, faultSilent, faultUnheard, faultLate, faultBusy, faultLimited, faultTwice} {
		all = append(all, string(atCall)+string(f))
	}
	for _, f := range []fault{faultCrashBefore, faultStall, faultFreeze} {
		all = append(all, string(atAnswer)+string(f))
	}
	return all
}
