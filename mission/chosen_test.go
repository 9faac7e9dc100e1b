package mission_test

import (
	"strings"
	"testing"

	"missiond/mission"
)

// A post has no two files of the same bytes in one part: platforms refuse that, or show one.
func TestChosenTwice(t *testing.T) {
	file := func(id, hash string) mission.Media {
		return mission.Media{ID: id, Kind: mission.MediaImage, Status: mission.MediaReady, Variants: []mission.MediaVariant{{
			Platforms: mission.AllPlatforms(), Key: id, Hash: hash, ContentType: mission.TypeJPEG, Bytes: 1000, Width: 100, Height: 100,
		}}}
	}
	found := map[string]mission.Media{"a": file("a", "1"), "b": file("b", "2"), "c": file("c", "1")}
	caps, _ := mission.CapabilitiesOf(mission.Mastodon)
	for _, tt := range []struct {
		choices []mission.MediaChoice
		wrong   string
	}{
		{[]mission.MediaChoice{{MediaID: "a"}, {MediaID: "b"}}, ""},
		{[]mission.MediaChoice{{MediaID: "a"}, {MediaID: "c", Part: 1}}, ""},
		{[]mission.MediaChoice{{MediaID: "a"}, {MediaID: "b"}, {MediaID: "c"}}, "(media[2].media_id)"},
	} {
		chosen, err := caps.ChooseMedia(tt.choices, found, 2)
		if tt.wrong == "" && (err != nil || len(chosen) != len(tt.choices)) || tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)) {
			t.Errorf("%v: got %v", tt.choices, err)
		}
	}
}
