package facebook

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/meta"
	"missiond/mission"
)

// fileLife is how long Facebook keeps a picture, or a video's session, that no post has; it says a day.
const fileLife = 23 * time.Hour

// Upload implements [publisher.Uploader]: it sends a picture, which isn't published by itself, or begins
// a video's session or sends the bytes that Facebook wants next. A video is published when its session
// is finished, which Publish does; only pictures have alt texts.
func (a *Adapter) Upload(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	u.Wait, u.Lasts = 0, 0
	var err error
	switch {
	case f.Kind != mission.MediaVideo:
		u, err = a.sendPicture(ctx, c, f, u)
	case u.State == mission.UploadNew:
		u, err = a.begin(ctx, c, f, u)
	default:
		u, err = a.sendPiece(ctx, c, f, u)
	}
	return u, publisher.Repeatable(err)
}

func (a *Adapter) sendPicture(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	content, err := publisher.Open(ctx, f)
	if err != nil {
		return u, err
	}
	fields := url.Values{"published": {"false"}}
	if u.AltText != "" {
		fields.Set("alt_text_custom", u.AltText)
	}
	var made struct {
		ID string `json:"id"`
	}
	if err := a.api.Upload(ctx, c, "/"+c.AccountID+"/photos", fields, "source", f, content, f.Bytes, &made); err != nil {
		return u, err
	}
	if !meta.IsID(made.ID) {
		return u, publisher.Response{}.Malformed()
	}
	u.ID, u.State, u.Sent, u.Described, u.Lasts = made.ID, mission.UploadReady, f.Bytes, true, fileLife
	return u, nil
}

// offsets are the bytes that Facebook wants next: from the first to before the second. They are equal
// once it has all.
type offsets struct {
	Start count `json:"start_offset"`
	End   count `json:"end_offset"`
}

// count is a number, which the API writes as a text too.
type count int64

// UnmarshalJSON implements [json.Unmarshaler].
func (n *count) UnmarshalJSON(data []byte) error {
	text, err := strconv.Unquote(string(data))
	if err != nil {
		text = string(data)
	}
	number, err := strconv.ParseInt(text, 10, 64)
	*n = count(number)
	return err
}

// wanting returns an upload with the offsets that come next; ok is false if they make no sense.
func wanting(u mission.Upload, f mission.File, o offsets) (next mission.Upload, ok bool) {
	if o.Start < 0 || o.Start > o.End || int64(o.End) > f.Bytes || o.Start == o.End && int64(o.End) != f.Bytes {
		return u, false
	}
	u.Sent, u.Tags, u.State = int64(o.Start), []string{strconv.FormatInt(int64(o.End), 10)}, mission.UploadSending
	if o.Start == o.End {
		u.Tags, u.State = nil, mission.UploadReady
	}
	return u, true
}

// phase returns the path of a phase of a video's session.
func phase(c mission.Credentials, name string) string {
	return "/" + c.AccountID + "/videos?upload_phase=" + name
}

// begin begins the session of a video. The upload's ID is the session, its Token the video.
func (a *Adapter) begin(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	var made struct {
		offsets

		Session string `json:"upload_session_id"`
		Video   string `json:"video_id"`
	}
	form := url.Values{"file_size": {strconv.FormatInt(f.Bytes, 10)}}
	if err := a.api.Post(ctx, c, phase(c, "start"), form, &made); err != nil {
		return u, err
	}
	next, ok := wanting(u, f, made.offsets)
	if !ok || next.State == mission.UploadReady || !meta.IsID(made.Session) || !meta.IsID(made.Video) {
		return u, publisher.Response{}.Malformed()
	}
	next.ID, next.Token, next.Lasts = made.Session, made.Video, fileLife
	return next, nil
}

// Subcodes of errors of a session ("Video API error codes").
const (
	// subOffset is said of bytes that aren't the next; the error says which are.
	subOffset = 1363037
	// subProblem and subSlow are said of a session that has to begin anew.
	subProblem = 1363019
	subSlow    = 1363030
)

// sendPiece sends the bytes of a video that Facebook wants next.
func (a *Adapter) sendPiece(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	if len(u.Tags) != 1 || !meta.IsID(u.ID) {
		return u, publisher.Response{}.FileGone("")
	}
	end, err := strconv.ParseInt(u.Tags[0], 10, 64)
	if err != nil || end <= u.Sent || end > f.Bytes {
		return u, publisher.Response{}.FileGone("")
	}
	content, err := publisher.Piece(ctx, f, u.Sent, end)
	if err != nil {
		return u, err
	}
	var wants offsets
	fields := url.Values{"upload_session_id": {u.ID}, "start_offset": {strconv.FormatInt(u.Sent, 10)}}
	err = a.api.Upload(ctx, c, phase(c, "transfer"), fields, "video_file_chunk", f, content, end-u.Sent, &wants)
	switch e, ok := meta.ErrorOf(err); {
	case ok && e.Subcode == subOffset:
		if json.Unmarshal(plain(e.Data), &wants) != nil {
			return u, publisher.Response{}.FileGone(e.Message)
		}
	case sessionGone(err):
		return u, publisher.Response{}.FileGone(e.Message)
	case err != nil:
		return u, err
	}
	next, ok := wanting(u, f, wants)
	if !ok {
		return u, publisher.Response{}.Malformed()
	}
	return next, nil
}

