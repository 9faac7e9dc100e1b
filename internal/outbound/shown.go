package outbound

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// hidden stands for what isn't shown of an address.
const hidden = "xxxxx"

// Shown returns an address of the configuration as an error may have it: without user, password, the values of
// parameters and the fragment. Nothing is shown of one in which a password that isn't encoded may be anywhere.
func Shown(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" || strings.Contains(u.Path+u.RawQuery+u.Fragment, "@") {
		return hidden
	}
	if u.User != nil {
		u.User = url.User(hidden)
	}
	q := u.Query()
	for name := range q {
		q.Set(name, hidden)
	}
	u.RawQuery, u.Fragment = q.Encode(), ""
	return u.String()
}

// proxy returns the proxy of the environment for a request, with errors that don't have its address.
func proxy(r *http.Request) (*url.URL, error) { return withoutAddress(http.ProxyFromEnvironment(r)) }

var errProxy = errors.New("HTTP_PROXY or HTTPS_PROXY of the environment isn't a URL, such as http://proxy:3128")

func withoutAddress(u *url.URL, err error) (*url.URL, error) {
	if err != nil {
		return nil, errProxy
	}
	return u, nil
}
