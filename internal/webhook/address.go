package webhook

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"syscall"
	"time"

	"code.dny.dev/ssrf"

	"missiond/mission"
)

// maxURL bounds an endpoint's address, in bytes.
const maxURL = 2048

// lookupLimit bounds the look-up of a name at registration.
const lookupLimit = 2 * time.Second

// azureWireServer answers metadata on a public address.
var azureWireServer = netip.MustParsePrefix("168.63.129.16/32")

// Rules are what addresses webhooks may go to. The zero Rules are production's.
type Rules struct {
	// Local lets them go to http and loopback addresses too: a development run
	// has its receivers there.
	Local bool
	// Resolver looks names up, at registration and at each connection; nil is
	// the system's.
	Resolver *net.Resolver
}

// guardian refuses addresses that aren't public.
func (r Rules) guardian() *ssrf.Guardian {
	options := []ssrf.Option{ssrf.WithAnyPort(), ssrf.WithDeniedV4Prefixes(azureWireServer)}
	if r.Local {
		options = append(options, ssrf.WithAllowedV4Prefixes(netip.MustParsePrefix("127.0.0.0/8")), ssrf.WithAllowedV6Prefixes(netip.MustParsePrefix("::1/128")))
	}
	return ssrf.New(options...)
}

// control is a dialer's: it sees the address that is connected to, whatever
// name led to it.
func (r Rules) control() func(network, address string, c syscall.RawConn) error {
	return r.guardian().Safe
}

// numeric are hosts that end in a number: browsers and C libraries take them
// for IPv4 addresses in decimal, octal or hexadecimal (WHATWG URL, "ends in a
// number").
var numeric = regexp.MustCompile(`(?i)(^|\.)(\d+|0x[0-9a-f]*)\.?$`)

// Check answers what is wrong with an endpoint's address, or nil. A name that
// can't be looked up now passes: what it leads to is checked at each
// connection. Errors: invalid_request on url.
func (r Rules) Check(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil || len(address) > maxURL || u.Hostname() == "" || u.Opaque != "" {
		return mission.Invalid("url", "The URL must be an absolute one of at most %d bytes.", maxURL)
	}
	switch {
	case u.Scheme != "https" && (u.Scheme != "http" || !r.Local):
		return mission.Invalid("url", "The URL must be https.")
	case u.User != nil:
		return mission.Invalid("url", "The URL must not have a user name or password.")
	case u.Fragment != "":
		return mission.Invalid("url", "The URL must not have a fragment.")
	}
	return r.checkHost(ctx, strings.ToLower(u.Hostname()))
}

var errPrivate = mission.Invalid("url", "The URL must lead to a public address.")

func (r Rules) checkHost(ctx context.Context, host string) error {
	if ip, err := netip.ParseAddr(host); err == nil {
		return r.checkAddresses(ip)
	}
	if numeric.MatchString(host) {
		return mission.Invalid("url", "The URL's host is no name and no IP address.")
	}
	if local := host == "localhost" || strings.HasSuffix(host, ".localhost"); local {
		if r.Local {
			return nil
		}
		return errPrivate
	}
	resolver := r.Resolver
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	ctx, cancel := context.WithTimeout(ctx, lookupLimit)
	defer cancel()
	if addresses, err := resolver.LookupNetIP(ctx, "ip", host); err == nil {
		for i := range addresses {
			addresses[i] = addresses[i].Unmap() // the resolver's way to write IPv4
		}
		return r.checkAddresses(addresses...)
	}
	return nil
}

func (r Rules) checkAddresses(addresses ...netip.Addr) error {
	g := r.guardian()
	for _, ip := range addresses {
		if ip.Is4In6() || g.SafeAddr(ip) != nil {
			return errPrivate
		}
	}
	return nil
}
