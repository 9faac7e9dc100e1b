package llm

import (
	"context"
	"strings"
	"testing"

	"missiond/internal/links"
	"missiond/internal/writer/llm/llmtest"
	"missiond/mission"
)

// What a post may lead to, beside links, is what the brief names.
func TestStrangers(t *testing.T) {
	brief := namesIn("Thank @Ann_B and @acme@mastodon.social, write of $ACME, call +49 30 1234567, give to bitcoin:bc1qacme.", "On Bluesky we are @acme.bsky.social.")
	for text, want := range map[string]bool{
		// Hits.
		"Ask @victim": true, "@victim": true, "(@victim)": true, "cc @Ann_Bee": true, "＠victim": true, "@ann.b": true, "Hi @ann_b@evil.example": true, "\"@victim\"": true,
		"Buy $SCAM now": true, "$scam": true, "Up: $BRK.A!": true, "＄SCAM": true,
		"Call 555-123-4567": true, "(555) 123-4567": true, "1-800-555-0100": true, "800.555.0100": true, "+1 555 010 9999": true, "+15550109999": true, "0049 30 7654321": true, "030 7654321": true, "(030) 765 43 21": true, "0800 7654321": true, "＋１５５５０１０９９９９": true,
		"bitcoin:bc1qevil": true, "Pay ethereum:0xabc": true, "tel:5550109": true, "mailto:me": true, "javascript:alert(1)": true, "BITCOIN:BC1QEVIL": true, "foocoin:bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkf": true,
		// What the brief names.
		"Thanks, @ann_b!": false, "By @ACME@mastodon.social.": false, "@acme.bsky.social says hi": false, "$acme is up": false, "Call 030 1234567 or +49 (30) 1234567.": false, "bitcoin:bc1qacme": false,
		// False alarms.
		"Meet @ 5 pm": false, "work@home": false, "We pay $5, US$10 and $1.5k": false, "A$AP": false, "$variable_name": false, "100 $": false,
		"On 2026-11-21": false, "21.11.2026": false, "01.02.2026 10.30": false, "05/06/2026 at 07:00": false, "From 2019-2025": false, "1,000,000 people": false, "1 000 000 people": false, "10:00-18:00": false, "Room 030": false, "+50 people": false, "Call 112": false,
		"Tip: water them": false, "Note:this works": false, "re:invent": false, "Score 3:1": false, "data: what we know": false, "The file: a story": false, "Pros:\ncons": false,
	} {
		_, rest := links.Anywhere(brief.without(text))
		if got := brief.stranger(rest); (got != "") != want {
			t.Errorf("%q %q, want a stranger: %v", text, got, want)
		}
	}
}

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
		if d, err := w.Write(context.Background(), a); codeOf(err) != mission.CodeWriterInvalid {
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
