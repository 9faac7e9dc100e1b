// Package integrations has the operations on tenants' connections to platforms.
package integrations

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"missiond/internal/admission"
	"missiond/internal/outbound"
	"missiond/internal/publisher"
	"missiond/internal/seal"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

const integrationNoun = "integration"

// Clock returns the time.
type Clock interface {
	Now() time.Time
}

// Service has the operations on tenants' connections to platforms, and stores their
// credentials. It is safe for concurrent use.
type Service struct {
	store   *store.DB
	db      idempotency.DB // the store for changes that callers make
	options Options
}

// Options are what New needs.
type Options struct {
	// Clock is the domain's clock, Real the real one, which platforms use.
	Clock, Real Clock
	Secrets     *seal.Keyring
	// Rules decide which servers tenants may name.
	Rules    outbound.Rules
	Adapters map[mission.Platform]publisher.Adapter
	// MetaSecrets are the secrets of the operator's applications at Meta.
	MetaSecrets map[mission.Platform]string
	// PublicURL is the service's address for browsers, without a trailing slash.
	PublicURL string
	// Hidden reports that platforms can't fetch files from the service.
	Hidden bool
	// Callers looks up what the caller who began a consent may do by now.
	Callers Callers
	// Origins reports whether a browser may go on to a page of an origin after a
	// consent.
	Origins func(origin string) bool
}

// Callers looks up callers of earlier requests.
type Callers interface {
	// Current returns the holder of p's session or key as it is now. Errors:
	// unauthorized if the session or key has ended.
	Current(ctx context.Context, p mission.Principal) (mission.Principal, error)
}

// New returns a Service over db.
func New(db *store.DB, o Options) *Service {
	return &Service{store: db, db: idempotency.Of(db), options: o}
}

func integrationContext(id string) string { return "integrations/" + id }

// connectLimit bounds the calls that connect a platform.
const connectLimit = 15 * time.Second

// recordLimit is how long recording the result of a call is tried.
const recordLimit = 30 * time.Second

// Integrations returns a page of the tenant's integrations, newest first, with
// the number of all. Errors: invalid_request.
func (g *Service) Integrations(
	ctx context.Context, p mission.Principal, page store.Page,
) (listed store.Listed[mission.Integration], err error) {
	if err := page.Check(mission.PrefixIntegration, integrationNoun); err != nil {
		return listed, err
	}
	return g.db.Integrations(ctx, p.TenantID, page)
}

// Integration returns an integration of the tenant's. Errors: not_found.
func (g *Service) Integration(ctx context.Context, p mission.Principal, id string) (mission.Integration, error) {
	if !mission.HasIDForm(mission.PrefixIntegration, id) {
		return mission.Integration{}, mission.NotFound(integrationNoun, id)
	}
	return g.db.Integration(ctx, p.TenantID, id)
}

// IntegrationsByID returns the tenant's integrations with the given ids, by id. Ids
// that don't exist are absent.
func (g *Service) IntegrationsByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Integration, error) {
	return g.db.IntegrationsByID(ctx, p.TenantID, ids)
}

// AccountsByID returns the accounts of the tenant's integrations with the given ids, by id,
// also of those that were disconnected.
func (g *Service) AccountsByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Account, error) {
	found, err := g.db.AllIntegrationsByID(ctx, p.TenantID, ids)
	accounts := make(map[string]mission.Account, len(found))
	for id, i := range found {
		if i.Account != nil {
			accounts[id] = *i.Account
		}
	}
	return accounts, err
}

// AccountsOn returns the tenant's integrations with platforms, by the platforms' names.
func (g *Service) AccountsOn(ctx context.Context, p mission.Principal, platforms []string) (map[string][]mission.Integration, error) {
	on, err := g.db.AccountsOn(ctx, p.TenantID, platforms)
	named := map[string][]mission.Integration{}
	for platform, list := range on {
		named[string(platform)] = list
	}
	return named, err
}

func (g *Service) seal(id string, v any) (string, error) {
	plain, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	return g.options.Secrets.Seal(integrationContext(id), plain), nil
}

func (g *Service) unseal(id, sealed string, v any) error {
	plain, err := g.options.Secrets.Open(integrationContext(id), sealed)
	if err != nil {
		return fmt.Errorf("open the credentials of %s: %w", id, err)
	}
	return json.Unmarshal(plain, v)
}

// open returns an integration's credentials. Errors: mission.CredentialsUnread.
func (g *Service) open(i mission.Integration) (c mission.Credentials, err error) {
	if err := g.unseal(i.ID, i.Sealed, &c); err != nil {
		return c, fmt.Errorf("%w: %w", mission.CredentialsUnread(), err)
	}
	return c, nil
}

