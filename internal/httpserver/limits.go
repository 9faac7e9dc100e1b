package httpserver

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"missiond/internal/admission"
	"missiond/internal/ratelimit"
	"missiond/mission"
)

// Limits enforces rate limits: a tenant's by its plan, everybody else's by address
// (decisions, "Limits").
type Limits struct {
	limiter Limiter
	address mission.Rate
	proxies []netip.Prefix
	now     func() time.Time
}

// Limiter takes from buckets that processes share.
type Limiter interface {
	Take(ctx context.Context, buckets ...ratelimit.Bucket) []ratelimit.Verdict
}

// LimitsOptions are what NewLimits needs.
type LimitsOptions struct {
	Limiter Limiter
	// Address is the rate for callers without a credential, by address.
	Address mission.Rate
	// Proxies are the proxies whose X-Forwarded-For is trusted.
	Proxies []netip.Prefix
	Now     func() time.Time
}

// NewLimits returns Limits.
func NewLimits(o LimitsOptions) *Limits {
	return &Limits{limiter: o.Limiter, address: o.Address, proxies: o.Proxies, now: o.Now}
}

// Charge counts a request against its caller's limit, sets the rate limit headers,
// and counts it against the tenant's limit for op, if there is one. p is the zero
// Principal if the request has no caller. Errors: rate_limit_exceeded.
func (l *Limits) Charge(w http.ResponseWriter, r *http.Request, p mission.Principal, op mission.Operation) error {
	plan := l.bucket(r, p, 1)
	buckets := []ratelimit.Bucket{plan}
	own, bounded := p.AllowanceOf(op)
	if bounded = bounded && p.TenantID != ""; bounded {
		buckets = append(buckets, operationBucket(p, op, own, 1))
	}
	verdicts := l.limiter.Take(r.Context(), buckets...)
	l.show(w, plan.Rate, verdicts[0])
	if !verdicts[0].OK {
		return mission.RateLimited(verdicts[0].Wait, "Too many requests: %d %s are allowed.", plan.Rate.Limit, per(plan.Rate))
	}
	if bounded && !verdicts[1].OK {
		return refusal(op, own, verdicts[1])
	}
	return nil
}

// ChargeCaller is Charge for the caller of r, for whom Authenticate returned err. A
// caller that couldn't be looked up is charged to nobody: ChargeCaller returns err.
// Errors: rate_limit_exceeded; err if it is InDoubt.
func (l *Limits) ChargeCaller(w http.ResponseWriter, r *http.Request, err error, op mission.Operation) error {
	if InDoubt(err) {
		l.Peek(w, r)
		return err
	}
	p, _ := Principal(r.Context())
	return l.Charge(w, r, p, op)
}

// Admit waits until a gate has a slot for a request that was charged, whose body has
// so many bytes. A request that isn't admitted costs nothing. The caller has the slot
// until leave. Errors: service_unavailable; the context's.
func (l *Limits) Admit(w http.ResponseWriter, r *http.Request, gate *admission.Gate, size int) (admitted *http.Request, leave func(), err error) {
	p, _ := Principal(r.Context())
	ctx, leave, err := gate.Enter(r.Context(), cmp.Or(p.TenantID, l.Address(r)), size)
	if err != nil {
		b := l.bucket(r, p, -1)
		l.show(w, b.Rate, l.limiter.Take(context.WithoutCancel(r.Context()), b)[0])
		return r, nil, err
	}
	return r.WithContext(ctx), leave, nil
}

// TakeRequest counts n requests without a response of their own, as operations on a
// socket, against their caller's limit; n is 1, or -1 to give one back. Errors:
// rate_limit_exceeded.
func (l *Limits) TakeRequest(ctx context.Context, p mission.Principal, n int) error {
	rate := p.Allowance()
	v := l.limiter.Take(ctx, ratelimit.Bucket{Key: "rl:{" + p.TenantID + "}", Rate: rate, Take: n})[0]
	if !v.OK {
		return mission.RateLimited(v.Wait, "Too many requests: %d %s are allowed.", rate.Limit, per(rate))
	}
	return nil
}

