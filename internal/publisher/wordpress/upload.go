package wordpress

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"missiond/internal/publisher"
	"missiond/mission"
)

// medium is a file of the site.
type medium struct {
	ID      int    `json:"id"`
	Address string `json:"source_url"`
}

// Upload implements [publisher.Uploader]: it sends a whole picture, and then its alt text. A picture
// that was sent twice is twice among the site's, and seen nowhere.
func (a *Adapter) Upload(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	u.Wait = 0
	var err error
	switch {
	case u.State == mission.UploadReady:
	case f.Kind == mission.MediaVideo:
		err = unsendable("The service sends no videos to WordPress")
	case u.State == mission.UploadProcessing:
		u, err = a.describe(ctx, c, u)
	default:
		u, err = a.send(ctx, c, f, u)
	}
	return u, publisher.Repeatable(err)
}

func (a *Adapter) send(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	response, err := a.do(ctx, c, call{path: "/wp/v2/media", query: url.Values{"_fields": {"id,source_url"}}, file: &f})
	if err != nil {
		return u, err
	}
	var made medium
	if err := response.JSON(&made); err != nil {
		return u, err
	}
	if made.ID <= 0 || !publisher.Trusts(made.Address, c.Server) {
		return u, response.Malformed()
	}
	u.ID, u.Address, u.Sent, u.State = strconv.Itoa(made.ID), made.Address, f.Bytes, mission.UploadReady
	if u.AltText != "" {
		u.State = mission.UploadProcessing
	}
	return u, nil
}

// describe tells a picture's alt text.
func (a *Adapter) describe(ctx context.Context, c mission.Credentials, u mission.Upload) (mission.Upload, error) {
	id, ok := mediaID(u)
	if !ok {
		return u, publisher.Response{}.FileGone("")
	}
	response, err := a.do(ctx, c, call{
		path: "/wp/v2/media/" + strconv.Itoa(id), query: url.Values{"_fields": {"id"}}, input: map[string]string{"alt_text": u.AltText},
	})
	if problemOf(response).Code == "rest_post_invalid_id" {
		return u, response.FileGone(problemOf(response).Message)
	}
	if err != nil {
		return u, err
	}
	u.Described, u.State = true, mission.UploadReady
	return u, nil
}

// mediaID returns the number of a file.
func mediaID(u mission.Upload) (id int, ok bool) {
	id, err := strconv.Atoi(u.ID)
	return id, err == nil && id > 0
}

// keeps returns an error if the site no longer has one of a post's files: WordPress would publish the
// post without it.
func (a *Adapter) keeps(ctx context.Context, c mission.Credentials, files []mission.PartFile) error {
	if len(files) == 0 {
		return nil
	}
	ids, missing := make([]string, len(files)), map[int]bool{}
	for i, f := range files {
		id, ok := mediaID(f.Upload)
		if !ok {
			return publisher.Response{}.FileGone("")
		}
		ids[i], missing[id] = strconv.Itoa(id), true
	}
	response, err := a.do(ctx, c, call{path: "/wp/v2/media", query: url.Values{
		"include": {strings.Join(ids, ",")}, "per_page": {strconv.Itoa(len(ids))}, "_fields": {"id"},
	}})
	if err != nil {
		return err
	}
	var found []medium
	if err := response.JSON(&found); err != nil {
		return err
	}
	for _, m := range found {
		delete(missing, m.ID)
	}
	if len(missing) > 0 {
		return response.FileGone("")
	}
	return nil
}
