package integrations

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// GrantLife is how long an account's owner has to consent, in real time.
const GrantLife = 15 * time.Minute

// StartPath is the path at which an owner's browser begins; a secret follows it.
const StartPath = "/integrations/start/"

// CallbackPath returns the path to which a platform redirects the owner's browser.
// It is different for each platform and server, so that a code of one can't be
// used as another's (RFC 9700, section 4.4).
func CallbackPath(p mission.Platform, server string) string {
	path := "/integrations/callback/" + string(p)
	if _, host, ok := strings.Cut(server, "://"); ok {
		path += "/" + url.PathEscape(host)
	}
	return path
}

// beginConsent returns the address at which the account's owner consents. The integration
// is connected when the platform redirects the owner's browser back (see
// Consented).
func (g *Service) beginConsent(
	ctx context.Context, p mission.Principal, in mission.ConnectInput, c mission.Credentials,
	adapter publisher.Adapter,
) (Connected, error) {
	authorizer, ok := adapter.(publisher.Authorizer)
	if !ok {
		return Connected{}, mission.Invalid("access_token", "The access token is required to connect %s.", in.Platform.Name())
	}
	back, err := g.returnURL(in.ReturnURL)
	if err != nil {
		return Connected{}, err
	}
	start := rand.Text() + rand.Text()
	grant := mission.Grant{
		Server: c.Server, AccountID: c.AccountID, State: rand.Text() + rand.Text(), Verifier: rand.Text() + rand.Text(),
		RedirectURL: g.options.PublicURL + CallbackPath(in.Platform, c.Server),
	}
	if grant, err = g.withApp(ctx, p.TenantID, in.Platform, grant); err != nil {
		return Connected{}, err
	}
	address, grant, err := authorizer.Authorize(ctx, grant)
	if errors.Is(err, publisher.ErrNoClient) {
		return Connected{}, mission.Invalid(
			"access_token", "The access token is required to connect %s here: the service has no OAuth client for it.",
			in.Platform.Name(),
		)
	}
	if err != nil {
		return Connected{}, connecting(err, in, mission.IntegrationOAuth2)
	}
	return idempotency.Once(ctx, g.db, func(tx store.Tx) (Connected, error) {
		i, err := g.awaiting(ctx, tx, p.TenantID, in.Platform, c.Server)
		if err != nil {
			return Connected{}, err
		}
		grant.Address = address
		sealed, err := g.seal(i.ID, grant)
		if err != nil {
			return Connected{}, err
		}
		now := g.options.Real.Now()
		return Connected{Integration: i, AuthorizeURL: g.options.PublicURL + StartPath + start}, tx.AddGrant(ctx, store.Grant{
			StateHash: hashed(grant.State), StartHash: hashed(start), IntegrationID: i.ID, TenantID: i.TenantID,
			UserID: p.UserID, KeyID: p.KeyID, SessionID: p.SessionID,
			Sealed: sealed, ReturnURL: back, ExpiresAt: now.Add(GrantLife),
		}, now)
	})
}

// returnURL returns the page that the browser goes on to, which must be of an
// allowed origin; "" for none. Errors: invalid_request.
func (g *Service) returnURL(text *string) (string, error) {
	if text == nil {
		return "", nil
	}
	u, err := url.Parse(*text)
	if err != nil || u.Host == "" || u.User != nil || g.options.Origins == nil || !g.options.Origins(u.Scheme+"://"+u.Host) {
		return "", mission.Invalid("return_url", "The address must be a page of an origin that this service is configured to serve.")
	}
	return u.String(), nil
}

