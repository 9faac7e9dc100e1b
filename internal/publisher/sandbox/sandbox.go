// Package sandbox is a platform in the service's own store: it accepts posts, gives
// them ids and URLs, and has an audience that reacts to them by a documented model
// (docs/install.md, "The sandbox platform"). It replaces every platform that has no
// connection of its own.
package sandbox

import (
	"context"
	"fmt"
	"time"

	"missiond/mission"
	"missiond/store"
)

// Clock returns the domain's time.
type Clock interface {
	Now() time.Time
}

// Platform is the sandbox. It is safe for concurrent use.
type Platform struct {
	db       *store.DB
	clock    Clock
	audience Audience
}

// New returns the sandbox over a store.
func New(db *store.DB, c Clock, a Audience) *Platform {
	return &Platform{db: db, clock: c, audience: a}
}

// postPrefix begins the ids of the sandbox's posts.
const postPrefix = "sbx_"

// Publish accepts a part of a post. Like a platform without idempotency keys, it
// accepts the same part again, as another post. Errors: if the store doesn't
// respond, with an unknown outcome.
func (p *Platform) Publish(ctx context.Context, part mission.Part) (mission.Publication, error) {
	c, now := part.Content, p.clock.Now()
	contentID, answerID := answering(c)
	post := store.SandboxPost{
		ID: p.db.NewID(postPrefix, now), ContentID: contentID, Part: part.Index, AnswerID: answerID, Platform: c.Platform, Body: part.Text,
		PublishedAt: now,
	}
	if err := p.db.AddSandboxPost(ctx, post); err != nil {
		return mission.Publication{}, fmt.Errorf("sandbox: publish %s: %w", c.ID, err)
	}
	return publication(post), nil
}

// answering returns the post that c is, or that the answer which c is belongs to.
func answering(c mission.Content) (contentID, answerID string) {
	if c.Replying != nil {
		return c.Replying.ContentID, c.ID
	}
	return c.ID, ""
}

// Find looks for a part.
func (p *Platform) Find(ctx context.Context, part mission.Part) (mission.Publication, bool, error) {
	contentID, answerID := answering(part.Content)
	post, ok, err := p.db.SandboxPost(ctx, contentID, part.Index, answerID)
	if err != nil || !ok {
		return mission.Publication{}, false, err
	}
	return publication(post), true, nil
}

// Upload returns a file's upload: the sandbox has any file at once.
func (p *Platform) Upload(f mission.File, u mission.Upload) mission.Upload {
	u.ID, u.State, u.Sent, u.Described = postPrefix+f.Hash, mission.UploadReady, f.Bytes, true
	return u
}

// publication returns a post's publication. Its URL is under .invalid, which no
// browser resolves (RFC 2606): nothing of the sandbox is on the web.
func publication(post store.SandboxPost) mission.Publication {
	return mission.Publication{
		PostID:      post.ID,
		URL:         fmt.Sprintf("https://%s.sandbox.invalid/posts/%s", post.Platform, post.ID),
		PublishedAt: post.PublishedAt,
	}
}

// Read returns what the sandbox shows of posts.
func (p *Platform) Read(ctx context.Context, posts []mission.Content) (map[string][]mission.Shown, error) {
	ids := make([]string, 0, len(posts))
	for _, c := range posts {
		for _, part := range c.Published {
			ids = append(ids, part.PostID)
		}
	}
	bodies, err := p.db.SandboxBodies(ctx, ids)
	if err != nil {
		return nil, err
	}
	shown := map[string][]mission.Shown{}
	for _, c := range posts {
		texts := c.SentTexts()
		for i, part := range c.Published {
			if body, ok := bodies[part.PostID]; ok {
				shown[c.ID] = append(shown[c.ID], mission.Shown{Part: i, Same: body == texts[i], Text: body})
			}
		}
	}
	return shown, nil
}

// Followers returns how many follow the sandbox now, and the figures of the days since one that are
// over.
func (p *Platform) Followers(since string) mission.Audience {
	now := p.clock.Now().UTC()
	got := mission.Audience{Now: mission.AccountFigures{Followers: p.audience.Followers(now).Followers}}
	at, err := time.Parse(time.DateOnly, since)
	for today := now.Format(time.DateOnly); err == nil && at.Format(time.DateOnly) < today; at = at.AddDate(0, 0, 1) {
		if f := p.audience.Followers(at); !f.None() {
			got.Days = append(got.Days, mission.DayFigures{Date: at.Format(time.DateOnly), AccountFigures: f})
		}
	}
	return got.Bounded(since)
}

// Measure returns the audience's response to posts at the clock's time.
func (p *Platform) Measure(_ context.Context, posts []mission.Content) (map[string]mission.Metrics, error) {
	now := p.clock.Now()
	measured := make(map[string]mission.Metrics, len(posts))
	for _, c := range posts {
		if c.PublishedAt != nil {
			measured[c.ID] = p.audience.Metrics(c, now.Sub(*c.PublishedAt))
		}
	}
	return measured, nil
}
