package identity

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A key has its documented form, and any one changed character is refused
// without a look-up.
func TestKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := NewKey()
		if !IsKey(key) || !strings.HasPrefix(key, "cms_live_") || len(KeyPrefix(key)) != 16 || !strings.HasPrefix(key, KeyPrefix(key)) {
			t.Fatalf("the key is %q", key)
		}
		at := rapid.IntRange(0, len(key)-1).Draw(t, "at")
		changed := key[:at] + string(base62[rapid.IntRange(0, len(base62)-1).Draw(t, "digit")]) + key[at+1:]
		if changed != key && IsKey(changed) {
			t.Fatalf("%q passes for %q", changed, key)
		}
	})
	if first, second := NewKey(), NewKey(); first == second {
		t.Error("two keys are the same")
	}
	for _, s := range []string{"", "cms_live_", "cms_test_" + NewKey()[9:], NewKey() + "0", strings.Repeat("é", 29)} {
		if IsKey(s) {
			t.Errorf("%q has the form of a key", s)
		}
	}
}

func TestBearer(t *testing.T) {
	for header, want := range map[string]string{
		"Bearer abc": "abc", "bearer abc": "abc", "": "", "abc": "", "Bearer": "", "Bearer ": "", "Basic abc": "", "Bearer a b": "", "Bearer  a": "",
	} {
		got, err := Bearer(header)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v", header, got, err)
		}
	}
}

func FuzzIsKey(f *testing.F) {
	f.Add(NewKey())
	f.Fuzz(func(t *testing.T, s string) {
		if IsKey(s) && (len(s) != len(NewKey()) || !strings.HasPrefix(s, keyPrefix)) {
			t.Errorf("%q has the form of a key", s)
		}
	})
}