func hashed(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// Asked is who asks for an owner's consent, and for what.
type Asked struct {
	// Tenant is where the account will be connected, Member who asks: nil for one who was
	// removed.
	Tenant   mission.Tenant
	Member   *mission.User
	Platform mission.Platform
	// Address is the platform's page that the browser goes on to.
	Address string
}

// Asked returns who asks for the consent that a start page's secret begins. It changes
// nothing. Errors: as for Start.
func (g *Service) Asked(ctx context.Context, start string) (asked Asked, err error) {
	var stored store.Grant
	err = g.store.Tx(ctx, func(tx store.Tx) error {
		var grant mission.Grant
		stored, grant, err = g.started(ctx, tx, start)
		asked.Address = grant.Address
		return err
	})
	if err != nil {
		return asked, err
	}
	i, err := g.db.Integration(ctx, stored.TenantID, stored.IntegrationID)
	if err != nil {
		return asked, err
	}
	asked.Platform = i.Platform
	users, err := g.db.UsersByID(ctx, stored.TenantID, []string{stored.UserID})
	if err != nil {
		return asked, err
	}
	if u, ok := users[stored.UserID]; ok {
		asked.Member = &u
	}
	asked.Tenant, err = g.db.Tenant(ctx, stored.TenantID)
	return asked, err
}

// started returns the grant that a start page's secret begins, locked. Errors:
// invalid_request.
func (g *Service) started(ctx context.Context, tx store.Tx, start string) (stored store.Grant, grant mission.Grant, err error) {
	stored, found, err := tx.LockGrant(ctx, "", hashed(start), g.options.Real.Now())
	if err == nil && !found {
		err = errNoGrant()
	}
	if err != nil {
		return stored, grant, err
	}
	return stored, grant, g.unseal(stored.IntegrationID, stored.Sealed, &grant)
}

// Started is the address that an owner's browser goes on to, and the cookie that
// binds the consent to the browser.
type Started struct {
	Address string
	// Cookie is the cookie's name, without a prefix, and Secret its value.
	Cookie, Secret string
}

// CookieOf returns the value of a cookie that the browser sent, or "".
type CookieOf func(name string) string

// cookieName returns the name of a grant's cookie. Names differ, since a browser
// may have several grants open.
func cookieName(stateHash string) string {
	const enough = 16
	return "missiond-consent-" + stateHash[:enough]
}

// Start begins an owner's consent and binds it to the browser whose start page was sent, with
// its secret. A client that opened the page earlier, such as a chat's link
// preview, can't complete it any more. Errors: invalid_request for a consent that
// nobody asked for or that has expired.
func (g *Service) Start(ctx context.Context, start string, cookie CookieOf) (begun Started, err error) {
	err = g.store.Tx(ctx, func(tx store.Tx) error {
		stored, grant, err := g.started(ctx, tx, start)
		if err != nil {
			return err
		}
		begun.Cookie = cookieName(stored.StateHash)
		begun.Address = grant.Address
		if begun.Secret = cookie(begun.Cookie); begun.Secret != "" && stored.BrowserHash == hashed(begun.Secret) {
			return nil
		}
		begun.Secret = rand.Text() + rand.Text()
		return tx.BindGrant(ctx, stored, hashed(begun.Secret))
	})
	return begun, err
}

func errNoGrant() error {
	return mission.Invalid("state", "The consent is unknown or has expired; connect the platform again.")
}

// Consent is what an owner's browser brings back from a platform (RFC 6749,
// section 4.1.2).
type Consent struct {
	State string
	Code  string
	// Error is why there is no code, as in access_denied.
	Error string
	// Issuer is the authorization server, if the platform names it (RFC 9207).
	Issuer string
	// Path is the path that the browser was redirected to.
	Path string
	// Cookie reads the browser's cookies.
	Cookie CookieOf
}

// Consented connects the platform that an owner consented to. returnURL is the
// page that the browser goes on to, or ""; it is returned with most errors too.
// Errors: invalid_request for a consent that nobody began, that has expired or
// was used, or that comes from another browser or platform; forbidden if the
// caller who began it may no longer connect platforms; conflict;
// service_unavailable.
func (g *Service) Consented(ctx context.Context, in Consent) (i mission.Integration, returnURL string, err error) {
	stored, grant, err := g.takeGrant(ctx, in)
	if err != nil {
		return i, "", err
	}
	returnURL = stored.ReturnURL
	if in.Error != "" || in.Code == "" {
		return i, returnURL, mission.Invalid("code", "The platform granted no access; connect it again to repeat the consent.")
	}
	by := mission.Principal{TenantID: stored.TenantID, UserID: stored.UserID, KeyID: stored.KeyID, SessionID: stored.SessionID}
	if err := g.mayConnect(ctx, by); err != nil {
		return i, returnURL, err
	}
	if i, err = g.db.Integration(ctx, stored.TenantID, stored.IntegrationID); err != nil {
		return i, returnURL, err
	}
	ctx, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	account, c, err := g.exchange(ctx, i, grant, in.Code)
	if err != nil {
		return i, returnURL, err
	}
	if err := g.mayConnect(ctx, by); err != nil { // the platform took its time
		return i, returnURL, err
	}
	err = g.store.Tx(ctx, func(tx store.Tx) error {
		if _, err := tx.LockTenant(ctx, i.TenantID); err != nil {
			return err
		}
		if i, err = tx.LockIntegration(ctx, i.TenantID, i.ID); err != nil {
			return err
		}
		if err := checkApp(ctx, tx, i, grant); err != nil {
			return err
		}
		i, err = g.storeConnected(ctx, tx, by, i, mission.IntegrationOAuth2, account, c)
		return err
	})
	return i, returnURL, err
}

// exchange exchanges an owner's code for credentials, and returns them with the
// account that they are for.
func (g *Service) exchange(
	ctx context.Context, i mission.Integration, grant mission.Grant, code string,
) (mission.Account, mission.Credentials, error) {
	authorizer, ok := g.options.Adapters[i.Platform].(publisher.Authorizer)
	if !ok {
		return mission.Account{}, mission.Credentials{}, errNoAdapter
	}
	c, err := authorizer.Exchange(ctx, grant, code)
	if err != nil {
		return mission.Account{}, c, consenting(err)
	}
	c.AccountID = grant.AccountID
	account, c, err := authorizer.Connect(ctx, c)
	if err != nil {
		return account, c, consenting(err)
	}
	return account, c, nil
}

// mayConnect returns an error if the caller who began a consent may no longer
// connect platforms: the key was revoked, the session ended or the role changed.
func (g *Service) mayConnect(ctx context.Context, by mission.Principal) error {
	now, err := g.options.Callers.Current(ctx, by)
	if mission.CodeOf(err) == mission.CodeUnauthorized {
		return &mission.Error{Code: mission.CodeForbidden, Message: "The caller who began this consent may no longer connect platforms."}
	}
	if err != nil {
		return err
	}
	return now.Check(mission.OpIntegrationsConnect)
}

// consenting returns the error that an owner sees for a platform's failure.
func consenting(err error) error {
	var pe *mission.PublishError
	if !errors.As(err, &pe) {
		return err
	}
	if pe.Unauthorized || pe.Outcome == mission.OutcomeRefused {
		return mission.Invalid("code", "%s Connect the platform again.", pe.Failure.Message)
	}
	return &mission.Error{Code: mission.CodeServiceUnavailable, Message: pe.Failure.Message + " Connect the platform again.", RetryAfter: 1}
}

// takeGrant returns and removes the grant of a state, if the browser is the one
// that it was begun in.
func (g *Service) takeGrant(ctx context.Context, in Consent) (stored store.Grant, grant mission.Grant, err error) {
	err = g.store.Tx(ctx, func(tx store.Tx) error {
		var found bool
		if stored, found, err = tx.LockGrant(ctx, hashed(in.State), "", g.options.Real.Now()); err != nil {
			return err
		}
		if !found || stored.BrowserHash == "" || stored.BrowserHash != hashed(in.Cookie(cookieName(stored.StateHash))) {
			return errNoGrant()
		}
		if err := g.unseal(stored.IntegrationID, stored.Sealed, &grant); err != nil {
			return err
		}
		if !cameFrom(grant, in) {
			return mission.Invalid("state", "The consent came from another platform than the one it was begun for; connect the platform again.")
		}
		return tx.DropGrant(ctx, stored)
	})
	return stored, grant, err
}

// cameFrom reports whether a browser comes back from the platform that it was sent
// to: at the path that only that platform and server got, and, if an issuer is
// named, from one of the same origin. The platforms publish no issuer to compare
// it with in full.
func cameFrom(grant mission.Grant, in Consent) bool {
	back, err := url.Parse(grant.RedirectURL)
	if err != nil || back.EscapedPath() != in.Path {
		return false
	}
	if in.Issuer == "" {
		return true
	}
	requested, err := url.Parse(grant.Address)
	issuer, also := url.Parse(in.Issuer)
	return err == nil && also == nil && issuer.Scheme == requested.Scheme && issuer.Host == requested.Host
}
