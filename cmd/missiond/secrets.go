package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"missiond/internal/app"
	"missiond/internal/clock"
	"missiond/internal/identity"
	"missiond/internal/seal"
	"missiond/internal/service/accounts"
	"missiond/store"
)

type secretsCommand struct {
	Generate secretsGenerate `cmd:"" help:"Print a new secret key."`
	Reseal   secretsReseal   `cmd:"" help:"Encrypt again, with the first secret key, what the others encrypted."`
	Rotate   secretsRotate   `cmd:"" name:"rotate-signing-key" help:"Create a new signing key for session tokens; tokens of the old one stay valid."`
}

type secretsGenerate struct{}

// Run is missiond secrets generate.
func (secretsGenerate) Run() error {
	_, err := fmt.Println(seal.NewKey())
	return err
}

// sealedFlags name a database and the keys of its secrets.
type sealedFlags struct {
	databaseCommand
	app.SecretOptions
}

// resealer is a part of the service that stores secrets. Reseal encrypts them with
// the first key, and returns how many it changed.
type resealer interface {
	Reseal(ctx context.Context) (n int, err error)
}

// withAccounts calls fn with the accounts of the flags' database, and with the other
// parts that store secrets.
func (f sealedFlags) withAccounts(ctx context.Context, fn func(a *accounts.Service, more ...resealer) error) error {
	return f.with(ctx, func(db *store.DB) error {
		secrets, err := f.SecretOptions.Open(f.DataDir)
		if err != nil {
			return err
		}
		a := partsOn(db, clock.Real(), secrets)
		if err := a.Accounts.CheckSecrets(ctx); err != nil {
			return err
		}
		return fn(a.Accounts, a.Webhooks, a.Integrations)
	})
}

type secretsReseal struct{ sealedFlags }

// Run is missiond secrets reseal.
func (c secretsReseal) Run(ctx context.Context) error {
	return c.withAccounts(ctx, func(a *accounts.Service, more ...resealer) error {
		sum := 0
		for _, part := range append(more, a) { // accounts last: they record the database's key
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
	return c.withAccounts(ctx, func(a *accounts.Service, _ ...resealer) error { return a.RotateSigningKey(ctx) })
}

type tokenCommand struct {
	app.DatabaseOptions
	Email     string        `help:"Whom the token is for." required:""`
	Name      string        `help:"The person's name."`
	Org       string        `help:"The organisation that the person acts for, such as org_demo, the demo tenant's; without it the person gets a tenant of their own."`
	OrgSlug   string        `help:"The organisation's short name."`
	OrgRole   string        `help:"The person's role there: admin, editor, member, viewer." enum:"admin,editor,member,viewer" default:"member"`
	ExpiresIn time.Duration `help:"How long the token is valid." default:"1h"`
}

// maxTokenLife bounds the lifetime of a development token.
const maxTokenLife = 24 * time.Hour

// Run is missiond token. It needs only the data folder's key, not a running
// process.
func (c tokenCommand) Run() error {
	if c.ExpiresIn <= 0 || c.ExpiresIn > maxTokenLife {
		return errors.New("--expires-in must be more than 0 and at most 24h")
	}
	provider, err := app.ExistingDevProvider(c.DataDir)
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
