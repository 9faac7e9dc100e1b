// Package demo plays one mission in the terminal, from its brief to what was learned
// from its posts. It is a client of the service's public APIs.
package demo

import (
	"context"
	"io"
	"slices"
	"time"

	"missiond/internal/clock"
)

// pollEvery is how often the event log is read.
const pollEvery = 200 * time.Millisecond

// player prints what happens in one mission.
type player struct {
	Service
	printer
	mission string
	seen    map[string]bool // ids of events that are printed
	kpiLine string          // the last one that is printed
}

// Play creates a mission, and prints what becomes of it until it is completed.
// Errors: ctx's, and those of the requests.
func Play(ctx context.Context, out io.Writer, s Service) error {
	p := player{Service: s, printer: printer{out: out}, seen: map[string]bool{}}
	b := springLaunch
	p.printOpening(s, b)
	var err error
	if b.MediaIDs, err = s.illustrate(ctx); err != nil {
		return err
	}
	if p.mission, err = s.create(ctx, b); err != nil {
		return err
	}
	for {
		completed, err := p.poll(ctx)
		if err != nil {
			return err
		}
		if completed {
			return p.end(ctx)
		}
		if err := clock.Sleep(ctx, pollEvery); err != nil {
			return err
		}
	}
}

// poll prints the events since the last call, and reports whether the mission is
// completed.
func (p *player) poll(ctx context.Context) (completed bool, err error) {
	events, err := p.events(ctx, p.mission)
	for _, e := range slices.Backward(events) {
		if err == nil && !p.seen[e.ID] {
			p.seen[e.ID] = true
			completed = completed || e.Type == "mission.completed"
			err = p.show(ctx, e)
		}
	}
	return completed, err
}

// show prints an event.
func (p *player) show(ctx context.Context, e event) error {
	switch e.Type {
	case "content.created":
		written, err := p.post(ctx, e.Data.ContentID)
		if err == nil {
			p.printWritten(e.CreatedAt, written)
		}
		return err
	case "content.published":
		p.line(e.CreatedAt, "published", e.Data.PlatformURL)
		return p.showKPIs(ctx, e.CreatedAt)
	case "content.failed", "content.canceled", "content.expired":
		p.line(e.CreatedAt, e.Type[len("content."):], "a post for "+e.Data.Platform)
	case "analytics.kpi_achieved":
		p.line(e.CreatedAt, "KPI reached", progressText(progress{e.Data.Metric, e.Data.Target, &e.Data.Current}))
	case "pipeline.stage_completed":
		return p.showStage(ctx, e)
	}
	return nil
}

func (p *player) showStage(ctx context.Context, e event) error {
	if e.Data.Stage == "intake" {
		p.printDay(e.Data.Cycle, springLaunch.DurationDays)
	}
	p.line(e.CreatedAt, "stage", e.Data.Stage+" completed")
	switch e.Data.Stage {
	case "strategy":
		return p.showReasons(ctx, e)
	case "analytics":
		return p.showFigures(ctx, e)
	}
	return nil
}

// showReasons prints why the cycle's plan is what it is: from the second cycle on,
// what was learned.
func (p *player) showReasons(ctx context.Context, e event) error {
	reasons, err := p.reasons(ctx, p.mission, e.Data.Cycle)
	label := "learned"
	if e.Data.Cycle == 1 {
		label = "plan"
	}
	for _, reason := range reasons {
		p.line(e.CreatedAt, label, reason)
	}
	return err
}

// showFigures prints the figures of a job's posts, in the order of their slots.
func (p *player) showFigures(ctx context.Context, e event) error {
	posts, err := p.posts(ctx, p.mission)
	if err != nil {
		return err
	}
	slices.SortFunc(posts, func(a, b post) int { return a.ScheduledAt.Compare(b.ScheduledAt) })
	for _, each := range posts {
		if each.JobID == e.Data.JobID && each.Metrics != nil {
			p.line(e.CreatedAt, "measured", each.Platform+": "+figures(each.Metrics))
		}
	}
	return p.showKPIs(ctx, e.CreatedAt)
}

// showKPIs prints the KPIs if they have changed.
func (p *player) showKPIs(ctx context.Context, at time.Time) error {
	kpis, err := p.kpis(ctx, p.mission)
	if err != nil {
		return err
	}
	if text := kpiText(kpis); text != p.kpiLine {
		p.kpiLine = text
		p.line(at, "KPIs", text)
	}
	return nil
}

// end prints the result.
func (p *player) end(ctx context.Context) error {
	kpis, err := p.kpis(ctx, p.mission)
	if err != nil {
		return err
	}
	posts, err := p.posts(ctx, p.mission)
	if err != nil {
		return err
	}
	p.printResult(posts, kpis)
	return nil
}
