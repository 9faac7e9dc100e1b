package mission

import (
	"fmt"
	"testing"
	"time"
)

// A read goes on from its cursor, and the next one begins at the first page's mark.
func TestReadReplies(t *testing.T) {
	began := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	read := ReplyReads{Since: "10"}.GoOn(began)
	read = read.With(ReplyPage{Replies: make([]FoundReply, 2), Cursor: "a", Mark: "20", Whole: true}, "")
	if want := (ReplyReads{Cursor: "a", Since: "10", Mark: "20", Pages: 1, Began: began}); read.Reads != want || !read.Behind || read.All() {
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

// A read comes to an end, whatever the platform's cursors, and shows all only if each page was whole.
func TestReadsEnd(t *testing.T) {
	ever := func(n int) string { return fmt.Sprint("c", n) }
	seven := func(n int) string { return []string{ever(n), ""}[n/7] }
	for name, tt := range map[string]struct {
		next   func(n int) string // the cursor of the n-th page, from 1 on
		part   int                // which page isn't whole; 0 is none
		perRun int                // how many pages a run reads
		pages  int
		all    bool
	}{
		"one page":                 {next: func(int) string { return "" }, perRun: 5, pages: 1, all: true},
		"of two runs":              {next: seven, perRun: 5, pages: 7, all: true},
		"in part, in an early run": {next: seven, part: 2, perRun: 5, pages: 7},
		"in part, at the end":      {next: seven, part: 7, perRun: 5, pages: 7},
		"the same cursor":          {next: func(int) string { return "a" }, perRun: 5, pages: 2},
		"a cycle":                  {next: func(n int) string { return ever(n % 3) }, perRun: 5, pages: 4},
		"a cycle over runs":        {next: func(n int) string { return ever(n % 7) }, perRun: 5, pages: MaxReplyPages},
		"the same with each run":   {next: func(int) string { return "a" }, perRun: 1, pages: 2},
		"always another":           {next: ever, perRun: 5, pages: MaxReplyPages},
	} {
		now := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
		read, pages := ReplyReads{}.GoOn(now), 0
		for more := true; more && pages < 2*MaxReplyPages; more = read.Behind {
			if pages > 0 && pages%tt.perRun == 0 {
				now = now.Add(time.Hour)
				read = read.Reads.GoOn(now)
			}
			pages++
			read = read.With(ReplyPage{Cursor: tt.next(pages), Mark: fmt.Sprint(pages), Whole: pages != tt.part}, read.Reads.Cursor)
		}
		if pages != tt.pages || read.All() != tt.all || read.Reads != (ReplyReads{Since: "1"}) {
			t.Errorf("%s: after %d pages got %+v, all %t; want %d pages, all %t", name, pages, read.Reads, read.All(), tt.pages, tt.all)
		}
	}
}
