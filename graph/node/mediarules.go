package node

import "missiond/mission"

// PlatformMedia are the files that a post can have on a platform.
type PlatformMedia struct {
	MaxImages, MaxAnimations, MaxVideos int
	Required, Mixed                     bool
	MaxAltText                          *int
	Image                               PictureRules
	Animation                           AnimationRules
	Video                               VideoRules
}

// PictureRules are what a platform takes of pictures; nil is no bound.
type PictureRules struct {
	Types              []string
	MaxBytes           *float64
	MaxSide            *int
	MaxPixels          *float64
	MinRatio, MaxRatio *float64
}

// AnimationRules are what a platform takes of GIFs of several frames; nil is no bound.
type AnimationRules struct {
	MaxBytes                       *float64
	MaxWidth, MaxHeight, MaxFrames *int
	MaxPixels                      *float64
}

// VideoRules are what a platform takes of videos; nil is no bound.
type VideoRules struct {
	Types                        []string
	MinBytes, MaxBytes           *float64
	MinDurationMs, MaxDurationMs *float64
	MinRatio, MaxRatio           *float64
	MaxPixels                    *float64

	MinSide, MaxLongSide, MaxShortSide, MaxWidth *int

	Codecs, Subsamplings, AudioCodecs []string
	Progressive                       bool
	MaxBits                           *int
	MinFrameRate, MaxFrameRate        *int
	MaxBitRate                        *float64
	MaxSampleRate, MaxAudioChannels   *int
}

// bound returns a bound as it is shown; nil for 0.
func bound[T, N int | int64 | float64](n N) *T {
	if n == 0 {
		return nil
	}
	shown := T(n)
	return &shown
}

// asTexts returns values as they are shown in a list.
func asTexts[T ~string](values []T) []string {
	shown := make([]string, len(values))
	for i, v := range values {
		shown[i] = string(v)
	}
	return shown
}

// NewPlatformMedia returns the rules of a platform's files as shown.
func NewPlatformMedia(r mission.MediaRules) *PlatformMedia {
	i, a, v := r.Image, r.Animation, r.Video
	return &PlatformMedia{
		MaxImages: r.Images, MaxAnimations: r.Animations, MaxVideos: r.Videos, Required: r.Required, Mixed: r.Mixed, MaxAltText: bound[int](r.AltText),
		Image: PictureRules{
			Types: append([]string{}, i.Types...), MaxBytes: bound[float64](i.MaxBytes), MaxSide: bound[int](i.MaxSide),
			MaxPixels: bound[float64](i.MaxPixels), MinRatio: bound[float64](i.MinRatio), MaxRatio: bound[float64](i.MaxRatio),
		},
		Animation: AnimationRules{
			MaxBytes: bound[float64](a.MaxBytes), MaxWidth: bound[int](a.MaxWidth), MaxHeight: bound[int](a.MaxHeight), MaxFrames: bound[int](a.MaxFrames),
			MaxPixels: bound[float64](a.MaxPixels),
		},
		Video: VideoRules{
			Types: append([]string{}, v.Types...), MinBytes: bound[float64](v.MinBytes), MaxBytes: bound[float64](v.MaxBytes),
			MinDurationMs: bound[float64](v.MinDuration.Milliseconds()), MaxDurationMs: bound[float64](v.MaxDuration.Milliseconds()),
			MinRatio: bound[float64](v.MinRatio), MaxRatio: bound[float64](v.MaxRatio), MaxPixels: bound[float64](v.MaxPixels),
			MinSide: bound[int](v.MinSide), MaxLongSide: bound[int](v.MaxLongSide), MaxShortSide: bound[int](v.MaxShortSide), MaxWidth: bound[int](v.MaxWidth),
			Codecs: asTexts(v.Codecs), Subsamplings: asTexts(v.Subsamplings), AudioCodecs: asTexts(v.AudioCodecs), Progressive: v.Progressive,
			MaxBits: bound[int](v.MaxBits), MinFrameRate: bound[int](v.MinFrameRate), MaxFrameRate: bound[int](v.MaxFrameRate),
			MaxBitRate: bound[float64](v.MaxBitRate), MaxSampleRate: bound[int](v.MaxSampleRate), MaxAudioChannels: bound[int](v.MaxAudioChannels),
		},
	}
}
