package mission

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var autonomyStart = time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)

// trusting returns a mission that earns its autonomy.
func trusting(after int, share float64) Mission {
	return Mission{ID: "msn_1", Constraints: Constraints{RequireApproval: true}, Autonomy: &Autonomy{Earned{after, share}}}
}

// writtenPost is a post of a writer's that was made n minutes after autonomyStart.
func writtenPost(n int, change func(c *Content)) Content {
	at := autonomyStart.Add(time.Duration(n) * time.Minute)
	c := Content{
		ID: fmt.Sprintf("cnt_%04d", n), Origin: OriginWriter, Platform: Twitter, Objective: "one", Revision: 1, Status: ContentPendingReview,
		Writer: WrittenBy{Kind: AuthorModel, Model: "a"}, CreatedAt: at, UpdatedAt: at,
	}
	if change != nil {
		change(&c)
	}
	return c
}

func approvedAfter(minutes int) func(*Content) {
	return func(c *Content) {
		at := c.CreatedAt.Add(time.Duration(minutes) * time.Minute)
		c.Status, c.ReviewedBy, c.ReviewedAt = ContentScheduled, "usr_1", &at
	}
}

func TestStanding(t *testing.T) {
	t.Parallel()
	good := approvedAfter(1)
	also := func(changes ...func(*Content)) func(*Content) {
		return func(c *Content) {
			for _, change := range changes {
				change(c)
			}
		}
	}
	minute := func(n int) time.Time { return autonomyStart.Add(time.Duration(n) * time.Minute) }
	for name, tt := range map[string]struct {
		posts   []func(*Content)
		mission *AutonomyEnd
		tenant  *AutonomyEnd
		writer  WrittenBy
		state   AutonomyState
		missing int
		ended   AutonomyEndReason
	}{
		"none":                        {nil, nil, nil, WrittenBy{}, AutonomyEarning, 3, ""},
		"two":                         {[]func(*Content){good, good}, nil, nil, WrittenBy{}, AutonomyEarning, 1, ""},
		"three":                       {[]func(*Content){good, good, good}, nil, nil, WrittenBy{}, AutonomyEarned, 0, ""},
		"what waits is no decision":   {[]func(*Content){good, good, nil, good, nil}, nil, nil, WrittenBy{}, AutonomyEarned, 0, ""},
		"a rejection":                 {[]func(*Content){good, good, good, also(good, func(c *Content) { c.Status = ContentRejected })}, nil, nil, WrittenBy{}, AutonomyEarning, 3, EndedByRejection},
		"a rejection before":          {[]func(*Content){also(good, func(c *Content) { c.Status = ContentRejected }), good, good, good}, nil, nil, WrittenBy{}, AutonomyEarned, 0, EndedByRejection},
		"an older post, rejected":     {[]func(*Content){also(approvedAfter(20), func(c *Content) { c.Status = ContentRejected }), good, good, good}, nil, nil, WrittenBy{}, AutonomyEarning, 3, EndedByRejection},
		"an edit":                     {[]func(*Content){good, good, also(good, func(c *Content) { c.Revision = 2 }), good}, nil, nil, WrittenBy{}, AutonomyEarning, 2, EndedByEdit},
		"an edit, not yet reviewed":   {[]func(*Content){good, good, good, func(c *Content) { c.Revision = 2 }}, nil, nil, WrittenBy{}, AutonomyEarning, 3, EndedByEdit},
		"canceled by a person":        {[]func(*Content){good, good, good, func(c *Content) { f := CanceledByPerson(); c.Status, c.Error = ContentCanceled, &f }}, nil, nil, WrittenBy{}, AutonomyEarning, 3, EndedByCancel},
		"canceled by the service":     {[]func(*Content){good, good, good, func(c *Content) { f := MissionEnded(); c.Status, c.Error = ContentCanceled, &f }}, nil, nil, WrittenBy{}, AutonomyEarned, 0, ""},
		"an anomaly":                  {[]func(*Content){good, good, good}, &AutonomyEnd{Reason: EndedByAnomaly, At: minute(9)}, nil, WrittenBy{}, AutonomyEarning, 3, EndedByAnomaly},
		"an anomaly at the same time": {[]func(*Content){good, good, good}, &AutonomyEnd{Reason: EndedByAnomaly, At: minute(4)}, nil, WrittenBy{}, AutonomyEarning, 3, EndedByAnomaly},
		"a hold before":               {[]func(*Content){good, good, good}, nil, &AutonomyEnd{Reason: EndedByHold, At: minute(1)}, WrittenBy{}, AutonomyEarned, 0, EndedByHold},
		"a hold between":              {[]func(*Content){good, good, good}, nil, &AutonomyEnd{Reason: EndedByHold, At: minute(2)}, WrittenBy{}, AutonomyEarning, 1, EndedByHold},
		"the later of both":           {[]func(*Content){good, good, good}, &AutonomyEnd{Reason: EndedByAnomaly, At: minute(8)}, &AutonomyEnd{Reason: EndedByBrand, At: minute(9)}, WrittenBy{}, AutonomyEarning, 3, EndedByBrand},
		"another model before":        {[]func(*Content){also(good, func(c *Content) { c.Writer.Model = "b" }), good, good}, nil, nil, WrittenBy{}, AutonomyEarning, 1, EndedByWriter},
		"another model now":           {[]func(*Content){good, good, good}, nil, nil, WrittenBy{Kind: AuthorModel, Model: "b"}, AutonomyEarning, 3, EndedByWriter},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var posts []Content
			for i, change := range tt.posts {
				posts = append(posts, writtenPost(i+1, change))
			}
			m := trusting(3, 1)
			m.AutonomyEnded = tt.mission
			s := m.Standing(posts, tt.tenant, tt.writer)
			var ended AutonomyEndReason
			if s.Ended != nil {
				ended = s.Ended.Reason
			}
			if s.State != tt.state || s.Missing != tt.missing || ended != tt.ended {
				t.Errorf("got %s, %d missing, ended by %q, want %s, %d, %q", s.State, s.Missing, ended, tt.state, tt.missing, tt.ended)
			}
		})
	}
	for name, m := range map[string]Mission{"no autonomy": {Constraints: Constraints{RequireApproval: true}}, "no approval": {Autonomy: &Autonomy{Earned{1, 1}}}} {
		if s := m.Standing([]Content{writtenPost(1, good)}, nil, WrittenBy{}); s.State != AutonomyOff || s.draws(writtenPost(2, nil), nil) {
			t.Errorf("%s: got %+v", name, s)
		}
	}
}

