package program

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"missiond/internal/mediafile/mediatest"
	"missiond/internal/publisher/bluesky/blueskytest"
	"missiond/internal/publisher/linkedin/linkedintest"
	"missiond/internal/publisher/mastodon/mastodontest"
	"missiond/internal/publisher/publishertest"
	"missiond/internal/publisher/x/xtest"
	"missiond/internal/testkit"
	"missiond/test/internal/missiond"
)

// phonePicture returns a picture as a phone makes it, with a place and a serial number: a HEIC,
// or where there is no encoder the JPEG of which it would be made.
func phonePicture(t *testing.T) []byte {
	t.Helper()
	jpeg := mediatest.PhoneJPEG(1200, 800, 6)
	encoder, err := exec.LookPath("heif-enc")
	if err != nil {
		t.Log("NOT TESTED: HEIC, since there is no heif-enc")
		return jpeg
	}
	folder := t.TempDir()
	from, to := filepath.Join(folder, "a.jpg"), filepath.Join(folder, "a.heic")
	if err := os.WriteFile(from, jpeg, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), encoder, "-o", to, from).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// uploaded uploads a file with a form, as a browser does, and returns its id once posts can have it.
func uploaded(p *missiond.Process, name, altText string, data []byte) string {
	p.T.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name)
	if err != nil {
		p.T.Fatal(err)
	}
	_, _ = part.Write(data)
	_ = form.WriteField("alt_text", altText)
	_ = form.Close()
	status, text := asked(p, http.MethodPost, "/v1/media", form.FormDataContentType(), &body)
	var made struct{ ID string }
	if err := json.Unmarshal(text, &made); err != nil || status != http.StatusCreated {
		p.T.Fatalf("the upload of %s is a %d: %s", name, status, text)
	}
	p.Await(name, func() bool {
		switch m := p.Call("GET", "/v1/media/"+made.ID, nil, http.StatusOK); m["status"] {
		case "ready":
			return true
		case "failed":
			p.T.Fatalf("%s: %v", name, m["error"])
		}
		return false
	})
	return made.ID
}

// asked sends a request with the process's key, and returns the response's status and body.
func asked(p *missiond.Process, method, path, contentType string, body io.Reader) (int, []byte) {
	p.T.Helper()
	req, err := http.NewRequestWithContext(p.T.Context(), method, p.URL+path, body)
	if err != nil {
		p.T.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+p.Key)
	req.Header.Set("Content-Type", contentType)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		p.T.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		p.T.Fatal(err)
	}
	return resp.StatusCode, text
}

// A phone's picture and a screenshot are given to a post for each of four platforms, which a
// person sees and approves; the process is killed; and each platform gets, byte for byte, the
// files that were shown, with their alt texts and nothing private.
func TestPicturesGoOutAsApproved(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	stubs := map[string]publishertest.Stub{"mastodon": mastodontest.New(t), "bluesky": blueskytest.New(t), "twitter": xtest.New(), "linkedin": linkedintest.New()}
	urls := map[string]string{}
	for name, stub := range stubs {
		server := httptest.NewServer(stub)
		t.Cleanup(server.Close)
		urls[name] = server.URL
	}
	folder, addr := t.TempDir(), missiond.FreeAddr(t)
	start := func() *missiond.Process {
		return missiond.Dev(t, folder, "--addr", addr, "--x-url", urls["twitter"], "--x-client-id", xtest.ClientID, "--x-client-secret", xtest.ClientSecret,
			"--linkedin-url", urls["linkedin"], "--linkedin-auth-url", urls["linkedin"]+"/oauth/v2", "--linkedin-client-id", linkedintest.ClientID,
			"--linkedin-client-secret", linkedintest.ClientSecret, "--linkedin-version", linkedintest.Version)
	}
	p := start()
	platforms := []string{"mastodon", "bluesky", "twitter", "linkedin"}
	for _, name := range platforms {
		c := stubs[name].Credentials(urls[name])
		in := map[string]any{"platform": name}
		for field, value := range map[string]string{
			"server": c.Server, "access_token": c.AccessToken, "refresh_token": c.RefreshToken, "identifier": c.Identifier, "app_password": c.Password,
		} {
			if value != "" {
				in[field] = value
			}
		}
		p.Call("POST", "/v1/integrations", in, http.StatusCreated)
	}
	altTexts := []string{"A street at night", "The settings page"}
	media := []any{
		map[string]any{"media_id": uploaded(p, "IMG_0001.HEIC", altTexts[0], phonePicture(t))},
		map[string]any{"media_id": uploaded(p, "Screenshot.png", altTexts[1], mediatest.TransparentPNG(900, 600))},
	}
	m := p.Call("POST", "/v1/missions", map[string]any{
		"name": "Pictures", "objectives": []string{"Show what we make"}, "platforms": platforms, "duration_days": 1, "start_immediately": true,
		"constraints": map[string]any{"require_approval": true},
	}, http.StatusCreated)
	ids, shown := map[string]string{}, map[string][][]byte{}
	for i, name := range platforms {
		post := p.Call("POST", "/v1/content", map[string]any{
			"mission_id": m["id"], "platform": name, "text": "Look at these, " + name + ".", "media": media,
			"scheduled_at": time.Now().Add(time.Duration(12+i) * time.Second).UTC().Format(time.RFC3339),
		}, http.StatusCreated)
		ids[name], _ = post["id"].(string)
		files, _ := post["media"].([]any)
		for _, each := range files {
			f, _ := each.(map[string]any)
			status, data := asked(p, http.MethodGet, fmt.Sprintf("/v1/media/%s/file?variant=%s", f["media_id"], name), "", nil)
			if sum := sha256.Sum256(data); status != http.StatusOK || hex.EncodeToString(sum[:]) != f["hash"] {
				t.Errorf("%s is shown a file with a %d whose hash isn't that of the post", name, status)
			}
			shown[name] = append(shown[name], data)
		}
		p.Call("POST", "/v1/content/"+ids[name]+"/approve", map[string]any{}, http.StatusOK)
	}
	p.Kill()
	p = start()
	for _, name := range platforms {
		p.Await("the post on "+name, func() bool {
			post := p.Call("GET", "/v1/content/"+ids[name], nil, http.StatusOK)
			if post["status"] == "failed" || post["status"] == "unknown" {
				t.Fatalf("the post on %s is %s: %v", name, post["status"], post["error"])
			}
			return post["status"] == "published"
		})
		var got [][]byte
		var said []string
		for _, post := range stubs[name].Posts() {
			if strings.HasPrefix(post.Text, "Look at these") {
				got, said = append(got, stubs[name].Media(post.ID)...), append(said, stubs[name].AltTexts(post.ID)...)
			}
		}
		if len(got) != len(media) || len(shown[name]) != len(media) || fmt.Sprint(said) != fmt.Sprint(altTexts) {
			t.Errorf("%s has %d files with the alt texts %q; %d were shown", name, len(got), said, len(shown[name]))
			continue
		}
		for i := range got {
			if !bytes.Equal(got[i], shown[name][i]) {
				t.Errorf("%s got another file than was shown", name)
			}
			for _, private := range []string{mediatest.Serial, mediatest.Owner, mediatest.Model} {
				if bytes.Contains(got[i], []byte(private)) {
					t.Errorf("%s got %q", name, private)
				}
			}
		}
	}
}
