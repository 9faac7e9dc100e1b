package rest

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
	"time"

	"missiond/internal/testkit/await"
	"missiond/mission"
)

// A client that reads nothing is cut off, however little is left to read.
func TestPiecesAreTakenInTime(t *testing.T) {
	t.Parallel()
	failed := make(chan error, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		out := &pieces{w: w, control: http.NewResponseController(w), limit: 50 * time.Millisecond}
		for {
			if _, err := out.Write(make([]byte, pieceBytes)); err != nil {
				failed <- err
				return
			}
		}
	}))
	t.Cleanup(server.Close)
	resp, err := server.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	select {
	case err := <-failed:
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("it ends with %v", err)
		}
	case <-time.After(await.Long()):
		t.Error("it is waited for")
	}
}

// A spreadsheet's columns are the JSON form's fields, and end with all metrics.
func TestExportHead(t *testing.T) {
	metrics := mission.Metrics{}
	var names []string
	for i, m := range mission.AllMetrics() {
		names, metrics[m] = append(names, string(m)), float64(i+1)
	}
	if got := exportHead[len(exportHead)-len(names):]; !slices.Equal(got, names) {
		t.Errorf("the columns end with %v, want %v", got, names)
	}
	record := newExportedRow(mission.Content{}, mission.Measurement{Metrics: metrics}, true).record()
	if got := record[len(record)-len(names):]; len(record) != len(exportHead) || !slices.Equal(got, []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}) {
		t.Errorf("the record is %v", record)
	}
}
