package tasks

import (
	"context"
	"time"

	"missiond/mission"
	"missiond/store"
)

// addExaminers adds the server of examinations of files, of which n run at once; 0 is none. It serves both lanes: turns
// of tenants say which file is next.
func (w *Worker) addExaminers(n int) {
	if n <= 0 {
		return
	}
	lanes := map[string]int{queueName(mission.QueueMedia, store.LaneNormal): 1, queueName(mission.QueueMedia, store.LaneBulk): 1}
	w.servers = append(w.servers, w.server(lanes, n, 10*time.Millisecond))
}

// take claims the task of an Asynq task; nil if this worker isn't to run it. That of an examination stands for the one
// that is next of all that wait: there are as many, so each gets its turn.
func (w *Worker) take(ctx context.Context, t mission.TaskType, id string) (*claim, error) {
	if t == mission.TaskMediaExamine {
		until := leaseEnd()
		// The claim goes through even if this caller leaves.
		got, ok, err := w.parts.DB.ClaimExamining(context.WithoutCancel(ctx), w.parts.Clock.Now(), lease)
		if err != nil {
			return nil, err
		}
		if ok {
			return w.register(got, until), nil
		}
	}
	return w.claim(ctx, id)
}
