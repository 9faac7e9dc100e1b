package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Upload implements [publisher.Uploader]. Files go with their message.
func (a *Adapter) Upload(_ context.Context, _ mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	return publisher.Carried(f, u), nil
}

// sendForm sends a part with its files, whose bytes are read as they are sent. A request that ends
// before Discord has all of it makes no message.
func (a *Adapter) sendForm(ctx context.Context, to place, path string, query url.Values, p mission.Part, v any) (publisher.Response, error) {
	body, err := json.Marshal(bodyOf(to, p))
	if err != nil {
		return publisher.Response{}, errRequest
	}
	names := make([]string, len(p.Media))
	for i := range names {
		names[i] = fmt.Sprintf("files[%d]", i)
	}
	form, err := publisher.NewPostForm(ctx, url.Values{"payload_json": {string(body)}}, names, p.Media)
	if err != nil {
		return publisher.Response{}, errRequest
	}
	req, err := a.request(ctx, to, http.MethodPost, path, query, form)
	if err != nil {
		return publisher.Response{}, err
	}
	req.ContentLength = form.Length
	req.Header.Set("Content-Type", form.ContentType)
	response, err := a.client.Upload(req, publisher.PostTime(p.Media), to.token)
	return response, read(to, response, form.Cut(err), v)
}
