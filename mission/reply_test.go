package mission

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// answeredPost returns a published post with a first comment, and a reply to it that is known.
func answeredPost() (Content, Reply) {
	at := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	c := Content{
		ID: "cnt_1", TenantID: "tnt_1", MissionID: "msn_1", Platform: Mastodon, IntegrationID: "int_1", Status: ContentPublished, Text: "Hello.", PublishedAt: &at,
		Published: []Publication{{PostID: "1"}}, Comment: &Comment{Text: "More.", Status: CommentPublished, Publication: &Publication{PostID: "2"}},
	}
	r := Reply{
		ID: "rpl_1", TenantID: "tnt_1", MissionID: "msn_1", ContentID: "cnt_1", Platform: Mastodon, IntegrationID: "int_1", Status: ReplyNew, ReceivedAt: at,
		Found: FoundReply{ID: "3", ParentID: "1", Text: "Hm?", Author: ReplyAuthor{ID: "9", Handle: "grace@social.example"}},
	}
	return c, r
}

// What a platform shows is taken over once, with what was changed and deleted there, and without what
// the account itself wrote.
func TestTakeOver(t *testing.T) {
	c, known := answeredPost()
	now := c.PublishedAt.Add(time.Hour)
	n := 0
	newID := func() string { n++; return fmt.Sprintf("rpl_new%d", n) }
	found := func(id, text string) FoundReply { return FoundReply{ID: id, Text: text, Author: known.Found.Author} }
	answered := known
	answered.Answer = &Answer{Comment: Comment{Status: CommentPublished, Publication: &Publication{PostID: "5"}}}
	seenIn := func(at time.Time) Reply { r := known; r.SeenIn = at; return r }
	for name, tt := range map[string]struct {
		known          Reply
		read           ReadReplies
		has            int
		added, changed string
		seen           int // how many are marked as shown by the read
	}{
		"nothing":                  {known: known, read: ReadReplies{}},
		"again":                    {known: known, read: ReadReplies{Replies: []FoundReply{known.Found}, Began: now}, has: 1},
		"one that was hidden":      {known: Reply{ID: "rpl_1", Status: ReplyHidden, Found: FoundReply{ID: "3", Text: "Hm?", Hidden: true}}, read: ReadReplies{Replies: []FoundReply{{ID: "3", Text: "Hm?"}}}},
		"a new one, twice":         {known: known, read: ReadReplies{Replies: []FoundReply{found("4", "Yes."), found("4", "Yes.")}}, added: "4 new Yes."},
		"its own parts":            {known: answered, read: ReadReplies{Replies: []FoundReply{found("1", "Hello."), found("2", "More."), found("5", "It does."), found("", "?")}}},
		"another text":             {known: known, read: ReadReplies{Replies: []FoundReply{found("3", "Hm!")}}, changed: "3 new Hm!"},
		"gone":                     {known: known, read: ReadReplies{Gone: []string{"3"}}, changed: "3 deleted "},
		"absent from all":          {known: known, read: ReadReplies{Began: now}, changed: "3 deleted "},
		"absent so far":            {known: known, read: ReadReplies{Began: now, Behind: true}},
		"shown so far":             {known: known, read: ReadReplies{Replies: []FoundReply{known.Found, found("4", "Yes.")}, Began: now, Behind: true}, added: "4 new Yes.", seen: 2},
		"shown so far, not whole":  {known: known, read: ReadReplies{Replies: []FoundReply{known.Found, found("4", "Yes.")}, Behind: true}, added: "4 new Yes."},
		"shown by an earlier run":  {known: seenIn(now), read: ReadReplies{Began: now}},
		"shown by another read":    {known: seenIn(now.Add(-time.Hour)), read: ReadReplies{Began: now}, changed: "3 deleted "},
		"shown, but said to go":    {known: seenIn(now), read: ReadReplies{Gone: []string{"3"}, Began: now}, changed: "3 deleted "},
		"absent from a part":       {known: known, read: ReadReplies{Replies: []FoundReply{}}},
		"a hidden one":             {known: known, read: ReadReplies{Replies: []FoundReply{{ID: "6", Text: "Spam", Hidden: true}}}, added: "6 hidden Spam"},
		"more than are stored":     {known: known, read: ReadReplies{Replies: []FoundReply{found("7", "One too many.")}}, has: MaxReplies},
		"known, though many are":   {known: known, read: ReadReplies{Replies: []FoundReply{found("3", "Hm!!")}}, has: MaxReplies, changed: "3 new Hm!!"},
		"one that was away before": {known: Reply{ID: "rpl_1", Status: ReplyDeleted, Found: FoundReply{ID: "3"}}, read: ReadReplies{Replies: []FoundReply{known.Found}}, changed: "3 new Hm?"},
	} {
		got := c.TakeOver([]Reply{tt.known}, tt.read, tt.has, newID, now)
		said := func(list []Reply) (text string) {
			for _, r := range list {
				text += r.Found.ID + " " + string(r.Status) + " " + r.Found.Text
			}
			return text
		}
		if said(got.Added) != tt.added || said(got.Changed) != tt.changed || len(got.Events) != len(got.Added) {
			t.Errorf("%s: added %q, changed %q with %d events; want %q and %q", name, said(got.Added), said(got.Changed), len(got.Events), tt.added, tt.changed)
		}
		marked := 0
		for _, r := range slices.Concat(got.Added, got.Seen) {
			if !r.SeenIn.IsZero() && r.SeenIn.Equal(tt.read.Began) {
				marked++
			}
		}
		if marked != tt.seen || len(got.Seen) > marked {
			t.Errorf("%s: %d of those added and %d known ones are marked as shown, want %d in all", name, marked, len(got.Seen), tt.seen)
		}
		for _, r := range got.Changed {
			if r.Status == ReplyDeleted && r.Found.Author != (ReplyAuthor{}) {
				t.Errorf("%s: a deleted reply keeps its author %+v", name, r.Found.Author)
			}
		}
		for _, r := range got.Added {
			if want := c.PublishedAt.Add(180 * 24 * time.Hour); !r.ExpiresAt.Equal(want) || r.ContentID != c.ID || r.TenantID != c.TenantID {
				t.Errorf("%s: added %+v", name, r)
			}
		}
	}
}

