package service

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
	"missiond/store"
)

// grantLife is how long an owner has to consent, in real time.
const grantLife = 15 * time.Minute

// ask answers where the account's owner consents. The integration is connected
// when its platform sends the owner's browser back (see Consented).
func (g *Integrations) ask(ctx context.Context, p mission.Principal, in mission.ConnectInput, c mission.Credentials, adapter publisher.Adapter) (Connected, error) {
	authorizer, ok := adapter.(publisher.Authorizer)
	if !ok {
		return Connected{}, mission.Invalid("access_token", "This is required to connect %s.", in.Platform)
	}
	back, err := g.returnURL(in.ReturnURL)
	if err != nil {
		return Connected{}, err
	}
	grant := mission.Grant{
		Server: c.Server, AccountID: c.AccountID, State: rand.Text() + rand.Text(), Verifier: rand.Text() + rand.Text(), RedirectURL: g.options.CallbackURL,
	}
	address, grant, err := authorizer.Authorize(ctx, grant)
	if errors.Is(err, publisher.ErrNoClient) {
		return Connected{}, mission.Invalid("access_token", "This is required to connect %s here: its operator configured no client for it.", in.Platform)
	}
	if err != nil {
		return Connected{}, connecting(err, in, mission.IntegrationOAuth2)
	}
	return once(ctx, g.db, func(tx store.Tx) (Connected, error) {
		i, err := g.begun(ctx, tx, p.TenantID, in.Platform, mission.IntegrationOAuth2, c.Server)
		if err != nil {
			return Connected{}, err
		}
		sealed, err := g.seal(i.ID, grant)
		if err != nil {
			return Connected{}, err
		}
		now := g.options.Real.Now()
		return Connected{Integration: i, AuthorizeURL: address}, tx.AddGrant(ctx, store.Grant{
			StateHash: stateHash(grant.State), IntegrationID: i.ID, TenantID: i.TenantID, UserID: p.UserID, KeyID: p.KeyID,
			Sealed: sealed, ReturnURL: back, ExpiresAt: now.Add(grantLife),
		}, now)
	})
}

// returnURL holds where a browser is to go on to the pages that may call. Errors:
// invalid_request.
func (g *Integrations) returnURL(text *string) (string, error) {
	if text == nil {
		return "", nil
	}
	u, err := url.Parse(*text)
	if err != nil || u.Host == "" || u.User != nil || g.options.Origins == nil || !g.options.Origins(u.Scheme+"://"+u.Host) {
		return "", mission.Invalid("return_url", "The address must be a page of an origin that this service is configured to serve.")
	}
	return u.String(), nil
}

func stateHash(state string) string {
	sum := sha256.Sum256([]byte(state))
	return hex.EncodeToString(sum[:])
}

// Consent is what an owner's browser brings back from a platform (RFC 6749,
// section 4.1.2).
type Consent struct {
	State string
	Code  string
	// Error is why there is no code, as in access_denied.
	Error string
}

// Consented connects what an owner consented to. returnURL is where the browser
// is to go on, or ""; it is answered with most errors too. Errors:
// invalid_request for a consent that nobody asked for, that is over or used;
// conflict; service_unavailable.
func (g *Integrations) Consented(ctx context.Context, in Consent) (i mission.Integration, returnURL string, err error) {
	kept, err := g.takeGrant(ctx, in.State)
	if err != nil {
		return i, "", err
	}
	returnURL = kept.ReturnURL
	if in.Error != "" || in.Code == "" {
		return i, returnURL, mission.Invalid("code", "The platform gave no access; connect it again to be asked once more.")
	}
	if i, err = g.db.Integration(ctx, kept.TenantID, kept.IntegrationID); err != nil {
		return i, returnURL, err
	}
	authorizer, ok := g.options.Adapters[i.Platform].(publisher.Authorizer)
	if !ok {
		return i, returnURL, errNoAdapter
	}
	var grant mission.Grant
	if err := g.unseal(i.ID, kept.Sealed, &grant); err != nil {
		return i, returnURL, err
	}
	ctx, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	c, err := authorizer.Exchange(ctx, grant, in.Code)
	if err != nil {
		return i, returnURL, consenting(err)
	}
	c.AccountID = grant.AccountID
	account, c, err := authorizer.Connect(ctx, c)
	if err != nil {
		return i, returnURL, consenting(err)
	}
	err = g.db.Tx(ctx, func(tx store.Tx) error {
		if i, err = tx.LockIntegration(ctx, i.TenantID, i.ID); err != nil {
			return err
		}
		by := mission.Principal{TenantID: kept.TenantID, UserID: kept.UserID, KeyID: kept.KeyID}
		i, err = g.keep(ctx, tx, by, i, mission.IntegrationOAuth2, account, c)
		return err
	})
	return i, returnURL, err
}

// consenting is what an owner is told of a platform's failure.
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

// takeGrant answers what a state stands for, once.
func (g *Integrations) takeGrant(ctx context.Context, state string) (grant store.Grant, err error) {
	found := false
	err = g.db.Tx(ctx, func(tx store.Tx) error {
		grant, found, err = tx.TakeGrant(ctx, stateHash(state), g.options.Real.Now())
		return err
	})
	if err == nil && !found {
		err = mission.Invalid("state", "Nobody asked for this consent, or its time is over; connect the platform again.")
	}
	return grant, err
}
