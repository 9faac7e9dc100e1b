package mission

import (
	"context"
	"io"
	"slices"
	"time"
)

// MediaKind is what a file is.
type MediaKind string

// The kinds of files.
const (
	MediaImage     MediaKind = "image"
	MediaAnimation MediaKind = "animation" // a GIF of several frames
	MediaVideo     MediaKind = "video"
)

// MediaLink is the kind of a link's card (see LinkFile), which nobody uploads.
const MediaLink MediaKind = "link"

// AllMediaKinds lists the kinds of files.
func AllMediaKinds() []MediaKind { return []MediaKind{MediaImage, MediaAnimation, MediaVideo} }

// MediaStatus is the state of a file.
type MediaStatus string

// The states of a file. Its row is there before its bytes and after them.
const (
	// MediaUploading: its bytes haven't all arrived. It is shown to nobody.
	MediaUploading  MediaStatus = "uploading"
	MediaProcessing MediaStatus = "processing"
	MediaReady      MediaStatus = "ready"
	MediaFailed     MediaStatus = "failed"
	// MediaDeleting: it was deleted, and its bytes are about to be. It is shown to nobody.
	MediaDeleting MediaStatus = "deleting"
)

// ShownMediaStatuses lists the states that a list can be filtered by.
func ShownMediaStatuses() []MediaStatus {
	return []MediaStatus{MediaProcessing, MediaReady, MediaFailed}
}

// Bounds of files (people.md, "Media").
const (
	MaxPictureBytes = 20 << 20
	MaxVideoBytes   = 512 << 20
	// MaxAltText and MaxMediaDescription are in characters.
	MaxAltText          = 4_086
	MaxMediaDescription = 2_000
	// MaxSourceType and MaxContentType are in characters.
	MaxSourceType  = 60
	MaxContentType = 60
	// UploadLife is how long an upload may take: what hasn't arrived by then is removed.
	UploadLife = time.Hour
)

// MediaQuota returns how many bytes may be stored for the files of a tenant with a plan together.
func MediaQuota(p TenantPlan) int64 {
	const gib = 1 << 30
	switch p {
	case PlanEnterprise:
		return 200 * gib
	case PlanPro:
		return 20 * gib
	default:
		return gib
	}
}

// Media is a picture or a video that a tenant has uploaded.
type Media struct {
	ID       string `bun:",pk"`
	TenantID string
	// Kind is "" until it is known.
	Kind MediaKind
	// ContentType is what the bytes are; until they were looked at, what the uploader says.
	ContentType string
	// Bytes is the size of the file; until it has arrived what was announced, or 0.
	Bytes int64
	// Stored is how many bytes are stored for it or may be before more are reserved: of what has arrived, is
	// on its way, was made of it and is about to be removed.
	Stored int64
	// Width and Height are in pixels, as people see it; 0 until they are known.
	Width, Height int
	// Duration is how long it plays; 0 for pictures.
	Duration time.Duration `bun:"duration_ms"`
	// Frames is the number of a GIF's frames.
	Frames int
	// Coding is how a video is coded.
	Coding Coding
	// Hash is the SHA-256 of the bytes that were uploaded, in hex; "" until they were read.
	Hash string `bun:"sha256"`
	// Original is where those bytes are; "" until they have arrived.
	Original string
	// AltText is what a post says of it by default to people who don't see it.
	AltText string
	// Description is what it shows, for those who choose pictures: never sent.
	Description string
	Status      MediaStatus
	Error       *Failure
	// Deaths counts the examinations in a row that broke off.
	Deaths     int
	Provenance Provenance
	// Framing is how it is made for platforms that don't take its ratio.
	Framing Framing
	// Variants are the files that are sent, by what platforms take.
	Variants []MediaVariant
	// Earlier are those of earlier framings, which posts that aren't out yet may still send.
	Earlier []MediaVariant
	// Uses is how many posts have it.
	Uses int
	// UploadedBy is the user; "" for a key without one. CreatedBy is the user, the API key or the agent; "" if that isn't known.
	UploadedBy string `bun:",nullzero"`
	CreatedBy  string `bun:",nullzero"`
	// ExpiresAt is when an upload ends; nil once its bytes have arrived.
	ExpiresAt            *time.Time
	CreatedAt, UpdatedAt time.Time
}

// AIProvenance says whether a file was made by a model.
type AIProvenance string

// What is known of a file's making.
const (
	AINone     AIProvenance = "none"     // nothing says so
	AIDeclared AIProvenance = "declared" // a person says so
	AIDetected AIProvenance = "detected" // the file says so
)

