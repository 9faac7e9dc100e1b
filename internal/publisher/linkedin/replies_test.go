package linkedin

import (
	"fmt"
	"testing"

	"missiond/internal/publisher/linkedin/linkedintest"
	"missiond/mission"
)

// Comments that are deleted between two calls move the others up: a read misses none of these, or says
// that it may.
func TestCommentsMoveUp(t *testing.T) {
	for name, tt := range map[string]struct {
		deleted []int // of 150
		whole   bool
		read    int // from the second page
	}{
		"none":                    {whole: true, read: 60},
		"one":                     {deleted: []int{0}, whole: true, read: 59},
		"as many as pages share":  {deleted: []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, whole: true, read: 51},
		"more":                    {deleted: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, read: 49},
		"the last of the page":    {deleted: []int{99}, read: 59},
		"one that is to come yet": {deleted: []int{120}, whole: true, read: 59},
	} {
		w := newWorld(t)
		w.creds.AccountID, w.stub.Account = linkedintest.Organization, linkedintest.Organization
		post := w.stub.Seed(nil)
		var ids []string
		for i := range 150 {
			ids = append(ids, w.stub.Answer(post, "grace", fmt.Sprint("Number ", i)))
		}
		q := mission.ReplyQuery{Post: mission.Content{PlatformPostID: &post}}
		first, err := w.adapter().Replies(t.Context(), w.creds, q)
		if err != nil || !first.Whole || len(first.Replies) != commentPage || first.Cursor == "" {
			t.Fatalf("%s: got %+v, %v", name, first, err)
		}
		for _, i := range tt.deleted {
			w.stub.Delete(ids[i])
		}
		q.Cursor = first.Cursor
		if next, err := w.adapter().Replies(t.Context(), w.creds, q); err != nil || next.Whole != tt.whole || len(next.Replies) != tt.read || next.Cursor != "" {
			t.Errorf("%s: got %d comments, whole %t, then %q, %v", name, len(next.Replies), next.Whole, next.Cursor, err)
		}
	}
}
