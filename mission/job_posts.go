package mission

// JobPosts are how many of the posts of a job came how far.
type JobPosts struct {
	// Written are all of them.
	Written       int
	PendingReview int
	// Approved passed review, the published and failed ones among them.
	Approved  int
	Published int
	Failed    int
	// Expired are those that nobody reviewed in time.
	Expired int
}

// Add adds n posts in a state.
func (p *JobPosts) Add(s ContentStatus, n int) {
	c := countsOf(s)
	p.Written += n
	p.PendingReview += n * c.PendingReview
	p.Approved += n * c.Approved
	p.Published += n * c.Published
	switch s {
	case ContentFailed:
		p.Failed += n
		p.Approved += n
	case ContentExpired:
		p.Expired += n
	default:
	}
}