func wordsWithSlash(c Content) (all []string) {
	for _, w := range strings.Fields(c.Text) {
		if strings.Contains(w, "/") {
			all = append(all, w)
		}
	}
	return all
}

// Whatever is written and decided in whatever order: no post goes out without review that has a
// platform, account, link, file or fact that none of the approved ones has that it rests on, or
// before enough were approved in a row; on no platform and for no objective more than the share.
func TestWhatGoesOutUnreviewed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		after, share := rapid.IntRange(1, 6).Draw(t, "after"), rapid.Float64Range(0.01, 1).Draw(t, "share")
		m := trusting(after, share)
		var tenantEnd *AutonomyEnd
		var posts []Content
		some := func(label string, of ...string) []string {
			return rapid.SliceOfNDistinct(rapid.SampledFrom(of), 0, 2, rapid.ID).Draw(t, label)
		}
		for n := range rapid.IntRange(1, 120).Draw(t, "posts") {
			now := autonomyStart.Add(time.Duration(n) * time.Hour)
			a := Assignment{Slot: Slot{
				Platform: rapid.SampledFrom([]Platform{Twitter, LinkedIn}).Draw(t, "platform"), At: now,
				Objective:     rapid.SampledFrom([]string{"one", "two"}).Draw(t, "objective"),
				IntegrationID: rapid.SampledFrom([]string{"", "", "", "int_1"}).Draw(t, "account"),
			}}
			d := Draft{Format: FormatPost, Text: "Post " + strings.Join(some("links", "a.example/", "b.example/x"), " "),
				Writer: WrittenBy{Kind: AuthorModel, Model: rapid.SampledFrom([]string{"a", "a", "a", "a", "b"}).Draw(t, "model")}}
			for _, id := range some("media", "med_1", "med_2") {
				d.Media = append(d.Media, PostMedia{MediaID: id})
			}
			for _, text := range some("facts", "f1", "f2") {
				d.Facts = append(d.Facts, CitedFact{Text: text})
			}
			v := Verdict{}
			if rapid.IntRange(0, 20).Draw(t, "excluded") == 0 {
				v.ExcludedTopic = "x"
			}
			j := Job{MissionID: m.ID, Brief: Brief{Constraints: m.Constraints}, Window: Window{End: now.Add(time.Hour)}}
			s := m.Standing(posts, tenantEnd, d.Writer)
			c, events := s.NewContent(fmt.Sprintf("cnt_%04d", n), j, a, d, v, posts, wordsWithSlash, now)
			if c.Unreviewed() != (c.Status == ContentApproved) || c.Unreviewed() != slices.ContainsFunc(events, func(e Event) bool { return e.Type == EventContentApproved }) {
				t.Fatalf("got the post %+v with %d events", c, len(events))
			}
			if c.Unreviewed() {
				checkCovered(t, m, s, c, posts, after)
			}
			// A person decides, if anybody does.
			switch decision := rapid.IntRange(0, 11).Draw(t, "decision"); {
			case c.Unreviewed() || decision > 9:
			case decision == 0:
				c.Status, c.ReviewedBy, c.ReviewedAt = ContentRejected, "usr_1", &now
			case decision == 1:
				c.Revision, c.Status, c.ReviewedBy, c.ReviewedAt = 2, ContentScheduled, "usr_1", &now
			default:
				c.Status, c.ReviewedBy, c.ReviewedAt = ContentScheduled, "usr_1", &now
			}
			posts = append(posts, c)
			switch rapid.IntRange(0, 40).Draw(t, "happens") {
			case 0:
				m.AutonomyEnded = &AutonomyEnd{Reason: EndedByAnomaly, At: now}
			case 1:
				tenantEnd = &AutonomyEnd{Reason: EndedByHold, At: now}
			}
		}
	})
}

