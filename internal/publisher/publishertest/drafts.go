package publishertest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// drafted is an adapter of a platform with drafts. It makes each part as a draft before it is published,
// as the service does, and remembers the drafts.
type drafted struct {
	publisher.Preparer

	w    *world
	mu   sync.Mutex
	made map[string]mission.Upload
}

// drafts reports whether a part is made as a draft: comments aren't where there are no threads.
func (w *world) drafts(p mission.Part) bool {
	caps, _ := mission.CapabilitiesOf(w.p.Name)
	return caps.Drafts && (caps.Threads() || p.Root == nil)
}

// whole returns a part with a picture, if its platform takes none without.
func (w *world) whole(p mission.Part) mission.Part {
	if w.p.media().Required && p.Root == nil && len(p.Media) == 0 {
		f := w.file(mission.MediaImage, 777)
		p.Media = []mission.PartFile{{File: f, Upload: mission.Upload{Hash: f.Hash, AltText: f.AltText, ID: f.Hash, State: mission.UploadReady}}}
	}
	return p
}

// Publish implements [publisher.Adapter].
func (d *drafted) Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	p = d.w.whole(p)
	if !d.w.drafts(p) {
		return d.Preparer.Publish(ctx, c, p)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	u, ok := d.made[p.Key()]
	if !ok {
		u = mission.Upload{Hash: p.Key()}
		for n := 0; u.State != mission.UploadReady; n++ {
			if n == maxSteps+len(p.Media) {
				d.w.t.Errorf("the draft is still %+v", u)
			}
			next, err := d.Prepare(ctx, c, p, u)
			if err != nil {
				return mission.Publication{}, err
			}
			u = next
		}
		d.made[p.Key()] = u
	}
	p.Draft = u
	got, err := d.Preparer.Publish(ctx, c, p)
	if r := mission.SendResult(got, err); r.FilesGone {
		delete(d.made, p.Key())
	}
	return got, err
}

// Find implements [publisher.Adapter].
func (d *drafted) Find(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if u, ok := d.made[p.Key()]; ok {
		p.Draft = u
	}
	return d.Preparer.Find(ctx, c, p)
}

// Upload implements [publisher.Uploader].
func (d *drafted) Upload(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	return d.Preparer.(publisher.Uploader).Upload(ctx, c, f, u)
}

// Audience implements [publisher.Audiences].
func (d *drafted) Audience(ctx context.Context, c mission.Credentials, since string) (mission.Audience, error) {
	return d.Preparer.(publisher.Audiences).Audience(ctx, c, since)
}

// Replies implements [publisher.Replier].
func (d *drafted) Replies(ctx context.Context, c mission.Credentials, q mission.ReplyQuery) (mission.ReplyPage, error) {
	return d.Preparer.(publisher.Replier).Replies(ctx, c, q)
}

// Hide implements [publisher.Hider].
func (d *drafted) Hide(ctx context.Context, c mission.Credentials, r mission.Reply) error {
	return d.Preparer.(publisher.Hider).Hide(ctx, c, r)
}

// serveFiles serves the files of posts to a platform that fetches them, by their hash, and what it
// must not take.
func (w *world) serveFiles(t *testing.T) {
	w.files = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if to, ok := strings.CutPrefix(name, "moved/"); ok {
			http.Redirect(rw, r, "/"+to, http.StatusFound)
			return
		}
		name, as, _ := strings.Cut(name, "/")
		w.mu.Lock()
		f, ok := w.served[name]
		w.mu.Unlock()
		if !ok {
			http.NotFound(rw, r)
			return
		}
		rw.Header().Set("Content-Type", f.ContentType)
		if as != "" {
			rw.Header().Set("Content-Type", "text/html")
		}
		_, _ = rw.Write(w.content(f))
	}))
	t.Cleanup(w.files.Close)
}

// prepare takes a part a step further.
func (w *world) prepare(c mission.Credentials, p mission.Part, u mission.Upload) (mission.Upload, error) {
	ctx, cancel := w.call()
	defer cancel()
	return w.adapter.(publisher.Preparer).Prepare(ctx, c, w.whole(p), u)
}

// ready prepares a part, with the waits that the steps asked for. before, unless nil, is called before
// each step.
func (w *world) ready(c mission.Credentials, p mission.Part, before func(mission.Upload)) (mission.Part, []time.Duration) {
	w.t.Helper()
	u, waits := mission.Upload{Hash: p.Key()}, []time.Duration(nil)
	for range maxSteps {
		if before != nil {
			before(u)
		}
		next, err := w.prepare(c, p, u)
		if err != nil {
			w.t.Fatalf("prepare after %+v: %v", u, err)
		}
		if next.Hash != p.Key() || next.ID == "" && next.State != mission.UploadSending {
			w.t.Fatalf("got the draft %+v", next)
		}
		if u = next; u.State == mission.UploadReady {
			if u.Wait != 0 {
				w.t.Errorf("a wait of %s after the last step", u.Wait)
			}
			p.Draft = u
			return p, waits
		}
		waits = append(waits, u.Wait)
	}
	w.t.Fatalf("the draft is still %+v", u)
	return p, nil
}

