package mission

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// NewMedia returns a file whose bytes are about to arrive, of which its uploader says
// contentType. Errors: invalid_request.
func NewMedia(id string, p Principal, contentType string, in MediaInput, now time.Time) (Media, error) {
	if err := CheckUploadType("content_type", contentType); err != nil {
		return Media{}, err
	}
	ends := now.Add(UploadLife)
	m := Media{
		ID: id, TenantID: p.TenantID, ContentType: UploadType(contentType), Status: MediaUploading, Provenance: Provenance{AI: AINone},
		Framing: NewFraming(), Variants: []MediaVariant{}, Earlier: []MediaVariant{}, UploadedBy: p.UserID, CreatedBy: p.Author(), ExpiresAt: &ends, CreatedAt: now, UpdatedAt: now,
	}
	return m.Edit(in, now)
}

// MediaInput is what a person says of a file; a nil field stays as it is.
type MediaInput struct {
	AltText, Description *string
	// AI is AIDeclared or AINone, SourceType IPTC's DigitalSourceType.
	AI         *AIProvenance
	SourceType *string
	Framing    FramingInput
}

// Check checks the input, so that out-of-bounds input is refused before a transaction begins.
// Errors: invalid_request, with all problems.
func (in MediaInput) Check() error {
	_, err := Media{}.Edit(in, time.Time{})
	return err
}

// sourceTypes are IPTC's digital source types that a person may name.
var sourceTypes = append([]string{
	"digitalCapture", "negativeFilm", "positiveFilm", "print", "humanEdits", "minorHumanEdits", "compositeCapture", "digitalCreation", "digitalArt",
	"virtualRecording", "screenCapture",
}, syntheticSources...)

// Edit changes what is said of a file. Errors: invalid_request, with all problems.
func (m Media) Edit(in MediaInput, now time.Time) (Media, error) {
	var found Problems
	text := func(param string, to, from *string, most int) {
		if from == nil {
			return
		}
		*to = Tidy(*from)
		found.add(checkProse(param, *to, 0, most))
	}
	text("alt_text", &m.AltText, in.AltText, MaxAltText)
	text("description", &m.Description, in.Description, MaxMediaDescription)
	if in.AI != nil {
		switch {
		case *in.AI != AINone && *in.AI != AIDeclared:
			found.add(Invalid("provenance.ai", "Unknown value %q: must be none or declared.", *in.AI))
		case m.Provenance.AI == AIDetected:
			found.add(Invalid("provenance.ai", "The file itself says that a model made it."))
		default:
			m.Provenance.AI = *in.AI
		}
	}
	if in.SourceType != nil {
		if *in.SourceType != "" && !slices.Contains(sourceTypes, *in.SourceType) {
			found.add(Invalid("provenance.source_type", "Unknown source type %.60q: must be one of %s.", *in.SourceType, list(sourceTypes)))
		}
		m.Provenance.SourceType = *in.SourceType
	}
	framing, wrong := in.Framing.apply(m.Framing)
	found = append(found, wrong...)
	framed, err := m.reframe(framing)
	if CodeOf(err) == CodeConflict && len(found) == 0 {
		return m, err
	}
	found.add(err)
	framed.UpdatedAt = now
	return framed, found.Err()
}

// uploadTypes are the content types that can be uploaded.
var uploadTypes = []string{TypeJPEG, TypePNG, TypeWebP, TypeGIF, TypeHEIC, TypeMP4, TypeMOV}

// UploadTypes lists the content types that can be uploaded.
func UploadTypes() []string { return slices.Clone(uploadTypes) }

// typeUnknown is the content type of bytes of which nothing is said.
const typeUnknown = "application/octet-stream"

// typeAliases are other names of content types that can be uploaded, as programs have them.
var typeAliases = map[string]string{
	"image/jpg": TypeJPEG, "image/pjpeg": TypeJPEG, "image/x-png": TypePNG, "image/apng": TypePNG,
	"image/heif": TypeHEIC, "image/heic-sequence": TypeHEIC, "image/heif-sequence": TypeHEIC,
	"video/x-m4v": TypeMP4, "video/m4v": TypeMP4, "application/mp4": TypeMP4, "video/x-quicktime": TypeMOV, "video/mov": TypeMOV,
	"binary/octet-stream": typeUnknown,
}

// UploadType returns a content type as files have it: in lower case (RFC 9110, section 8.3.1), without parameters, and
// by the name that UploadTypes lists.
func UploadType(contentType string) string {
	name, _, _ := strings.Cut(contentType, ";")
	name = strings.ToLower(strings.TrimSpace(name))
	return cmp.Or(typeAliases[name], name)
}

// CheckUploadType returns an error for a content type that can't be uploaded. It is what an
// uploader says: the bytes decide what a file is. Errors: invalid_request on param.
func CheckUploadType(param, contentType string) error {
	if t := UploadType(contentType); slices.Contains(uploadTypes, t) || t == typeUnknown {
		return nil
	}
	return Invalid(param, "Files of the type %.60q can't be uploaded: only %s.", contentType, list(uploadTypes))
}

// MaxUpload returns how many bytes a file may have that its uploader says is of a type.
func MaxUpload(contentType string) int64 {
	switch UploadType(contentType) {
	case TypeMP4, TypeMOV, typeUnknown:
		return MaxVideoBytes
	default:
		return MaxPictureBytes
	}
}

// Shown reports whether the file is shown in lists.
func (m Media) Shown() bool { return slices.Contains(ShownMediaStatuses(), m.Status) }

