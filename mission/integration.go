package mission

import (
	"slices"
	"time"
)

// IntegrationStatus is the state of an integration.
type IntegrationStatus string

// The states. A pending integration waits for its account's owner to consent at
// the platform; one that needs_reconnect was refused by it, and its posts wait.
const (
	IntegrationPending        IntegrationStatus = "pending"
	IntegrationConnected      IntegrationStatus = "connected"
	IntegrationNeedsReconnect IntegrationStatus = "needs_reconnect"
)

// AllIntegrationStatuses lists them.
func AllIntegrationStatuses() []IntegrationStatus {
	return []IntegrationStatus{IntegrationPending, IntegrationConnected, IntegrationNeedsReconnect}
}

// IntegrationAuth is how an integration shows a platform whose it is.
type IntegrationAuth string

// The methods.
const (
	IntegrationToken    IntegrationAuth = "access_token" // a token that the tenant brought
	IntegrationPassword IntegrationAuth = "app_password" // Bluesky's
	IntegrationOAuth2   IntegrationAuth = "oauth2"       // the owner's consent at the platform
)

// AllIntegrationAuths lists them.
func AllIntegrationAuths() []IntegrationAuth {
	return []IntegrationAuth{IntegrationToken, IntegrationPassword, IntegrationOAuth2}
}

// Account is whose an integration is, as its platform tells.
type Account struct {
	// ID is the platform's: a number on Mastodon and X, a DID on Bluesky, a URN
	// on LinkedIn.
	ID string `json:"id"`
	// Handle is the account's name in addresses, without a leading @, or "".
	Handle string `json:"handle"`
	Name   string `json:"name"`
	URL    string `json:"url"`
}

// Credentials are what a tenant entrusts to the service for a platform. They
// are sealed at rest, and never shown.
type Credentials struct {
	// Server is the base URL of the tenant's server, without a slash at its end,
	// on platforms that have many; else "".
	Server string `json:"server,omitempty"`
	// AccountID is the account's (see Account), once it is known.
	AccountID    string `json:"account_id,omitempty"`
	AccessToken  string `json:"access_token,omitempty"`
	RefreshToken string `json:"refresh_token,omitempty"`
	// ExpiresAt is when the access token ends, in real time; nil where the
	// platform doesn't say.
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
	Scopes    []string   `json:"scopes,omitempty"`
	// Identifier and Password open a session, on platforms that have no tokens
	// to bring.
	Identifier string `json:"identifier,omitempty"`
	Password   string `json:"password,omitempty"`
	// ClientID and ClientSecret are the application's, where each server has one
	// of its own.
	ClientID     string `json:"client_id,omitempty"`
	ClientSecret string `json:"client_secret,omitempty"`
}

// Renewable reports whether the credentials can be renewed without their owner.
func (c Credentials) Renewable() bool { return c.RefreshToken != "" || c.Password != "" }

// Grant is an authorisation that its owner hasn't given yet (RFC 6749, section
// 4.1, with RFC 7636's proof).
type Grant struct {
	Server string `json:"server,omitempty"`
	// AccountID is the account that is wanted, or "".
	AccountID string `json:"account_id,omitempty"`
	// State comes back with the owner's answer; Verifier proves that it is ours
	// that exchanges the code.
	State       string `json:"state"`
	Verifier    string `json:"verifier"`
	RedirectURL string `json:"redirect_url"`
	// Address is where the owner consents.
	Address      string `json:"address,omitempty"`
	ClientID     string `json:"client_id,omitempty"`
	ClientSecret string `json:"client_secret,omitempty"`
}

// Integration is a tenant's connection to a platform: at most one a platform.
type Integration struct {
	ID       string
	TenantID string
	Platform Platform
	Status   IntegrationStatus
	Auth     IntegrationAuth
	// Server is the base URL of the tenant's server; "" on platforms that have
	// one for all.
	Server string
	// Account is nil until the platform told it.
	Account   *Account
	Scopes    []string
	ExpiresAt *time.Time // of the access token, in real time; nil where it doesn't
	// Sealed are the credentials; "" until there are any. Version counts their
	// changes.
	Sealed  string
	Version int
	// Error is why the platform refused the integration; nil where it didn't.
	Error     *Failure
	CheckedAt *time.Time // when the platform last took the credentials
	// ConnectedAt is when it became connected: posts whose slots passed before
	// move to others. nil while it never was.
	ConnectedAt *time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// NewIntegration makes an integration that isn't connected yet.
func NewIntegration(id, tenantID string, p Platform, auth IntegrationAuth, server string, now time.Time) Integration {
	return Integration{
		ID: id, TenantID: tenantID, Platform: p, Status: IntegrationPending, Auth: auth, Server: server, CreatedAt: now, UpdatedAt: now,
	}
}

// CheckAccount returns a conflict where the integration is another account's:
// what it published belongs to that.
func (i Integration) CheckAccount(a Account) error {
	if i.Account != nil && i.Account.ID != a.ID {
		return Conflict("%s is connected with another account, %s; disconnect it first.", i.Platform, i.Account.Name)
	}
	return nil
}

// Usable reports whether posts may go out through the integration.
func (i Integration) Usable() bool { return i.Status == IntegrationConnected }

// Connected returns the integration once its platform took credentials.
func (i Integration) Connected(a Account, c Credentials, sealed string, now time.Time) Integration {
	return i.Taken(a, now).keeping(c, sealed, now)
}

// Taken returns the integration once its platform took the credentials that it
// has.
func (i Integration) Taken(a Account, now time.Time) Integration {
	if i.Status != IntegrationConnected {
		i.ConnectedAt = &now
	}
	i.Status, i.Account, i.Error, i.CheckedAt, i.UpdatedAt = IntegrationConnected, &a, nil, &now, now
	return i
}

// Renewed returns the integration with renewed credentials.
func (i Integration) Renewed(c Credentials, sealed string, now time.Time) Integration {
	if i.Status == IntegrationNeedsReconnect {
		i.Status, i.Error, i.ConnectedAt = IntegrationConnected, nil, &now
	}
	return i.keeping(c, sealed, now)
}

func (i Integration) keeping(c Credentials, sealed string, now time.Time) Integration {
	i.Sealed, i.Scopes, i.ExpiresAt, i.UpdatedAt = sealed, slices.Clone(c.Scopes), c.ExpiresAt, now
	i.Version++
	return i
}

// Refused returns the integration once its platform refused the credentials.
func (i Integration) Refused(f Failure, now time.Time) Integration {
	i.Status, i.Error, i.UpdatedAt = IntegrationNeedsReconnect, &f, now
	return i
}
