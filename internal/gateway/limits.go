package gateway

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"missiond/internal/admission"
	"missiond/internal/httpserver"
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
	of, own, bounded := p.AllowanceOf(op)
	if bounded = bounded && p.TenantID != ""; bounded {
		buckets = append(buckets, operationBucket(p, of, own, 1))
	}
	verdicts := l.limiter.Take(r.Context(), buckets...)
	l.show(w, plan.Rate, verdicts[0])
	if !verdicts[0].OK {
		return mission.RateLimited(verdicts[0].Wait, "Too many requests: %d %s are allowed.", plan.Rate.Limit, per(plan.Rate))
	}
	if bounded && !verdicts[1].OK {
		return refusal(of, own, verdicts[1])
	}
	return nil
}

// refund gives back what a request was charged.
func (l *Limits) refund(w http.ResponseWriter, r *http.Request) {
	b := l.bucket(r, httpserver.Caller(r.Context()), -1)
	l.show(w, b.Rate, l.limiter.Take(context.WithoutCancel(r.Context()), b)[0])
}

// weighing returns a context in which what the operations of ctx's caller weigh is taken
// from the caller's limits. w is the response whose headers say so; it may be nil.
func (l *Limits) weighing(ctx context.Context, w http.ResponseWriter) context.Context {
	p, ok := httpserver.Principal(ctx)
	if !ok || p.TenantID == "" {
		return ctx
	}
	return admission.WithAllowance(ctx, &allowance{limits: l, principal: p, response: w})
}

// allowance is what a request may do.
type allowance struct {
	limits    *Limits
	principal mission.Principal
	response  http.ResponseWriter
}

// Weigh takes what an operation with so many rows weighs, less the request itself. One that
// weighs more than fits in a bucket takes a full one. Errors: rate_limit_exceeded.
func (a *allowance) Weigh(ctx context.Context, op mission.Operation, rows int) error {
	policy, _ := mission.PolicyOf(op)
	rate, weight := a.principal.Allowance(), policy.Weight(rows)
	more := min(weight, rate.Limit+rate.Burst) - 1
	if more <= 0 {
		return nil
	}
	v := a.limits.limiter.Take(ctx, ratelimit.Bucket{Key: "rl:{" + a.principal.TenantID + "}", Rate: rate, Take: more})[0]
	if a.response != nil {
		a.limits.show(a.response, rate, v)
	}
	if !v.OK {
		again := rate.Per / time.Duration(max(1, rate.Limit)) // what the request itself takes when it is repeated
		return mission.RateLimited(v.Wait+again, "%s of %d weighs as much as %d requests: %d %s are allowed.", op, rows, weight, rate.Limit, per(rate))
	}
	return nil
}

// Draw is TakeOperation for the caller.
func (a *allowance) Draw(ctx context.Context, op mission.Operation, n int) error {
	return a.limits.TakeOperation(ctx, a.principal, op, n)
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
	return l.chargeApart(w, r, "probe")
}

// ChargeLink counts a request for a tracked link against a limit that each address has for these
// alone. Errors: rate_limit_exceeded.
func (l *Limits) ChargeLink(w http.ResponseWriter, r *http.Request) error {
	return l.chargeApart(w, r, "link")
}

func (l *Limits) chargeApart(w http.ResponseWriter, r *http.Request, kind string) error {
	b := ratelimit.Bucket{Key: "rl:{" + l.Address(r) + "}:" + kind, Rate: l.address, Take: 1}
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
	of, own, bounded := p.AllowanceOf(op)
	if !bounded || p.TenantID == "" {
		return nil
	}
	if v := l.limiter.Take(ctx, operationBucket(p, of, own, n))[0]; !v.OK {
		return refusal(of, own, v)
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
