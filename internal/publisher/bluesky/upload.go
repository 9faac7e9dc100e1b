package bluesky

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

const (
	// lookAgain is how long to wait before the video service is asked about a video.
	lookAgain = 5 * time.Second
	// uploadRight is how long the video service may store a video on the account's server,
	// from the server's consent on.
	uploadRight = 30 * time.Minute
)

// Upload implements [publisher.Uploader]. A picture's bytes are sent to the account's server,
// a video's to the video service, which stores what it makes of them on that server. ID is the
// job of a video that is being processed, and the reference to the stored bytes, in JSON, once
// the file is ready. Alt texts are in the post.
func (a *Adapter) Upload(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	u.Wait = 0
	var err error
	switch {
	case u.State == mission.UploadReady:
	case u.State == mission.UploadProcessing:
		u, err = a.look(ctx, u)
	case f.Kind == mission.MediaVideo:
		u, err = a.sendVideo(ctx, c, f, u)
	default:
		u, err = a.sendPicture(ctx, c, f, u)
	}
	return u, publisher.Repeatable(err)
}

func (a *Adapter) sendPicture(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	response, err := a.do(ctx, call{method: "com.atproto.repo.uploadBlob", file: &f}.with(c))
	if err != nil {
		return u, err
	}
	var stored struct {
		Blob blob `json:"blob"`
	}
	if err := response.JSON(&stored); err != nil {
		return u, err
	}
	if stored.Blob.Size != f.Bytes {
		return u, response.Malformed()
	}
	u.Sent = f.Bytes
	return ready(u, stored.Blob, response)
}

// ready returns an upload that a post can have.
func ready(u mission.Upload, b blob, response publisher.Response) (mission.Upload, error) {
	text, err := json.Marshal(b)
	if err != nil || !b.is() {
		return u, response.Malformed()
	}
	u.ID, u.State = string(text), mission.UploadReady
	return u, nil
}

// job is the state of a video at the video service (app.bsky.video.defs#jobStatus), by itself
// or in a field, as the service has both.
type job struct {
	ID      string `json:"jobId"`
	State   string `json:"state"`
	Blob    *blob  `json:"blob"`
	Error   string `json:"error"`
	Message string `json:"message"`
	Status  *job   `json:"jobStatus"`
}

// jobOf returns a response's job.
func jobOf(response publisher.Response) job {
	var j job
	if json.Unmarshal(response.Body, &j) != nil {
		return job{}
	}
	if j.Status != nil {
		return *j.Status
	}
	return j
}

// sendVideo sends a video to the video service, which also names the job of one that it has
// already (409).
func (a *Adapter) sendVideo(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	token, err := a.consent(ctx, c)
	if err != nil {
		return u, err
	}
	response, err := a.do(ctx, call{
		server: a.video, method: "app.bsky.video.uploadVideo", file: &f, token: token,
		query: url.Values{"did": {c.AccountID}, "name": {f.Hash + publisher.FileName(f.ContentType)}},
	})
	j := jobOf(response)
	if response.Status == http.StatusConflict && j.ID != "" {
		err = nil
	}
	if err != nil {
		return u, ofVideoService(response, err)
	}
	if j.ID == "" && j.Blob == nil {
		if why := cmp.Or(j.Message, j.Error); why != "" {
			return u, response.Refused(publisher.CodeRefused, "The platform can't use the file", why)
		}
		return u, response.Malformed()
	}
	u.ID, u.State, u.Sent, u.Wait = j.ID, mission.UploadProcessing, f.Bytes, lookAgain
	return progress(u, j, response)
}

// consent returns the account's server's consent to the video service's storing a video there.
func (a *Adapter) consent(ctx context.Context, c mission.Credentials) (token string, err error) {
	server, err := url.Parse(c.Server)
	if err != nil {
		return "", unsendable("The server's address can't be called")
	}
	response, err := a.do(ctx, call{method: "com.atproto.server.getServiceAuth", query: url.Values{
		"aud": {"did:web:" + url.QueryEscape(server.Host)}, "lxm": {"com.atproto.repo.uploadBlob"},
		"exp": {strconv.FormatInt(a.client.Now().Add(uploadRight).Unix(), 10)},
	}}.with(c))
	if err != nil {
		return "", err
	}
	var auth struct {
		Token string `json:"token"`
	}
	if err := response.JSON(&auth); err != nil {
		return "", err
	}
	if auth.Token == "" {
		return "", response.Malformed()
	}
	return auth.Token, nil
}

