package mission

import (
	"slices"
	"strings"
	"time"
)

// IntegrationStatus is the state of an integration.
type IntegrationStatus string

// The states. A pending integration waits for its account's owner to consent at
// the platform; the platform refused one that needs_reconnect, and its posts
// wait.
const (
	IntegrationPending        IntegrationStatus = "pending"
	IntegrationConnected      IntegrationStatus = "connected"
	IntegrationNeedsReconnect IntegrationStatus = "needs_reconnect"
)

// AllIntegrationStatuses lists them.
func AllIntegrationStatuses() []IntegrationStatus {
	return []IntegrationStatus{IntegrationPending, IntegrationConnected, IntegrationNeedsReconnect}
}

// IntegrationAuth is how an integration authenticates at its platform.
type IntegrationAuth string

// The methods.
const (
	IntegrationToken    IntegrationAuth = "access_token" // a token that the tenant provided
	IntegrationPassword IntegrationAuth = "app_password" // Bluesky's
	IntegrationOAuth2   IntegrationAuth = "oauth2"       // the owner's consent at the platform
)

// AllIntegrationAuths lists them.
func AllIntegrationAuths() []IntegrationAuth {
	return []IntegrationAuth{IntegrationToken, IntegrationPassword, IntegrationOAuth2}
}

// Account is the platform account of an integration, as its platform reports
// it.
type Account struct {
	// ID is the platform's: a number on Mastodon and X, a DID on Bluesky, a URN
	// on LinkedIn.
	ID string `json:"id"`
	// Handle is the account's name in addresses, without a leading @, or "".
	Handle string `json:"handle"`
	Name   string `json:"name"`
	URL    string `json:"url"`
	// AvatarURL is the address of its picture, or "".
	AvatarURL string `json:"avatar_url,omitempty"`
	// OwnerID is by what the platform names whoever consented to the application, if that isn't the
	// account: a person on Facebook and Instagram; else "".
	OwnerID string `json:"owner_id,omitempty"`
	// Limits are its server's own.
	Limits TextLimits `json:"limits,omitzero"`
	// Daily is how many posts the platform lets it publish within any QuotaSpan, as it told; 0 if it
	// told none.
	Daily int `json:"daily_posts,omitempty"`
}

// Credentials are a tenant's credentials for a platform. They are sealed at
// rest, and never shown.
type Credentials struct {
	// Server is the base URL of the tenant's server, without a trailing slash,
	// on platforms with many servers; else "".
	Server string `json:"server,omitempty"`
	// AccountID is the account's ID (see Account), once it is known.
	AccountID string `json:"account_id,omitempty"`
	// OwnerID is the account's OwnerID.
	OwnerID      string `json:"owner_id,omitempty"`
	AccessToken  string `json:"access_token,omitempty"`
	RefreshToken string `json:"refresh_token,omitempty"`
	// ExpiresAt is when the access token expires, in real time; nil if the
	// platform doesn't say.
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
	Scopes    []string   `json:"scopes,omitempty"`
	// Group is what the account is in, if the addresses of its posts name it: a server on
	// Discord; else "".
	Group string `json:"group,omitempty"`
	// Identifier and Password open a session, on platforms without access
	// tokens for tenants.
	Identifier string `json:"identifier,omitempty"`
	Password   string `json:"password,omitempty"`
	// ClientID and ClientSecret are those of the application that the owner
	// consented to: on platforms where each server has its own, and for a
	// tenant's own; else "", for the operator's.
	ClientID     string `json:"client_id,omitempty"`
	ClientSecret string `json:"client_secret,omitempty"`
}

// Renewable reports whether the credentials can be renewed without their owner.
func (c Credentials) Renewable() bool { return c.RefreshToken != "" || c.Password != "" }

// Grant is an authorisation that the account's owner hasn't given yet (RFC
// 6749, section 4.1, with RFC 7636's proof).
type Grant struct {
	Server string `json:"server,omitempty"`
	// AccountID is the requested account, or "".
	AccountID string `json:"account_id,omitempty"`
	// State is returned with the owner's decision; Verifier proves that whoever
	// exchanges the code started the authorisation.
	State       string `json:"state"`
	Verifier    string `json:"verifier"`
	RedirectURL string `json:"redirect_url"`
	// Address is the URL where the owner consents.
	Address      string `json:"address,omitempty"`
	ClientID     string `json:"client_id,omitempty"`
	ClientSecret string `json:"client_secret,omitempty"`
}

// MaxIntegrations is how many integrations a tenant has at most, pending ones included.
const MaxIntegrations = 100

// MaxLabel is the maximal length of a label, in characters.
const MaxLabel = 100

// Integration is a tenant's connection to an account of a platform.
type Integration struct {
	ID       string `bun:",pk"`
	TenantID string
	Platform Platform
	Status   IntegrationStatus
	Auth     IntegrationAuth
	// Default reports whether it is the platform's default: the one that is used where
	// none is chosen. The first to be connected is.
	Default bool `bun:"is_default"`
	// Label is what the tenant calls it, or "".
	Label string
	// Server is the base URL of the tenant's server; "" on platforms with a
	// single server.
	Server string
	// Account is nil until the platform has reported it.
	Account   *Account
	Scopes    []string
	ExpiresAt *time.Time // of the access token, in real time; nil if it doesn't
	// Sealed is the sealed credentials; "" until there are any. Version counts
	// their changes.
	Sealed  string
	Version int
	// Error is why the platform refused the integration; nil if it didn't.
	Error     *Failure
	CheckedAt *time.Time // when the platform last accepted the credentials
	// ConnectedAt is when it became connected: posts whose slots passed before
	// that move to other slots. nil if it never was.
	ConnectedAt *time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time
	// DeletedAt is when it was disconnected; nil if it wasn't. Its posts wait until its
	// account is connected again.
	DeletedAt *time.Time `bun:",soft_delete"`
}

