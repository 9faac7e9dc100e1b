package mediafile_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"testing"
	"time"

	"missiond/internal/testkit"

	"missiond/internal/mediafile"
	"missiond/internal/mediafile/mediatest"
	"missiond/mission"
)

func TestVideos(t *testing.T) {
	good := mediatest.Movie{Duration: 8 * time.Second, Width: 1280, Height: 720}
	with := func(change func(*mediatest.Movie)) mediatest.Movie {
		m := good
		change(&m)
		return m
	}
	for name, m := range map[string]mediatest.Movie{
		"plain":                    good,
		"without sound":            with(func(m *mediatest.Movie) { m.Sound = "-" }),
		"HEVC":                     with(func(m *mediatest.Movie) { m.Format = "hvc1" }),
		"the index last":           with(func(m *mediatest.Movie) { m.Last = true }),
		"sizes of 64 bits":         with(func(m *mediatest.Movie) { m.Large = true }),
		"fragments":                with(func(m *mediatest.Movie) { m.Fragments = 4 }),
		"QuickTime":                with(func(m *mediatest.Movie) { m.Brand = "qt  " }),
		"C2PA":                     with(func(m *mediatest.Movie) { m.More = mediatest.C2PABox(mediatest.C2PA("digitalCapture")) }),
		"samples without an end":   with(func(m *mediatest.Movie) { m.More = append([]byte("\x00\x00\x00\x00mdat"), make([]byte, 3<<20)...) }),
		"a list that ends in zero": with(func(m *mediatest.Movie) { m.TrackPrivate = make([]byte, 4) }),
	} {
		t.Run(name, func(t *testing.T) {
			data := m.Bytes()
			res, made := processed(t, data)
			if res.Kind != mission.MediaVideo || res.Width != 1280 || res.Height != 720 || res.Duration != 8*time.Second {
				t.Errorf("got %+v", res.Facts)
			}
			want := mission.TypeMP4
			if m.Brand != "" {
				want = mission.TypeMOV
			}
			if res.ContentType != want || !slices.Equal(res.Made[0].Names, []string{""}) {
				t.Errorf("got %s, %+v", res.ContentType, res.Made)
			}
			if !bytes.Equal(made[""].Bytes(), data) {
				t.Error("its copy differs, though nothing is private")
			}
		})
	}
}

func TestVideoIsTurned(t *testing.T) {
	res, _ := processed(t, mediatest.Movie{Duration: time.Second, Width: 1280, Height: 720, Turned: true}.Bytes())
	if res.Width != 720 || res.Height != 1280 {
		t.Errorf("got %d × %d", res.Width, res.Height)
	}
}

// What is private is overwritten, and nothing else: the copy has the same boxes at the same
// places.
func TestVideoIsCleaned(t *testing.T) {
	testkit.SkipIfShort(t)
	const scheme = "digitalsourcetype/digitalCapture"
	packet := append(mediatest.XMP("digitalCapture", "A", ""), "<!-- "+mediatest.Owner+" and much more, so that there is room for another packet -->"...)
	packet = append(packet, bytes.Repeat([]byte(" "), 400)...)
	for name, m := range map[string]mediatest.Movie{
		"in the index":    {Private: mediatest.Notes()},
		"in a track":      {TrackPrivate: mediatest.Notes()},
		"the index last":  {Private: mediatest.Notes(), TrackPrivate: mediatest.Notes(), Last: true},
		"fragments":       {Private: mediatest.Notes(), Fragments: 2, More: mediatest.Box("moof", mediatest.Notes(), mediatest.Box("traf", mediatest.Notes()))},
		"XMP":             {More: mediatest.XMPBox(packet)},
		"C2PA":            {More: mediatest.C2PABox(slices.Concat(mediatest.C2PA("digitalCapture"), []byte("exifEX:BodySerialNumber "+mediatest.Serial), make([]byte, 2000)))},
		"a large C2PA":    {More: mediatest.C2PABox(slices.Concat(mediatest.C2PA("digitalCapture"), []byte("exif:GPSLatitude "+mediatest.Serial), make([]byte, 2<<20)))},
		"C2PA too large":  {More: mediatest.C2PABox(slices.Concat(make([]byte, 17<<20), []byte(mediatest.Serial)))},
		"an unknown uuid": {More: mediatest.Box("uuid", make([]byte, 16), []byte(mediatest.Serial))},
		"a large uuid":    {More: mediatest.LargeBox("uuid", make([]byte, 2<<20), []byte(mediatest.Serial))},
		"free":            {More: mediatest.Box("free", []byte(mediatest.Owner))},
		"an unknown box":  {More: mediatest.Box("meta", []byte(mediatest.Owner))},
	} {
		t.Run(name, func(t *testing.T) {
			m.Duration, m.Width, m.Height = time.Second, 64, 48
			data := m.Bytes()
			_, made := processed(t, data)
			clean := made[""].Bytes()
			if len(clean) != len(data) {
				t.Fatalf("%d bytes became %d", len(data), len(clean))
			}
			for _, private := range []string{mediatest.Place, mediatest.Comment, mediatest.Owner, mediatest.Serial} {
				if bytes.Contains(clean, []byte(private)) {
					t.Errorf("%q is still there", private)
				}
			}
			if bytes.Contains(data, []byte(scheme)) != bytes.Contains(clean, []byte(scheme)) {
				t.Error("the source type isn't there any more")
			}
			again, cleaned := processed(t, clean)
			if again.Duration != time.Second || !bytes.Equal(cleaned[""].Bytes(), clean) {
				t.Errorf("the copy isn't clean: %+v", again.Facts)
			}
		})
	}
}

