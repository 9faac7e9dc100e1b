package missions_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/database"
	"missiond/internal/testkit/world"
	"missiond/internal/textlimit"
	"missiond/internal/writer/builtin"
	"missiond/internal/writer/builtin/builtintest"
	"missiond/mission"
)

// withLimits gives an integration's account limits of its own.
func withLimits(l mission.TextLimits) func(i mission.Integration, now time.Time) mission.Integration {
	return func(i mission.Integration, now time.Time) mission.Integration {
		a := *i.Account
		a.Limits = l
		return i.Taken(a, now)
	}
}

// Texts for an account keep to its server's own limits, whoever writes them. A job reads
// the limits once, however many posts it has.
func TestAccountsOwnLimits(t *testing.T) {
	world.EachFaulty(t, func(t *testing.T, w *world.World, faults *database.Faults) {
		ctx := context.Background()
		w.Writer = builtin.Writer{}
		own := mission.TextLimits{MaxLength: 90, LinkLength: 50}
		connect(w, mission.Mastodon) // the default, which the mission doesn't choose
		i := connect(w, mission.Mastodon)
		set(w, i, withLimits(own))
		set(w, i, connected) // a test that doesn't report them
		m := w.Create(func(in *mission.CreateInput) {
			fourADay(in)
			approve := true
			in.Description = new(builtintest.Description)
			in.Platforms, in.IntegrationIDs, in.Constraints.RequireApproval = []mission.Platform{mission.Mastodon}, []string{i.ID}, &approve
		})
		var reads atomic.Int64
		faults.Listen(func(statement string, _ ...any) {
			if strings.HasPrefix(statement, "SELECT") && strings.Contains(statement, `FROM "integrations"`) {
				reads.Add(1)
			}
		})
		w.Step()
		faults.Listen(nil)
		if n := reads.Load(); n != 2 {
			t.Errorf("a job with four posts reads the accounts %d times, want once for its plan and once for its texts", n)
		}
		caps, _ := mission.CapabilitiesOf(mission.Mastodon)
		posts := w.Posts(m.ID)
		for _, c := range posts {
			for _, text := range c.Texts() {
				if !textlimit.Fits(caps.Within(own), text) {
					t.Errorf("written is %q", text)
				}
			}
		}
		if len(posts) != 4 {
			t.Fatalf("%d posts were written", len(posts))
		}
		c, err := w.Missions.RegenerateContent(ctx, w.Tenant, posts[0].ID, "", nil)
		if err != nil || !textlimit.Fits(caps.Within(own), c.Texts()[0]) {
			t.Errorf("written again is %q, %v", c.Text, err)
		}

		post := posts[0].ID
		for _, p := range posts {
			if p.Format == mission.FormatPost {
				post = p.ID
			}
		}
		for _, tt := range []struct {
			own  mission.TextLimits
			text string
			fits bool
		}{
			{own, strings.Repeat("x", 90), true},
			{own, strings.Repeat("x", 91), false},
			{own, strings.Repeat("x", 39) + " https://example.com", true},
			{own, strings.Repeat("x", 40) + " https://example.com", false},
			{mission.TextLimits{MaxLength: 9000}, strings.Repeat("x", 9000), true},
			{mission.TextLimits{MaxLength: 9000}, strings.Repeat("x", 9001), false},
		} {
			set(w, i, withLimits(tt.own))
			_, err := w.Missions.EditContent(ctx, w.Tenant, post, withText(tt.text))
			if tt.fits && err != nil || !tt.fits && mission.CodeOf(err) != mission.CodeInvalidRequest {
				t.Errorf("%+v: %d characters: %v", tt.own, len(tt.text), err)
			}
		}
	})
}
