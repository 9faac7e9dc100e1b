package outbound

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"missiond/internal/tracing"
)

// Options are the limits of a client's calls. All but Idle, Propagate and TLS must be
// more than 0.
type Options struct {
	// Call is how long a call may take, from the lookup of the name to the last byte of
	// the response; Connect is how long a connection and its TLS handshake may take each,
	// and Wait how long the response's header may, once the request is sent.
	Call, Connect, Wait time.Duration
	// Header and Body are how long those parts of a response may be, in bytes.
	Header, Body int64
	// Idle is how many connections stay open to one host.
	Idle int
	// Propagate sends the traceparent of the caller's span.
	Propagate bool
	// TLS is the configuration of TLS; nil is Go's.
	TLS *tls.Config
}

// Limits of idle connections.
const (
	idleTotal = 1024
	idleTime  = 30 * time.Second
)

// Errors of calls.
var (
	// ErrSwitched is the error for a receiver that switches to another protocol (101):
	// none is ever offered, and nothing would limit how long it is spoken.
	ErrSwitched = errors.New("outbound: the receiver switched to another protocol")
	// ErrTooLong is the error of reading past Options.Body.
	ErrTooLong = errors.New("outbound: the response is too long")
)

// Client returns a client for addresses that tenants name. It connects to what the
// rules allow, whatever name led there, and uses no proxy. It follows no redirect, and
// neither asks for compressed responses nor decompresses any.
func (r Rules) Client(o Options) *http.Client {
	dialer := &net.Dialer{Timeout: o.Connect, Control: r.guardian().Safe, Resolver: r.Resolver}
	return r.client(o, dialer, nil)
}

// Trusted returns a client for addresses that the operator names. It connects to any
// address, through the environment's proxy, and is otherwise as Client's.
func (r Rules) Trusted(o Options) *http.Client {
	return r.client(o, &net.Dialer{Timeout: o.Connect}, proxy)
}

func (r Rules) client(o Options, dialer *net.Dialer, proxy func(*http.Request) (*url.URL, error)) *http.Client {
	if min(o.Call, o.Connect, o.Wait) <= 0 || min(o.Header, o.Body) <= 0 {
		panic("bug: an outbound client without a limit")
	}
	if r.Longest > 0 {
		o.Call = min(o.Call, r.Longest)
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true) // by HTTP/2 a peer could fill 4 MiB of a stream's window
	transport := &http.Transport{
		Proxy: proxy, DialContext: dialer.DialContext, TLSHandshakeTimeout: o.Connect, TLSClientConfig: o.TLS,
		MaxResponseHeaderBytes: o.Header, DisableCompression: true, Protocols: protocols,
		MaxIdleConns: idleTotal, MaxIdleConnsPerHost: o.Idle, IdleConnTimeout: idleTime, DisableKeepAlives: o.Idle == 0,
	}
	if o.Wait < o.Call { // else the call's own end comes first
		transport.ResponseHeaderTimeout = o.Wait
	}
	calls := http.RoundTripper(transport)
	if r.Transport != nil {
		calls = r.Transport
	}
	return &http.Client{
		Transport:     tracing.Transport{Next: &limited{RoundTripper: calls, call: o.Call, body: o.Body}, Propagate: o.Propagate},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// limited is a transport whose calls end in time, with responses of a limited length.
type limited struct {
	http.RoundTripper

	call time.Duration
	body int64
}

// RoundTrip makes a call. Errors: ErrSwitched; the transport's.
func (l *limited) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), l.call)
	resp, err := l.RoundTripper.RoundTrip(req.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	if resp.StatusCode == http.StatusSwitchingProtocols {
		// Its body is the connection itself, whose reads no context ends.
		_ = resp.Body.Close()
		cancel()
		return nil, ErrSwitched
	}
	resp.Request, resp.Body = req, newBody(ctx, cancel, resp.Body, l.body)
	return resp, nil
}

// body is a response's body whose reads end with a context, and at a length.
type body struct {
	io.ReadCloser

	ctx  context.Context
	end  func()
	left int64 // -1 once it was too long
}

func newBody(ctx context.Context, cancel context.CancelFunc, b io.ReadCloser, most int64) *body {
	stop := context.AfterFunc(ctx, func() { _ = b.Close() })
	return &body{ReadCloser: b, ctx: ctx, end: func() { stop(); cancel() }, left: most}
}

// Read reads up to the rest of the length, and one byte more to distinguish the end of
// the body from that of the length. Errors: ErrTooLong; the context's, once it ended.
func (b *body) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, ErrTooLong
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left+1)])
	if b.left -= int64(n); b.left < 0 {
		return n - 1, ErrTooLong
	}
	if err != nil && !errors.Is(err, io.EOF) && b.ctx.Err() != nil {
		err = b.ctx.Err()
	}
	return n, err
}

// Close ends the call.
func (b *body) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}
