package llm

import (
	"io"
	"net"
	"net/http"
	"time"

	"missiond/internal/tracing"
)

// maxAnswer bounds an endpoint's response, in bytes.
const maxResponse = 1 << 20

// newTransport returns a transport for calls to one endpoint.
func newTransport() *http.Transport {
	const connect, idle, conns, header = 10 * time.Second, 60 * time.Second, 16, 64 << 10
	return &http.Transport{
		Proxy:       http.ProxyFromEnvironment,
		DialContext: (&net.Dialer{Timeout: connect}).DialContext, TLSHandshakeTimeout: connect,
		ForceAttemptHTTP2: true, MaxResponseHeaderBytes: header,
		MaxIdleConns: conns, MaxIdleConnsPerHost: conns, IdleConnTimeout: idle,
	}
}

// confined returns a client that follows no redirect, which would send the
// brief elsewhere, and bounds the response.
func confined(c *http.Client) *http.Client {
	own := *c
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if own.Transport == nil {
		own.Transport = http.DefaultTransport
	}
	own.Transport = bounded{tracing.Transport{Next: own.Transport}}
	return &own
}

// bounded is a transport whose responses end with errTooLong after maxAnswer.
type bounded struct{ next http.RoundTripper }

// RoundTrip makes a call with a bounded response body.
func (b bounded) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := b.next.RoundTrip(req)
	if err == nil {
		resp.Body = &boundedBody{ReadCloser: resp.Body, left: maxResponse}
	}
	return resp, err
}

type boundedBody struct {
	io.ReadCloser

	left int
}

// Read reads up to the rest of the bound, and one byte more to distinguish the
// end of the body from the end of the bound.
func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLong
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left+1)])
	if b.left -= n; b.left < 0 {
		return n, errTooLong
	}
	return n, err
}