// look asks the video service how far it is with a video.
func (a *Adapter) look(ctx context.Context, u mission.Upload) (mission.Upload, error) {
	response, err := a.do(ctx, call{server: a.video, method: "app.bsky.video.getJobStatus", query: url.Values{"jobId": {u.ID}}})
	switch {
	case response.Status == http.StatusBadRequest || response.Status == http.StatusNotFound:
		return u, response.FileGone(cmp.Or(problemOf(response).Words, problemOf(response).Name))
	case err != nil:
		return u, ofVideoService(response, err)
	}
	return progress(u, jobOf(response), response)
}

// progress returns an upload whose bytes the video service has. A job may have failed because
// the video was there already: then it has the bytes all the same.
func progress(u mission.Upload, j job, response publisher.Response) (mission.Upload, error) {
	switch {
	case j.Blob != nil:
		u.Wait = 0
		return ready(u, *j.Blob, response)
	case j.State == "JOB_STATE_FAILED":
		return u, response.Refused(publisher.CodeRefused, "The platform can't use the file", cmp.Or(j.Message, j.Error))
	}
	u.Wait = lookAgain
	return u, nil
}

// ofVideoService returns the error of a call to the video service. Whatever it thinks of the
// consent, the account's credentials are the server's.
func ofVideoService(response publisher.Response, err error) error {
	var pe *mission.PublishError
	if errors.As(err, &pe) && pe.Unauthorized {
		j := jobOf(response)
		return response.Refused(publisher.CodeRefused, "The video service refused the account", cmp.Or(j.Message, j.Error))
	}
	return err
}

// The types of files in records.
const (
	imagesType  = "app.bsky.embed.images"
	galleryType = "app.bsky.embed.gallery"
	videoType   = "app.bsky.embed.video"
	// mostImages is how many pictures images has; a gallery has more.
	mostImages = 4
)

// ratio is the shape of a file (app.bsky.embed.defs#aspectRatio).
type ratio struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// image is a picture in a record. In a gallery, which may have other things, it says so.
type image struct {
	Type  string          `json:"$type,omitempty"`
	Image json.RawMessage `json:"image"`
	Alt   string          `json:"alt"`
	Ratio ratio           `json:"aspectRatio"`
}

// mediaEmbed has the files of a record: images, a gallery's items, or a video.
type mediaEmbed struct {
	Type   string          `json:"$type"`
	Images []image         `json:"images,omitempty"`
	Items  []image         `json:"items,omitempty"`
	Video  json.RawMessage `json:"video,omitempty"`
	Alt    string          `json:"alt,omitempty"`
	Ratio  *ratio          `json:"aspectRatio,omitempty"`
}

// mediaOf returns files, all pictures or one video, as a record has them. Errors: if a file has
// no reference to stored bytes.
func mediaOf(files []mission.PartFile) (json.RawMessage, error) {
	var e mediaEmbed
	for _, f := range files {
		stored, shape := json.RawMessage(f.Upload.ID), ratio{f.Width, f.Height}
		switch {
		case f.Kind == mission.MediaVideo:
			e = mediaEmbed{Type: videoType, Video: stored, Alt: f.Upload.AltText, Ratio: &shape}
		case len(files) > mostImages:
			e.Type = galleryType
			e.Items = append(e.Items, image{Type: galleryType + "#image", Image: stored, Alt: f.Upload.AltText, Ratio: shape})
		default:
			e.Type = imagesType
			e.Images = append(e.Images, image{Image: stored, Alt: f.Upload.AltText, Ratio: shape})
		}
	}
	return json.Marshal(e)
}
