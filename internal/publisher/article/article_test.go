package article

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"missiond/mission"
)

func part(text string) mission.Part {
	return mission.Part{Content: mission.Content{ID: "cnt_1", Platform: mission.Ghost, Revision: 2}, Text: text}
}

func TestOf(t *testing.T) {
	for _, tt := range []struct {
		text, title, html string
		tags              []string
	}{
		{"# Hello\n\nOne *two*.\n\n## More\n\n- a\n- b", "Hello", "<p>One <em>two</em>.</p>\n<h2>More</h2>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>", nil},
		{"Only a title", "Only a title", "<p>Only a title</p>", nil},
		{"T\n\nRead [on](https://example.com/a?utm_source=b&c=1).", "T", `<p>Read <a href="https://example.com/a?utm_source=b&amp;c=1">on</a>.</p>`, nil},
		{"T\n\nSee https://go.example/l/abc.", "T", `<p>See <a href="https://go.example/l/abc">https://go.example/l/abc</a>.</p>`, nil},
		{"T\n\nOne\ntwo", "T", "<p>One<br>\ntwo</p>", nil},
		{"T\n\nBody.\n\n#news #Go", "T", "<p>Body.</p>", []string{"news", "Go"}},
		{"T\n\nBody.\n#news\n#Go #news", "T", "<p>Body.</p>", []string{"news", "Go"}},
		{"T\n\nWe love #coffee", "T", "<p>We love #coffee</p>", []string{"coffee"}},
		{"T\n\nWe #love tea.\n\n#tea", "T", "<p>We #love tea.</p>", []string{"tea"}},
		{"T\n\n#tea", "T", "<p>T</p>", []string{"tea"}},
		{"T\n\nAn <b>HTML</b> & a `x < y`.", "T", "<p>An &lt;b&gt;HTML&lt;/b&gt; &amp; a <code>x &lt; y</code>.</p>", nil},
		{"T\n\n| a | b |\n| - | - |\n| 1 | ~~2~~ |", "T", "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td><del>2</del></td>\n</tr>\n</tbody>\n</table>", nil},
	} {
		a := Of(part(tt.text))
		if a.Title != tt.title || a.HTML != tt.html || !slices.Equal(a.Tags, tt.tags) {
			t.Errorf("%q:\ngot  %q %q %q\nwant %q %q %q", tt.text, a.Title, a.HTML, a.Tags, tt.title, tt.html, tt.tags)
		}
	}
	many := Of(part("T\n\nB\n\n#a #b #c #d #e #f #g #h #i #j #k #l"))
	if len(many.Tags) != maxTags || many.HTML != "<p>B</p>" {
		t.Errorf("of twelve tags are left %q", many.Tags)
	}
	shown := Of(part("T\n\nB"), Picture{"https://site.example/a.png?b&c", `A "b" <c>`}, Picture{"javascript:alert(1)", "x"})
	if want := "<p>B</p>\n" + `<p><img src="https://site.example/a.png?b&amp;c" alt="A &#34;b&#34; &lt;c&gt;"></p>`; !strings.HasPrefix(shown.HTML, want) || strings.Contains(shown.HTML, "javascript") {
		t.Errorf("with pictures: %q", shown.HTML)
	}
	if got, want := Of(part("A & b\n\nOne *two*\nthree — https://example.com/x_y_z")).Text(), "A & b\n\nOne two three — https://example.com/x_y_z"; got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
}

// hostile are bodies that would do something to a reader if they were left as they are.
var hostile = []string{
	"<script>alert(1)</script>", "<p onclick=alert(1)>x</p>", "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "<javascript:alert(1)>",
	"[x](java\tscript:alert(1))", "[x](&#106;avascript:alert(1))", "[x](data:text/html;base64,PHNjcmlwdD4=)", "![x](javascript:alert(1))",
	"![x](https://a.example/x\" onerror=\"alert(1))", "[x](https://a.example '\" onmouseover=alert(1) \"')", "<iframe src=https://a.example>", "<style>*{}</style>",
	"<svg/onload=alert(1)>", "<img src=x onerror=alert(1)>", "`<script>`", "```<script>\nalert(1)\n```", "<!-- wp:html --><script></script><!-- /wp:html -->",
	"[x]: javascript:alert(1)\n\n[x]", "vbscript:msgbox(1)", "[x](vbscript:msgbox)", "<a href=\"jav&#x09;ascript:alert(1)\">x</a>", "| a |\n| - |\n| <script>alert(1)</script> |",
	"[x](file:///etc/passwd)", "<math><mtext></mtext><mglyph><style><img src onerror=alert(1)>", "&lt;script&gt;", "<https://a.example/\"onclick=\"x>",
}

// elements and schemes are what a body may have.
var (
	elements = []string{
		"p", "br", "em", "strong", "a", "img", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "code", "hr", "del",
		"table", "thead", "tbody", "tr", "th", "td",
	}
	attributes = []string{"href", "src", "alt", "title", "align", "start", "rel"}
	schemes    = regexp.MustCompile(`^(?i:https?|mailto):`)
	anyScheme  = regexp.MustCompile(`^[^/?#]*:`)
)

// safe checks that HTML has nothing that runs, frames or styles.
func safe(t *testing.T, text, body string) {
	t.Helper()
	tokens := html.NewTokenizer(strings.NewReader(body))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return
		}
		token := tokens.Token()
		if kind == html.TextToken {
			continue
		}
		if kind == html.CommentToken || kind == html.DoctypeToken || !slices.Contains(elements, token.Data) {
			t.Errorf("%q has %s: %q", text, token, body)
		}
		for _, a := range token.Attr {
			if !slices.Contains(attributes, a.Key) || (a.Key == "href" || a.Key == "src") && anyScheme.MatchString(a.Val) && !schemes.MatchString(a.Val) {
				t.Errorf("%q has %s: %q", text, token, body)
			}
		}
	}
}

func TestHostileBodies(t *testing.T) {
	for _, text := range hostile {
		safe(t, text, Of(part("T\n\n"+text)).HTML)
		safe(t, text, Of(part("T\n\nB"), Picture{text, text}).HTML)
	}
}

func FuzzOf(f *testing.F) {
	for _, text := range hostile {
		f.Add("T\n\n" + text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a := Of(part(text), Picture{text, text})
		safe(t, text, a.HTML)
		if again := policy.Sanitize(a.HTML); again != a.HTML {
			t.Errorf("%q: sanitized once %q, twice %q", text, a.HTML, again)
		}
		if !slugs.MatchString(Slug(part(text))) {
			t.Errorf("%q has the slug %q", text, Slug(part(text)))
		}
	})
}

var slugs = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func TestSlug(t *testing.T) {
	of := func(text string) string { return Slug(part(text)) }
	hash := of("日本語")
	for text, want := range map[string]string{
		"Three ways to say “no”!\n\nB": "three-ways-to-say-no-", "# Ünïcode & Straße 24/7": "unicode-stra-e-24-7-", "日本語": "", "…": "",
		strings.Repeat("word ", 40):   strings.Repeat("word-", 12),
		strings.Repeat("a", 200):      "",
		"<script>alert(1)</script>\n": "script-alert-1-script-",
	} {
		if got := of(text); got != want+hash || !slugs.MatchString(got) || len(got) > 100 {
			t.Errorf("%q: got %q, want %q", text, got, want+hash)
		}
	}
	other := part("日本語")
	other.Content.Revision++
	if Slug(other) == hash || len(hash) != 2*hashBytes {
		t.Errorf("the slug of another revision is %q, too", hash)
	}
}
