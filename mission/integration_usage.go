package mission

import (
	"slices"
	"time"
)

// Bounds of what is said of an account's use.
const (
	// UsagePosts is up to how many waiting posts are counted.
	UsagePosts = 1000
	// UsageMissions is how many missions are named, of the latest UsageLooked.
	UsageMissions = 10
	UsageLooked   = 500
)

// IntegrationUsage is what an account is used for.
type IntegrationUsage struct {
	// WaitingPosts is how many approved and scheduled posts wait to be published through it.
	WaitingPosts int
	// LastPublishedAt is when it published a post last; nil if it hasn't.
	LastPublishedAt *time.Time
	// MissionIDs are the missions that post through it, the newest first.
	MissionIDs []string
}

// AccountsOf returns where missions post, as a function of an account: the ids of those that do so
// through it, the first UsageMissions. accounts are those that Brief.Destinations needs.
func AccountsOf(missions []Mission, accounts []Integration) func(integrationID string) []string {
	through := map[string][]string{}
	for _, m := range missions {
		for _, d := range (Brief{Platforms: m.Platforms, IntegrationIDs: m.IntegrationIDs}).Destinations(accounts) {
			if ids := through[d.IntegrationID]; len(ids) < UsageMissions && !slices.Contains(ids, m.ID) {
				through[d.IntegrationID] = append(ids, m.ID)
			}
		}
	}
	return func(id string) []string { return through[id] }
}
