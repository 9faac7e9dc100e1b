package servers

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Postgres is a server with a data folder of its own.
type Postgres struct {
	Process
	bin      string
	settings []string
}

// StartPostgres makes a data folder below dir and starts a server on it, with the
// settings (as in "fsync=on"). Its user is postgres, without a password. Postgres
// refuses to run as root: for root it runs as the user postgres or nobody, who then
// owns the folder.
func StartPostgres(ctx context.Context, dir string, settings ...string) (*Postgres, error) {
	initdb, err := program("initdb", "/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin")
	if err != nil {
		return nil, err
	}
	// The other programs are beside the program itself, not beside a link to it.
	if initdb, err = filepath.EvalSymlinks(initdb); err != nil {
		return nil, err
	}
	owner, err := unprivileged()
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp(dir, "postgres-")
	if err != nil {
		return nil, err
	}
	if err := own(home, owner); err != nil {
		return nil, err
	}
	//nolint:gosec // the program is Postgres's
	cmd := exec.CommandContext(ctx, initdb, "-D", filepath.Join(home, "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
	cmd.SysProcAttr, cmd.Dir = &syscall.SysProcAttr{Credential: owner}, home
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return launchPostgres(ctx, filepath.Dir(initdb), home, owner, settings)
}

// launchPostgres starts a server on the folder data below home.
func launchPostgres(ctx context.Context, bin, home string, owner *syscall.Credential, settings []string) (*Postgres, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	p := &Postgres{bin: bin, settings: settings}
	p.Process = Process{
		Addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), Name: "Postgres", Log: filepath.Join(home, "log"), user: owner,
		Argv: []string{
			filepath.Join(bin, "postgres"), "-D", filepath.Join(home, "data"), "-p", strconv.Itoa(port),
			"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=" + home,
		},
		Ready: p.ready,
	}
	for _, s := range settings {
		p.Argv = append(p.Argv, "-c", s)
	}
	return p, p.Start(ctx)
}

// StartStandby starts a hot standby of the server, with its settings, whose folder is
// below dir. It follows the server until Promote.
func (p *Postgres) StartStandby(ctx context.Context, dir string) (*Postgres, error) {
	home, err := os.MkdirTemp(dir, "standby-")
	if err != nil {
		return nil, err
	}
	if err := own(home, p.user); err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(p.Addr)
	if err != nil {
		return nil, err
	}
	//nolint:gosec // the program is Postgres's
	cmd := exec.CommandContext(ctx, filepath.Join(p.bin, "pg_basebackup"), "-D", filepath.Join(home, "data"), "-h", host, "-p", port, "-U", "postgres",
		"-R", "-X", "stream", "-c", "fast", "--no-sync")
	cmd.SysProcAttr, cmd.Dir = &syscall.SysProcAttr{Credential: p.user}, home
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("pg_basebackup: %w\n%s", err, out)
	}
	return launchPostgres(ctx, p.bin, home, p.user, p.settings)
}

// Promote makes a standby a primary, and waits until it is one.
func (p *Postgres) Promote(ctx context.Context) error {
	//nolint:gosec // the program is Postgres's
	cmd := exec.CommandContext(ctx, filepath.Join(p.bin, "pg_ctl"), "promote", "-w", "-D", p.data())
	cmd.SysProcAttr, cmd.Dir = &syscall.SysProcAttr{Credential: p.user}, filepath.Dir(p.data())
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("pg_ctl promote: %w\n%s", err, out)
	}
	return nil
}

// data returns the folder of the server's data.
func (p *Postgres) data() string { return filepath.Join(filepath.Dir(p.Log), "data") }

// URL returns the URL of one of the server's databases.
func (p *Postgres) URL(database string) string {
	return fmt.Sprintf("postgres://postgres@%s/%s?sslmode=disable", p.Addr, database)
}

// ready returns an error while the server accepts no connections.
func (p *Postgres) ready(ctx context.Context) error {
	host, port, err := net.SplitHostPort(p.Addr)
	if err != nil {
		return err
	}
	//nolint:gosec // the program is Postgres's
	return exec.CommandContext(ctx, filepath.Join(p.bin, "pg_isready"), "-q", "-h", host, "-p", port, "-U", "postgres").Run()
}

// unprivileged returns the user as whom servers run that refuse root; nil if the
// caller isn't root.
func unprivileged() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil //nolint:nilnil // no other user is needed
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			return nil, err
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			return nil, err
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, fmt.Errorf("Postgres needs a user to run as: neither postgres nor nobody exists")
}

// own gives a folder to its owner.
func own(home string, owner *syscall.Credential) error {
	if owner == nil {
		return nil
	}
	// Temporary folders are closed to others; the owner has to get through.
	for dir := filepath.Dir(home); ; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o711); err != nil { //nolint:gosec // the folder is this program's own
			return err
		}
		if within, err := filepath.Rel(os.TempDir(), filepath.Dir(dir)); err != nil || within == "." || strings.HasPrefix(within, "..") {
			break
		}
	}
	return os.Chown(home, int(owner.Uid), int(owner.Gid))
}
