package links_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"missiond/internal/links"
	"missiond/internal/textlimit"
	"missiond/mission"
)

// words are what texts are made of: links as people write them, and what looks like links or surrounds them.
var words = []string{
	"https://acme.com", "https://acme.com/a?b=c", "http://acme.com/x#y", "HTTPS://ACME.COM/A_(B)", "acme.com", "acme.com/x?", "https://acme.com/?utm_source=mine",
	"https://дом.рф/я", "https://acme.com:8080/ü", "gemini://acme.com/x", "https://go.acme.com/l/abcdefgh234567zz", "user@acme.com", "@user@acme.com", "@acme.bsky.social",
	"#tag", "$ABC", "hello", "日本", "👩‍👩‍👧", ".", ",", "(", ")", "\n", "\n\n", "*", "_",
}

var (
	texts = rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(0, 12).Draw(t, "words") {
			b.WriteString(rapid.SampledFrom(words).Draw(t, "word"))
			b.WriteString(rapid.SampledFrom([]string{" ", "", " "}).Draw(t, "gap"))
		}
		return b.String()
	})
	rules = rapid.Custom(func(t *rapid.T) mission.LinkRule {
		source, campaign := rapid.SampledFrom([]string{"{platform}", "a.b~c!", "日本"}).Draw(t, "source"), "{mission}"
		m := mission.Mission{Name: "Autumn launch", Links: mission.Links{}}
		if rapid.Bool().Draw(t, "utm") {
			m.Links.UTM = mission.UTM{Source: &source, Campaign: &campaign}
		}
		if rapid.Bool().Draw(t, "track") {
			m.Links.Track = mission.AllPlatforms()
		}
		return m.LinkRule(mission.Bluesky, "https://go.acme.com/l/")
	})
)

// Whatever a post says: only its links are replaced, each that the rule changes and no other; what is sent
// has the length that was checked, and nothing in it would be replaced again.
func TestOutgoingProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, r := rapid.SampledFrom(mission.AllPlatforms()).Draw(t, "platform"), rules.Draw(t, "rule")
		c := mission.Content{Platform: p, Parts: []string{texts.Draw(t, "first"), texts.Draw(t, "second")}}
		made := 0
		c.Outgoing = links.Outgoing(p, r, c.Parts, func() string { made++; return fmt.Sprintf("code%012d", made)[:mission.LinkCodeLength] })
		caps, _ := mission.CapabilitiesOf(p)
		for i, sent := range c.SentTexts() {
			at, rest := 0, sent
			for _, l := range c.Outgoing.Links {
				if l.Part != i {
					continue
				}
				before := c.Parts[i][at:l.Start] + l.Sent
				if !strings.HasPrefix(rest, before) || !r.Changes(c.Parts[i][l.Start:l.End]) {
					t.Fatalf("%q became %q on %s: %+v", c.Parts[i], sent, p, c.Outgoing.Links)
				}
				at, rest = l.End, rest[len(before):]
			}
			if rest != c.Parts[i][at:] {
				t.Fatalf("%q became %q on %s", c.Parts[i], sent, p)
			}
			if checked, is := textlimit.Length(caps.Sending(r), c.Parts[i]), textlimit.Length(caps, sent); checked != is {
				t.Fatalf("%q on %s was checked as %d and sent as %d: %q", c.Parts[i], p, checked, is, sent)
			}
			if again := links.Changed(p, r, sent); len(again) > 0 {
				t.Fatalf("of %q on %s, %v would be changed again: %q", c.Parts[i], p, again, sent)
			}
		}
		if r == (mission.LinkRule{}) && len(c.Outgoing.Links) > 0 || r.Prefix == "" && made > 0 {
			t.Fatalf("the rule %+v made %+v", r, c.Outgoing)
		}
		// A thread is split by what is sent, at the ends of words as they are written.
		if split := textlimit.Split(caps.Sending(r), c.Parts[0]); textlimit.Length(caps.Sending(r), c.Parts[0]) <= caps.MaxLength && len(split) > 1 {
			t.Fatalf("%q was split on %s", c.Parts[0], p)
		}
	})
}

// A platform counts a tracked link as it counts links, whatever was written.
func TestTrackedLinkLengths(t *testing.T) {
	rule := mission.LinkRule{Prefix: "https://go.acme.com/l/"}
	text := "See https://acme.example.com/" + strings.Repeat("a", 400) + " now"
	for p, want := range map[mission.Platform]int{mission.Twitter: 31, mission.Mastodon: 31, mission.Bluesky: 8 + 22 + 16, mission.Threads: 8 + 22 + 16} {
		caps, _ := mission.CapabilitiesOf(p)
		if got := textlimit.Length(caps.Sending(rule), text); got != want {
			t.Errorf("%s counts %d characters, want %d", p, got, want)
		}
	}
	caps, _ := mission.CapabilitiesOf(mission.Bluesky)
	if textlimit.Fits(caps, text) || !textlimit.Fits(caps.Sending(rule), text) {
		t.Error("a post with a long link fits on Bluesky only if the link is tracked")
	}
	caps.MaxBytes = 60
	if fits := textlimit.Fits(caps.Sending(rule), text); !fits {
		t.Error("the bytes of a link that isn't sent are counted")
	}
	caps.MaxBytes = 40
	if textlimit.Fits(caps.Sending(rule), text) {
		t.Error("the bytes of what is sent aren't counted")
	}
}
