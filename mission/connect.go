package mission

import (
	"net/url"
	"slices"
	"strings"
)

// Bounds of the fields of ConnectInput, in characters.
const (
	MaxServer     = 255
	MaxCredential = 4096
	MaxIdentifier = 320
)

// DefaultBlueskyServer is where Bluesky's own accounts open sessions.
const DefaultBlueskyServer = "https://bsky.social"

// ConnectInput is the integration that a caller requests: the credentials that
// the platform takes, or none if the account's owner consents at the platform.
type ConnectInput struct {
	Platform Platform `json:"platform" doc:"The platform" example:"twitter"`
	// Server is the tenant's Mastodon server or Bluesky PDS: a host, or its URL.
	Server *string `json:"server,omitempty" nullable:"true" doc:"The Mastodon server or Bluesky PDS: a host, or its URL" example:"mastodon.example"`
	// AccessToken is a token that the tenant provides, RefreshToken renews it.
	AccessToken  *string `json:"access_token,omitempty" nullable:"true" doc:"An access token of the account's, on platforms that take one" example:"ZA-Yj3aBD8U8Cm7lKUp-lm9O9BmDgdhHzDeqsY8tlL0"`
	RefreshToken *string `json:"refresh_token,omitempty" nullable:"true" doc:"What renews the access token" example:"bWRWa3gzdnk3WHRGU1o0bmRRcTJ5V2ZmeU9t"`
	// Identifier is a Bluesky handle, e-mail or DID, AppPassword one of its
	// account's app passwords.
	Identifier  *string `json:"identifier,omitempty" nullable:"true" doc:"A Bluesky handle, e-mail or DID" example:"acme.bsky.social"`
	AppPassword *string `json:"app_password,omitempty" nullable:"true" doc:"One of the Bluesky account's app passwords" example:"abcd-efgh-ijkl-mnop"`
	// Account is the LinkedIn organisation to post for, as a URN; nil for the
	// member.
	Account *string `json:"account,omitempty" nullable:"true" doc:"The LinkedIn organisation to post for; the member where it is left out" example:"urn:li:organization:2414183"`
	// ReturnURL is where the owner's browser goes after the consent.
	ReturnURL *string `json:"return_url,omitempty" nullable:"true" doc:"Where the owner's browser goes after the consent: a page of a configured origin" example:"https://app.example.com/settings"`
}

// Read returns the auth method and the credentials that in connects its
// platform with. Errors: invalid_request, naming the field.
func (in ConnectInput) Read() (IntegrationAuth, Credentials, error) {
	if err := CheckPlatform("platform", in.Platform); err != nil {
		return "", Credentials{}, err
	}
	caps, _ := CapabilitiesOf(in.Platform)
	if len(caps.Connect) == 0 {
		return "", Credentials{}, Invalid("platform", "%s can't be connected yet.", in.Platform.Name())
	}
	auth, err := in.auth(caps)
	if err != nil {
		return "", Credentials{}, err
	}
	server, err := in.server()
	if err != nil {
		return "", Credentials{}, err
	}
	c := Credentials{
		Server: server, AccessToken: trimmed(in.AccessToken), RefreshToken: trimmed(in.RefreshToken),
		Identifier: strings.TrimPrefix(trimmed(in.Identifier), "@"), Password: trimmed(in.AppPassword), AccountID: trimmed(in.Account),
	}
	return auth, c, in.check()
}

// auth returns the auth method that in's fields imply; fields that don't belong
// to it are rejected.
func (in ConnectInput) auth(caps Capabilities) (IntegrationAuth, error) {
	auth := IntegrationOAuth2
	switch {
	case slices.Contains(caps.Connect, IntegrationPassword):
		auth = IntegrationPassword
	case in.AccessToken != nil || !slices.Contains(caps.Connect, IntegrationOAuth2):
		auth = IntegrationToken
	}
	for _, f := range []struct {
		name     string
		value    *string
		needed   bool
		belongs  bool
		whatElse string
	}{
		{"server", in.Server, in.Platform == Mastodon, in.Platform == Mastodon || in.Platform == Bluesky, "has no servers to choose from"},
		{"access_token", in.AccessToken, auth == IntegrationToken, auth == IntegrationToken, "doesn't connect with an access token"},
		{
			"refresh_token", in.RefreshToken, false, auth == IntegrationToken && in.Platform != Mastodon,
			"doesn't take a refresh token without an access token",
		},
		{"identifier", in.Identifier, auth == IntegrationPassword, auth == IntegrationPassword, "doesn't connect with a password"},
		{"app_password", in.AppPassword, auth == IntegrationPassword, auth == IntegrationPassword, "doesn't connect with a password"},
		{"account", in.Account, false, in.Platform == LinkedIn, "has no accounts to choose from"},
		{"return_url", in.ReturnURL, false, auth == IntegrationOAuth2, "needs no consent, and so no return URL, with these credentials"},
	} {
		switch given := trimmed(f.value) != ""; {
		case f.value != nil && !f.belongs:
			return "", Invalid(f.name, "%s %s.", in.Platform.Name(), f.whatElse)
		case f.needed && !given:
			return "", Invalid(f.name, "This field is required to connect %s.", in.Platform.Name())
		}
	}
	return auth, nil
}

func trimmed(text *string) string { return strings.TrimSpace(deref(text, "")) }

// check checks the bounds of in's texts.
func (in ConnectInput) check() error {
	for _, f := range []struct {
		name  string
		value *string
		most  int
	}{
		{"access_token", in.AccessToken, MaxCredential}, {"refresh_token", in.RefreshToken, MaxCredential},
		{"identifier", in.Identifier, MaxIdentifier}, {"app_password", in.AppPassword, MaxCredential},
		{"account", in.Account, MaxIdentifier}, {"return_url", in.ReturnURL, MaxURL},
	} {
		text := trimmed(f.value)
		if err := checkText(f.name, text, 0, f.most); err != nil {
			return err
		}
		if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return Invalid(f.name, "Only visible ASCII characters are allowed, without spaces.")
		}
	}
	return nil
}

// MaxURL is the maximal length of a URL, in bytes.
const MaxURL = 2048

// server returns the base URL that in names, or its platform's default; "" for
// platforms with a single server.
func (in ConnectInput) server() (string, error) {
	text := strings.TrimRight(trimmed(in.Server), "/")
	switch {
	case text == "" && in.Platform == Bluesky:
		return DefaultBlueskyServer, nil
	case text == "":
		return "", nil
	case len(text) > MaxServer:
		return "", Invalid("server", "At most %d characters are allowed.", MaxServer)
	}
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.ForceQuery {
		return "", Invalid("server", "The server must be a host, such as mastodon.social, or its URL without a path.")
	}
	u.Host = strings.ToLower(u.Host)
	return u.String(), nil
}
