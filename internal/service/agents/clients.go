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

// Documents read the documents that describe clients (OAuth Client ID Metadata Documents).
type Documents interface {
	// Client returns the client that the document at an address describes. Errors: *mission.AgentRefusal.
	Client(ctx context.Context, address string) (mission.OAuthClient, error)
}

// Client returns the client with an id: a registered one, or the one that the document at the address describes.
// Errors: *mission.AgentRefusal.
func (s *Service) Client(ctx context.Context, id string) (c mission.OAuthClient, err error) {
	unknown := mission.Refuse(mission.RefusedClient, "client_id", "The client isn't known. Register it again.")
	switch {
	case len(id) > mission.MaxClientID:
		return c, unknown
	case strings.HasPrefix(id, "https://"):
		return s.options.Documents.Client(ctx, id)
	case !mission.HasIDForm(mission.PrefixClient, id):
		return c, unknown
	}
	c, ok, err := s.store.OAuthClient(ctx, id, s.options.Real.Now())
	if err == nil && !ok {
		err = unknown
	}
	return c, err
}

// Register registers a client for whoever asks from an address. Errors: *mission.AgentRefusal; rate_limit_exceeded
// for an address that has registered too many, service_unavailable if there are too many in all.
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
		n, err := tx.UnusedOAuthClients(ctx, now)
		if err != nil {
			return err
		}
		if n >= s.options.maxUnused() {
			return &mission.Error{
				Code: mission.CodeServiceUnavailable, RetryAfter: 600, Message: "Too many clients are registered that nobody uses; try again in some minutes.",
			}
		}
		c.ID = tx.NewID(mission.PrefixClient, now)
		return tx.AddOAuthClient(ctx, c)
	})
	return c, err
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
