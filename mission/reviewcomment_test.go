package mission

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// A comment is about the whole post, a part, or characters of either, in the revision that was
// read.
func TestReviewComments(t *testing.T) {
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	thread := Content{ID: "cnt_1", MissionID: "msn_1", Revision: 3, Format: FormatThread, Text: "Füße\n\nTwo", Parts: []string{"Füße", "Two"}}
	post := Content{ID: "cnt_2", Revision: 1, Format: FormatPost, Text: "Füße"}
	for name, tt := range map[string]struct {
		c     Content
		in    ReviewCommentInput
		has   int
		param string // "" is no error
		code  Code
	}{
		"the whole post":             {post, ReviewCommentInput{}, 0, "", ""},
		"its only part":              {post, ReviewCommentInput{Part: new(0)}, 0, "", ""},
		"all of a part":              {thread, ReviewCommentInput{Part: new(0), Start: new(0), End: new(4)}, 0, "", ""},
		"all of a thread":            {thread, ReviewCommentInput{Start: new(0), End: new(9)}, 0, "", ""},
		"the revision that was read": {thread, ReviewCommentInput{Revision: new(3)}, 0, "", ""},
		"the last one":               {post, ReviewCommentInput{}, MaxReviewComments - 1, "", ""},
		"one too many":               {post, ReviewCommentInput{}, MaxReviewComments, "", CodeConflict},
		"another revision":           {thread, ReviewCommentInput{Revision: new(2)}, 0, "", CodeConflict},
		"a part below":               {thread, ReviewCommentInput{Part: new(-1)}, 0, "part", CodeInvalidRequest},
		"a part too many":            {thread, ReviewCommentInput{Part: new(2)}, 0, "part", CodeInvalidRequest},
		"past a part's end":          {thread, ReviewCommentInput{Part: new(1), Start: new(0), End: new(4)}, 0, "end", CodeInvalidRequest},
		"past the end":               {thread, ReviewCommentInput{Start: new(8), End: new(10)}, 0, "end", CodeInvalidRequest},
		"no character":               {post, ReviewCommentInput{Start: new(2), End: new(2)}, 0, "end", CodeInvalidRequest},
		"backwards":                  {post, ReviewCommentInput{Start: new(2), End: new(1)}, 0, "end", CodeInvalidRequest},
		"before the beginning":       {post, ReviewCommentInput{Start: new(-1), End: new(1)}, 0, "start", CodeInvalidRequest},
		"a start alone":              {post, ReviewCommentInput{Start: new(1)}, 0, "end", CodeInvalidRequest},
		"an end alone":               {post, ReviewCommentInput{End: new(1)}, 0, "end", CodeInvalidRequest},
		"nothing":                    {post, ReviewCommentInput{Text: " \n"}, 0, "text", CodeInvalidRequest},
		"too much":                   {post, ReviewCommentInput{Text: strings.Repeat("x", MaxReviewComment+1)}, 0, "text", CodeInvalidRequest},
		"hidden characters":          {post, ReviewCommentInput{Text: "a\u200bb"}, 0, "text", CodeInvalidRequest},
	} {
		if tt.in.Text == "" {
			tt.in.Text = "Why?"
		}
		got, event, err := tt.c.NewReviewComment("cmt_1", tt.in, "usr_1", tt.has, now)
		if CodeOf(err) != tt.code || err == nil && (got.Revision != tt.c.Revision || got.AuthorID != "usr_1") {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
		if e := new(Error); errors.As(err, &e) && e.Param != tt.param {
			t.Errorf("%s: the error is on %q, want %q", name, e.Param, tt.param)
		}
		data, ok := event.Data.(ContentCommentedData)
		if ok != (err == nil) || ok && (data.ContentID != tt.c.ID || data.CommentID != "cmt_1" || data.Revision != tt.c.Revision || data.Author != "usr_1") {
			t.Errorf("%s: got the event %+v", name, event)
		}
	}
}
