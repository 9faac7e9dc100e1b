package mission

import (
	"testing"
	"time"
)

func TestUsage(t *testing.T) {
	now := time.Date(2028, 3, 1, 23, 59, 0, 0, time.UTC)
	requests := map[string]int64{"2028-02-01": 1, "2028-02-29": 5, "2028-03-01": 7, "2028-01-31": 100, "2028-01-30": 1000}
	u := NewUsage(Rate{Limit: 60, Burst: 10, Per: time.Minute}, requests, now)
	if u.Requests != 7 || u.Limit != 60*60*24*31 || !u.ResetAt.Equal(time.Date(2028, 4, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("got the month's %d of %d until %s", u.Requests, u.Limit, u.ResetAt)
	}
	if len(u.Daily) != 30 || u.Daily[0] != (DayUsage{"2028-02-01", 1}) || u.Daily[28] != (DayUsage{"2028-02-29", 5}) || u.Daily[29] != (DayUsage{"2028-03-01", 7}) {
		t.Errorf("got the days %v", u.Daily)
	}
	if since := UsageSince(now); since.Format(time.DateOnly) != "2028-02-01" {
		t.Errorf("got the first day %s", since)
	}
	end := time.Date(2026, 12, 31, 12, 0, 0, 0, time.UTC)
	if since := UsageSince(end); since.Format(time.DateOnly) != "2026-12-01" {
		t.Errorf("got the first day %s", since)
	}
	u = NewUsage(Rate{Limit: 6, Per: time.Hour}, map[string]int64{"2026-12-01": 3, "2026-12-31": 4}, end)
	if u.Requests != 7 || u.Limit != 6*24*31 || u.ResetAt.Format(time.DateOnly) != "2027-01-01" || u.Daily[0].Date != "2026-12-02" {
		t.Errorf("got the month %+v", u)
	}
}
