package links

import (
	"testing"

	"missiond/mission"
)

func TestProse(t *testing.T) {
	for _, tt := range []struct {
		platform   mission.Platform
		text, want string
	}{
		{mission.Mastodon, "Neu: https://shop.example/the/and/of?you=we.", "Neu:  ."},
		{mission.Mastodon, "Neu: the-and-you.com/of, @the_and@you.social und #TheAndOf!", "Neu:  ,   und  !"},
		{mission.Bluesky, "Neu von @the.bsky.social: and-the.com #the", "Neu von  :    "},
		{mission.Twitter, "Neu @the #the https://t.co/the", "Neu      "},
		{mission.LinkedIn, "Neu #the https://a.example/the", "Neu    "},
		{mission.Mastodon, "京都で https://example.com/the 豆腐", "京都で   豆腐"},
		{mission.Mastodon, "Kaffee & Kuchen", "Kaffee & Kuchen"},
		{mission.Mastodon, "", ""},
	} {
		if got := Prose(tt.platform, tt.text); got != tt.want {
			t.Errorf("%s: %q is %q, want %q", tt.platform, tt.text, got, tt.want)
		}
	}
}
