// Package mediafile examines the files that tenants upload, pictures, GIFs and videos, and
// makes what is sent of them. What a file is, its bytes alone decide.
//
// Nothing of a file is parsed in the service's own process. Runner starts a child for each
// file, the command "media" of the same binary (Child), that binds itself before it reads a
// byte: it can't open files, connect or start programs, and its memory and processor time are
// bounded. The file comes in on its standard input, what it makes goes out on its standard
// output (wire.go), and its death fails that file alone.
//
// A video and a GIF of several frames get one clean copy: of their own bytes those that are known to be
// harmless, without places, serial numbers, owners' notes and whatever else there may be. A picture is made
// once for each distinct rule: passed through if each of its bytes is known to be harmless and it fits, made
// anew otherwise.
package mediafile

import (
	"cmp"
	"fmt"
	"time"

	"missiond/mission"
)

// Command is the argument with which a binary is its own child; see Child.
const Command = "media"

// Request is what is to be made of a file.
type Request struct {
	Limits Limits
	// Pictures are made of a picture, one for each distinct rule; of other files, nothing is.
	// Their names differ.
	Pictures []Picture
}

// Limits bound what is examined at all; 0 is the package's default.
type Limits struct {
	// PictureBytes bounds pictures and GIFs (mission.MaxPictureBytes), VideoBytes videos
	// (mission.MaxVideoBytes).
	PictureBytes, VideoBytes int64
	// Pixels bounds width times height (50 million), Side each of them (16,384).
	Pixels int64
	Side   int
	// FramePixels bounds a GIF's frames times width times height (400 million), Frames their
	// number (10,000).
	FramePixels int64
	Frames      int
}

// withDefaults returns the limits with the package's defaults where they are 0.
func (l Limits) withDefaults() Limits {
	return Limits{
		PictureBytes: cmp.Or(l.PictureBytes, mission.MaxPictureBytes),
		VideoBytes:   cmp.Or(l.VideoBytes, mission.MaxVideoBytes),
		Pixels:       cmp.Or(l.Pixels, 50_000_000),
		Side:         cmp.Or(l.Side, 16_384),
		FramePixels:  cmp.Or(l.FramePixels, 400_000_000),
		Frames:       cmp.Or(l.Frames, 10_000),
	}
}

// frame refuses what is too large to be decoded, by its stated size in pixels.
func (l Limits) frame(width, height int) error {
	switch {
	case width <= 0 || height <= 0:
		return damaged("it states a size of %d × %d pixels", width, height)
	case width > l.Side || height > l.Side || int64(width)*int64(height) > l.Pixels:
		return refuse(CodePixels, "The file has %d × %d pixels: at most %d are allowed, and %d a side.", width, height, l.Pixels, l.Side)
	}
	return nil
}

// Picture is a picture that is to be made, always a JPEG.
type Picture struct {
	// Name is the caller's.
	Name  string
	Rules mission.PictureRules
	// Crop reports whether a picture whose ratio the rules don't allow is cropped around its
	// focus. Otherwise it is put on white.
	Crop bool
	// FocusX and FocusY are what a crop keeps in the middle, from 0 to 1 from the left and from
	// the top; 0.5 is the middle.
	FocusX, FocusY float64
}

// Facts are what a file is, by its bytes alone.
type Facts struct {
	Kind        mission.MediaKind
	ContentType string
	// Width and Height are in pixels, as people see it, so with its turn applied.
	Width, Height int
	// Duration is how long a video plays; 0 for others.
	Duration time.Duration
	// Frames is the number of a GIF's frames; 1 for pictures, 0 for videos.
	Frames int
	// Coding is how a video is coded.
	Coding     mission.Coding
	Provenance mission.Provenance
}

// Made is a file that was made.
type Made struct {
	// Names are those of the Pictures that it is for; "" alone for the clean copy of a GIF or
	// video.
	Names         []string
	ContentType   string
	Width, Height int
	Bytes         int64
	// Hash is the SHA-256 of its bytes, in hex.
	Hash string
}

// Result is what was learned of a file and made of it.
type Result struct {
	Facts

	Made []Made
	// Hash is the SHA-256 of the file that was read, in hex, Bytes its size.
	Hash  string
	Bytes int64
	// CPU is how long the processor was used.
	CPU time.Duration `json:"-"`
}

// Code says why a file was refused.
type Code string

// The reasons to refuse a file.
const (
	CodeUnknownType Code = "unknown_type" // not a picture or video that is taken
	CodeCodec       Code = "codec"        // a video or its sound is in a format that isn't taken
	CodePrivate     Code = "private"      // it has something private that can't be removed
	CodePixels      Code = "pixels"       // too many pixels, or frames
	CodeBytes       Code = "bytes"        // too many bytes
	CodeDamaged     Code = "damaged"
	CodeTooLarge    Code = "too_large" // it takes too much memory
	CodeTooSlow     Code = "too_slow"  // it takes too much time
	CodeNoHEIC      Code = "no_heic"   // this build can't read HEIC
)

// Refused is why nothing was made of a file: the file's fault, so that another try is of no
// use.
type Refused struct {
	Code Code
	// Message is for the person who uploaded the file.
	Message string
	// Detail is for the log; often "".
	Detail string
}

// Error returns the message.
func (r *Refused) Error() string { return r.Message }

// refuse returns a *Refused with a message.
func refuse(code Code, format string, args ...any) error {
	return &Refused{Code: code, Message: fmt.Sprintf(format, args...)}
}

// damaged returns a *Refused that says what is wrong with the file.
func damaged(format string, args ...any) error {
	return &Refused{Code: CodeDamaged, Message: "The file is damaged: " + fmt.Sprintf(format, args...) + "."}
}
