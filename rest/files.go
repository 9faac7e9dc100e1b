package rest

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"missiond/internal/admission"
	"missiond/internal/httpserver"
	"missiond/internal/service/media"
	"missiond/mission"
)

// showPart returns the response with a file's bytes, or the range of them that was asked for, which is opened once; or the
// error. All that shows files is here.
func (a *API) showPart(ctx context.Context, of unwrapped, f media.File, err error) (*huma.StreamResponse, error) {
	tag := `"` + f.Hash + `"`
	if err = cmp.Or(err, httpserver.CheckMatch(of.r, tag)); err != nil {
		return nil, fail(ctx, err)
	}
	if httpserver.HasTag(of.r, tag) {
		return &huma.StreamResponse{Body: func(huma.Context) {
			headFile(of.w.Header(), f)
			of.w.WriteHeader(http.StatusNotModified)
		}}, nil
	}
	part, ok := httpserver.PartOf(of.r, tag, f.Bytes)
	if !ok {
		return nil, outOfRange(ctx, f)
	}
	bytes, turn, err := a.media.Show(ctx, f, part.Offset, part.Length)
	if err != nil {
		return nil, fail(ctx, err)
	}
	return &huma.StreamResponse{Body: func(huma.Context) {
		defer turn.Leave()
		defer func() { _ = bytes.Close() }()
		showFile(of, f, part, bytes, turn)
	}}, nil
}

// outOfRange returns the error for a range that a file doesn't have.
func outOfRange(ctx context.Context, f media.File) error {
	e := newEnvelope(ctx, mission.Invalid("Range", "The range isn't one of the file's %d bytes.", f.Bytes))
	e.status = http.StatusRequestedRangeNotSatisfiable
	return huma.ErrorWithHeaders(e, http.Header{"Content-Range": {fmt.Sprintf("bytes */%d", f.Bytes)}})
}

// headFile sets the headers of what shows a file.
func headFile(h http.Header, f media.File) {
	h.Set("ETag", `"`+f.Hash+`"`)
	h.Set("Cache-Control", "private, max-age=900")
	// What tenants have uploaded runs nowhere, and is shown by nobody else's page.
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "same-site")
	if f.Original {
		h.Set("Content-Disposition", "attachment")
	}
}

// showFile writes a part of a file, as long as its client takes it in its turn.
func showFile(to unwrapped, f media.File, part httpserver.Part, bytes io.Reader, turn *media.Turn) {
	admission.Leave(to.r.Context()) // it takes as long as the client likes
	control := http.NewResponseController(to.w)
	_ = control.SetReadDeadline(time.Time{})
	h, status := to.w.Header(), http.StatusOK
	headFile(h, f)
	h.Set("Content-Type", f.ContentType)
	h.Set("Accept-Ranges", "bytes")
	h.Set("Content-Length", strconv.FormatInt(part.Length, 10))
	if part.Ranged {
		status = http.StatusPartialContent
		h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", part.Offset, part.Offset+part.Length-1, f.Bytes))
	}
	to.w.WriteHeader(status)
	if to.r.Method != http.MethodHead {
		_, _ = io.Copy(&taken{to.w, control, turn}, bytes) // whoever gets less than was announced knows that it isn't all
	}
}

// taken is a response that its client takes in a turn.
type taken struct {
	w       http.ResponseWriter
	control *http.ResponseController
	turn    *media.Turn
}

// Write implements io.Writer.
func (t *taken) Write(p []byte) (int, error) {
	return t.turn.Move(t.control.SetWriteDeadline, func() (int, error) { return t.w.Write(p) })
}
