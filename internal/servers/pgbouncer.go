package servers

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// PgBouncer is a pooler in front of a Postgres, in transaction mode.
type PgBouncer struct {
	Process
	config   string
	settings []string
}

// StartPgBouncer starts a pooler whose files are below dir, in front of the Postgres
// at upstream (host:port), with further settings (as in "default_pool_size=5").
// PgBouncer refuses to run as root: for root it runs as StartPostgres does.
func StartPgBouncer(ctx context.Context, dir, upstream string, settings ...string) (*PgBouncer, error) {
	path, err := program("pgbouncer", "/usr/sbin")
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp(dir, "pgbouncer-")
	if err != nil {
		return nil, err
	}
	owner, err := unprivileged()
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	p := &PgBouncer{config: filepath.Join(home, "pgbouncer.ini"), settings: append([]string{
		"listen_addr=127.0.0.1", "listen_port=" + strconv.Itoa(port), "unix_socket_dir=", "auth_type=any", "pool_mode=transaction",
		"max_client_conn=1000", "default_pool_size=10", "admin_users=postgres", "log_connections=0", "log_disconnections=0",
	}, settings...)}
	if err := p.configure(upstream); err != nil {
		return nil, err
	}
	if err := own(home, owner); err != nil {
		return nil, err
	}
	p.Process = Process{
		Addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), Name: "PgBouncer", Log: filepath.Join(home, "log"), user: owner,
		Ready: p.ready,
	}
	p.Argv = supervised(p.Log, path, p.config)
	return p, p.Start(ctx)
}

// supervise runs a program ($1 and its arguments) that logs to $0, and starts it again
// when it ends as PgBouncer 1.18 to 1.20 do by chance: a client that cancels a statement
// can crash those (github.com/pgbouncer/pgbouncer/issues/822). A service manager would
// do the same.
const supervise = `trap 'kill -INT $pid; wait $pid; exit' INT TERM
while :; do
	"$@" & pid=$!
	wait $pid; status=$?
	tail -n 3 "$0" | grep -q 'FATAL.* in function .*bad .*state' || exit $status
	echo 'started again after a crash'
done`

// supervised returns the arguments that run a program under supervise.
func supervised(log string, program ...string) []string {
	return append([]string{"/bin/sh", "-c", supervise, log}, program...)
}

// configure writes the configuration.
func (p *PgBouncer) configure(upstream string) error {
	host, port, err := net.SplitHostPort(upstream)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("[databases]\n* = host=%s port=%s user=postgres\n[pgbouncer]\n%s\n", host, port, strings.Join(p.settings, "\n"))
	return os.WriteFile(p.config, []byte(text), 0o644) //nolint:gosec // another user reads it, and it has no secret
}

// URL returns the URL of a database through the pooler.
func (p *PgBouncer) URL(database string) string {
	return fmt.Sprintf("postgres://postgres@%s/%s?sslmode=disable", p.Addr, database)
}

// ready returns an error while the pooler accepts no connections.
func (p *PgBouncer) ready(ctx context.Context) error { return accepts(ctx, p.Addr) }

// accepts returns an error while nobody accepts connections at an address.
func accepts(ctx context.Context, addr string) error {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	return conn.Close()
}

// Lead makes the pooler lead to another Postgres. It starts anew: told by a signal,
// it would leave those to the one before who are in a transaction there.
func (p *PgBouncer) Lead(ctx context.Context, upstream string) error {
	if err := p.configure(upstream); err != nil {
		return err
	}
	p.Kill()
	return p.Start(ctx)
}
