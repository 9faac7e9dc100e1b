package tasks

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"missiond/internal/service"
	"missiond/mission"
)

// publish publishes one post. If an earlier call may have reached the platform, it looks
// the post up first, and publishes it only if the platform doesn't have it.
func (w *Worker) publish(ctx context.Context, c *claim) error {
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

// enter begins a call to a platform; ok is false if the platform or the tenant has too
// many calls under way. On some platforms servers are the tenants' own, and may be slow.
func (w *Worker) enter(p mission.Platform, tenantID string) (leave func(), ok bool) {
	leaveOne, ok := w.limiter.enter(string(p)+"/"+tenantID, callsPerTenant)
	if !ok {
		return nil, false
	}
	leaveAll, ok := w.limiter.enter(string(p), callsPerPlatform)
	if !ok {
		leaveOne()
		return nil, false
	}
	return func() { leaveAll(); leaveOne() }, true
}

// errPutOff means that a limiter refused a task, which was put off for a while.
var errPutOff = errors.New("tasks: put off")

// putOff puts off a task that a limiter refused, without counting an attempt. Errors:
// errPutOff.
func (w *Worker) putOff(ctx context.Context, c *claim) error {
	if err := w.parts.Service.PutOff(ctx, c.Task, w.parts.Clock.Domain(limitedDelay)); err != nil {
		return err
	}
	return errPutOff
}

// reconcile looks up whether the platform took the next part, and returns the post:
// publishing if a part is to be sent, else with its task scheduled again.
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

// call publishes the next part of a post that is recorded as publishing, and returns the
// post: still publishing if there are more parts to send.
func (w *Worker) call(ctx context.Context, c *claim, call service.Call) (post mission.Content, err error) {
	if !c.lasts(callLimit) {
		// Nothing was sent: a lookup won't find the post.
		return post, fmt.Errorf("publish %s: the claim is running out", call.Content.ID)
	}
	callCtx, cancel := context.WithTimeout(ctx, callLimit)
	p, err := w.parts.Publisher.Publish(callCtx, call.Via, call.Content.NextPart())
	cancel()
	// The result is recorded even if the process is shutting down.
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

// publishError returns what an error of a platform means for a post, in domain time.
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

// limiter limits the concurrent calls by key.
type limiter struct {
	mu    sync.Mutex
	calls map[string]int
}

// enter begins a call; ok is false if limit calls of the key are under way. leave ends
// the call.
func (l *limiter) enter(key string, limit int) (leave func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.calls[key] >= limit {
		return nil, false
	}
	if l.calls == nil {
		l.calls = map[string]int{}
	}
	l.calls[key]++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.calls[key]--; l.calls[key] == 0 {
			delete(l.calls, key) // keys of tenants would pile up
		}
	}, true
}
