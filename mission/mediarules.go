package mission

import "time"

// Content types of files.
const (
	TypeJPEG = "image/jpeg"
	TypePNG  = "image/png"
	TypeGIF  = "image/gif"
	TypeWebP = "image/webp"
	TypeHEIC = "image/heic"
	TypeMP4  = "video/mp4"
	TypeMOV  = "video/quicktime"
)

const (
	megabyte = 1_000_000
	mebibyte = 1 << 20
)

var (
	jpegs     = []string{TypeJPEG}
	jpegOrPNG = []string{TypeJPEG, TypePNG}
	mp4Only   = []string{TypeMP4}
	mp4OrMOV  = []string{TypeMP4, TypeMOV}
)

// metaCoding is what Instagram and Threads take (their references, "Video specifications").
var metaCoding = CodingRules{
	Codecs: []VideoCodec{CodecH264, CodecHEVC}, Subsamplings: []Subsampling{Subsampling420}, Progressive: true,
	MinFrameRate: 23, MaxFrameRate: 60, MaxBitRate: 25_000_000, MaxSampleRate: 48_000, MaxAudioChannels: 2,
}

// mediaRules: limits as the platforms document them (platform-apis.md, "Media: the platforms'
// limits"). A server of Mastodon may have others; these are those of a new one. Where a
// platform states no bound of a picture's bytes, the service's own holds.
var mediaRules = map[Platform]MediaRules{
	Twitter: {
		Images: 4, Animations: 1, Videos: 1, AltText: 1_000,
		Image:     PictureRules{Types: jpegOrPNG, MaxBytes: 5 * megabyte, MaxSide: 8_192},
		Animation: AnimationRules{MaxBytes: 15 * megabyte, MaxWidth: 1280, MaxHeight: 1080, MaxFrames: 350, MaxPixels: 300_000_000},
		Video: VideoRules{
			Types: mp4OrMOV, MaxBytes: 512 * megabyte, MinDuration: 500 * time.Millisecond, MaxDuration: 140 * time.Second,
			MinRatio: 1.0 / 3, MaxRatio: 3, MinSide: 32, MaxLongSide: 1280, MaxShortSide: 1024,
			CodingRules: CodingRules{
				Codecs: []VideoCodec{CodecH264}, Subsamplings: []Subsampling{Subsampling420}, MaxBits: 8, Progressive: true,
				MaxFrameRate: 60, AudioCodecs: []AudioCodec{AudioAACLC}, MaxAudioChannels: 2,
			},
		},
	},
	LinkedIn: {
		Images: 20, Animations: 1, Videos: 1, AltText: 4_086,
		Image:     PictureRules{Types: jpegOrPNG, MaxBytes: MaxPictureBytes, MaxPixels: 36_152_319},
		Animation: AnimationRules{MaxFrames: 250},
		// Sides, ratios and frame rates are those of its help pages.
		Video: VideoRules{
			Types: mp4Only, MinBytes: 75_000, MaxBytes: 500 * megabyte, MinDuration: 3 * time.Second, MaxDuration: 30 * time.Minute,
			MinRatio: 1 / 2.4, MaxRatio: 2.4, MinSide: 144, MaxLongSide: 4_096, MaxShortSide: 2_304,
			CodingRules: CodingRules{MinFrameRate: 10, MaxFrameRate: 60},
		},
	},
	Mastodon: {
		Images: 4, Animations: 1, Videos: 1, AltText: 1_500,
		Image:     PictureRules{Types: jpegOrPNG, MaxBytes: 16 * mebibyte, MaxPixels: 33_177_600},
		Animation: AnimationRules{MaxBytes: 16 * mebibyte},
		Video:     VideoRules{Types: mp4OrMOV, MaxBytes: 99 * mebibyte, MaxPixels: 8_294_400, CodingRules: CodingRules{MaxFrameRate: 120}},
	},
	Bluesky: {
		Images: 10, Videos: 1, AltText: 2_000,
		Image: PictureRules{Types: jpegOrPNG, MaxBytes: 2 * megabyte, MaxSide: 4_096},
		Video: VideoRules{Types: mp4Only, MaxBytes: 300 * megabyte, MaxDuration: 3 * time.Minute},
	},
	Threads: {
		Images: 20, Videos: 20, Mixed: true, AltText: 1_000,
		Image: PictureRules{Types: jpegOrPNG, MaxBytes: 8 * megabyte, MaxSide: 1440, MaxRatio: 10},
		Video: VideoRules{
			Types: mp4OrMOV, MaxBytes: 1_000 * megabyte, MaxDuration: 5 * time.Minute, MinRatio: 0.01, MaxRatio: 10, MaxWidth: 1_920,
			CodingRules: metaCoding,
		},
	},
	Instagram: {
		Images: 10, Videos: 10, Required: true, Mixed: true, AltText: 1_000,
		Image: PictureRules{Types: jpegs, MaxBytes: 8 * megabyte, MaxSide: 1440, MinRatio: 4.0 / 5, MaxRatio: 1.91},
		Video: VideoRules{
			Types: mp4OrMOV, MaxBytes: 300 * megabyte, MinDuration: 3 * time.Second, MaxDuration: 15 * time.Minute, MaxWidth: 1_920,
			CodingRules: metaCoding,
		},
	},
	Facebook: {
		Images: 10, Videos: 1, AltText: 1_000,
		Image: PictureRules{Types: jpegOrPNG, MaxBytes: 10 * megabyte, MaxSide: 2_048},
		Video: VideoRules{Types: mp4OrMOV},
	},
	// Discord takes 10 MiB a file and 25 MiB a message: ten pictures of this size.
	Discord: {
		Images: 10, Animations: 1, Videos: 1, AltText: 1_024,
		Image:     PictureRules{Types: jpegOrPNG, MaxBytes: 2_600_000},
		Animation: AnimationRules{MaxBytes: 10 * mebibyte},
		Video:     VideoRules{Types: mp4OrMOV, MaxBytes: 10 * mebibyte},
	},
	TikTok: {
		Images: 35, Videos: 1,
		Image: PictureRules{Types: jpegs, MaxBytes: 20 * megabyte, MaxSide: 1_920},
		Video: VideoRules{
			Types: mp4OrMOV, MaxDuration: 10 * time.Minute, MinSide: 360, MaxLongSide: 4_096,
			CodingRules: CodingRules{Codecs: []VideoCodec{CodecH264, CodecHEVC}, MinFrameRate: 23, MaxFrameRate: 60},
		},
	},
	YouTube: {Videos: 1, Video: VideoRules{Types: mp4OrMOV}},
	Telegram: { // an album, or one file; width and height are 10,000 together at most
		Images: 10, Animations: 1, Videos: 10, Mixed: true,
		Image:     PictureRules{Types: jpegOrPNG, MaxBytes: 10 * megabyte, MaxSide: 5_000, MinRatio: 1.0 / 20, MaxRatio: 20},
		Animation: AnimationRules{MaxBytes: 50 * megabyte},
		Video:     VideoRules{Types: mp4Only, MaxBytes: 50 * megabyte},
	},
	Pinterest: {
		Images: 5, AltText: 500,
		Image: PictureRules{Types: jpegOrPNG, MaxBytes: 10 * megabyte, MaxSide: 4_096},
	},
	// A site has limits of its own, often of 2 MB for a file and more; it scales pictures itself.
	WordPress: {
		Images: 20, Animations: 1, AltText: 2_000,
		Image: PictureRules{Types: jpegOrPNG, MaxBytes: 2 * megabyte, MaxSide: 2_560}, Animation: AnimationRules{MaxBytes: 2 * megabyte},
	},
	// The alt text of the first picture, which is the article's own, has 191 characters at most.
	Ghost: {
		Images: 20, Animations: 1, AltText: 191,
		Image: PictureRules{Types: jpegOrPNG, MaxBytes: 5 * megabyte, MaxSide: 4_096}, Animation: AnimationRules{MaxBytes: 5 * megabyte},
	},
}

func withMedia(all []Capabilities) []Capabilities {
	for i := range all {
		all[i].Media = mediaRules[all[i].Platform]
	}
	return all
}
