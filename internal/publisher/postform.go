package publisher

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"missiond/mission"
)

// NewPostForm returns a form with fields and files, by their names, of a platform that takes files with
// their post. Each file is opened when it is its turn to be sent; reading fails if it can't be read.
func NewPostForm(ctx context.Context, fields url.Values, names []string, files []mission.PartFile) (*PostForm, error) {
	var around bytes.Buffer
	w := multipart.NewWriter(&around)
	if err := writeFields(w, fields); err != nil {
		return nil, err
	}
	p := &PostForm{ContentType: w.FormDataContentType()}
	var readers []io.Reader
	next := func(f io.Reader, size int64) {
		readers = append(readers, bytes.NewReader(bytes.Clone(around.Bytes())), f)
		p.Length += int64(around.Len()) + size
		around.Reset()
	}
	for i, f := range files {
		if err := writePart(w, names[i], f.ContentType); err != nil {
			return nil, err
		}
		content := &turn{open: func() (io.ReadCloser, error) { return f.Open(ctx) }, size: f.Bytes}
		p.files = append(p.files, content)
		next(content, f.Bytes)
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	next(http.NoBody, 0)
	p.all = io.MultiReader(readers...)
	return p, nil
}

// PostForm is the body of a form with the files of a post, which is read as it is sent.
type PostForm struct {
	Length      int64
	ContentType string

	all   io.Reader
	files []*turn
	read  atomic.Int64
}

// Read implements [io.Reader].
func (p *PostForm) Read(b []byte) (int, error) {
	n, err := p.all.Read(b)
	p.read.Add(int64(n))
	return n, err
}

// Close closes the file that is being read.
func (p *PostForm) Close() error {
	var errs []error
	for _, f := range p.files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// Cut returns the error of the call that sent the form. One that ended before the form did was not
// accepted: the platform doesn't have the post.
func (p *PostForm) Cut(err error) error {
	if p.read.Load() < p.Length {
		return Repeatable(err)
	}
	return err
}

// turn is a file that is opened when it is read first.
type turn struct {
	open func() (io.ReadCloser, error)
	size int64

	mu     sync.Mutex // a call that ends closes its body while it is read
	file   io.ReadCloser
	closed bool
}

// Read reads the file's next bytes. Errors: errUnread.
func (t *turn) Read(p []byte) (int, error) {
	t.mu.Lock()
	if t.file == nil && !t.closed {
		content, err := t.open()
		if err != nil {
			t.mu.Unlock()
			return 0, fmt.Errorf("%w: %w", errUnread, err)
		}
		t.file = &exact{ReadCloser: content, left: t.size}
	}
	file := t.file
	t.mu.Unlock()
	if file == nil {
		return 0, fmt.Errorf("%w: %w", errUnread, errEnded)
	}
	return file.Read(p)
}

// Close closes the file if it was opened.
func (t *turn) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed = true; t.file == nil {
		return nil
	}
	return t.file.Close()
}

// Carried returns the upload of a file that is sent with its post: there is nothing to do before.
func Carried(f mission.File, u mission.Upload) mission.Upload {
	u.ID, u.State, u.Sent, u.Wait = f.Hash, mission.UploadReady, f.Bytes, 0
	return u
}

// PostTime returns how long a request with the files of a post may take.
func PostTime(files []mission.PartFile) time.Duration {
	var all time.Duration
	for _, f := range files {
		all += UploadTime(f.File)
	}
	return min(all, MaxUploadTime)
}
