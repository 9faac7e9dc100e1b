package simulation

import (
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"missiond/internal/seal"
)

// plan is all that a run depends on.
type plan struct {
	// seed decides what goes on next, what clients do, and which faults there are.
	seed uint64
	// days is how long clients use the service; then everything comes to rest.
	days int
	// calm has no faults.
	calm bool
	// only, unless it is nil, has the faults and the clients' acts that happen, by their keys:
	// the others are left out. A run is shrunk by it.
	only map[string]bool
	// file, unless it is nil, gets the trace.
	file io.Writer
}

// result is what a run has shown.
type result struct {
	plan     plan
	findings []finding
	// happened are the keys of the faults and acts, in their order.
	happened []string
	// covered counts what has happened, by name.
	covered map[string]int
	// hash is that of the trace, lines the number of its lines.
	hash  uint64
	lines int
	// tail is the trace's end.
	tail  []string
	steps uint64
	// missionDays is the sum of the days that missions lasted.
	missionDays float64
}

// finding is a promise that was broken.
type finding struct {
	check, id, want, is string
	at                  time.Duration
}

func (f finding) String() string {
	return fmt.Sprintf("%s %s: %s: want %s, got %s", f.at, f.check, f.id, f.want, f.is)
}

// sim is a simulation: instances of the service on one database, what they call, and who
// calls them. All but its loop wait for the loop whenever they reach a point.
type sim struct {
	t      *testing.T
	plan   plan
	folder string
	began  time.Time
	sched  *rand.Rand

	mu        sync.Mutex
	arrived   []*point // since the loop has looked
	parked    []*point
	lock      *conn // has SQLite's write lock
	spawned   uint64
	ended     []ended // since the loop has looked
	wake      chan struct{}
	points    uint64
	steps     uint64
	findings  []finding
	happened  []string
	covered   map[string]int
	trace     *trace
	instances []*instance
	holders   map[string]*taskRun // by task
	outages   map[string]bool     // whether they happen, by key
	ready     []string            // the tasks that were dispatched and that nobody has taken
	swept     time.Time

	outside *outside
	people  *people
	writer  *writer
	secrets *seal.Keyring
	reader  *reader
	ledger  ledger
	// dirty is that something was committed since the ledger was read.
	dirty       bool
	dispatching bool
	dispatches  uint64
	handed      uint64 // tasks
	calm        bool   // no more faults
	over        bool   // the days are over
	audited     time.Time
}

// run runs a plan.
func run(t *testing.T, p plan) (r result) {
	t.Helper()
	cryptotest.SetGlobalRandom(t, p.seed)
	folder, err := os.MkdirTemp(shared(), "missiond-simulation-") //nolint:usetesting // in memory, where there is room
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	synctest.Test(t, func(t *testing.T) {
		pause(time.Until(today)) // a bubble begins in 2000, before there were platforms
		s := &sim{
			t: t, plan: p, folder: folder, began: time.Now(), sched: rand.New(rand.NewPCG(p.seed, 1)),
			wake: make(chan struct{}, 1), covered: map[string]int{}, holders: map[string]*taskRun{}, outages: map[string]bool{}, trace: newTrace(), calm: p.calm,
		}
		ring, err := seal.Parse(seal.NewKey())
		if err != nil {
			t.Fatal(err)
		}
		s.secrets = ring
		s.outside = newOutside(s)
		s.writer = &writer{s: s}
		s.people = newPeople(s)
		if p.file != nil {
			s.trace.out = func(line string) { _, _ = fmt.Fprintln(p.file, line) }
		}
		defer s.end()
		s.begin()
		s.loop()
		r = result{
			plan: p, findings: s.findings, happened: s.happened, covered: s.covered, hash: s.trace.sum.Sum64(), lines: s.trace.lines,
			tail: s.trace.tail, steps: s.steps, missionDays: s.people.missionDays,
		}
	})
	return r
}

// today is when a run begins.
var today = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// shared returns a folder in memory, if there is one.
func shared() string {
	const memory = "/dev/shm"
	if stat, err := os.Stat(memory); err == nil && stat.IsDir() {
		return memory
	}
	return ""
}

