package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"missiond/internal/clock"
	"missiond/internal/identity"
	"missiond/internal/seal"
	"missiond/internal/service"
	"missiond/store"
)

type secretsCommand struct {
	Generate secretsGenerate `cmd:"" help:"Print a new secret key."`
	Reseal   secretsReseal   `cmd:"" help:"Seal anew, with the first secret key, what the others sealed."`
	Rotate   secretsRotate   `cmd:"" name:"rotate-signing-key" help:"Begin a new key for sessions' tokens; those of the old one stay valid."`
}

type secretsGenerate struct{}

// Run is missiond secrets generate.
func (secretsGenerate) Run() error {
	_, err := fmt.Println(seal.NewKey())
	return err
}

// sealedFlags name a database and what opens its secrets.
type sealedFlags struct {
	databaseFlags
	secretFlags
}

// resealer keeps secrets, and seals them with the first key.
type resealer interface {
	Reseal(ctx context.Context) (n int, err error)
}

// withAccounts opens the flags' database and its secrets for fn.
func (f sealedFlags) withAccounts(ctx context.Context, fn func(a *service.Accounts, more ...resealer) error) error {
	secrets, err := f.secretFlags.open(f.DataDir)
	if err != nil {
		return err
	}
	return f.with(func(db *store.DB) error {
		if err := db.Migrated(ctx); err != nil {
			return err
		}
		a := service.NewAccounts(db, service.AccountsOptions{Clock: clock.Real(), Real: clock.Real(), Secrets: secrets})
		if err := a.CheckSecrets(ctx); err != nil {
			return err
		}
		return fn(a, service.NewWebhooks(db, service.WebhooksOptions{Clock: clock.Real(), Secrets: secrets}),
			service.NewIntegrations(db, service.IntegrationsOptions{Clock: clock.Real(), Secrets: secrets}))
	})
}

type secretsReseal struct{ sealedFlags }

// Run is missiond secrets reseal.
func (c secretsReseal) Run(ctx context.Context) error {
	return c.withAccounts(ctx, func(a *service.Accounts, more ...resealer) error {
		sum := 0
		for _, part := range append(more, a) { // the last marks the database
			n, err := part.Reseal(ctx)
			if err != nil {
				return err
			}
			sum += n
		}
		return printJSON(map[string]int{"resealed": sum})
	})
}

type secretsRotate struct{ sealedFlags }

// Run is missiond secrets rotate-signing-key.
func (c secretsRotate) Run(ctx context.Context) error {
	return c.withAccounts(ctx, func(a *service.Accounts, _ ...resealer) error { return a.RotateSigningKey(ctx) })
}

type tokenCommand struct {
	databaseFlags
	Email     string        `help:"Whom the token is for." required:""`
	Name      string        `help:"The person's name."`
	Org       string        `help:"The organisation that the person acts for, as in org_demo, the demo tenant's; without, the person gets a tenant of their own."`
	OrgSlug   string        `help:"The organisation's short name."`
	OrgRole   string        `help:"The person's role there: admin, editor, member, viewer." default:"member"`
	ExpiresIn time.Duration `help:"How long the token is valid." default:"1h"`
}

// maxTokenLife bounds a development token.
const maxTokenLife = 24 * time.Hour

// Run is missiond token: it needs the data folder's key only, not a process
// that runs.
func (c tokenCommand) Run() error {
	if c.ExpiresIn <= 0 || c.ExpiresIn > maxTokenLife {
		return errors.New("--expires-in must be more than nothing and at most a day")
	}
	provider, err := openDevProvider(c.DataDir)
	if err != nil {
		return err
	}
	token, err := provider.Token(identity.DevPerson{
		Email: c.Email, Name: c.Name, Organization: c.Org, OrganizationSlug: c.OrgSlug, OrganizationRole: c.OrgRole,
	}, c.ExpiresIn)
	if err != nil {
		return err
	}
	_, err = fmt.Println(token)
	return err
}
