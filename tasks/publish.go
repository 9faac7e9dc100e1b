package tasks

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"missiond/internal/service"
	"missiond/mission"
)

// post publishes one post. One whose earlier call may have reached the
// platform is looked for first, and published only if it isn't there.
func (w *Worker) post(ctx context.Context, c *claim) error {
	platform, err := w.parts.Service.PostPlatform(ctx, c.Task)
	if err != nil {
		return err
	}
	leave, ok := w.enter(platform, c.TenantID)
	if !ok {
		return w.putOff(ctx, c)
	}
	defer leave()
	call, err := w.parts.Service.OpenPost(ctx, c.Task)
	if err != nil || !call.Ready {
		return err
	}
	if call.InDoubt {
		if call.Content, err = w.reconcile(ctx, c, call); err != nil {
			return err
		}
	}
	for call.Content.Status == mission.ContentPublishing {
		if call.Content, err = w.call(ctx, c, call); err != nil {
			return err
		}
	}
	return nil
}

// enter lets a call to a platform begin, if neither it nor a tenant has enough
// under way: servers are tenants' own on some platforms, and may be slow.
func (w *Worker) enter(p mission.Platform, tenantID string) (leave func(), ok bool) {
	leaveOne, ok := w.crowds.enter(string(p)+"/"+tenantID, callsPerTenant)
	if !ok {
		return nil, false
	}
	leaveAll, ok := w.crowds.enter(string(p), callsPerPlatform)
	if !ok {
		leaveOne()
		return nil, false
	}
	return func() { leaveAll(); leaveOne() }, true
}

// errPutOff tells that a task waits for room, and was put off for a while.
var errPutOff = errors.New("tasks: put off")

// putOff has a task wait that finds a crowd, which spends no attempt. Errors:
// errPutOff.
func (w *Worker) putOff(ctx context.Context, c *claim) error {
	if err := w.parts.Service.PutOff(ctx, c.Task, w.parts.Clock.Domain(crowdDelay)); err != nil {
		return err
	}
	return errPutOff
}

// reconcile settles whether the platform took the part that comes next, and
// answers the post: publishing if the next part is to be sent, else with its
// task put back.
func (w *Worker) reconcile(ctx context.Context, c *claim, call service.Call) (post mission.Content, err error) {
	callCtx, cancel := context.WithTimeout(ctx, callLimit)
	p, found, err := w.parts.Publisher.Find(callCtx, call.Via, call.Content.NextPart())
	cancel()
	ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), returnLimit)
	defer cancel()
	switch {
	case errors.Is(err, mission.ErrAskAgain):
		return post, w.parts.Service.ResendPost(ctx, c.Task, errors.Is(err, mission.ErrNotShownYet))
	case err != nil:
		return post, w.parts.Service.RetryLookup(ctx, c.Task, w.publishError(ctx, call.Content, err))
	case found:
		return w.parts.Service.RecordTaken(ctx, c.Task, p, true)
	default:
		return post, w.parts.Service.RepublishPost(ctx, c.Task)
	}
}

// call publishes the next part of a post that is recorded as publishing, and
// answers the post: publishing if there is more to send.
func (w *Worker) call(ctx context.Context, c *claim, call service.Call) (post mission.Content, err error) {
	if !c.lasts(callLimit) {
		// Nothing was sent: the post is looked for, and not found.
		return post, fmt.Errorf("publish %s: the claim is running out", call.Content.ID)
	}
	callCtx, cancel := context.WithTimeout(ctx, callLimit)
	p, err := w.parts.Publisher.Publish(callCtx, call.Via, call.Content.NextPart())
	cancel()
	// What the platform answered is kept also while the process is ending.
	ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), returnLimit)
	defer cancel()
	if err == nil {
		return w.parts.Service.RecordTaken(ctx, c.Task, p, false)
	}
	e := w.publishError(ctx, call.Content, err)
	if e.Outcome == mission.OutcomeRefused {
		return post, w.parts.Service.RecordRefused(ctx, c.Task, e.Failure)
	}
	return post, w.parts.Service.RetryPost(ctx, c.Task, e)
}

// publishError is what an error of a platform means for a post. Its times are
// the domain's.
func (w *Worker) publishError(ctx context.Context, post mission.Content, err error) mission.PublishError {
	var pe *mission.PublishError
	if errors.As(err, &pe) {
		e := *pe
		e.RetryAfter = w.parts.Clock.Domain(e.RetryAfter)
		return e
	}
	w.parts.Log.WarnContext(ctx, "worker: call a platform", "content", post.ID, "platform", post.Platform, "error", err)
	return mission.PublishError{Outcome: mission.OutcomeUnknown, Failure: mission.Unanswered()}
}

// crowds counts the calls to each peer that are under way.
type crowds struct {
	mu    sync.Mutex
	calls map[string]int
}

// enter lets one more call to a peer begin; ok is false if there are enough.
// leave ends it.
func (c *crowds) enter(peer string, most int) (leave func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls[peer] >= most {
		return nil, false
	}
	if c.calls == nil {
		c.calls = map[string]int{}
	}
	c.calls[peer]++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.calls[peer]--; c.calls[peer] == 0 {
			delete(c.calls, peer) // tenants come and go
		}
	}, true
}
