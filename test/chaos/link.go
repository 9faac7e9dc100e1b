package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// link connects the service's processes to a server. Its connections can be cut,
// slowed and reset.
type link struct {
	proxy *toxiproxy.Proxy
}

// newLink opens a link from listen to upstream.
func newLink(server *toxiproxy.ApiServer, name, listen, upstream string) (*link, error) {
	l := &link{proxy: toxiproxy.NewProxy(server, name, listen, upstream)}
	return l, l.proxy.Start()
}

// newSwitchboard returns the proxy server that links belong to; it logs nothing.
func newSwitchboard() *toxiproxy.ApiServer {
	return toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
}

// cut closes every connection, and refuses new ones until join.
func (l *link) cut() { l.proxy.Stop() }

// join accepts connections again.
func (l *link) join() error {
	err := l.proxy.Start()
	if errors.Is(err, toxiproxy.ErrProxyAlreadyStarted) {
		return nil
	}
	return err
}

// lead closes every connection, and leads new ones to another server.
func (l *link) lead(upstream string) error {
	l.cut()
	l.proxy.Upstream = upstream
	return l.join()
}

// ail applies a toxic to all connections, including new ones, until it is cured.
// Kinds and attributes are toxiproxy's.
func (l *link) ail(kind, stream string, attributes string) (cure func(ctx context.Context) error, err error) {
	name := kind + "_" + stream
	text := fmt.Sprintf(`{"name":%q,"type":%q,"stream":%q,"toxicity":1,"attributes":%s}`, name, kind, stream, attributes)
	if _, err := l.proxy.Toxics.AddToxicJson(strings.NewReader(text)); err != nil {
		return nil, fmt.Errorf("%s on the way to %s: %w", kind, l.proxy.Name, err)
	}
	return func(ctx context.Context) error { return l.proxy.Toxics.RemoveToxic(ctx, name) }, nil
}
