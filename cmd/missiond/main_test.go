package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// The table of commands in docs/install.md has each command, and no other.
func TestCommandsAreDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{} // by the command's name
	for _, row := range regexp.MustCompile("(?m)^\\| `missiond ([a-z]+)[^|]*\\|").FindAllStringSubmatch(string(text), -1) {
		rows[row[1]] = row[0]
	}
	k, err := kong.New(&cli{})
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range k.Model.Children {
		row := rows[command.Name]
		delete(rows, command.Name)
		if (row != "") == command.Hidden {
			t.Errorf("%s: its row is %q", command.Name, row)
		}
		for _, sub := range command.Children {
			if !strings.Contains(row, " "+sub.Name+"`") && !strings.Contains(row, "`"+sub.Name+"`") {
				t.Errorf("%s %s isn't in %q", command.Name, sub.Name, row)
			}
		}
	}
	if len(rows) > 0 {
		t.Errorf("these aren't commands: %v", rows)
	}
}
