package links

import (
	"flag"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"missiond/internal/testkit/cputime"
	"missiond/mission"
)

func textsOf(text string, found []Link) []string {
	list := []string{}
	for _, l := range found {
		list = append(list, text[l.Start:l.End])
	}
	return list
}

// What X makes links of; each row is a rule of twitter-text's.
func TestX(t *testing.T) {
	for text, want := range map[string][]string{
		"": {}, "no links here": {}, "https://": {}, "http:// acme": {},
		"We use Node.js, v1.go and e.g. others.": {}, "They listened.Then they left": {}, "write to a@b.example or me@acme.com": {},
		"me.you@acme.com": {}, "name.al+tag@acme.com": {}, "name.al-tag@acme.com": {}, "john.doe.jp@mail.com": {},
		"ASP.NET and acme.com": {"ASP.NET", "acme.com"}, "a test.tar.bz2 file": {}, "no.tld.atall": {}, "http://no-tld": {}, "https://acme.x": {},
		"see https://acme.com/a?b=c.": {"https://acme.com/a?b=c"}, "HTTPS://ACME.COM": {"HTTPS://ACME.COM"}, "ftp://acme.com": {},
		"(acme.com)": {"acme.com"}, "acme.com.": {"acme.com"}, "acme.com, or acme.org!": {"acme.com", "acme.org"},
		"#acme.com @acme.com $acme.com ＠acme.com": {}, "-acme.com _acme.com ./acme.com": {},
		"a_b.acme.com": {"a_b.acme.com"}, "a.acme_b.com": {}, "https://-a.acme.com": {}, "https://a-.acme.com": {}, "https://a.-acme.com": {},
		"acme.com:8080/x": {"acme.com:8080/x"}, "acme.com:x": {"acme.com"}, "acme.com/a_(b)_c": {"acme.com/a_(b)_c"}, "acme.com/a_(b": {"acme.com/a_"},
		"acme.com/a_(b_(c)d)": {"acme.com/a_(b_(c)d)"}, "acme.com/path.....": {"acme.com/path"}, "acme.com/Русские": {"acme.com/Русские"}, "acme.com/日本": {"acme.com/"},
		"日本語acme.com日本語": {"acme.com"}, "これはacme.co.jpです": {"acme.co.jp"}, "acme.みんなです": {"acme.みんな"}, "дом.рф": {}, "https://дом.рф/x": {"https://дом.рф/x"}, "https://あ-あ.com": {"https://あ-あ.com"},
		"ELPAÍS.com": {"ELPAÍS.com"}, "xacme.com-and-more": {}, "acme.com2": {}, "https://home.com/);https://evil.com": {"https://home.com/", "https://evil.com"},
		"https://acme.com/x,evil.com": {"https://acme.com/x,evil.com"}, "x.ck": {"x.ck"}, "https://xn--はじめよう.com": {},
		"https://" + strings.Repeat("a", 64) + ".com": {}, "https://acme.com/" + strings.Repeat("a", 5000): {},
		"1.2.3.4/x https://1.2.3.4/x https://[::1]/x": {},
	} {
		if got := textsOf(text, X(text)); !slices.Equal(got, want) {
			t.Errorf("X makes links of %q in %q, want %q", got, text, want)
		}
	}
}

func TestMastodon(t *testing.T) {
	for text, want := range map[string][]string{
		"acme.com": {}, "https://acme.com/日本。 and": {"https://acme.com/日本。"}, "see https://acme.com/a?b=ü.": {"https://acme.com/a?b=ü"},
		"gemini://acme.com/x": {"gemini://acme.com/x"}, "https://acme.notld/x": {}, "(https://acme.com/x)": {"https://acme.com/x"}, "@https://acme.com": {},
		"https://acme.com/<b>": {"https://acme.com/"},
	} {
		if got := textsOf(text, Mastodon(text)); !slices.Equal(got, want) {
			t.Errorf("Mastodon makes links of %q in %q, want %q", got, text, want)
		}
	}
	if len(On(mission.Twitter, "acme.com")) != 1 || len(On(mission.Mastodon, "acme.com")) != 0 || len(On(mission.Bluesky, "https://acme.com")) != 1 {
		t.Error("a platform's links aren't by its rule")
	}
}

