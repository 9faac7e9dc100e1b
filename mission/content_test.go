package mission

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var contentMoves = map[string]func(c Content, now time.Time) (ContentChange, error){
	"approve": func(c Content, now time.Time) (ContentChange, error) { return c.Approve("usr_1", Verdict{}, nil, now) },
	"hold": func(c Content, now time.Time) (ContentChange, error) {
		return c.ReturnToReview(Verdict{ExcludedTopic: "x"}, now)
	},
	"reopen": func(c Content, now time.Time) (ContentChange, error) {
		c.ReviewedAt = &now
		return c.Reopen(Verdict{}, now, ReviewTime{From: now, Until: now.Add(time.Hour)}, now)
	},
	"schedule":   func(c Content, now time.Time) (ContentChange, error) { return c.Schedule(now, now) },
	"reschedule": func(c Content, now time.Time) (ContentChange, error) { return c.Reschedule(now, now) },
	"publishing": func(c Content, now time.Time) (ContentChange, error) { return c.Publishing(nil, now) },
	"published": func(c Content, now time.Time) (ContentChange, error) {
		return c.RecordPart(Publication{PostID: "p"}, now)
	},
	"look again": func(c Content, now time.Time) (ContentChange, error) {
		c.Unconfirmed = true
		s, err := c.Drop(now)
		return s.Change, err
	},
	"resend": func(c Content, now time.Time) (ContentChange, error) {
		if c.CalledAt == nil {
			c.CalledAt = &now
		}
		at := PublishAttempt{Number: 1, Lookup: Lookup{Kind: LookupNone, ResendWindow: time.Minute}}
		s, err := c.After(PublishResult{Outcome: OutcomeInconclusive, LookedUp: true}, at, now)
		return s.Change, err
	},
	"unknown":  func(c Content, now time.Time) (ContentChange, error) { return c.Unknown(Failure{}, now) },
	"withdraw": func(c Content, now time.Time) (ContentChange, error) { return c.Withdraw(now) },
	"fail":     func(c Content, now time.Time) (ContentChange, error) { return c.Fail(Failure{}, now) },
	"expire":   func(c Content, now time.Time) (ContentChange, error) { return c.Expire(now) },
	"cancel":   func(c Content, now time.Time) (ContentChange, error) { return c.Cancel(MissionEnded(), now) },
}

// The states each transition starts from, and its event.
func TestContentTransitions(t *testing.T) {
	waits := []ContentStatus{ContentPendingReview, ContentApproved, ContentScheduled}
	flies := []ContentStatus{ContentPublishing, ContentUnknown}
	for name, tt := range map[string]struct {
		from []ContentStatus
		to   ContentStatus
		tell EventType
	}{
		"approve":    {[]ContentStatus{ContentPendingReview}, ContentApproved, EventContentApproved},
		"hold":       {[]ContentStatus{ContentApproved, ContentScheduled}, ContentPendingReview, EventContentHeld},
		"reopen":     {[]ContentStatus{ContentRejected, ContentApproved, ContentScheduled, ContentFailed, ContentExpired, ContentCanceled}, ContentPendingReview, EventContentReopened},
		"schedule":   {[]ContentStatus{ContentApproved}, ContentScheduled, EventContentScheduled},
		"reschedule": {[]ContentStatus{ContentScheduled}, ContentScheduled, EventContentScheduled},
		"publishing": {[]ContentStatus{ContentScheduled}, ContentPublishing, ""},
		"published":  {flies, ContentPublished, EventContentPublished},
		"unknown":    {flies, ContentUnknown, ""},
		"withdraw":   {flies, ContentScheduled, ""},
		"resend":     {flies, ContentScheduled, ""},
		"look again": {[]ContentStatus{ContentScheduled}, ContentUnknown, ""},
		"fail":       {slices.Concat(waits, flies), ContentFailed, EventContentFailed},
		"expire":     {[]ContentStatus{ContentPendingReview}, ContentExpired, EventContentExpired},
		"cancel":     {waits, ContentCanceled, EventContentCanceled},
	} {
		for _, from := range AllContentStatuses() {
			ch, err := contentMoves[name](Content{Status: from}, time.Unix(0, 0))
			if !slices.Contains(tt.from, from) {
				wantCode(t, err, CodeConflict, "")
				continue
			}
			events := EventType("")
			if len(ch.Events) == 1 || len(ch.Events) == 2 && ch.Events[1].Type == EventReviewRequested {
				events = ch.Events[0].Type
			}
			if err != nil || ch.From != from || ch.To.Status != tt.to || events != tt.tell {
				t.Errorf("%s of a post that is %s returned %+v, %v", name, from, ch, err)
			}
		}
	}
}

