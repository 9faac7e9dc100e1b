// Package desk brings posts to the platform of their integration, with the
// credentials that are kept for it; what has no integration goes to the sandbox.
package desk

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"missiond/internal/publisher"
	"missiond/internal/publisher/sandbox"
	"missiond/mission"
)

// Vault keeps credentials. It renews those that a platform refuses, where they
// can be; do is called twice then.
type Vault interface {
	With(ctx context.Context, i mission.Integration, do func(c mission.Credentials) error) error
}

// Desk is a publisher over all platforms. It is safe for concurrent use.
type Desk struct {
	vault    Vault
	adapters map[mission.Platform]publisher.Adapter
	sandbox  *sandbox.Platform
	log      *slog.Logger
}

// New returns a desk.
func New(v Vault, adapters map[mission.Platform]publisher.Adapter, s *sandbox.Platform, log *slog.Logger) *Desk {
	return &Desk{vault: v, adapters: adapters, sandbox: s, log: log}
}

// Publish publishes a part of a post.
func (d *Desk) Publish(ctx context.Context, via *mission.Integration, p mission.Part) (taken mission.Publication, err error) {
	if via == nil {
		return d.sandbox.Publish(ctx, p)
	}
	err = d.with(ctx, via, "publish", p.Content.ID, func(a publisher.Adapter, c mission.Credentials) error {
		taken, err = a.Publish(ctx, c, p)
		return err
	})
	return taken, err
}

// Find looks for a part whose answer never came.
func (d *Desk) Find(ctx context.Context, via *mission.Integration, p mission.Part) (found mission.Publication, ok bool, err error) {
	if via == nil {
		return d.sandbox.Find(ctx, p)
	}
	err = d.with(ctx, via, "find", p.Content.ID, func(a publisher.Adapter, c mission.Credentials) error {
		found, ok, err = a.Find(ctx, c, p)
		return err
	})
	return found, ok, err
}

// Measure returns the metrics of posts of one platform.
func (d *Desk) Measure(ctx context.Context, via *mission.Integration, posts []mission.Content) (got map[string]mission.Metrics, err error) {
	if via == nil {
		return d.sandbox.Measure(ctx, posts)
	}
	err = d.with(ctx, via, "measure", "", func(a publisher.Adapter, c mission.Credentials) error {
		got, err = a.Measure(ctx, c, posts)
		return unread(err)
	})
	return got, err
}

// unread is an error of reading figures: credentials that may not read them may
// well publish, so they aren't given up for it.
func unread(err error) error {
	var pe *mission.PublishError
	if !errors.As(err, &pe) || !pe.Forbidden {
		return err
	}
	refused := *pe
	refused.Unauthorized, refused.Outcome = false, mission.OutcomeRefused
	return &refused
}

// with calls an integration's platform with its credentials.
func (d *Desk) with(ctx context.Context, via *mission.Integration, what, content string, do func(publisher.Adapter, mission.Credentials) error) error {
	adapter, ok := d.adapters[via.Platform]
	if !ok {
		return fmt.Errorf("desk: there is no adapter for %s", via.Platform)
	}
	err := d.vault.With(ctx, *via, func(c mission.Credentials) error { return do(adapter, c) })
	if err != nil {
		d.log.WarnContext(ctx, "a platform was called in vain", "call", what, "platform", via.Platform, "integration", via.ID, "content", content, "error", err)
	}
	return err
}
