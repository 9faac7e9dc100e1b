package mission

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

var whyNow = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// whyMission returns a mission in a state.
func whyMission(s Status) Mission {
	start, end := whyNow.Add(-36*time.Hour), whyNow.Add(36*time.Hour)
	m := Mission{ID: "msn_1", Status: s, Platforms: []Platform{Mastodon}, DurationDays: 3, StartsAt: &start, EndsAt: &end}
	m.Constraints.Cadence, m.Constraints.PostsPerDay, m.Constraints.Timezone = Daily, 2, "Europe/Berlin"
	if s == StatusPaused {
		m.PausedAt = &whyNow
	}
	return m
}

// whyPost returns a post in a state, whose slot is an hour ahead.
func whyPost(s ContentStatus) Content {
	slot, called, reason := whyNow.Add(time.Hour), whyNow.Add(-time.Minute), "Too loud"
	c := Content{ID: "cnt_1", Origin: OriginWriter, Platform: Mastodon, IntegrationID: "int_1", Status: s, Text: "A text.", ScheduledAt: &slot, UpdatedAt: whyNow}
	switch s {
	case ContentPendingReview:
		c.ExpiresAt = &slot
	case ContentPublishing, ContentUnknown:
		c.CalledAt = &called
	case ContentPublished:
		c.PublishedAt = &called
	case ContentRejected:
		c.RejectionReason, c.ReviewedAt = &reason, &called
	default:
	}
	return c
}

// situations returns the situations of a post that differ in one thing each, by what that is.
func situations(c Content, m Mission) map[string]ContentSituation {
	later, earlier, budget := whyNow.Add(2*time.Hour), whyNow.Add(-time.Hour), int64(1)
	usable := Integration{ID: "int_1", Platform: Mastodon, Status: IntegrationConnected, Account: &Account{Handle: "acme@m.example"}}
	plain := ContentSituation{Content: c, Mission: m, Account: AccountState{Platform: Mastodon, Integration: &usable}, Now: whyNow}
	all := map[string]ContentSituation{}
	vary := func(name string, change func(s *ContentSituation)) {
		s := plain
		change(&s)
		all[name] = s
	}
	vary("plain", func(*ContentSituation) {})
	vary("deletion", func(s *ContentSituation) { s.Stops.DeletesAt, s.Mission.Leaving = &later, true })
	vary("hold", func(s *ContentSituation) { s.Stops.HeldSince = &earlier })
	vary("tenant's hold", func(s *ContentSituation) {
		s.Stops.Hold, s.Mission.Held, s.Mission.OnHold = &Hold{Reason: "x", Since: earlier}, true, true
	})
	vary("topic", func(s *ContentSituation) {
		s.Excluded = Failure{Code: CodeExcludedTopic, Message: MentionsTopic("politics")}
	})
	vary("sandbox", func(s *ContentSituation) { s.Account.Integration, s.Account.Sandbox = nil, true })
	vary("unconnected", func(s *ContentSituation) { s.Account.Integration = nil })
	vary("disconnected", func(s *ContentSituation) {
		gone := usable.Disconnected(earlier)
		s.Account.Integration = &gone
	})
	vary("refused", func(s *ContentSituation) {
		refused := usable.Refused(Failure{Code: CodePlatformUnauthorized, Message: "No."}, earlier)
		s.Account.Integration = &refused
	})
	vary("platform's pause", func(s *ContentSituation) { s.Account.PausedUntil = &later })
	vary("repeat", func(s *ContentSituation) { s.Content.Repeats = "cnt_1" })
	vary("budget", func(s *ContentSituation) { s.Price, s.Mission.Constraints.BudgetCents = 2*MicrosPerCent, &budget })
	vary("failed job", func(s *ContentSituation) { s.Job = &Job{Status: RunFailed, Error: &Failure{Code: "x", Message: "X."}} })
	vary("passed slot", func(s *ContentSituation) { s.Content.ScheduledAt = &earlier })
	vary("retry", func(s *ContentSituation) {
		s.Content.ScheduledAt, s.Task = &earlier, &Task{State: TaskWaiting, RunAt: later, Attempt: 1}
	})
	vary("connected later", func(s *ContentSituation) {
		s.Content.ScheduledAt = &earlier
		s.Account.Integration = &Integration{}
		*s.Account.Integration = usable
		s.Account.Integration.ConnectedAt = &whyNow
	})
	vary("silence", func(s *ContentSituation) {
		s.Content.ScheduledAt, s.Mission.Blackouts = &earlier, Blackouts{{StartsAt: earlier, EndsAt: later}}
	})
	vary("restored", func(s *ContentSituation) {
		s.Content.Comment, s.Restore = &Comment{Text: "More.", Status: CommentWaiting}, &Restore{Backup: earlier, Reconciled: whyNow}
	})
	for _, by := range AllTroubles() {
		vary("trouble with "+string(by), func(s *ContentSituation) {
			s.Content.ScheduledAt, s.Task = &earlier, &Task{State: TaskWaiting, RunAt: later, Trouble: by, TroubleSince: &earlier}
		})
	}
	vary("no worker", func(s *ContentSituation) {
		s.Content.ScheduledAt, s.Task, s.Late = &earlier, &Task{State: TaskWaiting, RunAt: earlier}, LateTask
	})
	vary("upload", func(s *ContentSituation) {
		s.Content.ScheduledAt, s.Task = &earlier, &Task{State: TaskWaiting, RunAt: later}
		s.Content.Uploads = []Upload{{State: "sent", BegunAt: &earlier}}
	})
	for _, status := range []CommentStatus{CommentWaiting, CommentPublishing, CommentPublished, CommentUnknown, CommentFailed} {
		vary("comment "+string(status), func(s *ContentSituation) {
			s.Content.Comment = &Comment{Text: "More.", Status: status}
			if status == CommentUnknown || status == CommentFailed {
				s.Content.Comment.Error = &Failure{Code: CodeNotNamed, Message: "No name."}
			}
		})
	}
	for _, code := range append(AllFailureCodes(), "of_an_earlier_version") {
		vary("failure "+code, func(s *ContentSituation) { s.Content.Error = &Failure{Code: code, Message: "It went wrong."} })
	}
	return all
}

