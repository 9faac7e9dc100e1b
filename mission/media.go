package mission

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// MediaKind is what a file is.
type MediaKind string

// The kinds of files.
const (
	MediaImage     MediaKind = "image"
	MediaAnimation MediaKind = "animation" // a GIF of several frames
	MediaVideo     MediaKind = "video"
)

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

// MediaQuota returns how many bytes the files of a tenant with a plan may have together.
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
	ID, TenantID string
	// Kind is "" until it is known.
	Kind MediaKind
	// ContentType is what the bytes are; until they were looked at, what the uploader says.
	ContentType string
	// Bytes is the size of the file; 0 until it has arrived.
	Bytes int64
	// Width and Height are in pixels, as people see it; 0 until they are known.
	Width, Height int
	// Duration is how long it plays; 0 for pictures.
	Duration time.Duration
	// Hash is the SHA-256 of the bytes that were uploaded, in hex; "" until they were read.
	Hash string
	// Original is where those bytes are; "" until they have arrived.
	Original string
	// AltText is what a post says of it by default to people who don't see it.
	AltText string
	// Description is what it shows, for those who choose pictures: never sent.
	Description string
	Status      MediaStatus
	Error       *Failure
	Provenance  Provenance
	// Variants are the files that are sent, by what platforms take.
	Variants []MediaVariant
	// Uses is how many posts have it.
	Uses int
	// UploadedBy is the user; "" for a key without one.
	UploadedBy string
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
	Hash        string        `json:"hash"`
	ContentType string        `json:"content_type"`
	Bytes       int64         `json:"bytes"`
	Width       int           `json:"width"`
	Height      int           `json:"height"`
	Duration    time.Duration `json:"duration,omitempty"`
}

// File is a file to be sent to a platform.
type File struct {
	PostMedia

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
	// ExpiresAt is when the platform forgets it; nil if it doesn't say.
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
}

// MediaRules are what a platform takes of files (platform-apis.md, "Media: the platforms'
// limits").
type MediaRules struct {
	// Images, Animations and Videos are how many a part of a post can have, if it has no other
	// kind; 0 is none.
	Images, Animations, Videos int
	// Mixed reports whether a part may have several kinds.
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
}

