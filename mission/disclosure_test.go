package mission

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestLabels(t *testing.T) {
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	byAI, plain := PostMedia{Provenance: Provenance{AI: AIDetected}}, PostMedia{Provenance: Provenance{AI: AINone}}
	declared := PostMedia{Part: 1, Provenance: Provenance{AI: AIDeclared}}
	for _, tt := range []struct {
		on    Platform
		says  Disclosed
		media []PostMedia
		part  int
		want  Labels
	}{
		{Twitter, Disclosed{AIMedia: AIMediaAuto}, []PostMedia{plain, byAI}, 0, Labels{MadeWithAI: true}},
		{Twitter, Disclosed{AIMedia: AIMediaAuto}, []PostMedia{plain, declared}, 0, Labels{}},
		{Twitter, Disclosed{AIMedia: AIMediaAuto}, []PostMedia{plain, declared}, 1, Labels{MadeWithAI: true}},
		{Twitter, Disclosed{AIMedia: AIMediaAlways}, []PostMedia{plain}, 0, Labels{MadeWithAI: true}},
		{Twitter, Disclosed{AIMedia: AIMediaAlways, PaidPartnership: true}, nil, 0, Labels{PaidPartnership: true}},
		{Twitter, Disclosed{AIMedia: AIMediaNever}, []PostMedia{byAI}, 0, Labels{}},
		{Twitter, Disclosed{}, []PostMedia{byAI}, 0, Labels{}},
		{Instagram, Disclosed{AIMedia: AIMediaAuto, PaidPartnership: true}, []PostMedia{byAI}, 0, Labels{MadeWithAI: true}},
		{Mastodon, Disclosed{AIMedia: AIMediaAlways, PaidPartnership: true}, []PostMedia{byAI}, 0, Labels{}},
	} {
		c := Content{Platform: tt.on, Media: tt.media, Disclosed: tt.says, Parts: []string{"a", "b"}, CalledAt: &now}
		if got := c.Labels(tt.part); got != tt.want {
			t.Errorf("%s, %+v, part %d: got %+v, want %+v", tt.on, tt.says, tt.part, got, tt.want)
		}
		c.Published = make([]Publication, tt.part)
		if got := c.NextPart().Labels; got != tt.want {
			t.Errorf("the part has %+v, want %+v", got, tt.want)
		}
		c.Status = ContentPublishing
		ch, err := c.RecordPart(Publication{PostID: "1"}, now)
		if err != nil || ch.To.Published[tt.part].Labels != tt.want {
			t.Errorf("recorded %+v (%v), want %+v", ch.To.Published, err, tt.want)
		}
	}
}

func TestDisclosing(t *testing.T) {
	thread := Draft{Text: "One\n\nTwo", Parts: []string{"One", "Two"}}
	for _, tt := range []struct {
		d     Draft
		line  string
		text  string
		parts []string
	}{
		{Draft{Text: "One"}, "By AI", "One\n\nBy AI", nil},
		{Draft{Text: "One"}, "", "One", nil},
		{Draft{Text: "By AI: one"}, "By AI", "By AI: one\n\nBy AI", nil},
		{Draft{Text: "One\n\nby\u00a0ai."}, "By AI", "One\n\nby\u00a0ai.", nil},
		{thread, "By AI", "One\n\nTwo\n\nBy AI", []string{"One", "Two\n\nBy AI"}},
		{Draft{Text: "By AI\n\nTwo", Parts: []string{"By AI", "Two"}}, "By AI", "By AI\n\nTwo\n\nBy AI", []string{"By AI", "Two\n\nBy AI"}},
		{Draft{Text: "One\n\nBy AI", Parts: []string{"One", "By AI"}}, "By AI", "One\n\nBy AI", []string{"One", "By AI"}},
		{Draft{Text: "By\n\nAI", Parts: []string{"By", "AI"}}, "By AI", "By\n\nAI\n\nBy AI", []string{"By", "AI\n\nBy AI"}},
	} {
		got := tt.d.Disclosing(tt.line)
		if got.Text != tt.text || !slices.Equal(got.Parts, tt.parts) {
			t.Errorf("%q with %q: got %q, %q", tt.d.Text, tt.line, got.Text, got.Parts)
		}
	}
	if thread.Parts[1] != "Two" {
		t.Error("the draft itself is changed")
	}
}

func TestEditor(t *testing.T) {
	for address, ok := range map[string]bool{
		"jo@acme.example": true, "j.o+x@a": true, "": false, "jo": false, "@acme.example": false, "jo@": false, "jo@a@b": false,
		"jo doe@a": false, "Jo <jo@a>": false, "jo@a\n": false, strings.Repeat("a", MaxEmail-2) + "@a": true, strings.Repeat("a", MaxEmail-1) + "@a": false,
	} {
		if err := (&Editor{Name: "Jo", Email: address}).check().Err(); (err == nil) != ok {
			t.Errorf("%q: %v", address, err)
		}
	}
	if err := (&Editor{Name: strings.Repeat("a", MaxName+1), Email: "a@b"}).check().Err(); CodeOf(err) != CodeInvalidRequest {
		t.Errorf("got %v", err)
	}
}

func TestDisclosureNotices(t *testing.T) {
	everywhere := []Platform{Twitter, Instagram, Mastodon}
	for name, tt := range map[string]struct {
		m    Mission
		want []Notice
	}{
		"default": {Mission{Platforms: everywhere, Disclosure: NewDisclosure()}, nil},
		"paid": {
			Mission{Platforms: everywhere, Disclosure: Disclosure{PaidPartnership: true}},
			[]Notice{{"disclosure.paid_partnership", "No field says so on Instagram, Mastodon: the text of posts must."}},
		},
		"paid on X": {Mission{Platforms: []Platform{Twitter}, Disclosure: Disclosure{PaidPartnership: true}}, nil},
		"pictures": {
			Mission{Platforms: everywhere, Disclosure: Disclosure{AIMedia: AIMediaAlways}},
			[]Notice{{"disclosure.ai_media", "No field says so on Mastodon: the text of posts must."}},
		},
		"reviewed":   {Mission{PublicInterest: true, Disclosure: NewDisclosure(), Constraints: Constraints{RequireApproval: true}, Editor: &Editor{}}, nil},
		"with lines": {Mission{PublicInterest: true, Disclosure: Disclosure{AIText: AITextLine}}, nil},
	} {
		if got := tt.m.disclosureNotices(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v", name, got)
		}
	}
	for _, m := range []Mission{{Editor: &Editor{}}, {Constraints: Constraints{RequireApproval: true}}} {
		m.PublicInterest, m.Disclosure = true, NewDisclosure()
		if got := m.disclosureNotices(); len(got) != 1 || got[0].Param != "public_interest" {
			t.Errorf("got %v", got)
		}
	}
}
