// Package publisher has what the adapters of platforms share: their interface, and
// how a platform is called and its responses are read.
package publisher

import (
	"context"
	"errors"

	"missiond/mission"
)

// ErrNoClient is the error for an authorization at a platform for which the
// operator registered no client.
var ErrNoClient = errors.New("the operator configured no client for the platform")

// Adapter is a platform. Its errors are *mission.PublishError; any other error
// counts as a missing response. It is safe for concurrent use.
//
// An adapter makes only the calls that a method needs: it neither waits nor
// retries, and stores no state between calls.
type Adapter interface {
	// Connect returns the account of the credentials, and the credentials to be
	// stored: AccountID is set, and a session is open if the platform has sessions.
	Connect(ctx context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error)
	// Refresh renews credentials whose access token has expired. Errors:
	// unauthorized if only their owner can renew them.
	Refresh(ctx context.Context, c mission.Credentials) (mission.Credentials, error)
	// Publish publishes a part of a post. For a part that an earlier call published
	// (see Part.Again), it returns the existing publication, if the platform can
	// tell.
	Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error)
	// Find looks for a part whose outcome is unknown; ok is false if the platform
	// doesn't have it. Errors: also ErrInconclusive.
	Find(ctx context.Context, c mission.Credentials, p mission.Part) (found mission.Publication, ok bool, err error)
	// Measure returns the metrics of up to Capabilities.MeasureBatch posts by
	// content id, those of the first part for a thread. Posts that the platform no
	// longer has are absent, as are figures that it doesn't report. What was
	// measured before an error is returned with it.
	Measure(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string]mission.Metrics, error)
}

// Authorizer is an adapter whose platform requires an account owner's consent
// (OAuth 2, with PKCE if the platform supports it).
type Authorizer interface {
	Adapter
	// Authorize returns the address at which the owner consents, and the grant with
	// what the platform added to it. Errors: also ErrNoClient.
	Authorize(ctx context.Context, g mission.Grant) (address string, completed mission.Grant, err error)
	// Exchange returns the credentials for the owner's code. Errors: also
	// ErrNoClient.
	Exchange(ctx context.Context, g mission.Grant, code string) (mission.Credentials, error)
}

// Reader is an adapter whose platform can be asked what it shows.
type Reader interface {
	Adapter
	// Read returns what the platform shows of posts that were measured just now, by content id:
	// of their first parts or of all. Parts of which it can't be told whether somebody changed
	// them are absent.
	Read(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string][]mission.Shown, error)
}

// Uploader is an adapter whose platform takes files.
type Uploader interface {
	Adapter
	// Upload takes a file one step further on the platform: it begins the upload (for the zero
	// Upload with Hash and AltText), sends the next bytes, tells the alt text, or asks whether
	// the platform is done. Each step may be repeated, since what no post has isn't seen by
	// anybody. The returned Upload is recorded before the next step; its Wait is how long to
	// wait before that. Where files are sent with their part (Capabilities.FilesWithPost), Upload
	// returns Carried's. Errors: OutcomeRefused if the platform will never take the file, else
	// OutcomeNotAccepted, with FilesGone if the upload must begin anew.
	Upload(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error)
}

// Preparer is an adapter whose platform has drafts: a part is made as a draft, which nobody sees, and
// then published by Publish, which has the draft in Part.Draft. Its Find tells by that draft what became
// of the part.
type Preparer interface {
	Adapter
	// Prepare takes a part one step further as a draft (from the zero Upload with Hash), or asks
	// whether the platform is done with it. Each step may be repeated. The returned Upload is
	// recorded before the next step; its Wait is how long to wait before that. Errors: as
	// Uploader.Upload's.
	Prepare(ctx context.Context, c mission.Credentials, p mission.Part, u mission.Upload) (mission.Upload, error)
}

// Audiences is an adapter whose platform reports figures of an account.
type Audiences interface {
	Adapter
	// Audience returns the account's figures: as they are now and, where the platform has a series,
	// by day since a date (YYYY-MM-DD in UTC). Figures that the platform doesn't report of this
	// account are nil, and a day without any is absent. Errors: as Measure's; forbidden if the
	// credentials may publish, but not read figures.
	Audience(ctx context.Context, c mission.Credentials, since string) (mission.Audience, error)
}
