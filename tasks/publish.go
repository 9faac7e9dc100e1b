package tasks

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"missiond/internal/database"
	"missiond/internal/service/missions"
	"missiond/mission"
)

// publish publishes one post, a first comment or an answer to a reply. If an earlier call may have reached the platform, it looks
// the post up first, and publishes it only if the platform doesn't have it.
func (w *Worker) publish(ctx context.Context, c *claim) error {
	platform, err := w.parts.Pipeline.PostPlatform(ctx, c.Task)
	if err != nil {
		return err
	}
	leave, ok := w.enter(platform, c.TenantID)
	if !ok {
		return w.putOff(ctx, c)
	}
	defer leave()
	call, err := w.parts.Pipeline.OpenPost(ctx, c.Task)
	for err == nil && call.Ready {
		if call.Upload != nil {
			call, err = w.upload(ctx, c, call)
			continue
		}
		if !call.LookUp && !c.lasts(callLimit) || call.Late(w.parts.Clock.Now()) {
			// Nothing was sent: a lookup won't find the post.
			return fmt.Errorf("publish %s: it is too late for the call: %w", call.Content.ID, errTrouble)
		}
		var r mission.PublishResult
		if r, err = w.call(ctx, c, call); err == nil {
			call, err = w.settlePost(ctx, c, call, r)
		}
	}
	return err
}

// call sends the next part of a post, or looks it up. Errors: trouble of the database,
// which says nothing about the post; it is looked up in the next run.
func (w *Worker) call(ctx context.Context, c *claim, call missions.Call) (r mission.PublishResult, err error) {
	post, part := call.Content, call.Part(w.parts.Clock.Now(), w.parts.Media.Open)
	limit := callLimit
	if carries(part) {
		limit = uploadLimit
	}
	ctx, cancel := c.whileLeased(ctx, limit)
	defer cancel()
	if call.LookUp {
		p, found, failed := w.parts.Publisher.Find(ctx, call.Via, part)
		r, err = mission.LookupResult(p, found, failed), failed
	} else {
		p, failed := w.parts.Publisher.Publish(ctx, call.Via, part)
		r, err = mission.SendResult(p, failed), failed
	}
	var known *mission.PublishError
	if r.Outcome == mission.OutcomeUnknown && !errors.As(err, &known) {
		if database.Unavailable(err) {
			return r, fmt.Errorf("call %s: %w", post.Platform, err)
		}
		w.parts.Log.WarnContext(ctx, "worker: call a platform", "content", post.ID, "platform", post.Platform, "error", err)
	}
	r.RetryAfter = w.parts.Clock.Domain(r.RetryAfter)
	return r, nil
}

// carries reports whether the call that sends a part has its files too, and so takes as long as their upload
// would elsewhere.
func carries(p mission.Part) bool {
	caps, _ := mission.CapabilitiesOf(p.Content.Platform)
	return caps.FilesWithPost && len(p.Media) > 0
}

// uploadLimit is the time limit of a step of an upload: a whole video on some platforms.
const uploadLimit = 10 * time.Minute

// upload takes a post's file or draft one step further on its platform, and returns the next step.
// Nobody sees what no post has, so that a step may be made twice.
func (w *Worker) upload(ctx context.Context, c *claim, call missions.Call) (next missions.Call, err error) {
	within, cancel := context.WithTimeout(ctx, uploadLimit)
	defer cancel()
	var made mission.Upload
	var failed error
	if call.Upload.Draft {
		made, failed = w.parts.Publisher.Prepare(within, call.Via, call.Part(w.parts.Clock.Now(), w.parts.Media.Open), call.Upload.So)
	} else {
		made, failed = w.parts.Publisher.Upload(within, call.Via, w.parts.Media.Open(call.Content, call.Upload.File), call.Upload.So)
	}
	r := mission.SendResult(mission.Publication{}, failed)
	if database.Unavailable(failed) {
		return next, fmt.Errorf("upload to %s: %w", call.Content.Platform, failed)
	}
	if failed != nil {
		w.parts.Log.WarnContext(ctx, "worker: upload a file", "content", call.Content.ID, "platform", call.Content.Platform, "error", failed)
	}
	r.RetryAfter, made.Wait = w.parts.Clock.Domain(r.RetryAfter), w.parts.Clock.Domain(made.Wait)
	if made.Lasts > 0 {
		at := w.parts.Clock.Now().Add(w.parts.Clock.Domain(made.Lasts))
		made.ExpiresAt, made.Lasts = &at, 0
	}
	err = database.Insist(ctx, settleLimit, func(ctx context.Context) (err error) {
		next, err = w.parts.Pipeline.SettleUpload(ctx, c.Task, call, made, r)
		return err
	})
	return next, err
}

// settlePost records the result of a call, even if the process is shutting down, and
// returns the next step.
func (w *Worker) settlePost(ctx context.Context, c *claim, call missions.Call, r mission.PublishResult) (next missions.Call, err error) {
	err = database.Insist(ctx, settleLimit, func(ctx context.Context) (err error) {
		next, err = w.parts.Pipeline.SettlePost(ctx, c.Task, call, r)
		return err
	})
	return next, err
}

// enter begins a call to a platform; ok is false if the platform or the tenant has too
// many calls under way. On some platforms servers are the tenants' own, and may be slow.
func (w *Worker) enter(p mission.Platform, tenantID string) (leave func(), ok bool) {
	return w.enterAs(string(p), tenantID)
}

// enterReading is enter for a run that reads figures and replies. It makes many calls, and so doesn't
// count among those that publish.
func (w *Worker) enterReading(p mission.Platform, tenantID string) (leave func(), ok bool) {
	return w.enterAs("reading of "+string(p), tenantID)
}

func (w *Worker) enterAs(name, tenantID string) (leave func(), ok bool) {
	leaveOne, ok := w.limiter.enter(name+"/"+tenantID, callsPerTenant)
	if !ok {
		return nil, false
	}
	leaveAll, ok := w.limiter.enter(name, callsPerPlatform)
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
	if err := w.parts.Pipeline.PutOff(ctx, c.Task, w.parts.Clock.Domain(limitedDelay)); err != nil {
		return err
	}
	return errPutOff
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
