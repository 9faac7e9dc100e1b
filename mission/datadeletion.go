package mission

import "time"

// DataDeletion is a person's request, made at a platform, to delete what the service has of the
// person's accounts there.
type DataDeletion struct {
	// Code is by what the person may look at its state.
	Code        string `bun:",pk"`
	Platform    Platform
	RequestedAt time.Time
	// CompletedAt is when all was deleted; nil until then.
	CompletedAt *time.Time
}

// DeletionsKept is for how long requests to delete data are stored.
const DeletionsKept = 365 * 24 * time.Hour

// erasedName is what an account is called whose owner had its data deleted.
const erasedName = "Deleted at its owner’s request"

// Erased returns the integration without credentials and without what its platform said of the
// account and its owner. The account is another one if it is connected again.
func (i Integration) Erased(now time.Time) Integration {
	if i.DeletedAt == nil {
		i = i.Disconnected(now)
	}
	i.Account = &Account{ID: "deleted:" + i.ID, Name: erasedName}
	i.UpdatedAt = now
	return i
}
