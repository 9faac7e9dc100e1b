package mission

import "time"

// Bounds of drafts: how many a person and a tenant have, and the bytes of one's body. They don't count in the tenant's
// TextQuota.
const (
	MaxPostDrafts       = 50
	MaxTenantPostDrafts = 2000
	MaxPostDraftBody    = 32 << 10
)

// CheckPostDrafts returns a conflict if a person who has own drafts, of all those of their tenant, can't have another.
func CheckPostDrafts(own, all int) error {
	switch {
	case own >= MaxPostDrafts:
		return Conflict("You have %d drafts, which is the most. Send or discard one first.", own)
	case all >= MaxTenantPostDrafts:
		return Conflict("The members of your organization have %d drafts, which is the most. Send or discard some first.", all)
	}
	return nil
}

// PostDraft is a post that a person is writing. Its Body is the client's own: a JSON object.
type PostDraft struct {
	ID       string `bun:",pk"`
	TenantID string
	UserID   string
	// MissionID is its mission's, which may have been deleted since.
	MissionID string
	Body      string
	// Version is the number of the body, counted from 1.
	Version              int
	CreatedAt, UpdatedAt time.Time
}

// Saved returns the draft with a new body. version is the one that was read. Errors: conflict
// if it has another one now.
func (d PostDraft) Saved(missionID, body string, version int, now time.Time) (PostDraft, error) {
	if version != d.Version {
		return d, Conflict("The draft was saved elsewhere since: its version is %d, not %d.", d.Version, version)
	}
	d.MissionID, d.Body, d.Version, d.UpdatedAt = missionID, body, d.Version+1, now
	return d, nil
}
