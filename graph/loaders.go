package graph

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"missiond/graph/node"
	"missiond/internal/service/webhooks"
	"missiond/mission"
	"missiond/mission/learning"
	"missiond/store"
)

// maxSiblings is how many records' relations one statement reads at most.
const maxSiblings = 250

// siblings are records that were read together. They are shown by the same
// selection, so what is asked of one will be asked of all: the first lookup reads
// for all of them, and none waits for others to ask.
type siblings struct{ ids []string }

// loaders read the relations of a page's records, in one statement for all of them.
// They live as long as a response and belong to its caller.
type loaders struct {
	mu       sync.Mutex
	siblings map[string]*siblings

	attempts loader[none, []mission.Attempt]
	events   loader[none, mission.Event]
	missions loader[none, mission.Mission]
	texts    loader[store.TextPage, []mission.Revision]
	records  loader[recordParts, mission.Record]
	// linkClicks are by the links' codes.
	linkClicks loader[none, map[string]int64]
	clickDays  loader[none, []mission.DayClicks]
	nextPost   loader[none, time.Time]
	learned    loader[none, learning.Learned]
	contents   loader[none, mission.Content]
	series     loader[none, []mission.Measurement]
	// whys are the reasons of posts, answerWhys those of answers to replies, and stalls those of missions.
	whys, answerWhys, stalls loader[none, mission.Why]
	healths                  loader[none, mission.Health]
	users                    loader[none, mission.User]
	lastSeen                 loader[none, time.Time]
	links                    loader[none, mission.Integration]
	// owned are the accounts of integrations, also of disconnected ones.
	owned loader[none, mission.Account]
	keys  loader[none, node.APIKey]
	media loader[none, mission.Media]
	uses  loader[none, mission.IntegrationUsage]
	// accountDays are by the range.
	accountDays loader[mission.DateRange, []mission.DayFigures]
	// reviewLinks are those that decided.
	reviewLinks loader[none, mission.ReviewLink]
	// nodes are records of any type.
	nodes loader[none, node.Node]
	// accounts are the tenant's integrations, by their platforms' names.
	accounts loader[none, []mission.Integration]

	jobPosts     loader[none, mission.JobPosts]
	jobs         loader[store.Columns, mission.Job]
	daysOf       loader[mission.FiguresFilter, []mission.Figures]
	measuredOf   loader[paged[mission.FiguresFilter], store.Listed[mission.Content]]
	commentsOf   loader[paged[none], store.Listed[mission.ReviewComment]]
	linksOf      loader[paged[none], store.Listed[mission.ReviewLink]]
	contentsOf   loader[paged[store.ContentFilter], store.Listed[mission.Content]]
	jobsOf       loader[paged[none], store.Listed[mission.Job]]
	eventsOf     loader[paged[eventTypes], store.Listed[mission.Event]]
	deliveriesOf loader[paged[mission.DeliveryFilter], store.Listed[mission.Delivery]]

	commentCounts  loader[none, int]
	linkCounts     loader[none, int]
	contentCounts  loader[store.ContentFilter, int]
	eventCounts    loader[eventTypes, int]
	deliveryCounts loader[mission.DeliveryFilter, int]
	lastErrors     loader[none, mission.Attempt]
	lastAttempts   loader[none, mission.Attempt]
	requests       loader[none, webhooks.Request]
	undelivered    loader[none, mission.UndeliveredEvents]
	// activity is of the last hours.
	activity loader[int, mission.WebhookActivity]
}

// met records that records were read together. "" is no record's id, and is left out.
func (l *loaders) met(ids []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var f *siblings
	for _, id := range ids {
		if id == "" || l.siblings[id] != nil {
			continue
		}
		if f == nil || len(f.ids) == maxSiblings {
			f = &siblings{}
		}
		f.ids = append(f.ids, id)
		l.siblings[id] = f
	}
}

func (l *loaders) siblingsOf(id string) *siblings {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.siblings[id]
	if f == nil {
		f = &siblings{ids: []string{id}}
		l.siblings[id] = f
	}
	return f
}

// loader reads a relation of records, with A as its arguments.
type loader[A comparable, V any] struct {
	fetch func(ctx context.Context, p mission.Principal, ids []string, as A) (map[string]V, error)
	mu    sync.Mutex
	reads map[siblingRead[A]]*reading[V]
}

type siblingRead[A comparable] struct {
	of *siblings
	as A
}

type reading[V any] struct {
	once  sync.Once
	found map[string]V
	err   error
}

