package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/internal/textindex"
	"missiond/mission"
)

// textBounds are the bounds of the work of a search of posts.
type textBounds struct {
	// glanced is how many posts of the list are looked at first: those of a common word are
	// found there.
	glanced int
	// sortable is how many posts with the grams of the words are sorted for a page. Where
	// more have them, the list is looked through.
	sortable int
	// looked is how many posts of the list are looked at for a page then.
	looked int
}

var defaultTextBounds = textBounds{glanced: 500, sortable: 2000, looked: 5000}

// contentSearch looks for the posts of a list whose texts contain each of the words.
//
// There are two ways to them. The list's posts are looked at in its order, which is quick if
// many contain the words; or those with the words' grams are taken from the index and sorted,
// which is quick if few have them. Neither is quick for words that many posts contain, but
// none of those that come next: then a page ends after looked posts, with a cursor from
// which the search goes on.
type contentSearch struct {
	contentList
	textBounds

	words []string
	grams grams
}

func (db *DB) contentSearch(ctx context.Context, l contentList) (s contentSearch, err error) {
	words := textindex.Words(l.Search)
	l.Search = "" // the list that is looked through is that without it
	if db.branches(l.ContentQuery) {
		if l.by, err = db.walked(ctx, l.tenantID, l.ContentQuery); err != nil {
			return s, err
		}
	}
	return contentSearch{contentList: l, textBounds: db.texts, words: words, grams: textindex.Grams(l.tenantID, words...)}, nil
}

// searchContents is ListContents for a list with a search. Errors: the same.
func (db *DB) searchContents(ctx context.Context, l contentList, p Page) (listed Listed[mission.Content], err error) {
	s, err := db.contentSearch(ctx, l)
	if err != nil {
		return listed, err
	}
	listed, err = db.lookThrough(ctx, s, p, s.glanced)
	if err != nil || listed.Next == "" {
		return listed, err
	}
	rare, err := db.rare(ctx, s)
	switch {
	case err != nil:
		return listed, err
	case rare:
		ids := contentKeyset(s.Order, "part.at", "part.id").page(s.tenantID, p).bound(s.indexed(db).Column("part.id", "part.at"))
		return db.contentsIn(ctx, s.contentList, ids, p)
	default:
		return db.lookThrough(ctx, s, p, s.looked)
	}
}

// lookThrough returns a page of what is found among the next posts of the list, at most as
// many as most. If there may be more, and the page isn't full, it has a cursor.
func (db *DB) lookThrough(ctx context.Context, s contentSearch, p Page, most int) (Listed[mission.Content], error) {
	next := p
	next.Limit = most - 1 // a page's query reads one more
	ends := Page{Limit: p.Limit, Backward: p.Backward, Oldest: p.Oldest}
	ids := contentKeyset(s.Order, "part.at", "part.id").page(s.tenantID, ends).bound(s.matching(db, next).Column("part.id", "part.at"))
	listed, err := db.contentsIn(ctx, s.contentList, ids, p)
	if err != nil || listed.More {
		return listed, err
	}
	looked := db.NewSelect().TableExpr("(?) AS part", s.ids(db, next)).Column("part.id")
	last := contentKeyset(s.Order, "part.at", "part.id").page(s.tenantID, ends).bound(looked).Offset(int64(most) - 1).Limit(1)
	if err := database.Scan(ctx, db.read, last, &listed.Next); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return listed, err
	}
	listed.More = listed.Next != ""
	return listed, nil
}

// matching returns the query of those posts of a page of the list that contain the words.
func (s contentSearch) matching(db *DB, p Page) *bun.SelectQuery {
	q := db.NewSelect().TableExpr("(?) AS part", s.ids(db, p)).Join("JOIN content_texts AS t ON t.content_id = part.id")
	return s.contain(db, q)
}

// contain adds the condition that a text contains the words.
func (s contentSearch) contain(db *DB, q *bun.SelectQuery) *bun.SelectQuery {
	for _, w := range s.words {
		q.Where("?(t.folded, ?) > 0", bun.Safe(db.words.position), w)
	}
	return q
}

// withGrams returns the query of the tenant's posts with the grams of the words.
func (s contentSearch) withGrams(db *DB) *bun.SelectQuery {
	// An expression, so that no plan reads all of the tenant's posts.
	return db.NewSelect().TableExpr("content_texts AS t").Where(db.words.withGrams, s.grams).Where("t.tenant_id || '' = ?", s.tenantID)
}

// rare reports whether so few posts have the grams of the words that they can be sorted, as
// of a short time ago.
func (db *DB) rare(ctx context.Context, s contentSearch) (bool, error) {
	if len(s.grams) == 0 {
		return false, nil
	}
	key := s.tenantID + "\x00" + s.grams.words()
	if n, ok := db.sizes.get(key); ok {
		return n <= s.sortable, nil
	}
	var n int
	some := s.withGrams(db).ColumnExpr("1").Limit(int64(s.sortable) + 1)
	err := database.Scan(ctx, db.read, db.NewSelect().ColumnExpr("count(*)").TableExpr("(?) AS t", some), &n)
	if err == nil {
		db.sizes.put(key, n)
	}
	return n <= s.sortable, err
}

// indexed returns the query of all posts that are found, as part, from the index.
func (s contentSearch) indexed(db *DB) *bun.SelectQuery {
	column := bun.Safe("c." + contentColumns[s.Order])
	texts := s.contain(db, s.withGrams(db)).Column("t.content_id")
	found := func(q *bun.SelectQuery) *bun.SelectQuery {
		return s.where(q, s.Order).ColumnExpr("c.id, ? AS at", column).Where("c.id = t.content_id")
	}
	if !db.Lateral() {
		// SQLite reads what is on the left of CROSS JOIN first.
		posts := db.NewSelect().TableExpr("(?) AS t", texts).Join("CROSS JOIN contents AS c")
		return db.NewSelect().TableExpr("(?) AS part", found(posts))
	}
	// OFFSET 0 leaves Postgres no plan that reads the list.
	posts := found(db.NewSelect().TableExpr("contents AS c"))
	return db.NewSelect().TableExpr("(? OFFSET 0) AS t", texts).Join("CROSS JOIN LATERAL (? OFFSET 0) AS part", posts)
}

// countFound is CountListed for a list with a search: Uncounted if many posts have the
// grams of the words, unless the list is short. Errors: as for ListContents.
func (db *DB) countFound(ctx context.Context, l contentList) (n int, err error) {
	s, err := db.contentSearch(ctx, l)
	if err != nil {
		return 0, err
	}
	rare, err := db.rare(ctx, s)
	if err != nil {
		return 0, err
	}
	found := s.indexed(db)
	if !rare {
		if n, err = s.count(ctx, db, s.looked); err != nil || n > s.looked {
			return Uncounted, err
		}
		found = s.matching(db, Page{Limit: s.looked})
	}
	err = database.Scan(ctx, db.read, db.NewSelect().ColumnExpr("count(*)").TableExpr("(?) AS found", found.ColumnExpr("1")), &n)
	return n, err
}
