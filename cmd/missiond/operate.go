package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"missiond/internal/service/missions"
	"missiond/mission"
	"missiond/store"
)

type ledgerCommand struct {
	Status ledgerStatus `cmd:"" help:"Print how many tasks of each type wait, are due, run and are parked, how long the oldest has been due, and what is held."`
}

type ledgerStatus struct {
	databaseCommand
	JSON bool `name:"json" help:"Print JSON instead of a table."`
}

// ledgerReport is what missiond ledger status prints as JSON.
type ledgerReport struct {
	Tasks []ledgerTask `json:"tasks"`
	// PublishingHeld is the hold on all posts; null if there is none.
	PublishingHeld *store.PublishingHold `json:"publishing_held"`
	// PausedBy is how many tenants' calls each platform has paused.
	PausedBy map[mission.Platform]int `json:"paused_by_platforms"`
}

type ledgerTask struct {
	store.LedgerLine
	// OldestDueSeconds is how long the oldest due task has been due; 0 if none is.
	OldestDueSeconds float64 `json:"oldest_due_seconds"`
}

// Run is missiond ledger status.
func (c ledgerStatus) Run(ctx context.Context) error {
	return c.with(ctx, func(db *store.DB) error {
		at, err := commandClock(ctx, db)
		if err != nil {
			return err
		}
		r, err := readLedger(ctx, db, at.Now())
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(r)
		}
		return r.print()
	})
}

func readLedger(ctx context.Context, db *store.DB, now time.Time) (r ledgerReport, err error) {
	lines, err := db.LedgerStatus(ctx, now)
	if err != nil {
		return r, err
	}
	r.Tasks = make([]ledgerTask, len(lines))
	for i, l := range lines {
		r.Tasks[i] = ledgerTask{LedgerLine: l}
		if l.OldestDue != nil {
			r.Tasks[i].OldestDueSeconds = now.Sub(*l.OldestDue).Seconds()
		}
	}
	if r.PublishingHeld, err = db.PublishingHold(ctx); err != nil {
		return r, err
	}
	r.PausedBy, err = db.PlatformPauses(ctx, now)
	return r, err
}

func (r ledgerReport) print() error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "TYPE\tWAITING\tDUE\tRUNNING\tPARKED\tOLDEST DUE")
	for _, t := range r.Tasks {
		age := time.Duration(t.OldestDueSeconds * float64(time.Second)).Round(time.Second)
		_, _ = fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%s\n", t.Type, t.Waiting, t.Due, t.Running, t.Parked, age)
	}
	if h := r.PublishingHeld; h != nil {
		_, _ = fmt.Fprintf(w, "\nPUBLISHING IS HELD since %s: %s\n", h.Since.Format(time.RFC3339), h.Reason)
	}
	for platform, tenants := range r.PausedBy {
		_, _ = fmt.Fprintf(w, "%s has paused the calls of %d tenants\n", platform, tenants)
	}
	return w.Flush()
}

type jobsCommand struct {
	Retry jobsRetry `cmd:"" help:"Run failed jobs again, from the stages that failed."`
}

type jobsRetry struct {
	databaseCommand
	FailedSince string `help:"Retry the jobs that failed since then: a duration before now, such as 2h, or a time, such as 2026-11-22T08:00:00Z." required:""`
	Tenant      string `help:"Retry only this tenant's jobs, tnt_…"`
	DryRun      bool   `help:"Only count them."`
}

// Run is missiond jobs retry.
func (c jobsRetry) Run(ctx context.Context) error {
	return c.operate(ctx, func(api *missions.API, now time.Time) error {
		since, err := momentBefore(now, c.FailedSince)
		if err != nil {
			return fmt.Errorf("--failed-since: %w", err)
		}
		r, err := api.RetryFailed(ctx, missions.FailedJobs{Since: since, TenantID: c.Tenant, DryRun: c.DryRun})
		return errors.Join(printJSON(r), err)
	})
}

// operate calls fn with the operations on missions on the flags' database, and the time.
func (c databaseCommand) operate(ctx context.Context, fn func(api *missions.API, now time.Time) error) error {
	return c.with(ctx, func(db *store.DB) error {
		at, err := commandClock(ctx, db)
		if err != nil {
			return err
		}
		return fn(partsOn(db, at, nil).Missions, at.Now())
	})
}

// momentBefore reads a duration before now, or a time.
func momentBefore(now time.Time, text string) (time.Time, error) {
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, errors.New("must be a duration such as 2h, or a time such as 2026-11-22T08:00:00Z")
	}
	return mission.Millis(t), nil
}

type publishingCommand struct {
	Hold      publishingHold      `cmd:"" help:"Hold all posts in all processes: they wait, without using an attempt, until they are released. Webhooks go on."`
	Release   publishingRelease   `cmd:"" help:"Release the posts that are held."`
	Reconcile publishingReconcile `cmd:"" help:"On a restored database with publishing held: have posts that may have been published since the backup looked up before they are sent."`
}

type publishingHold struct {
	databaseCommand
	Reason string `help:"Why, for the other operators." default:"held by an operator"`
}

// Run is missiond publishing hold. When it returns, no post is being published.
func (c publishingHold) Run(ctx context.Context) error {
	return c.operate(ctx, func(api *missions.API, _ time.Time) error { return api.HoldPublishing(ctx, c.Reason) })
}

type publishingRelease struct{ databaseCommand }

// Run is missiond publishing release.
func (c publishingRelease) Run(ctx context.Context) error {
	return c.operate(ctx, func(api *missions.API, _ time.Time) error { return api.ReleasePublishing(ctx) })
}

type publishingReconcile struct {
	databaseCommand
	Since string `help:"When the backup began: a time, such as 2026-11-22T08:00:00Z, or a duration before now, such as 2h." required:""`
}

// Run is missiond publishing reconcile: a JSON object for each post that needs a person,
// and the numbers of the others at the end.
func (c publishingReconcile) Run(ctx context.Context) error {
	return c.operate(ctx, func(api *missions.API, now time.Time) error {
		since, err := momentBefore(now, c.Since)
		if err != nil {
			return fmt.Errorf("--since: %w", err)
		}
		r, err := api.Reconcile(ctx, since)
		if err != nil && r.LookedUp+r.Sandbox+len(r.Failed)+len(r.InReview) == 0 {
			return err // nothing was done
		}
		for _, part := range []struct {
			todo  string
			posts []mission.Content
		}{
			{"failed: look whether the platform has it", r.Failed},
			{"in review: look whether the platform has it before you approve it", r.InReview},
		} {
			for _, p := range part.posts {
				err = errors.Join(err, printJSON(map[string]string{
					"content_id": p.ID, "tenant_id": p.TenantID, "mission_id": p.MissionID, "platform": string(p.Platform),
					"slot": p.ScheduledAt.Format(time.RFC3339), "todo": part.todo,
				}))
			}
		}
		return errors.Join(err, printJSON(map[string]int{
			"looked_up": r.LookedUp, "sandbox": r.Sandbox, "failed": len(r.Failed), "in_review": len(r.InReview),
		}))
	})
}
