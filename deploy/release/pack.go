package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"
)

// file is a file of an archive.
type file struct {
	name    string
	content []byte
	program bool
}

func (f file) mode() int64 {
	if f.program {
		return 0o755
	}
	return 0o644
}

// pack writes an archive for each build, and SHA256SUMS, to a folder. Archives of
// earlier runs are removed.
func pack(folder string, s stamp, builds []build) error {
	at, err := s.at()
	if err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(folder, "missiond_*"))
	if err != nil {
		return err
	}
	for _, name := range old {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	var names []string
	for _, b := range builds {
		name := "missiond_" + s.Version + "_" + b.system + "_" + b.arch
		files, err := filesOf(b)
		if err != nil {
			return err
		}
		write, suffix := writeTar, ".tar.gz"
		if b.system == "windows" {
			write, suffix = writeZip, ".zip"
		}
		var archive bytes.Buffer
		if err := write(&archive, name, files, at); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name+suffix), archive.Bytes(), 0o644); err != nil {
			return err
		}
		names = append(names, name+suffix)
		fmt.Printf("%s  %.1f MB\n", name+suffix, float64(archive.Len())/1e6)
	}
	sums, err := checksums(folder, names)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), sums, 0o644)
}

// filesOf returns the files of a build's archive: the program, its parts, and what a
// reader needs first.
func filesOf(b build) (files []file, err error) {
	for i, name := range []string{b.program, b.parts, "README.md", "CHANGELOG.md"} {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{filepath.Base(name), content, i == 0})
	}
	return files, nil
}

// writeTar writes files below a folder, as root's and with one time.
func writeTar(w io.Writer, folder string, files []file, at time.Time) error {
	zipped, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(zipped)
	for _, f := range files {
		err := archive.WriteHeader(&tar.Header{
			Typeflag: tar.TypeReg, Name: path.Join(folder, f.name), Mode: f.mode(), Size: int64(len(f.content)),
			ModTime: at.Truncate(time.Second), Uname: "root", Gname: "root", Format: tar.FormatUSTAR,
		})
		if err != nil {
			return err
		}
		if _, err := archive.Write(f.content); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), zipped.Close())
}

// writeZip is writeTar for Windows.
func writeZip(w io.Writer, folder string, files []file, at time.Time) error {
	archive := zip.NewWriter(w)
	for _, f := range files {
		h := &zip.FileHeader{Name: path.Join(folder, f.name), Method: zip.Deflate, Modified: at.UTC()}
		h.SetMode(os.FileMode(f.mode()))
		part, err := archive.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := part.Write(f.content); err != nil {
			return err
		}
	}
	return archive.Close()
}

// checksums returns the lines that sha256sum --check reads, by name.
func checksums(folder string, names []string) ([]byte, error) {
	var lines bytes.Buffer
	for _, name := range slices.Sorted(slices.Values(names)) {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&lines, "%x  %s\n", sha256.Sum256(content), name)
	}
	return lines.Bytes(), nil
}
