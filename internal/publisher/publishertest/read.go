package publishertest

import (
	"missiond/internal/publisher"
	"missiond/mission"
)

// readsBack reads posts back whose texts the platform rewrites, and one that its author changed
// there.
func readsBack(w *world) {
	creds := w.connected()
	reader := w.adapter.(publisher.Reader)
	var posts []mission.Content
	all := [][]string{
		{"One & two <three>: see https://example.com/a/rather/long/address?b=c&d, @ada and #news.\n\n\"Four\""}, {"Changed there."}, {"Gone."},
		{"A thread.", "Its end: example.com"},
	}
	if !w.p.Threads {
		all = all[:3]
	}
	for i, texts := range all {
		c := w.post(byte('j'+i), texts...)
		for range texts {
			c.Published = append(c.Published, w.must(creds, part(c, c.Published...)))
		}
		c.PlatformPostID = &c.Published[0].PostID
		posts = append(posts, c)
	}
	w.stub.(Editor).Edit(*posts[1].PlatformPostID, "Changed, in truth.")
	w.stub.Delete(*posts[2].PlatformPostID)
	got, err := reader.Read(w.t.Context(), creds, posts)
	if err != nil {
		w.t.Fatal(err)
	}
	for i := range posts {
		shown := got[posts[i].ID]
		want := []int{1, 1, 0, max(1, len(shown))}[i] // of a thread its first part at least
		if len(shown) != want {
			w.t.Errorf("%q: read %+v", posts[i].Text, shown)
		}
		for n, s := range shown {
			if s.Part != n || s.Same != (i != 1) || i == 1 && s.Text != "" && s.Text != "Changed, in truth." {
				w.t.Errorf("%q: got %+v", posts[i].Text, s)
			}
		}
	}
}
