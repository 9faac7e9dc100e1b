package bluesky

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"missiond/internal/mediafile/mediatest"
	"missiond/internal/publisher"
	"missiond/mission"
)

// picture returns a JPEG of a size in pixels with an alt text, and its bytes. It is padded
// after its end to most bytes, unless they are 0.
func picture(width, height int, alt string, most int) (mission.File, []byte) {
	content := mediatest.JPEG(width, height)
	content = append(content, make([]byte, max(most-len(content), 0))...)
	sum := sha256.Sum256(content)
	return mission.File{
		PostMedia: mission.PostMedia{
			Kind: mission.MediaImage, ContentType: mission.TypeJPEG, AltText: alt, Width: width, Height: height,
			Hash: hex.EncodeToString(sum[:]), Bytes: int64(len(content)),
		},
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil },
	}, content
}

// link returns the CID of bytes: version 1, raw, SHA-256, in base 32.
func link(content []byte) string {
	sum := sha256.Sum256(content)
	return "b" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(append([]byte{1, 0x55, 0x12, 0x20}, sum[:]...)))
}

// uploaded uploads a picture, which takes one step.
func (n *network) uploaded(c mission.Credentials, f mission.File) mission.PartFile {
	n.t.Helper()
	var to publisher.Uploader = n.adapter
	u, err := to.Upload(n.t.Context(), c, f, mission.Upload{Hash: f.Hash, AltText: f.AltText})
	if err != nil {
		n.t.Fatal(err)
	}
	if u.State != mission.UploadReady || u.Sent != f.Bytes || u.Hash != f.Hash || u.AltText != f.AltText {
		n.t.Fatalf("got the upload %+v", u)
	}
	return mission.PartFile{File: f, Upload: u}
}

// blob reads stored bytes as anybody does.
func (n *network) blob(link string) (status int, kind string, content []byte) {
	n.t.Helper()
	of := url.Values{"did": {n.did}, "cid": {link}}
	req, err := http.NewRequestWithContext(n.t.Context(), http.MethodGet, n.account.Server+"/xrpc/com.atproto.sync.getBlob?"+of.Encode(), http.NoBody)
	if err != nil {
		n.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		n.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if content, err = io.ReadAll(resp.Body); err != nil {
		n.t.Fatal(err)
	}
	return resp.StatusCode, resp.Header.Get("Content-Type"), content
}

// picturesThere publishes posts with pictures, and compares what the server shows with what
// was sent.
func picturesThere(n *network) {
	alts := []string{"An office, \"quiet\" & <empty>", "", "Schöner 🌻\nwohnen", "A chart.", "The last one."}
	sizes := []ratio{{160, 90}, {80, 100}, {64, 64}, {300, 10}, {7, 200}}
	c := n.connected()
	for i, post := range []struct {
		count             int
		kind, field, item string
	}{
		{1, imagesType, "images", ""}, {4, imagesType, "images", ""}, {5, galleryType, "items", galleryType + "#image"},
	} {
		p := another('d', "Pictures"+strings.Repeat("!", post.count))
		p.Content.Revision = i + 1
		var want []any
		var sent [][]byte
		for k := range post.count {
			// A picture of a size of its own: bytes that the server has already tell nothing.
			size := ratio{sizes[k].Width + i, sizes[k].Height}
			f, content := picture(size.Width, size.Height, alts[k], 0)
			p.Media = append(p.Media, n.uploaded(c, f))
			item := map[string]any{
				"alt":         alts[k],
				"aspectRatio": map[string]any{"width": float64(size.Width), "height": float64(size.Height)},
				"image": map[string]any{
					"$type": "blob", "mimeType": mission.TypeJPEG, "size": float64(len(content)), "ref": map[string]any{"$link": link(content)},
				},
			}
			if post.item != "" {
				item["$type"] = post.item
			}
			want, sent = append(want, item), append(sent, content)
		}
		for _, content := range sent {
			if status, _, _ := n.blob(link(content)); status != http.StatusBadRequest {
				n.t.Errorf("before it is published a picture is shown with %d", status)
			}
		}
		value := n.record(n.publish(c, p)).Value
		if embed := map[string]any{"$type": post.kind, post.field: want}; value["text"] != p.Text || !reflect.DeepEqual(value["embed"], embed) {
			n.t.Errorf("%d pictures: the record is %v, want the embed %v", post.count, value, embed)
		}
		for k, content := range sent {
			status, kind, got := n.blob(link(content))
			if status != http.StatusOK || kind != mission.TypeJPEG || !bytes.Equal(got, content) {
				n.t.Errorf("%d pictures: number %d is shown with %d as %d bytes of %s, sent were %d", post.count, k, status, len(got), kind, len(content))
			}
		}
	}
}

// pictureLimits publishes the largest picture that this service sends, one that is larger, and
// one that the server doesn't have.
func pictureLimits(n *network) {
	caps, _ := mission.CapabilitiesOf(mission.Bluesky)
	most := int(caps.Media.Image.MaxBytes)
	c := n.connected()
	for i, x := range []struct {
		name    string
		size    int
		unknown bool
		outcome mission.Outcome // "" if it is published
	}{
		{"as large as it may be", most, false, ""},
		{"too large", most + 1, false, mission.OutcomeRefused},
		{"not there", 0, true, mission.OutcomeNotAccepted},
	} {
		n.t.Run(x.name, func(t *testing.T) {
			n := n.in(t)
			f, content := picture(50+i, 50, "A picture.", x.size)
			p := another('e', "The picture is "+x.name)
			p.Content.Revision = i + 1
			if x.unknown {
				stored, err := json.Marshal(map[string]any{
					"$type": "blob", "mimeType": f.ContentType, "size": f.Bytes, "ref": map[string]string{"$link": link(content)},
				})
				if err != nil {
					t.Fatal(err)
				}
				p.Media = []mission.PartFile{{File: f, Upload: mission.Upload{Hash: f.Hash, ID: string(stored), State: mission.UploadReady}}}
			} else {
				p.Media = []mission.PartFile{n.uploaded(c, f)}
			}
			got, err := n.adapter.Publish(t.Context(), c, p)
			if x.outcome == "" {
				if err != nil {
					t.Fatal(err)
				}
				n.record(got)
				return
			}
			if pe := failed(t, err); pe.Outcome != x.outcome || pe.FilesGone != x.unknown || pe.Unauthorized {
				t.Errorf("got %+v", pe)
			}
			if slices.Contains(n.texts(), p.Text) {
				t.Error("it is published")
			}
		})
	}
}
