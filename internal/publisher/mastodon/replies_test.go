package mastodon

import "testing"

// What a reader sees of a status is its text, with its lines and nothing that runs.
func TestShownText(t *testing.T) {
	for content, want := range map[string]string{
		`<p>One<br />two</p><p>Three &amp; <b>four</b></p>`:                                               "One\ntwo\n\nThree & four",
		`<p><span class="h-card"><a href="https://a.example/@ada">@<span>ada</span></a></span> hi</p>`:    "@ada hi",
		`<p>See <a href="https://a.example/x"><span class="invisible">https://</span>a.example/x</a></p>`: "See https://a.example/x",
		`<script>alert("x")</script><style>p{}</style><p>Safe</p>`:                                        "Safe",
		`&lt;script&gt;`: "<script>", `<p>a</p><p></p><p></p><p>b</p>`: "a\n\nb", `<p>open`: "open", ``: "", `<!-- hidden -->x`: "x",
		`<ul><li>a</li><li>b</li></ul>`: "a\nb",
	} {
		if got := shownText(content); got != want {
			t.Errorf("%s: got %q, want %q", content, got, want)
		}
	}
}
