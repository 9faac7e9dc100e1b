package mission

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// A mail server's words are one bounded line of visible characters, whatever it says.
func TestRefusedInTheServersWords(t *testing.T) {
	u := User{ID: "usr_1", TenantID: "tnt_1", Email: "ann@example.com"}
	const before = "An e-mail to ann@example.com was refused for good: "
	for reply, want := range map[string]string{
		"550 5.1.1 no such user":                    "550 5.1.1 no such user",
		"552 the box\r\n\tis   full\x00\u202e":      "552 the box is full",
		"550 " + strings.Repeat("é", 2*maxReply):    "550 " + strings.Repeat("é", maxReply-4),
		"550 " + strings.Repeat("\xff", 9*maxReply): "550",
	} {
		n := u.NotifyRefused("ntf_1", reply, time.Time{})
		if n.Message != before+want || n.Kind != NotifyEmailRefused || n.SubjectID != u.ID || n.TenantID != u.TenantID {
			t.Errorf("%q is told as %+v", reply, n)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := u.NotifyRefused("ntf_1", string(rapid.SliceOf(rapid.Byte()).Draw(t, "reply")), time.Time{})
		if _, found := hiddenIn(n.Message); found || !utf8.ValidString(n.Message) || utf8.RuneCountInString(n.Message) > len(before)+maxReply {
			t.Fatalf("it is told as %q", n.Message)
		}
	})
}
