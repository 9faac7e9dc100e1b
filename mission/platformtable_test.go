package mission

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

var updateTable = flag.Bool("update", false, "write the table of platforms into the documentation")

// tableFile has the table of platforms between two marks.
const (
	tableFile  = "../docs/integrations.md"
	tableBegin = "<!-- platforms: written from mission/platforms.go -->\n"
	tableEnd   = "<!-- end -->\n"
)

// The documentation says of each platform what the table does.
func TestPlatformTable(t *testing.T) {
	page, err := os.ReadFile(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), tableBegin)
	_, after, also := strings.Cut(rest, tableEnd)
	if !ok || !also {
		t.Fatalf("%s has no marks for the table", tableFile)
	}
	want := before + tableBegin + platformTable() + tableEnd + after
	if *updateTable {
		if err := os.WriteFile(tableFile, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if string(page) != want && !*updateTable {
		t.Errorf("the table of %s isn't that of mission/platforms.go: write it with -update", tableFile)
	}
}

// Each platform with an adapter says what that was tested against, of which day its limits are, and how
// unknown outcomes are found out; no other claims anything.
func TestProofs(t *testing.T) {
	for _, c := range AllCapabilities() {
		adapter := len(c.Connect) > 0
		if adapter != (len(c.Proofs) > 0) || adapter != (len(c.ConnectFields) > 0) || adapter != (c.Lookup.Kind != "") || adapter && c.LimitsAsOf == "" {
			t.Errorf("%s: connected by %v with %d fields, %d proofs, lookup %q, limits of %q", c.Platform, c.Connect, len(c.ConnectFields), len(c.Proofs), c.Lookup.Kind, c.LimitsAsOf)
		}
		for _, p := range c.Proofs {
			if _, err := time.Parse(time.DateOnly, p.On); err != nil || p.What == "" || !slices.Contains(AllProofKinds(), p.Against) {
				t.Errorf("%s: %+v", c.Platform, p)
			}
		}
		for _, f := range c.ConnectFields {
			if _, ok := (ConnectInput{}).fields()[f.Name]; !ok || f.Auth != "" && !slices.Contains(c.Connect, f.Auth) {
				t.Errorf("%s: the field %+v", c.Platform, f)
			}
		}
	}
}

func platformTable() string {
	var b strings.Builder
	b.WriteString("| platform | connected by | threads | figures | how an unknown outcome is found out | tested against | limits of |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, c := range AllCapabilities() {
		if len(c.Connect) == 0 {
			continue
		}
		threads := "no"
		if c.Threads() {
			threads = "yes"
		}
		lookup := string(c.Lookup.Kind)
		if c.PageLookup != nil {
			lookup += fmt.Sprintf("; pages: %s", c.PageLookup.Kind)
		}
		var proofs []string
		for _, p := range c.Proofs {
			proofs = append(proofs, fmt.Sprintf("%s: %s (%s)", p.Against, p.What, p.On))
		}
		fmt.Fprintf(
			&b, "| %s (`%s`) | %s | %s | %s | %s | %s | %s |\n", c.Name, c.Platform, words(c.Connect), threads, words(c.Metrics), lookup,
			strings.Join(proofs, "; "), c.LimitsAsOf,
		)
	}
	return b.String()
}

// words lists values with spaces instead of underscores; "none" if there are none.
func words[T ~string](values []T) string {
	if len(values) == 0 {
		return "none"
	}
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = strings.ReplaceAll(string(v), "_", " ")
	}
	return strings.Join(all, ", ")
}
