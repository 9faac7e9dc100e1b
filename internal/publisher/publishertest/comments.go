package publishertest

import (
	"errors"

	"missiond/mission"
)

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
