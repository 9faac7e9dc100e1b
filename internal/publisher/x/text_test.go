package x

import (
	"encoding/json"
	"testing"

	"missiond/internal/publisher/x/xtest"

	"pgregory.net/rapid"
)

func TestSays(t *testing.T) {
	for name, tt := range map[string]struct {
		post, text string
		want       bool
	}{
		"plain":                  {`{"text":"Hello"}`, "Hello", true},
		"another":                {`{"text":"Hello"}`, "Hello!", false},
		"longer":                 {`{"text":"Hello, you"}`, "Hello", false},
		"escaped":                {`{"text":"a &lt;b&gt; &amp; c"}`, "a <b> & c", true},
		"escaped once":           {`{"text":"&amp;lt;"}`, "&lt;", true},
		"not escaped twice":      {`{"text":"&amp;lt;"}`, "<", false},
		"composed":               {`{"text":"caf\u00e9"}`, "cafe\u0301", true},
		"trimmed":                {`{"text":"Hello"}`, " Hello\n", true},
		"a pattern":              {`{"text":"a.c"}`, "abc", false},
		"a link":                 {`{"text":"see https://t.co/0123456789!","entities":{"urls":[{"url":"https://t.co/0123456789","expanded_url":"https://example.com/a?b=1&c"}]}}`, "see https://example.com/a?b=1&c!", true},
		"another link":           {`{"text":"https://t.co/0123456789","entities":{"urls":[{"url":"https://t.co/0123456789","expanded_url":"https://example.com/a"}]}}`, "https://example.com/b", false},
		"a link without scheme":  {`{"text":"https://t.co/0123456789 it is","entities":{"urls":[{"url":"https://t.co/0123456789","expanded_url":"http://example.com"}]}}`, "example.com it is", true},
		"a link with a slash":    {`{"text":"https://t.co/0123456789","entities":{"urls":[{"url":"https://t.co/0123456789","expanded_url":"https://example.com"}]}}`, "https://example.com/", true},
		"a link that isn't told": {`{"text":"https://t.co/0123456789","entities":{"urls":[{"url":"https://t.co/0123456789"}]}}`, "https://example.com/", false},
		"a long text":            {`{"text":"Once…","note_tweet":{"text":"Once &amp; for all","entities":{"urls":[]}}}`, "Once & for all", true},
		"an empty note":          {`{"text":"Once","note_tweet":{"text":""}}`, "Once", true},
	} {
		t.Run(name, func(t *testing.T) {
			var p post
			if err := json.Unmarshal([]byte(tt.post), &p); err != nil {
				t.Fatal(err)
			}
			if got := p.says(tt.text); got != tt.want {
				t.Errorf("got %t", got)
			}
		})
	}
}

// Whatever X makes of a text, it is known again, and no other is.
func TestSaysWhatWasWritten(t *testing.T) {
	s := xtest.New()
	texts := rapid.Custom(func(t *rapid.T) string {
		word := rapid.OneOf(rapid.StringN(1, 12, 40), rapid.SampledFrom([]string{"https://example.com/a?b=1&c=2", "example.org", "http://a.example/(x)", "&amp;", "<b>", "\n"}))
		text := ""
		for _, w := range rapid.SliceOfN(word, 1, 6).Draw(t, "words") {
			text += w + " "
		}
		return text
	})
	rapid.Check(t, func(t *rapid.T) {
		text := texts.Draw(t, "text")
		encoded, err := json.Marshal(s.Written(text))
		if err != nil {
			t.Fatal(err)
		}
		var p post
		if err := json.Unmarshal(encoded, &p); err != nil {
			t.Fatal(err)
		}
		if !p.says(text) {
			t.Errorf("%s isn't taken for %q", encoded, text)
		}
		if p.says(text + "x") {
			t.Errorf("%s is taken for more", encoded)
		}
	})
}
