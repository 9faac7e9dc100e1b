package mission

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestDestinations(t *testing.T) {
	account := func(id string, p Platform, change func(i *Integration)) Integration {
		i := Integration{ID: id, Platform: p, Status: IntegrationConnected, Account: &Account{ID: id, Handle: "@" + id}}
		if change != nil {
			change(&i)
		}
		return i
	}
	gone := func(i *Integration) { i.DeletedAt = &time.Time{} }
	usual := func(i *Integration) { i.Default = true }
	tests := map[string]struct {
		accounts []Integration
		chosen   []string
		want     string
	}{
		"no integrations":                 {nil, nil, "twitter mastodon"},
		"the defaults":                    {[]Integration{account("a", Twitter, usual), account("b", Twitter, nil)}, nil, "twitter/a mastodon"},
		"chosen ones":                     {[]Integration{account("a", Twitter, usual), account("b", Twitter, nil), account("c", Mastodon, usual)}, []string{"b"}, "twitter/b mastodon/c"},
		"several of a platform":           {[]Integration{account("a", Twitter, usual), account("b", Twitter, nil)}, []string{"b", "a"}, "twitter/a twitter/b mastodon"},
		"one that was disconnected":       {[]Integration{account("a", Twitter, usual), account("b", Twitter, gone)}, []string{"b"}, "twitter/b mastodon"},
		"one of several was disconnected": {[]Integration{account("a", Twitter, usual), account("b", Twitter, gone), account("c", Twitter, nil)}, []string{"b", "c"}, "twitter/c mastodon"},
		"one that needs its owner":        {[]Integration{account("a", Twitter, func(i *Integration) { i.Default, i.Status = true, IntegrationNeedsReconnect })}, nil, "twitter/a mastodon"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := Brief{Platforms: []Platform{Twitter, Mastodon}, IntegrationIDs: tt.chosen}
			var keys []string
			for _, d := range b.Destinations(tt.accounts) {
				keys = append(keys, d.Key())
				if d.IntegrationID != "" && d.Handle != "@"+d.IntegrationID {
					t.Errorf("%s has the handle %q", d.Key(), d.Handle)
				}
			}
			if got := strings.Join(keys, " "); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestCheckChosen(t *testing.T) {
	known := map[string]Integration{
		"int_a": {ID: "int_a", Platform: Twitter, Account: &Account{ID: "1"}},
		"int_b": {ID: "int_b", Platform: Bluesky, Account: &Account{ID: "2"}},
		"int_c": {ID: "int_c", Platform: Twitter},
	}
	for id, ok := range map[string]bool{"int_a": true, "int_b": false, "int_c": false, "int_d": false} {
		err := Mission{Platforms: []Platform{Twitter, Mastodon}, IntegrationIDs: []string{"int_a", id}[:2]}.CheckChosen(known)
		var e *Error
		if errors.As(err, &e) == ok || !ok && e.Param != "integration_ids[1]" {
			t.Errorf("%s: %v", id, err)
		}
	}
}
