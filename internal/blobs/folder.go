package blobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
)

// Ends of the names of fileblob's own files, which are beside the file they belong to.
const (
	temporary = ".tmp"   // has bytes until all are there
	sidecar   = ".attrs" // has the content type
)

// folder is a folder of this machine.
type folder struct {
	*blob.Bucket

	path string
}

func openFolder(u *url.URL) (*blob.Bucket, place, error) {
	if u.Host != "" || u.Path == "" || u.Path == "/" || u.RawQuery != "" || u.Fragment != "" {
		return nil, nil, errors.New("the address of a folder must be file:///folder, without parameters")
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // that of /C:/folder
	}
	path = filepath.FromSlash(path)
	b, err := fileblob.OpenBucket(path, &fileblob.Options{CreateDir: true, DirFileMode: 0o700, NoTempDir: true})
	return b, folder{b, path}, err
}

// write has the bytes on the disk before they have the file's name: a machine that crashes never
// shows a part of a file. Once r has ended, the end of ctx doesn't matter any more.
func (f folder) write(ctx context.Context, key, contentType string, r io.Reader) error {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	var file *os.File
	out, err := f.NewWriter(ctx, key, &blob.WriterOptions{ContentType: contentType, BeforeWrite: func(as func(any) bool) error {
		as(&file)
		return nil
	}})
	if err != nil {
		return err
	}
	if _, err = io.Copy(out, r); err == nil {
		err = file.Sync()
	}
	if err != nil {
		cancel() // so that Close removes what was written
		_ = out.Close()
		return err
	}
	return out.Close()
}

// pastEnd returns false: a file is opened whatever the range.
func (folder) pastEnd(error) bool { return false }

// deleteAll also deletes folders, and what belongs to files that aren't there.
func (f folder) deleteAll(_ context.Context, prefix string) error {
	path := filepath.Join(f.path, filepath.FromSlash(prefix))
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		return nil // its key doesn't end in "/"
	}
	return os.RemoveAll(path)
}

// checkBytes is what a check writes: a name alone takes no room of a disk that is full.
const checkBytes = 4 << 10

func (f folder) check(context.Context) error {
	file, err := os.CreateTemp(f.path, "check-*"+temporary)
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, checkBytes))
	return errors.Join(err, file.Close(), os.Remove(file.Name()))
}

func (f folder) sweep(ctx context.Context, before time.Time) (n int, err error) {
	err = filepath.WalkDir(f.path, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist): // deleted meanwhile
			return nil
		case err != nil || !left(path, d, before):
			return err
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) { //nolint:gosec // the folder is the service's own
			return fmt.Errorf("%d removed: %w", n, err)
		}
		n++
		return nil
	})
	return n, err
}

// left reports whether a file is one of fileblob's own that no Put uses any more: a temporary
// file, or a sidecar without its file, that was last written before a time.
func left(path string, d fs.DirEntry, before time.Time) bool {
	info, err := d.Info()
	if err != nil || !info.Mode().IsRegular() || !info.ModTime().Before(before) {
		return false
	}
	if of, ok := strings.CutSuffix(path, sidecar); ok {
		_, err := os.Lstat(of)
		return errors.Is(err, fs.ErrNotExist)
	}
	return strings.HasSuffix(path, temporary)
}