// album returns a part with files.
func (w *world) album(id byte, files ...mission.File) mission.Part {
	p := first(w.post(id, text))
	for _, f := range files {
		u, err := w.step(w.connected(), f, begin(f))
		if err != nil || u.State != mission.UploadReady {
			w.t.Fatalf("got the upload %+v (%v)", u, err)
		}
		p.Media = append(p.Media, mission.PartFile{File: f, Upload: u})
	}
	return p
}

// publishDraft publishes a part that is prepared.
func (w *world) publishDraft(c mission.Credentials, p mission.Part) (mission.Publication, error) {
	return w.adapter.(*drafted).Preparer.Publish(w.t.Context(), c, p)
}

// draftsUnseen prepares a part, which nobody sees; it is published only afterwards.
func draftsUnseen(w *world) {
	creds := w.connected()
	p := w.album('1', w.file(mission.MediaImage, 1000))
	inner := w.adapter.(*drafted).Preparer
	if _, ok, err := inner.Find(w.t.Context(), creds, p); ok || err != nil {
		w.t.Errorf("without a draft: found %t, %v", ok, err)
	}
	p, waits := w.ready(creds, p, nil)
	if slices.Max(waits) < 10*time.Second {
		w.t.Errorf("the waits are %v", waits)
	}
	w.holds()
	if _, ok, err := inner.Find(w.t.Context(), creds, p); ok || err != nil {
		w.t.Errorf("before it is published: found %t, %v", ok, err)
	}
	got, err := w.publishDraft(creds, p)
	if err != nil {
		w.t.Fatal(err)
	}
	w.holds(Post{ID: got.PostID, Text: text})
	w.shows(got.PostID, p.Media...)
}

// draftProcessed prepares a part with a video that takes the platform some looks.
func draftProcessed(w *world) {
	creds := w.connected()
	w.stub.Process(2, false)
	for i, files := range [][]mission.File{
		{w.file(mission.MediaVideo, 100_000)}, {w.file(mission.MediaImage, 1000), w.file(mission.MediaVideo, 90_000)},
	} {
		if i > 0 && !w.p.media().Mixed {
			break
		}
		p, waits := w.ready(creds, w.album(byte('1'+i), files...), nil)
		waited := slices.DeleteFunc(waits, func(d time.Duration) bool { return d == 0 })
		if len(waited) < 2 || slices.Max(waited) > 5*time.Minute {
			w.t.Errorf("the waits are %v", waits)
		}
		got, err := w.publishDraft(creds, p)
		if err != nil {
			w.t.Fatal(err)
		}
		w.shows(got.PostID, p.Media...)
	}
}

func draftUnprocessable(w *world) {
	creds, p := w.connected(), w.album('1', w.file(mission.MediaVideo, 100_000))
	w.stub.Process(1, true)
	u := mission.Upload{Hash: p.Key()}
	var err error
	for n := 0; err == nil && n < maxSteps; n++ {
		u, err = w.prepare(creds, p, u)
	}
	if pe := w.failed(err); pe.Outcome != mission.OutcomeRefused || pe.FilesGone {
		w.t.Errorf("got %+v", pe)
	}
}

// draftsInDoubt loses the response to each step, which is repeated.
func draftsInDoubt(w *world) {
	creds := w.connected()
	w.stub.Process(1, false)
	parts := []mission.Part{
		w.album('1', w.file(mission.MediaImage, 1000)),
		w.album('2', w.file(mission.MediaImage, 1100), w.file(mission.MediaImage, 1200), w.file(mission.MediaImage, 1300)),
		w.album('3', w.file(mission.MediaVideo, 100_000)),
	}
	for i, p := range parts {
		responses := 0
		p, _ := w.ready(creds, p, func(u mission.Upload) {
			for _, lose := range []fault{lost, withoutResponse} {
				w.mu.Lock()
				w.upload = lose
				w.mu.Unlock()
				_, err := w.prepare(creds, p, u)
				w.mu.Lock()
				called := w.upload == none
				w.upload = none
				w.mu.Unlock()
				if !called {
					continue
				}
				responses++
				if pe := w.failed(err); pe.Outcome != mission.OutcomeNotAccepted || pe.FilesGone {
					w.t.Fatalf("after %+v: got %+v", u, pe)
				}
			}
		})
		if want := 2 * max(1, len(p.Media)); responses < want {
			w.t.Errorf("%d responses were lost, want %d", responses, want)
		}
		got, err := w.publishDraft(creds, p)
		if err != nil {
			w.t.Fatal(err)
		}
		w.shows(got.PostID, p.Media...)
		if n := len(w.stub.Posts()); n != i+1 {
			w.t.Errorf("there are %d posts", n)
		}
	}
}

