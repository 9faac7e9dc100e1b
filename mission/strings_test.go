package mission

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var stated = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// Names accept what scripts and emoji need, and nothing that is hidden, or that
// reorders or breaks their line.
func TestLines(t *testing.T) {
	for _, name := range []string{
		"Spring", "Größe & Straße №5", "می\u200cخواهم", "क\u094d\u200dष", "ශ\u0dca\u200dර\u0dd3", "👩\u200d💻 team", "👨\U0001f3fd\u200d🚀", "❤\ufe0f\u200d🔥",
		"🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "日本語", "שלום", "مرحبا", "한국어", "e\u0301",
	} {
		if err := checkLine("name", name, 1, MaxName); err != nil {
			t.Errorf("%q is refused: %v", name, err)
		}
		if got := CleanLine(name); got != name {
			t.Errorf("%q is cleaned to %q", name, got)
		}
	}
	for _, name := range []string{
		"a\x00b", "a\nb", "a\r\nb", "a\tb", "a\x7fb", "a\u0085b", "a\u2028b", "a\u2029b", "\xff",
		"a\u202eb", "a\u202ab", "a\u2066b\u2069", "a\u200eb", "a\u200fb", "a\u061cb",
		"a\u200bb", "a\u2060b", "a\ufeffb", "a\u00adb", "a\u034fb", "a\u3164b", "a\u115fb", "a\u180eb", "a\U000e0001b", "a\U000e0041b", "a\ufff9b",
		"a\u200db", "pay\u200dpal", "\u200da", "👩\u200d", "a\u200cb", "п\u200cа",
	} {
		if err := checkLine("name", name, 1, MaxName); CodeOf(err) != CodeInvalidRequest {
			t.Errorf("%q returned %v", name, err)
		}
		if got := CleanLine(name); checkLine("name", got, 0, MaxName) != nil || strings.ContainsAny(got, "\x00\n\u202e") {
			t.Errorf("%q is cleaned to %q", name, got)
		}
	}
}

// Every name that is stored is checked.
func TestNamesAreLines(t *testing.T) {
	const name = "Spring\r\nBcc: all@example.com\u202e"
	days, tone := 1, name
	create := CreateInput{Name: "x", Objectives: []string{"x\ny"}, Platforms: []Platform{Twitter}, DurationDays: &days}
	if _, _, err := New("msn_1", "tnt_1", create, stated); err != nil {
		t.Fatalf("an objective of two lines is refused: %v", err)
	}
	named, toned := create, create
	named.Name = name
	toned.Constraints = &ConstraintsInput{Tone: &tone}
	wrong := name
	_, _, byName := New("msn_1", "tnt_1", named, stated)
	_, _, byTone := New("msn_1", "tnt_1", toned, stated)
	_, _, ofTenant := Tenant{}.Change(TenantInput{Name: &wrong}, stated)
	_, ofKey := NewAPIKey("key_1", "cms_live_", KeyInput{Name: name}, Principal{Scopes: AllScopes()}, stated)
	for _, got := range []struct {
		of, param string
		err       error
	}{{"a mission", "name", byName}, {"a mission", "constraints.tone", byTone}, {"a tenant", "name", ofTenant}, {"a key", "name", ofKey}} {
		var e *Error
		if !errors.As(got.err, &e) || e.Code != CodeInvalidRequest || e.Param != got.param {
			t.Errorf("%s of %s returned %v", got.param, got.of, got.err)
		}
	}
}

// A mission that was stored when names weren't checked can still be changed.
func TestOldNamesDoNotStopUpdates(t *testing.T) {
	days, tone := 1, "warm\n"
	m, _, err := New("msn_1", "tnt_1", CreateInput{Name: "x", Objectives: []string{"x"}, Platforms: []Platform{Twitter}, DurationDays: &days}, stated)
	if err != nil {
		t.Fatal(err)
	}
	m.Name, m.Constraints.Tone = "Spring\u202e\nsale", &tone
	c, err := m.Update(UpdateInput{Description: Some("y")}, stated)
	if err != nil || c.To.Name != "Springsale" || *c.To.Constraints.Tone != "warm" || tone != "warm\n" {
		t.Errorf("got the update %+v, %v", c.To, err)
	}
}

func FuzzLines(f *testing.F) {
	f.Add("a\u200d👩\u200db\U000e0041")
	f.Fuzz(func(t *testing.T, text string) {
		clean := CleanLine(text)
		if _, found := hiddenIn(clean); found || !utf8.ValidString(clean) || CheckString("", clean) != nil {
			t.Errorf("%q is cleaned to %q", text, clean)
		}
		if checkLine("", text, 0, len(text)) == nil && clean != strings.TrimSpace(text) {
			t.Errorf("%q is accepted, but cleaned to %q", text, clean)
		}
	})
}

// What people see as one name is one, whatever way its characters are composed.
func TestComposedNamesAreOne(t *testing.T) {
	const composed, decomposed = "Caf\u00e9", "Cafe\u0301"
	views, err := WithView([]SavedView{{Name: composed, Query: "a"}}, SavedView{Name: decomposed, Query: "b"})
	if err != nil || len(views) != 1 || views[0].Query != "b" {
		t.Errorf("saving the view again: %+v, %v", views, err)
	}
	if left, err := WithoutView(views, composed, "delete_view"); err != nil || len(left) != 0 {
		t.Errorf("deleting the view by the other form: %+v, %v", left, err)
	}
	both := []SavedView{{Name: composed, Query: "a"}, {Name: decomposed, Query: "b"}} // as they could be stored
	if left, err := WithoutView(both, decomposed, "delete_view"); err != nil || len(left) != 1 || left[0].Query != "a" {
		t.Errorf("deleting one of two: %+v, %v", left, err)
	}
	if a := (Agent{Name: composed, RedirectURI: "https://a.example"}); !a.Same(decomposed, "https://a.example") {
		t.Error("the agents are two")
	}
	if err := (&BrandInput{Facts: []Fact{{Text: composed}, {Text: decomposed}}}).check(); CodeOf(err) != CodeInvalidRequest {
		t.Errorf("a fact that is there twice: %v", err)
	}
	if _, unheld := (Exclusions{Facts: []Fact{{Text: decomposed}}}).Unheld([]CitedFact{{Text: composed}}, stated); unheld {
		t.Error("a fact that was stored again doesn't hold")
	}
	if a, b := (Mission{Name: composed}).slug(), (Mission{Name: decomposed}).slug(); a != b {
		t.Errorf("links have %q and %q", a, b)
	}
}
