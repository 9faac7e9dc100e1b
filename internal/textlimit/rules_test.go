package textlimit

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/idna"

	"missiond/internal/links"
)

// rulesFile has what the console's rules take from the service's.
const rulesFile = "../../web/console/src/text/rules.json"

// TestRules keeps the console's list of top-level domains, and its emoji, equal to the
// service's.
func TestRules(t *testing.T) {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/net").Output()
	if err != nil {
		t.Fatal(err)
	}
	// Its test has the rules of the Public Suffix List one by one.
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(module)), "publicsuffix", "table_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var tlds []string
	for _, rule := range regexp.MustCompile(`(?m)^\s+"(?:\*\.)?([^".!]+)",$`).FindAllStringSubmatch(string(source), -1) {
		if !links.IsTLD(rule[1]) {
			continue
		}
		tlds = append(tlds, rule[1])
		if shown, err := idna.Punycode.ToUnicode(rule[1]); err == nil && shown != rule[1] {
			tlds = append(tlds, shown)
		}
	}
	slices.Sort(tlds)
	tlds = slices.Compact(tlds)
	if len(tlds) < 1400 {
		t.Errorf("there are only %d top-level domains", len(tlds))
	}
	want, err := json.MarshalIndent(map[string]string{"tlds": strings.Join(tlds, " "), "emoji": known}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile(rulesFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(rulesFile); err != nil || string(got) != string(want) {
		t.Errorf("%s differs (%v); go test ./internal/textlimit -run TestRules -update writes it", rulesFile, err)
	}
}
