package ghost

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"html"
	"image"
	"image/png"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/article"
	"missiond/internal/testkit"
	"missiond/mission"
)

func opens(content string) func(context.Context) (io.ReadCloser, error) {
	return func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }
}

// picture returns a file that is a picture, with a hash of its own.
func picture(t *testing.T, width int, alt string) mission.File {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, 20))); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b.Bytes())
	return mission.File{Open: opens(b.String()), PostMedia: mission.PostMedia{
		Kind: mission.MediaImage, ContentType: mission.TypePNG, Hash: hex.EncodeToString(sum[:]), Bytes: int64(b.Len()), AltText: alt,
	}}
}

// The real server does what the stub does. MISSIOND_TEST_GHOST is a site, MISSIOND_TEST_GHOST_KEY one of its Admin API
// keys (scripts/ghost-test.sh).
func TestServer(t *testing.T) {
	testkit.SkipUnlessSet(t, "MISSIOND_TEST_GHOST", "test-ghost")
	server, key := os.Getenv("MISSIOND_TEST_GHOST"), os.Getenv("MISSIOND_TEST_GHOST_KEY")
	a := New(publisher.NewClient(http.DefaultClient, time.Now))
	account, creds, err := a.Connect(t.Context(), mission.Credentials{Server: strings.TrimRight(server, "/"), AccessToken: key})
	if err != nil || account.ID == "" || account.Name == "" {
		t.Fatalf("%+v, %v", account, err)
	}
	id, _, _ := strings.Cut(key, ":")
	for _, wrong := range []string{id + ":c0ffee", "6b08cfef8190b37400eeda00:c0ffee"} {
		_, _, err := a.Connect(t.Context(), mission.Credentials{Server: server, AccessToken: wrong})
		if pe := failed(t, err); !pe.Unauthorized {
			t.Errorf("another key: %+v", pe)
		}
	}
	p := part(strings.TrimSuffix(text, "\n\n#news #Go") + "\n\n## Tables & code\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n- one\n- two\n  - three\n\n> Said\nso.\n\n```\nx < [y]\n```\n\n#news #Go")
	p.Content.ID = "cnt_" + time.Now().Format("20060102150405.000")
	for i, alt := range []string{"The \"first\" & <own>", "The second", ""} {
		f := picture(t, 30+i, alt)
		u, err := a.Upload(t.Context(), creds, f, mission.Upload{Hash: f.Hash, AltText: alt})
		if err != nil {
			t.Fatal(err)
		}
		p.Media = append(p.Media, mission.PartFile{File: f, Upload: u})
	}
	if _, ok, err := a.Find(t.Context(), creds, p); ok || err != nil {
		t.Fatalf("found before: %t, %v", ok, err)
	}
	// A draft whose response was lost.
	if _, err := a.make(t.Context(), creds, p); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := a.Find(t.Context(), creds, p); ok || err != nil {
		t.Fatalf("a draft is found: %t, %v", ok, err)
	}
	made, err := a.Publish(t.Context(), creds, p)
	if err != nil {
		t.Fatal(err)
	}
	p.Again = true
	found, ok, err := a.Find(t.Context(), creds, p)
	again, err2 := a.Publish(t.Context(), creds, p)
	if !ok || err != nil || err2 != nil || found != made || again != made {
		t.Errorf("made %+v, found %+v (%t, %v), again %+v (%v)", made, found, ok, err, again, err2)
	}
	readsBack(t, a, creds, p, made)
	body := page(t, made.URL)
	if !strings.Contains(made.URL, article.Slug(p)) || strings.Contains(body, "<script>alert(1)") || !strings.Contains(html.UnescapeString(body), "utm_source=ghost&b=1") {
		t.Errorf("%s shows another article", made.URL)
	}
	for i, f := range p.Media {
		if !strings.Contains(body, f.Upload.Address[strings.LastIndexByte(f.Upload.Address, '/')+1:]) {
			t.Errorf("%s doesn't show picture %d", made.URL, i)
		}
	}
	refusals(t, a, creds)
}

// readsBack measures an article and reads it back, as it is and once it was changed.
func readsBack(t *testing.T, a *Adapter, creds mission.Credentials, p mission.Part, made mission.Publication) {
	t.Helper()
	c := p.Content
	c.PlatformPostID, c.Published = &made.PostID, []mission.Publication{made}
	c.Text = p.Text
	measured, err := a.Measure(t.Context(), creds, []mission.Content{c})
	if m, ok := measured[c.ID]; err != nil || !ok || len(m) != 0 {
		t.Errorf("measured %+v, %v", measured, err)
	}
	shown, err := a.Read(t.Context(), creds, []mission.Content{c})
	if s := shown[c.ID]; err != nil || len(s) != 1 || !s[0].Same {
		t.Errorf("read %+v, %v", shown, err)
	}
}

// refusals sends what the server refuses.
func refusals(t *testing.T, a *Adapter, creds mission.Credentials) {
	t.Helper()
	long := part(strings.Repeat("é", 256) + "\n\nB")
	long.Content.ID += "long"
	_, err := a.Publish(t.Context(), creds, long)
	if pe := failed(t, err); pe.Outcome != mission.OutcomeRefused || !strings.Contains(pe.Failure.Message, "255") {
		t.Errorf("a long title: %+v", pe)
	}
	f := picture(t, 50, "")
	f.ContentType = "text/plain"
	_, err = a.Upload(t.Context(), creds, f, mission.Upload{Hash: f.Hash})
	if pe := failed(t, err); pe.Outcome != mission.OutcomeRefused {
		t.Errorf("a text as a picture: %+v", pe)
	}
	alt := part("An alt text\n\nB")
	alt.Content.ID += "alt" + time.Now().Format("150405.000")
	for _, n := range []int{192, 191} {
		alt.Media = []mission.PartFile{{Upload: mission.Upload{Address: creds.Server + "/content/images/a.png", AltText: strings.Repeat("é", n)}}}
		if _, err := a.Publish(t.Context(), creds, alt); (err == nil) != (n == 191) {
			t.Errorf("an alt text of %d characters: %v", n, err)
		}
	}
}

// page returns what a reader is sent.
func page(t *testing.T, address string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v", address, resp.StatusCode, err)
	}
	return string(body)
}