// Provenance is where a file comes from.
type Provenance struct {
	AI AIProvenance `json:"ai"`
	// SourceType is IPTC's DigitalSourceType, the last part of its address; "" if the file has
	// none.
	SourceType string `json:"source_type,omitempty"`
	// C2PA reports whether the uploaded file has a C2PA manifest. It isn't verified.
	C2PA bool `json:"c2pa,omitempty"`
	// Credit and Copyright are the file's own, bounded.
	Credit    string `json:"credit,omitempty"`
	Copyright string `json:"copyright,omitempty"`
}

// syntheticSources are the source types of what a model made (IPTC NewsCodes,
// "digitalsourcetype").
var syntheticSources = []string{"trainedAlgorithmicMedia", "compositeSynthetic", "compositeWithTrainedAlgorithmicMedia", "algorithmicMedia"}

// Synthetic reports whether a source type says that a model made the file or a part of it.
func Synthetic(sourceType string) bool { return slices.Contains(syntheticSources, sourceType) }

// MediaVariant is a file that is sent for a medium: what was uploaded, without what is private,
// as some platforms take it.
type MediaVariant struct {
	Platforms []Platform `json:"platforms"`
	// Key is where its bytes are, Hash their SHA-256 in hex.
	Key         string `json:"key"`
	Hash        string `json:"hash"`
	ContentType string `json:"content_type"`
	Bytes       int64  `json:"bytes"`
	Width       int    `json:"width"`
	Height      int    `json:"height"`
}

// Usable reports whether posts can be given the file: also one that is made anew has what was made
// before.
func (m Media) Usable() bool {
	return m.Status == MediaReady || m.Status == MediaProcessing && len(m.Variants) > 0
}

// Made returns the variant with a hash, also one of an earlier framing; ok is false if there is
// none.
func (m Media) Made(hash string) (v MediaVariant, ok bool) {
	for _, v := range slices.Concat(m.Variants, m.Earlier) {
		if v.Hash == hash {
			return v, true
		}
	}
	return v, false
}

// Variant returns the file that is sent to a platform; ok is false if there is none.
func (m Media) Variant(p Platform) (v MediaVariant, ok bool) {
	i := slices.IndexFunc(m.Variants, func(v MediaVariant) bool { return slices.Contains(v.Platforms, p) })
	if i < 0 {
		return MediaVariant{}, false
	}
	return m.Variants[i], true
}

// PostMedia is a file of a post's revision: the very bytes that go out.
type PostMedia struct {
	MediaID string `json:"media_id"`
	// Part is the index of the part that has it, from 0.
	Part    int       `json:"part,omitempty"`
	Kind    MediaKind `json:"kind"`
	AltText string    `json:"alt_text,omitempty"`
	// Key is where its bytes are, Hash their SHA-256 in hex.
	Key         string        `json:"key"`
	Link        string        `json:"link,omitempty"` // of a link's card: the link, as the post has it; Key is where it leads
	Hash        string        `json:"hash"`
	ContentType string        `json:"content_type"`
	Bytes       int64         `json:"bytes"`
	Width       int           `json:"width"`
	Height      int           `json:"height"`
	Duration    time.Duration `json:"duration,omitempty"`
	Frames      int           `json:"frames,omitempty"` // of a GIF
	Coding      Coding        `json:"coding,omitzero"`  // of a video
	// FocusX and FocusY are what is shown where the platform cuts a picture, from -1 to 1, from the
	// left and from the bottom; 0 is the middle.
	FocusX float64 `json:"focus_x,omitempty"`
	FocusY float64 `json:"focus_y,omitempty"`
	// Provenance is the file's when the post was given it.
	Provenance Provenance `json:"provenance,omitzero"`
}

// File is a file to be sent to a platform.
type File struct {
	PostMedia

	// Address is where a platform may fetch it, for as long as Content.Fetchable says; "" if
	// platforms can't reach the service.
	Address string
	// Open opens its bytes, of which there are PostMedia.Bytes.
	Open func(ctx context.Context) (io.ReadCloser, error)
}

// UploadState is how far a file has come on a platform.
type UploadState string

// The states of uploads.
const (
	UploadNew        UploadState = ""           // the platform knows nothing of it
	UploadSending    UploadState = "sending"    // some of its bytes are there
	UploadProcessing UploadState = "processing" // all are, and the platform works on them
	UploadReady      UploadState = "ready"      // a post can have it
)

