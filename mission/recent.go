package mission

import "time"

// Bounds of what is recent.
const (
	// maxRecent is how long ago it begins at the earliest.
	maxRecent = 7 * 24 * time.Hour
	// RecentCounted is up to how many posts of a kind are counted, and how many measured ones,
	// the latest, are compared.
	RecentCounted = 1000
)

// Recent is what has become of a tenant's posts since a time. Each number is at most RecentCounted.
type Recent struct {
	Since time.Time
	// Published, Expired and Failed are how many posts were published, how many expired, and how
	// often publishing one failed for good.
	Published, Expired, Failed int
	// BestID is the best of the posts that were published; "" if none was measured.
	BestID string
}

// RecentSince returns since, or the nearest time to it from which on something may be recent at now:
// seven days ago at the earliest.
func RecentSince(since, now time.Time) time.Time {
	if since.After(now) {
		since = now
	}
	return Millis(later(since, now.Add(-maxRecent)))
}

// BestPost returns the id of the post with the most engagements, of those with as many the one with
// the most impressions, and then the first: what its platform reports last counts. It returns "" if
// no post has any.
func BestPost(posts []Content) string {
	id, most, seen := "", 0.0, 0.0
	for _, c := range posts {
		e, n := c.Metrics.Engagements(), c.Metrics[Impressions]
		if e > most || e == most && n > seen {
			id, most, seen = c.ID, e, n
		}
	}
	return id
}
