package publishertest

import "missiond/mission"

func measures(w *world) {
	creds := w.connected()
	caps, _ := mission.CapabilitiesOf(w.p.Name)
	if len(caps.Metrics) == 0 && !caps.ReadBack {
		w.measuresNothing(creds)
		return
	}
	var posts []mission.Content
	want := map[string]mission.Metrics{}
	for i := range 3 {
		c := w.post(byte('f'+i), []string{"A first text.", "A second one.", "A third."}[i])
		got := w.must(creds, first(c))
		c.PlatformPostID, c.PublishedAt = &got.PostID, &got.PublishedAt
		figures := mission.Metrics{}
		for k, m := range caps.Metrics {
			if w.p.reports(m) {
				// They fall along the list: clicks include those on links.
				figures[m] = float64(100*i + len(caps.Metrics) - k)
			}
		}
		w.stub.React(got.PostID, figures)
		posts, want[c.ID] = append(posts, c), figures
	}
	w.stub.Delete(*posts[1].PlatformPostID)
	delete(want, posts[1].ID)
	got, err := w.adapter.Measure(w.t.Context(), creds, posts)
	if err != nil {
		w.t.Fatal(err)
	}
	if len(got) != len(want) {
		w.t.Errorf("%d posts were measured, want %d", len(got), len(want))
	}
	for id, figures := range want {
		for m, v := range figures {
			if seen, ok := got[id][m]; !ok || seen != v {
				w.t.Errorf("%s of %s: got %v (%t), want %v", m, id, seen, ok, v)
			}
		}
		if len(got[id]) != len(figures) {
			w.t.Errorf("%s: got %v, want %v", id, got[id], figures)
		}
	}
}

// measuresNothing checks that a platform that reports no figures of posts isn't asked for any.
func (w *world) measuresNothing(creds mission.Credentials) {
	c := w.post('f', "A first text.")
	posted := w.must(creds, first(c))
	c.PlatformPostID, c.PublishedAt = &posted.PostID, &posted.PublishedAt
	before := w.requested()
	if got, err := w.adapter.Measure(w.t.Context(), creds, []mission.Content{c}); err != nil || len(got) > 0 {
		w.t.Errorf("measured %v, %v", got, err)
	}
	if n := w.requested() - before; n > 0 {
		w.t.Errorf("measuring makes %d requests", n)
	}
}
