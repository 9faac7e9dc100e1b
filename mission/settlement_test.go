package mission

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var (
	settledAt = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	someWhy   = Failure{Code: "platform_error", Message: "No."}
)

func notAccepted(change func(r *PublishResult)) PublishResult {
	r := PublishResult{Outcome: OutcomeNotAccepted, Failure: someWhy}
	if change != nil {
		change(&r)
	}
	return r
}

func lookedUp(o Outcome) PublishResult { return PublishResult{Outcome: o, LookedUp: true} }

// The result of each outcome for a post of one part.
func TestAfter(t *testing.T) {
	sent := PublishResult{Outcome: OutcomeAccepted, Publication: Publication{PostID: "1"}}
	found := sent
	found.LookedUp = true
	unknown := PublishResult{Outcome: OutcomeUnknown, Failure: someWhy}
	asked := func(r *PublishResult) { r.RetryAfter = time.Hour }
	rejected := func(r *PublishResult) { r.Unauthorized, r.RetryAfter = true, time.Hour }
	unauthorized := unknown
	rejected(&unauthorized)
	byText, none := Lookup{Kind: LookupByText, Lag: time.Hour}, Lookup{Kind: LookupNone, ResendWindow: 9 * time.Minute}
	page := Lookup{Kind: LookupByText, Lag: 10 * time.Minute, ResendWindow: 9 * time.Minute}
	for name, tt := range map[string]struct {
		result  PublishResult
		mission Status
		attempt int
		left    time.Duration // of the window
		doubt   bool
		called  time.Duration // ago
		status  ContentStatus
		code    string // of its error
		task    TaskState
		wait    time.Duration
		used    int // attempts
		hold    time.Duration
		lookup  Lookup
		maybe   bool // the next call knows that an earlier one may have been accepted
		due     bool // the fees
		unpaid  string
	}{
		"sent":                       {result: sent, status: ContentPublished, used: 0, due: true},
		"found":                      {result: found, status: ContentPublished, due: true},
		"sent, and paused":           {result: sent, mission: StatusPaused, status: ContentPublished, due: true},
		"sent, and ended":            {result: sent, mission: StatusCompleted, status: ContentPublished, due: true},
		"refused":                    {result: PublishResult{Outcome: OutcomeRefused, Failure: someWhy, RetryAfter: time.Hour}, status: ContentFailed, code: someWhy.Code, due: true},
		"not taken":                  {result: notAccepted(nil), status: ContentScheduled, task: TaskWaiting, wait: time.Second, used: 1, due: true},
		"not taken, in doubt":        {result: notAccepted(nil), doubt: true, status: ContentScheduled, task: TaskWaiting, wait: time.Second, used: 1, due: true},
		"not taken, planned":         {result: notAccepted(nil), attempt: 4, status: ContentScheduled, task: TaskWaiting, wait: 5 * time.Minute, used: 4, due: true},
		"not taken, an outage":       {result: notAccepted(nil), attempt: 5, left: time.Hour, status: ContentScheduled, task: TaskWaiting, wait: OutageWait, used: 5, due: true},
		"not taken in the window":    {result: notAccepted(nil), attempt: 5, left: OutageWait, status: ContentFailed, code: someWhy.Code, due: true},
		"not taken, never known":     {result: notAccepted(nil), attempt: 5, doubt: true, status: ContentUnknown, code: CodeOutcomeUnknown, due: true},
		"asked to wait":              {result: notAccepted(asked), attempt: 2, status: ContentScheduled, task: TaskWaiting, wait: time.Hour, used: 1, hold: time.Hour, due: true},
		"asked to wait, the last":    {result: notAccepted(asked), attempt: 9, status: ContentScheduled, task: TaskWaiting, wait: time.Hour, used: 8, hold: time.Hour, due: true},
		"unauthorized":               {result: notAccepted(rejected), attempt: 9, status: ContentScheduled, task: TaskWaiting, wait: unauthorizedWait, used: 8, hold: time.Hour, due: true},
		"not taken, and paused":      {result: notAccepted(nil), mission: StatusPaused, attempt: 3, status: ContentScheduled, task: TaskParked, used: 2, due: true},
		"asked to wait, and paused":  {result: notAccepted(asked), mission: StatusPaused, attempt: 1, status: ContentScheduled, task: TaskParked, used: 0, hold: time.Hour, due: true},
		"not taken, and ended":       {result: notAccepted(nil), mission: StatusCompleted, status: ContentCanceled, code: CodeMissionEnded, due: true},
		"not taken, in doubt at end": {result: notAccepted(nil), mission: StatusCompleted, doubt: true, status: ContentUnknown, code: CodeNoResponse, task: TaskWaiting, wait: time.Second, used: 1, due: true, unpaid: CodeOutcomeUnknown},
		"unknown":                    {result: unknown, status: ContentUnknown, code: someWhy.Code, task: TaskWaiting, wait: time.Second, used: 1},
		"unknown, and paused":        {result: unknown, mission: StatusPaused, attempt: 4, status: ContentUnknown, code: someWhy.Code, task: TaskWaiting, wait: 5 * time.Minute, used: 4},
		"unknown, and ended":         {result: unknown, mission: StatusCompleted, attempt: 5, status: ContentUnknown, code: someWhy.Code, task: TaskWaiting, wait: LookupWait, used: 5},
		"unknown for two days":       {result: unknown, attempt: 600, called: lookupLimit, status: ContentUnknown, code: someWhy.Code, task: TaskWaiting, wait: LookupWait, used: 600},
		"unknown for longer":         {result: unknown, attempt: 600, called: lookupLimit + 1, status: ContentUnknown, code: CodeOutcomeUnknown, due: true},
		"a lookup unauthorized":      {result: unauthorized, attempt: 7, status: ContentUnknown, code: someWhy.Code, task: TaskWaiting, wait: unauthorizedWait, used: 6, hold: time.Hour},
		"absent":                     {result: lookedUp(OutcomeAbsent), attempt: 3, status: ContentScheduled, task: TaskWaiting, used: 2, due: true},
		"absent, and paused":         {result: lookedUp(OutcomeAbsent), mission: StatusPaused, attempt: 1, status: ContentScheduled, task: TaskParked, used: 0, due: true},
		"absent, and ended":          {result: lookedUp(OutcomeAbsent), mission: StatusCompleted, doubt: true, status: ContentCanceled, code: CodeMissionEnded, due: true},
		"absent, in doubt":           {result: lookedUp(OutcomeAbsent), lookup: byText, called: time.Minute, doubt: true, status: ContentUnknown, code: CodeNoResponse, task: TaskWaiting, wait: time.Hour - time.Minute, used: 0},
		"absent too early":           {result: lookedUp(OutcomeAbsent), lookup: byText, called: time.Hour - 1, mission: StatusPaused, status: ContentUnknown, code: CodeNoResponse, task: TaskWaiting, wait: 1, used: 0},
		"absent, once it counts":     {result: lookedUp(OutcomeAbsent), lookup: byText, called: time.Hour, status: ContentScheduled, task: TaskWaiting, due: true},
		"absent in the window":       {result: lookedUp(OutcomeAbsent), lookup: page, called: time.Minute, status: ContentScheduled, task: TaskWaiting, due: true, maybe: true},
		"absent after the window":    {result: lookedUp(OutcomeAbsent), lookup: page, called: 9 * time.Minute, status: ContentUnknown, code: CodeNoResponse, task: TaskWaiting, wait: 10 * time.Minute},
		"absent long after it":       {result: lookedUp(OutcomeAbsent), lookup: page, called: 19 * time.Minute, doubt: true, status: ContentScheduled, task: TaskWaiting, due: true},
		"inconclusive":               {result: lookedUp(OutcomeInconclusive), lookup: none, called: 9*time.Minute - 1, attempt: 3, status: ContentScheduled, task: TaskWaiting, used: 2, due: true, maybe: true},
		"inconclusive, and paused":   {result: lookedUp(OutcomeInconclusive), lookup: none, mission: StatusPaused, status: ContentScheduled, task: TaskParked, due: true, maybe: true},
		"inconclusive, and ended":    {result: lookedUp(OutcomeInconclusive), lookup: none, mission: StatusCompleted, status: ContentUnknown, code: CodeOutcomeUnknown, due: true},
		"inconclusive, too late":     {result: lookedUp(OutcomeInconclusive), lookup: none, called: 9 * time.Minute, status: ContentUnknown, code: CodeOutcomeUnknown, due: true},
		"inconclusive, days later":   {result: lookedUp(OutcomeInconclusive), lookup: none, called: 3 * lookupLimit, mission: StatusPaused, status: ContentUnknown, code: CodeOutcomeUnknown, due: true},
		"inconclusive, no window":    {result: lookedUp(OutcomeInconclusive), status: ContentUnknown, code: CodeOutcomeUnknown, due: true},
		"unknowable":                 {result: PublishResult{Outcome: OutcomeUnknowable}, lookup: none, status: ContentUnknown, code: CodeOutcomeUnknown, due: true},
	} {
		t.Run(name, func(t *testing.T) {
			called := settledAt.Add(-tt.called)
			c := Content{Status: ContentPublishing, Text: "x", Unconfirmed: tt.doubt, CalledAt: &called}
			at := PublishAttempt{Number: max(tt.attempt, 1), Mission: tt.mission, WindowEnd: settledAt.Add(tt.left), Lookup: tt.lookup}
			s, err := c.After(tt.result, at, settledAt)
			if err != nil {
				t.Fatal(err)
			}
			code := ""
			if s.Change.To.Error != nil {
				code = s.Change.To.Error.Code
			}
			if s.Change.From != ContentPublishing || s.Change.To.Status != tt.status || code != tt.code {
				t.Errorf("from %s: got %s with %q, want %s with %q", s.Change.From, s.Change.To.Status, code, tt.status, tt.code)
			}
			if s.Task != tt.task || s.Task != "" && s.Attempts != tt.used || s.Task == TaskWaiting && s.RunAt.Sub(settledAt) != tt.wait {
				t.Errorf("got the task %q, in %s, after %d attempts; want %q, %s, %d", s.Task, s.RunAt.Sub(settledAt), s.Attempts, tt.task, tt.wait, tt.used)
			}
			hold := time.Time{}
			if tt.hold > 0 {
				hold = settledAt.Add(tt.hold)
			}
			if !s.PausedUntil.Equal(hold) || s.FeesDue() != tt.due || s.LookedUp != tt.result.LookedUp || s.Unpaid.Code != tt.unpaid {
				t.Errorf("got %+v", s)
			}
			// The next call of a post that is sent again knows that an earlier one may have
			// been accepted.
			if s.Change.To.Status == ContentScheduled && s.Change.To.Unconfirmed != (tt.maybe || tt.doubt && !tt.result.LookedUp) {
				t.Errorf("got unconfirmed %t", s.Change.To.Unconfirmed)
			}
		})
	}
}

