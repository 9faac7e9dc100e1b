package graph

import (
	"context"
	"errors"
	"time"

	"github.com/vikstrous/dataloadgen"

	"missiond/mission"
)

// Loaders wait this long for more of a request's resolvers to ask, and load at
// most so many records at once.
const (
	loaderWait  = time.Millisecond
	loaderBatch = 500
)

// loaders read what records of a page hang on, in one statement for all of
// them. They live as long as a request and belong to its caller.
type loaders struct {
	attempts *dataloadgen.Loader[string, []mission.Attempt]
	events   *dataloadgen.Loader[string, mission.Event]
	missions *dataloadgen.Loader[string, mission.Mission]
}

type loadersKey struct{}

// withLoaders gives a request its loaders.
func (r *Resolver) withLoaders(ctx context.Context) context.Context {
	return context.WithValue(ctx, loadersKey{}, &loaders{
		attempts: newLoader(r.webhooks.AttemptsOf),
		events:   newLoader(r.service.EventsByID),
		missions: newLoader(r.service.MissionsByID),
	})
}

func newLoader[V any](fetch func(ctx context.Context, p mission.Principal, ids []string) (map[string]V, error)) *dataloadgen.Loader[string, V] {
	return dataloadgen.NewMappedLoader(func(ctx context.Context, ids []string) (map[string]V, error) {
		return fetch(ctx, caller(ctx), ids)
	}, dataloadgen.WithWait(loaderWait), dataloadgen.WithBatchCapacity(loaderBatch))
}

// loading answers the request's loaders.
func loading(ctx context.Context) *loaders {
	l, _ := ctx.Value(loadersKey{}).(*loaders)
	return l
}

// load answers the record with an id, or nil where there is none.
func load[V any](ctx context.Context, l *dataloadgen.Loader[string, V], id string) (*V, error) {
	v, err := l.Load(ctx, id)
	if errors.Is(err, dataloadgen.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &v, nil
}
