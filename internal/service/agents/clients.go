package agents

import (
	"context"
	"strings"
	"time"

	"missiond/mission"
	"missiond/store"
)

// Bounds of registrations: of an address, and of clients that nobody has let act.
var registerRate = mission.Rate{Limit: 20, Per: time.Hour}

const maxUnusedClients = 10_000

// mayConsent is how long a client that registers is stored in any case: people who sign in first have let it act by then.
const mayConsent = 10 * time.Minute

// Documents read the documents that describe clients (OAuth Client ID Metadata Documents).
type Documents interface {
	// Client returns the client that the document at an address describes. Errors: *mission.AgentRefusal.
	Client(ctx context.Context, address string) (mission.OAuthClient, error)
}

var unknownClient = mission.Refuse(mission.RefusedClient, "client_id", "The client isn't known. Register it again.")

// Client returns the client with an id: a registered one, or the one that the document at the address describes.
// Errors: *mission.AgentRefusal.
func (s *Service) Client(ctx context.Context, id string) (c mission.OAuthClient, err error) {
	switch {
	case len(id) > mission.MaxClientID:
		return c, unknownClient
	case strings.HasPrefix(id, "https://"):
		return s.options.Documents.Client(ctx, id)
	case !mission.HasIDForm(mission.PrefixClient, id):
		return c, unknownClient
	}
	c, ok, err := s.store.OAuthClient(ctx, id, s.options.Real.Now())
	if err == nil && !ok {
		err = unknownClient
	}
	return c, err
}

// Register registers a client for whoever asks from an address. If there are too many that nobody uses, the oldest makes
// room. Errors: *mission.AgentRefusal; rate_limit_exceeded for an address that has registered too many,
// service_unavailable if all have registered within mayConsent.
func (s *Service) Register(ctx context.Context, address, name string, redirects []string) (c mission.OAuthClient, err error) {
	now := s.options.Real.Now()
	c = mission.OAuthClient{Name: mission.CleanClientName(name, redirects), RedirectURIs: redirects, CreatedAt: now}
	if err := checkClient(c); err != nil {
		return c, err
	}
	if s.options.Attempts != nil {
		if err := s.options.Attempts.Take(ctx, "oauth-register:"+address, registerRate); err != nil {
			return c, err
		}
	}
	err = s.store.Tx(ctx, func(tx store.Tx) error {
		if err := s.makeRoomForClient(ctx, tx, now); err != nil {
			return err
		}
		c.ID = tx.NewID(mission.PrefixClient, now)
		return tx.AddOAuthClient(ctx, c)
	})
	return c, err
}

// makeRoomForClient deletes the oldest clients that nobody uses, if there are too many for one more. Errors:
// service_unavailable if they are too young.
func (s *Service) makeRoomForClient(ctx context.Context, tx store.Tx, now time.Time) error {
	unused, err := tx.UnusedOAuthClients(ctx, now)
	over := unused + 1 - s.options.maxUnused()
	if err != nil || over <= 0 {
		return err
	}
	gone, err := tx.DropOAuthClients(ctx, now.Add(mission.UnusedClientLife-mayConsent), over)
	if err != nil || gone >= over {
		return err
	}
	return &mission.Error{
		Code: mission.CodeServiceUnavailable, RetryAfter: int(mayConsent.Seconds()), Message: "Too many clients have just registered; try again in some minutes.",
	}
}

// checkClient returns a client's own error as OAuth says it.
func checkClient(c mission.OAuthClient) error {
	err := c.Check()
	if err == nil {
		return nil
	}
	var m *mission.Error
	if !asError(err, &m) || m.Param != "redirect_uris" {
		return mission.Refuse(mission.RefusedMetadata, "client_name", "The client's name can't be shown.")
	}
	return mission.Refuse(mission.RefusedRedirect, m.Param, m.Message)
}
