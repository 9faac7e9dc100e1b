package mission

import (
	"maps"
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
	// AccessToken is a token that the tenant provides, or what stands in its place: a webhook's URL on
	// Discord, a key on Ghost. RefreshToken renews it.
	AccessToken  *string `json:"access_token,omitempty" nullable:"true" doc:"An access token of the account's, on platforms that take one: on Facebook a Page's or a person's, on Telegram and Discord a bot's or a webhook's URL, on Ghost an Admin API key" example:"ZA-Yj3aBD8U8Cm7lKUp-lm9O9BmDgdhHzDeqsY8tlL0"`
	RefreshToken *string `json:"refresh_token,omitempty" nullable:"true" doc:"What renews the access token" example:"bWRWa3gzdnk3WHRGU1o0bmRRcTJ5V2ZmeU9t"`
	// Identifier is a Bluesky handle, e-mail or DID, AppPassword one of its
	// account's app passwords.
	Identifier  *string `json:"identifier,omitempty" nullable:"true" doc:"A Bluesky handle, e-mail or DID" example:"acme.bsky.social"`
	AppPassword *string `json:"app_password,omitempty" nullable:"true" doc:"One of the Bluesky account's app passwords" example:"abcd-efgh-ijkl-mnop"`
	// Account is which of the accounts that the credentials open is connected: an organisation on LinkedIn,
	// a Page on Facebook, a channel on Telegram and Discord; nil where there is one.
	Account *string `json:"account,omitempty" nullable:"true" doc:"Which account the credentials open, where there are several: on LinkedIn an organisation, as a URN, or the member if it is left out; on Facebook a Page, by its id or name; on Telegram the channel, by @name or id; on Discord the channel's id, for a bot" example:"urn:li:organization:2414183"`
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
	server, err := in.server(caps)
	if err != nil {
		return "", Credentials{}, err
	}
	c := Credentials{
		Server: server, AccessToken: trimmed(in.AccessToken), RefreshToken: trimmed(in.RefreshToken),
		Identifier: strings.TrimPrefix(trimmed(in.Identifier), "@"), Password: in.password(), AccountID: trimmed(in.Account),
	}
	if err := in.check(); err != nil {
		return "", Credentials{}, err
	}
	return auth, c, in.checkAccount()
}

// checkAccount checks the account of Discord's credentials: a bot's token needs the channel that it
// posts to, a webhook is of one.
func (in ConnectInput) checkAccount() error {
	if in.Platform != Discord {
		return nil
	}
	account, webhook := trimmed(in.Account), strings.Contains(trimmed(in.AccessToken), "/")
	digits := account != "" && strings.Trim(account, "0123456789") == "" && len(account) <= maxSnowflake
	switch {
	case webhook && account != "":
		return Invalid("account", "A webhook posts to its own channel: this field must be empty.")
	case !webhook && !digits:
		return Invalid("account", "A bot posts to a channel: this must be the channel's id, such as 199737254929760256.")
	}
	return nil
}

// maxSnowflake is the longest id on Discord, in digits.
const maxSnowflake = 20

// ConnectField is a field of ConnectInput that a platform takes.
type ConnectField struct {
	// Name is the field's; Auth is the method that takes it, "" for each of the platform's.
	Name     string
	Auth     IntegrationAuth
	Required bool
	// Label is what people call it, Hint how they get it; "" if nobody types it in.
	Label, Hint string
}

// By returns the method that takes the field; nil for each of the platform's.
func (f ConnectField) By() *IntegrationAuth {
	if f.Auth == "" {
		return nil
	}
	return &f.Auth
}

// fields returns in's fields by their names.
func (in ConnectInput) fields() map[string]*string {
	return map[string]*string{
		"server": in.Server, "access_token": in.AccessToken, "refresh_token": in.RefreshToken, "identifier": in.Identifier,
		"app_password": in.AppPassword, "account": in.Account, "return_url": in.ReturnURL,
	}
}

// strange says why a platform doesn't take a field.
var strange = map[string]string{
	"server": "has no servers to choose from", "access_token": "doesn't connect with an access token",
	"refresh_token": "doesn't take a refresh token without an access token", "identifier": "doesn't connect with a password",
	"app_password": "doesn't connect with a password", "account": "has no accounts to choose from",
	"return_url": "needs no consent, and so no return URL, with these credentials",
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
	given := in.fields()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		i := slices.IndexFunc(caps.ConnectFields, func(f ConnectField) bool { return f.Name == name && (f.Auth == "" || f.Auth == auth) })
		switch {
		case i < 0 && given[name] != nil:
			return "", Invalid(name, "%s %s.", in.Platform.Name(), strange[name])
		case i >= 0 && caps.ConnectFields[i].Required && trimmed(given[name]) == "":
			return "", Invalid(name, "This field is required to connect %s.", in.Platform.Name())
		}
	}
	return auth, nil
}

func trimmed(text *string) string { return strings.TrimSpace(deref(text, "")) }

// password returns the app password; WordPress shows it with spaces, which don't count.
func (in ConnectInput) password() string {
	if in.Platform == WordPress {
		return strings.ReplaceAll(trimmed(in.AppPassword), " ", "")
	}
	return trimmed(in.AppPassword)
}

// check checks the bounds of in's texts.
func (in ConnectInput) check() error {
	for _, f := range []struct {
		name  string
		value *string
		most  int
	}{
		{"access_token", in.AccessToken, MaxCredential}, {"refresh_token", in.RefreshToken, MaxCredential},
		{"identifier", in.Identifier, MaxIdentifier}, {"app_password", new(in.password()), MaxCredential},
		{"account", in.Account, MaxIdentifier}, {"return_url", in.ReturnURL, MaxURL},
	} {
		text := trimmed(f.value)
		if err := checkText(f.name, text, 0, f.most); err != nil {
			return err
		}
		named := in.Platform == WordPress && f.name == "identifier" // a user's name, which may have spaces
		if strings.ContainsFunc(text, func(r rune) bool { return (r < ' ' || r == ' ' && !named) || r > '~' }) {
			return Invalid(f.name, "Only visible ASCII characters are allowed, without spaces.")
		}
	}
	return nil
}

// MaxURL is the maximal length of a URL, in bytes.
const MaxURL = 2048

// server returns the base URL that in names, or its platform's default; "" for
// platforms with a single server. A site of WordPress or Ghost may be in a folder.
func (in ConnectInput) server(caps Capabilities) (string, error) {
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
	site := caps.TitleLength > 0
	if err != nil || u.Host == "" || u.Path != "" && !site || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.User != nil {
		return "", Invalid("server", "The server must be a host, such as mastodon.social, or its URL without a path.")
	}
	u.Host = strings.ToLower(u.Host)
	return u.String(), nil
}
