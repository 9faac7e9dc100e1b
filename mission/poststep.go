package mission

import (
	"slices"
	"time"
)

// Act is what the pipeline does with a post whose task runs.
type Act string

// The acts.
const (
	ActNone          Act = ""               // nothing: it is settled, or waits for a person or its mission
	ActDrop          Act = "drop"           // its mission has ended: it isn't sent any more
	ActWait          Act = "wait"           // it is looked at again later
	ActReconcile     Act = "reconcile"      // the platform is asked whether it has it, since the database was restored
	ActLeaveBlackout Act = "leave_blackout" // it moves to a later slot
	ActCatchUp       Act = "catch_up"       // it moves to a later slot
	ActReview        Act = "review"         // it waits for review again
	ActDoubt         Act = "doubt"          // it is too late to be sent again: the platform is asked whether it has it
	ActFail          Act = "fail"
	ActLookUp        Act = "look_up" // the platform is asked whether it has it
	ActSend          Act = "send"
)

// Step is the next step of a post.
type Step struct {
	Act Act
	// At is when an act that waits looks again. Anew is that the attempts before don't count.
	At   time.Time
	Anew bool
	// Failure is why the post fails.
	Failure Failure
}

func failing(f Failure) *Step { return &Step{Act: ActFail, Failure: f} }

func waiting(at time.Time) *Step { return &Step{Act: ActWait, At: at} }

// PostFact is what a post's step depends on beside the post and its mission, and which has to be read.
type PostFact int

// The facts, as fields of a ContentSituation.
const (
	FactNone     PostFact = iota
	FactStops             // Stops, and the account's PausedUntil
	FactRestore           // Restore
	FactExcluded          // Excluded
	FactAccount           // Account's Integration, and Lookup
)

// postRule is one thing that the step of a post depends on.
type postRule struct {
	needs PostFact
	// check returns what the post's step is because of it, nil if the next rule decides, and the reasons that it gives.
	check func(ContentSituation) (*Step, []Reason)
	// rank is the place of the reasons among those of the other rules: first what came to an end, then what stops the post,
	// what a person has to do, and what is waited for.
	rank int
}

// postRules are what the step of a post depends on, in the order in which the pipeline looks: the first that has a step
// decides. Its reasons are those of all of them.
var postRules = []postRule{
	{FactNone, ContentSituation.ended, 0},
	{FactNone, ContentSituation.outdated, 0},
	{FactNone, ContentSituation.reviewed, 4},
	{FactNone, ContentSituation.unscheduled, 10},
	{FactNone, ContentSituation.stoppedMission, 2},
	{FactStops, ContentSituation.held, 1},
	{FactRestore, ContentSituation.restored, 9},
	{FactNone, ContentSituation.early, 10},
	{FactNone, ContentSituation.silent, 3},
	{FactExcluded, ContentSituation.excluded, 5},
	{FactAccount, ContentSituation.routed, 6},
	{FactAccount, ContentSituation.doubted, 9},
	{FactAccount, ContentSituation.callable, 6},
	{FactNone, ContentSituation.paid, 7},
	{FactNone, ContentSituation.troubled, 8},
	{FactNone, ContentSituation.underWay, 9},
	{FactNone, ContentSituation.due, 10},
	{FactNone, ContentSituation.repeats, 11},
}

// postReasons are the same rules in the order of their reasons.
var postReasons = slices.SortedStableFunc(slices.Values(postRules), func(a, b postRule) int { return a.rank - b.rank })

// Step returns what the pipeline does with the post now. read reads a fact into s before the first rule that needs it.
// Errors: read's.
func (s *ContentSituation) Step(read func(PostFact) error) (Step, error) {
	var known []PostFact
	for _, rule := range postRules {
		if rule.needs != FactNone && !slices.Contains(known, rule.needs) {
			if err := read(rule.needs); err != nil {
				return Step{}, err
			}
			known = append(known, rule.needs)
		}
		if step, _ := rule.check(*s); step != nil {
			return *step, nil
		}
	}
	return Step{Act: ActSend}, nil
}

// WhyContent returns why a post hasn't gone out, and what can be done, by the rules by which the pipeline decides. Every
// post has a reason.
func WhyContent(s ContentSituation) Why {
	var reasons []Reason
	for _, rule := range postReasons {
		_, given := rule.check(s)
		reasons = append(reasons, given...)
	}
	return newWhy(string(s.Content.Status), reasons)
}

// Pauses between two looks at a post that waits.
const (
	// HoldPoll is that while all posts are held.
	HoldPoll = time.Minute
	// reconnectPoll is that while its account can't be used.
	reconnectPoll = 10 * time.Minute
)

// Callable returns when the account is to be looked at again, if its platform can't be called at now: it needs
// reconnecting, or the platform wants no calls. ok reports whether it can be.
func (a AccountState) Callable(now time.Time) (again time.Time, ok bool) {
	switch {
	case a.Integration != nil && !a.Integration.Usable():
		return now.Add(reconnectPoll), false
	case a.PausedUntil != nil && a.PausedUntil.After(now):
		return *a.PausedUntil, false
	}
	return now, true
}
