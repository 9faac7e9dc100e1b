package mission

import (
	"strings"
	"testing"
	"time"
)

// LinkedIn refuses videos of less than 75 kB: that is said when a post is given one, not when
// it goes out.
func TestSmallVideo(t *testing.T) {
	t.Parallel()
	caps, _ := CapabilitiesOf(LinkedIn)
	video := PostMedia{
		MediaID: "med_1", Kind: MediaVideo, ContentType: TypeMP4, Width: 640, Height: 480, Duration: 5 * time.Second, Bytes: 75_000,
	}
	if found := caps.CheckMedia("media", []PostMedia{video}, 1); len(found) > 0 {
		t.Errorf("got %v", found)
	}
	video.Bytes--
	if err := caps.CheckMedia("media", []PostMedia{video}, 1).Err(); err == nil || !strings.Contains(err.Error(), "74999 bytes; LinkedIn takes 75000 at least") {
		t.Errorf("got %v", err)
	}
}
