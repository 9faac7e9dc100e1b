package mission

import (
	"slices"
	"time"
)

// fetchTime is how long after a post was settled its platform may fetch its files.
const fetchTime = time.Hour

// Fetchable returns the post's file with a hash, which a platform that fetches files may fetch from
// the post's slot, when its upload begins, until an hour after the post was settled; ok is false
// at other times, and if the post's revision has no such file.
func (c Content) Fetchable(hash string, now time.Time) (m PostMedia, ok bool) {
	i := slices.IndexFunc(c.Media, func(m PostMedia) bool { return m.Hash == hash })
	if i < 0 {
		return PostMedia{}, false
	}
	switch c.Status {
	case ContentPublishing, ContentUnknown:
		ok = true
	case ContentScheduled:
		ok = !now.Before(*c.ScheduledAt)
	case ContentPublished:
		ok = now.Before(c.PublishedAt.Add(fetchTime))
	case ContentFailed:
		ok = now.Before(c.UpdatedAt.Add(fetchTime))
	case ContentPendingReview, ContentApproved, ContentRejected, ContentExpired, ContentCanceled:
	}
	return c.Media[i], ok
}
