package redirect

import (
	"fmt"
	"strings"

	"golang.org/x/net/idna"
)

// location returns a target as a Location header has it: its host in ASCII, by IDNA, and what else isn't
// in an address percent-encoded. A target has a scheme.
func location(target string) string {
	scheme, rest, _ := strings.Cut(target, "://")
	host, path := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	name, port, ported := strings.Cut(host, ":")
	if ascii, err := idna.Lookup.ToASCII(name); err == nil {
		host = ascii
		if ported {
			host += ":" + port
		}
	}
	return encoded(scheme + "://" + host + path)
}

// encoded returns an address whose bytes that no address has are percent-encoded.
func encoded(address string) string {
	var b strings.Builder
	for i := range len(address) {
		if c := address[i]; c <= ' ' || c >= 0x7F || strings.IndexByte(`"<>\^{}`+"`", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
