// Package publisher is what the adapters of platforms share: what an adapter
// does, and how a platform is called and its answers are read.
package publisher

import (
	"context"
	"errors"

	"missiond/mission"
)

// ErrNoClient is the error of an authorisation at a platform where the operator
// registered no client.
var ErrNoClient = errors.New("the operator configured no client for the platform")

// Adapter is a platform. Its errors are *mission.PublishError; any other error
// counts as an answer that never came. It is safe for concurrent use.
//
// An adapter makes the calls that a method needs and no more: it neither waits
// nor retries, and keeps nothing between calls.
type Adapter interface {
	// Connect returns whose the credentials are, and what is to be kept of them:
	// AccountID is set, and a session is open where the platform has sessions.
	Connect(ctx context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error)
	// Refresh renews credentials whose access token has ended. Errors:
	// unauthorized where only their owner can.
	Refresh(ctx context.Context, c mission.Credentials) (mission.Credentials, error)
	// Publish publishes a part of a post. A part that an earlier call published
	// (see Part.Again) is answered as it is on the platform, where the platform
	// can tell.
	Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error)
	// Find looks for a part whose answer never came; ok is false where the
	// platform doesn't have it. Errors: ErrAskAgain too.
	Find(ctx context.Context, c mission.Credentials, p mission.Part) (found mission.Publication, ok bool, err error)
	// Measure returns the metrics of up to Capabilities.MeasureBatch posts by
	// content id, those of its first part where it is a thread. Posts that the
	// platform doesn't have any more are absent, as are figures that it doesn't
	// report. What was measured before an error is answered with it.
	Measure(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string]mission.Metrics, error)
}

// Authorizer is an adapter whose platform asks an account's owner (OAuth 2, with
// PKCE where the platform takes it).
type Authorizer interface {
	Adapter
	// Authorize returns where the owner consents, and the grant with what the
	// platform added to it. Errors: ErrNoClient too.
	Authorize(ctx context.Context, g mission.Grant) (address string, kept mission.Grant, err error)
	// Exchange returns the credentials that the owner's code stands for. Errors:
	// ErrNoClient too.
	Exchange(ctx context.Context, g mission.Grant, code string) (mission.Credentials, error)
}
