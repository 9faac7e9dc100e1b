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
		mission.TaskReplyAnswer:    w.publish,
		mission.TaskReplyHide:      w.hideReply,
		mission.TaskMissionMeasure: w.measure,
		mission.TaskWebhookDeliver: func(ctx context.Context, c *claim) error { return w.parts.Webhooks.Deliver(ctx, c.Task) },

		mission.TaskMedia:             func(ctx context.Context, c *claim) error { return w.parts.Media.Run(ctx, c.Task) },
		mission.TaskMediaExamine:      func(ctx context.Context, c *claim) error { return w.parts.Media.Run(ctx, c.Task) },
		mission.TaskTenantRecheck:     direct(svc.RecheckTenant),
		mission.TaskTenantHold:        direct(svc.FollowHold),
		mission.TaskReviewTell:        direct(svc.TellReviewers),
		mission.TaskTenantDelete:      func(ctx context.Context, c *claim) error { return w.parts.Accounts.RunDeletion(ctx, c.Task) },
		mission.TaskNotificationEmail: w.email,
		mission.TaskAccountFigures:    w.audience,
	}
}

// content writes the posts that the plan still lacks, and stores each at once. With a
// slow writer, the rest is written in another run before this one reaches taskLimit.
func (w *Worker) content(ctx context.Context, c *claim) error {
	own, err := w.parts.Pipeline.HasOwnWriter(ctx, c.TenantID)
	if err != nil {
		return err
	}
	leave, ok := w.enterWriting(c.TenantID, own)
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
// too many stages that write. One tenant never gets all of the process's writers, and those with
// writers of their own, whose endpoints may hang, get none of the others'.
func (w *Worker) enterWriting(tenantID string, own bool) (leave func(), ok bool) {
	all, most := "writer", w.parts.Writers
	share := max(1, most-max(1, most/4))
	if own {
		all, most, share = "own writer", ownWriters, ownWritersPerTenant
	}
	if most <= 0 {
		return func() {}, true
	}
	leaveOwn, ok := w.limiter.enter("writer of "+tenantID, share)
	if !ok {
		return nil, false
	}
	leaveAll, ok := w.limiter.enter(all, most)
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

// email e-mails a notification. Few runs wait for the mail server at once, so that a slow one
// leaves workers to the other tasks.
func (w *Worker) email(ctx context.Context, c *claim) error {
	leave, ok := w.limiter.enter("mail", emailsAtOnce)
	if !ok {
		if err := w.parts.Pipeline.ReturnTask(ctx, c.Task, c.Trouble, w.parts.Clock.Domain(limitedDelay)); err != nil {
			return err
		}
		return errPutOff
	}
	defer leave()
	return w.parts.Accounts.EmailNotification(ctx, c.Task)
}
