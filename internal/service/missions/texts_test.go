package missions

import (
	"fmt"
	"testing"

	"missiond/internal/checks"
	"missiond/mission"
)

// A transaction checks few texts: with more that weren't checked before it, or against other
// topics, it fails and is tried again after a check.
func TestTextsAreCheckedBeforeTransactions(t *testing.T) {
	excluded, others := checks.NewExclusions(mission.Exclusions{Topics: []string{"gardens"}}), checks.NewExclusions(mission.Exclusions{Topics: []string{"ponds"}})
	posts := make([]mission.Content, 3*maxUnforeseen)
	v := verdicts{excluded: excluded, of: map[string]mission.Verdict{}}
	for i := range posts {
		posts[i].Text = fmt.Sprint("post ", i)
		if i >= maxUnforeseen {
			v.of[posts[i].FullText()] = mission.Verdict{}
		}
	}
	if !v.foresees(posts, excluded) || v.foresees(append(posts, mission.Content{Text: "another"}), excluded) || v.foresees(posts, others) {
		t.Error("a transaction checks another number of texts")
	}
	for _, failing := range []int{0, maxForeseen - 1, maxForeseen} {
		checked, runs := 0, 0
		_, err := foreseen(func() (verdicts, error) { checked++; return v, nil }, func(verdicts) (none struct{}, err error) {
			if runs++; runs <= failing {
				err = fmt.Errorf("change: %w", errUnforeseen)
			}
			return none, err
		})
		if conflict := mission.CodeOf(err) == mission.CodeConflict; conflict != (failing == maxForeseen) || err != nil != conflict || checked != runs {
			t.Errorf("after %d failures of %d tries and %d checks: %v", failing, runs, checked, err)
		}
	}
}
