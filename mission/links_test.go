package mission

import (
	"slices"
	"strings"
	"testing"
)

func TestWithParams(t *testing.T) {
	r := LinkRule{Params: "utm_source=mastodon&utm_campaign=autumn-launch"}
	for link, want := range map[string]string{
		"https://acme.com":                           "https://acme.com?utm_source=mastodon&utm_campaign=autumn-launch",
		"https://acme.com/x":                         "https://acme.com/x?utm_source=mastodon&utm_campaign=autumn-launch",
		"https://acme.com/x?":                        "https://acme.com/x?utm_source=mastodon&utm_campaign=autumn-launch",
		"https://acme.com/x?a=b":                     "https://acme.com/x?a=b&utm_source=mastodon&utm_campaign=autumn-launch",
		"https://acme.com/x?a=b&":                    "https://acme.com/x?a=b&utm_source=mastodon&utm_campaign=autumn-launch",
		"https://acme.com/x#y?z":                     "https://acme.com/x?utm_source=mastodon&utm_campaign=autumn-launch#y?z",
		"https://acme.com/x?utm_source=mine#y":       "https://acme.com/x?utm_source=mine&utm_campaign=autumn-launch#y",
		"https://acme.com/?UTM_Source=&utm_campaign": "https://acme.com/?UTM_Source=&utm_campaign",
		"acme.com": "acme.com?utm_source=mastodon&utm_campaign=autumn-launch",
	} {
		got := r.WithParams(link)
		if got != want {
			t.Errorf("%s became %s, want %s", link, got, want)
		}
		if again := r.WithParams(got); again != got {
			t.Errorf("%s became %s the second time", got, again)
		}
	}
}

func TestLinkRule(t *testing.T) {
	source, campaign, content := "{platform}", " {mission}/2 ", "{content_id}~ü"
	m := Mission{ID: "msn_1", Name: "Café & Kuchen: 2.0!", Links: Links{UTM: UTM{Source: &source, Campaign: &campaign, Content: &content}, Track: []Platform{Bluesky}}}
	id := PrefixContent + strings.Repeat("7", ulidLen)
	got := m.LinkRule(Mastodon, "https://go.example/l/").Of(id)
	want := LinkRule{Params: "utm_source=mastodon&utm_campaign=caf%C3%A9-kuchen-2-0%2F2&utm_content=" + id + "%7E%C3%BC"}
	if got != want {
		t.Errorf("the rule is %+v, want %+v", got, want)
	}
	if got := m.LinkRule(Bluesky, "https://go.example/l/"); got.Prefix != "https://go.example/l/" || got.Sent("https://acme.com", "abc") != "https://go.example/l/abc" ||
		!strings.HasPrefix(got.Target("acme.com"), "https://acme.com?utm_source=bluesky&") {
		t.Errorf("on a tracked platform the rule is %+v", got)
	}
	if len(got.Params) != len(m.LinkRule(Mastodon, "").Params) {
		t.Error("a rule for no post yet isn't as long as one for a post")
	}
	m.Name, m.Links.UTM = "!!!", UTM{Campaign: &campaign}
	if got := m.LinkRule(Mastodon, "").Params; got != "utm_campaign=msn_1%2F2" {
		t.Errorf("a mission without a letter has %s", got)
	}
	if got := (Mission{Name: "x"}).LinkRule(Bluesky, "https://go.example/l/"); got != (LinkRule{}) {
		t.Errorf("a mission that changes no links has the rule %+v", got)
	}
}

func TestLinksInput(t *testing.T) {
	for _, tt := range []struct {
		in   LinksInput
		want []string
	}{
		{LinksInput{}, nil},
		{LinksInput{Track: []Platform{Mastodon, Twitter}}, nil},
		{LinksInput{Track: []Platform{Mastodon, Mastodon, Bluesky, "all"}}, []string{"links.track[1]", "links.track[2]", "links.track[3]"}},
		{LinksInput{UTM: &UTMInput{Source: new(""), Medium: new("a\nb"), Campaign: new("{name}"), Content: new(strings.Repeat("x", MaxUTM+1))}},
			[]string{"links.utm.source", "links.utm.medium", "links.utm.campaign", "links.utm.content"}},
		{LinksInput{UTM: &UTMInput{Source: new("{platform}-{mission}-{content_id}"), Medium: new("{mission")}}, []string{"links.utm.medium"}},
	} {
		var params []string
		for _, p := range tt.in.check([]Platform{Mastodon, Twitter}) {
			params = append(params, p.Param)
		}
		if !slices.Equal(params, tt.want) {
			t.Errorf("%+v has problems with %q, want %q", tt.in, params, tt.want)
		}
	}
}