// Upload is a file on a platform that no post has yet, so that nobody sees it.
type Upload struct {
	// Hash is that of the file, AltText what was said of it.
	Hash    string `json:"hash"`
	AltText string `json:"alt_text,omitempty"`
	// ID is what the platform calls it. Address and Tags are what it wants the next bytes sent
	// to, and what it said of those that were sent.
	ID      string      `json:"id,omitempty"`
	State   UploadState `json:"state,omitempty"`
	Address string      `json:"address,omitempty"`
	Tags    []string    `json:"tags,omitempty"`
	// Later are the addresses of the bytes after the next, where each part has its own; Token is
	// what the platform wants to be told once all were sent.
	Later []string `json:"later,omitempty"`
	Token string   `json:"token,omitempty"`
	// Sent is how many bytes were sent.
	Sent int64 `json:"sent,omitempty"`
	// Described reports whether the platform was told the alt text.
	Described bool `json:"described,omitempty"`
	// Wait is how long to wait before the next step.
	Wait time.Duration `json:"wait,omitempty"`
	// BegunAt is when the upload began.
	BegunAt *time.Time `json:"begun_at,omitempty"`
	// ExpiresAt is when the platform forgets it; nil if it doesn't say. Lasts is how long from a step
	// on it doesn't; 0 if that step changes nothing about it.
	ExpiresAt *time.Time    `json:"expires_at,omitempty"`
	Lasts     time.Duration `json:"-"`
}

// MediaRules are what a platform takes of files (platform-apis.md, "Media: the platforms'
// limits").
type MediaRules struct {
	// Images, Animations and Videos are how many a part of a post can have, if it has no other
	// kind; 0 is none.
	Images, Animations, Videos int
	// Required reports whether it takes no post without a file.
	Required bool
	// Mixed reports whether a part may have pictures and videos together, as many as of one kind.
	Mixed bool
	// AltText is the longest alt text, in characters; 0 if there are none.
	AltText int
	// Image is what a picture must be, Animation and Video the others.
	Image     PictureRules
	Animation AnimationRules
	Video     VideoRules
}

// PictureRules are what a platform takes of pictures; 0 is no bound.
type PictureRules struct {
	// Types are the content types.
	Types    []string
	MaxBytes int64
	// MaxPixels bounds width times height, MaxSide each.
	MaxPixels int64
	MaxSide   int
	// MinRatio and MaxRatio bound the width divided by the height.
	MinRatio, MaxRatio float64
}

// AnimationRules are what a platform takes of GIFs; 0 is no bound.
type AnimationRules struct {
	MaxBytes            int64
	MaxWidth, MaxHeight int
	MaxFrames           int
	// MaxPixels bounds width times height times the number of frames.
	MaxPixels int64
}

// VideoRules are what a platform takes of videos; 0 is no bound.
type VideoRules struct {
	Types                    []string
	MinBytes, MaxBytes       int64
	MinDuration, MaxDuration time.Duration
	MinRatio, MaxRatio       float64
	MaxPixels                int64
	// MinSide bounds each side, in pixels; MaxLongSide and MaxShortSide the longer and the shorter one,
	// whichever way up; MaxWidth the width alone.
	MinSide, MaxLongSide, MaxShortSide, MaxWidth int
	CodingRules
}

// CodingRules are what a platform takes of how a video is coded; 0 and nil are no bound.
type CodingRules struct {
	// Codecs and Subsamplings are those of the pictures, MaxBits how many bits a sample may have.
	Codecs       []VideoCodec
	Subsamplings []Subsampling
	MaxBits      int
	// Progressive reports whether interlaced videos aren't taken.
	Progressive bool
	// MinFrameRate and MaxFrameRate are in whole frames a second.
	MinFrameRate, MaxFrameRate int
	// MaxBitRate is that of the whole file, in bits a second.
	MaxBitRate int64
	// AudioCodecs are those of the sound, MaxSampleRate is in Hz.
	AudioCodecs                     []AudioCodec
	MaxSampleRate, MaxAudioChannels int
}

// Takes reports whether the platform takes files of a kind.
func (r MediaRules) Takes(k MediaKind) bool { return r.most(k) > 0 }

// Equal reports whether the rules allow the same.
func (r PictureRules) Equal(o PictureRules) bool {
	return slices.Equal(r.Types, o.Types) && r.MaxBytes == o.MaxBytes && r.MaxPixels == o.MaxPixels && r.MaxSide == o.MaxSide &&
		r.MinRatio == o.MinRatio && r.MaxRatio == o.MaxRatio
}

// most returns how many files of a kind a part can have.
func (r MediaRules) most(k MediaKind) int {
	return map[MediaKind]int{MediaImage: r.Images, MediaAnimation: r.Animations, MediaVideo: r.Videos}[k]
}
