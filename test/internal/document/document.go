// Package document reads the examples of the documentation, which tests run.
package document

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// Example is a fenced block of a document, in a language.
type Example struct {
	Place    string // the document and the line
	Language string
	Skip     bool // marked with no-run, behind the language
	Text     string
}

// Examples returns a document's fenced blocks of commands, requests and responses; the
// others are pictures and code.
func Examples(t *testing.T, path string) (list []Example) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var e *Example
	for i, line := range strings.Split(string(text), "\n") {
		info, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && e == nil:
			language, marks, _ := strings.Cut(info, " ")
			e = &Example{Place: fmt.Sprintf("%s:%d", path, i+1), Language: language, Skip: marks == "no-run"}
		case fence:
			if slices.Contains([]string{"sh", "console", "graphql", "json"}, e.Language) {
				list = append(list, *e)
			}
			e = nil
		case e != nil:
			e.Text += line + "\n"
		}
	}
	return list
}

// Command is a command of a transcript, and what it prints.
type Command struct{ Text, Output string }

// Commands splits a transcript: a command begins with "$ " and continues on lines that
// are indented by four.
func (e Example) Commands() (list []Command) {
	for _, line := range strings.Split(e.Text, "\n") {
		begun, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case isCommand:
			list = append(list, Command{Text: begun})
		case strings.HasPrefix(line, "    ") && list[len(list)-1].Output == "":
			list[len(list)-1].Text += "\n" + line
		case line != "":
			list[len(list)-1].Output += line + "\n"
		}
	}
	return list
}
