package gateway

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"missiond/internal/ratelimit"
	"missiond/mission"
)

// leaking is a limiter of one bucket, of which so much is used.
type leaking struct{ used float64 }

func (l *leaking) pass(d time.Duration, of mission.Rate) {
	l.used = max(0, l.used-d.Seconds()*float64(of.Limit)/of.Per.Seconds())
}

func (l *leaking) Take(_ context.Context, buckets ...ratelimit.Bucket) []ratelimit.Verdict {
	b := buckets[0]
	each := b.Rate.Per / time.Duration(b.Rate.Limit)
	if over := l.used + float64(b.Take) - float64(b.Rate.Limit+b.Rate.Burst); over > 1e-6 {
		return []ratelimit.Verdict{{Wait: time.Duration(over * float64(each))}}
	}
	l.used += float64(b.Take)
	return []ratelimit.Verdict{{OK: true}}
}

// What weighs more than is left is admitted if it is repeated after the time that it is told, though the repetition takes
// from the limit too.
func TestWaitForWeight(t *testing.T) {
	p := mission.Principal{TenantID: "tnt_1", Plan: mission.PlanFree}
	for _, rows := range []int{1_000, 10_000} { // the second weighs more than fits
		l := &leaking{used: float64(p.Allowance().Limit)}
		limits := NewLimits(LimitsOptions{Limiter: l, Now: func() time.Time { return time.Time{} }})
		request := func() error {
			if err := limits.Charge(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", nil), p, ""); err != nil {
				return err
			}
			return (&allowance{limits: limits, principal: p}).Weigh(t.Context(), mission.OpWebhooksReplay, rows)
		}
		var refused *mission.Error
		if err := request(); !errors.As(err, &refused) || refused.Code != mission.CodeRateLimitExceeded {
			t.Fatalf("with little left: %v", err)
		}
		l.pass(time.Duration(refused.RetryAfter)*time.Second, p.Allowance())
		if err := request(); err != nil {
			t.Errorf("%d rows, after the wait: %v", rows, err)
		}
	}
}

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