func (s *sim) path() string { return filepath.Join(s.folder, "missiond.db") }

// now returns how long the simulation has run, in its own time.
func (s *sim) now() time.Duration { return time.Since(s.began) }

// kind is what a goroutine waits before.
type kind string

const (
	atBegin  kind = "begin"
	atWrite  kind = "write"
	atCommit kind = "commit"
	atCall   kind = "call"   // a call of something outside
	atAnswer kind = "answer" // its answer, which was given
)

// point is where a goroutine waits until the loop lets it go on.
type point struct {
	of         *instance
	generation int
	conn       *conn // nil outside the database
	kind       kind
	text       string
	args       []driver.NamedValue
	who        string // whose it is, of those that are alike; see naming
	goroutine  uint64 // its number, of those that one task has started
	n          uint64
	since      time.Time
	until      time.Time // not before
	drawn      bool
	fault      fault
	publishes  bool               // it is a call that publishes a post
	favored    bool               // to the platform that all missions are for
	cut        context.CancelFunc // ends the request that it is of; nil if it is none's
	goOn       chan verdict
}

// callLimit is the time limit of a call to a platform (tasks.callLimit).
const callLimit = 8 * time.Second

// verdict is how a goroutine goes on.
type verdict int

const (
	onward verdict = iota
	lostBefore
	lostAfter
	crashAfter
	crashed
)

// errors returns those of a statement: before it runs, or after it has.
func (v verdict) errors() (before, after error) {
	switch v {
	case lostBefore:
		return driver.ErrBadConn, nil
	case crashed:
		return errDead, nil
	case lostAfter:
		return nil, driver.ErrBadConn
	case crashAfter:
		return nil, errDead
	default:
		return nil, nil
	}
}

// park waits until the loop lets the point go on, or ctx ends. Errors: ctx's.
func (s *sim) park(ctx context.Context, p *point) (verdict, error) {
	if p.of.generation != p.generation || !p.of.alive() {
		return crashed, nil
	}
	p.goOn, p.since = make(chan verdict, 1), time.Now()
	s.arrive(p)
	select {
	case v := <-p.goOn:
		if v == crashAfter {
			p.of.dying = true // nothing of the instance happens any more but this statement
		}
		return v, nil
	case <-ctx.Done():
		s.mu.Lock()
		defer s.mu.Unlock()
		is := func(o *point) bool { return o == p }
		s.parked, s.arrived = slices.DeleteFunc(s.parked, is), slices.DeleteFunc(s.arrived, is)
		return onward, ctx.Err()
	}
}

// arrive has the loop look at a point.
func (s *sim) arrive(p *point) {
	s.mu.Lock()
	s.arrived = append(s.arrived, p)
	s.mu.Unlock()
	s.signal()
}

// number numbers the points that have arrived. Goroutines that ran at the same time may have
// come in any order, which mustn't decide anything. The caller has the lock.
func (s *sim) number() {
	if len(s.arrived) > 1 {
		slices.SortStableFunc(s.arrived, func(a, b *point) int {
			return cmp.Or(cmp.Compare(a.of.n, b.of.n), cmp.Compare(a.kind, b.kind), cmp.Compare(a.text, b.text), cmp.Compare(fmt.Sprint(a.args), fmt.Sprint(b.args)), cmp.Compare(a.who, b.who), cmp.Compare(a.goroutine, b.goroutine))
		})
	}
	for _, p := range s.arrived {
		s.points++
		p.n = s.points
	}
	s.parked = append(s.parked, s.arrived...)
	s.arrived = nil
}

// signal wakes the loop.
func (s *sim) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *sim) opened(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.of.conns[c] = true
}

func (s *sim) closed(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(c.of.conns, c)
	if s.lock == c {
		s.lock = nil
	}
	c.inTx = false
}

// release gives up the write lock.
func (s *sim) release(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.inTx = false
	s.dirty = true
	if s.lock == c {
		s.lock = nil
	}
}

// begin creates the tenants, and starts the instances.
func (s *sim) begin() {
	s.migrate()
	s.people.arrive()
	for n := range instances {
		i := &instance{sim: s, n: n}
		s.instances = append(s.instances, i)
		i.start()
	}
}

