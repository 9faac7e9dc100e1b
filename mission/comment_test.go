package mission

import (
	"slices"
	"testing"
	"time"
)

// What becomes of a first comment, by the outcome of its call. The post stays as it is.
func TestCommentOutcomes(t *testing.T) {
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	slot, called := now.Add(-time.Hour), now.Add(-time.Minute)
	post := Content{
		ID: "cnt_1", Status: ContentPublished, Text: "One.\n\nTwo.", Parts: []string{"One.", "Two."}, ScheduledAt: &slot, PublishedAt: &slot,
		Published: []Publication{{PostID: "1"}, {PostID: "2"}}, Comment: NewComment("More."),
	}
	refused := Failure{Code: "platform_refused", Message: "No."}
	for name, tt := range map[string]struct {
		from    CommentStatus
		doubted bool
		mission Status
		result  PublishResult
		want    CommentStatus
		task    TaskState
		code    string
	}{
		"accepted":              {CommentPublishing, false, StatusActive, PublishResult{Outcome: OutcomeAccepted, Publication: Publication{PostID: "3", URL: "https://x.example/3"}}, CommentPublished, "", ""},
		"found":                 {CommentUnknown, true, StatusActive, PublishResult{Outcome: OutcomeAccepted, LookedUp: true, Publication: Publication{PostID: "3"}}, CommentPublished, "", ""},
		"found at the end":      {CommentUnknown, false, StatusCompleted, PublishResult{Outcome: OutcomeAccepted, LookedUp: true, Publication: Publication{PostID: "3"}}, CommentPublished, "", ""},
		"refused":               {CommentPublishing, false, StatusActive, PublishResult{Outcome: OutcomeRefused, Failure: refused}, CommentFailed, "", "platform_refused"},
		"not accepted":          {CommentPublishing, false, StatusActive, PublishResult{Outcome: OutcomeNotAccepted, Failure: refused}, CommentWaiting, TaskWaiting, ""},
		"not accepted, paused":  {CommentPublishing, false, StatusPaused, PublishResult{Outcome: OutcomeNotAccepted, Failure: refused}, CommentWaiting, TaskParked, ""},
		"not accepted, ended":   {CommentPublishing, false, StatusCompleted, PublishResult{Outcome: OutcomeNotAccepted, Failure: refused}, CommentFailed, "", CodeMissionEnded},
		"no response":           {CommentPublishing, false, StatusActive, PublishResult{Outcome: OutcomeUnknown, Failure: NoResponse()}, CommentUnknown, TaskWaiting, CodeNoResponse},
		"no response, ended":    {CommentPublishing, false, StatusCompleted, PublishResult{Outcome: OutcomeUnknown, Failure: NoResponse()}, CommentUnknown, TaskWaiting, CodeNoResponse},
		"absent":                {CommentUnknown, false, StatusActive, PublishResult{Outcome: OutcomeAbsent, LookedUp: true}, CommentWaiting, TaskWaiting, ""},
		"absent, ended":         {CommentUnknown, false, StatusCompleted, PublishResult{Outcome: OutcomeAbsent, LookedUp: true}, CommentFailed, "", CodeMissionEnded},
		"never known":           {CommentUnknown, false, StatusActive, PublishResult{Outcome: OutcomeUnknowable}, CommentFailed, "", CodeOutcomeUnknown},
		"never known, ended":    {CommentPublishing, false, StatusCompleted, PublishResult{Outcome: OutcomeUnknowable}, CommentFailed, "", CodeOutcomeUnknown},
		"lost in the interrupt": {CommentPublishing, true, StatusCompleted, PublishResult{Outcome: OutcomeNotAccepted, Failure: refused}, CommentUnknown, TaskWaiting, CodeNoResponse},
	} {
		t.Run(name, func(t *testing.T) {
			c := post
			n := *c.Comment
			n.Status, n.CalledAt, n.Unconfirmed = tt.from, &called, tt.doubted
			c.Comment = &n
			s, err := c.Commenting().After(tt.result, PublishAttempt{Number: 1, Mission: tt.mission, WindowEnd: now.Add(time.Hour)}, now)
			if err != nil {
				t.Fatal(err)
			}
			got := s.Change.To.Commented()
			code := ""
			if got.Error != nil {
				code = got.Error.Code
			}
			if got.Status != tt.want || s.Task != tt.task || code != tt.code || got.Text != "More." || (got.Publication != nil) != (tt.want == CommentPublished) {
				t.Errorf("got %+v, the task %q and the error %q", got, s.Task, code)
			}
			if tt.code == "platform_refused" && got.Error.Message != "No." {
				t.Errorf("got the message %q", got.Error.Message)
			}
		})
	}
}

// The states of a comment survive both ways, and only a published post's comment is sent.
func TestCommenting(t *testing.T) {
	for _, status := range AllContentStatuses() {
		c := Content{Status: status, Text: "One.", Comment: NewComment("More."), Published: []Publication{{PostID: "1"}}}
		v := c.Commenting()
		if status != ContentPublished {
			if v.Status != status || len(v.Parts) > 0 {
				t.Errorf("a post that is %s is %+v", status, v)
			}
			continue
		}
		p := v.NextPart()
		if v.Status != ContentScheduled || p.Index != 1 || p.Text != "More." || p.Parent.PostID != "1" || p.Root.PostID != "1" {
			t.Errorf("got the part %+v of a post that is %s", p, v.Status)
		}
	}
	for _, status := range []CommentStatus{CommentWaiting, CommentPublishing, CommentPublished, CommentUnknown, CommentFailed} {
		n := Comment{Text: "More.", Status: status}
		if status == CommentPublished {
			n.Publication = &Publication{PostID: "2", URL: "https://x.example/2"}
		}
		c := Content{Status: ContentPublished, Text: "One.", Comment: &n, Published: []Publication{{PostID: "1"}}}
		got := c.Commenting().Commented()
		if got.Status != status || (got.URL() == nil) != (status != CommentPublished) {
			t.Errorf("a comment that is %s became %+v", status, got)
		}
	}
	if (Content{Status: ContentPublished}).Commenting().Status != ContentPublished || NewComment("") != nil {
		t.Error("a post without a comment has one")
	}
}

// A comment that waits for a post which came to its end unpublished is shown as canceled.
func TestFirstCommentShown(t *testing.T) {
	for _, status := range AllContentStatuses() {
		for _, kept := range []CommentStatus{CommentWaiting, CommentPublishing, CommentPublished, CommentUnknown, CommentFailed} {
			want := kept
			if kept == CommentWaiting && slices.Contains([]ContentStatus{ContentRejected, ContentFailed, ContentExpired, ContentCanceled}, status) {
				want = CommentCanceled
			}
			c := Content{Status: status, Comment: &Comment{Text: "More.", Status: kept}}
			if got := c.FirstComment(); got.Status != want || got.Text != "More." || c.Comment.Status != kept {
				t.Errorf("%s of a post that is %s is shown as %s, want %s", kept, status, got.Status, want)
			}
		}
	}
	if (Content{Status: ContentCanceled}).FirstComment() != nil {
		t.Error("a post without a comment shows one")
	}
}
