package grammar

import (
	"testing"

	"missiond/mission"
)

// Every angle, mode and tone has its phrases, whatever the subject's form.
func TestPhrasesComplete(t *testing.T) {
	var headings []string
	for angle, m := range modes {
		headings = append(headings, "leads "+string(angle), "afterthoughts "+string(m))
		for _, f := range []form{"line", about, do, how} {
			if f == "line" && (angle == mission.AngleHowTo || m == correcting) {
				continue // a line is told from neither angle
			}
			headings = append(headings, "cores "+string(f)+" "+string(m))
		}
	}
	for _, tone := range []tone{neutral, formal, casual, playful, bold, warm} {
		headings = append(headings, "calls "+string(tone))
	}
	for _, heading := range append(headings, "leads request", "afterthoughts line", "pointers") {
		if len(phrases[heading]) == 0 {
			t.Errorf("no phrases under %q", heading)
		}
	}
}
