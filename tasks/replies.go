package tasks

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"
	"time"

	"missiond/internal/database"
	"missiond/internal/service/missions"
	"missiond/mission"
)

// replyTime is how long one run reads replies to posts; what is left is read in the next.
const replyTime = 2 * time.Minute

// replyReader reads the replies to the posts of one run, of all its accounts at once.
type replyReader struct {
	worker *Worker
	task   mission.Task
	start  time.Time
	// left is how many replies the run may still take.
	left atomic.Int64
}

func (w *Worker) newReplyReader(t mission.Task) *replyReader {
	r := &replyReader{worker: w, task: t, start: time.Now()}
	r.left.Store(mission.RepliesPerRun)
	return r
}

// mostUnread is after how many posts in a row whose replies couldn't be read the platform isn't called
// again in a run.
const mostUnread = 3

// read returns what was read of the replies to a batch's posts, one after the other. A post whose
// replies are refused, or make no sense (strangers may have written more than is read), holds up no
// other; after any other error the platform isn't called again in this run. Unless it refused, what
// is left is to be read soon.
func (r *replyReader) read(ctx context.Context, b missions.Batch) map[string]mission.ReadReplies {
	all, unread := map[string]mission.ReadReplies{}, 0
	for i, c := range b.Posts {
		read, err := mission.ReadReplies{Reads: c.ReplyReads, Behind: true}, error(nil)
		if r.left.Load() > 0 && time.Since(r.start) < replyTime {
			read, err = r.post(ctx, b, c)
		}
		if err == nil {
			all[c.ID], unread = read, 0
			continue
		}
		r.worker.parts.Log.WarnContext(ctx, "replies couldn't be read", "platform", b.Platform, "content", c.ID, "error", err)
		read.Behind = read.Behind || !refused(err)
		all[c.ID] = read
		if unread++; unread < mostUnread && (refused(err) || senseless(err)) {
			continue
		}
		for _, later := range b.Posts[i+1:] {
			all[later.ID] = mission.ReadReplies{Reads: later.ReplyReads, Behind: !refused(err)}
		}
		break
	}
	return all
}

func refused(err error) bool {
	var failed *mission.PublishError
	return errors.As(err, &failed) && failed.Outcome == mission.OutcomeRefused
}

func senseless(err error) bool {
	var failed *mission.PublishError
	return errors.As(err, &failed) && failed.Failure.Code == mission.CodePlatformMalformed
}

// post returns what was read of the replies to a post, page by page, from where the last read ended.
// What was read before an error is returned with it. If a further page is refused, the next read
// begins anew: no platform promises for how long a cursor is valid.
func (r *replyReader) post(ctx context.Context, b missions.Batch, c mission.Content) (mission.ReadReplies, error) {
	caps, _ := mission.CapabilitiesOf(c.Platform)
	most, least := min(cmp.Or(caps.Replies.MostRead, mission.RepliesPerRead), int(r.left.Load())), max(caps.Replies.LeastRead, 1)
	read := c.ReplyReads.GoOn(r.worker.parts.Clock.Now())
	for range mission.PagesPerRead {
		q := mission.ReplyQuery{Post: c, Cursor: read.Reads.Cursor, Since: read.Reads.Since, Limit: most - len(read.Replies)}
		if q.Limit < least {
			read.Behind = true
			break
		}
		page, ok, err := r.page(ctx, b, q)
		if refused(err) && q.Cursor != "" {
			read.Reads = mission.ReplyReads{Since: q.Since}
		}
		if err != nil || !ok {
			return read, err
		}
		r.left.Add(-int64(len(page.Replies)))
		if read = read.With(page, q.Cursor); !read.Behind {
			break
		}
	}
	return read, nil
}

// page returns a page of replies; ok is false if the mission's budget can't pay for it.
func (r *replyReader) page(ctx context.Context, b missions.Batch, q mission.ReplyQuery) (page mission.ReplyPage, ok bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	w := r.worker
	reading, ok, err := w.parts.Pipeline.OpenReplies(ctx, r.task, b, q.Post, q.Limit)
	if err != nil || !ok {
		return page, false, err
	}
	page, err = w.parts.Publisher.Replies(ctx, b.Via, q)
	var failed *mission.PublishError
	lost := err != nil && (!errors.As(err, &failed) || failed.Outcome == mission.OutcomeUnknown)
	return page, true, errors.Join(err, w.parts.Pipeline.CloseReplies(ctx, reading, page.Charged, lost))
}

// hideReply asks a reply's platform to hide it.
func (w *Worker) hideReply(ctx context.Context, c *claim) error {
	platform, err := w.parts.Pipeline.PostPlatform(ctx, c.Task)
	if err != nil {
		return err
	}
	leave, ok := w.enter(platform, c.TenantID)
	if !ok {
		return w.putOff(ctx, c)
	}
	defer leave()
	h, err := w.parts.Pipeline.OpenHiding(ctx, c.Task)
	if err != nil || !h.Ready {
		return err
	}
	within, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	failed := w.parts.Publisher.Hide(within, h.Via, h.Reply)
	if database.Unavailable(failed) {
		return failed
	}
	r := mission.SendResult(mission.Publication{}, failed)
	r.RetryAfter = w.parts.Clock.Domain(r.RetryAfter)
	return database.Insist(ctx, settleLimit, func(ctx context.Context) error { return w.parts.Pipeline.SettleHiding(ctx, c.Task, r) })
}
