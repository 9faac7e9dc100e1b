package mediafile_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"missiond/internal/mediafile"
	"missiond/internal/mediafile/mediatest"
	"missiond/mission"
)

// heap returns how many bytes are in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// What isn't the file's fault isn't a refusal.
func TestTrouble(t *testing.T) {
	data := mediatest.JPEG(200, 200)
	size := int64(len(data))
	broken := errors.New("the store is gone")
	discard := func(string) (io.WriteCloser, error) { return counter(func([]byte) {}), nil }
	for name, c := range map[string]struct {
		file io.ReadSeeker
		size int64
		sink func(string) (io.WriteCloser, error)
		want string
	}{
		"shorter":         {bytes.NewReader(data), size + 10, discard, "shorter"},
		"longer":          {bytes.NewReader(data), size - 10, discard, "longer"},
		"the reader":      {seekable{io.MultiReader(bytes.NewReader(data[:100]), failing{broken})}, size, discard, "gone"},
		"the sink":        {bytes.NewReader(data), size, func(string) (io.WriteCloser, error) { return nil, broken }, "gone"},
		"what it returns": {bytes.NewReader(data), size, func(string) (io.WriteCloser, error) { return failing{broken}, nil }, "gone"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mediatest.NewRunner(1).Process(t.Context(), c.file, c.size, mediafile.Request{Pictures: []mediafile.Picture{plain}}, c.sink)
			if err == nil || refusal(err) != "" || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want trouble: %s", err, c.want)
			}
		})
	}
}

// seekable is a file that is read once.
type seekable struct{ io.Reader }

func (seekable) Seek(int64, int) (int64, error) { return 0, errors.New("it can't be read once more") }

// failing fails at everything but its end.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error)  { return 0, f.err }
func (f failing) Write([]byte) (int, error) { return 0, f.err }
func (f failing) Close() error              { return nil }

func TestWrongRequests(t *testing.T) {
	for name, pictures := range map[string][]mediafile.Picture{
		"without a name": {{}},
		"twice":          {plain, plain},
		"PNG alone":      {{Name: "a", Rules: mission.PictureRules{Types: []string{mission.TypePNG}}}},
	} {
		if _, _, err := process(t, mediatest.JPEG(9, 9), pictures...); err == nil || refusal(err) != "" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestLimitsHold(t *testing.T) {
	for name, c := range map[string]struct {
		data   []byte
		limits mediafile.Limits
		want   mediafile.Code
	}{
		"pixels":         {mediatest.JPEG(100, 100), mediafile.Limits{Pixels: 9_999}, mediafile.CodePixels},
		"a side":         {mediatest.PNG(100, 10), mediafile.Limits{Side: 99}, mediafile.CodePixels},
		"frames":         {mediatest.GIF(3), mediafile.Limits{Frames: 2}, mediafile.CodePixels},
		"frames' pixels": {mediatest.GIF(3), mediafile.Limits{FramePixels: 3*32*24 - 1}, mediafile.CodePixels},
		"a picture":      {mediatest.PNG(100, 100), mediafile.Limits{PictureBytes: 100}, mediafile.CodeBytes},
		"a video":        {mediatest.MP4(1e9, 64, 48), mediafile.Limits{VideoBytes: 100, PictureBytes: 100}, mediafile.CodeBytes},
	} {
		_, err := mediatest.NewRunner(1).Process(t.Context(), bytes.NewReader(c.data), int64(len(c.data)), mediafile.Request{Limits: c.limits}, files{}.sink)
		if refusal(err) != c.want {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}
