package seal

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSealed(t *testing.T) {
	first, second := NewKey(), NewKey()
	older, err := Parse(first)
	if err != nil {
		t.Fatal(err)
	}
	newer, err := Parse(second + ",\n" + first)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		plain := rapid.SliceOf(rapid.Byte()).Draw(t, "plain")
		sealed := older.Seal("place", plain)
		if len(plain) > 4 && strings.Contains(sealed, string(plain)) {
			t.Fatal("the plain text shows")
		}
		if sealed == older.Seal("place", plain) {
			t.Fatal("two sealed texts are the same")
		}
		for _, keyring := range []*Keyring{older, newer} {
			if got, err := keyring.Open("place", sealed); err != nil || string(got) != string(plain) {
				t.Fatalf("it opens as %q, %v", got, err)
			}
		}
		if older.Stale(sealed) || !newer.Stale(sealed) {
			t.Fatal("Stale doesn't distinguish the first key's texts from others")
		}
		if _, err := older.Open("elsewhere", sealed); err == nil {
			t.Fatal("it opens in another place")
		}
		if _, err := older.Open("place", newer.Seal("place", plain)); err == nil {
			t.Fatal("it opens without its key")
		}
		at := rapid.IntRange(0, len(sealed)-1).Draw(t, "at")
		changed := sealed[:at] + "~" + sealed[at+1:]
		if _, err := older.Open("place", changed); err == nil {
			t.Fatalf("%q opens although it was changed", changed)
		}
	})
}

func TestParse(t *testing.T) {
	for _, bad := range []string{"", " ,\n", "short", NewKey() + ",x", NewKey()[4:]} {
		if _, err := Parse(bad); err == nil || bad != "" && len(bad) > 20 && strings.Contains(err.Error(), bad[:20]) {
			t.Errorf("%q: got %v", bad, err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	keyring, err := Parse(NewKey())
	if err != nil {
		f.Fatal(err)
	}
	good := keyring.Seal("place", []byte("text"))
	f.Add(good)
	f.Add("v1..")
	f.Fuzz(func(t *testing.T, sealed string) {
		if plain, err := keyring.Open("place", sealed); err == nil && sealed != good {
			t.Errorf("%q opens as %q", sealed, plain)
		}
	})
}
