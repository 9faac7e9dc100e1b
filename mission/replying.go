package mission

import (
	"slices"
	"strings"
	"time"
)

// Replying says what an answer replies to.
type Replying struct {
	// ContentID is the post, Root its first part and To the reply.
	ContentID string
	Root, To  Publication
}

// answerStates are the states of an answer as those of a post.
var answerStates = commentStates

// Answering returns the answer to a reply to c as though it were a post of one part, so that the
// rules of publishing apply to it. Answered is its reverse. It goes out after its mission's end too:
// a person has decided it.
func (c Content) Answering(r Reply) Content {
	a := r.Answer
	v := Content{
		ID: a.ID, TenantID: c.TenantID, MissionID: c.MissionID, JobID: c.JobID, Platform: c.Platform, IntegrationID: r.IntegrationID,
		Format: FormatPost, Status: answerStates[a.Status], Text: a.Text, Revision: 1, ScheduledAt: &a.At, Placed: true,
		CalledAt: a.CalledAt, Unconfirmed: a.Unconfirmed, Error: a.Error, Fees: a.Fees, CreatedAt: a.At, UpdatedAt: r.UpdatedAt,
		Replying: &Replying{ContentID: c.ID, To: Publication{PostID: r.Found.ID, Hash: r.Found.Hash, URL: r.Found.URL, PublishedAt: r.Found.PublishedAt}},
	}
	if len(c.Published) > 0 {
		v.Replying.Root = c.Published[0]
	}
	if a.Draft != nil {
		v.Uploads = []Upload{*a.Draft}
	}
	if a.Publication != nil {
		v.Published = []Publication{*a.Publication}
	}
	return v
}

// Answered returns what becomes of a reply whose answer the rules have changed to c, with its event
// if the answer has come to its end.
func (r Reply) Answered(c Content, now time.Time) (Reply, []Event) {
	a := *r.Answer
	a.CalledAt, a.Unconfirmed, a.Error, a.Fees = c.CalledAt, c.Unconfirmed, c.Error, c.Fees
	for of, as := range answerStates {
		if as == c.Status {
			a.Status = of
		}
	}
	if d := c.recordedDraft(Part{Content: c}.Key()); d.Hash != "" {
		a.Draft = &d
	}
	if len(c.Published) > 0 {
		a.Publication = &c.Published[0]
	}
	if c.AwaitsPerson() {
		a.Error = &Failure{
			Code: CodeOutcomeUnknown, Message: "It is unknown whether the platform has the answer; look there, and answer again if it doesn't.",
		}
	}
	r.Answer, r.UpdatedAt = &a, now
	switch {
	case a.Status == CommentPublished:
		return r, []Event{r.event(EventReplyAnswered, now)}
	case a.Settled():
		if r.Status == ReplyAnswered {
			r.Status = ReplyNew // somebody has to look at it
		}
		return r, []Event{r.event(EventReplyAnswerFailed, now)}
	}
	return r, nil
}

// AnswerLimit is how long an answer is tried to be sent. Whoever reads it later wouldn't know what it is about.
const AnswerLimit = 7 * day

// AnswerOutdated returns the failure of an answer that couldn't be sent for AnswerLimit.
func AnswerOutdated() Failure {
	return Failure{Code: CodeNoTimeLeft, Message: "It couldn't be sent within seven days."}
}

// WhyReply returns why the answer to a reply hasn't gone out, and what can be done; s has it as Content, as
// Answering returns it.
func WhyReply(r Reply, s ContentSituation) Why {
	if r.Answer == nil {
		return Why{Status: string(r.Status), Summary: "It has no answer.", Reasons: []Reason{}}
	}
	w := WhyContent(s)
	w.Status = string(r.Status)
	return w
}

// Settled reports whether the answer won't change any more by itself.
func (a Answer) Settled() bool {
	return a.Status == CommentPublished || a.Status == CommentFailed || a.Status == CommentUnknown && a.Error != nil && a.Error.Code == CodeOutcomeUnknown
}

