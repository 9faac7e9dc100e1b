package gateway

import (
	"net/http"
	"net/netip"
	"testing"
)

// The address that a limit is kept for: the peer's, unless it is a proxy that
// is trusted; an IPv6 customer has a block.
func TestAddressOf(t *testing.T) {
	l := NewLimits(LimitsOptions{Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}})
	for _, tt := range []struct{ peer, forwarded, want string }{
		{"192.0.2.1:5000", "", "192.0.2.1"},
		{"192.0.2.1:5000", "198.51.100.7", "192.0.2.1"},
		{"10.0.0.1:5000", "198.51.100.7", "198.51.100.7"},
		{"10.0.0.1:5000", "203.0.113.9, 198.51.100.7, 10.2.2.2", "198.51.100.7"},
		{"10.0.0.1:5000", "198.51.100.7, nonsense", "10.0.0.1"},
		{"10.0.0.1:5000", "10.0.0.3", "10.0.0.3"},
		{"[2001:db8:1:2:3:4:5:6]:5000", "", "2001:db8:1:2::/64"},
		{"[fd00::1]:5000", "2001:db8:9:9::1", "2001:db8:9:9::/64"},
		{"[::ffff:192.0.2.1]:5000", "", "192.0.2.1"},
		{"[fe80::1%eth0]:5000", "", "fe80::/64"},
		{"nonsense", "", "unknown"},
	} {
		r := &http.Request{RemoteAddr: tt.peer, Header: http.Header{}}
		if tt.forwarded != "" {
			r.Header.Set("X-Forwarded-For", tt.forwarded)
		}
		if got := l.Address(r); got != tt.want {
			t.Errorf("%s for %q is %s, want %s", tt.peer, tt.forwarded, got, tt.want)
		}
	}
}
