package textlimit

import (
	"testing"

	"missiond/mission"
)

func TestTwins(t *testing.T) {
	for _, tt := range []struct {
		platform mission.Platform
		texts    []string
		want     int
	}{
		{mission.Twitter, []string{"One.", "Two.", " one. "}, 2},
		{mission.Twitter, []string{"Caf\u00e9", "Cafe\u0301"}, 1},
		{mission.Twitter, []string{"\u1112\u1161\u11ab", "\ud55c"}, 1},
		{mission.Twitter, []string{"One.", "Two."}, -1},
		{mission.Twitter, []string{"One."}, -1},
		{mission.Twitter, nil, -1},
		{mission.Mastodon, []string{"One.", "One."}, -1},
	} {
		if got := Twins(tt.platform, tt.texts...); got != tt.want {
			t.Errorf("%s: %q: got %d, want %d", tt.platform, tt.texts, got, tt.want)
		}
	}
}
