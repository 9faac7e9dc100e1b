package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5"

	"missiond/bench/limit"
	"missiond/bench/load"
	"missiond/bench/report"
	"missiond/mission"
)

// pipelinesEach are how many pipelines a round runs.
const pipelinesEach = 600

// pipelines are whole pipelines: six stages, the built-in writer, a post on
// the sandbox platform.
func (b *bench) pipelines(ctx context.Context) ([]report.Row, error) {
	api, byHand, err := b.pair(ctx)
	if err != nil {
		return nil, err
	}
	bare, err := b.openBare(ctx)
	if err != nil {
		return nil, err
	}
	defer bare.close()
	r, err := b.inTurns("Pipelines: six stages, a post", report.AtLeast(0.22),
		func() (float64, error) { return b.pipelineRound(ctx, api) },
		func() (float64, error) { return b.bareRound(ctx, bare, byHand) })
	return []report.Row{r}, err
}

// pipelineRound makes missions while no worker runs, and returns how many of
// their pipelines one runs in a second, from the first stage to the last.
func (b *bench) pipelineRound(ctx context.Context, api *process) (float64, error) {
	n := b.scaled(pipelinesEach)
	for i := range n {
		if err := post(ctx, api, b.runners[i%len(b.runners)], startedNow); err != nil {
			return 0, err
		}
	}
	worker, err := b.work(ctx)
	if err != nil {
		return 0, err
	}
	defer worker.Stop()
	if err := b.jobsDone(ctx, n); err != nil {
		return 0, err
	}
	var seconds float64
	err = b.db.QueryRow(ctx, `SELECT extract(epoch FROM max(j.completed_at) - min(s.started_at)) FROM jobs j JOIN stages s ON s.job_id = j.id
		WHERE j.tenant_id = ANY($1)`, idsOf(b.runners)).Scan(&seconds)
	if err != nil {
		return 0, err
	}
	worker.Stop()
	return float64(n) / seconds, b.cleanTenants(ctx, b.runners)
}

// bareRound does the same with one batch a stage.
func (b *bench) bareRound(ctx context.Context, a *bare, byHand *process) (float64, error) {
	made := map[string]limit.Pipeline{}
	n := b.scaled(pipelinesEach)
	for i := range n {
		t := b.runners[i%len(b.runners)]
		body := strings.Replace(startedNow, `"duration_days"`, `"kpis":[{"metric":"likes","target":1}],"duration_days"`, 1)
		answer, err := ask(ctx, byHand.Addr, load.Request("POST", byHand.Addr, "/v1/missions?tenant="+t.ID, body))
		if err != nil {
			return 0, err
		}
		var p limit.Pipeline
		if err := json.Unmarshal(answer, &p); err != nil {
			return 0, err
		}
		p.TenantID = t.ID
		made[p.JobID] = p
	}
	// The ledger has no part in it.
	if _, err := b.db.Exec(ctx, "DELETE FROM tasks WHERE tenant_id = ANY($1)", idsOf(b.runners)); err != nil {
		return 0, err
	}
	enqueue := func() error {
		for id := range made {
			if err := a.stage(ctx, id, mission.StageIntake); err != nil {
				return err
			}
		}
		return nil
	}
	rate, err := a.run(ctx, n, enqueue, func(ctx context.Context, t *asynq.Task) (bool, error) {
		stage := mission.StageName(t.Type())
		batch := &pgx.Batch{}
		made[string(t.Payload())].Queue(batch, stage)
		if err := a.batch(ctx, batch); err != nil {
			return false, fmt.Errorf("%s: %w", stage, err)
		}
		next, ok := stage.Next()
		if !ok {
			return true, nil
		}
		return false, a.stage(ctx, string(t.Payload()), next)
	})
	if err != nil {
		return 0, err
	}
	return rate, b.cleanTenants(ctx, b.runners)
}

// stage has a stage of a job run.
func (a *bare) stage(ctx context.Context, jobID string, s mission.StageName) error {
	_, err := a.client.EnqueueContext(ctx, asynq.NewTask(string(s), []byte(jobID)), asynq.MaxRetry(0))
	return err
}
