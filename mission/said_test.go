package mission

import "testing"

func TestSaid(t *testing.T) {
	said := Said{}
	said.Add("What has  worked\nfor you?", "Ünï")
	for text, want := range map[string]bool{"what has worked for you? ": true, "What worked for you?": false, "üNÏ": true, "": false} {
		if _, got := said.Repeats(Draft{Text: text}); got != want {
			t.Errorf("%q repeats: %t, want %t", text, got, want)
		}
	}
	if text, ok := said.Repeats(Draft{Text: "x", Parts: []string{"One.", "Two.", "ünï"}}); !ok || text != "ünï" {
		t.Errorf("the thread repeats %q, %t", text, ok)
	}
	if _, ok := (Said)(nil).Repeats(Draft{Text: "x", Parts: []string{"One.", "one."}}); !ok {
		t.Error("a thread may say one thing twice")
	}
}