// checkWhy checks what holds for all reasons.
func checkWhy(t *testing.T, name string, w Why) {
	t.Helper()
	if len(w.Reasons) == 0 || w.Summary == "" || w.Status == "" {
		t.Errorf("%s: no reason: %+v", name, w)
	}
	for _, r := range w.Reasons {
		if !slices.Contains(AllReasonCodes(), r.Code) || !strings.HasSuffix(r.Message, ".") || r.Actions == nil {
			t.Errorf("%s: %+v", name, r)
		}
		for _, a := range r.Actions {
			if !slices.Contains(AllRemedies(), a.Code) || a.Message == "" {
				t.Errorf("%s: %s has the action %+v", name, r.Code, a)
			}
		}
	}
}

func codesOf(w Why) (codes []ReasonCode) {
	for _, r := range w.Reasons {
		codes = append(codes, r.Code)
	}
	return codes
}

func remediesOf(w Why) (all []Remedy) {
	for _, r := range w.Reasons {
		for _, a := range r.Actions {
			all = append(all, a.Code)
		}
	}
	return all
}

// Whatever its state, its mission's, and what stops it, a post has a reason, and no action on it is
// offered that its state doesn't allow. Each reason is one of some post or mission.
func TestEveryStateHasAReason(t *testing.T) {
	given := map[ReasonCode]bool{}
	for _, status := range AllContentStatuses() {
		for _, of := range AllStatuses() {
			for what, s := range situations(whyPost(status), whyMission(of)) {
				name := string(status) + " in a mission that is " + string(of) + ", " + what
				w := WhyContent(s)
				checkWhy(t, name, w)
				for _, code := range codesOf(w) {
					given[code] = true
				}
				allowed := s.Content.AllowedActions(of)
				for _, r := range remediesOf(w) {
					if a := ContentAction(r); slices.Contains(allContentActions(), a) && !slices.Contains(allowed, a) {
						t.Errorf("%s: %s isn't allowed", name, r)
					}
				}
			}
		}
	}
	for _, of := range AllStatuses() {
		for what, s := range missionSituations(whyMission(of)) {
			w := WhyMission(s)
			checkWhy(t, "a mission that is "+string(of)+", "+what, w)
			for _, code := range codesOf(w) {
				given[code] = true
			}
		}
	}
	for _, code := range AllReasonCodes() {
		if !given[code] {
			t.Errorf("nothing has the reason %s", code)
		}
	}
}

