package mission

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// A link is for one mission, may decide if that is asked for, and ends with its time or when it
// is revoked.
func TestReviewLinks(t *testing.T) {
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		in      ReviewLinkInput
		status  Status
		working int
		param   string
		code    Code
	}{
		"an hour":        {ReviewLinkInput{Name: " Acme ", ExpiresInHours: 1}, StatusActive, 0, "", ""},
		"thirty days":    {ReviewLinkInput{Name: "Acme", ExpiresInHours: 720}, StatusDraft, MaxReviewLinks - 1, "", ""},
		"for ever":       {ReviewLinkInput{Name: "Acme", ExpiresInHours: 721}, StatusActive, 0, "expires_in_hours", CodeInvalidRequest},
		"no time":        {ReviewLinkInput{Name: "Acme"}, StatusActive, 0, "expires_in_hours", CodeInvalidRequest},
		"nobody":         {ReviewLinkInput{Name: " ", ExpiresInHours: 1}, StatusActive, 0, "name", CodeInvalidRequest},
		"a long name":    {ReviewLinkInput{Name: strings.Repeat("x", 101), ExpiresInHours: 1}, StatusActive, 0, "name", CodeInvalidRequest},
		"two lines":      {ReviewLinkInput{Name: "a\nb", ExpiresInHours: 1}, StatusActive, 0, "name", CodeInvalidRequest},
		"one too many":   {ReviewLinkInput{Name: "Acme", ExpiresInHours: 1}, StatusActive, MaxReviewLinks, "", CodeConflict},
		"nothing to see": {ReviewLinkInput{Name: "Acme", ExpiresInHours: 1}, StatusCompleted, 0, "", CodeConflict},
	} {
		l, err := Mission{ID: "msn_1", TenantID: "tnt_1", Status: tt.status}.NewReviewLink("rvl_1", tt.in, Principal{UserID: "usr_1"}, tt.working, now)
		if e := new(Error); CodeOf(err) != tt.code || errors.As(err, &e) && e.Param != tt.param {
			t.Errorf("%s: got %v", name, err)
		}
		if err == nil && (l.Name != "Acme" || l.MayDecide || l.CreatedBy != "usr_1" || !l.ExpiresAt.Equal(now.Add(time.Duration(tt.in.ExpiresInHours)*time.Hour))) {
			t.Errorf("%s: got %+v", name, l)
		}
	}
	l := ReviewLink{ID: "rvl_1", TenantID: "tnt_1", MissionID: "msn_1", ExpiresAt: now.Add(time.Hour)}
	p := l.Principal()
	if p.Check(OpContentRead) != nil || CodeOf(p.Check(OpContentApprove)) != CodeForbidden || p.Reaches("msn_2") || !p.Reaches("msn_1") || p.Reviewer() != "rvl_1" {
		t.Errorf("who has the link is %+v", p)
	}
	l.MayDecide = true
	if l.Principal().Check(OpContentApprove) != nil || CodeOf(l.Principal().Check(OpMissionsRead)) != CodeForbidden {
		t.Error("a link that may decide reviews posts, and nothing else")
	}
	revoked, changed := l.Revoke(now)
	if again, twice := revoked.Revoke(now.Add(time.Minute)); !changed || revoked.Works(now) || twice || !again.RevokedAt.Equal(now) {
		t.Errorf("revoked, it is %+v", revoked)
	}
	if !l.Works(now.Add(time.Hour-time.Millisecond)) || l.Works(now.Add(time.Hour)) {
		t.Error("it works until it expires")
	}
}
