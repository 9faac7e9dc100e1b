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
)

// ProviderConfig names an identity provider: any issuer of OpenID Connect's
// form, Clerk among them.
type ProviderConfig struct {
	// Issuer is the iss that its tokens carry.
	Issuer string
	// JWKSURL is where its public keys are: https, or http on loopback. "" is
	// Issuer + "/.well-known/jwks.json".
	JWKSURL string
	// Audiences are the aud that tokens for this service may carry, Parties
	// the azp: the origins of the frontends. One of them must be given.
	Audiences, Parties []string
	// Claims' names: the provider's session, and e-mail and name, which it may
	// leave out.
	SessionClaim, EmailClaim, NameClaim string
}

// External is whom an identity provider's token stands for.
type External struct {
	Issuer       string
	Subject      string
	SessionID    string // the provider's
	Email        string // "" where the token doesn't say
	Name         string // as Email
	Organization *Organization
}

// Origin names the tenant that a login belongs to: its organisation's, or the
// person's own.
func (e External) Origin() string {
	if e.Organization != nil {
		return e.Issuer + "#org:" + e.Organization.ID
	}
	return e.Issuer + "#user:" + e.Subject
}

// OrganizationOf returns the id of the organisation that an origin is of, "" for a
// personal tenant's.
func OrganizationOf(origin string) string {
	_, id, _ := strings.Cut(origin, "#org:")
	return id
}

// Organization is the one that a token was issued for.
type Organization struct {
	ID   string
	Slug string // "" where the token doesn't say
	Role string // as the provider names it
}

// ErrExternal is a token that isn't a valid one of the provider's.
var ErrExternal = errors.New("identity: not a valid token of the identity provider")

// Times of tokens and keys.
const (
	// clockSkew is how far the provider's clock may be off.
	clockSkew = 5 * time.Second
	// fetchSpacing is the least time between two fetches of the keys.
	fetchSpacing = 30 * time.Second
	// refreshEvery is how often the keys are fetched without cause.
	refreshEvery = 10 * time.Minute
)

// asymmetric are the signatures that are taken: none that the keys' readers
// could make themselves.
var asymmetric = []string{
	"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
}

// kidForm is what a key's id looks like; one that looks like a path or an
// address isn't looked for.
var kidForm = regexp.MustCompile(`^[A-Za-z0-9_=+.:@-]{1,200}$`)

// Provider verifies an identity provider's tokens. It is safe for concurrent
// use.
type Provider struct {
	config ProviderConfig
	now    func() time.Time
	known  jwkset.Storage // the keys that were fetched
	keys   keyfunc.Keyfunc
	// fetching lets one unknown key be looked for at a time.
	fetching chan struct{}
}

// NewProvider fetches the provider's keys, and goes on without where they
// can't be had yet: they are fetched again every ten minutes, and when a token
// names an unknown key, at most once in 30 s. ctx ends that.
// Errors: a configuration that isn't sound.
func NewProvider(ctx context.Context, config ProviderConfig, now func() time.Time, log *slog.Logger) (*Provider, error) {
	if config.JWKSURL == "" {
		config.JWKSURL = config.Issuer + "/.well-known/jwks.json"
	}
	if err := config.check(); err != nil {
		return nil, err
	}
	known := &keptKeys{MemoryJWKSet: jwkset.NewMemoryStorage()}
	storage, err := fetched(ctx, config.JWKSURL, known, now, log)
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

func (c ProviderConfig) check() error {
	if c.Issuer == "" || len(c.Audiences)+len(c.Parties) == 0 {
		return errors.New("identity: a provider needs its issuer, and an audience or an authorized party")
	}
	return checkAddress(c.JWKSURL)
}

// checkAddress holds an address of the provider's to https, or http on loopback.
func checkAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return fmt.Errorf("identity: %q is no address of the provider's", address)
	}
	local := u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
	if u.Scheme != "https" && (u.Scheme != "http" || !local) {
		return fmt.Errorf("identity: the provider is asked over https only, not at %q", address)
	}
	return nil
}

// Verify reads a token: its form, its claims and then its signature, so that
// nothing is fetched for a token that couldn't be valid. Errors: ErrExternal.
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
	_, critical := token.Header["crit"] // what must be understood isn't
	kid, ok := token.Header["kid"].(string)
	if critical || !ok || kid == "" || token.Header["typ"] == tokenType || !slices.Contains(asymmetric, token.Method.Alg()) {
		return ErrExternal
	}
	return nil
}

// verifySignature looks for the token's key among those that are known, and,
// one token at a time, at the provider.
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
