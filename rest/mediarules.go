package rest

import "missiond/mission"

type shownPictureRules struct {
	Types     []string `json:"types" doc:"What it is sent; what can't be sent as it is is made anew" example:"image/jpeg"`
	MaxBytes  *int64   `json:"max_bytes" doc:"null for no bound but the service's" example:"5000000"`
	MaxSide   *int     `json:"max_side" doc:"The greatest width and height, in pixels; null for no bound" example:"8192"`
	MaxPixels *int64   `json:"max_pixels" doc:"The greatest width times height; null for no bound" example:"33177600"`
	MinRatio  *float64 `json:"min_ratio" doc:"The least width divided by height; null for no bound" example:"0.8"`
	MaxRatio  *float64 `json:"max_ratio" doc:"The greatest width divided by height; null for no bound" example:"1.91"`
}

type shownAnimationRules struct {
	MaxBytes  *int64 `json:"max_bytes" doc:"null for no bound but the service's" example:"15000000"`
	MaxWidth  *int   `json:"max_width" doc:"In pixels; null for no bound" example:"1280"`
	MaxHeight *int   `json:"max_height" doc:"In pixels; null for no bound" example:"1080"`
	MaxFrames *int   `json:"max_frames" doc:"null for no bound" example:"350"`
	MaxPixels *int64 `json:"max_pixels" doc:"The greatest width times height times the number of frames; null for no bound" example:"300000000"`
}

type shownVideoRules struct {
	Types            []string              `json:"types" doc:"What it takes" example:"video/mp4"`
	MinBytes         *int64                `json:"min_bytes" doc:"null for no bound" example:"75000"`
	MaxBytes         *int64                `json:"max_bytes" doc:"null for no bound but the service's" example:"512000000"`
	MinDurationMS    *int64                `json:"min_duration_ms" doc:"null for no bound" example:"500"`
	MaxDurationMS    *int64                `json:"max_duration_ms" doc:"null for no bound" example:"140000"`
	MinRatio         *float64              `json:"min_ratio" doc:"The least width divided by height; null for no bound" example:"0.33"`
	MaxRatio         *float64              `json:"max_ratio" doc:"The greatest width divided by height; null for no bound" example:"3"`
	MaxPixels        *int64                `json:"max_pixels" doc:"The greatest width times height; null for no bound" example:"8294400"`
	MinSide          *int                  `json:"min_side" doc:"The least width and height, in pixels; null for no bound" example:"32"`
	MaxLongSide      *int                  `json:"max_long_side" doc:"The greatest of the longer side, whichever way up, in pixels; null for no bound" example:"1280"`
	MaxShortSide     *int                  `json:"max_short_side" doc:"The greatest of the shorter side, in pixels; null for no bound" example:"1024"`
	MaxWidth         *int                  `json:"max_width" doc:"In pixels; null for no bound" example:"1920"`
	Codecs           []mission.VideoCodec  `json:"codecs" doc:"How its pictures may be coded; empty for all that the service takes" example:"h264"`
	Subsamplings     []mission.Subsampling `json:"subsamplings" doc:"How its color may be sampled; empty for all" example:"4:2:0"`
	MaxBits          *int                  `json:"max_bits" doc:"The most bits of a sample of a picture; null for no bound" example:"8"`
	Progressive      bool                  `json:"progressive" doc:"Whether interlaced videos aren't taken" example:"true"`
	MinFrameRate     *int                  `json:"min_frame_rate" doc:"In whole frames a second; null for no bound" example:"23"`
	MaxFrameRate     *int                  `json:"max_frame_rate" doc:"In whole frames a second; null for no bound" example:"60"`
	MaxBitRate       *int64                `json:"max_bit_rate" doc:"Of the whole file, in bits a second; null for no bound" example:"25000000"`
	AudioCodecs      []mission.AudioCodec  `json:"audio_codecs" doc:"How its sound may be coded; empty for all that the service takes" example:"aac_lc"`
	MaxSampleRate    *int                  `json:"max_sample_rate" doc:"Of its sound, in Hz; null for no bound" example:"48000"`
	MaxAudioChannels *int                  `json:"max_audio_channels" doc:"null for no bound" example:"2"`
}

type shownMediaRules struct {
	MaxImages     int                 `json:"max_images" doc:"How many pictures; 0 if it takes none" example:"4"`
	MaxAnimations int                 `json:"max_animations" doc:"How many GIFs of several frames" example:"1"`
	MaxVideos     int                 `json:"max_videos" doc:"How many videos" example:"1"`
	Required      bool                `json:"required" doc:"Whether it takes no post without a file" example:"false"`
	Mixed         bool                `json:"mixed" doc:"Whether kinds may be mixed" example:"false"`
	MaxAltText    *int                `json:"max_alt_text" doc:"The longest alt text, in characters; null if there is none" example:"1000"`
	Image         shownPictureRules   `json:"image" doc:"Pictures"`
	Animation     shownAnimationRules `json:"animation" doc:"GIFs of several frames"`
	Video         shownVideoRules     `json:"video" doc:"Videos"`
}

func showMediaRules(r mission.MediaRules) shownMediaRules {
	return shownMediaRules{
		MaxImages: r.Images, MaxAnimations: r.Animations, MaxVideos: r.Videos, Required: r.Required, Mixed: r.Mixed, MaxAltText: positive(r.AltText),
		Image: shownPictureRules{
			Types: append([]string{}, r.Image.Types...), MaxBytes: positive(r.Image.MaxBytes), MaxSide: positive(r.Image.MaxSide),
			MaxPixels: positive(r.Image.MaxPixels), MinRatio: positive(r.Image.MinRatio), MaxRatio: positive(r.Image.MaxRatio),
		},
		Animation: shownAnimationRules{
			MaxBytes: positive(r.Animation.MaxBytes), MaxWidth: positive(r.Animation.MaxWidth), MaxHeight: positive(r.Animation.MaxHeight),
			MaxFrames: positive(r.Animation.MaxFrames), MaxPixels: positive(r.Animation.MaxPixels),
		},
		Video: shownVideoRules{
			Types: append([]string{}, r.Video.Types...), MinBytes: positive(r.Video.MinBytes), MaxBytes: positive(r.Video.MaxBytes), MinDurationMS: positive(r.Video.MinDuration.Milliseconds()),
			MaxDurationMS: positive(r.Video.MaxDuration.Milliseconds()), MinRatio: positive(r.Video.MinRatio), MaxRatio: positive(r.Video.MaxRatio),
			MaxPixels: positive(r.Video.MaxPixels), MinSide: positive(r.Video.MinSide), MaxLongSide: positive(r.Video.MaxLongSide),
			MaxShortSide: positive(r.Video.MaxShortSide), MaxWidth: positive(r.Video.MaxWidth),
			Codecs: append([]mission.VideoCodec{}, r.Video.Codecs...), Subsamplings: append([]mission.Subsampling{}, r.Video.Subsamplings...), MaxBits: positive(r.Video.MaxBits),
			Progressive: r.Video.Progressive, MinFrameRate: positive(r.Video.MinFrameRate), MaxFrameRate: positive(r.Video.MaxFrameRate), MaxBitRate: positive(r.Video.MaxBitRate),
			AudioCodecs: append([]mission.AudioCodec{}, r.Video.AudioCodecs...), MaxSampleRate: positive(r.Video.MaxSampleRate), MaxAudioChannels: positive(r.Video.MaxAudioChannels),
		},
	}
}
