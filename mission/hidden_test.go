package mission

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What scripts and emoji need is seen.
func TestNothingHidden(t *testing.T) {
	for _, text := range []string{
		"", "Plain text, with\ttabs and\nlines.", "Größe – „zitiert“ €5 № 1…", "e\u0301 Vie\u0323\u0302t Nam", "a\u00a0b\u202fc\u3000d",
		"👍🏽 👩‍💻 👨‍👩‍👧‍👦 ❤️‍🔥 🏳️‍🌈 🏴‍☠️ 👁️‍🗨️ 🇩🇪 1️⃣ #️⃣ ☺︎ ©️ 🧑🏽‍🤝‍🧑🏿 🏋🏽‍♀️ 🐦‍🔥", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
		"می\u200cخواهم", "ه\u200d", "کتاب\u200cها", "ب\u064e\u200cت", "क\u094d\u200dष", "क\u094d\u200c", "র\u200d\u09cdয", "ශ\u0dca\u200dරී", "ന\u0d4d\u200d",
		"שלום \u200fabc\u200e", "بِسْمِ ٱللَّهِ ٱلرَّحْمَـٰنِ \u061c!", "ל\u05b7\u034f\u05b4", "\u2067עברית\u2069 and \u2068Ann\u2069", "ภาษา\u200bไทย", "ខ្មែរ\u200bភាសា",
		"葛\U000e0100城", "辻\ufe00", "≨\ufe00", "ᠮ\u180bᠣ", "\u0600١٢", "⠓⠑⠇⠇⠕\u2800⠺", "สวัสดี", "བསྒྲུབས", "𓀀\U00013430𓀁", "\ufffd",
	} {
		if h, found := FirstHidden(text); found {
			t.Errorf("%q has %s", text, h)
		}
		if WithoutHidden(text) != text {
			t.Errorf("%q is cleaned to %q", text, WithoutHidden(text))
		}
	}
}

// What nobody sees is found where it is, and removed from what was stored.
func TestHidden(t *testing.T) {
	tags := func(s string) string { return strings.Map(func(r rune) rune { return 0xe0000 + r }, s) }
	for text, at := range map[string]int{
		"a\u200bb": 2, "ab\u2060": 3, "\ufeffHello": 1, "a\u00adb": 2, "a\u034fb": 2, "a\u200db": 2, "pay\u200cpal": 4, "👩\u200d": 2, "\u200d👩": 1, "👩" + strings.Repeat("\u200d", 200) + "👩": 2,
		"a\ufe0f": 2, "é\ufe0f": 2, "❤\ufe0f\ufe0f": 3, "a\U000e0100": 2, "葛\U000e0100\U000e0101": 3, "葛\ufe05": 2,
		"hi" + tags("secret"): 3, "🏴" + tags("secret") + "\U000e007f": 2, "🏴" + tags("gbeng"): 2, "a\U000e0001": 2, "a\U000e0fff": 2,
		"evil\u202etxt.exe": 5, "\u202aabc": 1, "a\u2066b": 2, "a\u2066b\n\u2069": 2, "\u2066\u2069a": 1, "a\u2069": 2, "abc\u200e": 4, "שלום\u200f\u200f": 6, strings.Repeat("\u2068", 9) + "a" + strings.Repeat("\u2069", 9): 4,
		"\ue000": 1, "a\U00100000": 2, "Hello \ufffe": 7, "\uffff": 1, "\ufdd0": 1, "a\U0001ffff": 2,
		"a\u2800b": 2, "\u3164": 1, "\uffa0": 1, "\u115f": 1, "\u1160": 1, "\u17b4": 1, "a\u180e": 2, "a\u206a": 2, "a\u2061": 2, "a\ufff9b": 2, "a\U0001d173": 2, "a\U0001bca0": 2,
		"a" + strings.Repeat("\u0301", 11): 12, "क" + strings.Repeat("\u094d\u200d", 99): 22, "a\u2028b": 2,
	} {
		h, found := FirstHidden(text)
		if !found || h.At != at {
			t.Errorf("in %q %v is found, %s; want one at %d", text, found, h, at)
			continue
		}
		if []rune(text)[at-1] != h.Rune {
			t.Errorf("in %q %s is found", text, h)
		}
		if left, still := FirstHidden(WithoutHidden(text)); still {
			t.Errorf("%q is cleaned to %q, which has %s", text, WithoutHidden(text), left)
		}
	}
}

func TestHasVisible(t *testing.T) {
	for _, text := range []string{"", " \n\t", "\u00a0\u3000", "\u200b", "\u2060", "\u00ad", "\ufe0f", "\u202e", "\u2800\u2800", "\u3164", "\u0301", "\ue000", " \u200d\u034f "} {
		if HasVisible(text) {
			t.Errorf("%q is said to have something to see", text)
		}
	}
	for _, text := range []string{"a", ".", "👍", "日", "⠁", "\u0600"} {
		if !HasVisible(text) {
			t.Errorf("%q is said to have nothing to see", text)
		}
	}
}