// NewIntegration returns an integration that isn't connected yet.
func NewIntegration(id, tenantID string, p Platform, auth IntegrationAuth, server string, now time.Time) Integration {
	return Integration{
		ID: id, TenantID: tenantID, Platform: p, Status: IntegrationPending, Auth: auth, Server: server, CreatedAt: now, UpdatedAt: now,
	}
}

// AccountKey returns what identifies an account of a platform among all of them: on
// some platforms each server has ids of its own.
func AccountKey(p Platform, server string, a Account) string {
	if c, _ := CapabilitiesOf(p); c.OwnServers {
		return server + " " + a.ID
	}
	return a.ID
}

// AccountKey returns the key of the integration's account; "" until it is known.
func (i Integration) AccountKey() string {
	if i.Account == nil {
		return ""
	}
	return AccountKey(i.Platform, i.Server, *i.Account)
}

// CheckConnectable returns a conflict if the integration's account is connected: the same
// account isn't connected twice.
func (i Integration) CheckConnectable() error {
	if i.Usable() {
		return Conflict(
			"The account %s is connected already, as %s; to replace its credentials, disconnect it first: its posts wait meanwhile.",
			i.Account.Name, i.ID,
		)
	}
	return nil
}

// Usable reports whether posts may be published through the integration.
func (i Integration) Usable() bool { return i.Status == IntegrationConnected && i.DeletedAt == nil }

// IntegrationInput is an update of an integration.
type IntegrationInput struct {
	// Default makes the integration the platform's default; false isn't allowed, since
	// another one is made the default instead.
	Default *bool   `json:"default,omitempty" doc:"true: it is the platform's default from now on" example:"true"`
	Label   *string `json:"label,omitempty" doc:"What people call it: one line of at most 100 characters; empty for none" example:"Acme in German"`
}

// Check checks the rules of in. Errors: invalid_request, naming the field.
func (in IntegrationInput) Check() error {
	if in.Default != nil && !*in.Default {
		return Invalid("default", "Must be true: to replace the default, make another integration the default.")
	}
	return checkLine("label", deref(in.Label, ""), 0, MaxLabel)
}

// Update returns the integration with in, which has been checked. Errors: conflict for a
// default without an account.
func (i Integration) Update(in IntegrationInput, now time.Time) (Integration, error) {
	if in.Default != nil && i.Account == nil {
		return i, Conflict("An integration that was never connected can't be the default.")
	}
	i.Default = i.Default || in.Default != nil
	i.Label = strings.TrimSpace(deref(in.Label, i.Label))
	i.UpdatedAt = now
	return i, nil
}

// Disconnected returns the integration without credentials.
func (i Integration) Disconnected(now time.Time) Integration {
	i.Status, i.Default, i.Sealed, i.Scopes, i.ExpiresAt, i.Error = IntegrationPending, false, "", []string{}, nil, nil
	i.DeletedAt, i.UpdatedAt = &now, now
	i.Version++
	return i
}

// Connected returns the integration after its platform accepted new
// credentials.
func (i Integration) Connected(a Account, c Credentials, sealed string, now time.Time) Integration {
	return i.Taken(a, now).withCredentials(c, sealed, now)
}

// Taken returns the integration after its platform accepted its current
// credentials. Limits that the server doesn't report at the moment stay, and so does the daily quota.
func (i Integration) Taken(a Account, now time.Time) Integration {
	if i.Account != nil && a.Limits == (TextLimits{}) {
		a.Limits = i.Account.Limits
	}
	if i.Account != nil && a.Daily == 0 {
		a.Daily = i.Account.Daily
	}
	if i.Status != IntegrationConnected {
		i.ConnectedAt = &now
	}
	i.Status, i.Account, i.Error, i.CheckedAt, i.UpdatedAt, i.DeletedAt = IntegrationConnected, &a, nil, &now, now, nil
	return i
}

// Renewed returns the integration with renewed credentials.
func (i Integration) Renewed(c Credentials, sealed string, now time.Time) Integration {
	if i.Status == IntegrationNeedsReconnect {
		i.Status, i.Error, i.ConnectedAt = IntegrationConnected, nil, &now
	}
	return i.withCredentials(c, sealed, now)
}

// Rekeyed returns the integration with credentials of which only the application's secret changed.
func (i Integration) Rekeyed(sealed string, now time.Time) Integration {
	i.Sealed, i.UpdatedAt = sealed, now
	i.Version++
	return i
}

func (i Integration) withCredentials(c Credentials, sealed string, now time.Time) Integration {
	i.Sealed, i.Scopes, i.ExpiresAt, i.UpdatedAt = sealed, slices.Clone(c.Scopes), c.ExpiresAt, now
	i.Version++
	return i
}

// Refused returns the integration after its platform refused the credentials.
func (i Integration) Refused(f Failure, now time.Time) Integration {
	i.Status, i.Error, i.UpdatedAt = IntegrationNeedsReconnect, &f, now
	return i
}
