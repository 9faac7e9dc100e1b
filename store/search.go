package store

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"missiond/internal/clock"
	"missiond/internal/database"
	"missiond/mission"
)

// searchBounds are the bounds of the work of a search.
type searchBounds struct {
	// counted is how many missions a search looks at for its total, looked for a
	// page.
	counted, looked int
	// sortable is how many missions are sorted for each page. Where more have a
	// word with the prefix, a longer list is read in its order.
	sortable int
}

var defaultSearchBounds = searchBounds{counted: 10_000, looked: 4000, sortable: 400}

// search reads the missions that have a word with the rarest of its prefixes, and
// checks each for the others. How rare a prefix is was counted a short time ago: it
// decides how much work the search is, and whether its results are counted, but
// not what they are.
type search struct {
	MissionFilter
	searchBounds

	tenantID, rarest string
	size             int    // how many missions have the rarest prefix, at most counted+1
	key              []byte // the key whose missions are looked at in their order; nil to sort those with the prefix
	checked          string // the prefix that all missions that are looked at have
	most             int    // how many missions are looked at for a page
}

func (db *DB) search(ctx context.Context, tenantID string, f MissionFilter) (search, error) {
	s := search{MissionFilter: f, searchBounds: db.searches, tenantID: tenantID, size: math.MaxInt}
	for _, w := range f.Words {
		n, err := db.prefixSize(ctx, tenantID, w)
		if err != nil {
			return s, err
		}
		if n < s.size || n == s.size && len(w) > len(s.rarest) {
			s.rarest, s.size = w, n
		}
	}
	key, exact := mission.ListKey(s.rarest)
	if exact || s.size > s.sortable {
		s.key = key
	}
	if s.key == nil || exact {
		s.checked = s.rarest
	}
	// What is rare is read completely.
	s.most = math.MaxInt32
	if s.key != nil && (s.checked == "" || s.size > s.looked) {
		s.most = s.looked
	}
	return s, nil
}

// prefixSize returns how many of a tenant's missions have a word with the prefix,
// at most db.searches.counted+1, as of a short time ago.
func (db *DB) prefixSize(ctx context.Context, tenantID, prefix string) (int, error) {
	key := tenantID + " " + prefix
	if n, ok := db.sizes.get(key); ok {
		return n, nil
	}
	var n int
	err := database.Scan(ctx, db.read, db.NewSelect().ColumnExpr("count(*)").
		TableExpr("(?) AS mn", withPrefix(db.Builder, tenantID, prefix).ColumnExpr("1").Limit(int64(db.searches.counted)+1)), &n)
	if err == nil {
		db.sizes.put(key, n)
	}
	return n, err
}

// withPrefix begins a query of the missions that have a word with the prefix, each
// once.
func withPrefix(b database.Builder, tenantID, prefix string) *bun.SelectQuery {
	return b.NewSelect().Model((*missionNameRow)(nil)).Where("mn.tenant_id = ?", tenantID).
		Where("mn.key >= ?", []byte(prefix)).Where("mn.key < ?", following(prefix)).
		Where("mn.shared < ?", database.Int(len(prefix)))
}

// following returns the upper bound, in bytes, of the words that begin with
// word: UTF-8 has no byte 0xff.
func following(word string) []byte { return append([]byte(word), 0xff) }

// found is the order of a search's results: ids are in the order of creation.
var found = keyset{table: "missions", noun: "mission", id: "mn.mission_id"}

// candidates returns the query of the missions that are looked at for a page.
func (s search) candidates(b database.Builder, p Page) *bun.SelectQuery {
	var q *bun.SelectQuery
	if s.key == nil {
		q = withPrefix(b, s.tenantID, s.rarest)
	} else {
		q = b.NewSelect().Model((*missionNameRow)(nil)).Where("mn.tenant_id = ?", s.tenantID).Where("mn.key = ?", s.key)
	}
	for _, cursor := range []string{p.After, p.Before} {
		if cursor != "" {
			q.Where("EXISTS (?)", found.lookup(s.tenantID, cursor))
		}
	}
	p.Limit = s.most - 1
	return bounds{keyset: found, Page: p}.bound(q.Column("mission_id", "words"))
}

