package facebook

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/meta/metatest"
	"missiond/mission"
)

// post publishes a post.
func (w *world) post() mission.Publication {
	w.Helper()
	got, err := w.adapter.Publish(w.Context(), w.creds, w.part("A post."))
	if err != nil {
		w.Fatal(err)
	}
	return got
}

// read reads the replies to a post, by id.
func (w *world) read(post mission.Publication) map[string]mission.FoundReply {
	w.Helper()
	page, err := w.adapter.Replies(w.Context(), w.creds, mission.ReplyQuery{Post: mission.Content{PlatformPostID: &post.PostID}, Limit: 100})
	if err != nil || !page.Whole || page.Cursor != "" {
		w.Fatalf("got %+v, %v", page, err)
	}
	all := map[string]mission.FoundReply{}
	for _, r := range page.Replies {
		all[r.ID] = r
	}
	return all
}

// commentOn returns a part that is a comment on a post, or an answer to one.
func (w *world) commentOn(post mission.Publication, on, below, text string) mission.Part {
	p := w.part(text)
	p.Index, p.Root, p.Parent = 1, &post, &mission.Publication{PostID: on, Hash: below}
	return p
}

// A reply has its author's name as given, the text as it is now and what it replies to. One that is hidden
// is still there; the Page's own comments are no replies.
func TestReplies(t *testing.T) {
	w := newWorld(t)
	post := w.post()
	comment := w.stub.Answer(post.PostID, "Grace H.", "Hm.")
	below := w.stub.Answer(comment, "Linus", "Why?")
	if _, err := w.adapter.Publish(t.Context(), w.creds, w.commentOn(post, comment, "", "Since it is so.")); err != nil {
		t.Fatal(err)
	}
	got := w.read(post)
	one, two := got[comment], got[below]
	if len(got) != 2 || one.Author.Name != "Grace H." || one.Author.ID == "" || one.Author.Handle != "" || one.ParentID != post.PostID || one.Hash != "" ||
		!one.PublishedAt.Equal(w.now) || two.ParentID != comment || two.Hash != comment {
		t.Fatalf("got %+v", got)
	}
	w.stub.Edit(comment, "Hm, well.")
	if err := w.adapter.Hide(t.Context(), w.creds, mission.Reply{Found: two}); err != nil {
		t.Fatal(err)
	}
	if got = w.read(post); got[comment].Text != "Hm, well." || got[comment].Hidden || !got[below].Hidden {
		t.Errorf("after an edit and a hiding: got %+v", got)
	}
	w.stub.Delete(comment)
	if got = w.read(post); len(got) != 0 {
		t.Errorf("after a deletion: got %+v", got)
	}
	film, err := w.adapter.Publish(t.Context(), w.creds, w.film("A film.", 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	id := w.stub.Answer(film.PostID, "Grace H.", "Nice.")
	if got = w.read(film); len(got) != 1 || got[id].ParentID != film.PostID {
		t.Errorf("of a video: got %+v", got)
	}
}

// Comments whose author Facebook doesn't tell are replies too.
func TestUnnamedAuthor(t *testing.T) {
	w := newWorld(t)
	post := w.post()
	w.stub.Handle = func(rw http.ResponseWriter, _ *http.Request) bool {
		metatest.Send(rw, http.StatusOK, map[string]any{"data": []any{map[string]any{"id": "1_2", "message": "Hm.", "created_time": "2026-11-27T09:00:00+0000"}}})
		return true
	}
	if got := w.read(post)["1_2"]; got.Text != "Hm." || got.Author != (mission.ReplyAuthor{}) {
		t.Errorf("got %+v", got)
	}
}

// A token without the permission to read comments stays in use: replies are refused, and what became of a
// comment can't be found out.
func TestCommentsUnread(t *testing.T) {
	w := newWorld(t)
	post := w.post()
	w.stub.NoComments = true
	_, err := w.adapter.Replies(t.Context(), w.creds, mission.ReplyQuery{Post: mission.Content{PlatformPostID: &post.PostID}})
	if pe := w.failure(err); pe.Outcome != mission.OutcomeRefused || pe.Unauthorized || !strings.Contains(pe.Failure.Message, "pages_read_user_content") {
		t.Errorf("got %+v", pe)
	}
	if _, ok, err := w.adapter.Find(t.Context(), w.creds, w.commentOn(post, post.PostID, "", "More.")); ok || !errors.Is(err, mission.ErrUnknowable) {
		t.Errorf("a comment: %t, %v", ok, err)
	}
}

// An answer to a reply below a comment is one to the comment; a lost one is found there, and not one that
// a stranger wrote in the same words, nor one of the Page's from before.
func TestAnswersBelowComments(t *testing.T) {
	w := newWorld(t)
	post := w.post()
	comment := w.stub.Answer(post.PostID, "Grace", "Hm.")
	id := w.stub.Answer(comment, "Linus", "Why?")
	below := w.read(post)[id]
	p := w.commentOn(post, below.ID, below.Hash, "Since it is so.")
	missing := func(when string) {
		t.Helper()
		if _, ok, err := w.adapter.Find(t.Context(), w.creds, p); ok || err != nil {
			t.Errorf("%s: found %t, %v", when, ok, err)
		}
	}
	w.stub.Answer(comment, "Mallory", p.Text)
	missing("a stranger's")
	if _, err := w.adapter.Publish(t.Context(), w.creds, p); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(time.Hour)
	p.CalledAt = w.now
	missing("an older one")
	got, err := w.adapter.Publish(t.Context(), w.creds, p)
	if err != nil {
		t.Fatal(err)
	}
	if posts := w.stub.Posts(); posts[len(posts)-1].Parent != comment {
		t.Errorf("the answer is %+v", posts[len(posts)-1])
	}
	for i := range 250 {
		w.stub.Answer(comment, "Grace", fmt.Sprint("Number ", i))
	}
	if found, ok, err := w.adapter.Find(t.Context(), w.creds, p); err != nil || !ok || found.PostID != got.PostID || found.URL != got.URL {
		t.Errorf("found %+v, %t, %v", found, ok, err)
	}
	for i := range 250 {
		w.stub.Answer(comment, "Grace", fmt.Sprint("Later number ", i))
	}
	_, ok, err := w.adapter.Find(t.Context(), w.creds, p)
	if pe := w.failure(err); ok || pe.Outcome != mission.OutcomeUnknown || pe.Failure.Code != publisher.CodeUnavailable {
		t.Errorf("below too many: %t, %+v", ok, pe)
	}
	w.stub.Delete(comment)
	missing("below a comment that is gone")
}

// A first comment that got no response is found on its post.
func TestFindFirstComment(t *testing.T) {
	w := newWorld(t)
	post := w.post()
	p := w.commentOn(post, post.PostID, "", "More.")
	if _, ok, err := w.adapter.Find(t.Context(), w.creds, p); ok || err != nil {
		t.Errorf("before: found %t, %v", ok, err)
	}
	got, err := w.adapter.Publish(t.Context(), w.creds, p)
	if err != nil {
		t.Fatal(err)
	}
	if found, ok, err := w.adapter.Find(t.Context(), w.creds, p); err != nil || !ok || found.PostID != got.PostID {
		t.Errorf("found %+v, %t, %v", found, ok, err)
	}
}

// A comment that Facebook doesn't hide isn't hidden.
func TestHideRefused(t *testing.T) {
	w := newWorld(t)
	post := w.post()
	r := mission.Reply{Found: mission.FoundReply{ID: w.stub.Answer(post.PostID, "Grace", "Hm.")}}
	for _, tt := range []metatest.Failure{{Code: 100, Message: "no"}, {Status: 403, Code: 200, Message: "no"}} {
		w.stub.Handle = func(rw http.ResponseWriter, req *http.Request) bool {
			if req.Method == http.MethodPost {
				metatest.Refuse(rw, tt)
			}
			return req.Method == http.MethodPost
		}
		if pe := w.failure(w.adapter.Hide(t.Context(), w.creds, r)); pe.Outcome != mission.OutcomeRefused || pe.Unauthorized {
			t.Errorf("%d: got %+v", tt.Code, pe)
		}
	}
}
