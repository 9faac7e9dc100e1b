package llm

import (
	"fmt"

	"missiond/mission"
)

// judge checks a draft by the rules of all posts.
func (o order) judge(d mission.Draft) *fault {
	found := o.bar.Check(d)
	if _, repeats := o.used.Repeats(d); repeats && len(found) == 0 {
		return &fault{kind: broken, words: "it has a text again that was published before, or one twice", rule: mission.RuleLikeness}
	}
	if len(found) == 0 {
		return nil
	}
	first, name := found[0], "it "
	if d.Format == mission.FormatThread && first.Part >= 0 {
		name = fmt.Sprintf("part %d ", first.Part+1)
	}
	return &fault{kind: broken, words: name + first.Hint, rule: first.Rule}
}
