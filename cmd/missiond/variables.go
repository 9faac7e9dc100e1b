package main

import (
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/alecthomas/kong"
)

// variablePrefix begins the variables that stand for flags.
const variablePrefix = "MISSIOND_"

// trimVariables takes the line break from the end of values, which a file that was read
// into a variable has left there: no flag's value ends with one.
func trimVariables() error {
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		if trimmed := strings.TrimRight(value, "\r\n"); strings.HasPrefix(name, variablePrefix) && trimmed != value {
			if err := os.Setenv(name, trimmed); err != nil {
				return err
			}
		}
	}
	return nil
}

// foreignVariables are those that others name like this: dev.env's, which are for
// clients, the tests', and what Kubernetes sets for a service whose name begins with
// missiond.
var foreignVariables = regexp.MustCompile(`^MISSIOND_(URL|API_KEY|IMAGE|TEST_.*|DRILL_.*|(.*_)?SERVICE_HOST|(.*_)?SERVICE_PORT(_.*)?|(.*_)?PORT(_[0-9]+_(TCP|UDP|SCTP)(_.*)?)?)$`)

// warnOfVariables logs the names of variables that stand for no flag, which are misspelt
// perhaps, with the one that was meant perhaps.
func warnOfVariables(model *kong.Application, environ []string, log *slog.Logger) {
	known := flagVariables(model.Node)
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, variablePrefix) || slices.Contains(known, name) || foreignVariables.MatchString(name) {
			continue
		}
		if near := nearest(name, known); near != "" {
			log.Warn("this environment variable means nothing", "name", name, "similar", near)
		} else {
			log.Warn("this environment variable means nothing", "name", name)
		}
	}
}

// flagVariables returns the variables of the flags of a command and of those below it.
func flagVariables(node *kong.Node) []string {
	var names []string
	for _, f := range node.Flags {
		names = append(names, f.Envs...)
	}
	for _, child := range node.Children {
		names = append(names, flagVariables(child)...)
	}
	return names
}

// nearest returns the name from which a few typing mistakes lead to name; "" if there is
// none.
func nearest(name string, known []string) string {
	const most = 3
	best, distance := "", most+1
	for _, k := range known {
		if d := levenshtein.ComputeDistance(name, k); d < distance {
			best, distance = k, d
		}
	}
	return best
}
