package missions

import (
	"testing"

	"missiond/mission"
)

// A post costs X's price for a post with a link if X makes a link of something in
// it; words with full stops in them don't count.
func TestPriceFollowsThePlatformsLinks(t *testing.T) {
	caps, _ := mission.CapabilitiesOf(mission.Twitter)
	for text, linked := range map[string]bool{
		"We moved to Node.js": false, "See v1.go": false, "Write to a@b.example or me@acme.com": false, "They listened.Then they left": false,
		"We use ASP.NET": true, "acme.com": true, "https://acme.com/x": true, "#acme.com": false,
	} {
		want := caps.Fees.Post
		if linked {
			want = caps.Fees.LinkPost
		}
		if got := caps.Fees.Posts([]string{text, "no link"}, linkedOn(mission.Twitter)); got != want+caps.Fees.Post {
			t.Errorf("%q costs %d, want %d", text, got-caps.Fees.Post, want)
		}
	}
	caps, _ = mission.CapabilitiesOf(mission.Mastodon)
	if got := caps.Fees.Posts([]string{"https://acme.com"}, linkedOn(mission.Mastodon)); got != 0 {
		t.Errorf("Mastodon costs %d", got)
	}
}
