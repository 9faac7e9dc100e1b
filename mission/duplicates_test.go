package mission

import (
	"strings"
	"testing"
)

func TestDuplicates(t *testing.T) {
	used := TextSet{}
	used.Add("What has  worked\nfor you?", "Ünï")
	for text, want := range map[string]bool{"what has worked for you? ": true, "What worked for you?": false, "üNÏ": true, "U\u0308ni\u0308": true, "": false} {
		if _, got := used.Repeats(Draft{Text: text}); got != want {
			t.Errorf("%q repeats: got %t, want %t", text, got, want)
		}
	}
	if text, ok := used.Repeats(Draft{Text: "x", Parts: []string{"One.", "Two.", "ünï"}}); !ok || text != "ünï" {
		t.Errorf("got the thread's repetition %q, %t", text, ok)
	}
	if _, ok := (TextSet)(nil).Repeats(Draft{Text: "x", Parts: []string{"One.", "one."}}); !ok {
		t.Error("a thread may contain a text twice")
	}
}

func TestOpening(t *testing.T) {
	for text, want := range map[string]string{
		"Quick tip: visit us. More at https://a.example": "Quick tip: visit us.",
		"Ready?\n\nWe are.":               "Ready?",
		"  No end\nat all.":               "No end",
		"Version 2.0 is out! See":         "Version 2.0 is out!",
		"Wait… what?":                     "Wait…",
		"":                                "",
		strings.Repeat("ä", 2*MaxOpening): strings.Repeat("ä", MaxOpening),
	} {
		if got := Opening(text); got != want {
			t.Errorf("%q: got the opening %q, want %q", text, got, want)
		}
	}
	used := TextSet{}
	used.Add("Quick tip: visit us.")
	if !used.Has("quick  tip: VISIT us.") || used.Has("Quick tip") || TextSet(nil).Has("") {
		t.Error("Has doesn't find used texts")
	}
}
