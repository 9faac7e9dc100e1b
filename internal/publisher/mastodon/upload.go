package mastodon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// lookAgain is how long to wait before a server is asked whether it has processed a file; a
// video takes longer.
const (
	lookAgain      = 2 * time.Second
	lookAgainVideo = 10 * time.Second
)

// Upload implements [publisher.Uploader]: it sends the whole file with its alt text, or asks
// whether the server has processed it.
func (a *Adapter) Upload(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	u.Wait = 0
	var err error
	switch u.State {
	case mission.UploadNew, mission.UploadSending:
		u, err = a.send(ctx, c, f, u)
	case mission.UploadProcessing:
		u, err = a.look(ctx, c, f, u)
	case mission.UploadReady:
	}
	return u, publisher.Repeatable(err)
}

// send sends a file.
func (a *Adapter) send(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	fields := url.Values{"focus": {fmt.Sprintf("%.2f,%.2f", f.FocusX, f.FocusY)}}
	if u.AltText != "" {
		fields.Set("description", u.AltText)
	}
	content, err := publisher.Open(ctx, f)
	if err != nil {
		return u, err
	}
	form, err := publisher.NewForm(fields, "file", f.ContentType, content, f.Bytes)
	if err != nil {
		_ = content.Close()
		return u, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, base(c.Server)+"/api/v2/media", form)
	if err != nil {
		_ = content.Close()
		return u, noAddress()
	}
	req.ContentLength = form.Length
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Authorization", "Bearer "+c.AccessToken)
	req.Header.Set("Content-Type", form.ContentType)
	response, err := a.client.Upload(req, publisher.UploadTime(f), c.ClientSecret)
	if err != nil {
		return u, err
	}
	if !response.OK() {
		return u, failure(response)
	}
	var attachment struct {
		ID string `json:"id"`
	}
	if err := response.JSON(&attachment); err != nil {
		return u, err
	}
	if attachment.ID == "" {
		return u, response.Malformed()
	}
	u.ID, u.Sent, u.Described = attachment.ID, f.Bytes, u.AltText != ""
	return progress(f, u, response.Status == http.StatusAccepted), nil
}

// look asks whether a file has been processed.
func (a *Adapter) look(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	response, err := a.attachment(ctx, c, u)
	if response.Status == http.StatusNotFound {
		return u, response.FileGone(serverMessage(response))
	}
	if err != nil {
		return u, err
	}
	return progress(f, u, response.Status == http.StatusPartialContent), nil
}

func (a *Adapter) attachment(ctx context.Context, c mission.Credentials, u mission.Upload) (publisher.Response, error) {
	return a.do(ctx, c, call{method: http.MethodGet, path: "/api/v1/media/" + url.PathEscape(u.ID)})
}

// progress returns an upload whose bytes the server has.
func progress(f mission.File, u mission.Upload, processing bool) mission.Upload {
	u.State = mission.UploadReady
	if processing {
		u.State, u.Wait = mission.UploadProcessing, lookAgain
		if f.Kind != mission.MediaImage {
			u.Wait = lookAgainVideo
		}
	}
	return u
}

// filesGone returns the error of a status that the server refused: if it has a file no longer,
// which it says in any language, the file is gone. A server doesn't tell a file that it has
// forgotten from one that a status has, so that of a status that is sent again nothing is
// known: an earlier call may have been accepted.
func (a *Adapter) filesGone(ctx context.Context, c mission.Credentials, p mission.Part, refused publisher.Response, err error) error {
	var pe *mission.PublishError
	if !errors.As(err, &pe) || pe.Outcome != mission.OutcomeRefused {
		return err
	}
	for _, f := range p.Media {
		response, _ := a.attachment(ctx, c, f.Upload) // another response says nothing
		switch {
		case response.Status != http.StatusNotFound:
		case p.Again:
			return refused.InDoubt(serverMessage(refused))
		default:
			return refused.FileGone(serverMessage(refused))
		}
	}
	return err
}
