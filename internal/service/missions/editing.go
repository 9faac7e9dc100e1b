package missions

import (
	"context"
	"fmt"
	"strings"

	"missiond/internal/service/idempotency"
	"missiond/internal/textlimit"
	"missiond/mission"
	"missiond/store"
)

// EditInput is a new text for a post: Text or Parts. A Text that is too long for
// one part of a thread is split at the ends of sentences.
type EditInput struct {
	Text  *string
	Parts []string
}

// EditContent replaces the text of an unpublished post. If the mission requires
// approval, the post waits for review again. Errors: invalid_request, naming text or
// parts; not_found; conflict, also if the post changed meanwhile.
func (s *API) EditContent(ctx context.Context, p mission.Principal, id string, in EditInput) (mission.Content, error) {
	if err := in.Check(); err != nil {
		return mission.Content{}, err
	}
	if c, ok, err := idempotency.Earlier[mission.Content](ctx, s.db); ok || err != nil {
		return c, err
	}
	found, err := s.Content(ctx, p, id)
	if err != nil {
		return mission.Content{}, err
	}
	if err := found.CheckRevisable("edited"); err != nil {
		return mission.Content{}, err
	}
	limits, err := s.ownLimits(ctx, p.TenantID, found.Platform, found.IntegrationID)
	if err != nil {
		return mission.Content{}, err
	}
	d, err := in.draft(found, limits)
	if err != nil {
		return mission.Content{}, err
	}
	return s.changeFound(ctx, p, found, func(tx store.Tx, o opened) error {
		if err := o.content.CheckRevisable("edited"); err != nil {
			return err
		}
		if o.content.Format != found.Format {
			return mission.Conflict("The post was changed meanwhile; it is at revision %d.", o.content.Revision)
		}
		excluded, err := exclusions(ctx, tx, o.mission)
		if err != nil {
			return err
		}
		v := judge(d.Text, excluded)
		if !v.Passed() {
			return mission.Invalid(in.param(), "%s", v.Failure().Message)
		}
		return s.revise(ctx, tx, o, mission.Wording{Draft: d, Verdict: v, AuthorID: p.UserID})
	})
}

func (in EditInput) param() string {
	if in.Text == nil {
		return "parts"
	}
	return "text"
}

// Check validates in against the widest limits of all platforms. Errors:
// invalid_request on text, parts or parts[i].
func (in EditInput) Check() error {
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

// draft returns in's text for a post, checked against what its platform allows, within
// the own limits of its account. Errors: invalid_request on text, parts or parts[i].
func (in EditInput) draft(c mission.Content, own mission.TextLimits) (mission.Draft, error) {
	caps, ok := mission.CapabilitiesOf(c.Platform)
	if !ok {
		return mission.Draft{}, mission.Invalid("platform", "Unknown platform %q.", c.Platform)
	}
	caps = caps.Within(own)
	d := mission.Draft{Format: c.Format}
	switch {
	case len(in.Parts) == 1:
		d.Format, d.Text = mission.FormatPost, in.Parts[0]
	case in.Text == nil:
		d.Format, d.Parts = mission.FormatThread, in.Parts
	case c.Format == mission.FormatThread:
		parts, err := textlimit.Thread(caps, *in.Text)
		if err != nil {
			return d, err
		}
		if d.Parts = parts; len(parts) < 2 {
			d = mission.Draft{Format: mission.FormatPost, Text: *in.Text}
		}
	default:
		d.Text = *in.Text
	}
	if len(d.Parts) > 0 {
		d.Text = strings.Join(d.Parts, "\n\n")
	}
	return d, textlimit.Check(caps, d)
}
