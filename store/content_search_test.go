package store_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"missiond/internal/testkit"
	"missiond/internal/textindex"
	"missiond/mission"
	"missiond/store"
)

// finds reports whether a search finds a post.
func finds(search string, c mission.Content) bool {
	text := strings.Join(append(slices.Clone(c.Texts()), c.CommentText()), "\n")
	return textindex.Matches(textindex.Fold(text), textindex.Words(search))
}

// write adds posts with texts, each a minute after the one before it.
func (f *fixture) write(j mission.Job, texts ...string) (posts []mission.Content) {
	f.t.Helper()
	for i, text := range texts {
		created := start.Add(time.Duration(i) * time.Minute)
		slot := mission.Slot{Position: 100 + i, Platform: mission.Twitter, Format: mission.FormatPost, Angle: mission.AngleTip}
		c, _ := mission.NewContent(f.db.NewID(mission.PrefixContent, created), j, mission.NewAssignment(j, slot), mission.Draft{Format: mission.FormatPost, Text: text}, mission.Verdict{}, created)
		c.ScheduledAt = &created
		f.must(f.tx(func(tx store.Tx) error { return tx.AddContent(ctx, c, nil) }))
		posts = append(posts, c)
	}
	return posts
}

// found returns the texts that a search finds of a tenant's posts, the oldest first, and
// their number.
func (f *fixture) found(tenantID, search string) (texts []string, total int) {
	f.t.Helper()
	q := mission.ContentQuery{Order: mission.OrderCreated, Search: search}
	part, err := f.db.ListContents(ctx, tenantID, q, store.Page{Limit: 100})
	f.must(err)
	for _, c := range slices.Backward(part.List) {
		texts = append(texts, c.Text)
	}
	total, err = f.db.CountListed(ctx, tenantID, q)
	f.must(err)
	return texts, total
}

