package reviewpage

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"missiond/internal/httpserver"
	"missiond/mission"
)

// take carries a form out, and leads back to the page.
func (v view) take(w http.ResponseWriter, r *http.Request) error {
	if foreign(r) {
		return &mission.Error{Code: mission.CodeForbidden, Message: "The form of another site was sent here."}
	}
	if err := r.ParseForm(); err != nil {
		return mission.Invalid("", "The form can't be read.")
	}
	f := r.PostForm
	v.after, v.about, v.typed = f.Get("after"), f.Get("content"), typed(f)
	err := v.do(r.Context(), f)
	switch code := mission.CodeOf(err); {
	case err == nil:
		http.Redirect(w, r, address(v.path, v.after, v.about), http.StatusSeeOther)
		return nil
	case code != mission.CodeConflict && code != mission.CodeInvalidRequest:
		return err
	}
	if _, ok := v.open(w, r); !ok { // it has ended meanwhile
		return nil
	}
	c, gone := v.Missions.Content(r.Context(), v.link.Principal(), v.about)
	v.kept = sent{Path: v.path, ID: v.about, Revision: strconv.Itoa(c.Revision), After: v.after, Action: "comment", Typed: v.typed}
	if gone == nil && v.link.MayComment {
		v.kept.Button = "Add it as a comment"
	}
	v.problem = v.explain(r.Context(), f, c, err)
	return v.show(w, r, statuses[mission.CodeOf(err)])
}

// do carries out what a form asks for: a decision, a comment, or an approval with a comment. Errors: those of the verbs.
func (v view) do(ctx context.Context, f url.Values) error {
	p, id := v.link.Principal(), f.Get("content")
	revision, err := strconv.Atoi(f.Get("revision"))
	if err != nil {
		return mission.Invalid("revision", "The form has no revision.")
	}
	said := mission.ReviewCommentInput{Text: cmp.Or(f.Get("text"), f.Get("reason")), Revision: &revision}.Tidy()
	switch f.Get("action") {
	case "approve":
		if said.Text != "" {
			err = said.Check() // before anything is done
		}
		if err == nil {
			_, err = v.Missions.ApproveContent(ctx, p, id, &revision)
		}
		if err = v.unlessDone(ctx, f, err); err != nil || said.Text == "" {
			return err
		}
	case "reject":
		_, err = v.Missions.RejectContent(ctx, p, id, said.Text, &revision)
		return v.unlessDone(ctx, f, err)
	case "comment":
		if said.Text == "" {
			return mission.Invalid("text", "Write a comment first.")
		}
	default:
		return mission.Invalid("action", "The form asks for nothing that this page does.")
	}
	_, err = v.Missions.CommentContent(ctx, p, id, said)
	return err
}

// unlessDone returns err, unless it is that of a second click: the link has decided the same about the same revision.
func (v view) unlessDone(ctx context.Context, f url.Values, err error) error {
	if mission.CodeOf(err) != mission.CodeConflict {
		return err
	}
	c, unread := v.Missions.Content(ctx, v.link.Principal(), f.Get("content"))
	same := unread == nil && v.decided(c) && decisions[f.Get("action")] == decision(c) && strconv.Itoa(c.Revision) == f.Get("revision")
	if reason := c.RejectionReason; same && (reason == nil || *reason == mission.Tidy(typed(f))) {
		return nil
	}
	return err
}

// explain returns why a form about a post wasn't carried out, in words for somebody who sees the page.
func (v view) explain(ctx context.Context, f url.Values, c mission.Content, err error) string {
	conflict := c.ID != "" && mission.CodeOf(err) == mission.CodeConflict
	switch {
	case conflict && strconv.Itoa(c.Revision) != f.Get("revision"):
		return "Nothing was done: the post was changed since you read it. If it still waits for review, its new text is below."
	case conflict && f.Get("action") == "approve" && v.decided(c) && decision(c) == "approved":
		return "The post is approved. Your comment wasn't added: " + httpserver.Shown(ctx, err).Message
	case conflict && f.Get("action") != "comment" && v.decided(c):
		return "Nothing was done: with this page the post was " + decision(c) + " before."
	case conflict && f.Get("action") != "comment" && c.Status != mission.ContentPendingReview:
		return "Nothing was done: somebody decided about the post before you, or its time was over. " + states[c.Status]
	}
	return "Nothing was done. " + httpserver.Shown(ctx, err).Message
}

// states are those of posts that don't wait for review any more, for people.
var states = map[mission.ContentStatus]string{
	mission.ContentApproved:   "It is approved now.",
	mission.ContentScheduled:  "It is approved now.",
	mission.ContentPublishing: "It is being published.",
	mission.ContentPublished:  "It is published.",
	mission.ContentUnknown:    "It was sent, and nobody knows yet whether it is published.",
	mission.ContentRejected:   "It is rejected now.",
	mission.ContentFailed:     "It couldn't be published.",
	mission.ContentExpired:    "Its time is over.",
	mission.ContentCanceled:   "It is canceled.",
}

// foreign reports whether a browser says that another site's page sent a form. The address is
// what allows it; browsers that don't say where a form of a page without a referrer comes from
// may send it.
func foreign(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site != "same-origin"
	}
	origin := r.Header.Get("Origin")
	if origin == "" || origin == "null" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || !strings.EqualFold(u.Host, r.Host)
}

// sent returns the form that a request has, so that what was typed isn't lost, with a button to send it again or ""; nil if
// it has none of this page's, or there is no memory for it.
func (p *pages) sent(w http.ResponseWriter, r *http.Request, button string) *sent {
	if r.Method != http.MethodPost || foreign(r) {
		return nil
	}
	if r.PostForm == nil {
		memory := p.Gateway.Gate.Reserve("")
		defer memory.Release()
		if _, err := httpserver.ReadBody(w, r, maxBody, memory.Grow); err != nil || r.ParseForm() != nil {
			return nil
		}
	}
	f := r.PostForm
	if typed(f) == "" && button == "" {
		return nil
	}
	return &sent{r.URL.Path, f.Get("content"), f.Get("revision"), f.Get("after"), f.Get("action"), typed(f), button}
}

// typed returns what was typed into a form, as a page may repeat it.
func typed(f url.Values) string {
	return strings.ToValidUTF8(cmp.Or(f.Get("text"), f.Get("reason")), "\ufffd")
}