// Each stop of an open post has a reason of its own, which a post that came to its end has not.
func TestStopsOfPosts(t *testing.T) {
	stops := map[string]ReasonCode{
		"deletion": ReasonDeletion, "hold": ReasonHeld, "topic": ReasonExcluded, "unconnected": ReasonNotConnected, "disconnected": ReasonNotConnected,
		"refused": ReasonReconnect, "platform's pause": ReasonPlatformPause, "budget": ReasonBudget,
	}
	for _, status := range AllContentStatuses() {
		for what, s := range situations(whyPost(status), whyMission(StatusActive)) {
			code, ok := stops[what]
			want := ok && !status.Settled()
			if status == ContentPublishing || status == ContentUnknown { // what is sent already isn't stopped by these
				want = want && code != ReasonExcluded && code != ReasonBudget
			}
			if got := slices.Contains(codesOf(WhyContent(s)), code); ok && got != want {
				t.Errorf("a post that is %s has the reason of its %s: %t, want %t", status, what, got, want)
			}
		}
	}
}

// Whatever is added to the stops has a reason.
func TestEveryStopHasAReason(t *testing.T) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Stops]()) {
		var s Stops
		stop := reflect.New(f.Type.Elem())
		if f.Type == reflect.TypeFor[*time.Time]() {
			stop = reflect.ValueOf(&whyNow)
		}
		reflect.ValueOf(&s).Elem().FieldByIndex(f.Index).Set(stop)
		if got := s.reasons(whyMission(StatusActive)); len(got) != 1 {
			t.Errorf("the stop %s has the reasons %v", f.Name, got)
		}
	}
}

// missionSituations returns the situations of a mission that differ in one thing each.
func missionSituations(m Mission) map[string]MissionSituation {
	later, earlier, budget := whyNow.Add(2*time.Hour), whyNow.Add(-time.Hour), int64(1)
	usable := Integration{ID: "int_1", Platform: Mastodon, Status: IntegrationConnected}
	plain := MissionSituation{Mission: m, Accounts: []AccountState{{Platform: Mastodon, Integration: &usable}}, Now: whyNow}
	all := map[string]MissionSituation{}
	vary := func(name string, change func(s *MissionSituation)) {
		s := plain
		change(&s)
		all[name] = s
	}
	vary("plain", func(*MissionSituation) {})
	vary("no date", func(s *MissionSituation) { s.Mission.StartsAt, s.Mission.EndsAt = nil, nil })
	vary("deletion", func(s *MissionSituation) { s.Stops.DeletesAt = &later })
	vary("hold", func(s *MissionSituation) { s.Stops.HeldSince = &earlier })
	vary("tenant's hold", func(s *MissionSituation) { s.Stops.Hold = &Hold{Reason: "x", Since: earlier}; s.Mission.Held = true })
	vary("unconnected", func(s *MissionSituation) { s.Accounts = []AccountState{{Platform: Mastodon}} })
	vary("budget", func(s *MissionSituation) {
		s.Mission.Constraints.BudgetCents, s.Mission.Spent = &budget, MicrosPerCent
	})
	vary("blackout", func(s *MissionSituation) {
		s.Mission.Blackouts = Blackouts{{StartsAt: earlier, EndsAt: later, Reason: "Mourning."}}
	})
	vary("unknown", func(s *MissionSituation) { s.Unknown = 1 })
	vary("unknowns", func(s *MissionSituation) { s.Unknown = 2 })
	vary("review", func(s *MissionSituation) { s.Mission.Counts.PendingReview = 1 })
	vary("reviews", func(s *MissionSituation) { s.Mission.Counts.PendingReview = 2 })
	vary("scheduled", func(s *MissionSituation) { s.NextPublishAt = &later })
	vary("due", func(s *MissionSituation) { s.NextPublishAt = &earlier })
	vary("trouble", func(s *MissionSituation) { s.Task = &Task{Trouble: TroubleDatabase, TroubleSince: &earlier} })
	vary("no worker", func(s *MissionSituation) { s.Task, s.Late = &Task{State: TaskWaiting, RunAt: earlier}, LateTask })
	vary("last day", func(s *MissionSituation) { s.Job = &Job{Window: Window{Day: 2}, Status: RunCompleted} })
	for _, stage := range AllStages() {
		for _, status := range AllRunStatuses() {
			for _, code := range append(AllFailureCodes(), "") {
				vary(string(status)+" at "+string(stage)+" "+code, func(s *MissionSituation) {
					s.Job = &Job{Status: status, CurrentStage: stage, Planned: 2, Written: 1, CompletedAt: &earlier}
					if code != "" {
						s.Job.Error = &Failure{Code: code, Message: "It went wrong."}
					}
					s.Job.Stages = []Stage{{Name: stage, Status: status, Error: s.Job.Error, StartedAt: &earlier}}
					s.Task = &Task{State: TaskWaiting, RunAt: later}
				})
			}
		}
	}
	return all
}

