package router_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"missiond/internal/publisher"
	"missiond/internal/publisher/router"
	"missiond/internal/publisher/sandbox"
	"missiond/mission"
)

// vault has the same credentials for all.
type vault struct{}

// With implements [router.Vault].
func (vault) With(_ context.Context, _ mission.Integration, do func(mission.Credentials) error) error {
	return do(mission.Credentials{AccessToken: "a"})
}

// uploader is a platform that responds to uploads alone.
type uploader struct {
	publisher.Adapter

	err error
}

// Upload implements [publisher.Uploader].
func (u uploader) Upload(_ context.Context, c mission.Credentials, f mission.File, up mission.Upload) (mission.Upload, error) {
	up.ID = c.AccessToken + f.Hash
	return up, u.err
}

// Files go to their platform; credentials that may not upload stay those of posts. The sandbox
// has any file at once.
func TestUpload(t *testing.T) {
	forbidden := &mission.PublishError{Outcome: mission.OutcomeNotAccepted, Unauthorized: true, Forbidden: true, Failure: mission.Failure{Code: "c", Message: "m"}}
	r := router.New(vault{}, map[mission.Platform]publisher.Adapter{
		mission.Mastodon: uploader{}, mission.Twitter: uploader{err: forbidden}, mission.Bluesky: struct{ publisher.Adapter }{},
	}, sandbox.New(nil, nil, sandbox.Audience{}), slog.New(slog.DiscardHandler))
	f := mission.File{PostMedia: mission.PostMedia{Hash: "h", Bytes: 7}}
	up := func(via *mission.Integration) (mission.Upload, error) {
		return r.Upload(t.Context(), via, f, mission.Upload{Hash: "h", AltText: "alt"})
	}
	if got, err := up(&mission.Integration{Platform: mission.Mastodon}); err != nil || got.ID != "ah" || got.AltText != "alt" {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, p := range []mission.Platform{mission.Twitter, mission.Bluesky} {
		var pe *mission.PublishError
		if _, err := up(&mission.Integration{Platform: p}); !errors.As(err, &pe) || pe.Unauthorized || pe.Outcome != mission.OutcomeRefused {
			t.Errorf("%s: got %v", p, err)
		}
	}
	if got, err := up(nil); err != nil || got.State != mission.UploadReady || got.ID == "" || got.Sent != 7 || got.Hash != "h" {
		t.Errorf("the sandbox has %+v, %v", got, err)
	}
}

// follows is a platform that responds about audiences alone.
type follows struct {
	publisher.Adapter

	err error
}

// Audience implements [publisher.Audiences].
func (f follows) Audience(context.Context, mission.Credentials, string) (mission.Audience, error) {
	n := int64(3)
	return mission.Audience{Now: mission.AccountFigures{Followers: &n}}, f.err
}

// Credentials that may not read figures stay in use; a platform that reports nothing has no figures.
func TestAudience(t *testing.T) {
	forbidden := &mission.PublishError{Outcome: mission.OutcomeNotAccepted, Unauthorized: true, Forbidden: true, Failure: mission.Failure{Code: "c", Message: "m"}}
	r := router.New(vault{}, map[mission.Platform]publisher.Adapter{
		mission.Mastodon: publisher.Bounded(follows{}), mission.LinkedIn: follows{err: forbidden}, mission.Bluesky: publisher.Bounded(struct{ publisher.Adapter }{}),
	}, nil, slog.New(slog.DiscardHandler))
	read := func(on mission.Platform) (mission.Audience, error) {
		return r.Audience(t.Context(), &mission.Integration{Platform: on}, "2026-03-01")
	}
	if got, err := read(mission.Mastodon); err != nil || got.Now.Followers == nil || *got.Now.Followers != 3 {
		t.Errorf("got %+v, %v", got, err)
	}
	var pe *mission.PublishError
	if _, err := read(mission.LinkedIn); !errors.As(err, &pe) || pe.Unauthorized || pe.Outcome != mission.OutcomeRefused {
		t.Errorf("forbidden: got %v", err)
	}
	if got, err := read(mission.Bluesky); err != nil || !got.Now.None() {
		t.Errorf("none: got %+v, %v", got, err)
	}
	if _, err := read(mission.Pinterest); err == nil {
		t.Error("a platform without an adapter was read")
	}
}
