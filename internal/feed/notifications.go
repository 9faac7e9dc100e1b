package feed

import (
	"context"

	"missiond/mission"
)

// Notifications is a listener to a tenant's notifications. Close it after use.
type Notifications struct {
	feed     *Feed
	tenantID string
	tail     *tail
	seq      int64 // of the last notification that was returned
}

// Notifications returns a listener to a tenant's notifications, from now on, or
// after the notification with the id after. Errors: invalid_request if after isn't a
// notification of the tenant; service_unavailable if there are too many listeners.
func (f *Feed) Notifications(ctx context.Context, tenantID, after string) (*Notifications, error) {
	heads, err := f.db.Heads(ctx, []string{tenantID})
	if err != nil {
		return nil, err
	}
	n := &Notifications{feed: f, tenantID: tenantID, seq: heads[tenantID].Notifications}
	if after != "" {
		if n.seq, err = f.db.NotificationSeq(ctx, tenantID, after); err != nil {
			return nil, err
		}
	}
	n.tail, err = f.join(tenantID, heads[tenantID])
	return n, err
}

// Close closes the listener.
func (n *Notifications) Close() { n.feed.leave(n.tenantID, n.tail) }

// Next waits for notifications that it hasn't returned before, and returns one or
// more of them, in the order in which they were committed. Errors: ctx's.
func (n *Notifications) Next(ctx context.Context) ([]mission.Notification, error) {
	for {
		n.feed.mu.Lock()
		head, from, notes, notified := n.tail.notesHead, n.tail.noted, n.tail.notes, n.tail.notified
		n.feed.mu.Unlock()
		if n.seq >= head {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-notified:
			}
			continue
		}
		upTo := head
		if n.seq != from {
			// It is ahead of what was read last, or behind.
			var err error
			upTo = min(head, n.seq+maxRead)
			if notes, err = n.feed.db.NotificationsBetween(ctx, n.tenantID, n.seq, upTo); err != nil {
				return nil, err
			}
		}
		n.seq = upTo
		if len(notes) > 0 {
			return notes, nil
		}
	}
}