// What leads away, however it is written, and what doesn't.
func TestAnywhere(t *testing.T) {
	for _, text := range []string{
		"evil.com", "EVIL.COM/x", "ｅｖｉｌ．ｃｏｍ", "evil。com", "evil｡com", "悪。com/x", "evil‧com/x", "evil․com", "evil·com", "evil・com", "e\u200dvil.co\u00adm", "evil.cоm", "еvil.com", "evil.сом", "evil.соm/x", "evil.ϲοm",
		"i❤.ws/a", "❤.ws", "пример.рф", "xn--e1afmkfd.xn--p1ai", "mail me@evil.com", "evil.com:8080", "//evil.com", "[here](https://evil.com)",
		"https://home.com/);https://evil.com", "https://home.com/);evil.com", "https://home.com/?u=https://evil.com", "https://home.com/?u=https%3A%2F%2Fevil.com", "https://home.com/https://evil.com",
		"https://home.com@evil.com", `https://home.com\@evil.com`, "https://home.com.evil.com", "https:/evil.com", "https://", "ftp://home.com", "javascript://home.com/%0aalert(1)",
		"1.2.3.4/x", "1.2.3.4:80/x", "https://1.2.3.4", "[::1]/x", "http://[::1]/", "[2001:db8::1]", "0x7f.1/x", "0x7f000001/x", "2130706433/x",
	} {
		hosts, _ := Anywhere("Look: " + text + " now")
		if !slices.ContainsFunc(hosts, func(h string) bool { return h != "home.com" }) {
			t.Errorf("%q seems to lead to %q only", text, hosts)
		}
	}
	for _, text := range []string{
		"Node.js, v1.go, e.g. others, i.e. these, etc.", "They listened.Then they left.", "Version 2.0.1, 10.15.7 and 1.2.3.4", "At 9.30/10.30, $1.5/kg, €9.99/month", "Wait...what", "U.S. news",
		"これは日本語です。次の文です。", "最高です。No music, no life.", "Привет.Это мы", "col·laboració", "Berlin · Paris", "ジョン・レノン", "and/or, 24/7, 1:1", "[12:30] start", "[1] note", "re:invent", "10:00-18:00", "a.m. or p.m.", "3.5 stars", "我们很好。谢谢", "Ünïcode wins", "Love it ❤. Yes",
	} {
		if hosts, rest := Anywhere(text); len(hosts) > 0 || strings.TrimSpace(rest) == "" {
			t.Errorf("%q leads to %q", text, hosts)
		}
	}
	for _, text := range []string{"https://home.com", "See home.com/x.", "(https://home.com/a_(b))", "http://HOME.com/x?y=evil.com,", "https://home.com/x,evil.com", "home.com/report.pdf", "https://home.com/archive.zip"} {
		hosts, rest := Anywhere(text)
		if len(hosts) == 0 || slices.ContainsFunc(hosts, func(h string) bool { return !strings.EqualFold(h, "home.com") }) || strings.Contains(rest, "home") {
			t.Errorf("%q leads to %q, and leaves %q", text, hosts, rest)
		}
	}
}

func TestIsTLD(t *testing.T) {
	for label, want := range map[string]bool{"com": true, "NET": true, "ck": true, "みんな": true, "рф": true, "xn--p1ai": true, "js": false, "go": false, "then": false, "example": false, "": false, "co.uk": false} {
		if got := IsTLD(label); got != want {
			t.Errorf("%q is a top-level domain: %v", label, got)
		}
	}
}

// Reading links takes time in proportion to the text. Seeds are only read; what
// is found while fuzzing is timed, and must be slow each time to be believed.
func FuzzLinks(f *testing.F) {
	for _, unit := range []string{
		"a.", "a.b.com", "http://", "https://a", "acme.com/(", "acme.com/(a(", "a-", "a_.", "é", "é.", ".みんな", "acme.みんな", "xn--a.", "((", "/", "acme.com/?", "https://あ", "@", "[::1]", "0x7f.", "1.2.3.4/", "i❤.", "a。", "a‧com/x", "%3a%2f%2f", "https:/", "\xff", "e\u0301",
	} {
		f.Add(unit, "see https://acme.com. ")
	}
	f.Fuzz(func(t *testing.T, unit, head string) {
		const size, times, tries = 8 << 10, 4, 3
		const floor = 200 * time.Millisecond // the machine has other things to do
		if unit == "" || len(unit)+len(head) > size {
			return
		}
		small := head + strings.Repeat(unit, (size-len(head))/len(unit))
		for _, found := range [][]Link{X(small), Mastodon(small)} {
			end := 0
			for _, l := range found {
				if l.Start < end || l.End <= l.Start || l.End > len(small) || l.Host == "" {
					t.Fatalf("the link %+v behind %d, in %q", l, end, small)
				}
				end = l.End
			}
		}
		read(small)
		if flag.Lookup("test.fuzz").Value.String() == "" {
			return
		}
		large := head + strings.Repeat(unit, (times*size-len(head))/len(unit))
		for range tries {
			if read(large) <= 3*times*read(small)+floor {
				return
			}
		}
		t.Errorf("%d bytes of %q behind %q take %s, a quarter of them %s", len(large), unit, head, read(large), read(small))
	})
}

// read returns what all readings of a text take.
func read(text string) time.Duration {
	return cputime.Of(func() {
		X(text)
		Mastodon(text)
		Anywhere(text)
	})
}

// Whatever a text is, its entities are pieces of it, in order and apart.
func FuzzEntities(f *testing.F) {
	for _, seed := range []string{"", "@a@b.c #x https://é.com/。#y $ABC", "**https://a.com/**", "＃日本 @\xff", "RT@a/b ＠c", "#a:https://b.com@c.com", "(#a)(@b.com)", "https://a:b@c.com/#", "xn--.com", "_https://a.com/__"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range mission.AllPlatforms() {
			end := 0
			for _, e := range Entities(p, text) {
				if e.Start < end || e.End <= e.Start || e.End > len(text) || !utf8.RuneStart(text[e.Start]) || e.End < len(text) && utf8.ValidString(text) && !utf8.RuneStart(text[e.End]) {
					t.Fatalf("%s: %q has %+v behind %d", p, text, e, end)
				}
				end = e.End
			}
			Cashtags(text)
		}
	})
}
