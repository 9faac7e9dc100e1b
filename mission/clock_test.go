package mission

import (
	"testing"
	"time"
	_ "time/tzdata"

	"pgregory.net/rapid"
)

// zones are of every kind: whole, half and quarter hours, gaps at night and at
// midnight, of an hour and of half an hour, north and south, and none.
var zones = []string{
	"UTC", "Europe/Berlin", "Europe/London", "Europe/Lisbon", "Europe/Athens", "Europe/Dublin", "Europe/Chisinau",
	"America/New_York", "America/Los_Angeles", "America/St_Johns", "America/Santiago", "America/Asuncion", "America/Havana",
	"America/Sao_Paulo", "America/Nuuk", "America/Scoresbysund", "Africa/Cairo", "Africa/Casablanca", "Africa/El_Aaiun",
	"Asia/Beirut", "Asia/Jerusalem", "Asia/Gaza", "Asia/Tehran", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Tokyo",
	"Australia/Sydney", "Australia/Adelaide", "Australia/Lord_Howe", "Australia/Eucla", "Pacific/Auckland",
	"Pacific/Chatham", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Easter", "Antarctica/Troll", "Atlantic/Azores",
}

func zone(t rapid.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func parse(t rapid.TB, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// A skipped local time moves forward by the gap; an ambiguous one is the first of the
// two.
func TestLocalTimesAroundChanges(t *testing.T) {
	for _, tt := range []struct{ zone, date, clock, want string }{
		{"Europe/Berlin", "2026-03-29", "01:59", "2026-03-29T01:59:00+01:00"},
		{"Europe/Berlin", "2026-03-29", "02:30", "2026-03-29T03:30:00+02:00"},
		{"Europe/Berlin", "2026-03-29", "03:00", "2026-03-29T03:00:00+02:00"},
		{"Europe/Berlin", "2026-10-25", "02:30", "2026-10-25T02:30:00+02:00"},
		{"Europe/Berlin", "2026-10-25", "03:00", "2026-10-25T03:00:00+01:00"},
		{"America/New_York", "2026-03-08", "02:00", "2026-03-08T03:00:00-04:00"},
		{"America/New_York", "2026-11-01", "01:00", "2026-11-01T01:00:00-04:00"},
		{"Australia/Lord_Howe", "2026-10-04", "02:10", "2026-10-04T02:40:00+11:00"},
		{"Australia/Lord_Howe", "2026-04-05", "01:45", "2026-04-05T01:45:00+11:00"},
		{"America/Santiago", "2026-09-06", "00:30", "2026-09-06T01:30:00-03:00"},
		{"Africa/Cairo", "2026-04-24", "00:00", "2026-04-24T01:00:00+03:00"},
		{"Asia/Kolkata", "2026-06-01", "09:15", "2026-06-01T09:15:00+05:30"},
	} {
		d := dateOf(parse(t, tt.date+"T00:00:00Z"))
		got := resolveLocal(d, wallTime(tt.clock), zone(t, tt.zone))
		if want := parse(t, tt.want); !got.Equal(want) {
			t.Errorf("%s %s in %s: got %s, want %s", tt.date, tt.clock, tt.zone, got, want.UTC())
		}
	}
}

// On every day of 2026 to 2030 in every zone a local time is on its own date, or later
// by no more than a gap; and before the instant it wasn't reached.
func TestEveryLocalTimeIsOnItsDate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := zone(t, rapid.SampledFrom(zones).Draw(t, "zone"))
		d := date{2026, time.January, 1}.addDays(rapid.IntRange(0, 5*365).Draw(t, "day"))
		tod := time.Duration(rapid.IntRange(0, 24*60-1).Draw(t, "minute")) * time.Minute
		got := resolveLocal(d, tod, z)
		local := got.In(z)
		const widestGap = 2 * time.Hour // Antarctica/Troll
		late := timeOfDay(local) - tod
		if dateOf(local) != d || late < 0 || late > widestGap {
			t.Fatalf("%v %s is %s", d, tod, local)
		}
		if late > 0 {
			// It moved, so no instant of that day shows it.
			for at := got.Add(-26 * time.Hour); at.Before(got.Add(26 * time.Hour)); at = at.Add(time.Minute) {
				if l := at.In(z); dateOf(l) == d && timeOfDay(l) == tod {
					t.Fatalf("%v %s moved to %s, but %s shows it", d, tod, local, l)
				}
			}
			return
		}
		for at := got.Add(-3 * time.Hour); at.Before(got); at = at.Add(time.Minute) {
			if l := at.In(z); dateOf(l) == d && timeOfDay(l) == tod {
				t.Fatalf("%v %s is %s, but %s shows it first", d, tod, local, l)
			}
		}
	})
}

func TestAddDaysKeepsTheWallClock(t *testing.T) {
	start := parse(t, "2026-03-27T10:37:12.345+01:00")
	berlin := zone(t, "Europe/Berlin")
	if got, want := AddDays(start, 3, berlin), parse(t, "2026-03-30T10:37:12.345+02:00"); !got.Equal(want) {
		t.Errorf("three days later: got %s, want %s", got, want)
	}
	if got := AddDays(start, 0, berlin); !got.Equal(start) {
		t.Errorf("no days later: got %s", got)
	}
}

func TestMonthsEndWhereTheyEnd(t *testing.T) {
	d := date{2026, time.January, 31}
	for n, want := range map[int]date{0: {2026, time.January, 31}, 1: {2026, time.February, 28}, 2: {2026, time.March, 31}, 13: {2027, time.February, 28}, 25: {2028, time.February, 29}} {
		if got := d.addMonths(n); got != want {
			t.Errorf("%d months later: got %v, want %v", n, got, want)
		}
	}
}