// match returns the condition on a mission that is looked at, if all have a word
// with the prefix checked. Subqueries for single values leave Postgres no plan that
// reads other missions.
func (s search) match(checked string) schema.QueryWithArgs {
	parts, args := []string{"1 = 1"}, []any(nil)
	add := func(part string, arg any) { parts, args = append(parts, part), append(args, arg) }
	for _, w := range s.Words {
		if w != checked {
			add("mn.words LIKE ?", "% "+w+"%")
		}
	}
	if s.Status != "" {
		add("(SELECT fm.status FROM missions AS fm WHERE fm.id = mn.mission_id) = ?", s.Status)
	}
	if s.Platform != "" {
		add("(SELECT count(*) FROM mission_platforms AS fp WHERE fp.mission_id = mn.mission_id AND fp.platform = ?) = 1", s.Platform)
	}
	return bun.SafeQuery(strings.Join(parts, " AND "), args...)
}

// count returns the query of the number of results, or of Uncounted.
func (s search) count(b database.Builder) *bun.SelectQuery {
	looked := withPrefix(b, s.tenantID, s.rarest).Column("mission_id", "words").Limit(int64(s.counted) + 1)
	return b.NewSelect().ColumnExpr("CASE WHEN count(*) > ? THEN ? ELSE count(*) FILTER (WHERE ?) END", database.Int(s.counted), Uncounted, s.match(s.rarest)).TableExpr("(?) AS mn", looked)
}

// searchMissions is Missions for a filter with words.
func (db *DB) searchMissions(ctx context.Context, tenantID string, f MissionFilter, p Page) (listed Listed[mission.Mission], err error) {
	s, err := db.search(ctx, tenantID, f)
	if err != nil {
		return listed, err
	}
	q := missionsOf(db.Builder, db.NewSelect().Model((*listedMission)(nil)), "mn.mission_id", "(?) AS mn", s.candidates(db.Builder, p))
	p.Columns.of("m", q.Where("?", s.match(s.checked)), "tenant_id", "created_at")
	counted := p.Total && s.size <= s.counted
	if counted {
		q.ColumnExpr("(?) AS total", s.count(db.Builder))
	}
	total, ends := Uncounted, p
	ends.After, ends.Before = "", ""
	var rows []*listedMission
	if err := database.Scan(ctx, db.read, (bounds{keyset: found, Page: ends}).bound(q), &rows); err != nil {
		return listed, err
	}
	listed = newPart(rows, p, func(r listedMission) mission.Mission {
		if counted {
			total = r.Total
		}
		return r.mission()
	})
	listed.Total = total
	if len(rows) == 0 && counted {
		listed.Total, err = db.countResults(ctx, s)
	}
	if err == nil && !listed.More && s.most == s.looked {
		listed.Next, err = db.lastLooked(ctx, s, p)
		listed.More = listed.Next != ""
	}
	if err == nil && len(rows) == 0 && p.After+p.Before != "" {
		err = db.checkCursors(ctx, found, tenantID, p)
	}
	return listed, err
}

// lastLooked returns the last mission that was looked at for a page, if there may
// be more; "" if all were.
func (db *DB) lastLooked(ctx context.Context, s search, p Page) (id string, err error) {
	err = database.Scan(ctx, db.read, db.NewSelect().TableExpr("(?) AS mn", s.candidates(db.Builder, p)).Column("mission_id").Offset(int64(s.looked)-1).Limit(1), &id)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return id, err
}

// countSearch is CountMissions for a filter with words.
func (db *DB) countSearch(ctx context.Context, tenantID string, f MissionFilter) (int, error) {
	s, err := db.search(ctx, tenantID, f)
	if err != nil {
		return 0, err
	}
	return db.countResults(ctx, s)
}

func (db *DB) countResults(ctx context.Context, s search) (n int, err error) {
	if s.size > s.counted {
		return Uncounted, nil
	}
	err = database.Scan(ctx, db.read, s.count(db.Builder), &n)
	return n, err
}

// sizes remembers, for a short time, how many missions have words with a prefix.
// It is safe for concurrent use.
type sizes struct {
	mu    sync.Mutex
	known map[string]sized
}

type sized struct {
	n  int
	at time.Duration // the process's time
}

const (
	maxSizes = 10_000
	sizeTTL  = time.Minute
)

func (s *sizes) get(key string) (n int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.known[key]
	return known.n, ok && clock.Running()-known.at < sizeTTL
}

func (s *sizes) put(key string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil || len(s.known) >= maxSizes {
		s.known = map[string]sized{}
	}
	s.known[key] = sized{n, clock.Running()}
}
