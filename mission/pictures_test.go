package mission_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"missiond/mission"
)

func picture(n int, shows string, uses int) mission.Picture {
	return mission.Picture{MediaID: fmt.Sprintf("med_%026d", n), Shows: shows, Uses: uses}
}

// A text gets the picture whose description fits it best.
func TestPictureFor(t *testing.T) {
	shelf := []mission.Picture{
		picture(0, "A red bicycle against a white wall, product, outside", 0),
		picture(1, "Two people repair bicycles, product, inside", 0),
		picture(2, "Helmets on a shelf, product, inside", 3),
		picture(3, "", 0),
		picture(4, "Helme auf einem Regal", 0),
		picture(5, "Our crew with helmets, product, inside", 1),
	}
	tests := []struct {
		text      string
		objective string
		on        mission.Platform
		want      int // -1: none
	}{
		{"The red one is back.", "", mission.Twitter, 0},
		{"How we repair what others throw away.", "", mission.Twitter, 1},
		{"People ask us about #BICYCLES.", "", mission.Twitter, 1},
		{"Why a helmet matters: it is your own head.", "", mission.Twitter, 5}, // of two, that with fewer posts
		{"Neue HELME sind da.", "", mission.Twitter, 4},
		{"It is here, on the shelf of a friend.", "", mission.Twitter, 2},
		{"Nothing fits this, against all odds.", "", mission.Twitter, 0}, // "against"
		{"Breakfast until noon.", "", mission.Twitter, -1},
		{"Breakfast until noon, with all that you want.", "", mission.Twitter, -1}, // common words say nothing
		{"Breakfast until noon.", "Sell bicycles", mission.Twitter, 0},
		{"", "", mission.Twitter, -1},
	}
	for _, test := range tests {
		a := mission.Assignment{Pictures: shelf, Slot: mission.Slot{Platform: test.on, Objective: test.objective}}
		want := ""
		if test.want >= 0 {
			want = shelf[test.want].MediaID
		}
		if got := a.PictureFor(test.text); got != want && (test.objective == "" || got != shelf[1].MediaID) {
			t.Errorf("got %q for %q, want %q", got, test.text, want)
		}
	}
	needs := mission.Assignment{Pictures: shelf, Slot: mission.Slot{Platform: mission.Instagram}}
	if got := needs.PictureFor("Breakfast until noon."); got == "" || got == shelf[2].MediaID || got == shelf[5].MediaID {
		t.Errorf("got %q for a post that needs a picture, want one of those that no post has", got)
	}
}

// Whatever texts say, a picture is one of those that are offered, and the same each time.
func TestPictureForIsOffered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := mission.Assignment{Seed: rapid.Uint64().Draw(t, "seed"), Slot: mission.Slot{Platform: rapid.SampledFrom(mission.AllPlatforms()).Draw(t, "platform")}}
		for i, shows := range rapid.SliceOfN(rapid.String(), 0, 5).Draw(t, "shows") {
			a.Pictures = append(a.Pictures, picture(i, shows, i))
		}
		text := rapid.String().Draw(t, "text")
		got := a.PictureFor(text)
		offered := func(id string) bool {
			return slices.ContainsFunc(a.Pictures, func(p mission.Picture) bool { return p.MediaID == id })
		}
		if got != "" && !offered(got) || got == "" && len(a.Pictures) > 0 && a.NeedsPicture() || got != a.PictureFor(text) {
			t.Errorf("got %q, then %q", got, a.PictureFor(text))
		}
		if got != "" && a.Without(got).PictureFor(text) == got {
			t.Errorf("%q is chosen where it isn't offered", got)
		}
	})
}

// Posts are offered pictures that their platform takes and that no post has near their slot.
func TestPicturesForASlot(t *testing.T) {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	ready := func(n int, change func(m *mission.Media)) mission.Media {
		m := mission.Media{
			ID: fmt.Sprintf("med_%026d", n), Kind: mission.MediaImage, Status: mission.MediaReady, AltText: "A bicycle", ContentType: mission.TypeJPEG,
			Variants: []mission.MediaVariant{{Platforms: mission.AllPlatforms(), ContentType: mission.TypeJPEG, Bytes: 1000, Width: 100, Height: 100}},
		}
		change(&m)
		return m
	}
	p := mission.Pictures{Slots: map[string][]time.Time{}, Media: []mission.Media{
		ready(0, func(m *mission.Media) { m.AltText = "A bi\u202ecycle" }), // as earlier versions took it
		ready(1, func(m *mission.Media) { m.Status, m.Variants = mission.MediaProcessing, nil }),
		ready(2, func(m *mission.Media) { m.Kind = mission.MediaVideo }),
		ready(3, func(m *mission.Media) { m.Variants[0].Platforms = []mission.Platform{mission.LinkedIn} }),
		ready(4, func(m *mission.Media) { m.Description, m.Status = "A red bicycle", mission.MediaProcessing }), // made anew
		ready(5, func(*mission.Media) {}),
		ready(6, func(*mission.Media) {}),
	}}
	p.Slots[p.Media[5].ID] = []time.Time{at.Add(-mission.MediaCooldown), at.Add(mission.MediaCooldown)}
	p.Slots[p.Media[6].ID] = []time.Time{at.Add(-20 * 24 * time.Hour), at.Add(mission.MediaCooldown - time.Second)}
	if !p.Coming() || (mission.Pictures{Media: slices.Delete(slices.Clone(p.Media), 1, 2)}).Coming() {
		t.Error("only a picture that is processed for the first time is coming")
	}
	if has, err := p.Media[0].For(mission.Twitter, 0, nil, "media[0]"); err != nil || has.AltText != "A bicycle" {
		t.Errorf("a post has it with %+q, %v", has.AltText, err)
	}
	for platform, want := range map[mission.Platform][]int{mission.Twitter: {0, 4, 5}, mission.LinkedIn: {0, 3, 4, 5}} {
		var got []int
		for _, offered := range p.For(mission.Slot{Platform: platform, At: at}) {
			if _, found := mission.FirstHidden(offered.Shows); found {
				t.Errorf("%s is said to show %+q", offered.MediaID, offered.Shows)
			}
			n := slices.IndexFunc(p.Media, func(m mission.Media) bool { return m.ID == offered.MediaID })
			if shows := "A bicycle"; offered.Shows != shows && n != 4 {
				t.Errorf("got %q of %d", offered.Shows, n)
			}
			got = append(got, n)
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v on %s, want %v", got, platform, want)
		}
	}
}
