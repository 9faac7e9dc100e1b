package missions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"missiond/internal/checks"
	"missiond/internal/service/idempotency"
	"missiond/internal/textlimit"
	"missiond/mission"
	"missiond/store"
)

// EditInput is a new text for a post: Text or Parts. A Text that is too long for
// one part of a thread is split at the ends of sentences. With a FirstComment alone the
// text stays.
type EditInput struct {
	Text  *string
	Parts []string
	// FirstComment replaces the first comment; null or "" removes it.
	FirstComment mission.Optional[string]
	// Media replaces the files; nil leaves them.
	Media *[]mission.MediaChoice
	// Revision is the one that was read; nil replaces any.
	Revision *int
}

// EditContent replaces the text of an unpublished post. If the mission requires
// approval, the post waits for review again. Errors: invalid_request, naming text or
// parts; not_found; conflict, also if the post changed meanwhile.
func (s *API) EditContent(ctx context.Context, p mission.Principal, id string, in EditInput) (mission.Content, error) {
	in = in.tidy()
	if err := in.checkEdit(); err != nil {
		return mission.Content{}, err
	}
	if c, ok, err := idempotency.Earlier[mission.Content](ctx, s.db); ok || err != nil {
		return c, err
	}
	found, err := s.Content(ctx, p, id)
	if err != nil {
		return mission.Content{}, err
	}
	if err := found.CheckRevisableAt(in.Revision, "edited"); err != nil {
		return mission.Content{}, err
	}
	own, err := s.ownLimits(ctx, accountsOn{}, p.TenantID, found.Platform, found.IntegrationID)
	if err != nil {
		return mission.Content{}, err
	}
	m, err := s.db.Mission(ctx, p.TenantID, found.MissionID)
	if err != nil {
		return mission.Content{}, err
	}
	in, line := in.disclosing(found, m.Disclosure)
	rules := textRules{own, s.linkRule(m, found.Platform).Of(found.ID)}
	d, err := in.drafted(found, rules)
	if err != nil {
		return mission.Content{}, err
	}
	d.Writer = mission.ByPerson(p)
	shown, err := s.shown(ctx, p, found, m, in, d, own)
	if err != nil {
		return mission.Content{}, err
	}
	return s.changeFound(ctx, p, found, func(tx store.Tx, o opened) error {
		if err := o.content.CheckRevisableAt(in.Revision, "edited"); err != nil {
			return err
		}
		if err := s.unchanged(o, found, m, in); err != nil {
			return err
		}
		brand, err := tx.Brand(ctx, o.mission.TenantID)
		if err != nil {
			return err
		}
		comment := in.comment(o.content)
		current := o.mission.Exclusions(brand)
		v, err := in.judge(d, comment, checks.NewExclusions(current))
		if err != nil {
			return err
		}
		files, err := in.files(ctx, tx, o.content, d, rules.on(found.Platform))
		if err != nil {
			return err
		}
		return s.revise(ctx, tx, o, mission.Wording{
			Draft: d, Comment: comment, Media: files, Facts: current.Current(o.content.Facts, o.content.OutAt(o.now)),
			Verdict: shown.With(v), AuthorID: p.UserID,
			Disclosed: m.Disclosure.Disclose(line), Outgoing: outgoing(found.Platform, rules.links, d, comment),
		})
	})
}

// shown returns the results of the rules for an edited text that don't decide about it. A text that
// stays keeps its own.
func (s *API) shown(
	ctx context.Context, p mission.Principal, c mission.Content, m mission.Mission, in EditInput, d mission.Draft, own mission.TextLimits,
) (v mission.Verdict, err error) {
	if !in.worded() {
		return c.Verdict, nil
	}
	t, err := s.db.Tenant(ctx, p.TenantID)
	if err != nil {
		return v, err
	}
	to := destination{c.Platform, c.IntegrationID}
	latest, err := s.latestTexts(ctx, textSets{}, p.TenantID, to, "")
	if err != nil {
		return v, err
	}
	return personsBar(m, t.Brand, m.Exclusions(t.Brand), to, own, latest.own, c.Texts()...).Rest(d), nil
}

// unchanged returns an error if an edit was checked against what isn't so any more. Errors:
// conflict.
func (s *core) unchanged(o opened, found mission.Content, m mission.Mission, in EditInput) error {
	if o.content.Format != found.Format || !in.worded() && o.content.Revision != found.Revision {
		return mission.Conflict("The post was changed meanwhile; it is at revision %d.", o.content.Revision)
	}
	if o.mission.Disclosure != m.Disclosure {
		return mission.Conflict("What the mission's posts disclose was changed meanwhile.")
	}
	if s.linkRule(o.mission, found.Platform) != s.linkRule(m, found.Platform) {
		return mission.Conflict("What becomes of the links of the mission's posts was changed meanwhile.")
	}
	return nil
}