// A thread continues after a part that was sent; after one that was looked up, the rest
// is reserved again, unless its mission has ended.
func TestAfterAPart(t *testing.T) {
	for name, tt := range map[string]struct {
		looked bool
		m      Status
		status ContentStatus
		task   TaskState
		unpaid string
		due    bool
	}{
		"sent":             {false, StatusActive, ContentPublishing, TaskRunning, "", false},
		"sent, and ended":  {false, StatusCompleted, ContentPublishing, TaskRunning, "", false},
		"found":            {true, StatusActive, ContentPublishing, TaskRunning, CodeBudgetExhausted, true},
		"found, in pause":  {true, StatusPaused, ContentPublishing, TaskRunning, CodeBudgetExhausted, true},
		"found, and ended": {true, StatusCompleted, ContentFailed, "", "", true},
	} {
		c := Content{Status: ContentUnknown, Parts: []string{"One.", "Two."}, CalledAt: &settledAt}
		s, err := c.After(PublishResult{Outcome: OutcomeAccepted, LookedUp: tt.looked}, PublishAttempt{Number: 1, Mission: tt.m}, settledAt)
		if err != nil || s.Change.From != ContentUnknown || s.Change.To.Status != tt.status || s.Task != tt.task || s.Unpaid.Code != tt.unpaid || s.FeesDue() != tt.due || len(s.Change.To.Published) != 1 {
			t.Errorf("%s: got %+v, %v", name, s, err)
		}
		if tt.unpaid == "" {
			continue
		}
		if s, err = s.WithoutBudget(settledAt); err != nil || s.Change.From != ContentUnknown || s.Change.To.Status != ContentFailed || s.Change.To.Error.Code != tt.unpaid || s.Task != "" || len(s.Change.Events) != 1 {
			t.Errorf("%s: without a budget got %+v, %v", name, s, err)
		}
	}
}