// AnswerText returns what is sent as an answer to the reply: on platforms where its author
// wouldn't know of it otherwise, with a mention of them at its beginning.
func (r Reply) AnswerText(text string) string {
	text = Tidy(text)
	caps, _ := CapabilitiesOf(r.Platform)
	if mention := "@" + r.Found.Author.Handle; caps.Replies.Mention && r.Found.Author.Handle != "" && r.IntegrationID != "" &&
		!strings.Contains(strings.ToLower(text), strings.ToLower(mention)) {
		return mention + " " + text
	}
	return text
}

// AnswerInput is an answer that a caller gives.
type AnswerInput struct {
	Text string `json:"text" doc:"The answer: 1 to 5000 characters, within the platform's limits" example:"It does, from version 2.0 on."`
}

// CheckAnswer checks the text of an answer as far as that doesn't depend on the platform. Errors:
// invalid_request.
func CheckAnswer(text string) error { return checkProse("text", text, 1, MaxAnswer) }

// CheckAnswerable returns a conflict if the reply can't be answered now.
func (r Reply) CheckAnswerable() error {
	caps, _ := CapabilitiesOf(r.Platform)
	switch a := r.Answer; {
	case !caps.Replies.Answer:
		return Conflict("%s takes no answers from here.", r.Platform.Name())
	case r.Status == ReplyDeleted:
		return Conflict("The reply was deleted on its platform.")
	case a != nil && a.Status == CommentPublished:
		return Conflict("The reply has been answered.")
	case a != nil && !a.Settled():
		return Conflict("The reply is being answered.")
	}
	return nil
}

// Give returns the reply with an answer that is to be sent. Errors: conflict.
func (r Reply) Give(id, text, by string, now time.Time) (Reply, error) {
	if err := r.CheckAnswerable(); err != nil {
		return r, err
	}
	r.Answer = &Answer{ID: id, By: by, At: now, Comment: Comment{Text: text, Status: CommentWaiting}}
	if r.Status != ReplyHidden {
		r.Status = ReplyAnswered
	}
	r.UpdatedAt = now
	return r, nil
}

// Hide returns the reply as hidden, which its platform is to be asked for. Errors: conflict if it
// can't be hidden, or isn't shown any more.
func (r Reply) Hide(by string, now time.Time) (Reply, error) {
	caps, _ := CapabilitiesOf(r.Platform)
	switch {
	case !caps.Replies.Hide:
		return r, Conflict("%s hides no replies; delete it there, or set it aside.", r.Platform.Name())
	case r.Status == ReplyDeleted:
		return r, Conflict("The reply was deleted on its platform.")
	case r.Status == ReplyHidden:
		return r, Conflict("The reply is hidden.")
	}
	r.Status, r.Hiding, r.UpdatedAt = ReplyHidden, &Hiding{By: by, At: now}, now
	return r, nil
}

// Concealed returns the reply after its platform was asked to hide it: nil has it hidden, a failure
// shown again.
func (r Reply) Concealed(f *Failure, now time.Time) Reply {
	h := Hiding{At: now}
	if r.Hiding != nil {
		h = *r.Hiding
	}
	h.Done, h.Error = f == nil, f
	r.Hiding, r.UpdatedAt = &h, now
	if f != nil && r.Status == ReplyHidden {
		r.Status = r.open()
	}
	return r
}

// open returns the state of the reply if it is neither hidden nor deleted nor set aside.
func (r Reply) open() ReplyStatus {
	if r.Answer != nil && (r.Answer.Status == CommentPublished || !r.Answer.Settled()) {
		return ReplyAnswered
	}
	return ReplyNew
}

