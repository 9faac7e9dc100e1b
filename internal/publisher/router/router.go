// Package router routes posts to the platform of their integration, with the
// credentials that are stored for it; posts without an integration go to the
// sandbox.
package router

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"missiond/internal/publisher"
	"missiond/internal/publisher/sandbox"
	"missiond/mission"
)

// Vault provides credentials. If a platform rejects them and they can be renewed,
// With renews them and calls do a second time.
type Vault interface {
	With(ctx context.Context, i mission.Integration, do func(c mission.Credentials) error) error
}

// Router publishes on all platforms. It is safe for concurrent use.
type Router struct {
	vault    Vault
	adapters map[mission.Platform]publisher.Adapter
	sandbox  *sandbox.Platform
	log      *slog.Logger
}

// New returns a router.
func New(v Vault, adapters map[mission.Platform]publisher.Adapter, s *sandbox.Platform, log *slog.Logger) *Router {
	return &Router{vault: v, adapters: adapters, sandbox: s, log: log}
}

// Publish publishes a part of a post.
func (r *Router) Publish(ctx context.Context, via *mission.Integration, p mission.Part) (taken mission.Publication, err error) {
	ctx, span := start(ctx, "publish", via)
	defer func() { end(span, err) }()
	if via == nil {
		return r.sandbox.Publish(ctx, p)
	}
	err = r.with(ctx, via, "publish", p.Content.ID, func(a publisher.Adapter, c mission.Credentials) error {
		taken, err = a.Publish(ctx, c, p)
		return err
	})
	return taken, err
}

// Upload takes a file one step further on an integration's platform, as
// [publisher.Uploader.Upload] does. Errors: also refused, if the platform takes no files.
func (r *Router) Upload(ctx context.Context, via *mission.Integration, f mission.File, u mission.Upload) (next mission.Upload, err error) {
	ctx, span := start(ctx, "upload", via)
	defer func() { end(span, err) }()
	if via == nil {
		return r.sandbox.Upload(f, u), nil
	}
	err = r.with(ctx, via, "upload", "", func(a publisher.Adapter, c mission.Credentials) error {
		uploader, ok := a.(publisher.Uploader)
		if !ok {
			return publisher.Response{}.Refused(publisher.CodeRefused, "The platform takes no files", "")
		}
		next, err = uploader.Upload(ctx, c, f, u)
		return lesser(err)
	})
	return next, err
}

// Prepare takes a part one step further as a draft on an integration's platform, as
// [publisher.Preparer.Prepare] does.
func (r *Router) Prepare(ctx context.Context, via *mission.Integration, p mission.Part, u mission.Upload) (next mission.Upload, err error) {
	ctx, span := start(ctx, "prepare", via)
	defer func() { end(span, err) }()
	err = r.with(ctx, via, "prepare", p.Content.ID, func(a publisher.Adapter, c mission.Credentials) error {
		preparer, ok := a.(publisher.Preparer)
		if !ok {
			return publisher.Response{}.Refused(publisher.CodeRefused, "The platform has no drafts", "")
		}
		next, err = preparer.Prepare(ctx, c, p, u)
		return err
	})
	return next, err
}

// Find looks for a part whose outcome is unknown.
func (r *Router) Find(ctx context.Context, via *mission.Integration, p mission.Part) (found mission.Publication, ok bool, err error) {
	ctx, span := start(ctx, "find", via)
	defer func() { end(span, err) }()
	if via == nil {
		return r.sandbox.Find(ctx, p)
	}
	err = r.with(ctx, via, "find", p.Content.ID, func(a publisher.Adapter, c mission.Credentials) error {
		found, ok, err = a.Find(ctx, c, p)
		return err
	})
	return found, ok, err
}

// Measure returns the metrics of posts of one platform.
func (r *Router) Measure(
	ctx context.Context, via *mission.Integration, posts []mission.Content,
) (got map[string]mission.Metrics, err error) {
	ctx, span := start(ctx, "measure", via)
	defer func() { end(span, err) }()
	if via == nil {
		return r.sandbox.Measure(ctx, posts)
	}
	err = r.with(ctx, via, "measure", "", func(a publisher.Adapter, c mission.Credentials) error {
		got, err = a.Measure(ctx, c, posts)
		return lesser(err)
	})
	return got, err
}

