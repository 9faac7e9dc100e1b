package links_test

import (
	"testing"

	"missiond/internal/links"
	"missiond/mission"
)

// The links of an article's Markdown end before its brackets, so that a rule changes the address alone.
func TestMarkdown(t *testing.T) {
	source := "news"
	m := mission.Mission{Links: mission.Links{UTM: mission.UTM{Source: &source}}}
	rule := m.LinkRule(mission.Ghost, "")
	for text, want := range map[string]string{
		"See [this](https://acme.com/a?b=c).":                    "See [this](https://acme.com/a?b=c&utm_source=news).",
		"[A](https://acme.com/x_(y)) and more":                   "[A](https://acme.com/x_(y)?utm_source=news) and more",
		"*https://acme.com/a*":                                   "*https://acme.com/a?utm_source=news*",
		"<https://acme.com/a> and ![b](https://c.d/e.png \"t\")": "<https://acme.com/a?utm_source=news> and ![b](https://c.d/e.png?utm_source=news \"t\")",
	} {
		for _, p := range []mission.Platform{mission.WordPress, mission.Ghost} {
			c := mission.Content{Platform: p, Text: text, Outgoing: links.Outgoing(p, rule, []string{text}, nil)}
			if got := c.SentTexts()[0]; got != want {
				t.Errorf("%s: %q becomes %q, want %q", p, text, got, want)
			}
		}
	}
}
