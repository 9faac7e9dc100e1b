package store

import (
	"context"
	"strconv"
	"strings"

	"github.com/uptrace/bun"
	bundialect "github.com/uptrace/bun/dialect"
	"github.com/uptrace/bun/schema"

	"missiond/internal/database"
	"missiond/internal/textindex"
	"missiond/mission"
)

// contentTextRow is what searches find a post by. It is a table of its own, since a post
// changes often and its text seldom, and the index has a hundred entries for each text.
type contentTextRow struct {
	bun.BaseModel `bun:"table:content_texts,alias:t"`

	ContentID string `bun:",pk"`
	TenantID  string
	Folded    string
	Grams     grams
}

// grams are textindex's, as the databases index them: Postgres has a list of numbers,
// SQLite a text of as many words.
type grams []int32

var _ schema.QueryAppender = grams(nil)

// AppendQuery appends the grams as a text.
func (g grams) AppendQuery(gen schema.QueryGen, b []byte) ([]byte, error) {
	d := gen.Dialect()
	if d.Name() != bundialect.PG {
		return d.AppendString(b, g.words()), nil
	}
	text := []byte{'{'}
	for i, n := range g {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, int64(n), 10)
	}
	return d.AppendString(b, string(append(text, '}'))), nil
}

// words returns the grams as SQLite's index has them.
func (g grams) words() string {
	words := make([]string, len(g))
	for i, n := range g {
		words[i] = strconv.FormatUint(uint64(uint32(n)), 36)
	}
	return strings.Join(words, " ")
}

// newTextRow returns what searches find a post by: its texts and its first comment.
func newTextRow(c mission.Content) contentTextRow {
	texts := c.Texts()
	if c.Comment != nil {
		texts = append(texts[:len(texts):len(texts)], c.Comment.Text)
	}
	folded := textindex.Fold(strings.Join(texts, "\n"))
	return contentTextRow{ContentID: c.ID, TenantID: c.TenantID, Folded: folded, Grams: textindex.Grams(c.TenantID, folded)}
}

// setTexts returns the write that has searches find posts by their texts, and not by
// those that they had.
func (tx Tx) setTexts(posts ...mission.Content) database.Query {
	rows := make([]contentTextRow, len(posts))
	for i, c := range posts {
		rows[i] = newTextRow(c)
	}
	return tx.NewInsert().Model(&rows).On("CONFLICT (content_id) DO UPDATE").Set("folded = EXCLUDED.folded").Set("grams = EXCLUDED.grams")
}

// fillTexts has searches find the posts that are there by their texts. It commits often,
// and completes what an earlier call began.
func (db *DB) fillTexts(ctx context.Context) error {
	const some = 500
	for last, n := "", some; n == some; {
		err := db.Tx(ctx, func(tx Tx) error {
			posts, err := findAll(ctx, tx.on, tx.locking().Column("id", "tenant_id", "body", "parts", "first_comment").
				Where("c.id > ?", last).OrderExpr("c.id").Limit(some), contentRow.content)
			if n = len(posts); err != nil || n == 0 {
				return err
			}
			last = posts[n-1].ID
			return tx.write(ctx, tx.setTexts(posts...))
		})
		if err != nil {
			return err
		}
	}
	return nil
}
