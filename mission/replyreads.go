package mission

import (
	"cmp"
	"slices"
	"time"
)

// ReplyReads is how far the replies to a post have been read.
type ReplyReads struct {
	// Cursor and Since are as those of a ReplyQuery, Mark is what becomes Since once the read that
	// Cursor continues is complete.
	Cursor string `json:"cursor,omitempty"`
	Since  string `json:"since,omitempty"`
	Mark   string `json:"mark,omitempty"`
	// Pages is how many pages the read that Cursor continues has taken, and Began when it began; zero
	// once a page wasn't whole.
	Pages int       `json:"pages,omitempty"`
	Began time.Time `json:"began,omitzero"`
}

// ReadReplies is what a run has read of the replies to a post.
type ReadReplies struct {
	Replies []FoundReply
	Gone    []string
	// Began is when the read began of which the run is a part, if its pages show each reply up to
	// where they end; else zero. See All.
	Began time.Time
	// Reads is how far the post's replies have been read by now, and Behind whether there is more
	// to read soon.
	Reads  ReplyReads
	Behind bool

	now     time.Time
	cursors []string // of the run's queries
}

// GoOn returns what a run at now has read before its first page.
func (r ReplyReads) GoOn(now time.Time) ReadReplies { return ReadReplies{Reads: r, now: now} }

// All reports whether the read is complete, and has shown all replies that there are.
func (rd ReadReplies) All() bool { return !rd.Began.IsZero() && !rd.Behind }

// With returns what was read with another page; cursor is that of the page's query. A read that comes
// to a cursor of the run again, or has taken MaxReplyPages, ends there and doesn't show all.
func (rd ReadReplies) With(p ReplyPage, cursor string) ReadReplies {
	if cursor == "" {
		rd.Reads = ReplyReads{Since: rd.Reads.Since, Mark: p.Mark, Began: rd.now}
	}
	rd.Replies, rd.Gone = append(rd.Replies, p.Replies...), append(rd.Gone, p.Gone...)
	rd.cursors = append(rd.cursors, cursor)
	rd.Reads.Cursor = p.Cursor
	rd.Reads.Pages++
	endless := p.Cursor != "" && (rd.Reads.Pages >= MaxReplyPages || slices.Contains(rd.cursors, p.Cursor))
	if !p.Whole || endless {
		rd.Reads.Began = time.Time{}
	}
	rd.Began = rd.Reads.Began
	if rd.Behind = p.Cursor != "" && !endless; !rd.Behind {
		rd.Reads = ReplyReads{Since: cmp.Or(rd.Reads.Mark, rd.Reads.Since)}
	}
	return rd
}

// in returns the Reply.SeenIn of what the run has read; zero if it ends the read, or that can't show all.
func (rd ReadReplies) in() time.Time {
	if !rd.Behind {
		return time.Time{}
	}
	return rd.Began
}

// lacks reports whether a reply is gone that is known: the platform says so, or the read has come to its
// end, and neither the run, which seen is about, nor an earlier one of the read has shown it.
func (rd ReadReplies) lacks(r Reply, seen bool) bool {
	return slices.Contains(rd.Gone, r.Found.ID) || !seen && rd.All() && !r.SeenIn.Equal(rd.Began)
}
