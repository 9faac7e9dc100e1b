package graph

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"missiond/graph/node"
	"missiond/mission"
	"missiond/store"
)

// maxFamily bounds for how many records one statement reads what hangs on them.
const maxFamily = 250

// family are records that were read together: what is asked of one of them will
// be asked of all, for they are shown by the same selection. So the first that
// is asked has it read for all, and no one waits for others to ask.
type family struct{ ids []string }

// loaders read what records of a page hang on, in one statement for all of
// them. They live as long as an answer and belong to its caller.
type loaders struct {
	mu       sync.Mutex
	families map[string]*family

	attempts loader[none, []mission.Attempt]
	events   loader[none, mission.Event]
	missions loader[none, mission.Mission]
	texts    loader[none, []mission.Revision]
	nextPost loader[none, time.Time]
	contents loader[none, mission.Content]
	series   loader[none, []mission.Measurement]
	// connected tells of platforms, by their names.
	connected loader[none, bool]

	jobs         loader[store.Columns, mission.Job]
	daysOf       loader[mission.DateRange, []mission.Figures]
	measuredOf   loader[paged[mission.DateRange], store.Part[mission.Content]]
	contentsOf   loader[paged[store.ContentFilter], store.Part[mission.Content]]
	jobsOf       loader[paged[none], store.Part[mission.Job]]
	eventsOf     loader[paged[eventTypes], store.Part[mission.Event]]
	deliveriesOf loader[paged[mission.DeliveryStatus], store.Part[mission.Delivery]]

	contentCounts  loader[store.ContentFilter, int]
	eventCounts    loader[eventTypes, int]
	deliveryCounts loader[mission.DeliveryStatus, int]
}

// met remembers that records were read together.
func (l *loaders) met(ids []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var f *family
	for _, id := range ids {
		if l.families[id] != nil {
			continue
		}
		if f == nil || len(f.ids) == maxFamily {
			f = &family{}
		}
		f.ids = append(f.ids, id)
		l.families[id] = f
	}
}

func (l *loaders) familyOf(id string) *family {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.families[id]
	if f == nil {
		f = &family{ids: []string{id}}
		l.families[id] = f
	}
	return f
}

// loader reads something that hangs on records, as asked for by A.
type loader[A comparable, V any] struct {
	fetch func(ctx context.Context, p mission.Principal, ids []string, as A) (map[string]V, error)
	mu    sync.Mutex
	reads map[familyRead[A]]*reading[V]
}

type familyRead[A comparable] struct {
	of *family
	as A
}

type reading[V any] struct {
	once  sync.Once
	found map[string]V
	err   error
}

// load returns what hangs on a record; ok is false where nothing does.
func (l *loader[A, V]) load(ctx context.Context, id string, as A) (v V, ok bool, err error) {
	of := loading(ctx).familyOf(id)
	l.mu.Lock()
	r := l.reads[familyRead[A]{of, as}]
	if r == nil {
		r = &reading[V]{}
		if l.reads == nil {
			l.reads = map[familyRead[A]]*reading[V]{}
		}
		l.reads[familyRead[A]{of, as}] = r
	}
	l.mu.Unlock()
	r.once.Do(func() { r.found, r.err = l.fetch(ctx, caller(ctx), of.ids, as) })
	v, ok = r.found[id]
	return v, ok, r.err
}

// load returns the record with an id, or nil where there is none.
func load[V any](ctx context.Context, l *loader[none, V], id string) (*V, error) {
	v, ok, err := l.load(ctx, id, none{})
	if err != nil || !ok {
		return nil, err
	}
	return &v, nil
}

// loadJob returns a job of a mission's, with what is shown of it, or nil where
// there is none.
func loadJob(ctx context.Context, m mission.Mission, id string) (*node.Job, error) {
	j, ok, err := loading(ctx).jobs.load(ctx, id, jobColumns(ctx))
	if err != nil || !ok {
		return nil, err
	}
	return node.NewJob(m, j), nil
}

