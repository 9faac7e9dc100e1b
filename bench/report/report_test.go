package report_test

import (
	"strings"
	"testing"
	"time"

	"missiond/bench/report"
)

func TestPercentile(t *testing.T) {
	var hundred []time.Duration
	for i := 100; i > 0; i-- {
		hundred = append(hundred, time.Duration(i))
	}
	for _, c := range []struct {
		durations []time.Duration
		share     float64
		want      time.Duration
	}{
		{nil, 0.5, 0},
		{[]time.Duration{7}, 0.5, 7},
		{[]time.Duration{7}, 0.99, 7},
		{[]time.Duration{3, 1, 2}, 0.5, 2},
		{[]time.Duration{2, 1}, 0.5, 1},
		{hundred, 0.5, 50},
		{hundred, 0.99, 99},
		{hundred, 1, 100},
		{hundred, 0, 1},
	} {
		if got := report.Percentile(c.durations, c.share); got != c.want {
			t.Errorf("of %d durations, %v is %d, want %d", len(c.durations), c.share, got, c.want)
		}
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		rounds []float64
		want   report.Spread
	}{
		{nil, report.Spread{}},
		{[]float64{2}, report.Spread{Median: 2, Least: 2, Most: 2}},
		{[]float64{3, 1, 2}, report.Spread{Median: 2, Least: 1, Most: 3}},
		{[]float64{4, 1, 2, 3}, report.Spread{Median: 2.5, Least: 1, Most: 4}},
		{report.Ratios([]float64{1, 2, 9}, []float64{2, 2, 0}), report.Spread{Median: 0.75, Least: 0.5, Most: 1}},
	} {
		if got := report.SpreadOf(c.rounds); got != c.want {
			t.Errorf("%v: got %v, want %v", c.rounds, got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	got := report.Table([]report.Row{
		{
			Case: "REST: list", Figure: "500/s", Limit: "1,000/s", Ratio: report.Spread{Median: 0.5, Least: 0.45, Most: 0.55},
			Target: report.AtLeast(0.5), P50: 1500 * time.Microsecond, P99: 12 * time.Millisecond,
			CPU: report.CPU{Process: time.Millisecond, Postgres: 2 * time.Millisecond},
		},
		{Case: "REST: read", Figure: "600/s", Limit: "1,000/s", Ratio: report.Spread{Median: 0.6, Least: 0.6, Most: 0.6}, Target: report.AtLeast(0.7)},
		{Case: "Memory: idle", Figure: "40 MiB", Against: 40, Target: report.AtMost(60, "MiB")},
		{Case: "Memory: busy", Figure: "61 MiB", Against: 61, Target: report.AtMost(60, "MiB")},
		{Case: "Memory: after", Figure: "41 MiB"},
	})
	want := strings.Join([]string{
		"| case | missiond | limit | ratio | target | met | p50 | p99 | CPU + Postgres |",
		"| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
		"| REST: list | 500/s | 1,000/s | 0.50 (0.45 to 0.55) | ≥ 0.50 | yes | 1.50 ms | 12 ms | 1.00 ms + 2.00 ms |",
		"| REST: read | 600/s | 1,000/s | 0.60 | ≥ 0.70 | no |  |  |  |",
		"| Memory: idle | 40 MiB |  |  | ≤ 60 MiB | yes |  |  |  |",
		"| Memory: busy | 61 MiB |  |  | ≤ 60 MiB | no |  |  |  |",
		"| Memory: after | 41 MiB |  |  |  |  |  |  |  |",
		"",
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
