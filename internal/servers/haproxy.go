package servers

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// HAProxy is a load balancer that checks its backends' /readyz. It never sends a
// request a second time.
type HAProxy struct{ Process }

const haproxyConfig = `defaults
  mode http
  retries 0
  timeout connect 5s
  timeout client 60s
  timeout server 60s
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
		if n, err := p.Up(ctx); n == 0 {
			return fmt.Errorf("no backend is up: %w", err)
		}
		return nil
	}
	return p, p.Start(ctx)
}

// URL returns the URL of the load balancer.
func (p *HAProxy) URL() string { return "http://" + p.Addr }

// Up returns how many backends get requests.
func (p *HAProxy) Up(ctx context.Context) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL()+"/haproxy-stats;csv", http.NoBody)
	if err != nil {
		return 0, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer func() { _ = resp.Body.Close() }()
	text := new(strings.Builder)
	if err := resp.Write(text); err != nil {
		return 0, err
	}
	up := 0
	for line := range strings.Lines(text.String()) {
		if strings.HasPrefix(line, "missiond,s") && strings.Contains(line, ",UP,") {
			up++
		}
	}
	return up, nil
}
