package tasks

import (
	"context"
	"time"

	"missiond/mission"
)

// table is a handler for each task type.
func (w *Worker) table() map[mission.TaskType]handler {
	svc := w.parts.Service
	direct := func(verb func(context.Context, mission.Task) error) handler {
		return func(ctx context.Context, c *claim) error { return verb(ctx, c.Task) }
	}
	return map[mission.TaskType]handler{
		mission.TaskMissionStart:   direct(svc.StartMission),
		mission.TaskMissionEnd:     direct(svc.EndMission),
		mission.TaskCycleBegin:     direct(svc.BeginCycle),
		mission.TaskCycleEnd:       direct(svc.EndCycle),
		mission.TaskStageIntake:    w.intake,
		mission.TaskStageStrategy:  w.strategy,
		mission.TaskStageContent:   w.content,
		mission.TaskStagePublish:   w.publish,
		mission.TaskStageAnalytics: w.analytics,
		mission.TaskStageOptimize:  w.optimize,
		mission.TaskContentPublish: w.post,
		mission.TaskMissionMeasure: w.measure,
		mission.TaskWebhookDeliver: func(ctx context.Context, c *claim) error { return w.parts.Webhooks.Deliver(ctx, c.Task) },

		mission.TaskNotificationEmail: func(ctx context.Context, c *claim) error { return w.parts.Accounts.EmailNotification(ctx, c.Task) },
	}
}

// intake checks the brief that was frozen when the cycle began.
func (w *Worker) intake(ctx context.Context, c *claim) error {
	work, err := w.parts.Service.OpenStage(ctx, c.Task)
	if err != nil {
		return err
	}
	if err := work.Job.Brief.Check(); err != nil {
		return err
	}
	return w.parts.Service.FinishIntake(ctx, c.Task)
}

// strategy plans slot, platform, format, angle and objective of each post.
func (w *Worker) strategy(ctx context.Context, c *claim) error {
	work, err := w.parts.Service.OpenStage(ctx, c.Task)
	if err != nil {
		return err
	}
	learned, err := w.parts.Service.Learned(ctx, work)
	if err != nil {
		return err
	}
	return w.parts.Service.FinishStrategy(ctx, c.Task, mission.NewPlan(work.Job, learned))
}

// content writes the posts that the plan still lacks, each kept as soon as it
// is written. A slow writer's go on in another run, before this one is cut.
func (w *Worker) content(ctx context.Context, c *claim) error {
	leave, ok := w.enterWriting(c.TenantID)
	if !ok {
		return w.putOff(ctx, c)
	}
	defer leave()
	work, err := w.parts.Service.OpenStage(ctx, c.Task)
	if err != nil {
		return err
	}
	start := time.Now()
	return w.parts.Service.WritePosts(ctx, c.Task, work.Job, func() bool { return time.Since(start) < writeLimit })
}

// enterWriting lets a tenant's stage write where the process has room for one
// more. One tenant's, however slow, leave some of it to the others.
func (w *Worker) enterWriting(tenantID string) (leave func(), ok bool) {
	most := w.parts.Writers
	if most <= 0 {
		return func() {}, true
	}
	share := max(1, most-max(1, most/4))
	leaveOwn, ok := w.crowds.enter("writer of "+tenantID, share)
	if !ok {
		return nil, false
	}
	leaveAll, ok := w.crowds.enter("writer", most)
	if !ok {
		leaveOwn()
		return nil, false
	}
	return func() { leaveAll(); leaveOwn() }, true
}

// publish schedules the approved posts; each is published by its own task.
func (w *Worker) publish(ctx context.Context, c *claim) error {
	if _, err := w.parts.Service.OpenStage(ctx, c.Task); err != nil {
		return err
	}
	return w.parts.Service.SchedulePosts(ctx, c.Task)
}

// analytics takes the first measurement of the mission's posts.
func (w *Worker) analytics(ctx context.Context, c *claim) error {
	work, err := w.parts.Service.OpenStage(ctx, c.Task)
	if err != nil {
		return err
	}
	due, err := w.parts.Service.FreshPosts(ctx, work)
	if err != nil {
		return err
	}
	return w.parts.Service.FinishAnalytics(ctx, c.Task, w.measured(ctx, c.Task, due))
}

// optimize learns from the mission's posts what the next strategy prefers.
func (w *Worker) optimize(ctx context.Context, c *claim) error {
	work, err := w.parts.Service.OpenStage(ctx, c.Task)
	if err != nil {
		return err
	}
	posts, err := w.parts.Service.PostsToLearnFrom(ctx, work)
	if err != nil {
		return err
	}
	return w.parts.Service.FinishOptimize(ctx, c.Task, mission.Learn(posts, work.Job.Brief.Constraints.Zone()))
}
