package missions

import (
	"testing"

	"missiond/mission"
)

// English words in addresses, handles and tags don't make a post English.
func TestLanguageOf(t *testing.T) {
	for text, want := range map[string]string{
		"Wir öffnen die Türen für Sie: https://shop.example/the-story-of-you-and-the-people-with-us": "de",
		"Wir öffnen die Türen für Sie mit @the.bsky.social und #TheStoryOfYou":                       "de",
		"Röstung 7: https://shop.example/the-story-of-you-and-us":                                    "",
		"Röstung 7: the-story-of-you-and-us.com/with/all":                                            "",
		"Röstung 7 @the.bsky.social @you.bsky.social #the #and #you":                                 "",
		"Our doors are open to you, and there is cake: https://shop.example/der-die-das-und":         "en",
	} {
		for _, p := range []mission.Platform{mission.Mastodon, mission.Bluesky} {
			c := mission.Content{Platform: p, Text: text}
			if got := languageOf(c); got != want {
				t.Errorf("%s: %q is in %q, want %q", p, text, got, want)
			}
		}
	}
}