// checkCovered checks a post that goes out without review, made after posts.
func checkCovered(t *rapid.T, m Mission, s Standing, c Content, posts []Content, after int) {
	known := map[string]bool{}
	for i, a := range c.RestsOn {
		k := slices.IndexFunc(posts, func(p Content) bool { return p.ID == a.ContentID })
		p := posts[k]
		if p.Status != ContentScheduled || p.Revision != 1 || p.ReviewedAt == nil || !p.ReviewedAt.Equal(a.At) || p.Unreviewed() || p.Writer != c.Writer {
			t.Fatalf("%s rests on %+v", c.ID, p)
		}
		if i > 0 && a.At.After(c.RestsOn[i-1].At) {
			t.Fatalf("the approvals aren't in order: %+v", c.RestsOn)
		}
		for _, has := range traitsOf(p) {
			known[has] = true
		}
	}
	if len(c.RestsOn) < after {
		t.Fatalf("%s rests on %d approvals, %d are needed", c.ID, len(c.RestsOn), after)
	}
	for _, has := range traitsOf(c) {
		if !known[has] {
			t.Fatalf("%s is the first to have %s", c.ID, has)
		}
	}
	first := c.RestsOn[len(c.RestsOn)-1].At
	for _, p := range posts {
		if ends := p.Status == ContentRejected || p.Revision > 1; ends && p.ReviewedAt != nil && p.ReviewedAt.After(first) {
			t.Fatalf("%s rests on approvals before %s was decided", c.ID, p.ID)
		}
	}
	if !c.Verdict.Passed() {
		t.Fatalf("%s breaks an exclusion", c.ID)
	}
	all, without := 1, 1
	for _, p := range posts {
		if p.Platform == c.Platform && p.Objective == c.Objective && p.CreatedAt.After(s.since) {
			all++
			if p.Unreviewed() {
				without++
			}
		}
	}
	if float64(without) > m.Autonomy.Earned.Share*float64(all)+1e-6 {
		t.Fatalf("%d of %d go out without review, at a share of %f", without, all, m.Autonomy.Earned.Share)
	}
}

func traitsOf(c Content) []string {
	all := append([]string{string(c.Platform)}, wordsWithSlash(c)...)
	if c.IntegrationID != "" {
		all = append(all, c.IntegrationID)
	}
	return append(append(all, c.MediaIDs()...), c.factTexts()...)
}

func TestAutonomyNeedsApproval(t *testing.T) {
	t.Parallel()
	on := true
	for _, tt := range []struct {
		after    int
		share    float64
		approval bool
		param    string
	}{
		{10, 0.5, true, ""}, {1, 1, true, ""}, {50, 0.001, true, ""}, {10, 0.5, false, "autonomy"}, {0, 0.5, true, "autonomy.earned.after"},
		{51, 0.5, true, "autonomy.earned.after"}, {10, 0, true, "autonomy.earned.share"}, {10, 1.01, true, "autonomy.earned.share"}, {10, -1, true, "autonomy.earned.share"},
	} {
		c := &ConstraintsInput{}
		if tt.approval {
			c.RequireApproval = &on
		}
		found := (&Autonomy{Earned{tt.after, tt.share}}).check(c)
		if (tt.param == "") != (len(found) == 0) || len(found) > 0 && found[0].Param != tt.param {
			t.Errorf("%+v: got %v", tt, found)
		}
	}
}
