package tasks

import (
	"context"
	"time"

	"missiond/mission"
)

// newHandlers returns the handlers by task type.
func (w *Worker) newHandlers() map[mission.TaskType]handler {
	svc := w.parts.Pipeline
	direct := func(verb func(context.Context, mission.Task) error) handler {
		return func(ctx context.Context, c *claim) error { return verb(ctx, c.Task) }
	}
	return map[mission.TaskType]handler{
		mission.TaskMissionStart:   direct(svc.StartMission),
		mission.TaskMissionEnd:     direct(svc.EndMission),
		mission.TaskCycleBegin:     direct(svc.BeginCycle),
		mission.TaskCycleEnd:       direct(svc.EndCycle),
		mission.TaskCycleExpiring:  direct(svc.WarnCycle),
		mission.TaskContentExpire:  direct(svc.ExpirePost),
		mission.TaskStageIntake:    direct(svc.Intake),
		mission.TaskStageStrategy:  direct(svc.Strategy),
		mission.TaskStageContent:   w.content,
		mission.TaskStagePublish:   direct(svc.SchedulePosts),
		mission.TaskStageAnalytics: w.analytics,
		mission.TaskStageOptimize:  direct(svc.Optimize),
		mission.TaskContentPublish: w.publish,
		mission.TaskContentComment: w.publish,
		mission.TaskMissionMeasure: w.measure,
		mission.TaskWebhookDeliver: func(ctx context.Context, c *claim) error { return w.parts.Webhooks.Deliver(ctx, c.Task) },

		mission.TaskMedia:             func(ctx context.Context, c *claim) error { return w.parts.Media.Run(ctx, c.Task) },
		mission.TaskTenantRecheck:     direct(svc.RecheckTenant),
		mission.TaskTenantHold:        direct(svc.FollowHold),
		mission.TaskReviewTell:        direct(svc.TellReviewers),
		mission.TaskTenantDelete:      func(ctx context.Context, c *claim) error { return w.parts.Accounts.RunDeletion(ctx, c.Task) },
		mission.TaskNotificationEmail: func(ctx context.Context, c *claim) error { return w.parts.Accounts.EmailNotification(ctx, c.Task) },
	}
}

// content writes the posts that the plan still lacks, and stores each at once. With a
// slow writer, the rest is written in another run before this one reaches taskLimit.
func (w *Worker) content(ctx context.Context, c *claim) error {
	leave, ok := w.enterWriting(c.TenantID)
	if !ok {
		return w.putOff(ctx, c)
	}
	defer leave()
	work, err := w.parts.Pipeline.OpenStage(ctx, c.Task)
	if err != nil {
		return err
	}
	start := time.Now()
	return w.parts.Pipeline.WritePosts(ctx, c.Task, work, func() bool { return time.Since(start) < writeLimit })
}

// enterWriting lets a tenant's stage write; ok is false if the process or the tenant has
// too many stages that write. One tenant never gets all of the process's writers.
func (w *Worker) enterWriting(tenantID string) (leave func(), ok bool) {
	most := w.parts.Writers
	if most <= 0 {
		return func() {}, true
	}
	share := max(1, most-max(1, most/4))
	leaveOwn, ok := w.limiter.enter("writer of "+tenantID, share)
	if !ok {
		return nil, false
	}
	leaveAll, ok := w.limiter.enter("writer", most)
	if !ok {
		leaveOwn()
		return nil, false
	}
	return func() { leaveAll(); leaveOwn() }, true
}

// analytics takes the first measurement of the mission's posts.
func (w *Worker) analytics(ctx context.Context, c *claim) error {
	work, err := w.parts.Pipeline.OpenStage(ctx, c.Task)
	if err != nil {
		return err
	}
	due, err := w.parts.Pipeline.FreshPosts(ctx, work)
	if err != nil {
		return err
	}
	return w.parts.Pipeline.FinishAnalytics(ctx, c.Task, w.measured(ctx, c.Task, due))
}