// A mission's reasons say what its state and its latest job keep from going out.
func TestReasonsOfMissions(t *testing.T) {
	for _, each := range []struct {
		of   Status
		what string
		want []ReasonCode
	}{
		{StatusDraft, "plain", []ReasonCode{ReasonDraft}},
		{StatusDraft, "no date", []ReasonCode{ReasonDraft}},
		{StatusPaused, "review", []ReasonCode{ReasonPaused, ReasonReview}},
		{StatusCompleted, "hold", []ReasonCode{ReasonCompleted}},
		{StatusActive, "plain", []ReasonCode{ReasonCycle}},
		{StatusActive, "last day", []ReasonCode{ReasonNoCycle}},
		{StatusActive, "scheduled", []ReasonCode{ReasonSlot, ReasonCycle}},
		{StatusActive, "due", []ReasonCode{ReasonDue, ReasonCycle}},
		{StatusActive, "no worker", []ReasonCode{ReasonTrouble, ReasonCycle}},
		{StatusActive, "unconnected", []ReasonCode{ReasonNotConnected, ReasonCycle}},
		{StatusActive, "budget", []ReasonCode{ReasonBudget, ReasonCycle}},
		{StatusActive, "blackout", []ReasonCode{ReasonBlackout, ReasonCycle}},
		{StatusPaused, "blackout", []ReasonCode{ReasonPaused}},
		{StatusActive, "unknown", []ReasonCode{ReasonUnknown, ReasonCycle}},
		{StatusActive, "failed at strategy " + CodeWriterRefused, []ReasonCode{ReasonJobFailed, ReasonCycle}},
		{StatusActive, "running at intake ", []ReasonCode{ReasonWriting, ReasonCycle}},
		{StatusActive, "running at content " + CodeWriterUnavailable, []ReasonCode{ReasonRetry, ReasonWriting, ReasonCycle}},
		{StatusActive, "completed at content " + CodeWriterNoPicture, []ReasonCode{ReasonPostsMissing, ReasonCycle}},
	} {
		w := WhyMission(missionSituations(whyMission(each.of))[each.what])
		if got := codesOf(w); !slices.Equal(got, each.want) {
			t.Errorf("a mission that is %s, %s, has the reasons %v, want %v", each.of, each.what, got, each.want)
		}
	}
	missing := WhyMission(missionSituations(whyMission(StatusActive))["completed at content "+CodeBudgetExhausted])
	if got := remediesOf(missing); got[0] != RemedyBudget || missing.Summary != "The latest job wrote 1 of 2 posts. It went wrong." {
		t.Errorf("got %v, %q", got, missing.Summary)
	}
}

// What can be done about a post follows from its state and from what went wrong.
func TestRemediesOfPosts(t *testing.T) {
	of := func(s ContentStatus, what string) ContentSituation {
		return situations(whyPost(s), whyMission(StatusActive))[what]
	}
	for _, each := range []struct {
		s    ContentSituation
		want []Remedy
	}{
		{of(ContentPendingReview, "plain"), []Remedy{RemedyApprove, RemedyReject, RemedyEdit, RemedyRegenerate}},
		{of(ContentPendingReview, "topic"), []Remedy{RemedyReject, RemedyEdit, RemedyRegenerate, RemedyEdit, RemedyRegenerate, RemedyExclusions}},
		{of(ContentScheduled, "plain"), []Remedy{RemedyReschedule, RemedyCancel, RemedyWait}},
		{of(ContentScheduled, "refused"), []Remedy{RemedyReconnect, RemedyReschedule, RemedyCancel, RemedyWait}},
		{of(ContentFailed, "failure "+CodeBudgetExhausted), []Remedy{RemedyReopen, RemedyEdit, RemedyRegenerate, RemedyBudget}},
		{of(ContentFailed, "failure "+CodePlatformRefused), []Remedy{RemedyReopen, RemedyEdit, RemedyRegenerate}},
		{of(ContentCanceled, "failure "+CodeNoTimeLeft), []Remedy{RemedyReopen, RemedyCreate, RemedyUpdate, RemedyExtend}},
		{of(ContentUnknown, "failure "+CodeOutcomeUnknown), []Remedy{RemedySettle}},
		{of(ContentUnknown, "plain"), []Remedy{RemedySettle, RemedyWait}},
		{of(ContentRejected, "plain"), []Remedy{RemedyReopen, RemedyEdit, RemedyRegenerate}},
		{of(ContentExpired, "plain"), []Remedy{RemedyReopen, RemedyCreate}},
		{of(ContentPublished, "plain"), nil},
	} {
		if got := remediesOf(WhyContent(each.s)); !slices.Equal(got, each.want) {
			t.Errorf("a post that is %s offers %v, want %v", each.s.Content.Status, got, each.want)
		}
	}
}

