package program

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"missiond/test/internal/missiond"
)

// missiond simulate reports the gains of learning, as text and as JSON, and plots
// them.
func TestSimulate(t *testing.T) {
	t.Parallel()
	plot := filepath.Join(t.TempDir(), "plot.svg")
	args := []string{"simulate", "--days", "20", "--seeds", "4", "--posts-per-day", "3", "--platforms", "twitter,mastodon", "--kpi", "likes"}
	var report struct {
		Options struct{ Platforms []string }
		Seeds   []struct{ Gain map[string]float64 }
		Overall map[string]struct{ Mean, Min, Max float64 }
		Periods []struct{ From, To int }
	}
	if err := json.Unmarshal([]byte(missiond.Output(t, append(args, "--json", "--svg", plot)...)), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Options.Platforms) != 2 || len(report.Seeds) != 4 || len(report.Periods) != 2 || report.Overall["engagements_per_post"].Mean <= 0 {
		t.Errorf("got the report %+v", report)
	}
	if text := missiond.Output(t, args...); !strings.Contains(text, "60 posts in 20 days on twitter, mastodon, for likes, before 4 audiences") {
		t.Errorf("got the output\n%s", text)
	}
	if text, err := os.ReadFile(plot); err != nil || !strings.HasPrefix(string(text), "<svg ") {
		t.Errorf("got a plot that begins with %.20q, %v", text, err)
	}
}
