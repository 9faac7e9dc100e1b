package mcpserver

import (
	"bytes"
	"context"
	"encoding/base64"
	"time"

	"missiond/internal/service/media"
	"missiond/mission"
)

// maxInline bounds a file that comes with a call, in bytes: its base64 fits into a request's body.
const maxInline = 600 << 10

type mediaAddIn struct {
	once

	ContentBase64 string  `json:"content_base64,omitempty" doc:"The file, up to 600 KiB"`
	Bytes         int64   `json:"bytes,omitempty" doc:"Instead, for a larger file: its size. The answer has the address to which the file is PUT; then a call with media_id alone ends the upload"`
	ContentType   string  `json:"content_type,omitempty" doc:"image/jpeg, image/png, image/webp, image/gif, image/heic, video/mp4, …; required for a new file"`
	AltText       *string `json:"alt_text,omitempty" doc:"For people who don't see it"`
	Description   *string `json:"description,omitempty" doc:"What it shows, by which the writer chooses it; never published"`
	MediaID       string  `json:"media_id,omitempty" doc:"Instead of a new file: one that was added, whose state is returned, and whose upload is ended if its bytes have arrived"`
}

type file struct {
	ID          string              `json:"id"`
	Status      mission.MediaStatus `json:"status" doc:"ready: posts can have it"`
	Kind        mission.MediaKind   `json:"kind,omitempty"`
	Width       int                 `json:"width,omitzero"`
	Height      int                 `json:"height,omitzero"`
	AltText     *Text               `json:"alt_text,omitempty"`
	Description *Text               `json:"description,omitempty"`
	Failure     *failure            `json:"failure,omitempty"`
}

func showFile(m mission.Media) file {
	f := file{
		ID: m.ID, Status: m.Status, Kind: m.Kind, Width: m.Width, Height: m.Height,
		AltText: some(m.AltText, fromFile, reasonBytes), Description: some(m.Description, fromFile, reasonBytes),
	}
	if m.Error != nil {
		f.Failure = &failure{m.Error.Code, cutTo(m.Error.Message, fromFile, reasonBytes)}
	}
	return f
}

type mediaOut struct {
	File   file    `json:"file"`
	Upload *upload `json:"upload,omitempty" doc:"Where the bytes are sent, without a credential"`
}

type upload struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	ContentType string    `json:"content_type"`
	ExpiresAt   time.Time `json:"expires_at"`
}

func mediaTools() []*tool {
	return []*tool{
		doing(tool{
			name: "media_add", title: "Add a picture or a video", op: mission.OpMediaPrepare,
			also:        []mission.Operation{mission.OpMediaUpload, mission.OpMediaComplete, mission.OpMediaRead},
			description: "Adds a file: with the call if it is small, by an upload address if it is larger. Files are examined before they are ready; with media_id the state of one is returned.",
		}, addMedia),
	}
}

func addMedia(ctx context.Context, c *call, in mediaAddIn) (mediaOut, error) {
	said := media.Upload{ContentType: in.ContentType, Size: in.Bytes, MediaInput: mission.MediaInput{AltText: in.AltText, Description: in.Description}}
	switch {
	case in.MediaID != "":
		return c.addedMedia(ctx, in)
	case in.ContentBase64 != "":
		return c.uploadInline(ctx, in, said)
	case in.Bytes <= 0:
		return mediaOut{}, mission.Invalid("content_base64", "Give content_base64, or bytes for a larger file, or media_id for one that was added.")
	}
	a, err := c.media.CreateUpload(ctx, c.p, said)
	if err != nil {
		return mediaOut{}, err
	}
	return mediaOut{
		File:   file{ID: a.ID, Status: mission.MediaUploading},
		Upload: &upload{"PUT", c.public + a.Path, a.ContentType, a.ExpiresAt},
	}, nil
}

func (c *call) uploadInline(ctx context.Context, in mediaAddIn, said media.Upload) (mediaOut, error) {
	if in.Bytes != 0 {
		return mediaOut{}, mission.Invalid("bytes", "Give either content_base64 or bytes.")
	}
	if err := c.may(ctx, mission.OpMediaUpload); err != nil {
		return mediaOut{}, err
	}
	content, err := base64.StdEncoding.DecodeString(in.ContentBase64)
	if err != nil {
		return mediaOut{}, mission.Invalid("content_base64", "The file must be in base64, with padding and without line breaks.")
	}
	if len(content) > maxInline {
		return mediaOut{}, mission.Invalid("content_base64", "At most %d bytes are taken with a call; give bytes instead, and send the file to the address in the answer.", maxInline)
	}
	said.Size = int64(len(content))
	m, err := c.media.Upload(ctx, c.p, said, bytes.NewReader(content))
	return mediaOut{File: showFile(m)}, err
}

// addedMedia returns a file that was added, having ended its upload if it hasn't been.
func (c *call) addedMedia(ctx context.Context, in mediaAddIn) (mediaOut, error) {
	if in.ContentBase64 != "" || in.Bytes != 0 || in.ContentType != "" || in.AltText != nil || in.Description != nil {
		return mediaOut{}, mission.Invalid("media_id", "Give media_id alone: a file that was added stays as it is.")
	}
	if err := c.may(ctx, mission.OpMediaRead); err != nil {
		return mediaOut{}, err
	}
	m, err := c.media.Media(ctx, c.p, in.MediaID)
	if mission.CodeOf(err) == mission.CodeNotFound && c.adds(ctx, mission.OpMediaComplete) {
		m, err = c.media.Complete(ctx, c.p, in.MediaID)
	}
	if err != nil {
		return mediaOut{}, naming(err, mission.CodeNotFound, "media_id")
	}
	return mediaOut{File: showFile(m)}, nil
}