func TestLinksOfPosts(t *testing.T) {
	c := Content{
		ID: "cnt_1", Platform: Bluesky, Text: "a https://a.com\n\nb https://a.com https://b.com.", Parts: []string{"a https://a.com", "b https://a.com https://b.com."}, Comment: NewComment("c https://c.com"),
		Outgoing: Outgoing{Tracked: true, Links: []SentLink{
			{Part: 0, Start: 2, End: 15, Sent: "S1", Target: "T1", Code: "one"}, {Part: 1, Start: 2, End: 15, Sent: "S1", Target: "T1", Code: "one"},
			{Part: 1, Start: 16, End: 29, Sent: "S2", Target: "T2", Code: "two"}, {Part: 2, Start: 2, End: 15, Sent: "S3", Target: "T3", Code: "three"},
		}},
	}
	if got := c.SentTexts(); !slices.Equal(got, []string{"a S1", "b S1 S2."}) || c.SentComment() != "c S3" {
		t.Errorf("%q and %q are sent", got, c.SentComment())
	}
	if c.NextPart().Text != "a S1" || c.LeadsTo("S2") != "T2" || c.LeadsTo("https://other.com") != "https://other.com" {
		t.Error("a part isn't sent with its links replaced")
	}
	links := c.Links(map[string]int64{"one": 3})
	if len(links) != 3 || links[0].URL != "https://a.com" || *links[0].Clicks != 3 || *links[1].Clicks != 0 || links[2].SentURL != "S3" {
		t.Errorf("the post has the links %+v", links)
	}
	if tracked := c.TrackedLinks(); len(tracked) != 3 || tracked[1] != (TrackedLink{Code: "two", ContentID: "cnt_1", Target: "T2"}) {
		t.Errorf("the post has the tracked links %+v", tracked)
	}
	c.Status = ContentPublished
	c.Comment.Status = CommentWaiting
	c.Published = make([]Publication, 2)
	if got := c.Commenting().NextPart().Text; got != "c S3" {
		t.Errorf("its first comment is sent as %q", got)
	}
}

// The service's own counts are figures of posts whose platform reports none, and whose links are tracked.
func TestWithClicks(t *testing.T) {
	tracked := Outgoing{Tracked: true}
	posts := []Content{
		{ID: "counted", Platform: Mastodon, Outgoing: tracked}, {ID: "none", Platform: Bluesky, Outgoing: tracked}, {ID: "unmeasured", Platform: Bluesky, Outgoing: tracked},
		{ID: "untracked", Platform: Mastodon}, {ID: "reported", Platform: Twitter, Outgoing: tracked},
	}
	figures := map[string]Metrics{"counted": {Likes: 2}, "none": {}, "untracked": {Likes: 1}, "reported": {LinkClicks: 9}}
	got := WithClicks(posts, figures, map[string]int64{"counted": 5, "untracked": 5, "reported": 5, "unmeasured": 5})
	if len(got) != 4 || got["counted"][LinkClicks] != 5 || got["counted"][Likes] != 2 || got["reported"][LinkClicks] != 9 {
		t.Errorf("the figures are %v", got)
	}
	if n, ok := got["none"][LinkClicks]; n != 0 || !ok {
		t.Error("a post whose links nobody followed has no figure, want 0")
	}
	if _, ok := got["untracked"][LinkClicks]; ok || len(figures["counted"]) != 1 {
		t.Error("a post whose links aren't tracked has a figure, or what was measured was changed")
	}
}

func TestKPIsCountTrackedLinks(t *testing.T) {
	m := Mission{Platforms: []Platform{Twitter, Mastodon, Bluesky}, Links: Links{Track: []Platform{Mastodon}}}
	k := KPI{Metric: LinkClicks, Platform: EveryPlatform}
	if got := k.reportedBy(m); !slices.Equal(got, []Platform{Twitter, Mastodon}) {
		t.Errorf("link clicks are reported by %v", got)
	}
	if k.Metric = Reach; len(k.reportedBy(m)) != 0 {
		t.Error("tracked links make the platform report its reach")
	}
	if n := m.Notices(); len(n) != 1 || n[0].Param != "links.track" {
		t.Errorf("the mission has the notices %+v", n)
	}
}

func TestIsLinkCode(t *testing.T) {
	for text, want := range map[string]bool{
		strings.Repeat("a", 16): true, "abcdefgh234567zz": true, "": false, strings.Repeat("a", 15): false, strings.Repeat("a", 17): false,
		"ABCDEFGH234567ZZ": false, "abcdefgh23456\r\nx": false, strings.Repeat("ü", 8): false, "abcdefgh234567z1": false, "../../etc/passwd": false,
	} {
		if IsLinkCode(text) != want {
			t.Errorf("%q is a code: %v", text, !want)
		}
	}
}
