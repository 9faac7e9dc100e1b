package pages

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"missiond/internal/mediafile/mediatest"
	"missiond/test/internal/missiond"
)

const (
	// composedFolder is the folder of the image that its user owns, composedMedia where the
	// processes of the compose file have pictures and videos.
	composedFolder = "/var/lib/missiond"
	composedMedia  = "file://" + composedFolder + "/media"
)

// checkMedia checks that serve and worker have the store of files on a volume, which belongs to
// the image's user when it is new: it is mounted on a folder of the image that does.
func checkMedia(t *testing.T, name string, s composeService) {
	t.Helper()
	var volumes []string
	address := ""
	if name != "migrate" {
		volumes, address = []string{"media:" + composedFolder}, "${MISSIOND_MEDIA_URL:-"+composedMedia+"}"
	}
	if got := s.Environment["MISSIOND_MEDIA_URL"]; !slices.Equal(s.Volumes, volumes) || got != address {
		t.Errorf("%s: the volumes are %q, the store of files is %q, want %q and %q", name, s.Volumes, got, volumes, address)
	}
	image := string(deployed(t, "Containerfile"))
	if !strings.Contains(image, "--chown=65532:65532 --chmod=0700 /out/data "+composedFolder+"\n") || !strings.Contains(image, "\nUSER 65532:65532\n") {
		t.Errorf("the image's user doesn't own %s", composedFolder)
	}
}

// uploadComposed uploads a picture, and waits until a worker has examined it.
func uploadComposed(serve *missiond.Process) {
	serve.T.Helper()
	req, err := http.NewRequest(http.MethodPost, serve.URL+"/v1/media", bytes.NewReader(mediatest.PNG(8, 8)))
	if err != nil {
		serve.T.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+serve.Key)
	req.Header.Set("Content-Type", "image/png")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		serve.T.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var file struct {
		ID string `json:"id"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&file); err != nil || file.ID == "" {
		serve.T.Fatalf("an upload returned %d, %v", resp.StatusCode, err)
	}
	serve.Await("the picture examined", func() bool {
		return serve.Call(http.MethodGet, "/v1/media/"+file.ID, nil, http.StatusOK)["status"] == "ready"
	})
	if ready := serve.Call(http.MethodGet, "/readyz", nil, http.StatusOK); ready["files"] != "ok" {
		serve.T.Errorf("/readyz says %v", ready)
	}
}
