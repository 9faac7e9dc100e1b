package publishertest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// media returns what the platform takes of files.
func (p Platform) media() mission.MediaRules { return p.caps().Media }

// file returns a file of random bytes, which the stubs take for what it says it is.
func (w *world) file(kind mission.MediaKind, size int) mission.File {
	content := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{byte(size), byte(size >> 8)}).Read(content) // never fails
	sum := sha256.Sum256(content)
	f := mission.File{PostMedia: mission.PostMedia{
		MediaID: "med_1", Kind: kind, AltText: "An office, \"quiet\" & <empty>", Hash: hex.EncodeToString(sum[:]), Bytes: int64(size),
		ContentType: map[mission.MediaKind]string{
			mission.MediaImage: mission.TypeJPEG, mission.MediaAnimation: mission.TypeGIF, mission.MediaVideo: mission.TypeMP4,
		}[kind],
		Width: 1200, Height: 800,
	}}
	if kind == mission.MediaVideo {
		f.Duration = 10 * time.Second
	}
	f.Open = func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }
	f.Address = w.files.URL + "/" + f.Hash
	w.mu.Lock()
	defer w.mu.Unlock()
	w.served[f.Hash] = f
	return f
}

// content returns the bytes of a file.
func (w *world) content(f mission.File) []byte {
	w.t.Helper()
	r, err := f.Open(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err != nil {
		w.t.Fatal(err)
	}
	return content
}

// maxSteps is how many steps an upload of the suite may have.
const maxSteps = 20

// step takes an upload a step further.
func (w *world) step(c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	ctx, cancel := w.call()
	defer cancel()
	uploader, ok := w.adapter.(publisher.Uploader)
	if !ok {
		w.t.Fatal("the adapter takes no files")
	}
	return uploader.Upload(ctx, c, f, u)
}

func begin(f mission.File) mission.Upload { return mission.Upload{Hash: f.Hash, AltText: f.AltText} }

// uploaded uploads a file, and returns it with the waits that the steps asked for. before, unless
// nil, is called before each step.
func (w *world) uploaded(c mission.Credentials, f mission.File, before func(mission.Upload)) (mission.PartFile, []time.Duration) {
	w.t.Helper()
	u, waits := begin(f), []time.Duration(nil)
	for range maxSteps {
		if before != nil {
			before(u)
		}
		next, err := w.step(c, f, u)
		if err != nil {
			w.t.Fatalf("upload after %+v: %v", u, err)
		}
		if next.Hash != f.Hash || next.AltText != f.AltText || next.ID == "" {
			w.t.Fatalf("got the upload %+v", next)
		}
		if u = next; u.State == mission.UploadReady {
			if u.Wait != 0 {
				w.t.Errorf("a wait of %s after the last step", u.Wait)
			}
			return mission.PartFile{File: f, Upload: u}, waits
		}
		waits = append(waits, u.Wait)
	}
	w.t.Fatalf("the upload is still %+v", u)
	return mission.PartFile{}, nil
}

// shows checks which files a post has.
func (w *world) shows(postID string, files ...mission.PartFile) {
	w.t.Helper()
	var alts []string
	media := w.stub.Media(postID)
	if len(media) != len(files) {
		w.t.Fatalf("the post has %d files, want %d", len(media), len(files))
	}
	for i, f := range files {
		if !bytes.Equal(media[i], w.content(f.File)) {
			w.t.Errorf("file %d isn't what was uploaded: %d bytes", i, len(media[i]))
		}
		alt := f.AltText
		if w.p.media().AltText == 0 || w.p.VideosUndescribed && f.Kind == mission.MediaVideo { // it isn't sent
			alt = ""
		}
		alts = append(alts, alt)
	}
	if got := w.stub.AltTexts(postID); !slices.Equal(got, alts) {
		w.t.Errorf("the alt texts are %q, want %q", got, alts)
	}
}

// with returns a post's first part with files.
func with(p mission.Part, files ...mission.PartFile) mission.Part {
	p.Media = files
	return p
}

// single publishes a post with a file.
func single(w *world, f mission.File) {
	creds := w.connected()
	file, _ := w.uploaded(creds, f, nil)
	got := w.must(creds, with(first(w.post('1', text)), file))
	w.holds(Post{ID: got.PostID, Text: w.p.shown(text)})
	w.shows(got.PostID, file)
}

// pictures publishes posts with a picture, five, and as many as a post can have, each in its
// place, one of them without an alt text.
func pictures(w *world) {
	creds, most := w.connected(), w.p.media().Images
	counts := slices.Compact([]int{1, min(5, most), most})
	for i, n := range counts {
		var files []mission.PartFile
		for k := range n {
			f := w.file(mission.MediaImage, 1000*(i+1)+k)
			if f.AltText += strings.Repeat("!", k); k == 1 {
				f.AltText = ""
			}
			file, _ := w.uploaded(creds, f, nil)
			files = append(files, file)
		}
		got := w.must(creds, with(first(w.post(byte('1'+i), text+strings.Repeat("!", i))), files...))
		w.shows(got.PostID, files...)
	}
	if n := len(w.stub.Posts()); n != len(counts) {
		w.t.Errorf("there are %d posts", n)
	}
}

func pictureInThread(w *world) {
	c, creds := w.post('2', "One thing first.", "Then a picture."), w.connected()
	one := w.must(creds, part(c))
	file, _ := w.uploaded(creds, w.file(mission.MediaImage, 900), nil)
	two := w.must(creds, with(part(c, one), file))
	w.shows(one.PostID)
	w.shows(two.PostID, file)
}

// processed uploads a video that takes the platform some looks.
func processed(w *world) {
	creds := w.connected()
	w.stub.Process(2, false)
	file, waits := w.uploaded(creds, w.file(mission.MediaVideo, 100_000), nil)
	waited := slices.DeleteFunc(waits, func(d time.Duration) bool { return d == 0 })
	if want := map[bool]int{false: 2, true: 1}[w.p.FilesUnseen]; len(waited) < want || slices.Max(waited) > 5*time.Minute {
		w.t.Errorf("the waits are %v", waits)
	}
	got := w.must(creds, with(first(w.post('1', text)), file))
	w.shows(got.PostID, file)
}

func unprocessable(w *world) {
	creds, f := w.connected(), w.file(mission.MediaVideo, 100_000)
	w.stub.Process(1, true)
	u := begin(f)
	var err error
	for n := 0; err == nil && n < maxSteps; n++ {
		u, err = w.step(creds, f, u)
	}
	if pe := w.failed(err); pe.Outcome != mission.OutcomeRefused || pe.FilesGone {
		w.t.Errorf("got %+v", pe)
	}
}

// refusesVideo uploads a video to a platform that takes none: nothing is sent.
func refusesVideo(w *world) {
	creds, f := w.connected(), w.file(mission.MediaVideo, 1000)
	w.upload = failing
	_, err := w.step(creds, f, begin(f))
	if pe := w.failed(err); pe.Outcome != mission.OutcomeRefused || w.upload != failing {
		w.t.Errorf("got %+v", pe)
	}
}

// uploadsInDoubt loses the response to each step of an upload, which is repeated.
func uploadsInDoubt(w *world) {
	creds := w.connected()
	w.stub.Process(1, false)
	files := []mission.File{w.file(mission.MediaImage, 1000)}
	if w.p.media().Videos > 0 {
		files = append(files, w.file(mission.MediaVideo, publisher.MaxChunk+100))
	}
	for i, f := range files {
		file, _ := w.uploaded(creds, f, func(u mission.Upload) {
			for _, lose := range []fault{lost, withoutResponse} {
				w.mu.Lock()
				w.upload = lose
				w.mu.Unlock()
				_, err := w.step(creds, f, u)
				w.mu.Lock()
				called := w.upload == none
				w.upload = none
				w.mu.Unlock()
				if !called || err == nil && u.State == mission.UploadProcessing {
					continue // the step makes no call, or a GET, which net/http itself repeats
				}
				if pe := w.failed(err); pe.Outcome != mission.OutcomeNotAccepted || pe.FilesGone {
					w.t.Fatalf("after %+v: got %+v", u, pe)
				}
			}
		})
		got := w.must(creds, with(first(w.post(byte('1'+i), text+strings.Repeat("!", i))), file))
		w.shows(got.PostID, file)
	}
}

// refusesFile lets the first request of an upload fail. Unless the platform refused the file it
// is uploaded afterwards.
func refusesFile(w *world, f fault, want mission.Outcome) {
	creds, file := w.connected(), w.file(mission.MediaImage, 1000)
	w.upload = f
	_, err := w.step(creds, file, begin(file))
	pe := w.failed(err)
	if pe.Outcome != want || pe.FilesGone || pe.Unauthorized {
		w.t.Errorf("got %+v", pe)
	}
	if off := pe.RetryAfter - limitedUntil; f == limited && (off > 2*time.Second || off < -time.Minute) {
		w.t.Errorf("to be left alone for %s, want %s", pe.RetryAfter, limitedUntil)
	}
	uploaded, _ := w.uploaded(creds, file, nil)
	got := w.must(creds, with(first(w.post('1', text)), uploaded))
	w.shows(got.PostID, uploaded)
}

func uploadsExpired(w *world) {
	creds, f := w.connected(), w.file(mission.MediaImage, 1000)
	w.stub.Expire()
	_, err := w.step(creds, f, begin(f))
	if pe := w.failed(err); !pe.Unauthorized || pe.Outcome != mission.OutcomeNotAccepted {
		w.t.Errorf("got %+v", pe)
	}
}

func uploadsKeepSecrets(w *world) {
	creds, f := w.connected(), w.file(mission.MediaImage, 1000)
	w.upload = echoing
	_, err := w.step(creds, f, begin(f))
	w.keeps(creds, err)
}

// doubtsWithPicture loses the response to a post with a picture: the post is found with it, or
// sent once more.
func doubtsWithPicture(w *world) {
	for i, f := range []fault{lost, withoutResponse} {
		creds := w.connected()
		file, _ := w.uploaded(creds, w.file(mission.MediaImage, 1000), nil)
		p := with(first(w.post(byte('1'+i), text+strings.Repeat("!", i))), file)
		w.befall(f)
		err := w.publish(creds, p)
		if pe := w.failed(err); pe.Outcome != mission.OutcomeUnknown {
			w.t.Errorf("got %+v", pe)
		}
		got := w.settle(creds, p)
		if got.PostID == "" { // nobody knows, and it isn't there
			continue
		}
		w.shows(got.PostID, file)
		w.stub.Delete(got.PostID)
	}
}

// forgets lets the platform forget the files of a post that isn't out, which are uploaded again.
func forgets(w *world) {
	creds, f := w.connected(), w.file(mission.MediaImage, 1000)
	file, _ := w.uploaded(creds, f, nil)
	p := with(first(w.post('1', text)), file)
	w.stub.Forget()
	if w.p.FilesKept {
		w.shows(w.must(creds, p).PostID, file)
		return
	}
	err := w.publish(creds, p)
	if pe := w.failed(err); pe.Outcome != mission.OutcomeNotAccepted || !pe.FilesGone || pe.Unauthorized {
		w.t.Fatalf("got %+v", pe)
	}
	w.holds()
	p.Media[0], _ = w.uploaded(creds, f, nil)
	got := w.must(creds, p)
	w.shows(got.PostID, p.Media...)
}

// longAltText uploads pictures with the longest alt text, and with a longer one.
func longAltText(w *world) {
	creds, f := w.connected(), w.file(mission.MediaImage, 1000)
	f.AltText = strings.Repeat("é", w.p.media().AltText)
	file, _ := w.uploaded(creds, f, nil)
	got := w.must(creds, with(first(w.post('1', text)), file))
	w.shows(got.PostID, file)
	f.AltText += "é"
	u := begin(f)
	var err error
	for n := 0; err == nil && u.State != mission.UploadReady && n < maxSteps; n++ {
		u, err = w.step(creds, f, u)
	}
	if err == nil {
		err = w.publish(creds, with(first(w.post('2', "Another text.")), mission.PartFile{File: f, Upload: u}))
	}
	if pe := w.failed(err); pe.Outcome != mission.OutcomeRefused {
		w.t.Errorf("got %+v", pe)
	}
}

// unreadable uploads files that can't be opened, end early, or fail.
func unreadable(w *world) {
	creds, whole := w.connected(), w.file(mission.MediaImage, 1000)
	broken := errors.New("a disk at 10.0.0.1 is broken")
	for name, open := range map[string]func(context.Context) (io.ReadCloser, error){
		"not there": func(context.Context) (io.ReadCloser, error) { return nil, broken },
		"short": func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(w.content(whole)[:900])), nil
		},
		"failing": func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(bytes.NewReader(w.content(whole)[:900]), failingReader{broken})), nil
		},
	} {
		f := whole
		f.Open = open
		u := begin(f)
		var err error
		for n := 0; err == nil && n < maxSteps; n++ {
			u, err = w.step(creds, f, u)
		}
		pe := w.failed(err)
		if pe.Outcome != mission.OutcomeNotAccepted || pe.Failure.Code != publisher.CodeFileUnread || strings.Contains(pe.Failure.Message, "10.0.0.1") {
			w.t.Errorf("%s: got %+v", name, pe)
		}
	}
}

type failingReader struct{ err error }

// Read implements [io.Reader].
func (r failingReader) Read([]byte) (int, error) { return 0, r.err }