// SetAside returns the reply as done, or with done false as one about which something is to be done
// again. Errors: conflict if it was deleted, is hidden or is being answered.
func (r Reply) SetAside(done bool, by string, now time.Time) (Reply, error) {
	switch {
	case r.Status == ReplyDeleted:
		return r, Conflict("The reply was deleted on its platform.")
	case r.Status == ReplyHidden:
		return r, Conflict("The reply is hidden.")
	case r.Answer != nil && !r.Answer.Settled():
		return r, Conflict("The reply is being answered.")
	}
	r.UpdatedAt = now
	if done {
		r.Status, r.HandledBy = ReplyDone, by
	} else {
		r.Status, r.HandledBy = ReplyNew, ""
	}
	return r, nil
}

// ReplyAction is what can be done about a reply.
type ReplyAction string

// The actions.
const (
	ReplyCanAnswer   ReplyAction = "answer"
	ReplyCanHide     ReplyAction = "hide"
	ReplyCanMarkDone ReplyAction = "mark_done"
	ReplyCanReopen   ReplyAction = "reopen"
)

// AllReplyActions lists the actions.
func AllReplyActions() []ReplyAction {
	return []ReplyAction{ReplyCanAnswer, ReplyCanHide, ReplyCanMarkDone, ReplyCanReopen}
}

// Actions returns what can be done about the reply now.
func (r Reply) Actions() []ReplyAction {
	can := []ReplyAction{}
	add := func(a ReplyAction, err error) {
		if err == nil {
			can = append(can, a)
		}
	}
	_, hides := r.Hide("", r.UpdatedAt)
	_, aside := r.SetAside(true, "", r.UpdatedAt)
	add(ReplyCanAnswer, r.CheckAnswerable())
	add(ReplyCanHide, hides)
	if r.Status == ReplyNew {
		add(ReplyCanMarkDone, aside)
	} else {
		add(ReplyCanReopen, aside)
	}
	return can
}

// repliesOf returns those of the replies found that aren't the post itself or its first comment.
func (c Content) repliesOf(found []FoundReply) []FoundReply {
	own := slices.Clone(c.Published)
	if c.Comment != nil && c.Comment.Publication != nil {
		own = append(own, *c.Comment.Publication)
	}
	return slices.DeleteFunc(slices.Clone(found), func(f FoundReply) bool {
		return f.ID == "" || slices.ContainsFunc(own, func(p Publication) bool { return p.PostID == f.ID })
	})
}

// TakenOver is what becomes of the replies to a post after they were read. Events has one for each that is Added.
type TakenOver struct {
	Added, Changed []Reply
	// Seen are those that were known and have another SeenIn now.
	Seen   []Reply
	Events []Event
}

// TakeOver returns what becomes of the post's replies that are known, after it was read what its
// platform shows. newID returns the id of a new one. What is deleted there loses its text and its
// author. has is how many replies are stored of the post: MaxReplies at most are.
func (c Content) TakeOver(known []Reply, read ReadReplies, has int, newID func() string, now time.Time) (t TakenOver) {
	byID, seen := map[string]Reply{}, map[string]bool{}
	for _, r := range known {
		byID[r.Found.ID] = r
		if r.Answer != nil && r.Answer.Publication != nil {
			seen[r.Answer.Publication.PostID] = true // it isn't a reply
		}
	}
	for _, f := range c.repliesOf(read.Replies) {
		if seen[f.ID] {
			continue
		}
		seen[f.ID] = true
		if r, ok := byID[f.ID]; ok {
			if n, changed := r.shown(f, now); changed {
				t.Changed = append(t.Changed, n)
			}
			if r.SeenIn = read.in(); !r.SeenIn.IsZero() {
				t.Seen = append(t.Seen, r)
			}
		} else if has+len(t.Added) < MaxReplies {
			n := c.received(newID(), f, now)
			n.SeenIn = read.in()
			t.Added, t.Events = append(t.Added, n), append(t.Events, n.event(EventReplyReceived, now))
		}
	}
	for _, r := range known {
		if r.Status != ReplyDeleted && read.lacks(r, seen[r.Found.ID]) {
			t.Changed = append(t.Changed, r.deleted(now))
		}
	}
	return t
}

