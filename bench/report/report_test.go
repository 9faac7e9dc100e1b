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
			Section: "REST", Case: "list", Figure: "500/s", Limit: "1,000/s", Ratio: report.Spread{Median: 0.5, Least: 0.45, Most: 0.55},
			Target: report.AtLeast(0.5), P50: 1500 * time.Microsecond, P99: 12 * time.Millisecond,
		},
		{Section: "REST", Case: "read", Figure: "600/s", Limit: "1,000/s", Ratio: report.Spread{Median: 0.6, Least: 0.6, Most: 0.6}, Target: report.AtLeast(0.7)},
		{Section: "Memory", Case: "idle", Figure: "40 MiB", Against: 40, Target: report.AtMost(60, "MiB")},
	})
	want := strings.Join([]string{
		"| case       | missiond | limit   | ratio               | target   | met | p50     | p99   |",
		"| ---------- | -------- | ------- | ------------------- | -------- | --- | ------- | ----- |",
		"| **REST**   |          |         |                     |          |     |         |       |",
		"| list       | 500/s    | 1,000/s | 0.50 (0.45 to 0.55) | ≥ 0.50   | yes | 1.50 ms | 12 ms |",
		"| read       | 600/s    | 1,000/s | 0.60                | ≥ 0.70   | no  |         |       |",
		"| **Memory** |          |         |                     |          |     |         |       |",
		"| idle       | 40 MiB   |         |                     | ≤ 60 MiB | yes |         |       |",
		"",
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSummary(t *testing.T) {
	got := report.Summary([]report.Row{
		{
			Section: "REST", Case: "list", Figure: "500/s", Limit: "1,000/s", Ratio: report.Spread{Median: 0.5, Least: 0.45, Most: 0.55},
			Target: report.AtLeast(0.5), P50: 1500 * time.Microsecond, P99: 12 * time.Millisecond, PeakMiB: 100, Statements: 1.3,
			CPU: report.CPU{Process: time.Millisecond, Postgres: 2 * time.Millisecond},
		},
		{Section: "Growth", Case: "end", Detail: true, Against: 1.4, Target: report.AtMost(1.3, "× the first page")},
		{Section: "Growth", Case: "middle", Detail: true, Against: 1.2, Target: report.AtMost(1.3, "× the first page")},
	})
	want := strings.Join([]string{
		"| case | missiond | limit | ratio | target | met | p50 | p99 | CPU + Postgres |",
		"| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
		"| REST: list | 500/s | 1,000/s | 0.50 (0.45 to 0.55) | ≥ 0.50 | yes | 1.50 ms | 12 ms | 1.00 ms + 2.00 ms |",
		"",
		"2 more rows are only printed; targets missed among them: 1.",
		"",
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestBetween(t *testing.T) {
	const document = "before\n<!-- a -->\nold\n<!-- b -->\nafter\n"
	got, err := report.Between(document, "<!-- a -->", "<!-- b -->", "new\n")
	if want := "before\n<!-- a -->\nnew\n<!-- b -->\nafter\n"; err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if _, err := report.Between("nothing", "<!-- a -->", "<!-- b -->", ""); err == nil {
		t.Error("a document without markers is taken")
	}
}
