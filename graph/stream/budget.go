package stream

import (
	"sync"
	"time"
)

// What a peer may send on a socket, before and after it has authenticated. A client
// that starts maxOperations at once, with documents of a few KiB each, stays far
// below both.
const (
	messagesPerSecond, messagesAtOnce = 50, 300
	bytesPerSecond, bytesAtOnce       = 128 << 10, 1 << 20
)

// budget limits the messages that a peer sends, including control frames, and their
// bytes on the wire. It is safe for concurrent use.
type budget struct {
	mu              sync.Mutex
	now             func() time.Duration // of a monotonic clock
	messages, bytes bucket
}

func newBudget(now func() time.Duration) *budget {
	return &budget{
		now:      now,
		messages: bucket{rate: messagesPerSecond, most: messagesAtOnce, left: messagesAtOnce, at: now()},
		bytes:    bucket{rate: bytesPerSecond, most: bytesAtOnce, left: bytesAtOnce, at: now()},
	}
}

// message takes one message from the budget, and reports whether it is allowed.
func (b *budget) message() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.messages.take(1, b.now())
}

// read takes n bytes from the budget, and reports whether they are allowed.
func (b *budget) read(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bytes.take(float64(n), b.now())
}

// bucket is a token bucket that refills at a rate per second.
type bucket struct {
	rate, most, left float64
	at               time.Duration
}

func (b *bucket) take(n float64, now time.Duration) bool {
	b.left = min(b.most, b.left+b.rate*(now-b.at).Seconds())
	b.at = now
	b.left -= n
	return b.left >= 0
}
