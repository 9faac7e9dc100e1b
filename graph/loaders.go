package graph

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/vikstrous/dataloadgen"

	"missiond/mission"
	"missiond/store"
)

// Loaders wait this long for more of a request's resolvers to ask, and load at
// most so many records at once.
const (
	loaderWait  = time.Millisecond
	loaderBatch = 500
)

// loaders read what records of a page hang on, in one statement for all of
// them. They live as long as an answer and belong to its caller.
type loaders struct {
	attempts *dataloadgen.Loader[string, []mission.Attempt]
	events   *dataloadgen.Loader[string, mission.Event]
	missions *dataloadgen.Loader[string, mission.Mission]
	jobs     *dataloadgen.Loader[string, mission.Job]
	texts    *dataloadgen.Loader[string, []mission.Revision]
	nextPost *dataloadgen.Loader[string, time.Time]

	contentsOf   *dataloadgen.Loader[child[store.ContentFilter], store.Part[mission.Content]]
	jobsOf       *dataloadgen.Loader[child[none], store.Part[mission.Job]]
	eventsOf     *dataloadgen.Loader[child[eventTypes], store.Part[mission.Event]]
	deliveriesOf *dataloadgen.Loader[child[mission.DeliveryStatus], store.Part[mission.Delivery]]

	contentCounts  *dataloadgen.Loader[child[store.ContentFilter], int]
	eventCounts    *dataloadgen.Loader[child[eventTypes], int]
	deliveryCounts *dataloadgen.Loader[child[mission.DeliveryStatus], int]
}

// child is a list that hangs on a record: what is picked of it, and which page.
// Lists that are alike but for their records are loaded together.
type child[F comparable] struct {
	of     string
	filter F
	page   store.Page
}

// none picks all.
type none struct{}

// eventTypes are types with a space between them: a slice can't be a key.
type eventTypes string

func newEventTypes(types []mission.EventType) eventTypes {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = string(t)
	}
	slices.Sort(names)
	return eventTypes(strings.Join(slices.Compact(names), " "))
}

func (t eventTypes) types() []mission.EventType {
	var types []mission.EventType
	for _, name := range strings.Fields(string(t)) {
		types = append(types, mission.EventType(name))
	}
	return types
}

type loadersKey struct{}

// withLoaders gives an answer its loaders.
func (r *Resolver) withLoaders(ctx context.Context) context.Context {
	return context.WithValue(ctx, loadersKey{}, &loaders{
		attempts: newLoader(r.webhooks.AttemptsOf),
		events:   newLoader(r.service.EventsByID),
		missions: newLoader(r.service.MissionsByID),
		jobs:     newLoader(r.service.JobsByID),
		texts:    newLoader(r.service.RevisionsOf),
		nextPost: newLoader(r.service.NextPublishAtOf),

		contentsOf: newChildren(r.service.ContentsOf),
		jobsOf: newChildren(func(ctx context.Context, p mission.Principal, ids []string, _ none, page store.Page) (map[string]store.Part[mission.Job], error) {
			return r.service.JobsOf(ctx, p, ids, page)
		}),
		eventsOf: newChildren(func(ctx context.Context, p mission.Principal, ids []string, t eventTypes, page store.Page) (map[string]store.Part[mission.Event], error) {
			return r.service.EventsOf(ctx, p, ids, store.EventFilter{Types: t.types()}, page)
		}),
		deliveriesOf: newChildren(r.webhooks.DeliveriesOf),

		contentCounts: newCounts(r.service.CountContentsOf),
		eventCounts: newCounts(func(ctx context.Context, p mission.Principal, ids []string, t eventTypes) (map[string]int, error) {
			return r.service.CountEventsOf(ctx, p, ids, t.types())
		}),
		deliveryCounts: newCounts(r.webhooks.CountDeliveriesOf),
	})
}

func newLoader[V any](fetch func(ctx context.Context, p mission.Principal, ids []string) (map[string]V, error)) *dataloadgen.Loader[string, V] {
	return dataloadgen.NewMappedLoader(func(ctx context.Context, ids []string) (map[string]V, error) {
		return fetch(ctx, caller(ctx), ids)
	}, dataloadgen.WithWait(loaderWait), dataloadgen.WithBatchCapacity(loaderBatch))
}

// newChildren loads lists that hang on records. A page that can't be had fails
// alone.
func newChildren[F comparable, V any](fetch func(ctx context.Context, p mission.Principal, ids []string, f F, page store.Page) (map[string]V, error)) *dataloadgen.Loader[child[F], V] {
	return dataloadgen.NewMappedLoader(func(ctx context.Context, keys []child[F]) (map[child[F]]V, error) {
		alike := map[child[F]][]string{}
		for _, k := range keys {
			of := k.of
			k.of = ""
			alike[k] = append(alike[k], of)
		}
		found, failed := make(map[child[F]]V, len(keys)), dataloadgen.MappedFetchError[child[F]]{}
		for k, ids := range alike {
			lists, err := fetch(ctx, caller(ctx), ids, k.filter, k.page)
			for _, id := range ids {
				k.of = id
				if err != nil {
					failed[k] = err
					continue
				}
				found[k] = lists[id]
			}
		}
		if len(failed) > 0 {
			return found, failed
		}
		return found, nil
	}, dataloadgen.WithWait(loaderWait), dataloadgen.WithBatchCapacity(loaderBatch))
}

func newCounts[F comparable](fetch func(ctx context.Context, p mission.Principal, ids []string, f F) (map[string]int, error)) *dataloadgen.Loader[child[F], int] {
	return newChildren(func(ctx context.Context, p mission.Principal, ids []string, f F, _ store.Page) (map[string]int, error) {
		return fetch(ctx, p, ids, f)
	})
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
