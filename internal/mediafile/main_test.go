package mediafile_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"missiond/internal/mediafile"
	"missiond/internal/mediafile/mediatest"
	"missiond/mission"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "probe" && probe != nil {
		probe(os.Args[2])
	}
	mediatest.Main(m)
}

// probe tries something in a bound process; nil where nothing binds it.
var probe func(name string)

// files are what a sink received, by name.
type files map[string]*file

type file struct {
	bytes.Buffer

	closed bool
}

func (f *file) Close() error {
	if f.closed {
		return errors.New("closed twice")
	}
	f.closed = true
	return nil
}

func (f files) sink(name string) (io.WriteCloser, error) {
	if f[name] != nil {
		return nil, fmt.Errorf("%q is made twice", name)
	}
	f[name] = &file{}
	return f[name], nil
}

// process has a child process a file.
func process(t *testing.T, data []byte, pictures ...mediafile.Picture) (mediafile.Result, files, error) {
	t.Helper()
	made := files{}
	res, err := mediatest.NewRunner(1).Process(t.Context(), bytes.NewReader(data), int64(len(data)), mediafile.Request{Pictures: pictures}, made.sink)
	for name, f := range made {
		if !f.closed {
			t.Errorf("%q isn't closed", name)
		}
	}
	return res, made, err
}

// processed is process for a file that isn't refused. It checks what is so for any.
func processed(t *testing.T, data []byte, pictures ...mediafile.Picture) (mediafile.Result, files) {
	t.Helper()
	res, made, err := process(t, data, pictures...)
	if err != nil {
		var refused *mediafile.Refused
		if errors.As(err, &refused) {
			t.Log(refused.Detail)
		}
		t.Fatal(err)
	}
	if res.Hash != hexHash(data) || res.Bytes != int64(len(data)) {
		t.Errorf("read %d bytes with the hash %s", res.Bytes, res.Hash)
	}
	if len(made) != len(res.Made) {
		t.Fatalf("%d files are written, %d made", len(made), len(res.Made))
	}
	for _, m := range res.Made {
		out := made[m.Names[0]]
		if out == nil || m.Bytes != int64(out.Len()) || m.Hash != hexHash(out.Bytes()) {
			t.Errorf("%q: %+v isn't what was written", m.Names, m)
		}
	}
	return res, made
}

func hexHash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// refusal returns the code of a refusal.
func refusal(err error) mediafile.Code {
	var refused *mediafile.Refused
	if errors.As(err, &refused) {
		return refused.Code
	}
	return ""
}

// plain are rules that take nearly everything.
var plain = mediafile.Picture{Name: "plain", Rules: mission.PictureRules{Types: []string{mission.TypeJPEG}}}
