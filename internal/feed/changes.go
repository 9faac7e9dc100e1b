package feed

import (
	"context"

	"missiond/mission"
)

// Changes is a listener to changes of a tenant's records. Close it after use.
type Changes struct {
	feed     *Feed
	tenantID string
	tail     *tail
	seen     map[mission.ChangeKind]int64
}

// Changes returns a listener to changes of a tenant's records from now on. Errors:
// service_unavailable if there are too many listeners.
func (f *Feed) Changes(ctx context.Context, tenantID string) (*Changes, error) {
	heads, err := f.db.Heads(ctx, []string{tenantID})
	if err != nil {
		return nil, err
	}
	t, err := f.join(tenantID, heads[tenantID])
	return &Changes{feed: f, tenantID: tenantID, tail: t, seen: heads[tenantID].Changes}, err
}

// Close closes the listener.
func (c *Changes) Close() { c.feed.leave(c.tenantID, c.tail) }

// Next waits until records were changed since it last returned, and returns their kinds,
// one or more. Errors: ctx's.
func (c *Changes) Next(ctx context.Context) ([]mission.ChangeKind, error) {
	for {
		c.feed.mu.Lock()
		counts, counted := c.tail.counts, c.tail.counted
		c.feed.mu.Unlock()
		var kinds []mission.ChangeKind
		for _, k := range mission.AllChangeKinds() {
			if counts[k] > c.seen[k] {
				kinds = append(kinds, k)
			}
		}
		if len(kinds) > 0 {
			c.seen = counts
			return kinds, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-counted:
		}
	}
}
