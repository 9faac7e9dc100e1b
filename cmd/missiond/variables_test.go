package main

import (
	"bytes"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// Variables that stand for no flag of any command are named, with the one that was meant,
// and never with their values.
func TestVariables(t *testing.T) {
	var c cli
	k, err := kong.New(&c, kong.DefaultEnvars("MISSIOND"))
	if err != nil {
		t.Fatal(err)
	}
	for entry, want := range map[string]string{
		"MISSIOND_DATABSE_URL=postgres://secret":                    "name=MISSIOND_DATABSE_URL similar=MISSIOND_DATABASE_URL",
		"MISSIOND_SECRETS_KEYS=secret":                              "name=MISSIOND_SECRETS_KEYS similar=MISSIOND_SECRET_KEYS",
		"MISSIOND_WHATEVER=secret":                                  "name=MISSIOND_WHATEVER\n",
		"MISSIOND_DATABASE_URL=postgres://secret":                   "",
		"MISSIOND_SANDBOX=true":                                     "", // another command's
		"MISSIOND_LOG_LEVEL=info":                                   "",
		"MISSIOND_API_KEY=secret":                                   "",
		"MISSIOND_SERVICE_HOST=10.0.0.1":                            "",
		"MISSIOND_WORKER_SERVICE_PORT_HTTP=80":                      "",
		"MISSIOND_PORT_8080_TCP_ADDR=10.0.0.1":                      "",
		"MISSION_DATABASE_URL=not our prefix, for all that we know": "",
	} {
		var log bytes.Buffer
		warnOfVariables(k.Model, []string{entry}, slog.New(slog.NewTextHandler(&log, nil)))
		if got := log.String(); (got != "") != (want != "") || !strings.Contains(got, want) || strings.Contains(got, "secret\n") || strings.Contains(got, "//secret") {
			t.Errorf("%s: logged %q, want %q", entry, got, want)
		}
	}
}

// What a file that was read into a variable left at its end is taken away.
func TestTrimVariables(t *testing.T) {
	t.Setenv("MISSIOND_DATABASE_URL", "postgres://host/name\r\n")
	t.Setenv("OTHER", "kept\n")
	if err := trimVariables(); err != nil {
		t.Fatal(err)
	}
	if got := os.Getenv("MISSIOND_DATABASE_URL"); got != "postgres://host/name" {
		t.Errorf("got %q", got)
	}
	if os.Getenv("OTHER") != "kept\n" {
		t.Error("another program's variable was changed")
	}
}
