package publishertest

import (
	"errors"
	"time"

	"missiond/mission"
)

// doubts lets a call end without a response, and checks that the platform has the
// part once.
func doubts(w *world, f fault) {
	creds, p := w.connected(), first(w.post('c', text))
	w.befall(f)
	start := time.Now()
	err := w.publish(creds, p)
	if pe := w.failed(err); pe.Outcome != mission.OutcomeUnknown {
		w.t.Errorf("got %+v", pe)
	}
	if took := time.Since(start); took > 15*time.Second {
		w.t.Errorf("the call took %s", took)
	}
	w.settle(creds, p)
}

// settle resolves a part with an unknown outcome: it is looked up, and published if
// it isn't there. Then the platform must have it once.
func (w *world) settle(creds mission.Credentials, p mission.Part) mission.Publication {
	w.t.Helper()
	p.Again = true
	if w.p.unknowable() {
		return w.settleUnknown(creds, p)
	}
	found, ok, err := w.adapter.Find(w.t.Context(), creds, p)
	if err != nil && !errors.Is(err, mission.ErrInconclusive) {
		w.t.Fatal("find:", err)
	}
	if !ok {
		found = w.must(creds, p)
	}
	parent := ""
	if p.Parent != nil {
		parent = p.Parent.PostID
	}
	posts := w.stub.Posts()
	if len(posts) != p.Index+1 {
		w.t.Fatalf("the platform has %d posts, want %d: %+v", len(posts), p.Index+1, posts)
	}
	if want := (Post{ID: found.PostID, Text: w.p.shown(p.Text), Parent: parent}); posts[p.Index] != want {
		w.t.Errorf("the platform has %+v, want %+v", posts[p.Index], want)
	}
	return found
}

// settleUnknown checks that nothing can be found out about a part with an unknown outcome, and returns what
// the platform has of it, as a person would who looks there; zero for nothing.
func (w *world) settleUnknown(creds mission.Credentials, p mission.Part) (found mission.Publication) {
	w.t.Helper()
	w.knowsNothing(creds, p)
	posts := w.stub.Posts()
	if len(posts) > p.Index+1 {
		w.t.Fatalf("the platform has %d posts: %+v", len(posts), posts)
	}
	if len(posts) == p.Index+1 {
		want := Post{ID: posts[p.Index].ID, Text: p.Text}
		if p.Parent != nil {
			want.Parent = p.Parent.PostID
		}
		if posts[p.Index] != want {
			w.t.Errorf("the platform has %+v, want %+v", posts[p.Index], want)
		}
		found.PostID = want.ID
	}
	return found
}

// knowsNothing checks that a lookup says at once, without a request, that it can't tell.
func (w *world) knowsNothing(creds mission.Credentials, p mission.Part) {
	w.t.Helper()
	before := w.requested()
	if found, ok, err := w.adapter.Find(w.t.Context(), creds, p); ok || !errors.Is(err, mission.ErrUnknowable) {
		w.t.Errorf("found %+v, %t, %v", found, ok, err)
	}
	if n := w.requested() - before; n > 0 {
		w.t.Errorf("a lookup makes %d requests", n)
	}
}

// doubtsInThread loses the response to a second part whose text is that of the
// first: they must not be confused.
func doubtsInThread(w *world) {
	c, creds := w.post('d', "Again.", "And again.", "And again, for good."), w.connected()
	one := w.must(creds, part(c))
	w.befall(lost)
	err := w.publish(creds, part(c, one))
	_ = w.failed(err)
	two := w.settle(creds, part(c, one))
	if w.p.unknowable() { // a person publishes it again
		two = w.must(creds, part(c, one))
	}
	w.befall(withoutResponse)
	err = w.publish(creds, part(c, one, two))
	_ = w.failed(err)
	w.settle(creds, part(c, one, two))
}