// Read returns what a platform shows of posts; nothing of those of a platform that can't be asked.
func (r *Router) Read(
	ctx context.Context, via *mission.Integration, posts []mission.Content,
) (shown map[string][]mission.Shown, err error) {
	ctx, span := start(ctx, "read", via)
	defer func() { end(span, err) }()
	if via == nil {
		return r.sandbox.Read(ctx, posts)
	}
	err = r.with(ctx, via, "read", "", func(a publisher.Adapter, c mission.Credentials) error {
		if reader, ok := a.(publisher.Reader); ok {
			shown, err = reader.Read(ctx, c, posts)
		}
		return lesser(err)
	})
	return shown, err
}

// Audience returns the figures of an integration's account; none of a platform that reports nothing
// of accounts.
func (r *Router) Audience(ctx context.Context, via *mission.Integration, since string) (got mission.Audience, err error) {
	ctx, span := start(ctx, "audience", via)
	defer func() { end(span, err) }()
	if via == nil {
		return r.sandbox.Followers(since), nil
	}
	err = r.with(ctx, via, "audience", "", func(a publisher.Adapter, c mission.Credentials) error {
		if audiences, ok := a.(publisher.Audiences); ok {
			got, err = audiences.Audience(ctx, c, since)
		}
		return lesser(err)
	})
	return got, err
}

// Replies returns a page of the replies to a post. Errors: also refused, if the platform's can't be
// read.
func (r *Router) Replies(ctx context.Context, via *mission.Integration, q mission.ReplyQuery) (page mission.ReplyPage, err error) {
	ctx, span := start(ctx, "replies", via)
	defer func() { end(span, err) }()
	if via == nil {
		return r.sandbox.Replies(ctx, q)
	}
	err = r.with(ctx, via, "replies", q.Post.ID, func(a publisher.Adapter, c mission.Credentials) error {
		replier, ok := a.(publisher.Replier)
		if !ok {
			return publisher.Response{}.Refused(publisher.CodeRefused, "The platform's replies can't be read", "")
		}
		page, err = replier.Replies(ctx, c, q)
		return lesser(err)
	})
	return page, err
}

// Hide hides a reply. Errors: also refused, if the platform hides none.
func (r *Router) Hide(ctx context.Context, via *mission.Integration, reply mission.Reply) (err error) {
	ctx, span := start(ctx, "hide", via)
	defer func() { end(span, err) }()
	if via == nil {
		return nil
	}
	return r.with(ctx, via, "hide", reply.ContentID, func(a publisher.Adapter, c mission.Credentials) error {
		hider, ok := a.(publisher.Hider)
		if !ok {
			return publisher.Response{}.Refused(publisher.CodeRefused, "The platform hides no replies", "")
		}
		return lesser(hider.Hide(ctx, c, reply))
	})
}

// lesser converts an error of reading figures or of uploading a file: credentials that may
// not do that may still publish, so they aren't given up.
func lesser(err error) error {
	var pe *mission.PublishError
	if !errors.As(err, &pe) || !pe.Forbidden {
		return err
	}
	refused := *pe
	refused.Unauthorized, refused.Outcome = false, mission.OutcomeRefused
	return &refused
}

// with calls an integration's platform with its credentials.
func (r *Router) with(
	ctx context.Context, via *mission.Integration, what, content string,
	do func(publisher.Adapter, mission.Credentials) error,
) error {
	adapter, ok := r.adapters[via.Platform]
	if !ok {
		return fmt.Errorf("router: no adapter for %s", via.Platform)
	}
	err := r.vault.With(ctx, *via, func(c mission.Credentials) error { return do(adapter, c) })
	if err != nil {
		r.log.WarnContext(
			ctx, "platform call failed", "call", what, "platform", via.Platform, "integration", via.ID,
			"content", content, "error", err,
		)
	}
	return err
}
