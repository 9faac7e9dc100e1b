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
	tenants := b.kept.Runners
	api, byHand, err := b.pair(ctx)
	if err != nil {
		return nil, err
	}
	bare, err := b.openBare(ctx)
	if err != nil {
		return nil, err
	}
	defer bare.close()
	most := 0.0
	ours, limits, err := b.inTurns(func() (float64, error) {
		rate, peak, err := b.pipelineRound(ctx, api, tenants)
		most = max(most, peak)
		return rate, err
	}, func() (float64, error) { return b.bareRound(ctx, bare, byHand, tenants) })
	if err != nil {
		return nil, err
	}
	ours.peak = most
	ours.statements, err = b.logged(ctx, b.scaled(pipelinesEach), func() error { _, _, err := b.pipelineRound(ctx, api, tenants); return err })
	return []report.Row{row("Pipelines", "six stages, a post, with the mission's creation in the statements", ours, limits, report.AtLeast(0.22))}, err
}

// pipelineRound makes missions while no worker runs, and returns how many of
// their pipelines one runs in a second, from the first stage to the last, and
// its peak memory.
func (b *bench) pipelineRound(ctx context.Context, api *process, tenants []tenant) (rate, peak float64, err error) {
	n := b.scaled(pipelinesEach)
	for i := range n {
		if err := post(ctx, api, tenants[i%len(tenants)], startedNow); err != nil {
			return 0, 0, err
		}
	}
	worker, err := b.work(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer worker.Stop()
	if err := b.jobsDone(ctx, n); err != nil {
		return 0, 0, err
	}
	var seconds float64
	err = b.db.QueryRow(ctx, `SELECT extract(epoch FROM max(j.completed_at) - min(s.started_at)) FROM jobs j JOIN stages s ON s.job_id = j.id
		WHERE j.tenant_id = ANY($1)`, idsOf(tenants)).Scan(&seconds)
	if err != nil {
		return 0, 0, err
	}
	peak = worker.peak()
	worker.Stop()
	return float64(n) / seconds, peak, b.cleanRunners(ctx)
}

// bareRound does the same with one batch a stage.
func (b *bench) bareRound(ctx context.Context, a *bare, byHand *process, tenants []tenant) (float64, error) {
	made := map[string]limit.Pipeline{}
	n := b.scaled(pipelinesEach)
	for i := range n {
		t := tenants[i%len(tenants)]
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
	if _, err := b.db.Exec(ctx, "DELETE FROM tasks WHERE tenant_id = ANY($1)", idsOf(tenants)); err != nil {
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
	return rate, b.cleanRunners(ctx)
}

// stage has a stage of a job run.
func (a *bare) stage(ctx context.Context, jobID string, s mission.StageName) error {
	_, err := a.client.EnqueueContext(ctx, asynq.NewTask(string(s), []byte(jobID)), asynq.MaxRetry(0))
	return err
}
