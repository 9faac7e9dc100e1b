package mission

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestLookupOf(t *testing.T) {
	on := func(p Platform, account string) *Integration {
		return &Integration{Platform: p, Account: &Account{ID: account}}
	}
	for name, tt := range map[string]struct {
		via           *Integration
		post, comment LookupKind
	}{
		"the sandbox":                 {nil, LookupExact, LookupExact},
		"Bluesky":                     {on(Bluesky, "did:plc:a"), LookupExact, LookupExact},
		"Mastodon":                    {on(Mastodon, "1"), LookupByText, LookupByText},
		"X":                           {on(Twitter, "1"), LookupByText, LookupByText},
		"Facebook":                    {on(Facebook, "1"), LookupByText, LookupByText},
		"Instagram":                   {on(Instagram, "1"), LookupExact, LookupNone},
		"LinkedIn, a member":          {on(LinkedIn, "urn:li:person:a"), LookupNone, LookupNone},
		"LinkedIn, an organisation":   {on(LinkedIn, "urn:li:organization:1"), LookupByText, LookupNone},
		"LinkedIn, nobody knows whom": {&Integration{Platform: LinkedIn}, LookupNone, LookupNone},
	} {
		if got := LookupOf(tt.via).Kind; got != tt.post {
			t.Errorf("%s: got %s for posts, want %s", name, got, tt.post)
		}
		if got := CommentLookupOf(tt.via); got.Kind != tt.comment || got.Kind == LookupNone && got.ResendWindow != 0 {
			t.Errorf("%s: got %+v for comments, want %s", name, got, tt.comment)
		}
	}
	for _, c := range AllCapabilities() {
		if len(c.Connect) > 0 && c.Lookup.Kind == "" {
			t.Errorf("%s has an adapter that doesn't say how unknown outcomes are found out", c.Platform)
		}
	}
}

// Whatever happens between a lost response and the next call, the call begins while the
// platform refuses a second post, or after a lookup that counts.
func TestNoCallAfterTheWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom([]Lookup{
			{Kind: LookupExact}, {Kind: LookupByText, Lag: time.Hour}, {Kind: LookupNone, ResendWindow: 9 * time.Minute}, {Kind: LookupNone},
			{Kind: LookupByText, Lag: 10 * time.Minute, ResendWindow: 9 * time.Minute},
		}).Draw(t, "lookup")
		now := settledAt
		ch, err := Content{Status: ContentScheduled, Text: "x"}.Publishing(nil, now)
		if err != nil {
			t.Fatal(err)
		}
		c, first, lost, proven := ch.To, now, true, false
		for range 30 {
			now = now.Add(time.Duration(rapid.IntRange(0, 240).Draw(t, "minutes")) * time.Minute / 8)
			at := PublishAttempt{Number: 1, Mission: rapid.SampledFrom([]Status{StatusActive, StatusPaused}).Draw(t, "mission"), WindowEnd: now.Add(day), Lookup: l}
			var s Settlement
			switch {
			case c.Settled():
				return
			case c.Status != ContentScheduled:
				r := PublishResult{Outcome: OutcomeInconclusive, LookedUp: true}
				if l.Kind != LookupNone && rapid.IntRange(0, 3).Draw(t, "deaf") > 0 {
					r.Outcome = OutcomeAbsent
					proven = !now.Before(first.Add(l.ResendWindow + l.Lag))
				}
				s, err = c.After(r, at, now)
			case c.TooLate(l, now):
				s, err = c.Doubt(now)
			default:
				if lost && !proven && !now.Before(first.Add(l.ResendWindow)) {
					t.Fatalf("sent again %s after the first call", now.Sub(first))
				}
				if ch, err = c.Publishing(nil, now); err != nil {
					t.Fatal(err)
				}
				if !lost || proven {
					first = now
				}
				c, lost, proven = ch.To, true, false
				r := PublishResult{Outcome: rapid.SampledFrom([]Outcome{OutcomeUnknown, OutcomeNotAccepted}).Draw(t, "sent"), Failure: someWhy}
				if r.Outcome == OutcomeNotAccepted && !c.Unconfirmed {
					lost = false
				}
				r.RetryAfter = time.Duration(rapid.IntRange(0, 48).Draw(t, "pause")) * time.Hour / 2
				s, err = c.After(r, at, now)
				if end := first.Add(l.ResendWindow); s.Change.To.Status == ContentScheduled && s.Change.To.Unconfirmed && now.Before(end) && s.RunAt.After(end) {
					t.Fatalf("it can't be sent any more from %s, and is looked at again at %s", end, s.RunAt)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			c = s.Change.To
		}
	})
}

// A person says where the post is, or has it sent once more.
func TestSettledByAPerson(t *testing.T) {
	called := settledAt.Add(-time.Hour)
	why := UnknownOutcome()
	for name, c := range map[string]Content{
		"given up":         {Status: ContentUnknown, Text: "x", CalledAt: &called, Unconfirmed: true, Error: &why},
		"still looked for": {Status: ContentUnknown, Text: "x", CalledAt: &called, Error: &someWhy},
	} {
		s, err := c.SettleAsPublished(Publication{PostID: "1", URL: "https://x.example/1"}, "usr_1", StatusCompleted, settledAt)
		to := s.Change.To
		if err != nil || to.Status != ContentPublished || !to.PublishedAt.Equal(called) || *to.PlatformPostID != "1" || to.Error != nil || to.MeasureAt == nil || s.Task != "" || s.Change.FromSettled != c.AwaitsPerson() {
			t.Errorf("%s, and there: got %+v, %v", name, s, err)
		}
		if e := s.Change.Events; len(e) != 1 || e[0].Type != EventContentPublished || e[0].Data.(ContentPublishedData).SettledBy != "usr_1" {
			t.Errorf("%s, and there: got the events %+v", name, e)
		}
		s, err = c.SettleAsPublished(Publication{URL: "https://x.example/short"}, "usr_1", StatusActive, settledAt)
		if to = s.Change.To; err != nil || to.PlatformPostID != nil || to.MeasureAt != nil || *to.PlatformURL != "https://x.example/short" {
			t.Errorf("%s, at an address without an id: got %+v, %v", name, to, err)
		}
		s, err = c.PublishAgain("usr_1", StatusPaused, settledAt)
		if to = s.Change.To; err != nil || to.Status != ContentScheduled || to.Unconfirmed || to.CalledAt != nil || !to.ScheduledAt.Equal(settledAt) || to.Error != nil || s.Task != TaskWaiting {
			t.Errorf("%s, and sent again: got %+v, %v", name, s, err)
		}
		if e := s.Change.Events; len(e) != 1 || e[0].Type != EventContentScheduled || e[0].Data.(ContentEventData).SettledBy != "usr_1" {
			t.Errorf("%s, and sent again: got the events %+v", name, e)
		}
		_, err = c.PublishAgain("usr_1", StatusCompleted, settledAt)
		wantCode(t, err, CodeConflict, "")
	}
	for _, status := range AllContentStatuses() {
		if status == ContentUnknown {
			continue
		}
		_, err := Content{Status: status, Text: "x"}.SettleAsPublished(Publication{}, "usr_1", StatusActive, settledAt)
		wantCode(t, err, CodeConflict, "")
		_, err = Content{Status: status, Text: "x"}.PublishAgain("usr_1", StatusActive, settledAt)
		wantCode(t, err, CodeConflict, "")
	}
}