// choice is something that may go on.
type choice struct {
	name string
	do   func()
}

// choices returns what may go on, in an order that depends on nothing but the past.
func (s *sim) choices(now time.Time) []choice {
	var all []choice
	s.mu.Lock()
	s.number()
	for _, p := range s.parked {
		s.draw(p, now)
		if s.eligible(p, now) {
			all = append(all, choice{"point", func() { s.resume(p) }})
		}
	}
	ready := slices.Clone(s.ready)
	s.mu.Unlock()
	for _, i := range s.instances {
		switch {
		case !i.alive() && !now.Before(i.back):
			all = append(all, choice{"start", i.start})
		case !i.alive() || now.Before(i.frozen):
		default:
			if len(ready) > 0 && i.runs < maxRuns {
				id := ready[0]
				all = append(all, choice{"run", func() { s.take(i, id) }})
			}
		}
	}
	if i := s.someone(now); i != nil {
		if !now.Before(s.swept.Add(time.Second)) && s.needsSweep() {
			all = append(all, choice{"sweep", func() { s.sweep(i) }})
		}
		if len(ready) == 0 && s.due(now) {
			all = append(all, choice{"dispatch", func() { s.dispatch(i) }})
		}
	}
	for _, i := range s.instances {
		if i.alive() && i.runs > 0 && !now.Before(i.renewed.Add(renewEvery)) && !now.Before(i.frozen) {
			all = append(all, choice{"renew", func() { s.renew(i) }})
		}
	}
	return append(all, s.people.choices(now)...)
}

// eligible reports whether a point may go on. The caller has the lock.
func (s *sim) eligible(p *point, now time.Time) bool {
	if now.Before(p.until) || now.Before(p.of.frozen) {
		return false
	}
	if p.conn == nil || p.conn.inTx {
		return true
	}
	return s.lock == nil || s.lock == p.conn
}

// resume lets a point go on, with its fault.
func (s *sim) resume(p *point) {
	s.mu.Lock()
	s.parked = slices.DeleteFunc(s.parked, func(o *point) bool { return o == p })
	if p.conn != nil && !p.conn.inTx {
		s.lock = p.conn
	}
	s.mu.Unlock()
	if p.kind == atWrite && strings.Contains(p.text, "sandbox_posts") && time.Since(p.since) > callLimit {
		p.fault = faultLostBefore // the sandbox is a platform: its calls have a limit
	}
	s.trace.point(s.now(), p)
	v := onward
	switch p.fault {
	case faultLostBefore:
		v = lostBefore
	case faultLostAfter:
		v = lostAfter
	case faultCrashAfter:
		v = crashAfter
	case faultCut:
		p.cut()
	case faultCrashBefore:
		p.goOn <- crashed
		s.crash(p.of)
		return
	default: // what else goes wrong does so elsewhere
	}
	p.goOn <- v
}

// loop lets one thing go on at a time until the days are over and everything has come to
// rest.
func (s *sim) loop() {
	restless := s.began.Add(time.Duration(s.plan.days) * 24 * time.Hour)
	for {
		synctest.Wait()
		s.bury()
		s.deliver()
		now := time.Now()
		if !s.over && !now.Before(restless) {
			s.calmDown()
		}
		if now.Sub(s.audited) > auditEvery && s.quiet() {
			s.audited = now
			s.audit(false)
		}
		if len(s.findings) >= maxFindings {
			return
		}
		choices := s.choices(now)
		if len(choices) == 0 {
			if s.atRest() {
				if s.people.finished() {
					return
				}
				continue
			}
			s.pass(now)
			continue
		}
		s.steps++
		c := choices[s.sched.IntN(len(choices))]
		s.trace.step(s.now(), s.steps, c.name, len(choices))
		c.do()
		// No two timers of the service's end at the same instant: which runs first would be
		// anybody's guess.
		pause(time.Microsecond + time.Duration(s.steps%997))
	}
}

// auditEvery is how long after an audit the next quiet instant is audited.
const auditEvery = 24 * time.Hour

