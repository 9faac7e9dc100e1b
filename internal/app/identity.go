package app

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"missiond/internal/clock"
	"missiond/internal/embedded"
	"missiond/internal/identity"
	"missiond/internal/mail"
	"missiond/internal/outbound"
	"missiond/internal/seal"
	"missiond/internal/service/accounts"
)

// SecretOptions name the keys that encrypt secrets in the database.
type SecretOptions struct {
	SecretKeys string `help:"The keys that encrypt secrets at rest: 32 bytes each in base64, separated by commas; the first encrypts, all of them decrypt. Without it, <data-dir>/secret.key is used, and created if it is missing." placeholder:"KEY,…"`
}

// Open returns the keyring of the options or, without keys, of the data folder.
func (o SecretOptions) Open(dataDir string) (*seal.Keyring, error) {
	text := o.SecretKeys
	if text == "" {
		var err error
		if text, err = embedded.KeyFile(filepath.Join(dataDir, "secret.key"), seal.NewKey); err != nil {
			return nil, fmt.Errorf("%w (or set --secret-keys)", err)
		}
	}
	return seal.Parse(text)
}

// tell logs where the keyring of a process is if no key is given: a folder that is lost
// makes the secrets in the database unreadable.
func (o SecretOptions) tell(log *slog.Logger, dataDir string) {
	if o.SecretKeys == "" {
		log.Info("secrets are encrypted with a key file", "path", filepath.Join(dataDir, "secret.key"))
	}
}

// IdentityOptions name the identity provider.
type IdentityOptions struct {
	IDPIssuer       string   `name:"idp-issuer" help:"The identity provider's issuer: the iss of its tokens." placeholder:"URL"`
	IDPJWKSURL      string   `name:"idp-jwks-url" help:"The URL of its public keys; by default <issuer>/.well-known/jwks.json." placeholder:"URL"`
	IDPAudience     []string `name:"idp-audience" help:"An accepted audience (aud) of its tokens. Repeatable."`
	IDPAzp          []string `name:"idp-azp" help:"An accepted authorized party (azp) of its tokens, such as https://app.example.com. Repeatable."`
	IDPSessionClaim string   `name:"idp-session-claim" help:"The claim with the provider's session." default:"sid"`
	IDPEmailClaim   string   `name:"idp-email-claim" help:"The claim with the e-mail address." default:"email"`
	IDPAskURL       string   `name:"idp-ask-url" help:"Clerk's Backend API, such as https://api.clerk.com/v1: each refresh checks with it whether the login is still valid. Without it, a session lasts 30 days." placeholder:"URL"`
	IDPAskSecret    string   `name:"idp-ask-secret" help:"The secret key for --idp-ask-url."`
	IDPNameClaim    string   `name:"idp-name-claim" help:"The claim with the name." default:"name"`
}

func (o IdentityOptions) config(rules outbound.Rules) identity.ProviderConfig {
	return identity.ProviderConfig{
		Issuer: o.IDPIssuer, JWKSURL: o.IDPJWKSURL, Audiences: o.IDPAudience, Parties: o.IDPAzp,
		SessionClaim: o.IDPSessionClaim, EmailClaim: o.IDPEmailClaim, NameClaim: o.IDPNameClaim, Rules: rules,
	}
}

// ExistingDevProvider returns the development provider of a data folder that missiond dev
// has made. Errors: there is none.
func ExistingDevProvider(dataDir string) (*identity.DevProvider, error) {
	if _, err := os.Stat(identityKey(dataDir)); err != nil {
		return nil, fmt.Errorf("--data-dir: %w: missiond dev makes a data folder", err)
	}
	return OpenDevProvider(dataDir)
}

func identityKey(dataDir string) string { return filepath.Join(dataDir, "identity.key") }

// OpenDevProvider returns the development provider of a data folder, whose key it
// creates if it is missing.
func OpenDevProvider(dataDir string) (*identity.DevProvider, error) {
	seed, err := embedded.KeyFile(identityKey(dataDir), identity.NewDevSeed)
	if err != nil {
		return nil, err
	}
	return identity.NewDevProvider(seed, time.Now)
}

// open returns the options' identity provider, and what checks with it whether a login is
// still valid; nil without one. It fetches the provider's keys, and renews them until b
// is closed.
func (o IdentityOptions) open(
	b *Backend, rules outbound.Rules, log *slog.Logger,
) (accounts.IdentityProvider, accounts.LoginChecker, error) {
	if o.IDPIssuer == "" {
		return nil, nil, nil
	}
	var checker accounts.LoginChecker
	if o.IDPAskURL != "" {
		clerk, err := identity.NewClerk(rules, o.IDPAskURL, o.IDPAskSecret)
		if err != nil {
			return nil, nil, err
		}
		checker = clerk
	}
	ctx, cancel := context.WithCancel(context.Background())
	b.closers = append(b.closers, func() error { cancel(); return nil })
	provider, err := identity.NewProvider(ctx, o.config(rules), time.Now, log)
	return provider, checker, err
}

// MailOptions name the server that sends e-mails.
type MailOptions struct {
	SMTPURL  string `name:"smtp-url" help:"Send e-mails through this server: smtp://[user:password@]host[:port] (STARTTLS) or smtps://…"`
	SMTPFrom string `name:"smtp-from" help:"The sender of e-mails." default:"missiond <missiond@localhost>"`
}

