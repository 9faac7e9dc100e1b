package media_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"slices"
	"testing"
	"time"

	"missiond/internal/mediafile/mediatest"
	"missiond/internal/service/media"
	"missiond/internal/testkit"
	"missiond/mission"
)

// A phone's picture is upright, and its variants have nothing private.
func TestPictureIsProcessed(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		data := mediatest.PhoneJPEG(120, 80, 6) // to be turned by a quarter
		m := l.upload(mission.TypeJPEG, data)
		if m.Status != mission.MediaProcessing || m.Kind != "" || m.Bytes != int64(len(data)) || m.Hash != hashed(data) {
			t.Errorf("got %+v", m)
		}
		l.Step()
		m = l.get(m.ID)
		if m.Status != mission.MediaReady || m.Kind != mission.MediaImage || m.ContentType != mission.TypeJPEG || m.Width != 80 || m.Height != 120 || m.Hash != hashed(data) {
			t.Errorf("got %+v", m)
		}
		for _, c := range mission.AllCapabilities() {
			if _, ok := m.Variant(c.Platform); ok != (c.Media.Images > 0) {
				t.Errorf("a variant for %s: %t", c.Platform, ok)
			}
		}
		for _, v := range m.Variants {
			out := l.read(m.ID, string(v.Platforms[0]))
			for _, private := range []string{mediatest.Serial, mediatest.Owner, mediatest.Model, "\x88\x25"} {
				if bytes.Contains(out, []byte(private)) {
					t.Errorf("%v are sent %q", v.Platforms, private)
				}
			}
			img, err := jpeg.Decode(bytes.NewReader(out))
			l.Must(err)
			if img.Bounds().Dx() != v.Width || img.Bounds().Dy() != v.Height || v.Height < v.Width {
				t.Errorf("%v are sent %v, of which its row says %d × %d", v.Platforms, img.Bounds(), v.Width, v.Height)
			}
			if v.Width == 80 { // the left is redder than the right before the turn, so the top after it
				top, bottom := redness(img, 10), redness(img, 110)
				if top <= bottom {
					t.Errorf("%v are sent it with a red of %d at the top, %d at the bottom", v.Platforms, top, bottom)
				}
			}
		}
		if !bytes.Equal(l.read(m.ID, media.Original), data) {
			t.Error("the original isn't what was uploaded")
		}
		l.Idle()
		if ready, failed := l.told(mission.EventMediaReady), l.told(mission.EventMediaFailed); ready != 1 || failed != 0 {
			t.Errorf("%d events of media.ready, %d of media.failed", ready, failed)
		}
		l.audit()
	})
}

func redness(img image.Image, y int) uint32 {
	r, _, _, _ := img.At(img.Bounds().Dx()/2, y).RGBA()
	return r
}

func TestKinds(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		for _, c := range []struct {
			data     []byte
			says, is string
			kind     mission.MediaKind
			platform mission.Platform
			lasts    time.Duration
		}{
			{mediatest.PNG(30, 20), mission.TypePNG, mission.TypePNG, mission.MediaImage, mission.Bluesky, 0},
			{mediatest.GIF(3), mission.TypeGIF, mission.TypeGIF, mission.MediaAnimation, mission.Mastodon, 0},
			{mediatest.MP4(3*time.Second, 64, 48), mission.TypeMP4, mission.TypeMP4, mission.MediaVideo, mission.LinkedIn, 3 * time.Second},
			{ // it is read twice
				mediatest.Movie{Duration: 3 * time.Second, Width: 64, Height: 48, Last: true}.Bytes(),
				mission.TypeMP4, mission.TypeMP4, mission.MediaVideo, mission.LinkedIn, 3 * time.Second,
			},
			{mediatest.PNG(31, 20), mission.TypeMP4, mission.TypePNG, mission.MediaImage, mission.Twitter, 0}, // the bytes decide
		} {
			m := l.ready(c.says, c.data)
			if m.Kind != c.kind || m.ContentType != c.is || m.Duration != c.lasts || m.Width == 0 || m.Height == 0 {
				t.Errorf("%s: got %+v", c.says, m)
			}
			if coded := c.kind == mission.MediaVideo; coded != (m.Coding == mission.Coding{
				Codec: mission.CodecH264, Subsampling: mission.Subsampling420, Bits: 8, FrameRate: 30, AudioCodec: mission.AudioAACLC, SampleRate: 44_100, Channels: 2,
			}) {
				t.Errorf("%s: coded as %+v", c.says, m.Coding)
			}
			v, ok := m.Variant(c.platform)
			if !ok || v.Key == "" || v.Bytes == 0 {
				t.Errorf("%s for %s: got %+v", c.says, c.platform, v)
			}
			for _, caps := range mission.AllCapabilities() {
				if _, ok := m.Variant(caps.Platform); ok != caps.Media.Takes(c.kind) {
					t.Errorf("%s: a variant for %s: %t", c.says, caps.Platform, ok)
				}
			}
		}
		l.audit()
	})
}