// received returns a new reply to the post.
func (c Content) received(id string, f FoundReply, now time.Time) Reply {
	r := Reply{
		ID: id, TenantID: c.TenantID, MissionID: c.MissionID, ContentID: c.ID, Platform: c.Platform, IntegrationID: c.IntegrationID,
		Found: f, Status: ReplyNew, ReceivedAt: now, ExpiresAt: now.Add(ReplyReading + ReplyRetention), UpdatedAt: now,
	}
	if c.PublishedAt != nil {
		r.ExpiresAt = c.PublishedAt.Add(ReplyReading + ReplyRetention)
	}
	if f.Hidden {
		r.Status = ReplyHidden
	}
	return r
}

// deleted returns the reply without what its author wrote.
func (r Reply) deleted(now time.Time) Reply {
	r.Found.Text, r.Found.Author, r.Found.URL = "", ReplyAuthor{}, ""
	r.Status, r.UpdatedAt = ReplyDeleted, now
	return r
}

// shown returns the reply as its platform shows it now, and whether that is anything else.
func (r Reply) shown(f FoundReply, now time.Time) (Reply, bool) {
	was := r
	if f.Text != r.Found.Text && r.Status != ReplyDeleted {
		r.ChangedAt = &now
	}
	if f.PublishedAt.IsZero() {
		f.PublishedAt = r.Found.PublishedAt
	}
	f.PublishedAt = Millis(f.PublishedAt)
	r.Found = f
	switch {
	case r.Status == ReplyDeleted: // it was only away
		r.Status = r.open()
	case f.Hidden && (r.Status == ReplyNew || r.Status == ReplyDone):
		r.Status = ReplyHidden
	}
	r.Found.Hidden = was.Found.Hidden // not every platform tells; the status says it
	if r.Found == was.Found && r.Status == was.Status {
		return was, false
	}
	r.UpdatedAt = now
	return r, true
}

// ReplyEventData is the data of the events about replies.
type ReplyEventData struct {
	ReplyID       string   `json:"reply_id"`
	ContentID     string   `json:"content_id"`
	MissionID     string   `json:"mission_id"`
	Platform      Platform `json:"platform"`
	IntegrationID *string  `json:"integration_id"` // null in the sandbox
	// AuthorHandle is null if the platform doesn't tell it.
	AuthorHandle *string    `json:"author_handle"`
	Text         string     `json:"text"`
	URL          *string    `json:"url"`
	PublishedAt  *time.Time `json:"published_at"`
	// Answer is null in reply.received.
	Answer *ReplyAnswerData `json:"answer"`
}

// ReplyAnswerData is what the events say of an answer.
type ReplyAnswerData struct {
	Text   string        `json:"text"`
	Status CommentStatus `json:"status"`
	URL    *string       `json:"url"`
	By     string        `json:"by"`
	Error  *Failure      `json:"error"`
}

func (r Reply) event(t EventType, now time.Time) Event {
	data := ReplyEventData{
		ReplyID: r.ID, ContentID: r.ContentID, MissionID: r.MissionID, Platform: r.Platform, IntegrationID: orNil(r.IntegrationID),
		AuthorHandle: orNil(r.Found.Author.Handle), Text: r.Found.Text, URL: orNil(r.Found.URL), PublishedAt: orNever(r.Found.PublishedAt),
	}
	if a := r.Answer; a != nil {
		data.Answer = &ReplyAnswerData{Text: a.Text, Status: a.Status, URL: a.URL(), By: a.By, Error: a.Error}
	}
	return Event{TenantID: r.TenantID, MissionID: r.MissionID, Type: t, CreatedAt: now, Data: data}
}

// orNever returns nil for the zero time.
func orNever(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