// Arrived records that all bytes of an upload are there. Errors: conflict.
func (m Media) Arrived(now time.Time) (Media, error) {
	switch {
	case m.Status == MediaDeleting:
		return m, NotFound("file", m.ID)
	case m.Status != MediaUploading:
		return m, Conflict("The file's upload has ended.")
	case m.Original == "":
		return m, Conflict("No bytes of the file have arrived yet.")
	case m.ExpiresAt != nil && !now.Before(*m.ExpiresAt):
		return m, Conflict("The file's upload took longer than %s.", UploadLife)
	}
	m.Status, m.ExpiresAt, m.UpdatedAt = MediaProcessing, nil, now
	return m, nil
}

// Writes reports whether bytes may be stored for the file: it is uploaded or processed.
func (m Media) Writes() bool { return m.Status == MediaUploading || m.Status == MediaProcessing }

// Reserve reserves least bytes in the tenant's quota, of which used are used, or up to most: as many as leave
// half of what is free to others. They are what Stored grows by. Errors: conflict.
func (m Media) Reserve(least, most, used, quota int64) (Media, error) {
	free := quota - used
	if least > free {
		return m, Conflict("The files have %d of the plan's %d bytes, with what is made of them, and %d more don't fit: delete files that nothing needs.",
			used, quota, least)
	}
	m.Stored += max(least, min(most, free/2))
	return m, nil
}

// Release gives back bytes that are stored no more, or that were reserved and not needed.
func (m Media) Release(bytes int64) Media {
	m.Stored = max(m.Stored-bytes, 0)
	return m
}

// Processed records what an examined file is, and what will be sent of it.
func (m Media) Processed(facts Media, now time.Time) Media {
	m.Kind, m.ContentType, m.Width, m.Height, m.Duration, m.Hash = facts.Kind, facts.ContentType, facts.Width, facts.Height, facts.Duration, facts.Hash
	m.Frames, m.Coding = facts.Frames, facts.Coding
	m.Variants, m.Error, m.Status, m.UpdatedAt = facts.Variants, nil, MediaReady, now
	said := m.Provenance
	m.Provenance = facts.Provenance
	if m.Provenance.AI != AIDetected && said.AI == AIDeclared {
		m.Provenance.AI = AIDeclared
	}
	if said.SourceType != "" {
		m.Provenance.SourceType = said.SourceType
	}
	return m
}

// Refused records that the file can't be used.
func (m Media) Refused(why Failure, now time.Time) Media {
	m.Status, m.Error, m.UpdatedAt = MediaFailed, &why, now
	return m
}

// Delete takes the file away: its bytes are removed afterwards. waiting reports whether a post
// has it that isn't published yet. Errors: conflict.
func (m Media) Delete(waiting bool, now time.Time) (Media, error) {
	if waiting {
		return m, Conflict("A post that isn't published yet has the file: take it out of the post, or cancel the post.")
	}
	m.Status, m.ExpiresAt, m.UpdatedAt = MediaDeleting, nil, now
	return m, nil
}

// MediaData is the data of media.ready and media.failed.
type MediaData struct {
	MediaID     string    `json:"media_id"`
	Kind        MediaKind `json:"kind"`
	ContentType string    `json:"content_type"`
	Bytes       int64     `json:"bytes"`
	Width       int       `json:"width"`
	Height      int       `json:"height"`
	DurationMS  int64     `json:"duration_ms"`
	Error       *Failure  `json:"error"`
}

// Told returns the event of a file that was processed.
func (m Media) Told(now time.Time) Event {
	t := EventMediaReady
	if m.Status == MediaFailed {
		t = EventMediaFailed
	}
	return Event{TenantID: m.TenantID, Type: t, CreatedAt: now, Data: MediaData{
		MediaID: m.ID, Kind: m.Kind, ContentType: m.ContentType, Bytes: m.Bytes, Width: m.Width, Height: m.Height,
		DurationMS: m.Duration.Milliseconds(), Error: m.Error,
	}}
}

// For returns the file as a post on a platform has it. Errors: invalid_request on param,
// which names the file.
func (m Media) For(p Platform, part int, altText *string, param string) (PostMedia, error) {
	at := PostMedia{MediaID: m.ID, Part: part, Kind: m.Kind, AltText: WithoutHidden(m.AltText), Duration: m.Duration, Frames: m.Frames, Coding: m.Coding, Provenance: m.Provenance}
	if f := m.Framing; f.Fit != "" {
		at.FocusX, at.FocusY = 2*f.FocusX-1, 1-2*f.FocusY
	}
	if altText != nil {
		at.AltText = Tidy(*altText)
	}
	switch {
	case m.Usable():
	case m.Status == MediaFailed:
		return at, Invalid(param, "%s can't be used: %s", m.ID, m.Error.Message)
	default:
		return at, Invalid(param, "%s isn't ready yet: wait until it is processed (API: for media.ready).", m.ID)
	}
	v, ok := m.Variant(p)
	if !ok {
		return at, Invalid(param, "%s is %s, which %s doesn't take.", m.ID, m.Kind.phrase(1), p.Name())
	}
	at.Key, at.Hash, at.ContentType, at.Bytes, at.Width, at.Height = v.Key, v.Hash, v.ContentType, v.Bytes, v.Width, v.Height
	return at, nil
}

// MediaIDs returns the ids of the post's files, each once, in their order.
func (c Content) MediaIDs() []string {
	var ids []string
	for _, m := range c.Media {
		if !slices.Contains(ids, m.MediaID) {
			ids = append(ids, m.MediaID)
		}
	}
	return ids
}
