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
	// DeadTasks and DeadContents are rows that vacuum hasn't removed yet; Vacuums is how
	// often it has been to the tasks since the year began.
	DeadTasks, DeadContents, Vacuums int64
	// Maintained and WAL are the time and the bytes of Postgres's log that the month's
	// maintenance took.
	Maintained time.Duration
	WAL        int64
	// Postponed is how often it left something to the next time.
	Postponed int
	// What pages took to read meanwhile.
	P50, P99, Longest time.Duration
}

// Year writes months as a Markdown table.
func Year(months []Month) string {
	lines := [][]string{{"month", "posts so far", "events, deliveries, attempts", "measurements", "tasks", "contents", "partitions", "dead rows: tasks", "contents", "vacuums of tasks", "maintenance", "postponed", "its WAL", "a page: p50", "p99", "longest"}}
	posts := 0
	for _, m := range months {
		posts += m.Posts
		lines = append(lines, []string{
			m.Start.Format("2006-01"), fmt.Sprint(posts), size(m.Events), size(m.Measurements), size(m.Tasks), size(m.Contents), fmt.Sprint(m.Partitions),
			fmt.Sprint(m.DeadTasks), fmt.Sprint(m.DeadContents), fmt.Sprint(m.Vacuums), fmt.Sprintf("%.1f s", m.Maintained.Seconds()), fmt.Sprint(m.Postponed), size(m.WAL), Millis(m.P50), Millis(m.P99), Millis(m.Longest),
		})
	}
	return plain(lines)
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
