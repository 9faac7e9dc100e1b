package servers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A pooler that crashes as PgBouncer 1.18 does is started again; one that ends otherwise
// stays away, and its end is the error of the start.
func TestSupervised(t *testing.T) {
	for name, c := range map[string]struct {
		last    string
		restart bool
	}{
		"a known crash": {"2026-11-25 03:06:26.381 UTC [13398] FATAL @src/server.c:583 in function server_proto(): server_proto: server in bad state: 11", true},
		"another end":   {"2026-11-25 03:06:26.381 UTC [13398] FATAL cannot listen on any address", false},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			log, mark := filepath.Join(folder, "log"), filepath.Join(folder, "mark")
			// The first run leaves a mark and ends, the second stays.
			program := fmt.Sprintf(`if [ -e %[1]s ]; then touch %[1]s.again; exec tail -f /dev/null; fi; touch %[1]s; echo '%[2]s'; exit 1`, mark, c.last)
			p := Process{Name: "pooler", Log: log, Argv: supervised(log, "/bin/sh", "-c", program)}
			p.Ready = func(context.Context) error {
				_, err := os.Stat(mark + ".again")
				return err
			}
			err := p.Start(t.Context())
			t.Cleanup(p.Kill)
			_, again := os.Stat(mark + ".again")
			if restarted := !errors.Is(again, fs.ErrNotExist); restarted != c.restart || (err == nil) != c.restart {
				t.Errorf("started again: %t, want %t; %v", restarted, c.restart, err)
			}
		})
	}
}

// A server isn't ready because another process responds where it should listen.
func TestReadyIsItsOwn(t *testing.T) {
	p := Process{Name: "server", Log: filepath.Join(t.TempDir(), "log"), Argv: []string{"/bin/sh", "-c", "echo the port is taken; exit 1"}}
	p.Ready = func(context.Context) error {
		<-p.ended
		return nil
	}
	if err := p.Start(t.Context()); !errors.Is(err, errEnded) {
		t.Errorf("got %v, want that it ended", err)
	}
	pid := p.cmd.Process.Pid
	p.Kill() // must not signal whoever has the id now
	if pid == 0 {
		t.Fatal("it had no id")
	}
}

// What a process has started in a session of its own may still write after it: Stop and Kill wait for that.
func TestFamilyEndsToo(t *testing.T) {
	for name, end := range map[string]func(p *Process){"Stop": (*Process).Stop, "Kill": (*Process).Kill} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			ready, last := filepath.Join(folder, "ready"), filepath.Join(folder, "last")
			program := fmt.Sprintf(`setsid sh -c 'touch %s; sleep 0.3; touch %s' & exec tail -f /dev/null`, ready, last)
			p := Process{Name: "server", Log: filepath.Join(folder, "log"), Argv: []string{"/bin/sh", "-c", program}}
			p.Ready = func(context.Context) error {
				_, err := os.Stat(ready)
				return err
			}
			if err := p.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			end(&p)
			if _, err := os.Stat(last); err != nil {
				t.Errorf("the process's child hadn't ended: %v", err)
			}
		})
	}
}
