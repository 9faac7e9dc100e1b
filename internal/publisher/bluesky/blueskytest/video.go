package blueskytest

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"missiond/internal/publisher/publishertest"
)

// Uploads implements [publishertest.Stub].
func (s *Stub) Uploads(r *http.Request) bool {
	return strings.HasSuffix(r.URL.Path, ".uploadBlob") || strings.HasPrefix(r.URL.Path, "/xrpc/app.bsky.video.")
}

// maxVideo is the largest video, in bytes.
const maxVideo = 300_000_000

// getServiceAuth consents to another service's acting for the account, here to the video
// service's.
func (s *Stub) getServiceAuth(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	exp, err := strconv.ParseInt(q.Get("exp"), 10, 64)
	left := time.Unix(exp, 0).Sub(s.Now())
	if err != nil || left <= 0 || left > time.Hour {
		Refuse(w, http.StatusBadRequest, "BadExpiration", "can not request a token with an expiration more than an hour in the future")
		return
	}
	if q.Get("aud") != "did:web:"+url.QueryEscape(r.Host) || q.Get("lxm") != videoFor {
		Refuse(w, http.StatusBadRequest, "InvalidRequest", "aud or lxm is invalid")
		return
	}
	answerJSON(w, http.StatusOK, map[string]any{"token": s.issue(videoFor, left)})
}

// uploadVideo takes a video. It responds without the field that the lexicon has, and to one that
// it has with a conflict, as the service does.
func (s *Stub) uploadVideo(w http.ResponseWriter, r *http.Request) {
	content, err := io.ReadAll(io.LimitReader(r.Body, maxVideo+1))
	q := r.URL.Query()
	switch {
	case err != nil || len(content) == 0 || len(content) > maxVideo || r.Header.Get("Content-Type") != "video/mp4":
		Refuse(w, http.StatusBadRequest, "InvalidRequest", "The video is invalid")
		return
	case q.Get("did") != DID || !strings.HasSuffix(q.Get("name"), ".mp4") || len(q) != 2:
		Refuse(w, http.StatusBadRequest, "InvalidRequest", "did or name is invalid")
		return
	}
	job := "job-" + cid(content)
	if s.State(job) == publishertest.FileReady {
		answerJSON(w, http.StatusConflict, map[string]any{
			"did": DID, "jobId": job, "state": "JOB_STATE_COMPLETED", "error": "already_exists", "message": "Video already processed",
		})
		return
	}
	s.Put(job, publishertest.File{Type: "video/mp4", Size: int64(len(content))})
	s.Piece(job, 0, content)
	s.End(job)
	answerJSON(w, http.StatusOK, map[string]any{"did": DID, "jobId": job, "state": "JOB_STATE_CREATED"})
}

// getJobStatus responds to everybody.
func (s *Stub) getJobStatus(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("jobId")
	shown := map[string]any{"did": DID, "jobId": id}
	switch f, _ := s.File(id); s.Look(id) {
	case publishertest.FileReady:
		shown["state"], shown["blob"] = "JOB_STATE_COMPLETED", s.store("video/mp4", f.Bytes())
	case publishertest.FileProcessing:
		shown["state"], shown["progress"] = "JOB_STATE_ENCODING", 5
	case publishertest.FileFailed:
		shown["state"], shown["error"], shown["message"] = "JOB_STATE_FAILED", "video processing error for job: "+id, "Failed to process video"
	default:
		Refuse(w, http.StatusBadRequest, "InvalidRequest", fmt.Sprintf("there is no job %q", id))
		return
	}
	answerJSON(w, http.StatusOK, map[string]any{"jobStatus": shown})
}