// load returns the relation of a record; ok is false if there is none.
func (l *loader[A, V]) load(ctx context.Context, id string, as A) (v V, ok bool, err error) {
	of := loading(ctx).siblingsOf(id)
	l.mu.Lock()
	r := l.reads[siblingRead[A]{of, as}]
	if r == nil {
		r = &reading[V]{}
		if l.reads == nil {
			l.reads = map[siblingRead[A]]*reading[V]{}
		}
		l.reads[siblingRead[A]{of, as}] = r
	}
	l.mu.Unlock()
	r.once.Do(func() { r.found, r.err = l.fetch(ctx, caller(ctx), of.ids, as) })
	v, ok = r.found[id]
	return v, ok, r.err
}

// load returns the record with an id, or nil if there is none.
func load[V any](ctx context.Context, l *loader[none, V], id string) (*V, error) {
	v, ok, err := l.load(ctx, id, none{})
	if err != nil || !ok {
		return nil, err
	}
	return &v, nil
}

// loadJob returns a mission's job with the selected columns, or nil if there is
// none.
func loadJob(ctx context.Context, m mission.Mission, id string) (*node.Job, error) {
	j, ok, err := loading(ctx).jobs.load(ctx, id, jobColumns(ctx))
	if err != nil || !ok {
		return nil, err
	}
	return node.NewJob(m, j), nil
}

// plannedSlot returns the plan of a post, or nil if its job has none for it.
func plannedSlot(ctx context.Context, c *mission.Content) (*mission.Slot, error) {
	if c.JobID == "" {
		return nil, nil
	}
	j, ok, err := loading(ctx).jobs.load(ctx, c.JobID, "plan")
	if err != nil || !ok {
		return nil, err
	}
	slot, ok := j.Plan.Slot(c.Position)
	if !ok {
		return nil, nil
	}
	return &slot, nil
}

// loadUser returns the user with an id, nil for "" and for one who was removed.
func loadUser(ctx context.Context, id string) (*mission.User, error) {
	if id == "" {
		return nil, nil
	}
	return load(ctx, &loading(ctx).users, id)
}

// paged is a page of a list with its filter.
type paged[F comparable] struct {
	filter F
	page   store.Page
}

// none is the argument of a relation that takes none.
type none struct{}

// eventTypes are types separated by spaces: a slice can't be a map key.
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

// withLoaders returns ctx with loaders for one response.
func (r *Resolver) withLoaders(ctx context.Context) context.Context {
	l := &loaders{siblings: map[string]*siblings{}}
	l.missions.fetch = each(func(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Mission, error) {
		found, err := r.missions.MissionsByID(ctx, p, ids)
		l.metMissions(slices.Collect(maps.Values(found)))
		return found, err
	})
	l.jobPosts.fetch = each(r.missions.PostsOfJobs)
	l.jobs.fetch = r.missions.JobsByID
	l.texts.fetch = func(ctx context.Context, p mission.Principal, ids []string, page store.TextPage) (map[string][]mission.Revision, error) {
		found, err := r.missions.RevisionsOf(ctx, p, ids, page)
		l.metRevisions(slices.Collect(maps.Values(found))...)
		return found, err
	}
	l.records.fetch = func(ctx context.Context, p mission.Principal, ids []string, parts recordParts) (map[string]mission.Record, error) {
		return r.missions.Records(ctx, p, ids, parts.parts())
	}
	l.linkClicks.fetch = each(r.missions.LinkClicksOf)
	l.clickDays.fetch = each(r.missions.DailyClicksOf)
	l.reviewLinks.fetch = each(r.missions.ReviewLinksByID)
	l.media.fetch = each(r.media.ByID)
	l.nodes.fetch = each(func(ctx context.Context, _ mission.Principal, ids []string) (map[string]node.Node, error) {
		return r.readNodes(ctx, ids)
	})
	l.nextPost.fetch = each(r.missions.NextPublishAtOf)
	l.contents.fetch = each(func(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Content, error) {
		found, err := r.missions.ContentsByID(ctx, p, ids)
		l.metContents(slices.Collect(maps.Values(found)))
		return found, err
	})
	l.series.fetch = each(r.missions.MeasurementsOf)
	l.whys.fetch = each(r.missions.ContentWhys)
	l.answerWhys.fetch = each(r.missions.ReplyWhys)
	l.stalls.fetch = each(r.missions.MissionWhys)
	l.healths.fetch = each(r.missions.Healths)
	l.learned.fetch = each(r.missions.LearnedBy)
	l.daysOf.fetch = r.missions.DaysOf
	l.measuredOf.fetch = listed(l.metContents, r.missions.MeasuredPostsOf)
	l.contentsOf.fetch = listed(l.metContents, r.missions.ContentsOf)
	l.commentsOf.fetch = listed(l.metComments, unfiltered(r.missions.ReviewCommentsOf))
	l.commentCounts.fetch = each(r.missions.CountReviewCommentsOf)
	l.linksOf.fetch = listed(l.metReviewLinks, unfiltered(r.missions.ReviewLinksOf))
	l.linkCounts.fetch = each(r.missions.CountReviewLinksOf)
	l.jobsOf.fetch = listed(l.metJobs, unfiltered(r.missions.JobsOf))
	l.contentCounts.fetch = r.missions.CountContentsOf
	r.loadOthers(l)
	return context.WithValue(ctx, loadersKey{}, l)
}

