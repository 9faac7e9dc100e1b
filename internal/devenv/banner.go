package devenv

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Banner is what a development run prints once it serves requests: where everything
// is, and what to do first.
type Banner struct {
	Env
	// Folder is the data folder.
	Folder string
	// Start is the address at which a browser starts.
	Start string
	// Speed is how many times faster than real time the clock runs, and Ahead how far
	// it is ahead of real time.
	Speed float64
	Ahead time.Duration
}

// aheadFrom is how far ahead of real time a clock is before the banner says so.
const aheadFrom = time.Minute

// String returns the banner's text.
func (b Banner) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "\nmissiond is up. The console, where one click signs you in:\n\n  %s/console/\n\n", b.URL)
	for _, line := range [][2]string{
		{"Developers, once", b.Start}, {"API", b.URL + "/v1"}, {"API reference", b.URL + "/v1/docs"}, {"GraphQL", b.URL + "/graphql"},
		{"GraphiQL", b.URL + "/graphiql"}, {"Dashboard", b.URL + "/monitoring"},
		{"API key", b.APIKey}, {"Both, to source", filepath.Join(b.Folder, file)}, {"Clock", b.clock()},
	} {
		fmt.Fprintf(&text, "  %-16s %s\n", line[0], line[1])
	}
	fmt.Fprintf(&text, "\nStart a mission, in another shell:\n\n  %s\n", strings.ReplaceAll(b.Example(b.Folder), "\n", "\n  "))
	text.WriteString("\nIt returns at once, with the mission's id; GET /v1/missions/<id>/status follows its stages.\nCtrl-C stops missiond. The next start on the same folder continues where it stopped.\n\n")
	return text.String()
}

// clock describes the clock. A folder that a fast clock has used stays ahead of real
// time, whatever the speed of later runs: its clock never goes back.
func (b Banner) clock() string {
	switch {
	case b.Speed != 1:
		return fmt.Sprintf("%g times real time", b.Speed)
	case b.Ahead >= aheadFrom:
		return fmt.Sprintf("%s ahead of real time: an earlier run on this folder was faster", b.Ahead.Round(time.Minute))
	default:
		return "real time; --clock-speed 1440 makes a day a minute"
	}
}
