package linkedin

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// A member's token may not read what became of a file (GET /rest/images is a 403 with
// w_member_social alone), so that it counts as available after a time.
const (
	pictureWait = 5 * time.Second
	videoWait   = time.Minute
)

// fileURNs matches the URNs of files.
var fileURNs = regexp.MustCompile(`^urn:li:(image|video):[A-Za-z0-9_-]+$`)

// Upload implements [publisher.Uploader]: it begins an upload, sends the picture or the video's
// next piece, ends a video's upload, or asks whether LinkedIn is done. Alt texts are in the post.
func (a *Adapter) Upload(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	u.Wait = 0
	if f.Kind == mission.MediaLink {
		return a.card(ctx, c, f, u), nil
	}
	var err error
	switch video := f.Kind == mission.MediaVideo; {
	case u.State == mission.UploadNew && video:
		u, err = a.beginVideo(ctx, c, f, u)
	case u.State == mission.UploadNew:
		u, err = a.beginPicture(ctx, c, u)
	case !fileURNs.MatchString(u.ID):
		err = publisher.Response{}.FileGone("")
	case u.State == mission.UploadSending && u.Sent == f.Bytes:
		u, err = a.endVideo(ctx, c, u)
	case u.State == mission.UploadSending && video:
		u, err = a.sendPiece(ctx, c, f, u)
	case u.State == mission.UploadSending:
		u, err = a.sendPicture(ctx, c, f, u)
	case u.State == mission.UploadProcessing:
		u, err = a.look(ctx, c, u)
	}
	return u, publisher.Repeatable(err)
}

// begun is LinkedIn's response to the beginning of an upload. Times are in Unix milliseconds.
type begun struct {
	Value struct {
		// Of a picture:
		Image     string `json:"image"`
		UploadURL string `json:"uploadUrl"`
		ExpiresAt int64  `json:"uploadUrlExpiresAt"`
		// Of a video:
		Video        string  `json:"video"`
		Instructions []piece `json:"uploadInstructions"`
		Token        string  `json:"uploadToken"`
		ExpireAt     int64   `json:"uploadUrlsExpireAt"`
	} `json:"value"`
}

// piece is a part of a video, from its first byte to its last.
type piece struct {
	UploadURL string `json:"uploadUrl"`
	First     int64  `json:"firstByte"`
	Last      int64  `json:"lastByte"`
}

// begin begins an upload.
func (a *Adapter) begin(ctx context.Context, c mission.Credentials, target string, request any) (begun, publisher.Response, error) {
	response, err := a.do(ctx, c, http.MethodPost, target+"?action=initializeUpload", struct {
		Request any `json:"initializeUploadRequest"`
	}{request})
	if err != nil {
		return begun{}, response, err
	}
	var b begun
	return b, response, a.accept(response, &b)
}

// accept decodes the response to a call about a file, unless v is nil.
func (a *Adapter) accept(response publisher.Response, v any) error {
	switch {
	case response.Status == http.StatusNotFound:
		return response.FileGone(refusalOf(response).words())
	case !response.OK():
		return a.denied(response)
	case v == nil:
		return nil
	}
	return response.JSON(v)
}

func (a *Adapter) beginPicture(ctx context.Context, c mission.Credentials, u mission.Upload) (mission.Upload, error) {
	b, response, err := a.begin(ctx, c, "/rest/images", struct {
		Owner string `json:"owner"`
	}{c.AccountID})
	if err != nil {
		return u, err
	}
	v := b.Value
	if !fileURNs.MatchString(v.Image) || !publisher.Trusts(v.UploadURL, a.options.BaseURL) {
		return u, response.Malformed()
	}
	u.ID, u.State, u.Address, u.ExpiresAt = v.Image, mission.UploadSending, v.UploadURL, instant(v.ExpiresAt)
	return u, nil
}

func (a *Adapter) beginVideo(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	b, response, err := a.begin(ctx, c, "/rest/videos", struct {
		Owner     string `json:"owner"`
		Bytes     int64  `json:"fileSizeBytes"`
		Captions  bool   `json:"uploadCaptions"`
		Thumbnail bool   `json:"uploadThumbnail"`
	}{Owner: c.AccountID, Bytes: f.Bytes})
	if err != nil {
		return u, err
	}
	v := b.Value
	addresses := make([]string, 0, len(v.Instructions))
	var at int64
	for _, p := range v.Instructions {
		if p.First != at || p.Last != min(at+publisher.MaxChunk, f.Bytes)-1 || !publisher.Trusts(p.UploadURL, a.options.BaseURL) {
			return u, response.Malformed()
		}
		addresses, at = append(addresses, p.UploadURL), p.Last+1
	}
	if !fileURNs.MatchString(v.Video) || at == 0 || at != f.Bytes {
		return u, response.Malformed()
	}
	u.ID, u.State, u.Token, u.ExpiresAt = v.Video, mission.UploadSending, v.Token, instant(v.ExpireAt)
	u.Address, u.Later = addresses[0], addresses[1:]
	return u, nil
}

