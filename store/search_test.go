package store_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"missiond/mission"
	"missiond/store"
)

// A search finds the same missions however many have its words: page by page, in both
// directions and orders, each once. Its total is right, or isn't counted because
// too many have each word.
func TestSearchIsBounded(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		const counted = 25
		f.db.SetSearchBounds(counted, 7, 3)
		names := []string{"launch", "lau", "campaign camper", "öl", "a", "7", "777", "7771 launch", "日本語", "日本", "CAMP", "zebra zebu"}
		var all []mission.Mission
		platforms := []mission.Platform{mission.Twitter, mission.LinkedIn}
		for i := range 60 {
			m := f.mission(func(in *mission.CreateInput) {
				in.Name = strings.Join([]string{names[i%2], names[i%3+2], names[i%len(names)]}, " ")
				in.Platforms, in.KPIs = platforms[i%2:i%2+1], nil
			})
			all = append(all, m)
		}
		slices.Reverse(all) // newest first
		rapid.Check(t, func(t *rapid.T) {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"la", "lau", "launch", "c", "camp", "campa", "ö", "öl", "7", "777", "7771", "日", "日本語", "ze", "zeb", "none"}), 1, 3).Draw(t, "words"), " ")
			words, err := mission.SearchWords(text)
			if err != nil {
				t.Fatal(err)
			}
			filter := store.MissionFilter{
				Words: words, Status: rapid.SampledFrom([]mission.Status{"", mission.StatusActive, mission.StatusPaused}).Draw(t, "status"),
				Platform: rapid.SampledFrom([]mission.Platform{"", mission.Twitter}).Draw(t, "platform"),
			}
			var want []string
			rarest := len(all)
			for _, w := range words {
				rarest = min(rarest, len(named(all, w)))
			}
			for _, m := range named(all, words...) {
				if (filter.Status == "" || m.Status == filter.Status) && (filter.Platform == "" || slices.Contains(m.Platforms, filter.Platform)) {
					want = append(want, m.ID)
				}
			}
			total := len(want)
			if rarest > counted {
				total = store.Uncounted
			}
			if n, err := f.db.CountMissions(ctx, f.tenant.ID, filter); n != total || err != nil {
				t.Fatalf("counted %d, %v, want %d", n, err, total)
			}
			page := store.Page{Limit: rapid.IntRange(1, 9).Draw(t, "limit"), Backward: rapid.Bool().Draw(t, "backward"), Oldest: rapid.Bool().Draw(t, "oldest"), Total: true}
			if page.Oldest {
				slices.Reverse(want)
			}
			if got := walkSearch(t, f, filter, page, total); !slices.Equal(got, want) {
				t.Fatalf("%q finds %v, want %v", words, got, want)
			}
		})
		_, err := f.db.Missions(ctx, f.tenant.ID, store.MissionFilter{Words: []string{"lau"}}, store.Page{Limit: 5, After: "msn_x"})
		f.wantCode(err, mission.CodeInvalidRequest)
	})
}

// named returns the missions whose names have a word with each of the prefixes.
func named(all []mission.Mission, prefixes ...string) []mission.Mission {
	return slices.DeleteFunc(slices.Clone(all), func(m mission.Mission) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool {
			return !slices.ContainsFunc(mission.Words(m.Name), func(w string) bool { return strings.HasPrefix(w, p) })
		})
	})
}

// walkSearch reads all pages of a search, whose total is given.
func walkSearch(t *rapid.T, f *fixture, filter store.MissionFilter, page store.Page, total int) (ids []string) {
	for range 100 {
		part, err := f.db.Missions(ctx, f.tenant.ID, filter, page)
		if err != nil {
			t.Fatal(err)
		}
		if part.Total != total || len(part.List) > page.Limit {
			t.Fatalf("a page of %d, %d in all, want %d", len(part.List), part.Total, total)
		}
		var got []string
		for _, m := range part.List {
			got = append(got, m.ID)
		}
		ids = slices.Concat(ids, got)
		if page.Backward {
			ids = slices.Concat(got, ids[:len(ids)-len(got)])
		}
		if !part.More {
			return ids
		}
		switch {
		case part.Next != "" && page.Backward:
			page.Before = part.Next
		case part.Next != "":
			page.After = part.Next
		case page.Backward:
			page.Before = got[0]
		default:
			page.After = got[len(got)-1]
		}
	}
	t.Fatal("the pages don't end")
	return nil
}
