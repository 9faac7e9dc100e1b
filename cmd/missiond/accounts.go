package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"missiond/internal/clock"
	"missiond/internal/embedded"
	"missiond/internal/identity"
	"missiond/internal/mail"
	"missiond/internal/outbound"
	"missiond/internal/seal"
	"missiond/internal/service"
	"missiond/internal/webhook"
)

// secretFlags name the keys that encrypt secrets in the database.
type secretFlags struct {
	SecretKeys string `help:"The keys that encrypt secrets at rest: 32 bytes each in base64, separated by commas; the first encrypts, all of them decrypt. Without it, <data-dir>/secret.key is used, and created if it is missing." placeholder:"KEY,…"`
}

// open returns the keyring of the flags or, without them, of the data folder.
func (f secretFlags) open(dataDir string) (*seal.Keyring, error) {
	text := f.SecretKeys
	if text == "" {
		var err error
		if text, err = embedded.KeyFile(filepath.Join(dataDir, "secret.key"), seal.NewKey); err != nil {
			return nil, fmt.Errorf("%w (or set --secret-keys)", err)
		}
	}
	return seal.Parse(text)
}

// identityFlags name the identity provider.
type identityFlags struct {
	IDPIssuer       string   `name:"idp-issuer" help:"The identity provider's issuer: the iss of its tokens." placeholder:"URL"`
	IDPJWKSURL      string   `name:"idp-jwks-url" help:"The URL of its public keys; by default <issuer>/.well-known/jwks.json." placeholder:"URL"`
	IDPAudience     []string `name:"idp-audience" help:"An accepted audience (aud) of its tokens. Repeatable."`
	IDPAzp          []string `name:"idp-azp" help:"An accepted authorized party (azp) of its tokens, such as https://app.example.com. Repeatable."`
	IDPSessionClaim string   `name:"idp-session-claim" help:"The claim with the provider's session." default:"sid"`
	IDPEmailClaim   string   `name:"idp-email-claim" help:"The claim with the e-mail address." default:"email"`
	IDPAskURL       string   `name:"idp-ask-url" help:"Clerk's Backend API, such as https://api.clerk.com/v1: each refresh asks it whether the login is still valid. Without it, a session lasts 30 days." placeholder:"URL"`
	IDPAskSecret    string   `name:"idp-ask-secret" help:"The secret key for --idp-ask-url."`
	IDPNameClaim    string   `name:"idp-name-claim" help:"The claim with the name." default:"name"`
}

func (f identityFlags) config() identity.ProviderConfig {
	return identity.ProviderConfig{
		Issuer: f.IDPIssuer, JWKSURL: f.IDPJWKSURL, Audiences: f.IDPAudience, Parties: f.IDPAzp,
		SessionClaim: f.IDPSessionClaim, EmailClaim: f.IDPEmailClaim, NameClaim: f.IDPNameClaim,
	}
}

// openDevProvider returns the development provider of a data folder, whose key it
// creates if it is missing.
func openDevProvider(dataDir string) (*identity.DevProvider, error) {
	seed, err := embedded.KeyFile(filepath.Join(dataDir, "identity.key"), identity.NewDevSeed)
	if err != nil {
		return nil, err
	}
	return identity.NewDevProvider(seed, time.Now)
}

// openProvider returns the flags' identity provider, or nil without one. It fetches
// the provider's keys.
func (a *app) openProvider(ctx context.Context, f identityFlags) (service.IdentityProvider, error) {
	if f.IDPIssuer == "" {
		return nil, nil
	}
	if f.IDPAskURL != "" {
		clerk, err := identity.NewClerk(f.IDPAskURL, f.IDPAskSecret)
		if err != nil {
			return nil, err
		}
		a.asker = clerk
	}
	return identity.NewProvider(ctx, f.config(), time.Now, a.log)
}

// mailFlags name the server that sends e-mails.
type mailFlags struct {
	SMTPURL  string `name:"smtp-url" help:"Send e-mails through this server: smtp://[user:password@]host[:port] (STARTTLS) or smtps://…"`
	SMTPFrom string `name:"smtp-from" help:"The sender of e-mails." default:"missiond <missiond@localhost>"`
}

// open returns the mailer, or nil without --smtp-url.
func (f mailFlags) open() (service.Mailer, error) {
	if f.SMTPURL == "" {
		return nil, nil
	}
	sender, err := mail.New(f.SMTPURL, f.SMTPFrom)
	if err != nil {
		return nil, err
	}
	return sender, nil
}