// paged is a page of a list, and what is picked of it.
type paged[F comparable] struct {
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
	l := &loaders{families: map[string]*family{}}
	l.attempts.fetch = each(r.webhooks.AttemptsOf)
	l.events.fetch = each(r.service.EventsByID)
	l.missions.fetch = each(func(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Mission, error) {
		found, err := r.service.MissionsByID(ctx, p, ids)
		l.metMissions(slices.Collect(maps.Values(found)))
		return found, err
	})
	l.jobs.fetch = r.service.JobsByID
	l.texts.fetch = each(r.service.RevisionsOf)
	l.nextPost.fetch = each(r.service.NextPublishAtOf)
	l.contents.fetch = each(func(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Content, error) {
		found, err := r.service.ContentsByID(ctx, p, ids)
		l.metContents(slices.Collect(maps.Values(found)))
		return found, err
	})
	l.series.fetch = each(r.service.MeasurementsOf)
	l.connected.fetch = each(r.integrations.ConnectedOn)
	l.daysOf.fetch = r.service.DaysOf
	l.measuredOf.fetch = listed(l.metContents, r.service.MeasuredPostsOf)
	l.contentsOf.fetch = listed(l.metContents, r.service.ContentsOf)
	l.jobsOf.fetch = listed(l.metJobs, func(ctx context.Context, p mission.Principal, ids []string, _ none, page store.Page) (map[string]store.Part[mission.Job], error) {
		return r.service.JobsOf(ctx, p, ids, page)
	})
	l.eventsOf.fetch = listed(l.metEvents, func(ctx context.Context, p mission.Principal, ids []string, t eventTypes, page store.Page) (map[string]store.Part[mission.Event], error) {
		return r.service.EventsOf(ctx, p, ids, store.EventFilter{Types: t.types()}, page)
	})
	l.deliveriesOf.fetch = listed(l.metDeliveries, r.webhooks.DeliveriesOf)
	l.contentCounts.fetch = r.service.CountContentsOf
	l.eventCounts.fetch = func(ctx context.Context, p mission.Principal, ids []string, t eventTypes) (map[string]int, error) {
		return r.service.CountEventsOf(ctx, p, ids, t.types())
	}
	l.deliveryCounts.fetch = r.webhooks.CountDeliveriesOf
	return context.WithValue(ctx, loadersKey{}, l)
}

// each reads what there is but one of.
func each[V any](fetch func(ctx context.Context, p mission.Principal, ids []string) (map[string]V, error)) func(context.Context, mission.Principal, []string, none) (map[string]V, error) {
	return func(ctx context.Context, p mission.Principal, ids []string, _ none) (map[string]V, error) {
		return fetch(ctx, p, ids)
	}
}

// listed reads pages of lists, whose records have then met.
func listed[F comparable, T any](met func([]T), fetch func(ctx context.Context, p mission.Principal, ids []string, f F, page store.Page) (map[string]store.Part[T], error)) func(context.Context, mission.Principal, []string, paged[F]) (map[string]store.Part[T], error) {
	return func(ctx context.Context, p mission.Principal, ids []string, as paged[F]) (map[string]store.Part[T], error) {
		parts, err := fetch(ctx, p, ids, as.filter, as.page)
		var all []T
		for _, id := range ids {
			all = append(all, parts[id].List...)
		}
		met(all)
		return parts, err
	}
}

// idsOf returns the ids that records have of something; "" is none.
func idsOf[T any](list []T, id func(T) string) []string {
	ids := make([]string, 0, len(list))
	for _, v := range list {
		if one := id(v); one != "" {
			ids = append(ids, one)
		}
	}
	return ids
}

func (l *loaders) metMissions(list []mission.Mission) {
	l.met(idsOf(list, func(m mission.Mission) string { return m.ID }))
	l.met(idsOf(list, func(m mission.Mission) string { return orEmpty(m.PipelineJobID) }))
}

func (l *loaders) metContents(list []mission.Content) {
	l.met(idsOf(list, func(c mission.Content) string { return c.ID }))
	l.met(idsOf(list, func(c mission.Content) string { return c.MissionID }))
	l.met(idsOf(list, func(c mission.Content) string { return c.JobID }))
}

func (l *loaders) metJobs(list []mission.Job) {
	l.met(idsOf(list, func(j mission.Job) string { return j.MissionID }))
}

func (l *loaders) metEvents(list []mission.Event) {
	l.met(idsOf(list, func(e mission.Event) string { return e.MissionID }))
}

func (l *loaders) metDeliveries(list []mission.Delivery) {
	l.met(idsOf(list, func(d mission.Delivery) string { return d.ID }))
	l.met(idsOf(list, func(d mission.Delivery) string { return d.EventID }))
	l.met(idsOf(list, func(d mission.Delivery) string { return d.MissionID }))
}

func (l *loaders) metWebhooks(list []mission.Webhook) {
	l.met(idsOf(list, func(w mission.Webhook) string { return w.ID }))
}

// loading returns the answer's loaders.
func loading(ctx context.Context) *loaders {
	l, _ := ctx.Value(loadersKey{}).(*loaders)
	return l
}
