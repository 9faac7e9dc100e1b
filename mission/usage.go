package mission

import "time"

// usageDays is how many days the usage view lists.
const usageDays = 30

// Usage is the number of requests of a tenant (interface, section 2, "Usage
// view").
type Usage struct {
	// Requests counts those of the calendar month (UTC), Limit is what the
	// tenant's rate allows in it.
	Requests, Limit int64
	ResetAt         time.Time
	// MediaBytes is how many bytes the tenant's files have, MediaQuota how many they may.
	MediaBytes, MediaQuota int64
	// TextBytes is how many bytes the tenant's texts take, TextQuota how many they may.
	TextBytes, TextQuota int64
	// Daily are the last 30 days, oldest first.
	Daily []DayUsage
}

// DayUsage is the number of requests of a tenant on a day.
type DayUsage struct {
	Date     string // YYYY-MM-DD, UTC
	Requests int64
}

// UsageSince returns the first day (UTC) that the usage view at now needs.
func UsageSince(now time.Time) time.Time {
	month, _ := monthOf(now)
	if days := dayOf(now).AddDate(0, 0, 1-usageDays); days.Before(month) {
		return days
	}
	return month
}

func dayOf(t time.Time) time.Time {
	y, m, d := t.UTC().Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

func monthOf(t time.Time) (begins, ends time.Time) {
	y, m, _ := t.UTC().Date()
	begins = time.Date(y, m, 1, 0, 0, 0, 0, time.UTC)
	return begins, begins.AddDate(0, 1, 0)
}

// NewUsage returns the usage view at now of a tenant with an allowed rate, from
// its requests by day.
func NewUsage(allowed Rate, requests map[string]int64, now time.Time) Usage {
	begins, ends := monthOf(now)
	u := Usage{Limit: int64(allowed.Limit) * int64(ends.Sub(begins)/allowed.Per), ResetAt: ends}
	for day := begins; day.Before(ends); day = day.AddDate(0, 0, 1) {
		u.Requests += requests[day.Format(time.DateOnly)]
	}
	for i := usageDays - 1; i >= 0; i-- {
		date := dayOf(now).AddDate(0, 0, -i).Format(time.DateOnly)
		u.Daily = append(u.Daily, DayUsage{Date: date, Requests: requests[date]})
	}
	return u
}
