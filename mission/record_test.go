package mission

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestSurvives(t *testing.T) {
	for _, tt := range []struct {
		text, in string
		want     float64
	}{
		{"a b c d", "a b c d", 1},
		{"a b c d", "a  b\n\nc d", 1},
		{"a b c d", "d c b a", 0.25},
		{"a b c d", "x a y b z d", 0.75},
		{"a a b", "a b a", 2.0 / 3},
		{"a b", "", 0},
		{"", "a b", 0},
		{"", "", 0},
		{" \n", "a", 0},
		{"Half of it", "half of it", 2.0 / 3},
	} {
		if got := Survives(tt.text, tt.in); got != tt.want {
			t.Errorf("%q in %q: got %v, want %v", tt.text, tt.in, got, tt.want)
		}
	}
	long := strings.Repeat("a b ", comparedWords)
	if got := Survives(long, long+"c"); got != 1 {
		t.Errorf("of long texts, got %v", got)
	}
}

// A record of migration 51 lacks what came later.
func TestCompleted(t *testing.T) {
	var r Record
	if err := json.Unmarshal([]byte(`{"content_id": "cnt_1", "revisions": [{"revision": 1}], "reviews": [], "publications": []}`), &r); err != nil {
		t.Fatal(err)
	}
	r = r.Completed()
	if r.RestsOn == nil || r.Revisions[0].Facts == nil || r.Revisions[0].Checks == nil || r.Revisions[0].Revision != 1 {
		t.Errorf("got %+v", r)
	}
}

func TestSurvivesHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 1, 30)
		a, b, c := words.Draw(t, "a"), words.Draw(t, "b"), words.Draw(t, "c")
		text, other := strings.Join(a, " "), strings.Join(b, " ")
		share := Survives(text, other)
		if share < 0 || share > 1 {
			t.Fatalf("got %v", share)
		}
		if Survives(text, text) != 1 || Survives(text, "") != 0 || Survives(text, "x y") != 0 {
			t.Fatal("a text survives in itself whole, and in others not at all")
		}
		if more := Survives(text, other+" "+strings.Join(c, " ")); more < share {
			t.Fatalf("more text leaves less: %v, %v", more, share)
		}
		if back := Survives(other, text); back*float64(len(b)) != share*float64(len(a)) && abs(back*float64(len(b))-share*float64(len(a))) > 1e-9 {
			t.Fatalf("%v of %d words survive, and %v of %d", share, len(a), back, len(b))
		}
		if inserted := strings.Join(append(slices.Clone(c), a...), " "); Survives(text, inserted) != 1 {
			t.Fatal("what is put before a text leaves it whole")
		}
	})
}

func abs(x float64) float64 { return max(x, -x) }

// What versions before recorded of a post is in its record too.
func TestRecordsOfEarlierVersions(t *testing.T) {
	at := time.Date(2026, 3, 20, 9, 0, 0, 0, time.UTC)
	later := at.Add(time.Hour)
	c := Content{
		ID: "cnt_1", Origin: OriginWriter, Platform: LinkedIn, Status: ContentApproved, Text: "Two", Revision: 2, AuthorID: "usr_1",
		ReviewedBy: "usr_2", ReviewedAt: &later, CreatedAt: at, UpdatedAt: later,
	}
	reason := "No."
	older := []Revision{{Revision: 1, Text: "One two", Status: ContentRejected, RejectionReason: &reason, ReviewedBy: "usr_1", ReviewedAt: &at, CreatedAt: later}}
	r := Mission{}.NewRecord(c, older, nil, RecordNames{"usr_1": "Jo"}, later)
	if r.Revisions[0].Author.Kind != AuthorWriter || r.Revisions[1].Author.Kind != AuthorPerson || *r.Revisions[1].Author.Name != "Jo" {
		t.Errorf("got the authors %+v and %+v", r.Revisions[0].Author, r.Revisions[1].Author)
	}
	if len(r.Reviews) != 2 || r.Reviews[0].Decision != DecisionRejected || *r.Reviews[0].Reason != reason ||
		r.Reviews[1].Decision != DecisionApproved || r.Reviews[1].ByID != "usr_2" || r.Reviews[1].ByName != nil {
		t.Errorf("got the reviews %+v", r.Reviews)
	}
	if r.WriterShare == nil || *r.WriterShare != 0 {
		t.Errorf("got the share %v", r.WriterShare)
	}
	known := []Review{{Revision: 2, Decision: DecisionApproved, By: "rvl_1", At: later}}
	r = Mission{}.NewRecord(c, older, known, nil, later)
	if len(r.Reviews) != 2 || r.Reviews[1].Via != ViaReviewLink {
		t.Errorf("got the reviews %+v", r.Reviews)
	}
	// A text that was replaced after the post was read isn't there twice.
	r = Mission{}.NewRecord(c, append([]Revision{{Revision: 2, Text: "Two"}}, older...), nil, nil, later)
	if len(r.Revisions) != 2 {
		t.Errorf("got %d texts", len(r.Revisions))
	}
	own := Content{Origin: OriginPerson, Text: "Mine", Revision: 1}
	r = Mission{}.NewRecord(own, nil, nil, nil, later)
	if r.Revisions[0].Author.Kind != AuthorPerson || r.WriterShare != nil || r.Readback.State != ReadbackNotPossible {
		t.Errorf("got %+v", r)
	}
}

func TestWriterShareIgnoresTheLine(t *testing.T) {
	c := Content{Origin: OriginWriter}
	texts := []Revision{
		{Revision: 2, AuthorID: "usr_1", Text: "Mine alone\n\nBy AI", Disclosed: Disclosed{Line: "By AI"}},
		{Revision: 1, Text: "Its own\n\nBy AI", Disclosed: Disclosed{Line: "By AI"}},
	}
	if got := c.writerShare(texts); got == nil || *got != 0 {
		t.Errorf("got %v", got)
	}
}