// A hostile file fails with its reason, and nothing is made of it.
func TestHostileFiles(t *testing.T) {
	testkit.Full(t)
	each(t, func(t *testing.T, l *library) {
		refused := 0
		for _, h := range mediatest.HostileFiles() {
			if len(h.Data) == 0 || len(h.Data) > 1<<20 { // mediafile's own tests have the large ones
				continue
			}
			m, err := l.media.Upload(t.Context(), l.Tenant, media.Upload{ContentType: mission.TypeMP4, Size: -1}, bytes.NewReader(h.Data))
			l.Must(err)
			l.Step()
			switch m = l.get(m.ID); {
			case h.Want == "" && m.Status == mission.MediaReady:
			case h.Want != "" && m.Status == mission.MediaFailed && m.Error.Code == "media_"+string(h.Want) && m.Error.Message != "" && len(m.Variants) == 0:
				refused++
			default:
				t.Errorf("%s: got %s, %+v, want %q", h.Name, m.Status, m.Error, h.Want)
			}
			l.Must(l.media.Delete(t.Context(), l.Tenant, m.ID))
		}
		if n := l.told(mission.EventMediaFailed); n != refused || n < 50 {
			t.Errorf("%d events of media.failed for %d files", n, refused)
		}
		l.Pass(life)
		if keys, rows := l.keys(), l.rows(); len(keys) > 0 || rows > 0 {
			t.Errorf("%d rows and the bytes %v are left", rows, keys)
		}
	})
}

// What a person says of a file stays when it is processed.
func TestWhatIsSaidStays(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		m := l.upload(mission.TypeJPEG, mediatest.JPEG(20, 20))
		alt, ai, source := "A red door", mission.AIDeclared, "compositeSynthetic"
		changed, err := l.media.Update(t.Context(), l.Tenant, m.ID, mission.MediaInput{AltText: &alt, AI: &ai, SourceType: &source})
		l.Must(err)
		l.Step()
		if got := l.get(m.ID); got.AltText != alt || got.Provenance.AI != ai || got.Provenance.SourceType != source || got.Status != mission.MediaReady {
			t.Errorf("got %+v after %+v", got, changed)
		}
		found, err := l.media.List(t.Context(), l.Tenant, media.Filter{Search: "door red", Kind: mission.MediaImage, Unused: true}, page())
		l.Must(err)
		none, err := l.media.List(t.Context(), l.Tenant, media.Filter{Search: "door blue"}, page())
		l.Must(err)
		if len(found.List) != 1 || len(none.List) != 0 {
			t.Errorf("found %d and %d files", len(found.List), len(none.List))
		}
		if i := slices.IndexFunc(l.all(), func(o mission.Media) bool { return o.ID == m.ID }); i < 0 {
			t.Error("it isn't listed")
		}
	})
}