// ChargeProbe counts a health check against a limit that each address has for
// health checks alone. Errors: rate_limit_exceeded.
func (l *Limits) ChargeProbe(w http.ResponseWriter, r *http.Request) error {
	b := ratelimit.Bucket{Key: "rl:{" + l.Address(r) + "}:probe", Rate: l.address, Take: 1}
	v := l.limiter.Take(r.Context(), b)[0]
	l.show(w, b.Rate, v)
	if !v.OK {
		return mission.RateLimited(v.Wait, "Too many requests: %d %s are allowed.", b.Rate.Limit, per(b.Rate))
	}
	return nil
}

// Peek sets the rate limit headers of a request without counting it.
func (l *Limits) Peek(w http.ResponseWriter, r *http.Request) {
	b := l.bucket(r, mission.Principal{}, 0)
	l.show(w, b.Rate, l.limiter.Take(r.Context(), b)[0])
}

// TakeOperation counts against a tenant's limit for an operation, if there is one;
// n is 1, or -1 to give back a call without effect. Errors: rate_limit_exceeded.
func (l *Limits) TakeOperation(ctx context.Context, p mission.Principal, op mission.Operation, n int) error {
	own, bounded := p.AllowanceOf(op)
	if !bounded || p.TenantID == "" {
		return nil
	}
	if v := l.limiter.Take(ctx, operationBucket(p, op, own, n))[0]; !v.OK {
		return refusal(op, own, v)
	}
	return nil
}

// Take counts one attempt against a named limit. Errors: rate_limit_exceeded.
func (l *Limits) Take(ctx context.Context, name string, rate mission.Rate) error {
	if v := l.limiter.Take(ctx, ratelimit.Bucket{Key: "rl:{" + name + "}", Rate: rate, Take: 1})[0]; !v.OK {
		return mission.RateLimited(v.Wait, "Too many attempts: %d %s are allowed.", rate.Limit, per(rate))
	}
	return nil
}

func refusal(op mission.Operation, own mission.Rate, v ratelimit.Verdict) error {
	return mission.RateLimited(v.Wait, "Too many requests of %s: %d %s are allowed.", op, own.Limit, per(own))
}

func per(r mission.Rate) string {
	if r.Per == time.Hour {
		return "an hour"
	}
	return "a minute"
}

// The braces keep a tenant's buckets in one slot of a Redis Cluster.
func operationBucket(p mission.Principal, op mission.Operation, r mission.Rate, n int) ratelimit.Bucket {
	return ratelimit.Bucket{Key: "rl:{" + p.TenantID + "}:" + string(op), Rate: r, Take: n}
}

func (l *Limits) bucket(r *http.Request, p mission.Principal, n int) ratelimit.Bucket {
	if p.TenantID != "" {
		return ratelimit.Bucket{Key: "rl:{" + p.TenantID + "}", Rate: p.Allowance(), Take: n}
	}
	return ratelimit.Bucket{Key: "rl:{" + l.Address(r) + "}", Rate: l.address, Take: n}
}

// show sets the rate limit headers (interface, section 8).
func (l *Limits) show(w http.ResponseWriter, rate mission.Rate, v ratelimit.Verdict) {
	full := l.now().Add(v.Full + time.Second - time.Nanosecond)
	w.Header().Set("X-RateLimit-Limit", strconv.Itoa(rate.Limit))
	w.Header().Set("X-RateLimit-Remaining", strconv.Itoa(v.Remaining))
	w.Header().Set("X-RateLimit-Reset", strconv.FormatInt(full.Unix(), 10))
}

// ipv6Block is the prefix length of the IPv6 block that one customer has.
const ipv6Block = 64

// Address returns the address of a request's sender, as far as it is known: the
// peer or, behind trusted proxies, the last address that isn't a proxy's.
func (l *Limits) Address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return "unknown"
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return "unknown"
	}
	if forwarded := strings.Join(r.Header.Values("X-Forwarded-For"), ","); forwarded != "" {
		hops := strings.Split(forwarded, ",")
		for i := len(hops) - 1; i >= 0 && l.trusted(ip); i-- {
			before, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
			if err != nil {
				break
			}
			ip = before
		}
	}
	if ip = ip.Unmap(); ip.Is4() {
		return ip.String()
	}
	block, _ := ip.WithZone("").Prefix(ipv6Block) // an IPv6 address has 64 bits
	return block.String()
}

func (l *Limits) trusted(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	for _, p := range l.proxies {
		if p.Contains(ip) {
			return true
		}
	}
	return false
}
