package charttest

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// command is what a command of missiond takes.
type command struct {
	flags     map[string]bool // without dashes
	variables map[string]bool
}

var (
	flagLine = regexp.MustCompile(`(?m)^ {2,6}(?:-\w, )?--([a-z0-9-]+)`)
	variable = regexp.MustCompile(`\$([A-Z0-9_]+)`)
	// secret matches the variables whose values nobody should see.
	secret = regexp.MustCompile(`_(ACCESS_KEY_ID|PASSWORD|SECRET|KEYS?|TOKEN|DATABASE_URL|DATABASE_READ_URL|REDIS_URL|SMTP_URL|HEADERS)$`)
)

// program builds missiond, once, and returns its path.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(folder, "missiond")
	out, err := exec.Command("go", "-C", "../..", "build", "-ldflags=-s -w", "-o", path, "./cmd/missiond").CombinedOutput()
	if err != nil {
		return string(out), err
	}
	return path, nil
})

// asked are the commands that help has returned.
var asked = map[string]command{}

// help returns what a command takes, as it says itself.
func help(t *testing.T, words ...string) command {
	t.Helper()
	if c, ok := asked[strings.Join(words, " ")]; ok {
		return c
	}
	path, err := program()
	if err != nil {
		t.Fatalf("build missiond: %v\n%s", err, path)
	}
	out, err := exec.CommandContext(t.Context(), path, append(words, "--help")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	c := command{flags: map[string]bool{}, variables: map[string]bool{}}
	for _, m := range flagLine.FindAllStringSubmatch(string(out), -1) {
		c.flags[m[1]] = true
	}
	for _, m := range variable.FindAllStringSubmatch(string(out), -1) {
		c.variables[m[1]] = true
	}
	if !c.flags["help"] || !c.variables["MISSIOND_LOG_LEVEL"] {
		t.Fatalf("the help of %v isn't understood:\n%s", words, out)
	}
	asked[strings.Join(words, " ")] = c
	return c
}

// split returns the words of a command and its flags, with their values.
func split(args []string) (words []string, flags map[string]string) {
	flags = map[string]string{}
	for _, arg := range args {
		if name, ok := strings.CutPrefix(arg, "--"); ok {
			name, value, _ := strings.Cut(name, "=")
			flags[name] = value
			continue
		}
		words = append(words, arg)
	}
	return words, flags
}