// maxFindings ends a run that has found enough.
const maxFindings = 20

// pass lets time pass until something may go on.
func (s *sim) pass(now time.Time) {
	next := s.next(now)
	timer := time.NewTimer(max(next.Sub(now), time.Microsecond))
	defer timer.Stop()
	select {
	case <-s.wake:
	case <-timer.C:
	}
}

// next returns when something may go on by itself, at most a day ahead.
func (s *sim) next(now time.Time) time.Time {
	next := now.Add(24 * time.Hour)
	sooner := func(t time.Time) {
		if t.After(now) && t.Before(next) {
			next = t
		}
	}
	s.mu.Lock()
	for _, p := range s.parked {
		sooner(p.until)
	}
	s.mu.Unlock()
	running := false
	for _, i := range s.instances {
		sooner(i.back)
		sooner(i.frozen)
		if i.runs > 0 {
			running = true
			sooner(i.renewed.Add(renewEvery))
		}
	}
	if running || s.needsSweep() {
		sooner(s.swept.Add(time.Second))
	}
	if at, ok := s.nextTask(); ok {
		sooner(at)
	}
	sooner(s.people.next())
	return next
}

// ended is a goroutine of the service's that has ended.
type ended struct {
	n    uint64 // in the order in which they were started
	done func()
}

// deliver calls what waits for the end of the service's goroutines. Those that ended at the same time, as the tasks do that one
// statement has claimed and lost, may have done so in any order, which mustn't decide anything.
func (s *sim) deliver() {
	for {
		s.mu.Lock()
		all := s.ended
		s.ended = nil
		s.mu.Unlock()
		if len(all) == 0 {
			return
		}
		slices.SortFunc(all, func(a, b ended) int { return cmp.Compare(a.n, b.n) })
		for _, e := range all {
			e.done()
		}
		synctest.Wait()
	}
}

// spawn runs a function of the service's in a goroutine of its own, and calls done in the
// loop once it has ended.
func (s *sim) spawn(do, done func()) {
	s.spawned++
	n := s.spawned
	go func() {
		do()
		s.mu.Lock()
		s.ended = append(s.ended, ended{n, done})
		s.mu.Unlock()
		s.signal()
	}()
}

// found adds a finding, once for each check and id.
func (s *sim) found(check, id, want string, is any) {
	f := finding{check, id, want, fmt.Sprint(is), s.now()}
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.ContainsFunc(s.findings, func(o finding) bool { return o.check == check && o.id == id }) {
		return
	}
	s.findings = append(s.findings, f)
	s.trace.line("%s FOUND %s", s.now(), f)
}

// count counts that something has happened.
func (s *sim) count(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.covered[what]++
}

// happens reports whether a fault or an act that was drawn happens, and records it.
func (s *sim) happens(key string) bool {
	if s.plan.only != nil && !s.plan.only[key] {
		return false
	}
	s.happened = append(s.happened, key)
	return true
}

// keyed returns the random source of one thing, which depends on nothing else.
func (s *sim) keyed(what string, n uint64) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(what))
	_ = binary.Write(h, binary.LittleEndian, n)
	return rand.New(rand.NewPCG(s.plan.seed, h.Sum64()))
}

// end closes everything.
func (s *sim) end() {
	for _, i := range s.instances {
		if i.alive() {
			i.kill()
		}
	}
	s.bury()
	_ = s.reader.db.Close()
	synctest.Wait()
}

// someone returns a living instance, nil if there is none.
func (s *sim) someone(now time.Time) *instance {
	var all []*instance
	for _, i := range s.instances {
		if i.alive() && !now.Before(i.frozen) {
			all = append(all, i)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[int(s.steps)%len(all)]
}

// calmDown ends the faults: everything that was ill recovers.
func (s *sim) calmDown() {
	s.calm, s.over = true, true
	s.people.nextAct = time.Now()
	s.trace.line("%s calm", s.now())
	for _, i := range s.instances {
		i.frozen = time.Time{}
		if !i.alive() {
			i.back = time.Now()
		}
	}
	s.outside.recover()
}

// sorted returns the keys of a map, in order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
