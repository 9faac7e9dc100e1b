package store_test

import (
	"database/sql"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// What is written in a mission counts, what nobody can read any more is deleted, and a mission's texts go with it but for
// the records that are kept of it.
func TestTextsAreCounted(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		used := func() (n int64) {
			t.Helper()
			n, err := f.db.TextBytes(ctx, f.tenant.ID)
			f.must(err)
			return n
		}
		m := f.mission(nil)
		posts := f.posts(f.job(m))
		want := int64(0)
		for _, c := range posts {
			want += int64(c.TextBytes())
		}
		equal(t, "written", []int64{used()}, []int64{want})

		c := posts[0]
		for range 104 {
			w := mission.Wording{Draft: mission.Draft{Format: mission.FormatPost, Text: "Another text"}, AuthorID: f.user.ID}
			ch, err := c.Revise(w, false, start, mission.ReviewTime{}, start)
			f.must(err)
			f.must(f.tx(func(tx store.Tx) error { return tx.ReviseContent(ctx, ch) }))
			c, want = ch.To, want+int64(ch.To.TextBytes())
		}
		kept, err := f.db.RevisionsOf(ctx, f.tenant.ID, []string{c.ID}, store.TextPage{})
		f.must(err)
		old, err := f.db.RevisionsOf(ctx, f.tenant.ID, []string{c.ID}, store.TextPage{Before: 5})
		f.must(err)
		equal(t, "earlier texts, and those of the first four", []int{len(kept[c.ID]), len(old[c.ID])}, []int{100, 0})

		comment, said, err := c.NewReviewComment(f.db.NewID(mission.PrefixComment, start), mission.ReviewCommentInput{Text: "Some words"}, f.user.ID, 0, start)
		f.must(err)
		f.must(f.tx(func(tx store.Tx) error { return tx.AddReviewComment(ctx, comment, said) }))
		equal(t, "revised and commented", []int64{used()}, []int64{want + int64(comment.TextBytes())})

		record := mission.Record{ContentID: c.ID, Mission: mission.RecordMission{ID: m.ID}, Revisions: []mission.RecordText{{Text: "Another text"}}}
		f.must(f.tx(func(tx store.Tx) error {
			return tx.AddRecords(ctx, f.tenant.ID, []mission.Record{record}, start.Add(mission.RecordLife))
		}))
		f.must(f.tx(func(tx store.Tx) error { return tx.DeleteMission(ctx, m) }))
		if n := used(); n < int64(len("Another text")) || n > 4096 {
			t.Errorf("with the mission deleted %d bytes are used, and want the record's", n)
		}
		f.must(f.tx(func(tx store.Tx) error {
			n, err := tx.DropRecords(ctx, start.Add(mission.RecordLife+time.Hour), 10)
			equal(t, "dropped", []int{n}, []int{1})
			return err
		}))
		equal(t, "in the end", []int64{used()}, []int64{0})
	})
}

// The texts that were there before they were counted count.
func TestTextsOfBefore(t *testing.T) {
	testkit.Full(t)
	eachRaw(t, testkit.PostgresURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		posts := f.posts(f.job(f.mission(nil)))
		before, err := f.db.TextBytes(ctx, f.tenant.ID)
		f.must(err)
		for _, q := range downTo(t, 78) {
			_, err := raw.ExecContext(ctx, q)
			f.must(err)
		}
		f.must(f.db.Migrate(ctx))
		after, err := f.db.TextBytes(ctx, f.tenant.ID)
		f.must(err)
		if about := int64(64 * len(posts)); after < before-about || after > before+about { // what JSON adds
			t.Errorf("%d bytes are counted of before, and want about %d", after, before)
		}
	})
}