// loadOthers says how what isn't of missions is read.
func (r *Resolver) loadOthers(l *loaders) {
	l.attempts.fetch = each(r.webhooks.AttemptsOf)
	l.events.fetch = each(r.webhooks.EventsByID)
	l.users.fetch = each(r.accounts.MembersByID)
	l.lastSeen.fetch = each(r.accounts.LastSeen)
	l.links.fetch = each(r.integrations.IntegrationsByID)
	l.owned.fetch = each(r.integrations.AccountsByID)
	l.keys.fetch = each(r.keysByID)
	l.uses.fetch = each(func(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.IntegrationUsage, error) {
		found, err := r.integrations.UsageOf(ctx, p, ids)
		var all []string
		for _, u := range found {
			all = append(all, u.MissionIDs...)
		}
		l.met(all)
		return found, err
	})
	l.accounts.fetch = each(r.integrations.AccountsOn)
	l.accountDays.fetch = r.integrations.SeriesOf
	l.eventsOf.fetch = listed(l.metEvents,
		func(
			ctx context.Context, p mission.Principal, ids []string, t eventTypes, page store.Page,
		) (map[string]store.Listed[mission.Event], error) {
			return r.webhooks.EventsOf(ctx, p, ids, store.EventFilter{Types: t.types()}, page)
		})
	l.deliveriesOf.fetch = listed(l.metDeliveries, r.webhooks.DeliveriesOf)
	l.eventCounts.fetch = func(ctx context.Context, p mission.Principal, ids []string, t eventTypes) (map[string]int, error) {
		return r.webhooks.CountEventsOf(ctx, p, ids, t.types())
	}
	l.deliveryCounts.fetch = r.webhooks.CountDeliveriesOf
	l.lastErrors.fetch = each(r.webhooks.LastErrors)
	l.lastAttempts.fetch = each(r.webhooks.LastAttempts)
	l.requests.fetch = each(r.webhooks.RequestsOf)
	l.undelivered.fetch = each(r.webhooks.UndeliveredOf)
	l.activity.fetch = r.webhooks.ActivityOf
}

// each adapts the read of a relation without arguments.
func each[V any](
	fetch func(ctx context.Context, p mission.Principal, ids []string) (map[string]V, error),
) func(context.Context, mission.Principal, []string, none) (map[string]V, error) {
	return func(ctx context.Context, p mission.Principal, ids []string, _ none) (map[string]V, error) {
		return fetch(ctx, p, ids)
	}
}

// listed adapts the read of pages of lists; it passes the records that were read to
// met.
func listed[F comparable, T any](
	met func(lists ...[]T),
	fetch func(ctx context.Context, p mission.Principal, ids []string, f F, page store.Page) (map[string]store.Listed[T], error),
) func(context.Context, mission.Principal, []string, paged[F]) (map[string]store.Listed[T], error) {
	return func(ctx context.Context, p mission.Principal, ids []string, as paged[F]) (map[string]store.Listed[T], error) {
		parts, err := fetch(ctx, p, ids, as.filter, as.page)
		all := make([][]T, len(ids))
		for i, id := range ids {
			all[i] = parts[id].List
		}
		met(all...)
		return parts, err
	}
}

// unfiltered adapts the read of pages of lists without a filter.
func unfiltered[T any](
	fetch func(ctx context.Context, p mission.Principal, ids []string, page store.Page) (map[string]store.Listed[T], error),
) func(context.Context, mission.Principal, []string, none, store.Page) (map[string]store.Listed[T], error) {
	return func(ctx context.Context, p mission.Principal, ids []string, _ none, page store.Page) (map[string]store.Listed[T], error) {
		return fetch(ctx, p, ids, page)
	}
}

// idsOf returns the ids that id finds in lists of records, "" where it finds none.
func idsOf[T any](lists [][]T, id func(*T) string) []string {
	var ids []string
	for _, list := range lists {
		for i := range list {
			ids = append(ids, id(&list[i]))
		}
	}
	return ids
}

// loading returns the response's loaders.
func loading(ctx context.Context) *loaders {
	l, _ := ctx.Value(loadersKey{}).(*loaders)
	return l
}
