package report

import (
	"fmt"
	"strings"
	"time"
)

// Cost is what one operation takes.
type Cost struct {
	Operation string
	// Missiond, Postgres and Redis are processor time.
	Missiond, Postgres, Redis time.Duration
	Statements                float64
	// WAL and Kept are bytes: of Postgres's log, and of tables and indexes.
	WAL, Kept float64
}

// The operations from which Needs follows; Deliveries says how many there are of a post.
const (
	ReadList   = "a list of 20 missions"
	WholePost  = "a post, from its mission's creation to its last measurement"
	Deliveries = "the %.1f " + deliveries
	deliveries = "webhook deliveries of a post's events"
)

// Costs writes costs as a Markdown table.
func Costs(list []Cost) string {
	lines := [][]string{{"operation", "missiond", "Postgres", "Redis", "statements", "WAL", "kept"}}
	for _, c := range list {
		lines = append(lines, []string{
			c.Operation, Millis(c.Missiond), Millis(c.Postgres), Millis(c.Redis), unless0("%.1f", c.Statements), Bytes(c.WAL), Bytes(c.Kept),
		})
	}
	return plain(lines)
}

// How Needs reckons: a core is used to the half, and each post has some reads.
const (
	used         = 0.5
	readsOfAPost = 20
)

// Needs writes what numbers of posts a day need, by the costs of a post, its deliveries and
// its reads.
func Needs(list []Cost) string {
	var sum Cost
	for _, c := range list {
		n := 0.0
		switch {
		case c.Operation == ReadList:
			n = readsOfAPost
		case c.Operation == WholePost, strings.HasSuffix(c.Operation, deliveries):
			n = 1
		}
		sum.Missiond += time.Duration(n * float64(c.Missiond))
		sum.Postgres += time.Duration(n * float64(c.Postgres))
		sum.Redis += time.Duration(n * float64(c.Redis))
		sum.Statements += n * c.Statements
		sum.WAL += n * c.WAL
		sum.Kept += n * c.Kept
	}
	const day = 86_400.0
	lines := [][]string{{"posts a day", "missiond", "Postgres", "Redis", "statements", "WAL", "kept a month"}}
	for _, posts := range []float64{1e3, 1e5, 1e6, 1e7} {
		cores := func(d time.Duration) string { return rounded(d.Seconds()*posts/day/used) + " cores" }
		lines = append(lines, []string{
			fmt.Sprintf("%.0f", posts), cores(sum.Missiond), cores(sum.Postgres), cores(sum.Redis),
			rounded(sum.Statements*posts/day) + "/s", Bytes(sum.WAL*posts/day) + "/s", Bytes(sum.Kept * posts * 30),
		})
	}
	return plain(lines)
}

// rounded tells a number with two digits, and from 10 on without a fraction.
func rounded(n float64) string {
	switch {
	case n >= 10:
		return fmt.Sprintf("%.0f", n)
	case n >= 0.01:
		return fmt.Sprintf("%.2g", n)
	}
	return fmt.Sprintf("%.1g", n)
}

// Bytes tells a number of bytes; "" for less than one.
func Bytes(n float64) string {
	if n < 1 {
		return ""
	}
	units := []string{"B", "kB", "MB", "GB", "TB"}
	i := 0
	for n >= 1000 && i < len(units)-1 {
		n, i = n/1000, i+1
	}
	if n < 10 && i > 0 {
		return fmt.Sprintf("%.1f %s", n, units[i])
	}
	return fmt.Sprintf("%.0f %s", n, units[i])
}

// plain writes lines as a Markdown table, the first as its head.
func plain(lines [][]string) string {
	var b strings.Builder
	for i, line := range lines {
		b.WriteString("| " + strings.Join(line, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat(" --- |", len(line)) + "\n")
		}
	}
	return b.String()
}
