package missions

import (
	"errors"
	"strings"
	"testing"

	"missiond/internal/checks"
	"missiond/mission"
)

// What X would refuse as a text that the account has is refused before, in a thread and in
// the first comment, however its characters are composed.
func TestTwinsAreRefused(t *testing.T) {
	text := func(s string) *string { return &s }
	for name, tt := range map[string]struct {
		in    ContentInput
		param string // of the problem on X
	}{
		"parts":                  {ContentInput{Parts: []string{"One.", "Two.", "One."}}, "parts[2]"},
		"parts, composed":        {ContentInput{Parts: []string{"Caf\u00e9", "Cafe\u0301"}}, "parts[1]"},
		"a comment of the text":  {ContentInput{Text: text("One."), FirstComment: text("one. ")}, "first_comment"},
		"a comment of a part":    {ContentInput{Parts: []string{"One.", "Cafe\u0301"}, FirstComment: text("Caf\u00e9")}, "first_comment"},
		"different":              {ContentInput{Parts: []string{"One.", "Two."}, FirstComment: text("Three.")}, ""},
		"a comment of one's own": {ContentInput{Text: text("One."), FirstComment: text("Two.")}, ""},
	} {
		for _, p := range []mission.Platform{mission.Twitter, mission.Mastodon} {
			tt.in.Platform = p
			want := tt.param
			if p != mission.Twitter {
				want = ""
			}
			if got := paramOf(checkText(tt.in, textRules{}, checks.New(mission.Assignment{})).err); got != want {
				t.Errorf("%s on %s: the problem is on %q, want %q", name, p, got, want)
			}
		}
	}
	post := mission.Content{Platform: mission.Twitter, Format: mission.FormatPost, Text: "One.", Comment: mission.NewComment("Two.")}
	thread := post
	thread.Format = mission.FormatThread
	for name, tt := range map[string]struct {
		of    mission.Content
		in    EditInput
		param string
	}{
		"the comment's text":          {post, EditInput{Text: text("Two.")}, "text"},
		"the comment's as a part":     {post, EditInput{Parts: []string{"Two.", "Three."}}, "parts"},
		"the text's comment":          {post, EditInput{FirstComment: mission.Some("One.")}, "first_comment"},
		"both the other way round":    {post, EditInput{Text: text("Two."), FirstComment: mission.Some("One.")}, ""},
		"no comment any more":         {post, EditInput{Text: text("Two."), FirstComment: mission.Optional[string]{Given: true}}, ""},
		"parts that a text is cut to": {thread, EditInput{Text: text(strings.Repeat(strings.Repeat("A sentence. ", 23)+"\n", 2))}, "text"},
	} {
		d, err := tt.in.draft(tt.of, textRules{})
		if err == nil {
			err = tt.in.checkComment(tt.of, d, textRules{})
		}
		if got := paramOf(err); got != tt.param {
			t.Errorf("%s: the problem is on %q, want %q (%v)", name, got, tt.param, err)
		}
	}
}

// paramOf returns what an error is on; "" for none.
func paramOf(err error) string {
	var m *mission.Error
	if errors.As(err, &m) {
		return m.Param
	}
	return ""
}
