package identity

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"

	"missiond/internal/outbound"
)

// ProviderConfig describes an identity provider: any OpenID Connect issuer, such as
// Clerk.
type ProviderConfig struct {
	// Issuer is the iss that its tokens carry.
	Issuer string
	// JWKSURL is the address of its public keys: https, or http on loopback. "" is
	// Issuer + "/.well-known/jwks.json".
	JWKSURL string
	// Audiences are the aud claims accepted in tokens, Parties the azp claims: the
	// origins of the frontends. At least one must be given.
	Audiences, Parties []string
	// The names of claims: the provider's session and, optional in tokens, e-mail
	// and name.
	SessionClaim, EmailClaim, NameClaim string
	// Rules are those of the process's calls.
	Rules outbound.Rules
}

// External is the identity that an identity provider's token states.
type External struct {
	Issuer       string
	Subject      string
	SessionID    string // the provider's
	Email        string // "" if the token doesn't have it, or the provider hasn't verified it
	Unverified   string // the token's e-mail if the provider says that it hasn't verified it
	Name         string // "" if the token doesn't have it
	Organization *Organization
}

// Origin identifies the tenant to which a login belongs: its organization's, or the
// person's own.
func (e External) Origin() string {
	if e.Organization != nil {
		return e.Issuer + "#org:" + e.Organization.ID
	}
	return e.Issuer + "#user:" + e.Subject
}

// OrganizationOf returns the id of an origin's organization, "" for a personal
// tenant's.
func OrganizationOf(origin string) string {
	_, id, _ := strings.Cut(origin, "#org:")
	return id
}

// Organization is the organization for which a token was issued.
type Organization struct {
	ID   string
	Slug string // "" if the token doesn't have it
	Role string // as the provider names it
}

// ErrExternal is the error for a token that isn't a valid one of the provider's.
var ErrExternal = errors.New("identity: not a valid token of the identity provider")

// Times of tokens and keys.
const (
	// clockSkew is how far the provider's clock may be off.
	clockSkew = 5 * time.Second
	// fetchSpacing is the least time between two fetches of the keys.
	fetchSpacing = 30 * time.Second
	// refreshEvery is how often the keys are fetched regardless of need.
	refreshEvery = 10 * time.Minute
)

// asymmetric are the accepted signature algorithms: none with which a reader of the
// public keys could sign.
var asymmetric = []string{
	"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
}

// kidForm matches the ids of keys; one that looks like a path or an address is not
// looked up.
var kidForm = regexp.MustCompile(`^[A-Za-z0-9_=+.:@-]{1,200}$`)

// Provider verifies an identity provider's tokens. It is safe for concurrent
// use.
type Provider struct {
	config ProviderConfig
	now    func() time.Time
	known  jwkset.Storage // the keys that were fetched
	keys   keyfunc.Keyfunc
	// fetching lets one unknown key at a time be looked up.
	fetching chan struct{}
}

// NewProvider fetches the provider's keys. If they can't be fetched yet, it goes on
// without: they are fetched again every ten minutes, and when a token names an
// unknown key, at most once in 30 s, until ctx ends. Errors: if the configuration
// is invalid.
func NewProvider(ctx context.Context, config ProviderConfig, now func() time.Time, log *slog.Logger) (*Provider, error) {
	if config.JWKSURL == "" {
		config.JWKSURL = WellKnown(config.Issuer, "jwks.json")
	}
	if err := config.check(); err != nil {
		return nil, err
	}
	known := &retainedKeys{MemoryJWKSet: jwkset.NewMemoryStorage()}
	storage, err := fetched(ctx, config.Rules, config.JWKSURL, known, now, log)
	if err != nil {
		return nil, err
	}
	return newProvider(config, now, known, storage)
}

func newProvider(config ProviderConfig, now func() time.Time, known, storage jwkset.Storage) (*Provider, error) {
	keys, err := keyfunc.New(keyfunc.Options{Storage: storage, UseWhitelist: []jwkset.USE{jwkset.UseSig, ""}})
	if err != nil {
		return nil, fmt.Errorf("identity: %w", err)
	}
	return &Provider{config: config, now: now, known: known, keys: keys, fetching: make(chan struct{}, 1)}, nil
}

// WellKnown returns the address of a provider's document. The issuer's last slash isn't
// part of it (OpenID Connect Discovery 1.0, section 4).
func WellKnown(issuer, document string) string {
	return strings.TrimRight(issuer, "/") + "/.well-known/" + document
}

func (c ProviderConfig) check() error {
	if c.Issuer == "" || len(c.Audiences)+len(c.Parties) == 0 {
		return errors.New("identity: a provider needs --idp-issuer, and --idp-audience or --idp-azp")
	}
	return CheckAddress(c.JWKSURL)
}

// CheckAddress requires an address of the provider to be https, or http on
// loopback.
func CheckAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return fmt.Errorf("identity: %q is not a valid provider address", outbound.Shown(address))
	}
	local := u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
	if u.Scheme != "https" && (u.Scheme != "http" || !local) {
		return fmt.Errorf("identity: the provider's address must be https, not %q", outbound.Shown(address))
	}
	return nil
}

// Verify checks a token's form, its claims and then its signature, so that no key
// is fetched for a token that couldn't be valid. Errors: ErrExternal.
func (p *Provider) Verify(ctx context.Context, token string) (External, error) {
	if len(token) > maxToken {
		return External{}, ErrExternal
	}
	claims := jwt.MapClaims{}
	unverified, _, err := jwt.NewParser(jwt.WithStrictDecoding()).ParseUnverified(token, claims)
	if err != nil {
		return External{}, errors.Join(ErrExternal, err)
	}
	if err := checkHeader(unverified); err != nil {
		return External{}, err
	}
	who, err := p.read(claims)
	if err != nil {
		return External{}, errors.Join(ErrExternal, err)
	}
	if err := p.verifySignature(ctx, token, unverified); err != nil {
		return External{}, errors.Join(ErrExternal, err)
	}
	return who, nil
}

func checkHeader(token *jwt.Token) error {
	_, critical := token.Header["crit"] // an extension that must be understood, and isn't
	kid, ok := token.Header["kid"].(string)
	if critical || !ok || kid == "" || token.Header["typ"] == tokenType || !slices.Contains(asymmetric, token.Method.Alg()) {
		return ErrExternal
	}
	return nil
}

// verifySignature looks up the token's key among the known ones and, one token at a
// time, at the provider.
func (p *Provider) verifySignature(ctx context.Context, token string, unverified *jwt.Token) error {
	kid, _ := unverified.Header["kid"].(string)
	if _, err := p.known.KeyRead(ctx, kid); err != nil {
		if !kidForm.MatchString(kid) {
			return err
		}
		select {
		case p.fetching <- struct{}{}:
			defer func() { <-p.fetching }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	parser := jwt.NewParser(jwt.WithValidMethods(asymmetric), jwt.WithStrictDecoding(), jwt.WithoutClaimsValidation())
	_, err := parser.Parse(token, p.keys.KeyfuncCtx(ctx))
	return err
}

// Nonce returns the nonce of a token, which Verify has to check; "" if it has none.
func Nonce(token string) string {
	claims := jwt.MapClaims{}
	if len(token) > maxToken {
		return ""
	}
	if _, _, err := jwt.NewParser().ParseUnverified(token, claims); err != nil {
		return ""
	}
	nonce, _ := claims["nonce"].(string)
	return nonce
}