// Update changes an integration: its label, or which one is the platform's default.
// Errors: not_found; invalid_request, naming the field; conflict.
func (g *Service) Update(ctx context.Context, p mission.Principal, id string, in mission.IntegrationInput) (mission.Integration, error) {
	if err := in.Check(); err != nil {
		return mission.Integration{}, err
	}
	if !mission.HasIDForm(mission.PrefixIntegration, id) {
		return mission.Integration{}, mission.NotFound(integrationNoun, id)
	}
	return idempotency.Once(ctx, g.db, func(tx store.Tx) (i mission.Integration, err error) {
		if _, err := tx.LockTenant(ctx, p.TenantID); err != nil {
			return i, err
		}
		if i, err = tx.LockIntegration(ctx, p.TenantID, id); err != nil {
			return i, err
		}
		was, now := i.Default, g.options.Clock.Now()
		if i, err = i.Update(in, now); err != nil {
			return i, err
		}
		if i.Default && !was {
			if err := tx.MoveDefault(ctx, i.TenantID, i.Platform); err != nil {
				return i, err
			}
		}
		if err := tx.SetIntegration(ctx, i, now); err != nil {
			return i, err
		}
		return i, tx.Audit(
			ctx,
			tx.AuditEntry(p, mission.AuditIntegrationUpdated, i.ID, map[string]any{"default": i.Default, "label": i.Label}, now),
		)
	})
}

// Delete disconnects an account and deletes its credentials. Its posts wait until the
// account is connected again, but those in flight fail, since it can't be found out any
// more whether the platform took them. If it was the platform's default, the oldest of
// the others becomes that. Errors: not_found.
func (g *Service) Delete(ctx context.Context, p mission.Principal, id string) error {
	if !mission.HasIDForm(mission.PrefixIntegration, id) {
		return mission.NotFound(integrationNoun, id)
	}
	_, err := idempotency.Once(ctx, g.db, func(tx store.Tx) (string, error) {
		if _, err := tx.LockTenant(ctx, p.TenantID); err != nil {
			return "", err
		}
		i, err := tx.LockIntegration(ctx, p.TenantID, id)
		if err != nil {
			return "", err
		}
		now := g.options.Clock.Now()
		if err := g.disconnect(ctx, tx, i, now); err != nil {
			return "", err
		}
		return i.ID, tx.Audit(ctx, tx.AuditEntry(p, mission.AuditIntegrationDisconnected, i.ID, map[string]any{"platform": i.Platform}, now))
	})
	return err
}

// disconnect removes an integration.
func (g *Service) disconnect(ctx context.Context, tx store.Tx, i mission.Integration, now time.Time) error {
	if i.Account == nil {
		return tx.DropPending(ctx, i)
	}
	if err := tx.SetIntegration(ctx, i.Disconnected(now), now); err != nil || !i.Default {
		return err
	}
	others, err := tx.IntegrationsWith(ctx, i.TenantID, i.Platform)
	for _, next := range others {
		if err == nil && next.Account != nil {
			next.Default, next.UpdatedAt = true, now
			return tx.SetIntegration(ctx, next, now)
		}
	}
	return err
}

// Checked is the result of a test.
type Checked struct {
	Integration mission.Integration
	OK          bool
	Duration    time.Duration
	Error       *string // nil if the platform accepted the credentials
}

// Test checks with the platform whether it accepts an integration's credentials, and
// records the result. Errors: not_found; conflict if the account's owner hasn't
// consented yet.
func (g *Service) Test(ctx context.Context, p mission.Principal, id string) (Checked, error) {
	i, err := g.Integration(ctx, p, id)
	if err != nil {
		return Checked{}, err
	}
	if i.Sealed == "" {
		return Checked{}, mission.Conflict("The integration waits for its account's owner to consent.")
	}
	adapter, ok := g.options.Adapters[i.Platform]
	if !ok {
		return Checked{}, mission.Conflict("%s can't be connected here.", i.Platform.Name())
	}
	ctx, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	admission.Leave(ctx)
	start := g.options.Real.Now()
	err = g.With(ctx, i, func(c mission.Credentials) error {
		account, _, err := adapter.Connect(ctx, c)
		if err != nil {
			return err
		}
		return g.checked(ctx, i, account)
	})
	checked := Checked{OK: err == nil, Duration: g.options.Real.Now().Sub(start)}
	var pe *mission.PublishError
	if err != nil && !errors.As(err, &pe) {
		return checked, err
	}
	if pe != nil {
		checked.Error = &pe.Failure.Message
	}
	checked.Integration, err = g.db.Integration(context.WithoutCancel(ctx), i.TenantID, i.ID)
	return checked, err
}

// checked records that a platform accepted an integration's credentials.
func (g *Service) checked(ctx context.Context, i mission.Integration, a mission.Account) error {
	return g.store.Tx(ctx, func(tx store.Tx) error {
		i, err := tx.LockIntegration(ctx, i.TenantID, i.ID)
		if err != nil || i.AccountKey() != mission.AccountKey(i.Platform, i.Server, a) {
			return err
		}
		now := g.options.Clock.Now()
		return tx.SetIntegration(ctx, i.Taken(a, now), now)
	})
}
