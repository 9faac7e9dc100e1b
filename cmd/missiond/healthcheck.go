package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// healthcheckCommand asks a process of the same machine or container whether it is
// alive. Images made from scratch have no other program that could.
type healthcheckCommand struct {
	OpsAddr string        `help:"The operators' address of the process; of missiond dev, its --addr." default:"127.0.0.1:9090"`
	Ready   bool          `help:"Ask whether it can work (/readyz), and not only whether it responds (/livez)."`
	Timeout time.Duration `help:"How long the response may take." default:"3s"`
}

// Run is missiond healthcheck. It fails unless the response is 200.
func (c healthcheckCommand) Run(ctx context.Context) error {
	url, err := c.url()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	// The process is here, whatever proxy the environment names.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	const most = 4 << 10
	body, err := io.ReadAll(io.LimitReader(resp.Body, most))
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s", url, resp.Status, strings.TrimSpace(string(body)))
	}
	fmt.Println(strings.TrimSpace(string(body)))
	return nil
}

// url returns the URL to ask. A process that listens on all addresses is asked on
// loopback.
func (c healthcheckCommand) url() (string, error) {
	host, port, err := net.SplitHostPort(c.OpsAddr)
	if err != nil {
		return "", fmt.Errorf("--ops-addr: %w", err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	path := "/livez"
	if c.Ready {
		path = "/readyz"
	}
	return "http://" + net.JoinHostPort(host, port) + path, nil
}
