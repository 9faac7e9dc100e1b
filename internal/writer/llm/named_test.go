package llm

import (
	"context"
	"strings"
	"testing"

	"missiond/internal/writer/llm/llmtest"
	"missiond/mission"
)

// A hostile model's accounts, cashtags, numbers and addresses aren't kept; the
// brief's own are.
func TestStrangersAreRefused(t *testing.T) {
	for text, instructions := range map[string]string{
		"Our soil is ready. Ask @victim about it.":         "Thank @ann for the soil.",
		"Our soil is ready. Buy $SCAM today.":              "Mention $ACME.",
		"Our soil is ready. Call 555-123-4567.":            "Our number is +49 30 1234567.",
		"Our soil is ready. Pay to bitcoin:bc1qevil.":      "bitcoin:bc1qours takes gifts.",
		"Our soil is ready. See evil。com for it.":          "",
		"Our soil is ready. See 1.2.3.4/x for it.":         "",
		"Our soil is ready. By @ann@mastodon.social today": "Thank @ben@mastodon.social.",
	} {
		s := newStub(t, llmtest.Writes(text))
		w := s.writer(t, nil)
		a := assignment(func(a *mission.Assignment) { a.Instructions = instructions })
		if d, err := w.Write(context.Background(), a); codeOf(err) != mission.CodeWriterBrokeRule {
			t.Errorf("%q is kept: %q, %v", text, d.Text, err)
		}
	}
	text := "Our soil is ready. Thanks to @ann@mastodon.social, call 030 1234567."
	s := newStub(t, llmtest.Writes(text))
	a := assignment(func(a *mission.Assignment) {
		a.Instructions = "Thank @Ann@mastodon.social and tell our number, +49 30 1234567."
	})
	if d, err := s.writer(t, nil).Write(context.Background(), a); err != nil || !strings.Contains(d.Text, "@ann") {
		t.Errorf("what the brief names is refused: %q, %v", d.Text, err)
	}
}