// openAccounts opens the accounts, the webhooks and the idempotent requests. rules
// say where webhooks may be sent. Errors: secrets that can't be decrypted.
func (a *app) openAccounts(ctx context.Context, secrets *seal.Keyring, provider service.IdentityProvider, rules outbound.Rules, mailer service.Mailer) error {
	client := webhook.NewClient(rules, time.Now)
	a.closers = append(a.closers, func() error { client.Close(); return nil })
	a.webhooks = service.NewWebhooks(a.db, service.WebhooksOptions{Clock: a.clock, Secrets: secrets, Rules: rules, Sender: client})
	a.parts.Webhooks = a.webhooks
	a.requests = service.NewRequests(a.db, secrets, clock.Real(), a.log)
	var attempts service.Attempts // nil in a process without logins
	if a.limits != nil {
		attempts = a.limits
	}
	a.accounts = service.NewAccounts(a.db, service.AccountsOptions{
		Missions: a.service, Clock: a.clock, Real: clock.Real(), Provider: provider, Secrets: secrets, Mailer: mailer, Attempts: attempts,
		Asker: a.asker, Log: a.log,
	})
	a.parts.Accounts = a.accounts
	if err := a.accounts.CheckSecrets(ctx); err != nil {
		return err
	}
	if err := a.accounts.MaintainKeys(ctx); err != nil {
		return fmt.Errorf("prepare the signing keys: %w", err)
	}
	return nil
}

// retentionFlags say how long records are kept that aren't kept for good.
type retentionFlags struct {
	AuditRetention        int `name:"audit-retention" help:"How many days to keep entries of audit logs." default:"400" placeholder:"DAYS"`
	UsageRetention        int `name:"usage-retention" help:"How many days to keep the usage of each day: at least 31, which the usage view shows." default:"400" placeholder:"DAYS"`
	NotificationRetention int `name:"notification-retention" help:"How many days to keep notifications." default:"90" placeholder:"DAYS"`
}

// leastUsage is how many days of usage the usage view shows.
const leastUsage = 31

// retention returns the flags' retention. Errors: a flag below its minimum.
func (f retentionFlags) retention() (service.Retention, error) {
	if f.AuditRetention < 1 || f.NotificationRetention < 1 || f.UsageRetention < leastUsage {
		return service.Retention{}, fmt.Errorf("--audit-retention and --notification-retention must be at least 1, --usage-retention at least %d", leastUsage)
	}
	const day = 24 * time.Hour
	return service.Retention{
		Audit: time.Duration(f.AuditRetention) * day, Usage: time.Duration(f.UsageRetention) * day,
		Notifications: time.Duration(f.NotificationRetention) * day,
	}, nil
}

// Intervals of maintainAccounts.
const (
	usageEvery    = 2 * time.Second
	keysEvery     = 30 * time.Second
	sessionsEvery = time.Hour
	eventsEvery   = 10 * time.Minute
	lastFlush     = 2 * time.Second
)

// maintainAccounts writes usage, renews signing keys and removes old sessions,
// until ctx ends; then it writes the last usage.
func (a *app) maintainAccounts(ctx context.Context) {
	chores := []struct {
		name  string
		every time.Duration
		next  time.Time
		do    func(context.Context) error
	}{
		{"write usage", usageEvery, time.Now(), a.accounts.FlushUsage},
		{"renew signing keys", keysEvery, time.Now().Add(keysEvery), a.accounts.MaintainKeys},
		{"remove old sessions", sessionsEvery, time.Now(), a.accounts.DropOldSessions},
		{"remove old requests", eventsEvery, time.Now().Add(eventsEvery), a.requests.DropOld},
		{"remove old events", eventsEvery, time.Now().Add(eventsEvery), a.service.DropOldEvents},
		{"remove old entries", eventsEvery, time.Now().Add(eventsEvery), func(ctx context.Context) error { return a.accounts.DropOld(ctx, a.retention) }},
	}
	for clock.Sleep(ctx, usageEvery) == nil {
		for i := range chores {
			c := &chores[i]
			if time.Now().Before(c.next) {
				continue
			}
			c.next = time.Now().Add(c.every)
			if err := c.do(ctx); err != nil && ctx.Err() == nil {
				a.log.Warn("accounts: "+c.name, "error", err)
			}
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastFlush)
	defer cancel()
	if err := a.accounts.FlushUsage(ctx); err != nil {
		a.log.Warn("accounts: write the last usage", "error", err)
	}
}
