package mission

// ContentCounts are the counters of the status view: a funnel. Generated counts
// all posts ever written, Approved all that passed review (including Published
// and Scheduled), PendingReview and Scheduled those in that state now.
type ContentCounts struct {
	Generated     int `json:"generated" doc:"All posts that were written" example:"6"`
	PendingReview int `json:"pending_review" doc:"Posts that wait for a person" example:"2"`
	Approved      int `json:"approved" doc:"Posts that passed review, the scheduled and published ones among them" example:"2"`
	Published     int `json:"published" doc:"Posts that were published" example:"3"`
	Scheduled     int `json:"scheduled" doc:"Posts that wait for their time" example:"1"`
}

// countsOf returns what a content in state s adds to its mission's counters.
func countsOf(s ContentStatus) ContentCounts {
	is := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	return ContentCounts{
		PendingReview: is(s == ContentPendingReview),
		Approved:      is(s.passedReview()),
		Published:     is(s == ContentPublished),
		Scheduled:     is(s == ContentScheduled),
	}
}

// Moved returns how the counters change when a content goes from one state to
// another; from is "" for a new content.
func Moved(from, to ContentStatus) ContentCounts {
	a, b := countsOf(from), countsOf(to)
	d := ContentCounts{
		PendingReview: b.PendingReview - a.PendingReview,
		Approved:      b.Approved - a.Approved,
		Published:     b.Published - a.Published,
		Scheduled:     b.Scheduled - a.Scheduled,
	}
	if from == "" {
		d.Generated = 1
	}
	return d
}

// Plus returns the sum of the counters.
func (c ContentCounts) Plus(o ContentCounts) ContentCounts {
	return ContentCounts{
		Generated:     c.Generated + o.Generated,
		PendingReview: c.PendingReview + o.PendingReview,
		Approved:      c.Approved + o.Approved,
		Published:     c.Published + o.Published,
		Scheduled:     c.Scheduled + o.Scheduled,
	}
}
