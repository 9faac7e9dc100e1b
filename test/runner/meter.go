package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// period is how often the processes of tests are looked at. What a process takes after the last look counts as building.
const period = 200 * time.Millisecond

// meter measures what the tests of a go test take: their time from its output, their CPU from /proc (without it, none).
// What a package's process and those that it started took since the last look is shared evenly by the tests and subtests
// that run, and is their root tests'. What servers take that were there before is in none.
type meter struct {
	mu       sync.Mutex
	folders  map[string]string // the import path of each package's folder
	packages map[string]*running
	seen     map[int]time.Duration // by the process of a package
}

// running is a package whose tests run.
type running struct {
	measured
	roots map[string]*timed
	begun map[string]bool
	// now are the tests and subtests that run, but for those that wait for a subtest, or have begun parallel ones, for which
	// they will wait.
	now map[string]bool
	// beside are the subtests that waited for their turn: the time of others is part of their parents'.
	beside map[string]bool
}

func newMeter() *meter {
	return &meter{folders: map[string]string{}, packages: map[string]*running{}, seen: map[int]time.Duration{}}
}

// find learns where a command's packages are. Without that, no CPU is measured of them.
func (m *meter) find(ctx context.Context, c command) {
	args := []string{"list", "-e", "-f", "{{.Dir}}\t{{.ImportPath}}"}
	for _, f := range c.flags {
		if strings.HasPrefix(f, "-C") {
			args = append([]string{args[0], f}, args[1:]...)
		}
	}
	out, err := exec.CommandContext(ctx, "go", append(args, c.packages...)...).Output()
	if err != nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for line := range strings.Lines(string(out)) {
		if folder, name, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			m.folders[folder] = name
		}
	}
}

// take takes an event of go test's.
func (m *meter) take(e event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.packages[e.Package]
	if p == nil {
		p = &running{
			measured: measured{timed: timed{Name: e.Package}}, roots: map[string]*timed{}, begun: map[string]bool{},
			now: map[string]bool{}, beside: map[string]bool{},
		}
		m.packages[e.Package] = p
	}
	root, parts, _ := strings.Cut(e.Test, "/")
	switch e.Action {
	case "run", "cont":
		if p.roots[root] == nil {
			p.roots[root] = &timed{Name: root}
		}
		p.now[e.Test], p.begun[e.Test] = true, true
		if e.Action == "run" {
			delete(p.now, p.parent(e.Test))
		}
	case "pause":
		delete(p.now, e.Test)
		p.beside[e.Test] = true
	case passed, failed, skipped:
		delete(p.now, e.Test)
		switch {
		case e.Test == "":
			p.Wall += e.Elapsed
		case parts == "" || p.beside[e.Test]:
			p.roots[root].Wall += e.Elapsed
		default:
			p.now[p.parent(e.Test)] = true
		}
	}
}

// parent returns the test that a subtest is part of, whose own name may have slashes; "" of a root test.
func (p *running) parent(test string) string {
	for at := strings.LastIndexByte(test, '/'); at > 0; at = strings.LastIndexByte(test, '/') {
		if test = test[:at]; p.begun[test] {
			return test
		}
	}
	return ""
}

// watch looks at the processes below one until the context ends.
func (m *meter) watch(ctx context.Context, of int) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			m.look(of)
		}
	}
}

// look adds what the test processes below one have taken since it last did.
func (m *meter) look(of int) {
	all := processes("/proc")
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, child := range all.below[of] {
		p := m.packages[m.packageOf(child)]
		if p == nil {
			continue
		}
		total := all.tree(child)
		more := (total - m.seen[child]).Seconds()
		m.seen[child] = max(m.seen[child], total)
		if more <= 0 { // a process that left its parent took its CPU along
			continue
		}
		p.add(more)
	}
}

// add adds seconds of CPU.
func (p *running) add(seconds float64) {
	p.CPU += seconds
	for name := range p.now {
		root, _, _ := strings.Cut(name, "/")
		p.roots[root].CPU += seconds / float64(len(p.now))
	}
}

// packageOf returns whose tests a process runs; "" if it runs none.
func (m *meter) packageOf(process int) string {
	at := "/proc/" + strconv.Itoa(process)
	if exe, err := os.Readlink(at + "/exe"); err != nil || !strings.HasSuffix(strings.TrimSuffix(exe, " (deleted)"), ".test") {
		return ""
	}
	folder, err := os.Readlink(at + "/cwd")
	if err != nil {
		return ""
	}
	return m.folders[folder]
}

// part returns what was measured. cpu is what go test took with all that it ran.
func (m *meter) part(cpu time.Duration) (p part) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p.Build = cpu.Seconds()
	for _, one := range m.packages {
		for _, t := range one.roots {
			one.Tests = append(one.Tests, *t)
		}
		p.Build -= one.CPU
		p.Packages = append(p.Packages, one.measured)
	}
	p.Build = max(p.Build, 0)
	return p
}

// table has the processes of a machine.
type table struct {
	cpu   map[int]time.Duration // with that of children that have ended
	below map[int][]int
}

// tree returns what a process has taken, and those below it.
func (t table) tree(process int) (sum time.Duration) {
	left, seen := []int{process}, map[int]bool{}
	for len(left) > 0 {
		next := left[0]
		left = left[1:]
		if seen[next] {
			continue // the table isn't of one instant
		}
		seen[next] = true
		sum += t.cpu[next]
		left = append(left, t.below[next]...)
	}
	return sum
}

// processes reads the table of processes from a folder that is as Linux's /proc (proc(5)); it is empty elsewhere.
func processes(folder string) table {
	t := table{cpu: map[int]time.Duration{}, below: map[int][]int{}}
	files, err := filepath.Glob(folder + "/[0-9]*/stat")
	if err != nil {
		return t
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		// The name of the program, in parentheses, may have any characters.
		after := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		process, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err != nil || len(after) < 15 {
			continue
		}
		var parent, ticks int
		if _, err := fmt.Sscan(string(after[1]), &parent); err != nil {
			continue
		}
		for _, field := range after[11:15] { // utime, stime, cutime, cstime
			n, err := strconv.Atoi(string(field))
			if err != nil {
				continue
			}
			ticks += n
		}
		t.below[parent] = append(t.below[parent], process)
		t.cpu[process] = time.Duration(ticks) * 10 * time.Millisecond // USER_HZ is 100 on all platforms that Go has
	}
	return t
}