// The results of calls and lookups.
func TestPublishResults(t *testing.T) {
	p := Publication{PostID: "1"}
	refused := &PublishError{Outcome: OutcomeRefused, Failure: someWhy, RetryAfter: time.Minute, Unauthorized: true}
	wrapped := fmt.Errorf("call: %w", refused)
	lost := errors.New("lost")
	for name, tt := range map[string]struct{ got, want PublishResult }{
		"sent":               {SendResult(p, nil), PublishResult{Outcome: OutcomeAccepted, Publication: p}},
		"refused":            {SendResult(p, wrapped), PublishResult{Outcome: OutcomeRefused, Failure: someWhy, RetryAfter: time.Minute, Unauthorized: true}},
		"lost":               {SendResult(p, lost), PublishResult{Outcome: OutcomeUnknown, Failure: NoResponse()}},
		"found":              {LookupResult(p, true, nil), PublishResult{Outcome: OutcomeAccepted, Publication: p, LookedUp: true}},
		"absent":             {LookupResult(Publication{}, false, nil), lookedUp(OutcomeAbsent)},
		"inconclusive":       {LookupResult(p, false, ErrInconclusive), lookedUp(OutcomeInconclusive)},
		"the lookup refused": {LookupResult(p, false, wrapped), PublishResult{Outcome: OutcomeUnknown, Failure: someWhy, RetryAfter: time.Minute, Unauthorized: true}},
		"the lookup lost":    {LookupResult(p, false, lost), PublishResult{Outcome: OutcomeUnknown, Failure: NoResponse()}},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got %+v, want %+v", name, tt.got, tt.want)
		}
	}
}