// plain returns the data of an error, which may be JSON in a text.
func plain(data json.RawMessage) []byte {
	var text string
	if json.Unmarshal(data, &text) == nil {
		return []byte(text)
	}
	return data
}

// sessionGone reports whether Facebook doesn't have a video's session any more.
func sessionGone(err error) bool {
	e, ok := meta.ErrorOf(err)
	return ok && (meta.Missing(err) || slices.Contains([]int{subProblem, subSlow}, e.Subcode))
}

// publishVideo finishes the session of a video, which publishes it. Its post is known by the video's id,
// which is known before.
func (a *Adapter) publishVideo(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	u := p.Media[0].Upload
	if !meta.IsID(u.ID) || !meta.IsID(u.Token) {
		return mission.Publication{}, publisher.Response{}.FileGone("")
	}
	if p.Again {
		if found, ok, err := a.findVideo(ctx, c, u.Token); ok || err != nil {
			return found, err
		}
	}
	var done struct {
		Success bool `json:"success"`
	}
	err := a.api.Post(ctx, c, phase(c, "finish"), url.Values{"upload_session_id": {u.ID}, "description": {p.Text}}, &done)
	switch e, _ := meta.ErrorOf(err); {
	case sessionGone(err) && p.Again:
		return mission.Publication{}, publisher.Response{}.InDoubt(e.Message)
	case sessionGone(err):
		return mission.Publication{}, publisher.Response{}.FileGone(e.Message)
	case err != nil:
		return mission.Publication{}, err
	case !done.Success:
		return mission.Publication{}, publisher.Response{}.Malformed()
	}
	return a.videoPublication(c, u.Token, a.api.Now()), nil
}

func (a *Adapter) videoPublication(c mission.Credentials, id string, at time.Time) mission.Publication {
	made := a.publication(id, at)
	made.URL = host + c.AccountID + "/videos/" + id
	return made
}

// videoOf returns the upload of the video of a part, as it was recorded; ok is false if it has none.
func videoOf(p mission.Part) (u mission.Upload, ok bool) {
	for _, f := range p.Media {
		if f.Kind == mission.MediaVideo {
			return f.Upload, true
		}
	}
	for _, m := range p.Content.PartMedia(p.Index) {
		if m.Kind == mission.MediaVideo {
			return p.Content.UploadOf(m, time.Time{}), true
		}
	}
	return u, false
}

// video is a video as Facebook has it.
type video struct {
	Published bool      `json:"published"`
	Created   meta.Time `json:"created_time"`
	Status    struct {
		State     string `json:"video_status"`
		Uploading struct {
			Status string `json:"status"`
		} `json:"uploading_phase"`
		Publishing struct {
			Status string `json:"status"`
		} `json:"publishing_phase"`
	} `json:"status"`
}

func (a *Adapter) video(ctx context.Context, c mission.Credentials, id string) (v video, err error) {
	err = a.api.Get(ctx, c, "/"+id, url.Values{"fields": {"published,created_time,status"}}, &v)
	return v, err
}

// The states of a video's phases.
const (
	phaseDone    = "complete"
	phaseBegun   = "in_progress"
	phaseNothing = "not_started"
)

// findVideo looks for a video by its id. One whose session isn't finished isn't out; of one that
// Facebook works on it can't be told yet.
func (a *Adapter) findVideo(ctx context.Context, c mission.Credentials, id string) (mission.Publication, bool, error) {
	if !meta.IsID(id) { // it was never sent
		return mission.Publication{}, false, nil
	}
	v, err := a.video(ctx, c, id)
	switch {
	case meta.Missing(err):
		return mission.Publication{}, false, nil
	case err != nil:
		return mission.Publication{}, false, err
	case v.Published && v.Status.Publishing.Status == phaseDone:
		return a.videoPublication(c, id, v.Created.Time), true, nil
	case !v.Published && (v.Status.Uploading.Status == phaseBegun || v.Status.Uploading.Status == phaseNothing):
		return mission.Publication{}, false, nil
	}
	return mission.Publication{}, false, meta.Undecided("Facebook is still working on the video.")
}
