package stream

import "context"

type sourceKey struct{}

// source is what the responses of a subscription come from. It has no goroutine of
// its own: the subscription's pulls each value before it asks for the response.
type source struct {
	pull func() // sends the next value, or closes the channel; nil if nothing is followed
	done func()
	err  error // why it ended, if the client is to be told
}

// next waits for what the next response shows.
func (s *source) next() {
	if s.pull != nil {
		s.pull()
	}
}

// close ends the source.
func (s *source) close() {
	if s.done != nil {
		s.done()
	}
}

// Supported reports whether ctx's operation may have more than one response.
func Supported(ctx context.Context) bool { return ctx.Value(sourceKey{}) != nil }

// Follow returns a channel of what next returns, until ctx ends, next fails or
// next returns nothing. done is called at the end of the operation.
func Follow[T any](ctx context.Context, next func(ctx context.Context) ([]T, error), done func()) <-chan T {
	sink := make(chan T, 1)
	s, ok := ctx.Value(sourceKey{}).(*source)
	if !ok {
		done()
		close(sink)
		return sink
	}
	var list []T
	s.done = done
	s.pull = func() {
		if len(list) == 0 {
			list, s.err = next(ctx)
		}
		if s.err != nil || len(list) == 0 || ctx.Err() != nil {
			close(sink)
			s.pull = nil
			return
		}
		sink <- list[0]
		list = list[1:]
	}
	return sink
}