func TestGIFs(t *testing.T) {
	data := mediatest.GIF(5)
	res, made := processed(t, data, plain)
	if res.Kind != mission.MediaAnimation || res.ContentType != mission.TypeGIF || res.Frames != 5 || res.Width != 32 || res.Height != 24 {
		t.Errorf("got %+v", res.Facts)
	}
	if !bytes.Equal(made[""].Bytes(), data) {
		t.Error("its copy differs, though nothing is private")
	}
	const head = 13 + 3*4 // and its table of four colors
	comment := []byte("\x21\xfe\x1d" + mediatest.Comment[:29] + "\x00")
	application := []byte("\x21\xff\x0bSERIALS 1.0\x0d" + mediatest.Serial + "\x00")
	noted := slices.Concat(data[:head], comment, application, data[head:], []byte(mediatest.Owner))
	if _, made = processed(t, noted); !bytes.Equal(made[""].Bytes(), data) {
		t.Errorf("the copy has %d bytes, want %d", made[""].Len(), len(data))
	}
}

// A video of any size is a stream, whether its index is first or last: neither process keeps it.
func TestLargeVideoIsAStream(t *testing.T) {
	movie := mediatest.Movie{Duration: time.Second, Width: 64, Height: 48}
	first := append(movie.Bytes(), "\x00\x00\x00\x00mdat"...)
	movie.Last, movie.Large = true, true
	last := movie.Bytes()
	const size, data = 100 << 20, 24 // where the samples' box is
	end := data + binary.BigEndian.Uint64(last[data+8:])
	binary.BigEndian.PutUint64(last[data+8:], end-data+size)
	for name, file := range map[string]sparse{"first": {first, size, nil}, "last": {last[:end], size, last[end:]}} {
		t.Run(name, func(t *testing.T) {
			total := int64(len(file.head)+len(file.tail)) + size
			var n int64
			before := heap()
			most := before
			sink := func(string) (io.WriteCloser, error) {
				return counter(func(p []byte) {
					if n += int64(len(p)); n%(50<<20) < int64(len(p)) {
						most = max(most, heap())
					}
				}), nil
			}
			res, err := mediatest.NewRunner(1).Process(t.Context(), io.NewSectionReader(file, 0, total), total, mediafile.Request{}, sink)
			if err != nil || res.Bytes != total || n != total {
				t.Fatalf("%d of %d bytes, %v", n, total, err)
			}
			if grown := most - before; most > before && grown > 8<<20 {
				t.Errorf("%d bytes more are in use", grown)
			}
		})
	}
}

// sparse is a file with zeros in the middle.
type sparse struct {
	head  []byte
	zeros int64
	tail  []byte
}

func (s sparse) ReadAt(p []byte, at int64) (int, error) {
	clear(p)
	n := int64(len(s.head)) + s.zeros - at
	if at < int64(len(s.head)) {
		copy(p, s.head[at:])
	}
	if n < int64(len(p)) {
		copy(p[max(n, 0):], s.tail[max(-n, 0):])
	}
	return len(p), nil
}

type counter func([]byte)

func (c counter) Write(p []byte) (int, error) { c(p); return len(p), nil }

func (counter) Close() error { return nil }
