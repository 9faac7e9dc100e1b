package mission

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// sound returns a file of a kind that a platform takes.
func sound(c Capabilities, k MediaKind) PostMedia {
	m := PostMedia{MediaID: "med_1", Kind: k, Bytes: 100_000, Width: 1000, Height: 1000, Frames: 2, Duration: 10 * time.Second}
	switch k {
	case MediaImage:
		m.ContentType = TypeJPEG
	case MediaAnimation:
		m.ContentType = TypeGIF
	default:
		m.ContentType = TypeMP4
	}
	if !c.Media.Takes(k) {
		panic("bug: the platform doesn't take it")
	}
	return m
}

// about returns the problems with one file on a platform, as params and messages.
func about(c Capabilities, media []PostMedia, parts int) string {
	var e *Error
	if !errors.As(c.CheckMedia("media", media, parts).Err(), &e) {
		return ""
	}
	var all []string
	for _, p := range e.Problems {
		all = append(all, p.Param+": "+p.Message)
	}
	return strings.Join(all, "\n")
}

// Each bound of each platform's files holds on both sides, and a problem names the file, what
// was found and what is allowed.
func TestMediaBounds(t *testing.T) {
	checked := 0
	for _, c := range AllCapabilities() {
		for _, k := range AllMediaKinds() {
			if !c.Media.Takes(k) {
				if got := about(c, []PostMedia{{MediaID: "med_1", Kind: k}}, 1); !strings.Contains(got, "doesn't take") {
					t.Errorf("%s, %s: got %q", c.Platform, k, got)
				}
				continue
			}
			if got := about(c, []PostMedia{sound(c, k)}, 1); got != "" {
				t.Errorf("%s refuses a sound %s: %s", c.Platform, k, got)
			}
			for _, b := range boundsOf(c, k) {
				in, out := sound(c, k), sound(c, k)
				b.set(&in, b.at)
				b.set(&out, b.at+b.step)
				if got := about(c, []PostMedia{in}, 1); got != "" {
					t.Errorf("%s, %s, %s at its bound: %s", c.Platform, k, b.name, got)
				}
				if got := about(c, []PostMedia{out}, 1); !strings.HasPrefix(got, "media[0]") || !strings.Contains(got, "med_1") {
					t.Errorf("%s, %s, %s beyond its bound: got %q", c.Platform, k, b.name, got)
				}
				checked++
			}
			many := slices.Repeat([]PostMedia{sound(c, k)}, c.Media.most(k)+1)
			if got := about(c, many[1:], 1); got != "" {
				t.Errorf("%s refuses %d of %s: %s", c.Platform, len(many)-1, k, got)
			}
			if got, want := about(c, many, 1), fmt.Sprintf("media[%d]: ", len(many)-1); !strings.HasPrefix(got, want) {
				t.Errorf("%s, one %s too many: got %q", c.Platform, k, got)
			}
			if got := about(c, many, 2); !strings.HasPrefix(got, "media[") { // all of them are in the first part
				t.Errorf("%s, one %s too many in a part: got %q", c.Platform, k, got)
			}
		}
	}
	if checked < 40 {
		t.Errorf("only %d bounds were checked", checked)
	}
}

// bounded is a bound: at is allowed, at + step isn't.
type bounded struct {
	name     string
	at, step int64
	set      func(m *PostMedia, to int64)
}

func boundsOf(c Capabilities, k MediaKind) (all []bounded) {
	add := func(name string, at, step int64, set func(m *PostMedia, to int64)) {
		if at > 0 {
			all = append(all, bounded{name, at, step, set})
		}
	}
	bytes := func(m *PostMedia, to int64) { m.Bytes = to }
	r := c.Media
	add("alt text", int64(r.AltText), 1, func(m *PostMedia, to int64) { m.AltText = strings.Repeat("é", int(to)) })
	switch k {
	case MediaImage:
		add("bytes", r.Image.MaxBytes, 1, bytes)
		add("side", int64(r.Image.MaxSide), 1, func(m *PostMedia, to int64) { m.Width, m.Height = int(to), int(to) })
	case MediaAnimation:
		add("bytes", r.Animation.MaxBytes, 1, bytes)
		add("width", int64(r.Animation.MaxWidth), 1, func(m *PostMedia, to int64) { m.Width = int(to) })
		add("height", int64(r.Animation.MaxHeight), 1, func(m *PostMedia, to int64) { m.Height = int(to) })
		add("frames", int64(r.Animation.MaxFrames), 1, func(m *PostMedia, to int64) { m.Frames = int(to) })
	default:
		add("bytes", r.Video.MaxBytes, 1, bytes)
		add("least bytes", r.Video.MinBytes, -1, bytes)
		add("length", int64(r.Video.MaxDuration), 1, func(m *PostMedia, to int64) { m.Duration = time.Duration(to) })
		add("least length", int64(r.Video.MinDuration), -1, func(m *PostMedia, to int64) { m.Duration = time.Duration(to) })
	}
	return all
}

// Files of one post are of one kind, where the platform wants that, and of parts that it has.
func TestMediaTogether(t *testing.T) {
	x, _ := CapabilitiesOf(Twitter)
	threads, _ := CapabilitiesOf(Threads)
	image, video := sound(x, MediaImage), sound(x, MediaVideo)
	second := video
	second.Part = 1
	for _, tt := range []struct {
		name  string
		on    Capabilities
		media []PostMedia
		parts int
		want  string
	}{
		{"mixed", x, []PostMedia{image, video}, 1, "media[1]: med_1 is a video beside another kind of file: X takes one kind a post."},
		{"mixed where that is allowed", threads, []PostMedia{image, video}, 1, ""},
		{"as many as there may be, mixed", threads, append(slices.Repeat([]PostMedia{image}, 19), video), 1, ""},
		{"too many together", threads, append(slices.Repeat([]PostMedia{image}, 20), video), 1, "media[20]: med_1 is number 21: Threads takes 20 files a post."},
		{"in two parts", x, []PostMedia{image, second}, 2, ""},
		{"of a part that isn't there", x, []PostMedia{second}, 1, "media[0].part: med_1 is for part 1, but the post has 1."},
	} {
		if got := about(tt.on, tt.media, tt.parts); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