func TestTidy(t *testing.T) {
	for text, want := range map[string]string{
		"one\r\ntwo": "one\ntwo", "one\rtwo\r": "one\ntwo", "one\r\n\r\ntwo": "one\n\ntwo", " \n one\u2028two\u2029 \u00a0": "one\ntwo", "\r\r\n": "", "a\tb": "a\tb",
	} {
		if got := Tidy(text); got != want {
			t.Errorf("%q is kept as %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab \r\n\t\u2028"))).Draw(t, "text")
		if once := Tidy(text); Tidy(once) != once {
			t.Fatalf("%q is kept as %q, then %q", text, once, Tidy(once))
		}
	})
}

// The texts of a mission are tidied and looked through, as those of a brand.
func TestTextsOfMissions(t *testing.T) {
	days, text := 1, " two\r\nlines \r"
	in := CreateInput{
		Name: "x", Description: &text, Objectives: []string{text}, Platforms: []Platform{Twitter}, DurationDays: &days,
		Constraints: &ConstraintsInput{ExcludedTopics: []string{text}},
	}
	m, _, err := New("msn_1", "tnt_1", in, stated)
	if err != nil || m.Description != "two\nlines" || m.Objectives[0] != "two\nlines" || m.Constraints.ExcludedTopics[0] != "two\nlines" {
		t.Errorf("it is kept as %+v, %v", m, err)
	}
	c, err := m.Update(UpdateInput{Description: Some(text + "a"), Objectives: []string{text + "b"}, Constraints: ConstraintsUpdate{ExcludedTopics: []string{text + "c"}}}, stated)
	if err != nil || c.To.Description != "two\nlines \na" || c.To.Objectives[0] != "two\nlines \nb" || c.To.Constraints.ExcludedTopics[0] != "two\nlines \nc" {
		t.Errorf("it is changed to %+v, %v", c.To, err)
	}
	tenant, _, err := Tenant{}.Change(TenantInput{Brand: &BrandInput{Voice: &text, ExcludedTopics: []string{text}}}, stated)
	if err != nil || tenant.Brand.Voice != "two\nlines" || tenant.Brand.ExcludedTopics[0] != "two\nlines" {
		t.Errorf("the brand is kept as %+v, %v", tenant.Brand, err)
	}
	hidden, unseen := "a\u200bb", "\u2060"
	for param, err := range map[string]error{
		"description":                    CreateInput{Name: "x", Description: &hidden, Objectives: []string{"x"}, Platforms: in.Platforms, DurationDays: &days}.Check(),
		"objectives[0]":                  CreateInput{Name: "x", Objectives: []string{unseen}, Platforms: in.Platforms, DurationDays: &days}.Check(),
		"constraints.excluded_topics[0]": CreateInput{Name: "x", Objectives: []string{"x"}, Platforms: in.Platforms, DurationDays: &days, Constraints: &ConstraintsInput{ExcludedTopics: []string{hidden}}}.Check(),
		"brand.audience":                 TenantInput{Brand: &BrandInput{Audience: &hidden}}.Check(),
		"reason":                         CheckReason(hidden),
		"instructions":                   CheckInstructions(hidden),
	} {
		var wrong *Error
		if !errors.As(err, &wrong) || wrong.Code != CodeInvalidRequest || wrong.Param != param {
			t.Errorf("%s: got %v", param, err)
		}
	}
}

// A mission that was stored with hidden characters is still updated, copied and written for.
func TestStoredHidden(t *testing.T) {
	days := 1
	m, _, err := New("msn_1", "tnt_1", CreateInput{Name: "x", Objectives: []string{"x"}, Platforms: []Platform{Twitter}, DurationDays: &days}, stated)
	if err != nil {
		t.Fatal(err)
	}
	m.Description, m.Objectives, m.Constraints.ExcludedTopics = "a\u200bb", []string{"c\u202ed"}, []string{"e\u2060f"}
	c, err := m.Update(UpdateInput{Name: Some("y")}, stated)
	if err != nil || c.To.Description != "ab" || c.To.Objectives[0] != "cd" || c.To.Constraints.ExcludedTopics[0] != "ef" {
		t.Errorf("it is changed to %+v, %v", c.To, err)
	}
	if err := m.Copy().Check(); err != nil {
		t.Errorf("its copy: %v", err)
	}
	if b := NewBrief(m, Brand{}); b.Check() != nil || b.Description != "ab" || m.Objectives[0] != "c\u202ed" {
		t.Errorf("its brief is %+v: %v", b, b.Check())
	}
}

func FuzzHidden(f *testing.F) {
	f.Add("a\u200d👩\u200db\U000e0041\u2066x\u2069\ufe0f")
	f.Fuzz(func(t *testing.T, text string) {
		clean := WithoutHidden(text)
		if h, found := FirstHidden(clean); found {
			t.Errorf("%q is cleaned to %q, which has %s", text, clean, h)
		}
	})
}