// drafted returns in's text for a post, checked together with the first comment that the post
// then has. Errors: invalid_request.
func (in EditInput) drafted(c mission.Content, rules textRules) (mission.Draft, error) {
	d, err := in.draft(c, rules)
	if err == nil {
		err = in.checkComment(c, d, rules)
	}
	return d, err
}

// tidy returns the input with its texts as they are stored. A first comment of white space
// alone is none.
func (in EditInput) tidy() EditInput {
	tidied := func(text *string) *string {
		if text == nil {
			return nil
		}
		t := mission.Tidy(*text)
		return &t
	}
	in.Text, in.FirstComment.Value = tidied(in.Text), tidied(in.FirstComment.Value)
	in.Parts = slices.Clone(in.Parts)
	for i, part := range in.Parts {
		in.Parts[i] = mission.Tidy(part)
	}
	return in
}

// worded reports whether the input has a text for the post itself.
func (in EditInput) worded() bool { return in.Text != nil || len(in.Parts) > 0 }

// checkEdit is Check for an edit, which may change the first comment or the files alone.
func (in EditInput) checkEdit() error {
	if in.Media != nil {
		if err := mission.CheckMediaChoices(*in.Media); err != nil {
			return err
		}
	}
	if !in.worded() && (in.FirstComment.Given || in.Media != nil) {
		return in.checkCommentSize()
	}
	return in.Check()
}

// files returns the files of a post with a new draft: those that are chosen or, if none are,
// those that it has. Errors: invalid_request.
// caps are what the account allows.
func (in EditInput) files(ctx context.Context, tx store.Tx, c mission.Content, d mission.Draft, caps mission.Capabilities) (files []mission.PostMedia, err error) {
	parts := len(d.Texts())
	if in.Media == nil {
		files, err = c.MediaWithin(parts), checkFiles(ctx, tx, c)
	} else {
		var found map[string]mission.Media
		if found, err = tx.MediaByID(ctx, c.TenantID, mission.ChosenIDs(*in.Media)); err == nil {
			files, err = caps.ChooseMedia(*in.Media, found, parts)
		}
	}
	if err == nil && (in.worded() || in.Media != nil) {
		err = in.checkCaptions(caps, d, files)
	}
	return files, err
}

// checkCaptions returns an error if a text is too long for a post with files. Errors: invalid_request on the
// text, or on media if that alone is new.
func (in EditInput) checkCaptions(caps mission.Capabilities, d mission.Draft, files []mission.PostMedia) error {
	var wrong *mission.Error
	if !errors.As(textlimit.CheckCaptions(caps, d, textlimit.WithFiles(files)), &wrong) {
		return nil
	}
	if !in.worded() {
		return mission.Invalid("media", "%s", wrong.Message)
	}
	return mission.Invalid(in.field(wrong.Param), "%s", wrong.Message)
}

// checkCommentSize is Check for the first comment. Errors: invalid_request on
// first_comment.
func (in EditInput) checkCommentSize() error {
	if in.FirstComment.Value == nil {
		return nil
	}
	return textlimit.CheckSize(commentParam, *in.FirstComment.Value)
}

// checkComment returns an error if the first comment that a post then has isn't one that its
// account may send, or repeats a text of the draft. Errors: invalid_request on first_comment,
// or on the text if that alone is new.
func (in EditInput) checkComment(c mission.Content, d mission.Draft, rules textRules) error {
	comment, param := in.comment(c), commentParam
	if comment == "" {
		return nil
	}
	if in.FirstComment.Given {
		if err := textlimit.CheckComment(rules.on(c.Platform), commentParam, comment); err != nil {
			return err
		}
	} else {
		param = in.param()
	}
	if slices.ContainsFunc(d.Texts(), func(text string) bool { return textlimit.Twins(c.Platform, text, comment) > 0 }) {
		return twin(param, c.Platform)
	}
	return nil
}

// checkTwins returns an error if parts of a draft are twins. Errors: invalid_request on
// parts[i], or on the text that they are of.
func (in EditInput) checkTwins(p mission.Platform, d mission.Draft) error {
	if i := textlimit.Twins(p, d.Texts()...); i > 0 {
		return twin(in.field(fmt.Sprintf("parts[%d]", i)), p)
	}
	return nil
}

