package missions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"missiond/internal/clock"
	"missiond/mission"
	"missiond/store"
)

// operatorBatch is how many records an operator's command reads at a time.
const operatorBatch = 100

// FailedJobs selects the jobs that RetryFailed runs again.
type FailedJobs struct {
	// Since is the earliest failure.
	Since time.Time
	// TenantID is a tenant's id, or "" for all tenants.
	TenantID string
	// DryRun only counts the jobs.
	DryRun bool
}

// Retries is what RetryFailed did.
type Retries struct {
	// Retried is how many jobs run again, or would.
	Retried int `json:"retried"`
	// Skipped is how many weren't retried, because their missions aren't active or
	// somebody else retried them meanwhile.
	Skipped int `json:"skipped"`
}

// RetryFailed runs failed jobs again, each in a transaction of its own, as RetryMission
// does. It may be repeated: a job that runs again isn't failed any more. Jobs that fail
// after the call began are left alone.
func (s *API) RetryFailed(ctx context.Context, f FailedJobs) (r Retries, err error) {
	until := s.clock.Now()
	for after := ""; ; {
		jobs, err := s.db.FailedJobs(ctx, f.TenantID, f.Since, until, after, operatorBatch)
		if err != nil {
			return r, err
		}
		for _, j := range jobs {
			after = j.ID
			err := s.retryJob(ctx, j, f.DryRun)
			switch mission.CodeOf(err) {
			case "":
				r.Retried++
			case mission.CodeConflict, mission.CodeNotFound:
				r.Skipped++
			default:
				return r, fmt.Errorf("retry the job %s: %w", j.ID, err)
			}
		}
		if len(jobs) < operatorBatch {
			return r, nil
		}
	}
}

// retryJob runs a failed job again, unless dry. Errors: conflict, not_found.
func (s *API) retryJob(ctx context.Context, found store.FailedJob, dry bool) error {
	return s.store.Tx(ctx, func(tx store.Tx) error {
		m, err := tx.LockMission(ctx, found.TenantID, found.MissionID)
		if err == nil {
			err = retryable(m)
		}
		if err != nil || dry {
			return err
		}
		j, err := tx.LockJob(ctx, found.TenantID, found.ID)
		if err != nil {
			return err
		}
		return s.rerun(ctx, tx, m, j, s.clock.Now())
	})
}

// publishingLimit is how long HoldPublishing waits for posts that are being published: a
// thread is published part by part, and a dead worker's lease lasts 15 s.
const publishingLimit = time.Minute

// HoldPublishing holds all posts, in all processes, until ReleasePublishing. When it
// returns, none is being published. Errors: also posts that are still being published
// after a minute; the hold is set nevertheless.
func (s *API) HoldPublishing(ctx context.Context, reason string) error {
	err := s.store.Tx(ctx, func(tx store.Tx) error {
		return tx.HoldPublishing(ctx, store.PublishingHold{Reason: reason, Since: s.clock.Now()})
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, publishingLimit)
	defer cancel()
	if left, err := s.awaitPosts(ctx, ""); err != nil {
		return fmt.Errorf("publishing is held, but %d posts are still being published: %w", left, err)
	}
	return nil
}

// awaitPosts waits until none of the posts of a tenant or, with "", of all is being published
// that are now. Whoever claims a post's task after the commit of a hold sees the hold. It returns
// how many posts are left when ctx ends. Errors: ctx's.
func (s *API) awaitPosts(ctx context.Context, tenantID string) (left int, err error) {
	before, err := s.db.RunningPosts(ctx, tenantID)
	for err == nil {
		var now map[string]int64
		now, err = s.db.RunningPosts(ctx, tenantID)
		left = 0
		for id, fence := range now {
			if before[id] == fence {
				left++
			}
		}
		if err == nil && left == 0 {
			return 0, nil
		}
		err = errors.Join(err, clock.Sleep(ctx, inFlightPoll))
	}
	return left, err
}

// ReleasePublishing ends the hold on all posts. Posts that wait are published within a
// minute, at their pace.
func (s *API) ReleasePublishing(ctx context.Context) error {
	return s.store.Tx(ctx, func(tx store.Tx) error { return tx.ReleasePublishing(ctx) })
}
