package publishertest

import (
	"errors"

	"missiond/internal/textlimit"
	"missiond/mission"
)

// noComments checks that no first comment can be made where there are none.
func noComments(w *world) {
	if err := textlimit.CheckComment(w.p.caps(), "first_comment", "More."); mission.CodeOf(err) != mission.CodeInvalidRequest {
		w.t.Errorf("got %v", err)
	}
}

// commentless publishes a first comment on a platform that takes none: nothing is sent.
func commentless(w *world) {
	creds := w.connected()
	post := w.must(creds, first(w.post('e', text)))
	p := first(w.post('e', text))
	p.Index, p.Text, p.Root, p.Parent = 1, "More", &post, &post
	w.befall(failing)
	err := w.publish(creds, p)
	if pe := w.failed(err); pe.Outcome != mission.OutcomeRefused || w.next != failing {
		w.t.Errorf("got %+v", pe)
	}
	w.holds(Post{ID: post.PostID, Text: w.p.shown(text)})
}

// comments publishes the first comments of posts, and loses the response to one.
func comments(w *world) {
	creds := w.connected()
	of := func(id byte) mission.Part {
		c := w.post(id, "A post "+string(id))
		post := w.must(creds, first(c))
		c.Status, c.Published, c.Comment = mission.ContentPublished, []mission.Publication{post}, mission.NewComment("More (a lot_of it) #there "+string(id))
		c = c.Commenting()
		c.CalledAt = c.ScheduledAt
		return c.NextPart()
	}
	p := of('e')
	got := w.must(creds, p)
	if got.PostID == "" || got.PostID == p.Root.PostID || got.URL == "" {
		w.t.Errorf("got the comment %+v", got)
	}
	lost := of('f')
	w.befall(withoutResponse)
	err := w.publish(creds, lost)
	if r := mission.SendResult(mission.Publication{}, err); r.Outcome != mission.OutcomeUnknown {
		w.t.Errorf("without a response: got %+v", r)
	}
	posts := w.stub.Posts()
	if len(posts) != 4 || posts[1].Parent != p.Root.PostID || posts[1].Text != p.Text || posts[3].Parent != lost.Root.PostID || posts[3].Text != lost.Text {
		w.t.Fatalf("got the posts %+v", posts)
	}
	found, ok, err := w.adapter.Find(w.t.Context(), creds, lost)
	if known := ok && err == nil && found.PostID == posts[3].ID; !known && !errors.Is(err, mission.ErrUnknowable) {
		w.t.Errorf("found %+v, %t, %v", found, ok, err)
	}
}
