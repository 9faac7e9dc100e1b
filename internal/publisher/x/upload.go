package x

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

const (
	// processed is X's state of a file that a post can have.
	processed = "succeeded"
	// lookAgain is how long to wait before X is asked about a file, if it doesn't say.
	lookAgain = 5 * time.Second
)

// categories are what X calls the kinds of files.
var categories = map[mission.MediaKind]string{
	mission.MediaImage: "tweet_image", mission.MediaAnimation: "tweet_gif", mission.MediaVideo: "tweet_video",
}

// uploaded is X's description of a file.
type uploaded struct {
	Data struct {
		ID      string `json:"id"`
		Expires int64  `json:"expires_after_secs"`
		// Processing is nil if there is nothing to be waited for.
		Processing *struct {
			State string `json:"state"`
			After int64  `json:"check_after_secs"`
			Error struct {
				Name    string `json:"name"`
				Message string `json:"message"`
			} `json:"error"`
		} `json:"processing_info"`
	} `json:"data"`
}

// Upload implements [publisher.Uploader]: it begins an upload, sends a piece, ends it, asks
// whether X is done, or tells the alt text, which X charges for.
func (a *Adapter) Upload(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	u.Wait = 0
	var err error
	switch {
	case u.State == mission.UploadNew:
		u, err = a.beginUpload(ctx, c, f, u)
	case !isID(u.ID):
		err = publisher.Response{}.FileGone("")
	case u.State == mission.UploadSending && u.Sent < f.Bytes:
		u, err = a.sendPiece(ctx, c, f, u)
	case u.State == mission.UploadSending:
		u, err = a.look(ctx, c, http.MethodPost, "/2/media/upload/"+u.ID+"/finalize", nil, u)
	case u.State == mission.UploadProcessing && !slices.Contains(u.Tags, processed):
		u, err = a.look(ctx, c, http.MethodGet, "/2/media/upload", url.Values{"media_id": {u.ID}}, u)
	case u.State == mission.UploadProcessing:
		u, err = a.describe(ctx, c, u)
	}
	return u, publisher.Repeatable(err)
}

func (a *Adapter) beginUpload(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	response, err := a.call(ctx, c, http.MethodPost, "/2/media/upload/initialize", nil, struct {
		Type     string `json:"media_type"`
		Category string `json:"media_category"`
		Bytes    int64  `json:"total_bytes"`
	}{f.ContentType, categories[f.Kind], f.Bytes})
	if err != nil {
		return u, err
	}
	var begun uploaded
	if err := response.JSON(&begun); err != nil {
		return u, err
	}
	if !isID(begun.Data.ID) {
		return u, emptyHanded(response)
	}
	u.ID, u.State = begun.Data.ID, mission.UploadSending
	if s := begun.Data.Expires; s > 0 {
		at := a.client.Now().Add(time.Duration(min(s, maxLife)) * time.Second).UTC()
		u.ExpiresAt = &at
	}
	return u, nil
}

// maxLife is the longest life of a file that is believed, in seconds.
const maxLife = 365 * 24 * 60 * 60

// sendPiece sends the next piece of a file. X takes a piece again.
func (a *Adapter) sendPiece(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	piece, err := publisher.Chunk(ctx, f, u.Sent)
	if err != nil {
		return u, err
	}
	form, err := publisher.NewForm(
		url.Values{"segment_index": {strconv.FormatInt(u.Sent/publisher.MaxChunk, 10)}},
		"media", f.ContentType, io.NopCloser(bytes.NewReader(piece)), int64(len(piece)),
	)
	if err != nil {
		return u, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.options.BaseURL+"/2/media/upload/"+u.ID+"/append", form)
	if err != nil {
		return u, err
	}
	req.ContentLength = form.Length
	req.Header.Set("Authorization", "Bearer "+c.AccessToken)
	req.Header.Set("Content-Type", form.ContentType)
	response, err := a.client.Upload(req, publisher.PieceTime, c.RefreshToken)
	if err == nil && !response.OK() {
		err = uploadError(response)
	}
	if err == nil {
		u.Sent += int64(len(piece))
	}
	return u, err
}

// look makes a call whose response says how far X is with a file. A file without an alt text
// is ready when X is done with it.
func (a *Adapter) look(
	ctx context.Context, c mission.Credentials, method, path string, query url.Values, u mission.Upload,
) (mission.Upload, error) {
	response, err := a.do(ctx, c, method, path, query, nil)
	if err != nil {
		return u, err
	}
	if !response.OK() {
		return u, uploadError(response)
	}
	var file uploaded
	if err := response.JSON(&file); err != nil {
		return u, err
	}
	if file.Data.ID != u.ID {
		return u, emptyHanded(response)
	}
	u.State = mission.UploadProcessing
	switch p := file.Data.Processing; {
	case p == nil || p.State == processed:
		u.Tags = []string{processed}
		if u.AltText == "" {
			u.State = mission.UploadReady
		}
	case p.State == "failed":
		return u, response.Refused(publisher.CodeRefused, "The platform can't use the file", p.Error.Message)
	default:
		u.Wait = lookAgain
		if p.After > 0 {
			u.Wait = time.Duration(min(p.After, maxLife)) * time.Second
		}
	}
	return u, nil
}

// describe tells a file's alt text.
func (a *Adapter) describe(ctx context.Context, c mission.Credentials, u mission.Upload) (mission.Upload, error) {
	type text struct {
		Text string `json:"text"`
	}
	type metadata struct {
		AltText text `json:"alt_text"`
	}
	response, err := a.do(ctx, c, http.MethodPost, "/2/media/metadata", nil, struct {
		ID       string   `json:"id"`
		Metadata metadata `json:"metadata"`
	}{u.ID, metadata{AltText: text{u.AltText}}})
	if err == nil && !response.OK() {
		err = uploadError(response)
	}
	if err == nil {
		u.Described, u.State = true, mission.UploadReady
	}
	return u, err
}

// uploadError returns the error for a response about a file that was begun: X responds with
// 404 about one that it no longer has.
func uploadError(response publisher.Response) error {
	if response.Status == http.StatusNotFound {
		return response.FileGone(problemOf(response).words())
	}
	return fail(response)
}
