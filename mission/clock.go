package mission

import "time"

// Millis returns t as the service stores times: in UTC, truncated to
// milliseconds.
func Millis(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// AddDays returns t moved by n calendar days in zone: the same local time of
// day n dates later. A local time that a DST change skips moves forward by the
// gap; of one that occurs twice the first is taken.
func AddDays(t time.Time, n int, zone *time.Location) time.Time {
	if n == 0 {
		return t
	}
	l := t.In(zone)
	d := dateOf(l).addDays(n)
	return resolveLocal(d, timeOfDay(l), zone)
}

// date is a calendar date without a zone.
type date struct {
	year  int
	month time.Month
	day   int
}

func dateOf(t time.Time) date {
	y, m, d := t.Date()
	return date{y, m, d}
}

func (d date) utc() time.Time { return time.Date(d.year, d.month, d.day, 0, 0, 0, 0, time.UTC) }

func (d date) addDays(n int) date { return dateOf(d.utc().AddDate(0, 0, n)) }

func (d date) weekday() time.Weekday { return d.utc().Weekday() }

// addMonths returns the same day n months later, or the last day of that month
// if it is shorter.
func (d date) addMonths(n int) date {
	first := time.Date(d.year, d.month, 1, 0, 0, 0, 0, time.UTC).AddDate(0, n, 0)
	last := first.AddDate(0, 1, -1).Day()
	return date{first.Year(), first.Month(), min(d.day, last)}
}

// timeOfDay returns the wall-clock time of t since midnight.
func timeOfDay(t time.Time) time.Duration {
	h, m, s := t.Clock()
	return time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second + time.Duration(t.Nanosecond())
}

// resolveLocal returns the instant of a wall-clock time on a date in zone.
// time.Date doesn't specify which instant it returns for a wall-clock time that
// a change of offset skips or repeats. Here the offset before the change
// decides both: a skipped time moves forward by the gap, and a repeated one is
// its first occurrence.
func resolveLocal(d date, tod time.Duration, zone *time.Location) time.Time {
	wall := d.utc().Add(tod)
	guess := wall.Add(-offsetAt(wall, zone))
	start, end := guess.In(zone).ZoneBounds()
	for _, change := range []time.Time{start, end} {
		if change.IsZero() {
			continue
		}
		before := wall.Add(-offsetAt(change.Add(-1), zone))
		after := wall.Add(-offsetAt(change, zone))
		if before.Before(change) != after.Before(change) {
			return before.UTC()
		}
	}
	for _, off := range []time.Duration{offsetAt(guess, zone), offsetAt(start.Add(-1), zone), offsetAt(end, zone)} {
		if t := wall.Add(-off); offsetAt(t, zone) == off {
			return t.UTC()
		}
	}
	return guess.UTC()
}

// offsetAt returns zone's offset from UTC at an instant.
func offsetAt(t time.Time, zone *time.Location) time.Duration {
	_, off := t.In(zone).Zone()
	return time.Duration(off) * time.Second
}
