package wordpress

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/png"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
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

// The real server does what the stub does. MISSIOND_TEST_WORDPRESS is a site with users that are called by
// their roles, and MISSIOND_TEST_WORDPRESS_PASSWORDS their application passwords, as "role:password role:password"
// (scripts/wordpress-test.sh).
func TestServer(t *testing.T) {
	testkit.SkipUnlessSet(t, "MISSIOND_TEST_WORDPRESS", "test-wordpress")
	server := strings.TrimRight(os.Getenv("MISSIOND_TEST_WORDPRESS"), "/")
	a := New(publisher.NewClient(http.DefaultClient, time.Now))
	for _, each := range strings.Fields(os.Getenv("MISSIOND_TEST_WORDPRESS_PASSWORDS")) {
		role, password, _ := strings.Cut(each, ":")
		t.Run(role, func(t *testing.T) {
			given := mission.Credentials{Server: server, Identifier: "test-" + role, Password: password}
			account, creds, err := a.Connect(t.Context(), given)
			if role == "contributor" {
				if pe := failed(t, err); !pe.Unauthorized {
					t.Errorf("connected: %+v", pe)
				}
				_, err = a.Publish(t.Context(), given, part("May not\n\nB"))
				if pe := failed(t, err); !pe.Unauthorized || !pe.Forbidden {
					t.Errorf("published: %+v", pe)
				}
				return
			}
			if err != nil || account.Handle == "" || account.URL == "" {
				t.Fatalf("%+v, %v", account, err)
			}
			publishes(t, a, creds)
			refusals(t, a, creds)
		})
	}
}

// publishes publishes an article with pictures, and looks it up, measures it and reads it back.
func publishes(t *testing.T, a *Adapter, creds mission.Credentials) {
	t.Helper()
	p := part(strings.TrimSuffix(sample, "\n\n#news #Go") + "\n\n## Tables & code\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n- one\n- two\n  - three\n\n> Said\nso.\n\n```\nx < [y]\n```\n\n#news #Go")
	p.Content.ID = "cnt_" + creds.AccountID + time.Now().Format("20060102150405.000")
	for i, alt := range []string{"The \"first\" & <own>", "The second", ""} {
		f := picture(t, 30+i, alt)
		u := mission.Upload{Hash: f.Hash, AltText: alt}
		for u.State != mission.UploadReady {
			var err error
			if u, err = a.Upload(t.Context(), creds, f, u); err != nil {
				t.Fatal(err)
			}
		}
		p.Media = append(p.Media, mission.PartFile{File: f, Upload: u})
	}
	if _, ok, err := a.Find(t.Context(), creds, p); ok || err != nil {
		t.Fatalf("found before: %t, %v", ok, err)
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
	c := p.Content
	c.Text, c.PlatformPostID, c.Published = p.Text, &made.PostID, []mission.Publication{made}
	measured, err := a.Measure(t.Context(), creds, []mission.Content{c})
	if n, ok := measured[c.ID][mission.Comments]; err != nil || !ok || n != 0 {
		t.Errorf("measured %+v, %v", measured, err)
	}
	shown, err := a.Read(t.Context(), creds, []mission.Content{c})
	if s := shown[c.ID]; err != nil || len(s) != 1 || !s[0].Same {
		t.Errorf("read %+v, %v", shown, err)
	}
	has(t, a, creds, made, p)
}

// has checks what the site has of an article.
func has(t *testing.T, a *Adapter, creds mission.Credentials, made mission.Publication, p mission.Part) {
	t.Helper()
	response, err := a.do(t.Context(), creds, call{path: "/wp/v2/posts/" + made.PostID})
	var of struct {
		Tags     []int `json:"tags"`
		Featured int   `json:"featured_media"`
		Content  struct {
			Rendered string `json:"rendered"`
		} `json:"content"`
	}
	if err != nil || response.JSON(&of) != nil {
		t.Fatal(err)
	}
	if strconv.Itoa(of.Featured) != p.Media[0].Upload.ID || len(of.Tags) != 2 || slices.Contains(of.Tags, 0) {
		t.Errorf("the post has picture %d and tags %v", of.Featured, of.Tags)
	}
	body := of.Content.Rendered
	for _, want := range []string{"utm_source=blog&#038;b=1", `alt="The second"`, "&lt;script&gt;", p.Media[2].Upload.Address, "gallery ids=1"} {
		if !strings.Contains(strings.ReplaceAll(body, "&amp;", "&#038;"), want) {
			t.Errorf("the body hasn't %q: %s", want, body)
		}
	}
}

// refusals sends what the server refuses.
func refusals(t *testing.T, a *Adapter, creds mission.Credentials) {
	t.Helper()
	strange := creds
	strange.Password = "wrong"
	_, _, err := a.Connect(t.Context(), strange)
	_, _, err2 := a.Find(t.Context(), strange, part(sample))
	_, err3 := a.Publish(t.Context(), strange, part("T\n\nB"))
	for _, err := range []error{err, err2, err3} {
		if pe := failed(t, err); !pe.Unauthorized || pe.Outcome != mission.OutcomeNotAccepted {
			t.Errorf("another password: %+v", pe)
		}
	}
	gone := part("Gone\n\nB")
	gone.Media = []mission.PartFile{{Upload: mission.Upload{ID: "999999"}}}
	_, err = a.Publish(t.Context(), creds, gone)
	if pe := failed(t, err); !pe.FilesGone || pe.Outcome != mission.OutcomeNotAccepted {
		t.Errorf("a picture that isn't there: %+v", pe)
	}
	f := picture(t, 50, "")
	f.Open, f.Bytes = opens("<html>"), int64(len("<html>"))
	_, err = a.Upload(t.Context(), creds, f, mission.Upload{Hash: f.Hash})
	if pe := failed(t, err); pe.Outcome != mission.OutcomeRefused {
		t.Errorf("a page as a picture: %+v", pe)
	}
}
