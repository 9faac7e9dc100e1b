package stream

import (
	"context"
	"sync"
)

type failureKey struct{}

// failure holds why a subscription ended, if the client is to be told.
type failure struct {
	mu  sync.Mutex
	err error
}

func (f *failure) why() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// Supported reports whether ctx's operation may have more than one response.
func Supported(ctx context.Context) bool { return ctx.Value(failureKey{}) != nil }

// endWith records why ctx's subscription ends.
func endWith(ctx context.Context, err error) {
	if f, ok := ctx.Value(failureKey{}).(*failure); ok {
		f.mu.Lock()
		f.err = err
		f.mu.Unlock()
	}
}

// Follow sends what next returns to the channel that Follow returns, until ctx
// ends, next fails or next returns nothing; then it calls done.
func Follow[T any](ctx context.Context, next func(ctx context.Context) ([]T, error), done func()) <-chan T {
	sink := make(chan T)
	go func() {
		defer close(sink)
		defer done()
		for {
			list, err := next(ctx)
			if err != nil || len(list) == 0 {
				endWith(ctx, err)
				return
			}
			for _, v := range list {
				select {
				case sink <- v:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return sink
}