// refusesDraft lets the first request that makes a draft fail. It is made afterwards.
func refusesDraft(w *world, f fault) {
	creds, p := w.connected(), w.album('1', w.file(mission.MediaImage, 1000))
	w.mu.Lock()
	w.upload = f
	w.mu.Unlock()
	_, err := w.prepare(creds, p, mission.Upload{Hash: p.Key()})
	pe := w.failed(err)
	if pe.Outcome != mission.OutcomeNotAccepted || pe.FilesGone || pe.Unauthorized {
		w.t.Errorf("got %+v", pe)
	}
	if off := pe.RetryAfter - limitedUntil; f == limited && (off > 2*time.Second || off < -time.Minute) {
		w.t.Errorf("to be left alone for %s, want %s", pe.RetryAfter, limitedUntil)
	}
	p, _ = w.ready(creds, p, nil)
	got, err := w.publishDraft(creds, p)
	if err != nil {
		w.t.Fatal(err)
	}
	w.shows(got.PostID, p.Media...)
}

func draftsExpired(w *world) {
	creds, p := w.connected(), w.album('1', w.file(mission.MediaImage, 1000))
	w.stub.Expire()
	_, err := w.prepare(creds, p, mission.Upload{Hash: p.Key()})
	if pe := w.failed(err); !pe.Unauthorized || pe.Outcome != mission.OutcomeNotAccepted {
		w.t.Errorf("got %+v", pe)
	}
}

func draftsKeepSecrets(w *world) {
	creds, p := w.connected(), w.album('1', w.file(mission.MediaImage, 1000))
	w.mu.Lock()
	w.upload = echoing
	w.mu.Unlock()
	_, err := w.prepare(creds, p, mission.Upload{Hash: p.Key()})
	if pe := w.failed(err); strings.Contains(pe.Failure.Message, creds.AccessToken) {
		w.t.Errorf("the error shows the token: %v", pe)
	}
}

// draftsForgotten lets the platform forget the draft of a post that isn't out, which is made anew. One
// that an earlier call may have published isn't.
func draftsForgotten(w *world) {
	creds := w.connected()
	p, _ := w.ready(creds, w.album('1', w.file(mission.MediaImage, 1000)), nil)
	w.stub.Forget()
	_, err := w.publishDraft(creds, p)
	if pe := w.failed(err); pe.Outcome != mission.OutcomeNotAccepted || !pe.FilesGone || pe.Unauthorized {
		w.t.Fatalf("got %+v", pe)
	}
	again := p
	again.Again = true
	_, err = w.publishDraft(creds, again)
	if pe := w.failed(err); pe.Outcome != mission.OutcomeUnknown || pe.FilesGone {
		w.t.Fatalf("sent again: got %+v", pe)
	}
	w.holds()
	if _, err := w.prepare(creds, p, p.Draft); !w.failed(err).FilesGone {
		w.t.Errorf("looked at: got %v", err)
	}
	p, _ = w.ready(creds, p, nil)
	if _, err := w.publishDraft(creds, p); err != nil {
		w.t.Fatal(err)
	}
}

// unfetchable prepares parts whose file can't be fetched, which is tried again: the service may have been away.
func unfetchable(w *world) {
	creds, whole := w.connected(), w.file(mission.MediaImage, 1000)
	for name, address := range map[string]string{
		"no address": "", "not there": w.files.URL + "/none", "elsewhere": w.files.URL + "/moved/" + whole.Hash,
		"of another type": w.files.URL + "/" + whole.Hash + "/html", "unreached": "http://127.0.0.1:1/x",
	} {
		f := whole
		f.Address = address
		p := w.album('1', f)
		_, err := w.prepare(creds, p, mission.Upload{Hash: p.Key()})
		pe := w.failed(err)
		want := mission.OutcomeNotAccepted
		if address == "" {
			want = mission.OutcomeRefused
		}
		if pe.Outcome != want || (address == "") != (pe.Failure.Code == publisher.CodeFileUnread) {
			w.t.Errorf("%s: got %+v", name, pe)
		}
	}
}