// VideoRules are what a platform takes of videos; 0 is no bound.
type VideoRules struct {
	Types                    []string
	MinBytes, MaxBytes       int64
	MinDuration, MaxDuration time.Duration
	MinRatio, MaxRatio       float64
	MaxPixels                int64
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

// CheckMedia returns what a platform doesn't take of a post's files: each problem names the
// file, the rule, what was found and what is allowed. texts is how many parts the post has.
func (c Capabilities) CheckMedia(param string, media []PostMedia, texts int) (found Problems) {
	counts := make([]map[MediaKind]int, max(texts, 1))
	for i, m := range media {
		at := fmt.Sprintf("%s[%d]", param, i)
		if m.Part < 0 || m.Part >= len(counts) {
			found.add(Invalid(at+".part", "%s is for part %d, but the post has %d.", m.MediaID, m.Part, len(counts)))
			continue
		}
		if counts[m.Part] == nil {
			counts[m.Part] = map[MediaKind]int{}
		}
		n := counts[m.Part]
		n[m.Kind]++
		most := c.Media.most(m.Kind)
		switch {
		case most == 0:
			found.add(Invalid(at, "%s is %s, which %s doesn't take.", m.MediaID, m.Kind.phrase(1), c.Platform.Name()))
			continue
		case n[m.Kind] > most:
			found.add(Invalid(at, "%s is number %d: %s takes %s a post.", m.MediaID, n[m.Kind], c.Platform.Name(), m.Kind.phrase(most)))
		case len(n) > 1 && !c.Media.Mixed:
			found.add(Invalid(at, "%s is %s beside another kind of file: %s takes one kind a post.", m.MediaID, m.Kind.phrase(1), c.Platform.Name()))
		}
		found.add(c.checkAltText(at, m), c.checkFile(at, m))
	}
	return found
}

// phrase returns some files of the kind, in words.
func (k MediaKind) phrase(n int) string {
	words := map[MediaKind][2]string{MediaImage: {"a picture", "pictures"}, MediaAnimation: {"a GIF", "GIFs"}, MediaVideo: {"a video", "videos"}}[k]
	if n == 1 {
		return words[0]
	}
	return fmt.Sprintf("%d %s", n, words[1])
}

func (c Capabilities) checkAltText(at string, m PostMedia) error {
	length := utf8.RuneCountInString(m.AltText)
	switch most := c.Media.AltText; {
	case length == 0 || most == 0 || length <= most: // where there is none it isn't sent
		return nil
	default:
		return Invalid(at+".alt_text", "The alt text of %s has %d characters: %s takes %d.", m.MediaID, length, c.Platform.Name(), most)
	}
}

// checkFile checks what a file is; of a picture, which was made to fit, only that it does.
func (c Capabilities) checkFile(at string, m PostMedia) error {
	f := checkedFile{PostMedia: m, at: at, on: c.Platform}
	r := c.Media
	switch m.Kind {
	case MediaImage:
		return cmp.Or(
			f.kind(r.Image.Types), f.size(0, r.Image.MaxBytes), f.frame(r.Image.MaxSide, r.Image.MaxSide, r.Image.MaxPixels),
			f.ratio(r.Image.MinRatio, r.Image.MaxRatio),
		)
	case MediaAnimation:
		return cmp.Or(f.size(0, r.Animation.MaxBytes), f.frame(r.Animation.MaxWidth, r.Animation.MaxHeight, 0))
	default:
		v := r.Video
		return cmp.Or(
			f.length(v.MinDuration, v.MaxDuration), f.kind(v.Types), f.size(v.MinBytes, v.MaxBytes), f.frame(0, 0, v.MaxPixels),
			f.ratio(v.MinRatio, v.MaxRatio),
		)
	}
}

// checkedFile is a file that is checked against what a platform takes. Bounds of 0 are none.
type checkedFile struct {
	PostMedia

	at string
	on Platform
}

func (f checkedFile) wrong(rule, found, allowed string) error {
	return Invalid(f.at, "%s: the %s is %s; %s takes %s.", f.MediaID, rule, found, f.on.Name(), allowed)
}

func (f checkedFile) kind(types []string) error {
	if len(types) == 0 || slices.Contains(types, f.ContentType) {
		return nil
	}
	return f.wrong("type", f.ContentType, strings.Join(types, ", "))
}

func (f checkedFile) size(least, most int64) error {
	found := fmt.Sprintf("%d bytes", f.Bytes)
	switch {
	case f.Bytes < least:
		return f.wrong("size", found, fmt.Sprintf("%d at least", least))
	case most > 0 && f.Bytes > most:
		return f.wrong("size", found, fmt.Sprintf("%d at most", most))
	}
	return nil
}

func (f checkedFile) length(least, most time.Duration) error {
	if f.Duration >= least && (most == 0 || f.Duration <= most) {
		return nil
	}
	return f.wrong("length", f.Duration.String(), fmt.Sprintf("%s to %s", least, most))
}

func (f checkedFile) ratio(least, most float64) error {
	r := float64(f.Width) / float64(max(f.Height, 1))
	if r >= cmp.Or(least, r) && r <= cmp.Or(most, r) {
		return nil
	}
	return f.wrong("ratio of width to height", fmt.Sprintf("%.2f", r), fmt.Sprintf("%.2f to %.2f", least, most))
}

func (f checkedFile) frame(maxWidth, maxHeight int, maxPixels int64) error {
	pixels := int64(f.Width) * int64(f.Height)
	if f.Width <= cmp.Or(maxWidth, f.Width) && f.Height <= cmp.Or(maxHeight, f.Height) && pixels <= cmp.Or(maxPixels, pixels) {
		return nil
	}
	allowed := fmt.Sprintf("%d × %d at most", maxWidth, maxHeight)
	if maxPixels > 0 {
		allowed = fmt.Sprintf("%d pixels at most", maxPixels)
	}
	return f.wrong("frame", fmt.Sprintf("%d × %d", f.Width, f.Height), allowed)
}
