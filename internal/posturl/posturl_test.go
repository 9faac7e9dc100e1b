package posturl

import (
	"errors"
	"testing"

	"missiond/mission"
)

func TestParse(t *testing.T) {
	on := func(p mission.Platform, id, handle, server string) mission.Integration {
		return mission.Integration{ID: "int_1", Platform: p, Server: server, Account: &mission.Account{ID: id, Handle: handle, URL: "https://web.example/@ada"}}
	}
	x, li := on(mission.Twitter, "1", "Ada_L", ""), on(mission.LinkedIn, "urn:li:person:a", "", "")
	masto, local := on(mission.Mastodon, "1", "ada@social.example", "https://api.example"), on(mission.Mastodon, "1", "ada@127.0.0.1:3000", "http://127.0.0.1:3000")
	bsky := on(mission.Bluesky, "did:plc:a", "ada.example", "https://pds.example")
	const refused = "-"
	for _, tt := range []struct {
		of      mission.Integration
		address string
		id      string // refused if it isn't a post of the account
	}{
		{x, "https://x.com/ada_l/status/1896500000000000000", "1896500000000000000"},
		{x, " https://twitter.com/i/web/status/12?s=20 ", "12"},
		{x, "https://mobile.twitter.com/Ada_L/status/12/photo/1", "12"},
		{x, "https://x.com/other/status/12", refused},
		{x, "https://x.com/ada_l", refused},
		{x, "https://evilx.com/ada_l/status/12", refused},
		{x, "https://x.com.evil.example/ada_l/status/12", refused},
		{x, "http://x.com/ada_l/status/12", refused},
		{x, "https://ada@x.com/ada_l/status/12", refused},
		{x, "x.com/ada_l/status/12", refused},
		{li, "https://www.linkedin.com/feed/update/urn:li:share:74/", "urn:li:share:74"},
		{li, "https://de.linkedin.com/feed/update/urn%3Ali%3AugcPost%3A74", "urn:li:ugcPost:74"},
		{li, "https://www.linkedin.com/feed/update/urn:li:activity:74/", ""},
		{li, "https://www.linkedin.com/posts/ada-l_a-title-activity-74-abCd?utm_source=share", ""},
		{li, "https://www.linkedin.com/posts/ada-l_a-title-share-74-abCd", "urn:li:share:74"},
		{li, "https://www.linkedin.com/in/ada/", refused},
		{li, "https://x.com/i/status/12", refused},
		{masto, "https://api.example/@ada/109", "109"},
		{masto, "https://web.example/@Ada/109", "109"},
		{masto, "https://social.example/users/ada/statuses/01HZ", "01HZ"},
		{masto, "https://social.example/objects/3b-4c", ""},
		{masto, "https://social.example/@other/109", refused},
		{masto, "https://social.example/", refused},
		{masto, "https://mastodon.social/@ada/109", refused},
		{masto, "http://api.example/@ada/109", refused},
		{local, "http://127.0.0.1:3000/@ada/109", "109"},
		{bsky, "https://bsky.app/profile/did:plc:a/post/3kabc", "at://did:plc:a/app.bsky.feed.post/3kabc"},
		{bsky, "https://bsky.app/profile/Ada.example/post/3kabc", "at://did:plc:a/app.bsky.feed.post/3kabc"},
		{bsky, "https://bsky.app/profile/bob.example/post/3kabc", refused},
		{bsky, "https://pds.example/profile/did:plc:a/post/3kabc", refused},
		{bsky, "", refused},
		{mission.Integration{Platform: mission.Facebook}, "https://www.facebook.com/1", ""},
		{mission.Integration{Platform: mission.Twitter}, "ftp://x.com/i/status/1", refused},
	} {
		got, err := Parse(tt.of, tt.address)
		if tt.id == refused {
			if e := (*mission.Error)(nil); !errors.As(err, &e) || e.Code != mission.CodeInvalidRequest || e.Param != "published_url" {
				t.Errorf("%s %q: got %+v, %v", tt.of.Platform, tt.address, got, err)
			}
			continue
		}
		if err != nil || got.PostID != tt.id || got.URL == "" {
			t.Errorf("%s %q: got %+v, %v", tt.of.Platform, tt.address, got, err)
		}
	}
}
