package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"missiond/mission"
	"missiond/store"
)

// Bounds of the lists of a post's history.
const (
	maxTexts   = 101
	maxReviews = 200
)

// textPage returns the page of a post's texts that first and before select. Errors: invalid_request.
func textPage(first, before *int) (page store.TextPage, err error) {
	if page.Most, err = bounded("first", first, maxTexts); err == nil {
		page.Before, err = bounded("before", before, 0)
	}
	return page, err
}

// bounded returns an argument, which may be from 1 to most, 0 for any; 0 if it is nil. Errors: invalid_request.
func bounded(param string, n *int, most int) (int, error) {
	switch {
	case n == nil:
		return 0, nil
	case most > 0 && (*n < 1 || *n > most):
		return 0, mission.Invalid(param, "%s must be 1 to %d.", param, most)
	case *n < 1:
		return 0, mission.Invalid(param, "%s must be 1 or more.", param)
	}
	return *n, nil
}

// recordParts are the parts of a record that are selected, and how many of its texts and decisions; 0 for all.
type recordParts struct {
	texts, share, reviews bool
	last                  int
}

// selectedParts returns the parts of the record being resolved that its selection needs. Errors: invalid_request.
func selectedParts(ctx context.Context, last *int) (p recordParts, err error) {
	if p.last, err = bounded("last", last, maxReviews); err != nil {
		return p, err
	}
	for _, f := range graphql.CollectFieldsCtx(ctx, []string{"ContentRecord"}) {
		p.texts = p.texts || f.Name == "revisions"
		p.share = p.share || f.Name == "writerShare"
		p.reviews = p.reviews || f.Name == "reviews"
	}
	return p, nil
}

// parts are what is read. Decisions that were made before they were recorded are in the texts, and so is the writer's share.
func (p recordParts) parts() store.RecordParts {
	parts := store.RecordParts{Reviews: p.reviews}
	switch {
	case p.share || p.reviews:
		parts.Texts = &store.TextPage{}
	case p.texts:
		parts.Texts = &store.TextPage{Most: p.last}
	}
	return parts
}

// of returns a record without what isn't asked for.
func (p recordParts) of(r mission.Record) mission.Record {
	if p.last > 0 {
		r.Revisions, r.Reviews = latest(r.Revisions, p.last), latest(r.Reviews, p.last)
	}
	return r
}

// latest returns the last n of a list.
func latest[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }
