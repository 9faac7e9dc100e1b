package linkcard

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"missiond/internal/outbound"
	"missiond/internal/testkit/await"
	"missiond/mission"
)

// site is a website: what it sends by path, and how often each was read.
type site struct {
	pages map[string]http.HandlerFunc
	read  map[string]int
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.read[r.URL.Path]++
	if page, ok := s.pages[r.URL.Path]; ok {
		page(w, r)
		return
	}
	http.NotFound(w, r)
}

// sends returns a page of a type.
func sends(kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write([]byte(body))
	}
}

func webpage(body string) http.HandlerFunc { return sends("text/html", body) }

func moves(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
}

func zipped(kind, body string) http.HandlerFunc {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(body))
	_ = z.Close()
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(b.Bytes())
	}
}

const (
	titled = `<!doctype html><title>Less is more</title>`
	png    = "\x89PNG\r\n\x1a\n...."
)

func newSite(t *testing.T, pages map[string]http.HandlerFunc) (s *site, address string) {
	t.Helper()
	s = &site{pages: pages, read: map[string]int{}}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	return s, h.URL
}

func read(t *testing.T, link string) (Card, error) {
	t.Helper()
	r := NewReader(outbound.Rules{Local: true})
	t.Cleanup(r.Close)
	ctx, cancel := context.WithTimeout(t.Context(), await.Long())
	defer cancel()
	return r.Read(ctx, link)
}

// withPicture is a page with a picture.
func withPicture(picture string) http.HandlerFunc {
	return webpage(titled + `<meta property=og:image content="` + picture + `">`)
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		pages map[string]http.HandlerFunc
		want  string // "" for an error
	}{
		{"a title", map[string]http.HandlerFunc{"/": webpage(titled)}, "Less is more||"},
		{"redirects", map[string]http.HandlerFunc{"/": moves("/a"), "/a": moves("b?c#d"), "/b": webpage(titled)}, "Less is more||"},
		{"a picture beside the page it came from", map[string]http.HandlerFunc{"/": moves("/a/b"), "/a/b": withPicture("c.png"), "/a/c.png": sends("text/plain", png)}, "Less is more||image/png"},
		{"a picture that moved", map[string]http.HandlerFunc{"/": withPicture("/p"), "/p": moves("/q"), "/q": sends("image/png", png)}, "Less is more||image/png"},
		{"another encoding", map[string]http.HandlerFunc{"/": sends("text/html; charset=windows-1252", "<title>Caf\xe9</title>")}, "Café||"},
		{"an encoding of the page's own", map[string]http.HandlerFunc{"/": webpage("<meta charset=iso-8859-2><title>\xa3\xf3d\xbc</title>")}, "Łódź||"},
		{"an encoding that is wrong", map[string]http.HandlerFunc{"/": sends("text/html; charset=utf-8", "<title>a\xff\xfeb</title>")}, "ab||"},
		{"an encoding that nobody knows", map[string]http.HandlerFunc{"/": sends("text/html; charset=klingon", "<title>Plain</title>")}, "Plain||"},

		{"a picture that isn't there", map[string]http.HandlerFunc{"/": withPicture("/p")}, "Less is more||"},
		{"a picture that is a drawing", map[string]http.HandlerFunc{"/": withPicture("/p"), "/p": sends("image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`)}, "Less is more||"},
		{"a page as picture", map[string]http.HandlerFunc{"/": withPicture("/p"), "/p": sends("image/png", titled)}, "Less is more||"},
		{"a picture of the greatest size", map[string]http.HandlerFunc{"/": withPicture("/p"), "/p": sends("image/png", png+strings.Repeat("x", MaxPicture-len(png)))}, "Less is more||image/png"},
		{"a picture that is too large", map[string]http.HandlerFunc{"/": withPicture("/p"), "/p": sends("image/png", png+strings.Repeat("x", MaxPicture-len(png)+1))}, "Less is more||"},
		{"a picture within the page", map[string]http.HandlerFunc{"/": withPicture("data:image/png;base64,iVBORw0KGgo=")}, "Less is more||"},
		{"a picture in a private network", map[string]http.HandlerFunc{"/": withPicture("http://10.0.0.1/p.png")}, "Less is more||"},
		{"a compressed picture", map[string]http.HandlerFunc{"/": withPicture("/p"), "/p": zipped("image/png", png)}, "Less is more||"},

		{"an endless page", map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(titled))
			for r.Context().Err() == nil {
				if _, err := w.Write(bytes.Repeat([]byte("<meta name=a content=b>"), 1000)); err != nil {
					return
				}
			}
		}}, "Less is more||"},
		{"a title after the limit", map[string]http.HandlerFunc{"/": webpage(strings.Repeat(" ", maxPage) + titled)}, ""},
		{"an unfinished attribute", map[string]http.HandlerFunc{"/": webpage(`<meta property="` + strings.Repeat("x", 2*maxPage))}, ""},
		{"a page that expands", map[string]http.HandlerFunc{"/": zipped("text/html", titled+strings.Repeat(" ", 50<<20))}, ""},
		{"no title", map[string]http.HandlerFunc{"/": webpage("<p>Hello.")}, ""},
		{"a title of nothing visible", map[string]http.HandlerFunc{"/": webpage("<title>\u202e\u200b \x00</title>")}, ""},
		{"no page", map[string]http.HandlerFunc{"/": sends("application/json", titled)}, ""},
		{"a page of no type", map[string]http.HandlerFunc{"/": sends("", titled)}, ""},
		{"an error", map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = w.Write([]byte(titled))
		}}, ""},
		{"a circle", map[string]http.HandlerFunc{"/": moves("/")}, ""},
		{"a move to nowhere", map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusFound) }}, ""},
		{"headers without end", map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Long", strings.Repeat("x", 64<<10))
			_, _ = w.Write([]byte(titled))
		}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, address := newSite(t, c.pages)
			card, err := read(t, address+"/#part")
			got := card.Title + "|" + card.Description + "|" + card.PictureType
			if c.want == "" && err == nil || c.want != "" && (err != nil || got != c.want) {
				t.Errorf("got %q, %v; want %q", got, err, c.want)
			}
		})
	}
}