// Times are those of the mission's zone, in words, and until and since as data.
func TestTimesOfReasons(t *testing.T) {
	w := WhyContent(situations(whyPost(ContentScheduled), whyMission(StatusActive))["plain"])
	if r := w.Reasons[0]; r.Message != "It goes out on 2026-03-02 14:00 CET." || !r.Until.Equal(whyNow.Add(time.Hour)) {
		t.Errorf("got %+v", r)
	}
	paused := WhyContent(situations(whyPost(ContentPendingReview), whyMission(StatusPaused))["plain"])
	if r := paused.Reasons[0]; r.Code != ReasonPaused || !r.Since.Equal(whyNow) {
		t.Errorf("got %+v", r)
	}
	if r := paused.Reasons[1]; r.Until != nil {
		t.Errorf("the time for review ends at %s although the mission's clock is stopped", r.Until)
	}
}

// The lists of reasons and remedies have all constants.
func TestReasonsAreListed(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "why.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	reasons, remedies := 0, 0
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		switch {
		case !ok:
		case strings.HasPrefix(v.Names[0].Name, "Reason"):
			reasons++
		case strings.HasPrefix(v.Names[0].Name, "Remedy"):
			remedies++
		}
		return true
	})
	if reasons != len(AllReasonCodes()) || remedies != len(AllRemedies()) {
		t.Errorf("there are %d reasons and %d remedies, listed are %d and %d", reasons, remedies, len(AllReasonCodes()), len(AllRemedies()))
	}
}

// A post that the pipeline doesn't send when its time has come says why: it is next in line only if nothing keeps it.
func TestReasonsAreWhatThePipelineDoes(t *testing.T) {
	acts, earlier := map[Act]int{}, whyNow.Add(-time.Hour)
	for _, status := range AllContentStatuses() {
		for _, of := range AllStatuses() {
			for what, s := range situations(whyPost(status), whyMission(of)) {
				for _, each := range []struct{ unconfirmed, answer bool }{{}, {unconfirmed: true}, {answer: true}} {
					if s.Content.Comment == nil {
						s.Content.ScheduledAt, s.Content.Unconfirmed = &earlier, each.unconfirmed
					}
					if s.Content.Replying = nil; each.answer {
						s.Content.Comment, s.Content.PublishedAt, s.Content.Replying = nil, nil, &Replying{}
						if s.Account.Sandbox {
							s.Content.IntegrationID = ""
						}
					}
					step, err := s.Step(func(PostFact) error { return nil })
					if err != nil {
						t.Fatal(err)
					}
					acts[step.Act]++
					codes := codesOf(WhyContent(s))
					next := slices.Equal(codes, []ReasonCode{ReasonDue}) || slices.Equal(codes, []ReasonCode{ReasonRepeats, ReasonDue})
					if next && step.Act != ActSend {
						t.Errorf("%s in a mission that is %s, %s: %s, and the reasons are %v", status, of, what, step.Act, codes)
					}
					if step.Act == ActWait && !step.At.After(s.Now) {
						t.Errorf("%s, %s: it waits until %s", status, what, step.At)
					}
				}
			}
		}
	}
	for _, act := range []Act{ActNone, ActDrop, ActWait, ActReconcile, ActLeaveBlackout, ActCatchUp, ActReview, ActDoubt, ActFail, ActLookUp, ActSend} {
		if acts[act] == 0 {
			t.Errorf("no post is in a situation whose step is %q", act)
		}
	}
}
