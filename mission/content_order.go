package mission

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// ContentOrder is the order of a list of posts.
type ContentOrder string

// The orders of a list of posts. Posts without the time that the order is by aren't in
// the list.
const (
	OrderCreated   ContentOrder = "created"   // newest first
	OrderScheduled ContentOrder = "scheduled" // earliest slot first
	OrderPublished ContentOrder = "published" // latest publication first
	OrderDeadline  ContentOrder = "deadline"  // of posts that wait for review, the first to expire first
)

// The orders by a figure, the highest first, which lists of published posts have. Posts
// whose platform hasn't reported it come last.
const (
	OrderImpressions    = ContentOrder(Impressions)
	OrderClicks         = ContentOrder(Clicks)
	OrderLikes          = ContentOrder(Likes)
	OrderComments       = ContentOrder(Comments)
	OrderShares         = ContentOrder(Shares)
	OrderEngagementRate = ContentOrder(EngagementRate)
)

// AllContentOrders lists the orders.
func AllContentOrders() []ContentOrder {
	return []ContentOrder{
		OrderCreated, OrderScheduled, OrderPublished, OrderDeadline,
		OrderImpressions, OrderClicks, OrderLikes, OrderComments, OrderShares, OrderEngagementRate,
	}
}

// Figure returns the metric that the order is by; ok is false if it is by a time.
func (o ContentOrder) Figure() (m Metric, ok bool) {
	switch o {
	case OrderImpressions, OrderClicks, OrderLikes, OrderComments, OrderShares, OrderEngagementRate:
		return Metric(o), true
	default:
		return "", false
	}
}

// Unreported is the figure in whose place a post is in an order whose figure isn't known of it.
const Unreported = -1

// Ordered returns the figure that a post is ordered by.
func (m Metrics) Ordered(by Metric) float64 {
	if v, ok := m[by]; ok {
		return v
	}
	return Unreported
}

// Ascending reports whether the earliest come first.
func (o ContentOrder) Ascending() bool { return o == OrderScheduled || o == OrderDeadline }

// Only returns the one state whose posts are in lists of the order; "" if those of several
// are.
func (o ContentOrder) Only() ContentStatus {
	_, figure := o.Figure()
	switch {
	case o == OrderPublished, figure:
		return ContentPublished
	case o == OrderDeadline:
		return ContentPendingReview
	default:
		return ""
	}
}

// Span is the time from From up to, not including, Until; nil is no bound.
type Span struct{ From, Until *time.Time }

// Bounded reports whether the span has a bound.
func (s Span) Bounded() bool { return s.From != nil || s.Until != nil }

// Stored returns the span of the same stored times, which are whole milliseconds.
func (s Span) Stored() Span {
	up := func(t *time.Time) *time.Time {
		if t == nil {
			return nil
		}
		at := Millis(t.Add(time.Millisecond - 1))
		return &at
	}
	return Span{From: up(s.From), Until: up(s.Until)}
}

// check returns an error if the span begins after its end, or if a bound isn't within
// the years that databases store with four digits. name is the beginning of the names
// of its parameters. Errors: invalid_request.
func (s Span) check(name string) error {
	for _, end := range []struct {
		param string
		at    *time.Time
	}{{name + "_from", s.From}, {name + "_to", s.Until}} {
		if end.at != nil && (end.at.UTC().Year() < firstYear || end.at.UTC().Year() > lastYear) {
			return Invalid(end.param, "The time must be in the years %d to %d.", firstYear, lastYear)
		}
	}
	if s.From != nil && s.Until != nil && s.From.After(*s.Until) {
		return Invalid(name+"_from", "The range must not begin after its end.")
	}
	return nil
}

// ContentQuery selects posts of a tenant and their order; an empty field doesn't
// filter, and an empty order is OrderCreated.
type ContentQuery struct {
	MissionID     string
	Platform      Platform
	IntegrationID string
	Statuses      []ContentStatus
	// Scheduled and Published are spans of the posts' slots and publications.
	Scheduled, Published Span
	// Search has words, between spaces, all of which the posts' texts or first comments
	// contain.
	Search string
	Order  ContentOrder
}

// Whole reports whether the query selects posts by mission, platform and state alone, of
// which there are counters.
func (q ContentQuery) Whole() bool {
	return q.IntegrationID == "" && !q.Scheduled.Bounded() && !q.Published.Bounded() && q.Search == ""
}

// MaxContentSearch is how many characters a search of posts has at most.
const MaxContentSearch = 100

// tidySearch returns a search without the spaces around and between its words. Errors:
// invalid_request on search.
func tidySearch(text string) (string, error) {
	words := strings.Fields(text)
	text = strings.Join(words, " ")
	switch {
	case !utf8.ValidString(text):
		return "", Invalid("search", "The search must be valid UTF-8.")
	case utf8.RuneCountInString(text) > MaxContentSearch:
		return "", Invalid("search", "The search must have at most %d characters.", MaxContentSearch)
	case len(words) > maxSearchWords:
		return "", Invalid("search", "The search must have at most %d words.", maxSearchWords)
	}
	return text, nil
}

// checkStatuses returns an error if one of the states of a filter is unknown. Errors:
// invalid_request on status.
func checkStatuses(statuses []ContentStatus) error {
	for _, s := range statuses {
		if !slices.Contains(AllContentStatuses(), s) {
			return Invalid("status", "Unknown state %q: must be one of %s.", s, list(AllContentStatuses()))
		}
	}
	return nil
}

// Check returns the query in its stored form. It doesn't look up the mission and the
// account. Errors: invalid_request, naming the parameter.
func (q ContentQuery) Check() (ContentQuery, error) {
	if err := CheckPlatform("platform", q.Platform); q.Platform != "" && err != nil {
		return q, err
	}
	if err := checkStatuses(q.Statuses); err != nil {
		return q, err
	}
	if q.Order == "" {
		q.Order = OrderCreated
	}
	if !slices.Contains(AllContentOrders(), q.Order) {
		return q, Invalid("order", "Unknown order %q: must be one of %s.", q.Order, list(AllContentOrders()))
	}
	if err := q.Scheduled.check("scheduled"); err != nil {
		return q, err
	}
	if err := q.Published.check("published"); err != nil {
		return q, err
	}
	search, err := tidySearch(q.Search)
	if err != nil {
		return q, err
	}
	q.Search = search
	q.Statuses = slices.Clone(q.Statuses)
	slices.Sort(q.Statuses)
	q.Statuses = slices.Compact(q.Statuses)
	q.Scheduled, q.Published = q.Scheduled.Stored(), q.Published.Stored()
	return q, nil
}
