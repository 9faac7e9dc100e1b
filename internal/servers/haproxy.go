package servers

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// HAProxy is a load balancer that checks its backends' /readyz, five times a second. It
// waits for a slow response to a check, and never sends a request a second time.
type HAProxy struct{ Process }

const haproxyConfig = `defaults
  mode http
  retries 0
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout check 30s
frontend all
  bind %s
  stats enable
  stats uri /haproxy-stats
  default_backend missiond
backend missiond
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200
  default-server check inter 200ms fall 1 rise 1
`

// StartHAProxy starts a load balancer, whose files are below dir, in front of the
// backends (host:port). It is ready once one of them is.
func StartHAProxy(ctx context.Context, dir string, backends ...string) (*HAProxy, error) {
	path, err := program("haproxy", "/usr/sbin")
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp(dir, "haproxy-")
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	config := fmt.Sprintf(haproxyConfig, addr)
	for i, backend := range backends {
		config += fmt.Sprintf("  server s%d %s\n", i+1, backend)
	}
	file := filepath.Join(home, "haproxy.cfg")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		return nil, err
	}
	p := &HAProxy{Process{Addr: addr, Name: "HAProxy", Log: filepath.Join(home, "log"), Argv: []string{path, "-db", "-f", file}}}
	p.Ready = func(ctx context.Context) error {
		backends, err := p.Backends(ctx)
		if !slices.ContainsFunc(backends, func(b Backend) bool { return b.Up }) {
			return fmt.Errorf("no backend is up: %w", err)
		}
		return nil
	}
	return p, p.Start(ctx)
}

// URL returns the URL of the load balancer.
func (p *HAProxy) URL() string { return "http://" + p.Addr }

// Backend is what a load balancer sees of one of its backends.
type Backend struct {
	// Up reports whether it gets new requests.
	Up bool
	// Sessions is how many requests it has now, whether or not it has read them.
	Sessions int
}

// Backends returns what the load balancer sees of its backends, in their order.
func (p *HAProxy) Backends(ctx context.Context) ([]Backend, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL()+"/haproxy-stats;csv", http.NoBody)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	// The columns: pxname, svname, qcur, qmax, scur, … (HAProxy's management guide, 9.1).
	var backends []Backend
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "missiond,s") {
			continue
		}
		sessions, err := strconv.Atoi(strings.Split(line, ",")[4])
		if err != nil {
			return nil, fmt.Errorf("the statistics of HAProxy: %w: %q", err, line)
		}
		backends = append(backends, Backend{Up: strings.Contains(line, ",UP,"), Sessions: sessions})
	}
	return backends, nil
}