// open returns the mailer, or nil without --smtp-url.
func (o MailOptions) open() (accounts.Mailer, error) {
	if o.SMTPURL == "" {
		return nil, nil
	}
	sender, err := mail.New(o.SMTPURL, o.SMTPFrom)
	if err != nil {
		return nil, err
	}
	return sender, nil
}

// openAccounts checks that the database's secrets are the keyring's, and prepares the
// signing keys. Errors: secrets that can't be decrypted.
func (a *App) openAccounts(ctx context.Context) error {
	if err := a.Accounts.CheckSecrets(ctx); err != nil {
		return err
	}
	if err := a.Accounts.MaintainKeys(ctx); err != nil {
		return fmt.Errorf("prepare the signing keys: %w", err)
	}
	return nil
}

// RetentionOptions say how long records are retained that aren't retained for good.
type RetentionOptions struct {
	AuditRetention        int `name:"audit-retention" help:"How many days to keep entries of audit logs." default:"400" placeholder:"DAYS"`
	UsageRetention        int `name:"usage-retention" help:"How many days to keep the usage of each day: at least 31, which the usage view shows." default:"400" placeholder:"DAYS"`
	NotificationRetention int `name:"notification-retention" help:"How many days to keep notifications." default:"90" placeholder:"DAYS"`
	MeasurementRetention  int `name:"measurement-retention" help:"How many days from a post's making to keep the course of its figures: at least 460, or 0 for as long as the post. Its latest figures stay." default:"0" placeholder:"DAYS"`
}

// Least retentions, in days: leastUsage is what the usage view shows. A post may be made long
// before it is published, by the length of a mission, and is measured for 90 days more.
const (
	leastUsage    = 31
	leastMeasured = 460
)

// retention returns the options' retention. Errors: a number below its minimum.
func (o RetentionOptions) retention() (accounts.Retention, error) {
	if o.AuditRetention < 1 || o.NotificationRetention < 1 || o.UsageRetention < leastUsage {
		return accounts.Retention{}, fmt.Errorf(
			"--audit-retention and --notification-retention must be at least 1, --usage-retention at least %d",
			leastUsage,
		)
	}
	if o.MeasurementRetention != 0 && o.MeasurementRetention < leastMeasured {
		return accounts.Retention{}, fmt.Errorf("--measurement-retention must be 0 or at least %d", leastMeasured)
	}
	const day = 24 * time.Hour
	return accounts.Retention{
		Audit: time.Duration(o.AuditRetention) * day, Usage: time.Duration(o.UsageRetention) * day,
		Notifications: time.Duration(o.NotificationRetention) * day, Measurements: time.Duration(o.MeasurementRetention) * day,
	}, nil
}

// Intervals of maintainAccounts.
const (
	usageEvery    = 2 * time.Second
	keysEvery     = 30 * time.Second
	sessionsEvery = time.Hour
	eventsEvery   = 10 * time.Minute
	codesEvery    = 30 * time.Second
	sweepEvery    = 12 * time.Hour
	// audiencesEvery is how long an account that was just connected waits at most until its figures
	// are read.
	audiencesEvery = 20 * time.Second
	lastFlush      = 2 * time.Second
)

// maintainAccounts writes usage, renews signing keys and removes what is old or left behind, until ctx ends;
// then it writes the last usage. None waits for another: removing may take long.
func (a *App) maintainAccounts(ctx context.Context) {
	chores := []struct {
		name         string
		first, every time.Duration
		do           func(context.Context) error
	}{
		{"write usage", usageEvery, usageEvery, a.Accounts.FlushUsage},
		{"renew signing keys", keysEvery, keysEvery, a.Accounts.MaintainKeys},
		{"remove old sessions", usageEvery, sessionsEvery, a.Accounts.DropOldSessions},
		{"remove old requests", eventsEvery, eventsEvery, a.Requests.DropOld},
		{"remove old events", eventsEvery, eventsEvery, a.Webhooks.ExpireEvents},
		{"remove old entries", eventsEvery, eventsEvery, func(ctx context.Context) error { return a.Accounts.DropOld(ctx, a.Retention) }},
		{"plan the reading of accounts' figures", usageEvery, audiencesEvery, a.Pipeline.PlanAudiences},
		{"remove old figures of accounts", eventsEvery, eventsEvery, a.Pipeline.DropAccountDays},
		{"end agents that never connected", codesEvery, codesEvery, a.Agents.EndUnused},
		{"remove old tokens of agents", eventsEvery, eventsEvery, a.Agents.DropOld},
		{"remove what uploads have left", eventsEvery, sweepEvery, a.Media.Sweep},
	}
	var all sync.WaitGroup
	for _, c := range chores {
		all.Go(func() {
			for wait := c.first; clock.Sleep(ctx, wait) == nil; wait = c.every {
				if err := c.do(ctx); err != nil && ctx.Err() == nil {
					a.Log.Warn("accounts: "+c.name, "error", err)
				}
			}
		})
	}
	all.Wait()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastFlush)
	defer cancel()
	if err := a.Accounts.FlushUsage(ctx); err != nil {
		a.Log.Warn("accounts: write the last usage", "error", err)
	}
}
