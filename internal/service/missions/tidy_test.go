package missions

import (
	"slices"
	"testing"

	"missiond/mission"
)

// Whatever way a text comes in, its lines end alike and it has no white space at its ends.
func TestTextsEnterTidy(t *testing.T) {
	const sent, kept = " one\r\ntwo\rthree \n", "one\ntwo\nthree"
	text := sent
	wordings := map[string]EditInput{
		"a post":   ContentInput{Text: &text, FirstComment: &text}.wording(),
		"a thread": ContentInput{Parts: []string{sent, sent}, FirstComment: &text}.wording(),
		"an edit":  EditInput{Text: &text, FirstComment: mission.Some(text)}.tidy(),
	}
	for name, in := range map[string]ImportInput{
		"CSV":    {Format: ImportCSV, Data: "platform,text,first_comment\nmastodon,\"" + sent + "\",\"" + sent + "\"\n"},
		"NDJSON": {Format: ImportNDJSON, Data: `{"platform":"mastodon","text":" one\r\ntwo\rthree \n","first_comment":" one\r\ntwo\rthree \n"}`},
	} {
		rows, err := in.read()
		if err != nil || len(rows) != 1 || rows[0].problem != nil {
			t.Fatalf("%s: %+v, %v", name, rows, err)
		}
		wordings[name] = rows[0].post.wording()
	}
	for name, w := range wordings {
		texts := slices.Clone(w.Parts)
		if w.Text != nil {
			texts = append(texts, *w.Text)
		}
		for _, got := range append(texts, *w.FirstComment.Value) {
			if got != kept {
				t.Errorf("%s: %q is kept as %q", name, sent, got)
			}
		}
	}
	if text != sent {
		t.Errorf("the caller's text is changed to %q", text)
	}
	blank := " \n"
	if got := (ContentInput{Text: &text, FirstComment: &blank}).wording(); *got.FirstComment.Value != "" || got.checkComment(mission.Content{Platform: mission.Mastodon}, mission.Draft{}, textRules{}) != nil {
		t.Error("a first comment of white space isn't none")
	}
}
