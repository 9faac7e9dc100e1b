package mission

import "time"

// Bounds of what is said of an endpoint's deliveries.
const (
	// ActivityHours is for how many hours an endpoint's activity is counted, if the caller doesn't
	// say, and MaxActivityHours for how many at most.
	ActivityHours    = 24
	MaxActivityHours = 7 * 24
	// ActivityDeliveries is how many deliveries of an endpoint are looked at, the latest.
	ActivityDeliveries = 1000
)

// WebhookActivity says how an endpoint's deliveries since a time went: the latest
// ActivityDeliveries of them.
type WebhookActivity struct {
	From       time.Time
	Deliveries int
	Accepted   int
	// Failed are those whose last attempt failed, also if another one is due.
	Failed int
}

// ActivityFrom returns the time from which the activity of the last hours is counted. Errors:
// invalid_request on hours.
func ActivityFrom(hours int, now time.Time) (time.Time, error) {
	if hours < 1 || hours > MaxActivityHours {
		return now, Invalid("hours", "The hours must be 1 to %d.", MaxActivityHours)
	}
	return now.Add(-time.Duration(hours) * time.Hour), nil
}

// UndeliveredEvents are events that an endpoint is sent and accepted in none of their deliveries: those of its
// latest ActivityDeliveries deliveries that failed.
type UndeliveredEvents struct {
	Events int
	// From is when the oldest of them happened.
	From time.Time
	// Since is when the first of the deliveries was created that failed since one was accepted.
	Since time.Time
}
