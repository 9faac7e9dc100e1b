// Package outbound makes the HTTP clients of all calls of the service, so that each of
// them has the same limits, and decides where the service may connect if tenants name
// the address: to public addresses only, whatever name leads there.
package outbound

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"

	"code.dny.dev/ssrf"
	"golang.org/x/net/idna"

	"missiond/mission"
)

// maxURL is the longest address, in bytes.
const maxURL = mission.MaxURL

// lookupLimit limits the lookup of a name at registration.
const lookupLimit = 2 * time.Second

// azureWireServer serves metadata on a public address.
var azureWireServer = netip.MustParsePrefix("168.63.129.16/32")

// Rules are the rules for addresses. The zero Rules are production's.
type Rules struct {
	// Local also allows http and loopback addresses, which a development run uses.
	Local bool
	// Resolver looks up names, at registration and for each connection; nil is the
	// system's.
	Resolver *net.Resolver
	// Longest limits each call, where it is shorter than the client's own limit; 0
	// doesn't. Tests have little time.
	Longest time.Duration
	// Transport makes the calls instead of connections, in a simulation; nil elsewhere.
	Transport http.RoundTripper
}

// guardian returns what rejects addresses that aren't public.
func (r Rules) guardian() *ssrf.Guardian {
	options := []ssrf.Option{ssrf.WithAnyPort(), ssrf.WithDeniedV4Prefixes(azureWireServer)}
	if r.Local {
		options = append(options, ssrf.WithAllowedV4Prefixes(netip.MustParsePrefix("127.0.0.0/8")), ssrf.WithAllowedV6Prefixes(netip.MustParsePrefix("::1/128")))
	}
	return ssrf.New(options...)
}

// numeric matches hosts that end in a number: browsers and C libraries take them
// for IPv4 addresses in decimal, octal or hexadecimal (WHATWG URL, "ends in a
// number").
var numeric = regexp.MustCompile(`(?i)(^|\.)(\d+|0x[0-9a-f]*)\.?$`)

// Check returns what is wrong with an address that the field param names, or nil. A
// name that can't be looked up now passes: its addresses are checked at each
// connection. Errors: invalid_request on param.
func (r Rules) Check(ctx context.Context, param, address string) error {
	if len(address) > maxURL {
		return mission.Invalid(param, "The URL must be absolute, and at most %d bytes long.", maxURL)
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Opaque != "" {
		return mission.Invalid(param, "The URL must be absolute, and at most %d bytes long.", maxURL)
	}
	switch {
	case u.Scheme != "https" && (u.Scheme != "http" || !r.Local):
		return mission.Invalid(param, "The URL must be https.")
	case u.User != nil:
		return mission.Invalid(param, "The URL must not have a user name or password.")
	case u.Fragment != "":
		return mission.Invalid(param, "The URL must not have a fragment.")
	}
	host, err := ascii(u.Hostname())
	if err != nil {
		return mission.Invalid(param, "The URL's host must be a name or an IP address.")
	}
	if err := mission.CheckHost(param, address, u, host); err != nil {
		return err
	}
	return r.checkHost(ctx, param, host)
}

// ascii returns a host in ASCII and lower case, as it is connected to: IDNA maps full
// stops and digits of other scripts to those of ASCII (as net/http, which leaves hosts
// alone that are ASCII already). Errors: if it has a character that IDNA drops, or a part
// that isn't a name in IDNA's form although it begins as one.
func ascii(host string) (string, error) {
	if strings.ContainsFunc(host, dropped) {
		return "", errNoName
	}
	if strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII }) {
		return idna.Lookup.ToASCII(host)
	}
	host = strings.ToLower(host)
	for label := range strings.SplitSeq(host, ".") {
		if !strings.HasPrefix(label, "xn--") {
			continue
		}
		if name, err := idna.Lookup.ToUnicode(label); err != nil || name == "" {
			return "", errNoName
		}
	}
	return host, nil
}

var errNoName = errors.New("outbound: the host isn't a name")

// dropped reports whether IDNA leaves a character out, as it does a soft hyphen.
func dropped(r rune) bool {
	mapped, _ := idna.Lookup.ToUnicode(string(r))
	return r > unicode.MaxASCII && mapped == ""
}

func (r Rules) checkHost(ctx context.Context, param, host string) error {
	if ip, err := netip.ParseAddr(host); err == nil {
		return r.checkAddresses(param, ip)
	}
	if numeric.MatchString(host) {
		return mission.Invalid(param, "The URL's host must be a name or an IP address.")
	}
	if name := strings.TrimSuffix(host, "."); name == "localhost" || strings.HasSuffix(name, ".localhost") {
		if r.Local {
			return nil
		}
		return private(param)
	}
	resolver := r.Resolver
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	ctx, cancel := context.WithTimeout(ctx, lookupLimit)
	defer cancel()
	if addresses, err := resolver.LookupNetIP(ctx, "ip", host); err == nil {
		for i := range addresses {
			addresses[i] = addresses[i].Unmap() // the resolver's form of IPv4 addresses
		}
		return r.checkAddresses(param, addresses...)
	}
	return nil
}

func private(param string) error {
	return mission.Invalid(param, "The URL must have a public address.")
}

func (r Rules) checkAddresses(param string, addresses ...netip.Addr) error {
	g := r.guardian()
	for _, ip := range addresses {
		if ip.Is4In6() || ip.Zone() != "" || g.SafeAddr(ip) != nil {
			return private(param)
		}
	}
	return nil
}
