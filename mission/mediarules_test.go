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
	if k == MediaVideo {
		m.Coding = Coding{
			Codec: CodecH264, Subsampling: Subsampling420, Bits: 8, FrameRate: 29.97, AudioCodec: AudioAACLC, SampleRate: 44_100, Channels: 2,
		}
	}
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
	if checked < 75 {
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
		add("frames", int64(r.Animation.MaxFrames), 1, func(m *PostMedia, to int64) { m.Width, m.Frames = 100, int(to) })
		add("pixels", r.Animation.MaxPixels, 2_000_000, func(m *PostMedia, to int64) { m.Frames = int(to / 1_000_000) })
	default:
		v := r.Video
		add("least side", int64(v.MinSide), -1, func(m *PostMedia, to int64) { m.Width, m.Height = v.MinSide*2, int(to) })
		add("longer side", int64(v.MaxLongSide), 1, func(m *PostMedia, to int64) { m.Width, m.Height = int(to)/2, int(to) })
		add("shorter side", int64(v.MaxShortSide), 1, func(m *PostMedia, to int64) { m.Width, m.Height = int(to), v.MaxLongSide })
		add("width", int64(v.MaxWidth), 1, func(m *PostMedia, to int64) { m.Width = int(to) })
		add("bits", int64(v.MaxBits), 1, func(m *PostMedia, to int64) { m.Coding.Bits = int(to) })
		add("frame rate", int64(v.MaxFrameRate), 1, func(m *PostMedia, to int64) { m.Coding.FrameRate = float64(to) })
		add("least frame rate", int64(v.MinFrameRate), -1, func(m *PostMedia, to int64) { m.Coding.FrameRate = float64(to) })
		add("bit rate", v.MaxBitRate, 8, func(m *PostMedia, to int64) { m.Bytes, m.Duration = to, 8*time.Second })
		add("sample rate", int64(v.MaxSampleRate), 1, func(m *PostMedia, to int64) { m.Coding.SampleRate = int(to) })
		add("channels", int64(v.MaxAudioChannels), 1, func(m *PostMedia, to int64) { m.Coding.Channels = int(to) })
		add("bytes", v.MaxBytes, 1, func(m *PostMedia, to int64) {
			if m.Bytes, m.Duration = to, 0; v.MinDuration > 0 {
				m.Duration = v.MaxDuration // so that it is no question of the bit rate
			}
		})
		add("least bytes", r.Video.MinBytes, -1, bytes)
		add("length", int64(r.Video.MaxDuration), 1, func(m *PostMedia, to int64) { m.Duration = time.Duration(to) })
		add("least length", int64(r.Video.MinDuration), -1, func(m *PostMedia, to int64) { m.Duration = time.Duration(to) })
	}
	return all
}

// Which platforms refuse a video for how it is coded or large, and in which words. What a file doesn't say is no reason.
func TestCodingsOfPlatforms(t *testing.T) {
	change := func(change func(c *Coding)) func(m *PostMedia) { return func(m *PostMedia) { change(&m.Coding) } }
	size := func(w, h int) func(m *PostMedia) { return func(m *PostMedia) { m.Width, m.Height = w, h } }
	onMeta := []Platform{Threads, Instagram}
	onX := "media[0]: med_1: the %s; X takes %s."
	for name, tt := range map[string]struct {
		set     func(m *PostMedia)
		refused []Platform
		x       string // of the problem on X
	}{
		"nothing known":        {change(func(c *Coding) { *c = Coding{} }), nil, ""},
		"HEVC, 10 bits":        {change(func(c *Coding) { c.Codec, c.Bits = CodecHEVC, 10 }), []Platform{Twitter}, "video codec is HEVC|H.264.\nmedia[0]: med_1: the bit depth is 10; X takes 8 at most"},
		"H.264, 10 bits":       {change(func(c *Coding) { c.Bits = 10 }), []Platform{Twitter}, "bit depth is 10|8 at most"},
		"4:4:4":                {change(func(c *Coding) { c.Subsampling = Subsampling444 }), append(onMeta, Twitter), "chroma subsampling is 4:4:4|4:2:0"},
		"interlaced":           {change(func(c *Coding) { c.Interlaced = true }), append(onMeta, Twitter), "scan is interlaced|progressive videos"},
		"240 frames a second":  {change(func(c *Coding) { c.FrameRate = 240 }), append(onMeta, Twitter, LinkedIn, Mastodon, TikTok), "frame rate is 240|60 frames a second at most"},
		"60.2 frames a second": {change(func(c *Coding) { c.FrameRate = 60.2 }), nil, ""},
		"23.976":               {change(func(c *Coding) { c.FrameRate = 23.976 }), nil, ""},
		"12 frames a second":   {change(func(c *Coding) { c.FrameRate = 12 }), append(onMeta, TikTok), ""},
		"HE-AAC":               {change(func(c *Coding) { c.AudioCodec = AudioHEAAC }), []Platform{Twitter}, "audio codec is HE-AAC|AAC-LC"},
		"5.1":                  {change(func(c *Coding) { c.Channels = 6 }), append(onMeta, Twitter), "number of audio channels is 6|2 at most"},
		"no sound":             {change(func(c *Coding) { c.AudioCodec, c.SampleRate, c.Channels = "", 0, 0 }), nil, ""},
		"1,080 lines":          {size(1920, 1080), []Platform{Twitter}, "frame is 1920 × 1080|1280 × 1024 at most, or 1024 × 1280"},
		"upright":              {size(720, 1280), nil, ""},
		"upright, 2,160 wide":  {size(2160, 3840), append(onMeta, Twitter), "frame is 2160 × 3840|1280 × 1024 at most, or 1024 × 1280"},
		"HEVC, 4:4:4": {
			change(func(c *Coding) { c.Codec, c.Subsampling = CodecHEVC, Subsampling444 }), append(onMeta, Twitter),
			"video codec is HEVC|H.264.\nmedia[0]: med_1: the chroma subsampling is 4:4:4; X takes 4:2:0",
		},
		"16 by 16": {size(16, 16), []Platform{Twitter, LinkedIn, TikTok}, "frame is 16 × 16|32 × 32 at least"},
	} {
		for _, c := range AllCapabilities() {
			if !c.Media.Takes(MediaVideo) {
				continue
			}
			m := sound(c, MediaVideo)
			tt.set(&m)
			got := about(c, []PostMedia{m}, 1)
			if refused := slices.Contains(tt.refused, c.Platform); (got != "") != refused {
				t.Errorf("%s on %s: got %q", name, c.Platform, got)
			}
			if is, takes, ok := strings.Cut(tt.x, "|"); ok && c.Platform == Twitter && got != fmt.Sprintf(onX, is, takes) {
				t.Errorf("%s on X: got %q", name, got)
			}
		}
	}
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
