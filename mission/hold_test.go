package mission

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestHoldInput(t *testing.T) {
	now := time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)
	day := func(n int) *time.Time { at := now.Add(time.Duration(n) * 24 * time.Hour); return &at }
	for _, c := range []struct {
		in    HoldInput
		param string
	}{
		{HoldInput{}, "reason"},
		{HoldInput{Reason: " \n"}, "reason"},
		{HoldInput{Reason: "zero\u200bwidth"}, "reason"},
		{HoldInput{Reason: fmt.Sprintf("%0*d", MaxReason+1, 0)}, "reason"},
		{HoldInput{Reason: "x", Until: day(0)}, "until"},
		{HoldInput{Reason: "x", Until: day(367)}, "until"},
		{HoldInput{Reason: "x", Until: day(366)}, ""},
	} {
		_, _, err := Tenant{}.PutOnHold(c.in, Principal{UserID: "usr_1"}, now)
		got := ""
		if e := (*Error)(nil); errors.As(err, &e) {
			got = e.Param
		}
		if got != c.param {
			t.Errorf("%+v: %v, want an error on %q", c.in, err, c.param)
		}
	}
}
