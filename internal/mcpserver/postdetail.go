package mcpserver

import (
	"cmp"
	"context"
	"slices"

	"missiond/mission"
	"missiond/store"
)

// Bounds of what detail full has of a post.
const (
	maxParts     = 30
	partBytes    = 1_000
	maxEarlier   = 3
	maxDecisions = 10
	maxRemarks   = 10
	maxReplied   = 10
)

// addToPost adds what detail full has.
func (c *call) addToPost(ctx context.Context, out *postOut, post mission.Content) error {
	out.Preview = showPreview(post)
	if post.MeasuredAt != nil {
		out.Metrics = post.Metrics
	}
	if len(post.Parts) > 0 {
		out.Text = cutTo(post.Text, fromPost, excerptBytes) // the parts have it
	}
	if err := c.may(ctx, mission.OpContentRecord, mission.OpContentRevisions, mission.OpContentComments, mission.OpRepliesList); err != nil {
		return err
	}
	r, err := c.missions.Record(ctx, c.p, post.ID)
	if err != nil {
		return err
	}
	out.Record = showRecord(r)
	revisions, err := c.missions.Revisions(ctx, c.p, post.ID, store.TextPage{Most: maxEarlier + 1})
	if err != nil {
		return err
	}
	out.Earlier = showEarlier(revisions, post.Revision)
	comments, err := c.missions.ReviewComments(ctx, c.p, post.ID, store.Page{Limit: maxRemarks})
	if err != nil {
		return err
	}
	for _, each := range comments.List {
		out.Remarks = append(out.Remarks, remark{
			each.CreatedAt, each.Revision, some(each.AuthorName, fromReviewer, nameBytes), cutTo(each.Text, fromReviewer, itemBytes),
		})
	}
	replies, err := c.missions.Replies(ctx, c.p, store.ReplyFilter{ContentID: post.ID}, store.Page{Limit: maxReplied})
	for _, each := range replies.List {
		out.Replies = append(out.Replies, showReplied(each))
	}
	return err
}

func showPreview(post mission.Content) *preview {
	disclosure := post.Disclosure()
	p := &preview{
		Type: post.Format, Parts: cutAll(post.Parts, fromPost, maxParts, partBytes), FirstComment: some(post.CommentText(), fromPost, longBytes), Files: []postFile{},
		MadeWithAI: disclosure.MadeWithAI, PaidPartnership: disclosure.PaidPartnership, Broken: []broken{},
	}
	if disclosure.Line != nil {
		p.DisclosureLine = some(*disclosure.Line, fromTenant, itemBytes)
	}
	for _, m := range post.Media {
		p.Files = append(p.Files, postFile{m.MediaID, m.Part, m.Kind, cutTo(m.AltText, fromFile, reasonBytes)})
	}
	for _, check := range post.Verdict.Shown() {
		if check.Passed {
			continue
		}
		b := broken{Rule: check.Rule}
		if check.Message != nil {
			b.Message = some(*check.Message, fromService, reasonBytes)
		}
		p.Broken = append(p.Broken, b)
	}
	return p
}

func showRecord(r mission.Record) *record {
	shown := &record{Origin: r.Origin, CreatedAt: r.CreatedAt, WriterShare: r.WriterShare, Decisions: []decision{}, Facts: []Text{}}
	if n := len(r.Revisions); n > 0 {
		latest := r.Revisions[n-1]
		shown.Author = latest.Author.Kind
		for _, fact := range latest.Facts[:min(len(latest.Facts), maxItems)] {
			shown.Facts = append(shown.Facts, cutTo(fact.Text, fromTenant, itemBytes))
		}
	}
	for _, review := range slices.Backward(r.Reviews) {
		if len(shown.Decisions) == maxDecisions {
			break
		}
		shown.Decisions = append(shown.Decisions, decision{
			review.Decision, review.Revision, review.At, someOf(review.ByName, fromReviewer, nameBytes), someOf(review.Reason, fromReviewer, itemBytes),
		})
	}
	return shown
}

// someOf is some of a text that may be nil.
func someOf(words *string, by from, most int) *Text {
	if words == nil {
		return nil
	}
	return some(*words, by, most)
}

// showEarlier returns the latest revisions before the current one.
func showEarlier(list []mission.Revision, current int) (shown []revision) {
	slices.SortFunc(list, func(a, b mission.Revision) int { return cmp.Compare(b.Revision, a.Revision) })
	for _, r := range list {
		if r.Revision < current && len(shown) < maxEarlier {
			shown = append(shown, revision{r.Revision, r.Status, cutTo(r.Text, fromPost, longBytes), someOf(r.RejectionReason, fromReviewer, itemBytes)})
		}
	}
	return shown
}

func showReplied(r mission.Reply) replied {
	author := cmp.Or(r.Found.Author.Handle, r.Found.Author.Name)
	shown := replied{ID: r.ID, At: r.ReceivedAt, Status: r.Status, By: some(author, fromReply, nameBytes), Text: cutTo(r.Found.Text, fromReply, itemBytes)}
	if r.Answer != nil {
		shown.Answer = some(r.Answer.Text, fromPost, itemBytes)
	}
	return shown
}
