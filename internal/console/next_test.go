package console

import (
	"strings"
	"testing"
)

// A sign-in leads to pages of the console alone, and what cookies have of one is short.
func TestReturnTo(t *testing.T) {
	long := strings.Repeat("a", maxNext)
	for next, want := range map[string]string{
		"": "/console/", "/console/": "/console/", "/console/missions?status=ACTIVE#x": "/console/missions?status=ACTIVE#x",
		"https://attacker.example/console/": "/console/", "//attacker.example/console/": "/console/", "/v1/missions": "/console/", "/console/../v1": "/console/",
		"/console/activity?q=" + long: "/console/activity", "/console/activity#" + long: "/console/activity", "/console/" + long: "/console/",
		"/console/missions?q=" + strings.Repeat("\u00e9", 100): "/console/missions?q=" + strings.Repeat("\u00e9", 100),
		"/console/" + strings.Repeat("%41/", 200):              "/console/",
	} {
		got := returnTo(next)
		if got != want || len(got) > maxNext {
			t.Errorf("%.60q leads to %.60q, want %.60q", next, got, want)
		}
	}
}