// An answer is a post of one part that replies to the reply; what becomes of it is written back.
func TestAnswering(t *testing.T) {
	c, r := answeredPost()
	now := c.PublishedAt.Add(time.Hour)
	r, err := r.Give("ans_1", r.AnswerText("It does."), "usr_1", now)
	if err != nil || r.Status != ReplyAnswered {
		t.Fatal(r, err)
	}
	v := c.Answering(r)
	p := v.NextPart()
	if p.Text != "@grace@social.example It does." || p.Index != 0 || p.Root.PostID != "1" || p.Parent.PostID != "3" || p.Key() != "ans_1-1-0" {
		t.Errorf("got the part %+v", p)
	}
	if _, err := r.Give("ans_2", "Again.", "usr_1", now); CodeOf(err) != CodeConflict {
		t.Errorf("a second answer: %v", err)
	}
	for name, tt := range map[string]struct {
		result PublishResult
		answer CommentStatus
		status ReplyStatus
		event  EventType
	}{
		"accepted":     {PublishResult{Outcome: OutcomeAccepted, Publication: Publication{PostID: "8", URL: "https://social.example/8"}}, CommentPublished, ReplyAnswered, EventReplyAnswered},
		"refused":      {PublishResult{Outcome: OutcomeRefused, Failure: Failure{Code: "no", Message: "No."}}, CommentFailed, ReplyNew, EventReplyAnswerFailed},
		"no response":  {PublishResult{Outcome: OutcomeUnknown, Failure: NoResponse()}, CommentUnknown, ReplyAnswered, ""},
		"never known":  {PublishResult{Outcome: OutcomeUnknowable}, CommentUnknown, ReplyNew, EventReplyAnswerFailed},
		"not accepted": {PublishResult{Outcome: OutcomeNotAccepted, Failure: Failure{Code: "later", Message: "Later."}}, CommentWaiting, ReplyAnswered, ""},
	} {
		ch, err := v.Publishing(&Integration{ID: "int_1"}, now)
		if err != nil {
			t.Fatal(err)
		}
		s, err := ch.To.After(tt.result, PublishAttempt{Number: 1, Mission: StatusActive}, now)
		if err != nil {
			t.Fatal(name, err)
		}
		got, events := r.Answered(s.Change.To, now)
		if got.Answer.Status != tt.answer || got.Status != tt.status || len(events) != map[bool]int{true: 1}[tt.event != ""] || len(events) == 1 && events[0].Type != tt.event {
			t.Errorf("%s: got the answer %+v of a reply that is %s, with %+v", name, got.Answer, got.Status, events)
		}
		if again := c.Answering(got); again.Status != s.Change.To.Status || len(again.Published) != len(s.Change.To.Published) {
			t.Errorf("%s: as a post again it is %s", name, again.Status)
		}
		if _, err := got.Give("ans_2", "Once more.", "usr_1", now); (err == nil) != (tt.status == ReplyNew) {
			t.Errorf("%s: another answer: %v", name, err)
		}
	}
}

