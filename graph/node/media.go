package node

import (
	"time"

	"missiond/internal/service/media"
	"missiond/internal/service/missions"
	"missiond/mission"
)

// Media is a picture or a video.
type Media struct {
	ID                   string
	Kind                 *mission.MediaKind
	ContentType          string
	Bytes                int64
	Width, Height        int
	DurationMs           int64
	AltText, Description string
	Status               mission.MediaStatus
	Error                *mission.Failure
	Provenance           Provenance
	Uses                 int
	Framing              mission.Framing
	Variants             []MediaVariant
	URL                  *string
	CreatedAt, UpdatedAt time.Time
}

// IsNode implements Node.
func (Media) IsNode() {}

// Provenance is where a file comes from.
type Provenance struct {
	Ai                mission.AIProvenance
	SourceType        *string
	HasC2pa           bool
	Credit, Copyright *string
}

// MediaVariant is a file that is sent.
type MediaVariant struct {
	Platforms     []mission.Platform
	ContentType   string
	Bytes         int64
	Width, Height int
	Hash          string
	URL           string
}

// NewMedia returns a file as it is shown. link returns the address of a variant.
func NewMedia(m mission.Media, link func(m mission.Media, variant string) string) Media {
	shown := Media{
		ID: m.ID, ContentType: m.ContentType, Bytes: m.Bytes, Width: m.Width, Height: m.Height, DurationMs: m.Duration.Milliseconds(),
		AltText: m.AltText, Description: m.Description, Status: m.Status, Error: m.Error, Uses: m.Uses, Framing: m.Framing, Variants: []MediaVariant{},
		Provenance: Provenance{
			Ai: m.Provenance.AI, SourceType: orNull(m.Provenance.SourceType), HasC2pa: m.Provenance.C2PA,
			Credit: orNull(m.Provenance.Credit), Copyright: orNull(m.Provenance.Copyright),
		},
		CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt,
	}
	if m.Kind != "" {
		shown.Kind = &m.Kind
	}
	if m.Status == mission.MediaReady {
		url := link(m, "")
		shown.URL = &url
	}
	for _, v := range m.Variants {
		shown.Variants = append(shown.Variants, MediaVariant{
			Platforms: v.Platforms, ContentType: v.ContentType, Bytes: v.Bytes, Width: v.Width, Height: v.Height, Hash: v.Hash,
			URL: link(m, string(v.Platforms[0])),
		})
	}
	return shown
}

// MediaFilter selects files.
type MediaFilter struct {
	Kind   *mission.MediaKind
	Status *mission.MediaStatus
	Unused *bool
	Search *string
}

// Filter returns the filter in the form of package media.
func (f *MediaFilter) Filter() media.Filter {
	if f == nil {
		return media.Filter{}
	}
	return media.Filter{Kind: orZero(f.Kind), Status: orZero(f.Status), Unused: orZero(f.Unused), Search: orZero(f.Search)}
}

// orZero returns the zero value for nil.
func orZero[T any](v *T) (zero T) {
	if v == nil {
		return zero
	}
	return *v
}

// orNull returns nil for "".
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// PostMediaInput is a file that a post is given.
type PostMediaInput struct {
	MediaID string
	AltText *string
	Part    *int
}

func choices(list []PostMediaInput) []mission.MediaChoice {
	chosen := make([]mission.MediaChoice, len(list))
	for i, c := range list {
		chosen[i] = mission.MediaChoice{MediaID: c.MediaID, AltText: c.AltText, Part: orZero(c.Part)}
	}
	return chosen
}

// CreateContentInput is a post that a person makes.
type CreateContentInput struct {
	MissionID     string
	Platform      mission.Platform
	IntegrationID *string
	Text          *string
	Parts         []string
	FirstComment  *string
	Media         []PostMediaInput
	ScheduledAt   *time.Time
}

// Input returns the input in the form of package missions.
func (in CreateContentInput) Input() missions.ContentInput {
	return missions.ContentInput{
		MissionID: in.MissionID, Platform: in.Platform, IntegrationID: in.IntegrationID, Text: in.Text, Parts: in.Parts,
		FirstComment: in.FirstComment, Media: choices(in.Media), ScheduledAt: in.ScheduledAt,
	}
}

// CreateContentsItem is a post that a person makes with others.
type CreateContentsItem struct {
	Platform      mission.Platform
	IntegrationID *string
	Text          *string
	Parts         []string
	FirstComment  *string
	Media         []PostMediaInput
	ScheduledAt   *time.Time
}

// CreateContentsInput is posts that a person makes together.
type CreateContentsInput struct {
	MissionID string
	Items     []CreateContentsItem
}

// Inputs returns the items in the form of package missions.
func (in CreateContentsInput) Inputs() []missions.ContentInput {
	inputs := make([]missions.ContentInput, len(in.Items))
	for i, item := range in.Items {
		inputs[i] = missions.ContentInput{
			MissionID: in.MissionID, Platform: item.Platform, IntegrationID: item.IntegrationID, Text: item.Text, Parts: item.Parts,
			FirstComment: item.FirstComment, Media: choices(item.Media), ScheduledAt: item.ScheduledAt, Together: true,
		}
	}
	return inputs
}

// ValidateContentInput is a post to be checked.
type ValidateContentInput struct {
	Platform      mission.Platform
	IntegrationID *string
	Text          *string
	Parts         []string
	FirstComment  *string
	Media         []PostMediaInput
}

// Input returns the input in the form of package missions.
func (in ValidateContentInput) Input() missions.ValidateInput {
	return missions.ValidateInput{
		Platform: in.Platform, IntegrationID: in.IntegrationID, Text: in.Text, Parts: in.Parts, FirstComment: in.FirstComment,
		Media: choices(in.Media),
	}
}

// CreateMediaUploadInput is a file that is about to be uploaded.
type CreateMediaUploadInput struct {
	ContentType          string
	Bytes                int64
	AltText, Description *string
}

// Input returns the input in the form of package media.
func (in CreateMediaUploadInput) Input() media.Upload {
	return media.Upload{ContentType: in.ContentType, Size: in.Bytes, MediaInput: mission.MediaInput{AltText: in.AltText, Description: in.Description}}
}

// UpdateMediaInput is what is said of a file.
type UpdateMediaInput struct {
	AltText, Description *string
	Provenance           *ProvenanceInput
	Framing              *mission.FramingInput
}

// ProvenanceInput is where a file comes from.
type ProvenanceInput struct {
	Ai         *mission.AIProvenance
	SourceType *string
}

// Input returns the input in the form of package mission.
func (in UpdateMediaInput) Input() mission.MediaInput {
	said := mission.MediaInput{AltText: in.AltText, Description: in.Description}
	if in.Provenance != nil {
		said.AI, said.SourceType = in.Provenance.Ai, in.Provenance.SourceType
	}
	if in.Framing != nil {
		said.Framing = *in.Framing
	}
	return said
}

// RequestHeader is a header of a request.
type RequestHeader struct{ Name, Value string }

// MediaUpload is where a file is to be sent.
type MediaUpload struct {
	ID, UploadURL string
	Headers       []RequestHeader
	ExpiresAt     time.Time
}

// CreateMediaUploadPayload is the result of createMediaUpload.
type CreateMediaUploadPayload struct{ Upload MediaUpload }

// CompleteMediaUploadPayload is the result of completeMediaUpload.
type CompleteMediaUploadPayload struct{ Media Media }

// UpdateMediaPayload is the result of updateMedia.
type UpdateMediaPayload struct{ Media Media }

// DeleteMediaPayload is the result of deleteMedia.
type DeleteMediaPayload struct{ DeletedID string }
