package tasks

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"missiond/mission"
)

// post publishes one post. One whose earlier call may have reached the
// platform is looked for first, and published only where it isn't there.
func (w *Worker) post(ctx context.Context, c *claim) error {
	platform, err := w.parts.Service.PostPlatform(ctx, c.Task)
	if err != nil {
		return err
	}
	leave, ok := w.crowds.enter(platform)
	if !ok {
		return w.parts.Service.PutOffPost(ctx, c.Task, w.parts.Clock.Domain(crowdDelay))
	}
	defer leave()
	post, inDoubt, err := w.parts.Service.OpenPost(ctx, c.Task, w.parts.Publisher.Fee)
	if err != nil {
		return err
	}
	if inDoubt {
		return w.reconcile(ctx, c, post)
	}
	if post.Status != mission.ContentPublishing {
		return nil // its slot moved
	}
	return w.call(ctx, c, post)
}

// reconcile settles a post in doubt: published where the platform has it, else
// scheduled again, for the next run to publish.
func (w *Worker) reconcile(ctx context.Context, c *claim, post mission.Content) error {
	callCtx, cancel := context.WithTimeout(ctx, callLimit)
	p, found, err := w.parts.Publisher.Find(callCtx, post)
	cancel()
	switch {
	case err != nil:
		return w.parts.Service.RetryPost(ctx, c.Task, mission.PublishError{Outcome: mission.OutcomeUnknown, Failure: mission.Failure{
			Code: "platform_unreachable", Message: "The platform could not be asked whether it has the post.",
		}})
	case found:
		return w.parts.Service.RecordPublished(ctx, c.Task, p, w.parts.Publisher.Fee)
	default:
		return w.parts.Service.RepublishPost(ctx, c.Task)
	}
}

// call publishes a post that is recorded as publishing.
func (w *Worker) call(ctx context.Context, c *claim, post mission.Content) error {
	if !c.lasts(callLimit) {
		return fmt.Errorf("publish %s: the claim is running out", post.ID) // nothing was sent
	}
	callCtx, cancel := context.WithTimeout(ctx, callLimit)
	p, err := w.parts.Publisher.Publish(callCtx, post)
	cancel()
	// What the platform answered is kept also while the process is ending.
	ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), returnLimit)
	defer cancel()
	if err == nil {
		return w.parts.Service.RecordPublished(ctx, c.Task, p, w.parts.Publisher.Fee)
	}
	var pe *mission.PublishError
	if !errors.As(err, &pe) {
		pe = &mission.PublishError{Outcome: mission.OutcomeUnknown, Failure: mission.Failure{
			Code: "platform_unreachable", Message: "The platform's answer never came.",
		}}
		w.parts.Log.Warn("worker: publish a post", "content", post.ID, "platform", post.Platform, "error", err)
	}
	if pe.Outcome == mission.OutcomeRefused {
		return w.parts.Service.RecordRefused(ctx, c.Task, pe.Failure)
	}
	return w.parts.Service.RetryPost(ctx, c.Task, *pe)
}

// crowds counts the calls to each platform that are under way.
type crowds struct {
	mu    sync.Mutex
	calls map[mission.Platform]int
}

// enter lets one more call to a platform begin; ok is false where there are
// enough. leave ends it.
func (c *crowds) enter(p mission.Platform) (leave func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls[p] >= callsPerPlatform {
		return nil, false
	}
	if c.calls == nil {
		c.calls = map[mission.Platform]int{}
	}
	c.calls[p]++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.calls[p]--
	}, true
}
