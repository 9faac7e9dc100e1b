package main

import (
	"fmt"
	"slices"
)

// posts checks that each post is settled, and that its mission's counters match.
func (a *auditor) posts(r *result) {
	type counts struct{ generated, pending, approved, published, scheduled int }
	of := map[string]*counts{}
	for _, m := range a.Missions {
		of[m.ID] = &counts{}
	}
	positions := map[string]string{}
	for _, p := range a.Posts {
		r.hold(slices.Contains(settled, p.Status), p.ID, "to be settled: its mission has ended", p.Status)
		r.hold(p.Status != "failed", p.ID, "not to have failed: the sandbox refuses nothing", p.Error)
		r.hold(p.Body != "", p.ID, "a text", "none")
		position := fmt.Sprint(p.JobID, " ", p.Position)
		r.hold(positions[position] == "", p.ID, "a position of its own in its job", positions[position])
		positions[position] = p.ID
		n := of[p.MissionID]
		if n == nil {
			r.hold(false, p.ID, "a mission", p.MissionID)
			continue
		}
		n.generated++
		if p.Status == "published" {
			n.approved++
			n.published++
		}
	}
	for _, m := range a.Missions {
		got := counts{m.Generated, m.PendingReview, m.Approved, m.Published, m.Scheduled}
		r.hold(got == *of[m.ID], m.ID, fmt.Sprintf("to count its posts: %+v", *of[m.ID]), fmt.Sprintf("%+v", got))
	}
}

// reviews checks that each acknowledged review is kept.
func (a *auditor) reviews(r *result) {
	posts := map[string]postRow{}
	for _, p := range a.Posts {
		posts[p.ID] = p
	}
	for id, review := range a.b.reviews {
		p, ok := posts[id]
		if !ok {
			// It went with its mission, whose events stay.
			continue
		}
		approved, rejected, rewritten := review["approve"].Sure, review["reject"].Sure, review["regenerate"]
		r.hold(approved+rejected <= 1, p.ID, "one acknowledged review", review)
		if approved > 0 {
			r.hold(p.Reviewed && p.Status != "rejected" && p.Status != "expired", p.ID, "to be approved, as acknowledged", p.Status)
		}
		r.hold(rewritten.allows(p.Revision-1), p.ID, "as many new texts as were acknowledged: "+rewritten.String(), p.Revision-1)
		if rejected > 0 {
			r.hold(p.Reviewed && p.Status == "rejected", p.ID, "to be rejected, as acknowledged", p.Status)
		}
	}
}

// published checks that each published post is on the platform once, part by part as
// it was written, and that no other is.
func (a *auditor) published(r *result) {
	known := map[string]bool{}
	for _, p := range a.Posts {
		known[p.ID] = true
		on := a.publications[p.ID]
		if p.Status != "published" {
			r.hold(len(on) == 0, p.ID, "not to be on the platform, being "+p.Status, ids(on))
			continue
		}
		texts := p.Parts
		if len(texts) == 0 {
			texts = []string{p.Body}
		}
		r.hold(len(on) == len(texts), p.ID, fmt.Sprintf("to be on the platform once: %d parts", len(texts)), ids(on))
		r.hold(p.Published && len(p.Publications) == len(texts), p.ID, "to have a publication of each part", fmt.Sprintf("%+v", p.Publications))
		for i, text := range texts {
			is := slices.IndexFunc(on, func(o publicationRow) bool { return o.Part == i })
			ok := is >= 0 && on[is].Body == text && on[is].Platform == p.Platform && i < len(p.Publications) && p.Publications[i].PostID == on[is].ID
			r.hold(ok, p.ID, fmt.Sprintf("part %d as it was written, under the platform's id", i), fmt.Sprintf("%+v", on))
		}
		r.hold(len(p.Publications) > 0 && p.PlatformPostID == p.Publications[0].PostID, p.ID, "its first part's id", p.PlatformPostID)
	}
	for post, on := range a.publications {
		if known[post] {
			continue
		}
		// Its mission was deleted; it stays on the platform. Its events name its mission.
		r.hold(a.ofGone(post), post, "to be a post, or of a deleted mission", "neither")
		parts := map[int]bool{}
		for _, o := range on {
			r.hold(!parts[o.Part], post, fmt.Sprintf("part %d on the platform once", o.Part), ids(on))
			parts[o.Part] = true
		}
	}
}

// ofGone reports whether a post belonged to a deleted mission.
func (a *auditor) ofGone(post string) bool {
	for id := range a.gone {
		if slices.ContainsFunc(a.eventsOf[id], func(e event) bool { return e.Data.ContentID == post }) {
			return true
		}
	}
	return false
}

func ids(list []publicationRow) []string {
	names := []string{}
	for _, p := range list {
		names = append(names, fmt.Sprintf("%s (part %d)", p.ID, p.Part))
	}
	return names
}
