package own

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"missiond/internal/outbound"
	"missiond/internal/seal"
	"missiond/internal/writer/llm/llmtest"
	"missiond/mission"
)

const key = "sk-own-0123456789"

// opening returns writers, and one tenant's at an address.
func opening(t *testing.T, rules outbound.Rules, log *slog.Logger, address string) (*Writers, mission.TenantWriter) {
	t.Helper()
	ring, err := seal.Parse(seal.NewKey())
	if err != nil {
		t.Fatal(err)
	}
	writers := New(ring, rules, log)
	t.Cleanup(writers.Close)
	w := mission.TenantWriter{TenantID: "tnt_1", URL: address, Model: "m"}
	w.Sealed = ring.Seal(w.SecretName(), []byte(key))
	return writers, w
}

func post() mission.Assignment {
	j := mission.Job{ID: "job_1", Brief: mission.Brief{MissionName: "x", Objectives: []string{"Sell seeds"}}}
	return mission.NewAssignment(j, mission.Slot{Platform: mission.Bluesky, Format: mission.FormatPost, Objective: "Sell seeds"})
}

// Whatever a tenant's endpoint responds that a retry doesn't change, the posts wait for the tenant
// to change something; the words have neither the key nor what the endpoint said, and nor has the log.
func TestRejected(t *testing.T) {
	for name, act := range map[string]llmtest.Act{
		"a wrong key": llmtest.Status(http.StatusUnauthorized, `{"error":"`+key+`"}`), "no rights": llmtest.Status(http.StatusForbidden, key),
		"no such model": llmtest.Status(http.StatusNotFound, key), "a page": llmtest.Raw("<html>" + key), "huge": llmtest.Huge,
		"elsewhere": llmtest.Status(http.StatusTemporaryRedirect, "", "Location", "http://169.254.169.254/"),
	} {
		t.Run(name, func(t *testing.T) {
			stub := llmtest.New(t, func(llmtest.Request) llmtest.Act { return act })
			var log strings.Builder
			writers, w := opening(t, outbound.Rules{Local: true}, slog.New(slog.NewTextHandler(&log, nil)), stub.URL)
			opened, err := writers.Open(w)
			if err != nil {
				t.Fatal(err)
			}
			_, err = opened.Write(t.Context(), post())
			var outage *mission.OutageError
			if !errors.As(err, &outage) || outage.Failure.Code != mission.CodeWriterRejected {
				t.Fatalf("got %v", err)
			}
			if shown := outage.Failure.Message + err.Error() + log.String(); strings.Contains(shown, key) || log.Len() > 0 && !strings.Contains(log.String(), "tnt_1") {
				t.Errorf("the key is shown, or the log doesn't name the tenant: %s", shown)
			}
		})
	}
}

// A tenant's endpoint is at a public address, whatever was allowed when it was set.
func TestGuarded(t *testing.T) {
	stub := llmtest.New(t, func(llmtest.Request) llmtest.Act { return llmtest.Writes("Seeds for small gardens.") })
	writers, w := opening(t, outbound.Rules{}, slog.New(slog.DiscardHandler), stub.URL)
	opened, err := writers.Open(w)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond) // of which the waits between tries are most
	defer cancel()
	if _, err := opened.Write(ctx, post()); err == nil || len(stub.Seen()) != 0 {
		t.Errorf("got %v, after %d calls", err, len(stub.Seen()))
	}
}

// What is open is kept until a setting changes, and never grows beyond its bound.
func TestOpen(t *testing.T) {
	writers, w := opening(t, outbound.Rules{Local: true}, slog.New(slog.DiscardHandler), "http://127.0.0.1:1/v1")
	first, err := writers.Open(w)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := writers.Open(w); again != first {
		t.Error("the same settings are opened twice")
	}
	w.Prices.Input++
	if other, _ := writers.Open(w); other == first {
		t.Error("other settings are the same writer")
	}
	w.Sealed = ""
	for i := range maxOpen + 10 {
		w.Prices.Input = mission.Micros(i)
		if _, err := writers.Open(w); err != nil {
			t.Fatal(err)
		}
	}
	if len(writers.open) != maxOpen {
		t.Errorf("%d writers are open", len(writers.open))
	}
	w.TenantID, w.Sealed = "tnt_2", "v1.unknown.x"
	if _, err := writers.Open(w); err == nil {
		t.Error("a key that another secret sealed is opened")
	}
}