// anyResult generates a result that a call of the kind may return.
func anyResult(t *rapid.T, lookup bool) PublishResult {
	r := PublishResult{
		Outcome: rapid.SampledFrom([]Outcome{OutcomeAccepted, OutcomeRefused, OutcomeNotAccepted, OutcomeUnknown}).Draw(t, "sent"),
		Failure: someWhy,
	}
	if lookup {
		r.Outcome = rapid.SampledFrom([]Outcome{OutcomeAccepted, OutcomeUnknown, OutcomeAbsent, OutcomeInconclusive}).Draw(t, "looked up")
		r.LookedUp = r.Outcome != OutcomeUnknown
	}
	if r.Outcome == OutcomeNotAccepted || r.Outcome == OutcomeUnknown {
		r.Unauthorized = rapid.Bool().Draw(t, "unauthorized")
		r.RetryAfter = time.Duration(rapid.IntRange(0, 2).Draw(t, "hours")) * time.Hour
	}
	return r
}

var missionStatuses = rapid.SampledFrom([]Status{StatusActive, StatusPaused, StatusCompleted})

// For any result and any post, exactly one thing is decided about the post's task.
func TestAfterDecidesOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		called := settledAt.Add(-time.Duration(rapid.IntRange(0, 60).Draw(t, "hours ago")) * time.Hour)
		parts := []string{"One.", "Two.", "Three."}[:rapid.IntRange(1, 3).Draw(t, "parts")]
		c := Content{
			Status: rapid.SampledFrom(AllContentStatuses()).Draw(t, "status"), Parts: parts,
			Published:   make([]Publication, rapid.IntRange(0, len(parts)-1).Draw(t, "published")),
			Unconfirmed: rapid.Bool().Draw(t, "doubt"), CalledAt: &called,
		}
		r := anyResult(t, rapid.Bool().Draw(t, "lookup"))
		at := PublishAttempt{
			Number: rapid.IntRange(1, 9).Draw(t, "attempt"), Mission: missionStatuses.Draw(t, "mission"),
			WindowEnd: settledAt.Add(time.Duration(rapid.IntRange(-1, 1).Draw(t, "window")) * time.Hour),
		}
		s, err := c.After(r, at, settledAt)
		if !c.inFlight() {
			if CodeOf(err) != CodeConflict {
				t.Fatalf("a post that is %s: %v", c.Status, err)
			}
			return
		}
		to := s.Change.To
		switch {
		case err != nil || s.Change.From != c.Status:
			t.Fatalf("from %s, %v", s.Change.From, err)
		case to.Settled() != (s.Task == ""), (to.Status == ContentPublishing) != (s.Task == TaskRunning):
			t.Fatalf("the post is %s, its task %q", to.Status, s.Task)
		case s.Task == TaskParked && (at.Mission != StatusPaused || s.Attempts != at.Number-1):
			t.Fatalf("parked after %d attempts of a mission that is %s", s.Attempts, at.Mission)
		case s.Task == TaskWaiting && s.RunAt.Before(settledAt):
			t.Fatalf("its time is %s ago", settledAt.Sub(s.RunAt))
		case s.Attempts != at.Number && s.Attempts != at.Number-1:
			t.Fatalf("%d of %d attempts are used up", s.Attempts, at.Number)
		case s.Attempts == at.Number && (r.Unauthorized || r.LookedUp || r.Outcome == OutcomeNotAccepted && r.RetryAfter > 0):
			t.Fatalf("%+v spent an attempt", r)
		case len(to.Published) > len(c.Published)+1, len(to.Published) > len(c.Published) && r.Outcome != OutcomeAccepted:
			t.Fatalf("%+v published %d parts", r, len(to.Published)-len(c.Published))
		case (to.Status == ContentPublished) != (len(to.Published) == len(parts)):
			t.Fatalf("%d of %d parts are published, and the post is %s", len(to.Published), len(parts), to.Status)
		case to.Status == ContentScheduled && at.Mission == StatusCompleted:
			t.Fatal("a post of a mission that has ended would be sent")
		case to.Settled() != (len(s.Change.Events) == 1):
			t.Fatalf("a post that is %s has %d events", to.Status, len(s.Change.Events))
		}
	})
}