// A mention is added only where the author wouldn't know of the answer, and isn't there.
func TestAnswerText(t *testing.T) {
	_, r := answeredPost()
	sandbox, bluesky, nobody := r, r, r
	sandbox.IntegrationID, bluesky.Platform, nobody.Found.Author.Handle = "", Bluesky, ""
	for _, tt := range []struct {
		r          Reply
		text, want string
	}{
		{r, " Yes.\r\n", "@grace@social.example Yes."},
		{r, "Yes, @Grace@social.example!", "Yes, @Grace@social.example!"},
		{sandbox, "Yes.", "Yes."}, {bluesky, "Yes.", "Yes."}, {nobody, "Yes.", "Yes."},
	} {
		if got := tt.r.AnswerText(tt.text); got != tt.want {
			t.Errorf("%q is sent as %q, want %q", tt.text, got, tt.want)
		}
	}
}

// What can be done about a reply, by its state.
func TestReplyActions(t *testing.T) {
	_, r := answeredPost()
	r.Platform = Twitter
	now := r.ReceivedAt
	hidden, err := r.Hide("usr_1", now)
	if err != nil {
		t.Fatal(err)
	}
	done, err := r.SetAside(true, "usr_1", now)
	if err != nil {
		t.Fatal(err)
	}
	answering, err := r.Give("ans_1", "Yes.", "usr_1", now)
	if err != nil {
		t.Fatal(err)
	}
	deleted := r
	deleted.Status = ReplyDeleted
	for name, tt := range map[string]struct {
		r    Reply
		want string
	}{
		"new": {r, "answer hide mark_done"}, "hidden": {hidden, "answer"}, "done": {done, "answer hide reopen"},
		"being answered": {answering, "hide"}, "deleted": {deleted, ""},
		"not hidden after all": {hidden.Concealed(&Failure{Code: "no"}, now), "answer hide mark_done"},
	} {
		var can []string
		for _, a := range tt.r.Actions() {
			can = append(can, string(a))
		}
		if got := strings.Join(can, " "); got != tt.want {
			t.Errorf("%s: can %q, want %q", name, got, tt.want)
		}
	}
	if _, err := (Reply{Platform: Mastodon, Status: ReplyNew}).Hide("usr_1", now); CodeOf(err) != CodeConflict || !strings.Contains(err.Error(), "Mastodon") {
		t.Errorf("a platform that hides none: %v", err)
	}
	if hidden.Concealed(nil, now).Hiding.Done != true {
		t.Error("it isn't hidden")
	}
}

// Where reading costs, a mission has to ask for it; LinkedIn shows the comments on organisations'
// posts alone.
func TestReadsReplies(t *testing.T) {
	via := func(account string) *Integration { return &Integration{Account: &Account{ID: account}} }
	for _, tt := range []struct {
		p    Platform
		via  *Integration
		paid []Platform
		want bool
	}{
		{Mastodon, via("1"), nil, true}, {Bluesky, nil, nil, true}, {TikTok, via("1"), nil, false}, {Mastodon, &Integration{}, nil, false},
		{LinkedIn, via("urn:li:organization:1"), nil, true}, {LinkedIn, via("urn:li:person:1"), nil, false},
		{Twitter, via("1"), nil, false}, {Twitter, via("1"), []Platform{Twitter}, true}, {Twitter, nil, nil, true},
	} {
		if got := (Constraints{PaidReplies: tt.paid}).ReadsReplies(tt.p, tt.via); got != tt.want {
			t.Errorf("%s through %+v, paid on %q: %t", tt.p, tt.via, tt.paid, got)
		}
	}
}

// An answer is made as a draft where it is a post, and how far that has come is stored with it.
func TestDraftsOfAnswers(t *testing.T) {
	now := time.Date(2026, 11, 27, 5, 0, 0, 0, time.UTC)
	for p, want := range map[Platform]bool{Instagram: false, Threads: true, Mastodon: false} {
		c := Content{ID: "cnt_1", Platform: p, IntegrationID: "int_1"}
		r := Reply{ID: "rpl_1", Platform: p, IntegrationID: "int_1", Found: FoundReply{ID: "1"}}
		r, err := r.Give("ans_1", "Thanks", "usr_1", now)
		if err != nil || c.Answering(r).Drafts() != want {
			t.Errorf("%s: the answer is a draft: %t, %v", p, !want, err)
		}
		made := c.Answering(r).Draft(now)
		made.ID, made.State = "17", UploadReady
		drafted, _ := c.Answering(r).Uploaded(made, now)
		r, _ = r.Answered(drafted, now)
		if got := c.Answering(r).NextPart().Draft; got.ID != "17" || got.State != UploadReady {
			t.Errorf("%s: stored as %+v", p, got)
		}
	}
}
