package mediafile_test

import (
	"testing"
	"time"

	"missiond/internal/testkit"

	"missiond/internal/mediafile/mediatest"
	"missiond/mission"
)

// What platforms' rules ask of a video is read from what its encoder wrote.
func TestCodings(t *testing.T) {
	testkit.SkipIfShort(t)
	plain := mission.Coding{
		Codec: mission.CodecH264, Subsampling: mission.Subsampling420, Bits: 8, FrameRate: 30, AudioCodec: mission.AudioAACLC, SampleRate: 44_100, Channels: 2,
	}
	with := func(change func(c *mission.Coding)) mission.Coding {
		c := plain
		change(&c)
		return c
	}
	hevc := func(s mission.Subsampling, bits int) mission.Coding {
		return with(func(c *mission.Coding) { c.Codec, c.Subsampling, c.Bits = mission.CodecHEVC, s, bits })
	}
	sound := func(codec mission.AudioCodec, rate, channels int) mission.Coding {
		return with(func(c *mission.Coding) { c.AudioCodec, c.SampleRate, c.Channels = codec, rate, channels })
	}
	unknown := with(func(c *mission.Coding) { c.Subsampling, c.Bits = "", 0 })
	for name, tt := range map[string]struct {
		movie mediatest.Movie
		want  mission.Coding
	}{
		"plain":                        {mediatest.Movie{}, plain},
		"no sound":                     {mediatest.Movie{Sound: "-"}, sound("", 0, 0)},
		"the index last":               {mediatest.Movie{Last: true}, plain},
		"H.264 with scales":            {mediatest.Movie{Pictures: mediatest.H264Scaled}, plain},
		"H.264, main profile":          {mediatest.Movie{Pictures: mediatest.H264Main}, plain},
		"H.264, grey":                  {mediatest.Movie{Pictures: mediatest.H264Grey}, with(func(c *mission.Coding) { c.Subsampling = mission.SubsamplingNone })},
		"H.264, 4:2:2":                 {mediatest.Movie{Pictures: mediatest.H264In422}, with(func(c *mission.Coding) { c.Subsampling = mission.Subsampling422 })},
		"H.264, 4:4:4":                 {mediatest.Movie{Pictures: mediatest.H264In444}, with(func(c *mission.Coding) { c.Subsampling = mission.Subsampling444 })},
		"H.264, 10 bits":               {mediatest.Movie{Pictures: mediatest.H264Deep}, with(func(c *mission.Coding) { c.Bits = 10 })},
		"H.264, interlaced":            {mediatest.Movie{Pictures: mediatest.H264Fields}, with(func(c *mission.Coding) { c.Interlaced = true })},
		"H.264 that ends early":        {mediatest.Movie{Pictures: mediatest.Box("avcC", []byte("\x01\x64\x00\x0d\xff\xe1\x00\x06\x67\x64\x00\x0d\xac\xd9\x01\x00\x01\x68"))}, unknown},
		"H.264 without its parameters": {mediatest.Movie{Pictures: mediatest.Box("avcC", []byte{1, 100, 0, 13, 0xff, 0xe0})}, unknown},
		"HEVC":                         {mediatest.Movie{Format: "hvc1", Pictures: mediatest.HEVC}, hevc(mission.Subsampling420, 8)},
		"HEVC with its parameters in the samples": {mediatest.Movie{Format: "hev1", Pictures: mediatest.HEVC}, hevc(mission.Subsampling420, 8)},
		"HEVC, 10 bits":        {mediatest.Movie{Format: "hvc1", Pictures: mediatest.HEVCDeep}, hevc(mission.Subsampling420, 10)},
		"HEVC, 12 bits, 4:2:2": {mediatest.Movie{Format: "hvc1", Pictures: mediatest.HEVCIn422}, hevc(mission.Subsampling422, 12)},
		"HEVC, interlaced": {
			mediatest.Movie{Format: "hvc1", Pictures: mediatest.HEVCFields},
			with(func(c *mission.Coding) { c.Codec, c.Interlaced = mission.CodecHEVC, true }),
		},
		"HEVC that ends early": {mediatest.Movie{Format: "hvc1", Pictures: mediatest.Box("hvcC", mediatest.HEVC[8:20])}, hevc("", 0)},
		"120 frames a second":  {mediatest.Movie{FrameRate: 120}, with(func(c *mission.Coding) { c.FrameRate = 120 })},
		"fragments":            {mediatest.Movie{Fragments: 4}, with(func(c *mission.Coding) { c.FrameRate = 1 })}, // 8 samples in 8 s
		"96 kHz":               {mediatest.Movie{AAC: []byte{0x10, 0x10}}, sound(mission.AudioAACLC, 96_000, 2)},
		"5.1":                  {mediatest.Movie{AAC: []byte{0x12, 0x30}}, sound(mission.AudioAACLC, 44_100, 6)},
		"a stated rate":        {mediatest.Movie{AAC: []byte{0x17, 0x80, 0x5d, 0xc0, 0x08}}, sound(mission.AudioAACLC, 48_000, 1)},
		"HE-AAC":               {mediatest.Movie{AAC: []byte{0x2b, 0x11, 0x88, 0x00}}, sound(mission.AudioHEAAC, 24_000, 2)},
		"AAC of another kind":  {mediatest.Movie{AAC: []byte{0x0a, 0x10}}, sound(mission.AudioAAC, 44_100, 2)},
		"AAC that ends early":  {mediatest.Movie{AAC: []byte{0x12}}, sound("", 0, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			tt.movie.Duration, tt.movie.Width, tt.movie.Height = 8*time.Second, 320, 240
			if res, _ := processed(t, tt.movie.Bytes()); res.Coding != tt.want {
				t.Errorf("got %+v, want %+v", res.Coding, tt.want)
			}
		})
	}
}
