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
	discord := on(mission.Discord, "channel:12", "bot", "")
	discord.Account.URL = "https://discord.com/channels/11/12"
	th := on(mission.Threads, "178", "ada.l", "")
	channel, private := on(mission.Telegram, "-1001234", "Acme_News", ""), on(mission.Telegram, "-1001234", "", "")
	fb := on(mission.Facebook, "1040", "acme.shop", "")
	ig := on(mission.Instagram, "178", "ada.l", "")
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
		{fb, "https://www.facebook.com/1040_77", "1040_77"},
		{fb, "https://www.facebook.com/1041_77", refused},
		{fb, "https://www.facebook.com/acme.shop/posts/77", "1040_77"},
		{fb, "https://m.facebook.com/Acme.Shop/posts/our-title/77/?ref=1", "1040_77"},
		{fb, "https://www.facebook.com/acme.shop/posts/pfbid02abcXYZ", ""},
		{fb, "https://www.facebook.com/1040/videos/88/", "88"},
		{fb, "https://www.facebook.com/acme.shop/videos/a-title/88", "88"},
		{fb, "https://www.facebook.com/reel/88", "88"},
		{fb, "https://www.facebook.com/permalink.php?story_fbid=77&id=1040", "1040_77"},
		{fb, "https://www.facebook.com/permalink.php?story_fbid=pfbid02&id=1040", ""},
		{fb, "https://www.facebook.com/permalink.php?story_fbid=77&id=1041", refused},
		{fb, "https://www.facebook.com/permalink.php?id=1040", refused},
		{fb, "https://www.facebook.com/other/posts/77", refused},
		{fb, "https://www.facebook.com/acme.shop/", refused},
		{fb, "https://facebook.com.example/1040_77", refused},
		{ig, "https://www.instagram.com/p/DA-b_1/", ""},
		{ig, "https://www.instagram.com/ada.l/reel/DA-b_1/?igsh=1", ""},
		{ig, "https://www.instagram.com/other/p/DA-b_1/", refused},
		{ig, "https://www.instagram.com/ada.l/", refused},
		{th, "https://www.threads.com/@ada.l/post/DA-b_1", ""},
		{th, "https://www.threads.net/@Ada.L/post/DA-b_1/media?xmt=1", ""},
		{th, "https://www.threads.net/@other/post/DA-b_1", refused},
		{th, "https://www.threads.com/@ada.l", refused},
		{bsky, "", refused},
		{discord, "https://discord.com/channels/11/12/13", "13"},
		{discord, "https://ptb.discord.com/channels/11/12/13/", "13"},
		{discord, "https://discordapp.com/channels/11/12/13", "13"},
		{discord, "https://discord.com/channels/11/14/13", refused},
		{discord, "https://discord.com/channels/10/12/13", refused},
		{discord, "https://discord.com/channels/11/12", refused},
		{discord, "https://discord.com/channels/@me/12/13", refused},
		{discord, "https://discord.com/api/webhooks/12/13", refused},
		{discord, "https://notdiscord.com/channels/11/12/13", refused},
		{channel, "https://t.me/acme_news/12", "12"},
		{channel, "https://t.me/s/Acme_News/12?single", "12"},
		{channel, "https://telegram.me/acme_news/12", "12"},
		{channel, "https://t.me/c/1234/12", "12"},
		{channel, "https://t.me/other_news/12", refused},
		{channel, "https://t.me/c/12345/12", refused},
		{channel, "https://t.me/acme_news", refused},
		{channel, "https://x.com/acme_news/12", refused},
		{private, "https://t.me/c/1234/12", "12"},
		{private, "https://t.me/acme_news/12", refused},
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
