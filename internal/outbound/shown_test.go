package outbound

import (
	"errors"
	"strings"
	"testing"
)

// No secret of an address is shown, wherever it is, encoded or not.
func TestShown(t *testing.T) {
	for address, want := range map[string]string{
		"":                                   "",
		"https://example.com/a":              "https://example.com/a",
		"https://user:secret@example.com/":   "https://xxxxx@example.com/",
		"https://secret@example.com":         "https://xxxxx@example.com",
		"s3://b?region=r&endpoint=secret":    "s3://b?endpoint=xxxxx&region=xxxxx",
		"https://example.com#secret":         "https://example.com",
		"redis://:12/secret@host":            hidden,
		"https://u:12#secret@host":           hidden,
		"https://u:12?secret@host":           hidden,
		"user:secret@host":                   hidden,
		"https://user:secret%zz@example.com": hidden,
		"https://user:se/cret@example.com":   hidden,
	} {
		if got := Shown(address); got != want {
			t.Errorf("%s is shown as %s, want %s", address, got, want)
		}
	}
	if _, err := withoutAddress(nil, errors.New("invalid proxy address \"http://u:secret@h\"")); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}
