package tasks

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"missiond/internal/testkit/await"
)

// A notice that comes while a queue is asked isn't lost: the queue is asked again.
func TestNoticeWhileAsking(t *testing.T) {
	n := newNotices()
	n.setListening(true)
	p := &patient{queues: []string{"q"}, notices: n, backstop: time.Hour, found: map[string]emptiness{}, waiting: &atomic.Int64{}}
	asked := 0
	ctx, cancel := context.WithTimeout(t.Context(), await.Within(10*time.Second)) // a lost notice is waited for
	defer cancel()
	ask := func(meanwhile func()) {
		p.dequeue(ctx, "q", func() *redis.Cmd {
			asked++
			meanwhile()
			cmd := redis.NewCmd(t.Context())
			cmd.SetErr(redis.Nil)
			return cmd
		})
	}
	ask(func() { n.add("q") })
	ask(func() { n.setListening(false); n.setListening(true) })
	ask(func() {})
	if asked != 3 {
		t.Errorf("asked %d times, want 3", asked)
	}
	cancel()
	p.dequeue(ctx, "q", func() *redis.Cmd { t.Error("an empty queue was asked"); return redis.NewCmd(ctx) })
}