// A post whose call is withdrawn no longer has an unknown outcome.
func TestWithdrawnPostHasNoError(t *testing.T) {
	ch, err := contentMoves["resend"](Content{Status: ContentUnknown, Error: &Failure{Code: "platform_unreachable"}}, time.Unix(0, 0))
	if err != nil || ch.To.Error != nil || !ch.To.Unconfirmed {
		t.Errorf("got %+v, %v", ch.To, err)
	}
}

// A thread with published parts isn't canceled: it fails, and its error names the
// parts.
func TestCancelingHalfAThread(t *testing.T) {
	c := Content{Status: ContentScheduled, Parts: []string{"One.", "Two."}, Published: []Publication{{PostID: "1", URL: "https://x.example/1"}}}
	ch, err := c.Cancel(MissionEnded(), time.Unix(0, 0))
	if err != nil || ch.To.Status != ContentFailed || ch.To.Error.Code != CodeMissionEnded || *ch.To.PlatformPostID != "1" || len(ch.Events) != 1 {
		t.Errorf("got %+v, %v", ch, err)
	}
}

// After any transitions the stored counters equal a count of the posts.
func TestCountersAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var posts []Content
		var kept ContentCounts
		names := make([]string, 0, len(contentMoves))
		for name := range contentMoves {
			names = append(names, name)
		}
		slices.Sort(names)
		for range rapid.IntRange(1, 60).Draw(t, "moves") {
			at := rapid.IntRange(0, len(posts)).Draw(t, "post")
			if at == len(posts) {
				c := Content{Status: rapid.SampledFrom([]ContentStatus{ContentPendingReview, ContentApproved}).Draw(t, "new")}
				posts, kept = append(posts, c), kept.Plus(Moved("", c.Status))
				continue
			}
			ch, err := contentMoves[rapid.SampledFrom(names).Draw(t, "move")](posts[at], time.Unix(0, 0))
			if err == nil {
				posts[at], kept = ch.To, kept.Plus(Moved(ch.From, ch.To.Status))
			}
		}
		counted := ContentCounts{Generated: len(posts)}
		for _, c := range posts {
			switch c.Status {
			case ContentPendingReview:
				counted.PendingReview++
			case ContentPublished:
				counted.Published++
				counted.Approved++
			case ContentScheduled:
				counted.Scheduled++
				counted.Approved++
			case ContentApproved, ContentPublishing, ContentUnknown:
				counted.Approved++
			default:
			}
		}
		if kept != counted {
			t.Fatalf("kept %+v, counted %+v of %v", kept, counted, posts)
		}
	})
}

func TestJobGoesThroughItsStages(t *testing.T) {
	now := time.Unix(0, 0).UTC()
	m := started(t, now, nil)
	j := NewJob("job_1", m, m.window(0), Brand{ExcludedTopics: []string{"x"}}, now)
	if !slices.Equal(j.Brief.Constraints.ExcludedTopics, []string{"x"}) || len(m.Constraints.ExcludedTopics) != 0 {
		t.Errorf("got the excluded topics %v", j.Brief.Constraints.ExcludedTopics)
	}
	for i, name := range AllStages() {
		if j.CurrentStage != name || j.Progress() != i*100/6 || j.PublishDone() != (name == StagePublish) {
			t.Errorf("stage %d: got %s at %d %%", i, j.CurrentStage, j.Progress())
		}
		ch := j.Finish(nil, now)
		if ch.Events[0].Type != EventStageCompleted || (len(ch.Events) == 2) != (name == StageOptimize) {
			t.Errorf("finishing %s has the events %v", name, ch.Events)
		}
		j = ch.To
	}
	if j.Status != RunCompleted || j.CompletedAt == nil || j.Progress() != 100 {
		t.Errorf("at the end got the job %+v", j)
	}
}
