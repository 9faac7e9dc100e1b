package graph

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"missiond/mission"
)

// Whatever was read together, each record's rows are read once, with the record's own key:
// no statement has a key twice, and none has "", which is no record's, beside others.
func TestLoadersReadEachKeyOnce(t *testing.T) {
	t.Parallel()
	key := rapid.OneOf(rapid.Just(""), rapid.Map(rapid.IntRange(1, 2*maxSiblings), func(n int) string { return fmt.Sprintf("int_%d", n) }))
	rapid.Check(t, func(t *rapid.T) {
		l := &loaders{siblings: map[string]*siblings{}}
		read := map[string]int{}
		l.daysOf.fetch = func(_ context.Context, _ mission.Principal, ids []string, _ mission.FiguresFilter) (map[string][]mission.Figures, error) {
			if len(ids) > maxSiblings || len(ids) > 1 && slices.Contains(ids, "") {
				t.Fatalf("read the %d keys %q at once", len(ids), ids)
			}
			rows := map[string][]mission.Figures{}
			for _, id := range ids {
				read[id]++
				rows[id] = append(rows[id], mission.Figures{MissionID: id})
			}
			return rows, nil
		}
		ctx := context.WithValue(context.Background(), loadersKey{}, l)
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			l.met(rapid.SliceOfN(key, 0, 2*maxSiblings).Draw(t, "met"))
			id := key.Draw(t, "asked")
			rows, ok, err := l.daysOf.load(ctx, id, mission.FiguresFilter{})
			if err != nil || !ok || len(rows) != 1 || rows[0].MissionID != id {
				t.Fatalf("of %q got %v, %v, %v", id, rows, ok, err)
			}
		}
		for id, n := range read {
			if n != 1 {
				t.Fatalf("%q was read %d times", id, n)
			}
		}
	})
}