// Nothing that isn't public is connected to, whoever leads there.
func TestReadChecksEachHop(t *testing.T) {
	t.Parallel()
	for _, to := range []string{
		"http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/", "http://[fd00::1]/", "http://0x7f000001/", "http://168.63.129.16/",
		"ftp://example.com/", "file:///etc/passwd", "javascript:alert(1)", "http://user:pass@127.0.0.1/",
	} {
		s, address := newSite(t, map[string]http.HandlerFunc{"/": moves(to)})
		if _, err := read(t, address); mission.CodeOf(err) != mission.CodeInvalidRequest || s.read["/"] != 1 {
			t.Errorf("%s: %v", to, err)
		}
	}
	s, address := newSite(t, map[string]http.HandlerFunc{"/": webpage(titled)})
	production := NewReader(outbound.Rules{})
	t.Cleanup(production.Close)
	for _, link := range []string{address, strings.Replace(address, "http:", "https:", 1), "https://localhost/"} {
		if _, err := production.Read(t.Context(), link); mission.CodeOf(err) != mission.CodeInvalidRequest || s.read["/"] != 0 {
			t.Errorf("%s: %v", link, err)
		}
	}
}

// A page that never ends is read no longer than the caller allows.
func TestReadEndsInTime(t *testing.T) {
	t.Parallel()
	drips := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		for r.Context().Err() == nil {
			if _, err := w.Write([]byte(" ")); err != nil || http.NewResponseController(w).Flush() != nil {
				return
			}
		}
	}
	for name, page := range map[string]http.HandlerFunc{
		"silent": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"slow":   drips,
	} {
		_, address := newSite(t, map[string]http.HandlerFunc{"/": page})
		r := NewReader(outbound.Rules{Local: true})
		t.Cleanup(r.Close)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		_, err := r.Read(ctx, address)
		cancel()
		if err == nil || ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) {
			t.Errorf("%s: %v, %v", name, err, ctx.Err())
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]page{
		`<title>A</title>`:                      {title: "A"},
		`<TITLE> A &amp;` + "\n" + `B </TITLE>`: {title: "A & B"},
		`<title>A</title><meta property="og:title" content="B"><meta name=twitter:title content=C>`: {title: "B"},
		`<meta content=C name=twitter:title><title>A</title>`:                                       {title: "C"},
		`<meta property=OG:TITLE content=" "><meta property=og:title content=B>`:                    {title: "B"},
		`<meta property=og:title content=A><meta property=og:title content=B>`:                      {title: "A"},
		`<meta name=description content=D><meta property=og:description content=E>`:                 {description: "E"},
		`<meta name=description content=D>`:                                                         {description: "D"},
		`<meta property=og:image content=/a><meta property=og:image:secure_url content=/b>`:         {picture: "/b"},
		`<meta property=og:image:url content=/a><meta name=twitter:image content=/b>`:               {picture: "/a"},
		`<head><title>A</title></head><title>B</title><meta property=og:title content=C>`:           {title: "A"},
		`<body><title>B</title>`:                              {},
		`<script>"<title>B</title>"</script><title>A</title>`: {title: "A"},
		`<!-- <title>B</title> --><title>A`:                   {title: "A"},
		`<title></title><title>A</title>`:                     {title: "A"},
		`<title>` + strings.Repeat("ä", 400) + `</title>`:     {title: strings.Repeat("ä", maxTitle)},
		`<title>gnp.\u202eexe</title>`:                        {title: `gnp.\u202eexe`},
		"<title>gnp.\u202eexe</title>":                        {title: "gnp.exe"},
		``:                                                    {},
	} {
		if got := parse(strings.NewReader(text), "text/html; charset=utf-8"); got != want {
			t.Errorf("%.80s: got %+v, want %+v", text, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		titled, `<meta property=og:title content="A&#0;&#x202e;B">`, "<title>\xff\xfe</title>", "\xfe\xff\x00<", `<meta charset=utf-16><title>A`,
		`<meta http-equiv=content-type content="text/html; charset=gb18030"><title>` + "\x84\x31", `<title><meta content=`, `<meta content=a content=b name=description>`,
	} {
		f.Add(seed, "text/html")
		f.Add(seed, "text/html; charset=shift_jis")
	}
	f.Fuzz(func(t *testing.T, text, kind string) {
		p := parse(strings.NewReader(text), kind)
		for name, of := range map[string]struct {
			text string
			most int
		}{"title": {p.title, maxTitle}, "description": {p.description, maxDescription}, "picture": {p.picture, maxAddress}} {
			if !utf8.ValidString(of.text) || utf8.RuneCountInString(of.text) > of.most || strings.ContainsAny(of.text, "\n\r\x00\u202e") || strings.TrimSpace(of.text) != of.text {
				t.Errorf("the %s is %q", name, of.text)
			}
		}
		if again := parse(strings.NewReader(text), kind); again != p {
			t.Error(fmt.Sprint(p, again))
		}
	})
}
