package httpserver

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"missiond/internal/ratelimit"
	"missiond/mission"
)

// Limits hold callers to their allowances: a tenant's by its plan, everybody
// else's by address (decisions, "Limits").
type Limits struct {
	limiter Limiter
	address mission.Rate
	proxies []netip.Prefix
	now     func() time.Time
}

// Limiter takes from allowances that processes share.
type Limiter interface {
	Take(ctx context.Context, buckets ...ratelimit.Bucket) []ratelimit.Verdict
}

// LimitsOptions are what NewLimits needs.
type LimitsOptions struct {
	Limiter Limiter
	// Address is what callers without a credential may ask for, by address.
	Address mission.Rate
	// Proxies are whose X-Forwarded-For is believed.
	Proxies []netip.Prefix
	Now     func() time.Time
}

// NewLimits returns Limits.
func NewLimits(o LimitsOptions) *Limits {
	return &Limits{limiter: o.Limiter, address: o.Address, proxies: o.Proxies, now: o.Now}
}

// Charge takes a request from its caller's allowance, sets the headers of it,
// and takes from the tenant's allowance of op, where that has one. p is nobody
// where the request has no caller. Errors: rate_limit_exceeded.
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

// TakeRequest takes a request that has no answer of its own, as an operation on a
// socket, from its caller's allowance. Errors: rate_limit_exceeded.
func (l *Limits) TakeRequest(ctx context.Context, p mission.Principal) error {
	rate := p.Allowance()
	v := l.limiter.Take(ctx, ratelimit.Bucket{Key: "rl:{" + p.TenantID + "}", Rate: rate, Take: 1})[0]
	if !v.OK {
		return mission.RateLimited(v.Wait, "Too many requests: %d %s are allowed.", rate.Limit, per(rate))
	}
	return nil
}

// ChargeProbe takes a look at the process's health from an allowance that each
// address has for these alone. Errors: rate_limit_exceeded.
func (l *Limits) ChargeProbe(w http.ResponseWriter, r *http.Request) error {
	b := ratelimit.Bucket{Key: "rl:{" + l.Address(r) + "}:probe", Rate: l.address, Take: 1}
	v := l.limiter.Take(r.Context(), b)[0]
	l.show(w, b.Rate, v)
	if !v.OK {
		return mission.RateLimited(v.Wait, "Too many requests: %d %s are allowed.", b.Rate.Limit, per(b.Rate))
	}
	return nil
}

// Peek sets the headers of a request's allowance and takes nothing from it.
func (l *Limits) Peek(w http.ResponseWriter, r *http.Request) {
	b := l.bucket(r, mission.Principal{}, 0)
	l.show(w, b.Rate, l.limiter.Take(r.Context(), b)[0])
}

// TakeOperation takes from a tenant's allowance of an operation, where that has
// one; n is 1, or -1 to give back what came to nothing. Errors:
// rate_limit_exceeded.
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

// Take takes one from an allowance by a name. Errors: rate_limit_exceeded.
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

// show sets the interface's headers (section 8).
func (l *Limits) show(w http.ResponseWriter, rate mission.Rate, v ratelimit.Verdict) {
	full := l.now().Add(v.Full + time.Second - time.Nanosecond)
	w.Header().Set("X-RateLimit-Limit", strconv.Itoa(rate.Limit))
	w.Header().Set("X-RateLimit-Remaining", strconv.Itoa(v.Remaining))
	w.Header().Set("X-RateLimit-Reset", strconv.FormatInt(full.Unix(), 10))
}

// ipv6Block is how much of the IPv6 space one customer has.
const ipv6Block = 64

// Address returns who sent a request, as far as that is known: the peer or,
// behind proxies that are trusted, the last address that isn't one of theirs.
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
	block, _ := ip.WithZone("").Prefix(ipv6Block) // 64 bits of an IPv6 address are there
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