func twin(param string, p mission.Platform) error {
	return mission.Invalid(param, "%s refuses the same text twice.", p.Name())
}

// comment returns the text of the first comment that a post then has, or "".
func (in EditInput) comment(c mission.Content) string {
	switch {
	case !in.FirstComment.Given:
		return c.CommentText()
	case in.FirstComment.Value == nil:
		return ""
	}
	return *in.FirstComment.Value
}

// judge looks for what no text may have in a draft and its first comment. Errors:
// invalid_request, naming the one that has it.
func (in EditInput) judge(d mission.Draft, comment string, excluded *checks.Exclusions) (mission.Verdict, error) {
	v := excluded.Verdict(d.Text, nil, time.Time{})
	if !v.Passed() {
		return v, mission.Invalid(in.param(), "%s", v.Failure().Message)
	}
	if comment == "" {
		return v, nil
	}
	v = excluded.Verdict(mission.FullText(d.Text, comment), nil, time.Time{})
	if !v.Passed() {
		return v, mission.Invalid(commentParam, "%s", v.Failure().Message)
	}
	return v, nil
}

// commentParam is the name of the first comment in errors.
const commentParam = "first_comment"

func (in EditInput) param() string {
	if in.Text == nil {
		return "parts"
	}
	return "text"
}

// joined returns the parts of a thread as one text.
func joined(parts []string) string { return strings.Join(parts, "\n\n") }

// field returns the input's name for a draft's field.
func (in EditInput) field(of string) string {
	switch {
	case in.Text == nil && of == "text":
		return "parts[0]"
	case in.Text == nil && of == "type":
		return "parts"
	case in.Text != nil && strings.HasPrefix(of, "parts["):
		return "text"
	}
	return of
}

// Check validates in against the widest limits of all platforms. Errors:
// invalid_request on text, parts, parts[i] or first_comment.
func (in EditInput) Check() error {
	if err := in.checkCommentSize(); err != nil {
		return err
	}
	return in.checkTexts()
}

func (in EditInput) checkTexts() error {
	switch {
	case in.Text == nil && len(in.Parts) == 0:
		return mission.Invalid("text", "Give a text, or parts.")
	case in.Text != nil && len(in.Parts) > 0:
		return mission.Invalid("parts", "Give a text or parts, not both.")
	case in.Text != nil:
		return textlimit.CheckSize("text", *in.Text)
	case len(in.Parts) > textlimit.MaxParts():
		return mission.Invalid("parts", "A thread has at most %d parts.", textlimit.MaxParts())
	}
	for i, part := range in.Parts {
		if err := textlimit.CheckSize(fmt.Sprintf("parts[%d]", i), part); err != nil {
			return err
		}
	}
	return nil
}

// draft returns in's text for a post, checked against what its platform allows by the rules of its
// account. Errors: invalid_request on text, parts or parts[i].
func (in EditInput) draft(c mission.Content, rules textRules) (mission.Draft, error) {
	if err := mission.CheckPlatform("platform", c.Platform); err != nil {
		return mission.Draft{}, err
	}
	caps := rules.on(c.Platform)
	d := mission.Draft{Format: c.Format}
	switch {
	case !in.worded() && rules.links == (mission.LinkRule{}):
		return mission.Draft{Format: c.Format, Text: c.Text, Parts: c.Parts}, nil
	case !in.worded(): // its links may have become longer
		d = mission.Draft{Format: c.Format, Text: c.Text, Parts: c.Parts}
		return d, textlimit.Check(caps, d)
	case len(in.Parts) == 1:
		d.Format, d.Text = caps.Single(), in.Parts[0]
	case in.Text == nil:
		d.Format, d.Parts = mission.FormatThread, in.Parts
	case c.Format == mission.FormatThread:
		parts, err := textlimit.Thread(caps, *in.Text)
		if err != nil {
			return d, err
		}
		if d.Parts = parts; len(parts) < 2 {
			d = mission.Draft{Format: caps.Single(), Text: *in.Text}
		}
	default:
		d.Text = *in.Text
	}
	if len(d.Parts) > 0 {
		d.Text = joined(d.Parts)
	}
	var wrong *mission.Error
	if errors.As(textlimit.Check(caps, d), &wrong) {
		return d, mission.Invalid(in.field(wrong.Param), "%s", wrong.Message)
	}
	return d, in.checkTwins(c.Platform, d)
}
