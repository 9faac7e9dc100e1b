package tasks

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"missiond/internal/clock"
)

// notices tell a worker that something was enqueued: those of its own process
// directly, those of others through Redis (publish and subscribe). They only save
// polling: a lost one costs lookAgain.
type notices struct {
	mu     sync.Mutex
	counts map[string]uint64 // by queue
	// gaps counts when notices of any queue may have been missed.
	gaps uint64
	// changed is closed at the next notice.
	changed chan struct{}
	// listening reports whether those of other processes arrive.
	listening bool
}

func newNotices() *notices {
	return &notices{counts: map[string]uint64{}, changed: make(chan struct{})}
}

// noticeChannel is the channel of notices: a message is the process that sent it, and
// the queue.
const noticeChannel = "missiond:enqueued"

const (
	// listenCheck is how long a subscription may be silent before it is checked, and
	// how long the response to that may take.
	listenCheck = 5 * time.Second
	// listenAgain is the pause before a lost subscription is made again.
	listenAgain = 200 * time.Millisecond
)

// add gives notice of a queue.
func (n *notices) add(queue string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.counts[queue]++
	n.wake()
}

// wake has the waits look again. The caller has the lock.
func (n *notices) wake() {
	close(n.changed)
	n.changed = make(chan struct{})
}

// count returns how many notices of a queue there have been, or may have been.
func (n *notices) count(queue string) uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.counts[queue] + n.gaps
}

// next returns a channel that is closed at the next notice.
func (n *notices) next() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.changed
}

// complete reports whether the notices of all processes arrive.
func (n *notices) complete() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.listening
}

// setListening records that a subscription began, before which notices may have been
// missed, or ended.
func (n *notices) setListening(listening bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.listening = listening
	n.gaps++
	n.wake()
}

// follow subscribes to the notices of other processes than origin until ctx ends.
func (n *notices) follow(ctx context.Context, client redis.UniversalClient, origin string) {
	for ctx.Err() == nil {
		n.listen(ctx, client, origin)
		n.setListening(false)
		_ = clock.Sleep(ctx, listenAgain)
	}
}

// listen subscribes until the subscription is lost or ctx ends.
func (n *notices) listen(ctx context.Context, client redis.UniversalClient, origin string) {
	sub := client.Subscribe(ctx, noticeChannel)
	defer func() { _ = sub.Close() }()
	defer context.AfterFunc(ctx, func() { _ = sub.Close() })() // nothing else ends a read
	for checked := false; ; {
		message, err := sub.ReceiveTimeout(ctx, listenCheck)
		switch m := message.(type) {
		case *redis.Subscription:
			n.setListening(true)
		case *redis.Message:
			if from, queue, ok := strings.Cut(m.Payload, " "); ok && from != origin {
				n.add(queue)
			}
		}
		var network net.Error
		switch {
		case err == nil:
			checked = false
		case !checked && errors.As(err, &network) && network.Timeout() && sub.Ping(ctx) == nil:
			checked = true
		default:
			return
		}
	}
}
