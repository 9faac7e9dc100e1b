package missions

import (
	"context"
	"errors"
	"time"

	"missiond/internal/admission"
	"missiond/internal/checks"
	"missiond/mission"
	"missiond/store"
)

// Texts are checked before the transaction that writes them begins, since that takes long:
// it locks its mission, and on SQLite keeps everybody else from writing. In the transaction
// a check counts as long as what it was made against is the same.

// checkedText is a post's text that was checked against its account's rules and a mission's
// exclusions.
type checkedText struct {
	rules textRules
	bar   *checks.Bar

	draft   mission.Draft
	comment string
	verdict mission.Verdict
	err     error // invalid_request
}

func checkText(in ContentInput, rules textRules, bar *checks.Bar) *checkedText {
	c, wording := &checkedText{rules: rules, bar: bar}, in.wording()
	post := mission.Content{Platform: in.Platform, Format: rules.on(in.Platform).Single()}
	c.draft, c.err = wording.draft(post, rules)
	if c.err == nil {
		c.err = wording.checkComment(post, c.draft, rules)
	}
	if c.err == nil {
		c.comment = wording.comment(mission.Content{})
		c.verdict, c.err = wording.judge(c.draft, c.comment, bar.Exclusions())
	}
	if c.err == nil {
		c.verdict = bar.Rest(c.draft).With(c.verdict)
	}
	return c
}

// checkedTexts are texts by the indexes of their inputs. A missing one wasn't checked.
type checkedTexts struct {
	// latest are the texts that they must not be like.
	latest textSets
	of     map[int]*checkedText
	// gathering has texts remembered, with what to check them against, and not checked yet.
	gathering bool
}

// get returns an input's text, checked.
func (t *checkedTexts) get(i int, in ContentInput, rules textRules, bar *checks.Bar) *checkedText {
	switch {
	case t.gathering:
		t.of[i] = &checkedText{rules: rules, bar: bar}
		return t.of[i]
	case t.of[i] != nil && t.of[i].rules == rules && t.of[i].bar.Exclusions().SameWords(bar.Exclusions()):
		return t.of[i]
	}
	return checkText(in, rules, bar)
}

// check checks the texts that were gathered.
func (t *checkedTexts) check(ctx context.Context, in []ContentInput) error {
	t.gathering = false
	for i, c := range t.of {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.of[i] = checkText(in[i], c.rules, c.bar)
	}
	return nil
}

// verdicts are texts that were checked for what a mission's texts may not have. The zero value has none.
type verdicts struct {
	excluded *checks.Exclusions
	of       map[string]mission.Verdict
}

// judge returns the results for a post of the rules that bind everybody, and looks through its text
// unless that was done before.
func (v verdicts) judge(c mission.Content, excluded *checks.Exclusions, now time.Time) mission.Verdict {
	if found, ok := v.known(c.FullText(), excluded); ok {
		return excluded.Facts(found, c.Facts, c.OutAt(now))
	}
	return judge(c, excluded, now)
}

func (v verdicts) known(text string, excluded *checks.Exclusions) (found mission.Verdict, ok bool) {
	if v.excluded == nil || !v.excluded.SameWords(excluded) {
		return found, false
	}
	found, ok = v.of[text]
	return found, ok
}

// maxUnforeseen is how many texts a transaction checks.
const maxUnforeseen = 20

// foresees reports whether few of the texts are left to check.
func (v verdicts) foresees(posts []mission.Content, excluded *checks.Exclusions) bool {
	left := 0
	for _, c := range posts {
		if _, ok := v.known(c.FullText(), excluded); !ok {
			left++
		}
	}
	return left <= maxUnforeseen
}

// errUnforeseen fails a transaction whose texts aren't those that were checked before it: the
// topics or the posts have changed meanwhile.
var errUnforeseen = errors.New("missions: the topics or the posts have changed")

// maxForeseen is how often texts are checked again before a transaction because of that.
const maxForeseen = 3

// foreseen runs a transaction, which calls recheck, after the texts were checked: again if
// the topics or the posts have changed meanwhile, which is a conflict if it goes on.
func foreseen[T any](foresee func() (verdicts, error), run func(v verdicts) (T, error)) (result T, err error) {
	for range maxForeseen {
		v, err := foresee()
		if err != nil {
			return result, err
		}
		if result, err = run(v); !errors.Is(err, errUnforeseen) {
			return result, err
		}
	}
	return result, mission.Conflict("The excluded topics or the posts are being changed by others at the same time; try again.")
}

// weighedPosts returns a mission's unpublished posts, once the caller's allowance has what it weighs to check them.
func (s *core) weighedPosts(ctx context.Context, tenantID, missionID string) (posts []mission.Content, err error) {
	n, err := s.store.CountUnsettled(ctx, tenantID, missionID)
	if err == nil {
		err = admission.Weigh(ctx, mission.OpMissionsUpdate, n)
	}
	if err != nil {
		return nil, err
	}
	err = s.store.View(ctx, func(tx store.Tx) error {
		posts, err = tx.UnsettledContents(ctx, missionID)
		return err
	})
	return posts, err
}

// foresee checks the texts of a mission's unpublished posts against the topics that are
// excluded once it is changed.
func (s *core) foresee(
	ctx context.Context, tenantID, missionID string,
	change func(m mission.Mission, now time.Time) (mission.Mission, error),
) (v verdicts, err error) {
	err = s.store.View(ctx, func(tx store.Tx) error {
		m, err := tx.LockMission(ctx, tenantID, missionID)
		if err != nil {
			return err
		}
		if m, err = change(m, s.clock.Now()); err != nil {
			return err
		}
		v.excluded, err = exclusions(ctx, tx, m)
		return err
	})
	if err != nil {
		return verdicts{}, err
	}
	posts, err := s.weighedPosts(ctx, tenantID, missionID)
	if err != nil {
		return verdicts{}, err
	}
	v.of = make(map[string]mission.Verdict, len(posts))
	for _, c := range posts {
		if err := ctx.Err(); err != nil {
			return verdicts{}, err
		}
		text := c.FullText()
		v.of[text] = v.excluded.Words(text)
	}
	return v, nil
}
