package servers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
)

// Exim is an SMTP server that delivers into folders.
type Exim struct {
	Process

	home     string
	uid, gid int
}

// The settings of Exim: a spool, a log and an account of its own, and no way out. The files below
// lists name what it does with a recipient, and are read for each.
const eximConfig = `primary_hostname = mail.example.com
exim_user = %[2]d
exim_group = %[3]d
spool_directory = %[1]s/spool
log_file_path = %[1]s/%%slog
pid_file_path = %[1]s/pid
local_interfaces = <; [127.0.0.1]:%[4]d
message_size_limit = 20K
tls_advertise_hosts = ${if exists{%[1]s/certificate.pem}{*}}
tls_certificate = %[1]s/certificate.pem
tls_privatekey = %[1]s/key.pem
queue_run_max = 0
keep_environment =
add_environment =
never_users =
deliver_drop_privilege = true
rfc1413_query_timeout = 0s
acl_smtp_rcpt = recipient
acl_smtp_data = accept
begin acl
recipient:
  deny message = Only those who have logged in, over TLS
    condition = ${if exists{%[1]s/login}}
    !authenticated = *
  defer message = 4.2.0 Greylisted, come back later
    condition = ${if exists{%[1]s/later/$local_part}}
  deny message = 5.1.1 Nobody here has that name
    !condition = ${if exists{%[1]s/boxes/$local_part}}
  accept
begin routers
boxes:
  driver = accept
  transport = box
begin transports
box:
  driver = appendfile
  directory = ${lookup{$local_part}dsearch,ret=full{%[1]s/boxes}}
  maildir_format
  create_directory
  return_path_add
  user = %[2]d
  group = %[3]d
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_advertise_condition = ${if def:tls_in_cipher}
  server_condition = ${if and{{eq{$auth2}{missiond}}{eq{$auth3}{hunter2}}}}
  server_set_id = $auth2
`

// StartExim starts a mail server, whose files are below dir, with STARTTLS if there is a
// certificate and its key (PEM). As root it runs as StartPostgres does.
func StartExim(ctx context.Context, dir string, certificate, key []byte) (*Exim, error) {
	path, err := program("exim4", "/usr/sbin")
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp(dir, "exim-")
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
	uid, gid := os.Getuid(), os.Getgid()
	if owner != nil {
		uid, gid = int(owner.Uid), int(owner.Gid)
	}
	config := fmt.Sprintf(eximConfig, home, uid, gid, port)
	for name, data := range map[string][]byte{"exim.conf": []byte(config), "certificate.pem": certificate, "key.pem": key} {
		if data == nil {
			continue
		}
		file := filepath.Join(home, name)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			return nil, err
		}
		if err := os.Chown(file, uid, gid); err != nil {
			return nil, err
		}
	}
	if err := own(home, owner); err != nil {
		return nil, err
	}
	p := &Exim{home: home, uid: uid, gid: gid}
	if err := errors.Join(p.folder("spool"), p.folder("boxes"), p.folder("later")); err != nil {
		return nil, err
	}
	p.Process = Process{
		Addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), Name: "Exim", Log: filepath.Join(home, "log"), user: owner,
		// A configuration that isn't the system's: Exim, which would be root otherwise, stays who started it.
		Argv:  []string{path, "-C", filepath.Join(home, "exim.conf"), "-bdf"},
		Ready: func(ctx context.Context) error { return accepts(ctx, p.Addr) },
	}
	return p, p.Start(ctx)
}

// folder makes a folder in which the server writes.
func (p *Exim) folder(path ...string) error {
	dir := filepath.Join(append([]string{p.home}, path...)...)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return os.Chown(dir, p.uid, p.gid)
}

// AddBox lets the server take e-mails to a name, with any domain.
func (p *Exim) AddBox(name string) error { return p.folder("boxes", name) }

// Box returns the e-mails to a name that have arrived, as they are in its Maildir.
func (p *Exim) Box(name string) (mails []string, err error) {
	files, err := filepath.Glob(filepath.Join(p.home, "boxes", name, "new", "*"))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		mails = append(mails, string(data))
	}
	return mails, err
}

// Greylist makes the server take nothing for a name for now, or again.
func (p *Exim) Greylist(name string, on bool) error {
	if on {
		return p.folder("later", name)
	}
	return os.Remove(filepath.Join(p.home, "later", name))
}

// RequireLogin makes the server take e-mails only from those who have logged in over TLS, as
// missiond with the password hunter2.
func (p *Exim) RequireLogin() error { return p.folder("login") }

// RemoveBox makes the server refuse e-mails to a name for good, and forget those that it has.
func (p *Exim) RemoveBox(name string) error {
	return os.RemoveAll(filepath.Join(p.home, "boxes", name))
}
