package ghost

import (
	"context"
	"net/http"
	"net/url"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Upload implements [publisher.Uploader]: it sends a whole picture. Ghost names a picture by its
// address, which it keeps; the alt text is the article's.
func (a *Adapter) Upload(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	u.Wait = 0
	switch {
	case u.State == mission.UploadReady:
		return u, nil
	case f.Kind == mission.MediaVideo:
		return u, unsendable("The service sends no videos to Ghost")
	}
	u, err := a.send(ctx, c, f, u)
	return u, publisher.Repeatable(err)
}

func (a *Adapter) send(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	content, err := publisher.Open(ctx, f)
	if err != nil {
		return u, err
	}
	form, err := publisher.NewForm(url.Values{"purpose": {"image"}, "ref": {f.Hash}}, "file", f.ContentType, content, f.Bytes)
	if err != nil {
		_ = content.Close()
		return u, err
	}
	response, err := a.do(ctx, c, call{method: http.MethodPost, path: "/images/upload/", form: &form, file: f})
	if err != nil {
		_ = form.Close()
		return u, err
	}
	var made struct {
		Images []struct {
			URL string `json:"url"`
			Ref string `json:"ref"`
		} `json:"images"`
	}
	if err := response.JSON(&made); err != nil {
		return u, err
	}
	if len(made.Images) != 1 || made.Images[0].Ref != f.Hash || !publisher.Trusts(made.Images[0].URL, c.Server) {
		return u, response.Malformed()
	}
	u.ID, u.Address, u.Sent, u.State = f.Hash, made.Images[0].URL, f.Bytes, mission.UploadReady
	return u, nil
}