// Both databases find the same, in every language, whether the index is used or not.
func TestSearchesInEveryLanguage(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		texts := []string{
			"Grüße aus München: die Straße ist gesperrt", "GRÜSSE AUS MÜNCHEN", "Mu\u0308nchen, decomposed", "東京タワーの夜景🎉", "今日は東京で会いましょう",
			"ｶﾀｶﾅ half width", "서울에서 만나요", "مرحبا بالعالم", "Tiếng Việt rất hay", "ΟΔΌΣ και οδός", "İSTANBUL güzel", "𝗕𝗼𝗹𝗱 letters",
			"50% off, 5_0 and \"quoted\" 'text' \\ back", "50 percent off", "NOT near AND or * (this) -that ^x: y", "I ❤️ Go", "สวัสดีครับ", "नमस्ते दुनिया",
		}
		f.write(f.job(f.mission(nil)), texts...)
		for _, bounds := range [][3]int{{500, 2000, 5000}, {1, 2000, 5000}, {1, 0, 5000}} {
			store.SetTextBounds(f.db, bounds[0], bounds[1], bounds[2])
			for search, want := range map[string][]int{
				"münchen": {0, 1, 2}, "MU\u0308NCHEN": {0, 1, 2}, "munchen": nil, "ünch": {0, 1, 2}, "straße": {0}, "STRAẞE": {0}, "ü": {0, 1, 2, 10}, "üß": {0},
				"東京": {3, 4}, "京": {3, 4}, "東京タワー": {3}, "タワー 東京": {3}, "夜": {3}, "🎉": {3}, "景🎉": {3}, "カタカナ": {5}, "ＨＡＬＦ": {5},
				"서울": {6}, "만나": {6}, "مرحبا": {7}, "عالم": {7}, "tiếng": {8}, "VIỆT": {8}, "viet": nil, "οδός": {9}, "ΟΔΌΣ": {9}, "istanbul": {10}, "GÜZEL": {10},
				"bold": {11}, "50%": {12}, "%": {12}, "_": {12}, "5_0": {12}, "50 off": {12, 13}, "50%off": nil, `"quoted"`: {12}, "'text'": {12}, `\`: {12},
				"NOT": {14}, "and or": {14}, "*": {14}, "(this)": {14}, "-that": {14}, "^x:": {14}, "near and not": {14}, "❤": {15}, "❤️": {15}, "go": {15},
				"สวัส": {16}, "नमस्ते": {17}, "दुनि": {17}, "off percent": {13}, "absent": nil, "東京 münchen": nil, "zz": nil, "東西": nil,
			} {
				var expected []string
				for _, i := range want {
					expected = append(expected, texts[i])
				}
				if got, n := f.found(f.tenant.ID, search); !slices.Equal(got, expected) || n != len(want) {
					t.Errorf("with the bounds %v, %q finds %q (%d), want %q", bounds, search, got, n, expected)
				}
			}
		}
	})
}

// Whatever a search and the bounds of its work are, walking its pages finds exactly the
// posts that have its words, in the list's order; pages may be short.
func TestSearchesFindWhatTextsContain(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		missions, all, foreign := spreadPosts(f)
		rapid.Check(t, func(t *rapid.T) {
			bound := func(label string) int { return rapid.IntRange(1, 60).Draw(t, label) }
			store.SetTextBounds(f.db, bound("glanced"), bound("sortable")-1, bound("looked"))
			q := mission.ContentQuery{
				Order:     rapid.SampledFrom(mission.AllContentOrders()).Draw(t, "order"),
				MissionID: rapid.SampledFrom([]string{"", "", missions[0]}).Draw(t, "mission"),
				Platform:  rapid.SampledFrom([]mission.Platform{"", "", mission.Bluesky}).Draw(t, "platform"),
				Statuses:  rapid.SliceOfNDistinct(rapid.SampledFrom(mission.AllContentStatuses()), 0, 3, rapid.ID).Draw(t, "statuses"),
				Search:    rapid.SampledFrom([]string{"common", "m", "words 3", "post 1", "東", "東京", "post 17", "post 17 東", "absent", "reply to 5", "part"}).Draw(t, "search"),
			}
			want := selected(q, all)
			got, backward, p := []string{}, rapid.Bool().Draw(t, "backward"), store.Page{Limit: rapid.IntRange(1, 30).Draw(t, "limit")}
			for p.Backward = backward; ; {
				part, err := f.db.ListContents(ctx, f.tenant.ID, q, p)
				if err != nil {
					t.Fatal(err)
				}
				var ids []string
				for _, c := range part.List {
					ids = append(ids, c.ID)
				}
				if backward {
					got = append(ids, got...)
				} else {
					got = append(got, ids...)
				}
				if !part.More {
					break
				}
				next := part.Next
				if next == "" && len(ids) != p.Limit {
					t.Fatalf("a page of %d has %d, more, and no cursor", p.Limit, len(ids))
				} else if next == "" && backward {
					next = ids[0]
				} else if next == "" {
					next = ids[len(ids)-1]
				}
				if p.Before, p.After = "", next; backward {
					p.Before, p.After = next, ""
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("walked %v, want %v", got, want)
			}
			if n, err := f.db.CountListed(ctx, f.tenant.ID, q); err != nil || n != len(want) && n != store.Uncounted {
				t.Fatalf("counted %d, %v, want %d", n, err, len(want))
			}
			if _, err := f.db.ListContents(ctx, f.tenant.ID, q, store.Page{Limit: 3, After: foreign.ID}); mission.CodeOf(err) != mission.CodeInvalidRequest {
				t.Fatalf("another tenant's post as a cursor returned %v", err)
			}
		})
	})
}

// Results are counted if few posts have the words' grams or the list is short.
func TestTotalsOfSearches(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		j := f.job(f.mission(nil))
		f.write(j, slices.Repeat([]string{"common", "common rare", "of"}, 4)...)
		for _, tt := range []struct {
			search                    string
			glanced, sortable, looked int
			want                      int
		}{
			{"rare", 1, 4, 1, 4}, {"rare", 1, 3, 1, store.Uncounted}, {"common", 1, 3, 11, store.Uncounted}, {"common", 1, 3, 12, 8}, {"of", 1, 9, 11, store.Uncounted}, {"of", 1, 9, 12, 4},
		} {
			store.SetTextBounds(f.db, tt.glanced, tt.sortable, tt.looked)
			n, err := f.db.CountListed(ctx, f.tenant.ID, mission.ContentQuery{Order: mission.OrderCreated, Search: tt.search})
			if err != nil || n != tt.want {
				t.Errorf("%+v: counted %d, %v", tt, n, err)
			}
		}
	})
}

// The migration has searches find the posts that were there before, in the order of their
// figures, on its way up and after a way down.
func TestTextsAndFiguresOfOlderPosts(t *testing.T) {
	testkit.Full(t)
	eachRaw(t, testkit.PostgresURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		m := f.mission(nil)
		j := f.job(m)
		f.posts(j) // with the parts a and b
		posts := f.write(j, "Grüße", "東京タワー", "without figures")
		for i := range posts {
			posts[i] = f.publish(posts[i], start.Add(time.Duration(i)*time.Minute))
		}
		f.measure(m, map[string]mission.Metrics{posts[0].ID: {mission.Impressions: 3, mission.Likes: 1}, posts[1].ID: {mission.Impressions: 20}}, start.Add(time.Hour))
		_, err := raw.ExecContext(ctx, `UPDATE contents SET first_comment = '{"text":"A late reply","status":"waiting"}' WHERE id = '`+posts[0].ID+"'")
		f.must(err)
		for range 2 {
			for _, q := range downTo(t, 58) {
				_, err := raw.ExecContext(ctx, q)
				f.must(err)
			}
			f.must(f.db.Migrate(ctx))
		}
		for search, want := range map[string][]string{"grüße": {"Grüße"}, "東京": {"東京タワー"}, "late reply": {"Grüße"}, "a b": {"A text"}} {
			if got, _ := f.found(f.tenant.ID, search); !slices.Equal(got[:min(1, len(got))], want) {
				t.Errorf("%q finds %q, want %q", search, got, want)
			}
		}
		for order, want := range map[mission.ContentOrder]string{mission.OrderImpressions: "102", mission.OrderEngagementRate: "012"} {
			part, err := f.db.ListContents(ctx, f.tenant.ID, mission.ContentQuery{Order: order}, store.Page{Limit: 10})
			f.must(err)
			got := ""
			for _, c := range part.List {
				got += fmt.Sprint(slices.IndexFunc(posts, func(p mission.Content) bool { return p.ID == c.ID }))
			}
			if got != want {
				t.Errorf("in the order of %s they are %s, want %s", order, got, want)
			}
		}
	})
}

// What is deleted, with its mission or its tenant, isn't in the index any more.
func TestDeletedTextsLeaveTheIndex(t *testing.T) {
	eachRaw(t, testkit.MigratedURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		posts := f.write(f.job(f.mission(nil)), "an unmistakable text", "another one")
		for _, q := range map[bool][]string{true: {""}, false: {"PRAGMA foreign_keys = ON; "}}[f.db.RowLocks()] {
			_, err := raw.ExecContext(ctx, q+"DELETE FROM contents WHERE id = '"+posts[0].ID+"'")
			f.must(err)
		}
		for _, query := range map[bool][]string{
			true:  {"SELECT count(*) FROM content_texts"},
			false: {"SELECT count(*) FROM content_texts", "SELECT count(*) FROM content_grams_docsize"},
		}[f.db.RowLocks()] {
			var n int
			f.must(raw.QueryRowContext(ctx, query).Scan(&n))
			if n != 1 {
				t.Errorf("%s: %d, want the other post's", query, n)
			}
		}
	})
}