// However calls end, and wherever the process crashes, a part that the platform may have
// is looked up before it is sent again, and a post is settled in the end.
func TestNoTwoSendsWithoutALookup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := settledAt
		ch, err := Content{Status: ContentScheduled, Parts: []string{"One.", "Two."}}.Publishing(nil, now)
		if err != nil {
			t.Fatal(err)
		}
		c, lookup, maybe := ch.To, false, false
		attempt := 1
		for range 40 {
			if maybe && !lookup {
				t.Fatalf("part %d is sent again without a lookup", len(c.Published))
			}
			if !lookup && rapid.IntRange(0, 9).Draw(t, "crash") == 0 {
				maybe, lookup = true, true // as OpenPost continues with a post in flight
				continue
			}
			r := anyResult(t, lookup)
			s, err := c.After(r, PublishAttempt{Number: attempt, Mission: missionStatuses.Draw(t, "mission"), WindowEnd: settledAt.Add(day)}, now)
			if err != nil {
				t.Fatal(err)
			}
			if r.LookedUp || !lookup {
				maybe = r.Outcome == OutcomeUnknown
			}
			c, attempt, now = s.Change.To, s.Attempts+1, now.Add(time.Minute)
			switch {
			case c.Settled():
				if _, err := c.After(r, PublishAttempt{Number: attempt}, now); CodeOf(err) != CodeConflict {
					t.Fatalf("a post that is %s continues: %v", c.Status, err)
				}
				return
			case c.Status == ContentScheduled:
				if ch, err = c.Publishing(nil, now); err != nil {
					t.Fatal(err)
				}
				c, lookup = ch.To, false
			default:
				lookup = c.Status == ContentUnknown
			}
		}
	})
}
