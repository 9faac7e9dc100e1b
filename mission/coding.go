package mission

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// VideoCodec is how a video's pictures are coded.
type VideoCodec string

// The codecs of pictures that are taken.
const (
	CodecH264 VideoCodec = "h264"
	CodecHEVC VideoCodec = "hevc"
)

// Subsampling is how many samples of color a picture has beside those of brightness.
type Subsampling string

// The kinds of subsampling.
const (
	SubsamplingNone Subsampling = "4:0:0" // no color
	Subsampling420  Subsampling = "4:2:0"
	Subsampling422  Subsampling = "4:2:2"
	Subsampling444  Subsampling = "4:4:4"
)

// AudioCodec is how a video's sound is coded.
type AudioCodec string

// The kinds of AAC.
const (
	AudioAACLC AudioCodec = "aac_lc"
	AudioHEAAC AudioCodec = "he_aac" // high efficiency, of both versions
	AudioAAC   AudioCodec = "aac"    // any other
)

// Coding is how a video is coded, as far as its file says; zero is what isn't known.
type Coding struct {
	Codec       VideoCodec  `json:"codec,omitempty"`
	Subsampling Subsampling `json:"subsampling,omitempty"`
	// Bits is how many bits a sample of a picture has.
	Bits       int  `json:"bits,omitempty"`
	Interlaced bool `json:"interlaced,omitempty"`
	// FrameRate is how many frames a second has on average.
	FrameRate float64 `json:"frame_rate,omitempty"`
	// AudioCodec is "" if there is no sound, too. SampleRate is in Hz.
	AudioCodec AudioCodec `json:"audio_codec,omitempty"`
	SampleRate int        `json:"sample_rate,omitempty"`
	Channels   int        `json:"channels,omitempty"`
}

// AllVideoCodecs lists the codecs of pictures.
func AllVideoCodecs() []VideoCodec { return []VideoCodec{CodecH264, CodecHEVC} }

// AllSubsamplings lists the kinds of subsampling.
func AllSubsamplings() []Subsampling {
	return []Subsampling{SubsamplingNone, Subsampling420, Subsampling422, Subsampling444}
}

// AllAudioCodecs lists the codecs of sound.
func AllAudioCodecs() []AudioCodec { return []AudioCodec{AudioAACLC, AudioHEAAC, AudioAAC} }

// Valid reports whether the coding is one that a file can have.
func (c Coding) Valid() bool {
	return (c.Codec == "" || slices.Contains(AllVideoCodecs(), c.Codec)) &&
		(c.Subsampling == "" || slices.Contains(AllSubsamplings(), c.Subsampling)) &&
		(c.AudioCodec == "" || slices.Contains(AllAudioCodecs(), c.AudioCodec)) &&
		c.Bits >= 0 && c.FrameRate >= 0 && c.SampleRate >= 0 && c.Channels >= 0
}

// coding returns all that is wrong with how a video is coded, as far as that is known.
func (f checkedFile) coding(r CodingRules) []error {
	c := f.Coding
	return []error{
		oneOf(f, "video codec", c.Codec, r.Codecs),
		oneOf(f, "chroma subsampling", c.Subsampling, r.Subsamplings),
		f.atMost("bit depth", c.Bits, r.MaxBits),
		f.progressive(r.Progressive),
		f.frameRate(r.MinFrameRate, r.MaxFrameRate),
		f.bitRate(r.MaxBitRate),
		oneOf(f, "audio codec", c.AudioCodec, r.AudioCodecs),
		f.atMost("audio sample rate", c.SampleRate, r.MaxSampleRate),
		f.atMost("number of audio channels", c.Channels, r.MaxAudioChannels),
	}
}

// oneOf checks that a value that is known is among those that are allowed, if not all are.
func oneOf[T ~string](f checkedFile, rule string, found T, allowed []T) error {
	if found == "" || len(allowed) == 0 || slices.Contains(allowed, found) {
		return nil
	}
	var names []string
	for _, a := range allowed {
		names = append(names, codingName(string(a)))
	}
	return f.wrong(rule, codingName(string(found)), strings.Join(names, ", "))
}

// codingName returns the name by which people know a codec.
func codingName(of string) string { return cmp.Or(codingNames[of], of) }

var codingNames = map[string]string{
	string(CodecH264): "H.264", string(CodecHEVC): "HEVC",
	string(AudioAACLC): "AAC-LC", string(AudioHEAAC): "HE-AAC", string(AudioAAC): "AAC that isn't AAC-LC",
}

func (f checkedFile) atMost(rule string, found, most int) error {
	if most == 0 || found <= most {
		return nil
	}
	return f.wrong(rule, strconv.Itoa(found), fmt.Sprintf("%d at most", most))
}

func (f checkedFile) progressive(only bool) error {
	if !only || !f.Coding.Interlaced {
		return nil
	}
	return f.wrong("scan", "interlaced", "progressive videos")
}

// frameRate checks the frames of a second, to the nearest whole number: cameras measure time too coarsely for more.
func (f checkedFile) frameRate(least, most int) error {
	rate := f.Coding.FrameRate
	whole := math.Round(rate)
	if rate == 0 || whole >= float64(least) && (most == 0 || whole <= float64(most)) {
		return nil
	}
	allowed := fmt.Sprintf("%d to %d frames a second", least, most)
	if least == 0 {
		allowed = fmt.Sprintf("%d frames a second at most", most)
	}
	return f.wrong("frame rate", strconv.FormatFloat(rate, 'f', -1, 64), allowed)
}

// bitRate checks the bits of a second of the whole file.
func (f checkedFile) bitRate(most int64) error {
	if most == 0 || f.Duration == 0 {
		return nil
	}
	rate := int64(float64(f.Bytes) * 8 / f.Duration.Seconds())
	if rate <= most {
		return nil
	}
	return f.wrong("bit rate", strconv.FormatInt(rate, 10), fmt.Sprintf("%d bits a second at most", most))
}
