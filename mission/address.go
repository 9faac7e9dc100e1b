package mission

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// Limits of the names of hosts, in bytes (RFC 1035, section 2.3.4), and of ports.
const (
	maxLabel = 63
	maxName  = 253
	maxPort  = 65535
)

// CheckHost checks that a URL that the field param has could lead somewhere, and where it is seen
// to lead: it has no spaces and no hidden characters, its port exists, and its host, which is the URL's in ASCII if that is known, is
// an address or could be a name. Errors: invalid_request on param.
func CheckHost(param, address string, u *url.URL, host string) error {
	if err := checkSeen(param, address); err != nil {
		return err
	}
	if port := u.Port(); port != "" || strings.HasSuffix(u.Host, ":") {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > maxPort {
			return Invalid(param, "The URL's port must be between 1 and %d.", maxPort)
		}
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return nil
	}
	host = strings.TrimSuffix(host, ".")
	if len(host) > maxName {
		return Invalid(param, "The URL's host must be at most %d characters long.", maxName)
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > maxLabel || strings.Trim(label, "-") != label || strings.ContainsFunc(label, notInName) {
			return Invalid(param, "The URL's host must be a name or an IP address: the parts of a name have 1 to %d "+
				"letters, digits, underscores and, between them, hyphens.", maxLabel)
		}
	}
	return nil
}

// checkSeen checks that an address is seen as it is: it has no spaces and no hidden characters.
// Errors: invalid_request on param.
func checkSeen(param, address string) error {
	if strings.ContainsFunc(address, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return Invalid(param, "The URL must not have spaces.")
	}
	if r, found := hiddenIn(address); found {
		return Invalid(param, "The URL must not have hidden characters; it contains U+%04X.", r)
	}
	return nil
}

// notInName reports whether names of hosts don't have a character. Letters beyond ASCII
// are IDNA's.
func notInName(r rune) bool {
	return r <= unicode.MaxASCII && r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
