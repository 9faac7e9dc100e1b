package mission

import (
	"testing"
	"time"
)

// A read goes on from its cursor, and the next one begins at the first page's mark.
func TestReadReplies(t *testing.T) {
	began := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	read := ReplyReads{Since: "10"}.GoOn(began)
	read = read.With(ReplyPage{Replies: make([]FoundReply, 2), Cursor: "a", Mark: "20", Whole: true}, "")
	if want := (ReplyReads{Cursor: "a", Since: "10", Mark: "20", Began: began}); read.Reads != want || !read.Behind || read.All() {
		t.Errorf("after the first page: %+v", read)
	}
	later := read.Reads.GoOn(began.Add(time.Hour))
	if later.All() {
		t.Errorf("before a later run's first page: %+v", later)
	}
	read = read.With(ReplyPage{Replies: make([]FoundReply, 1), Mark: "19", Whole: true}, "a")
	if want := (ReplyReads{Since: "20"}); read.Reads != want || read.Behind || len(read.Replies) != 3 || !read.All() {
		t.Errorf("after the last page: %+v", read)
	}
	if later = later.With(ReplyPage{Whole: true}, "a"); !later.All() || !later.Began.Equal(began) || later.Reads.Since != "20" {
		t.Errorf("the end of a read that began in an earlier run: %+v", later)
	}
}
