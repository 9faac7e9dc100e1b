package report

import (
	"fmt"
	"time"
)

// Month is what a month of a simulated year has come to at its end.
type Month struct {
	Start time.Time
	Posts int // of the month
	// Events are the bytes of events, deliveries and their attempts; the others are of
	// the tables that they are named after, all with their indexes.
	Events, Measurements, Tasks, Contents int64
	Partitions                            int
	// DeadTasks and DeadContents are rows that vacuum hadn't removed yet at the days' ends.
	DeadTasks, DeadContents Range
	// VacuumsTasks and VacuumsContents are how often it has been there since the year began.
	VacuumsTasks, VacuumsContents int64
	// Maintained and WAL are the time that the month's maintenance took, and the bytes of
	// Postgres's log meanwhile.
	Maintained time.Duration
	WAL        int64
	// Postponed is how often it left something to the next time.
	Postponed int
	// What pages took to read meanwhile.
	P50, P99, Longest time.Duration
}

// Range is the least and the most of some numbers.
type Range struct {
	Least, Most int64
	some        bool
}

// Add adds a number.
func (r *Range) Add(n int64) {
	if !r.some {
		*r = Range{n, n, true}
	}
	r.Least, r.Most = min(r.Least, n), max(r.Most, n)
}

func (r Range) String() string { return fmt.Sprintf("%d to %d", r.Least, r.Most) }

// Year writes months as a Markdown table.
func Year(months []Month) string {
	lines := [][]string{{
		"month", "posts so far", "events, deliveries, attempts", "measurements", "tasks", "contents", "partitions", "dead rows of tasks", "of contents",
		"vacuums of tasks", "of contents", "maintenance", "postponed", "its WAL", "a page beside it: p50", "p99", "longest",
	}}
	posts := 0
	for _, m := range months {
		posts += m.Posts
		lines = append(lines, []string{
			m.Start.Format("2006-01"), fmt.Sprint(posts), size(m.Events), size(m.Measurements), size(m.Tasks), size(m.Contents), fmt.Sprint(m.Partitions),
			m.DeadTasks.String(), m.DeadContents.String(), fmt.Sprint(m.VacuumsTasks), fmt.Sprint(m.VacuumsContents),
			fmt.Sprintf("%.1f s", m.Maintained.Seconds()), fmt.Sprint(m.Postponed), size(m.WAL), Millis(m.P50), Millis(m.P99), Millis(m.Longest),
		})
	}
	return plain(lines)
}

// Tables are the tables of a database at the end of a month, and the posts until then.
type Tables struct {
	Month time.Time
	Posts int
	List  []Sizes
}

// Sizes are the bytes of a table and of its indexes. Tables is 1, or the number of its
// partitions.
type Sizes struct {
	Name          string
	Tables        int
	Heap, Indexes int64
}

// shown is how large a table is at least that Growth shows.
const shown = 1_000_000

// Growth compares the tables of two months' ends, as a Markdown table in the order of the
// later one: what they have grown by with each post in between.
func Growth(early, late Tables) string {
	before := map[string]Sizes{}
	for _, s := range early.List {
		before[s.Name] = s
	}
	at := func(t Tables) string { return "at the end of " + t.Month.Format("2006-01") }
	lines := [][]string{{"table", at(early), "its indexes", "partitions", at(late), "its indexes", "partitions", "growth with a post"}}
	for _, s := range late.List {
		b := before[s.Name]
		if s.Heap+s.Indexes < shown {
			continue
		}
		growth := float64(s.Heap+s.Indexes-b.Heap-b.Indexes) / float64(max(1, late.Posts-early.Posts))
		sign := ""
		if growth < 0 {
			sign, growth = "-", -growth
		}
		told := Bytes(growth)
		if told == "" {
			told, sign = "0", ""
		}
		lines = append(lines, []string{s.Name, size(b.Heap), size(b.Indexes), partitions(b.Tables), size(s.Heap), size(s.Indexes), partitions(s.Tables), sign + told})
	}
	return plain(lines)
}

func partitions(tables int) string {
	if tables < 2 {
		return ""
	}
	return fmt.Sprint(tables)
}

// Removal compares how rows of a month are removed.
type Removal struct {
	// Dropped rows went with their partitions, Deleted ones one by one.
	Dropped, Deleted                       int64
	Dropping, Deleting, Vacuuming          time.Duration
	DroppingWAL, DeletingWAL, VacuumingWAL int64
}

// Removals writes the comparison as a Markdown table.
func Removals(r Removal) string {
	return plain([][]string{
		{"the events, deliveries and attempts of a month", "rows", "time", "WAL"},
		{"dropped with their partitions", fmt.Sprint(r.Dropped), Millis(r.Dropping), size(r.DroppingWAL)},
		{"deleted row by row", fmt.Sprint(r.Deleted), Millis(r.Deleting), size(r.DeletingWAL)},
		{"and their space made usable again (VACUUM)", "", Millis(r.Vacuuming), size(r.VacuumingWAL)},
	})
}

func size(n int64) string { return Bytes(float64(n)) }
