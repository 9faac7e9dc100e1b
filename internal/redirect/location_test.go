package redirect

import (
	"net/url"
	"testing"
)

func TestLocation(t *testing.T) {
	for target, want := range map[string]string{
		"https://acme.com":                     "https://acme.com",
		"https://acme.com:8080/a?b=c#d":        "https://acme.com:8080/a?b=c#d",
		"https://acme.com/%C3%BC?a=%20":        "https://acme.com/%C3%BC?a=%20",
		"https://acme.com/ü?a=ü":               "https://acme.com/%C3%BC?a=%C3%BC",
		"https://дом.рф:80/я":                  "https://xn--d1aqf.xn--p1ai:80/%D1%8F",
		"HTTPS://ACME.COM?x":                   "HTTPS://acme.com?x",
		"https://acme.com/\r\nSet-Cookie: a=b": "https://acme.com/%0D%0ASet-Cookie:%20a=b",
		"https://-a_b.com/x":                   "https://-a_b.com/x",
		"https://あ_\xff/x":                     "https://%E3%81%82_%FF/x",
	} {
		got := location(target)
		if got != want {
			t.Errorf("%q is at %q, want %q", target, got, want)
		}
		if u, err := url.Parse(got); err == nil && u.Host == "" {
			t.Errorf("%q has no host", got)
		}
	}
}