// instant returns a time of LinkedIn's; nil for none.
func instant(milliseconds int64) *time.Time {
	if milliseconds <= 0 || milliseconds > lastMillisecond {
		return nil
	}
	at := time.UnixMilli(milliseconds).UTC()
	return &at
}

// lastMillisecond is the end of the year 9999: a later time couldn't be stored as JSON.
const lastMillisecond = 253402300799999

// sendPicture sends a picture.
func (a *Adapter) sendPicture(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	file, err := publisher.Open(ctx, f)
	if err != nil {
		return u, err
	}
	if _, err := a.put(ctx, c, u, f.ContentType, file, f.Bytes, "Bearer "+c.AccessToken); err != nil {
		return u, err
	}
	u.Sent = f.Bytes
	return sent(u, pictureWait), nil
}

// sendPiece sends a video's next piece. Its address is its permission.
func (a *Adapter) sendPiece(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	content, err := publisher.Chunk(ctx, f, u.Sent)
	if err != nil {
		return u, err
	}
	response, err := a.put(ctx, c, u, "application/octet-stream", io.NopCloser(bytes.NewReader(content)), int64(len(content)), "")
	if err != nil {
		return u, err
	}
	tag := response.Header.Get("ETag")
	if tag == "" {
		return u, response.Malformed()
	}
	u.Sent += int64(len(content))
	u.Tags = append(u.Tags[:len(u.Tags):len(u.Tags)], tag)
	u.Address = ""
	if len(u.Later) > 0 {
		u.Address, u.Later = u.Later[0], u.Later[1:]
	}
	return u, nil
}

// put sends bytes to the upload's address. An address that isn't valid any more has ended the
// upload.
func (a *Adapter) put(
	ctx context.Context, c mission.Credentials, u mission.Upload, kind string, body io.ReadCloser, size int64, authorization string,
) (publisher.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, u.Address, body)
	if err != nil || !publisher.Trusts(u.Address, a.options.BaseURL) {
		_ = body.Close()
		return publisher.Response{}, publisher.Response{}.FileGone("")
	}
	req.ContentLength = size
	req.Header.Set("Content-Type", kind)
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	response, err := a.client.Upload(req, publisher.PieceTime, c.AccessToken, c.RefreshToken)
	switch {
	case err != nil:
		return response, err
	case response.OK():
		return response, nil
	case response.Status == http.StatusUnauthorized && authorization != "":
		return response, a.fail(response)
	}
	switch response.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone:
		return response, response.FileGone(refusalOf(response).words())
	}
	return response, a.fail(response)
}

// endVideo ends the upload of a video.
func (a *Adapter) endVideo(ctx context.Context, c mission.Credentials, u mission.Upload) (mission.Upload, error) {
	type request struct {
		Video string   `json:"video"`
		Token string   `json:"uploadToken"`
		Parts []string `json:"uploadedPartIds"`
	}
	response, err := a.do(ctx, c, http.MethodPost, "/rest/videos?action=finalizeUpload", struct {
		Request request `json:"finalizeUploadRequest"`
	}{request{u.ID, u.Token, u.Tags}})
	if err == nil {
		err = a.accept(response, nil)
	}
	if err != nil {
		return u, err
	}
	return sent(u, videoWait), nil
}

// sent returns an upload whose bytes LinkedIn has.
func sent(u mission.Upload, wait time.Duration) mission.Upload {
	u.State, u.Wait = mission.UploadProcessing, wait
	u.Address, u.Later, u.Token, u.Tags, u.ExpiresAt = "", nil, "", nil, nil
	return u
}

// look asks whether a file is available. Where that may not be read, the wait since it was sent
// has to do.
func (a *Adapter) look(ctx context.Context, c mission.Credentials, u mission.Upload) (mission.Upload, error) {
	target, wait := "/rest/images/", pictureWait
	if strings.HasPrefix(u.ID, "urn:li:video:") {
		target, wait = "/rest/videos/", videoWait
	}
	ready := u
	ready.State = mission.UploadReady
	if !strings.HasPrefix(c.AccountID, "urn:li:organization:") {
		return ready, nil
	}
	response, err := a.do(ctx, c, http.MethodGet, target+within(u.ID), nil)
	if err != nil {
		return u, err
	}
	if response.Status == http.StatusForbidden {
		return ready, nil
	}
	var file struct {
		Status string `json:"status"`
	}
	if err := a.accept(response, &file); err != nil {
		return u, err
	}
	switch file.Status {
	case "AVAILABLE":
		return ready, nil
	case "PROCESSING_FAILED":
		return u, response.Refused(publisher.CodeRefused, "The platform can't use the file", "")
	}
	u.Wait = wait
	return u, nil
}
