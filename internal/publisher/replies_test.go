package publisher_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"missiond/internal/publisher"
	"missiond/mission"
)

// talked is a platform whose replies are whoever runs its server's.
type talked struct {
	publisher.Adapter

	page  mission.ReplyPage
	shown map[string][]mission.Shown
}

func (p talked) Replies(context.Context, mission.Credentials, mission.ReplyQuery) (mission.ReplyPage, error) {
	return p.page, nil
}

func (p talked) Read(context.Context, mission.Credentials, []mission.Content) (map[string][]mission.Shown, error) {
	return p.shown, nil
}

// What strangers write is cut and cleaned; what can't be known again, or is the account's own, is left
// out.
func TestBoundedReplies(t *testing.T) {
	long := strings.Repeat("ä", 100_000)
	evil := mission.FoundReply{
		ID: "1", ParentID: "0\x00", Text: "A\x00\u202eb\r\n\r\nc\u200b " + long, URL: "javascript:alert(1)", Hash: "h",
		Author: mission.ReplyAuthor{ID: "2", Handle: "@grace@social.example", Name: "Gr\u202eace\n" + long, URL: "https://user:pass@social.example/"},
	}
	nobody := mission.FoundReply{ID: "2", Author: mission.ReplyAuthor{ID: long, Handle: "a b", URL: "https://social.example/@g"}, URL: "https://x/" + long}
	own, unnamed, endless := mission.FoundReply{ID: "3", Author: mission.ReplyAuthor{ID: "me"}}, mission.FoundReply{Text: "x"}, mission.FoundReply{ID: long}
	bounded := func(p mission.ReplyPage) (mission.ReplyPage, error) {
		return publisher.Bounded(talked{page: p}).(publisher.Replier).Replies(context.Background(), mission.Credentials{AccountID: "me"}, mission.ReplyQuery{})
	}
	page, err := bounded(mission.ReplyPage{Replies: []mission.FoundReply{evil, nobody, own, unnamed, endless}, Gone: []string{"7", "", long}, Whole: true, Charged: -3})
	if err != nil || len(page.Replies) != 2 || len(page.Gone) != 1 || !page.Whole || page.Charged != 0 {
		t.Fatalf("got %d replies, %q gone, whole %t, %d charged, %v", len(page.Replies), page.Gone, page.Whole, page.Charged, err)
	}
	got, author := page.Replies[0], page.Replies[0].Author
	if !strings.HasPrefix(got.Text, "Ab\n\nc ää") || utf8.RuneCountInString(got.Text) > mission.MaxReplyText || got.URL != "" || got.ParentID != "" {
		t.Errorf("got %.40q at %q below %q", got.Text, got.URL, got.ParentID)
	}
	if author.Handle != "grace@social.example" || !strings.HasPrefix(author.Name, "Grace ä") || utf8.RuneCountInString(author.Name) > 200 || author.URL != "" {
		t.Errorf("got the author %.300v", author)
	}
	if got := page.Replies[1]; got.Author.ID != "" || got.Author.Handle != "" || got.Author.URL == "" || got.URL != "" {
		t.Errorf("got %.300v", got)
	}
	for _, p := range []mission.ReplyPage{{Cursor: long}, {Cursor: "a b"}, {Mark: "a\x00"}} {
		if _, err := bounded(p); !malformed(err) {
			t.Errorf("a cursor %.10q or mark %q: %v", p.Cursor, p.Mark, err)
		}
	}
	many := mission.ReplyPage{Whole: true}
	for range mission.MaxReplies + 1 {
		many.Replies = append(many.Replies, mission.FoundReply{ID: "1"})
	}
	if page, err := bounded(many); err != nil || len(page.Replies) != mission.MaxReplies || page.Whole {
		t.Errorf("of too many got %d, whole %t, %v", len(page.Replies), page.Whole, err)
	}
}

// A time that can't be stored or shown is dropped: on Bluesky the reply's author chooses it.
func TestBoundedReplyTimes(t *testing.T) {
	for text, kept := range map[string]bool{
		"0000-01-01T00:00:00Z": false, "1969-12-31T23:59:59Z": false, "9999-12-31T23:59:59-01:00": false, "0001-01-01T00:00:00+01:00": false,
		"1970-01-01T00:00:00Z": true, "2026-11-21T09:00:00+01:00": true, "9999-12-31T23:59:59Z": true,
	} {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		page, err := publisher.Bounded(talked{page: mission.ReplyPage{Replies: []mission.FoundReply{{ID: "1", PublishedAt: at}}}}).(publisher.Replier).
			Replies(t.Context(), mission.Credentials{}, mission.ReplyQuery{})
		if err != nil || len(page.Replies) != 1 || page.Replies[0].PublishedAt.IsZero() == kept {
			t.Errorf("%s: got %v, %v", text, page.Replies, err)
		}
	}
}

// A platform without replies refuses, and what one shows of posts is read through its bounds.
func TestBoundedWithout(t *testing.T) {
	none := publisher.Bounded(hostile{})
	_, err := none.(publisher.Replier).Replies(context.Background(), mission.Credentials{}, mission.ReplyQuery{})
	hidden := none.(publisher.Hider).Hide(context.Background(), mission.Credentials{}, mission.Reply{})
	for _, err := range []error{err, hidden} {
		var pe *mission.PublishError
		if !errors.As(err, &pe) || pe.Outcome != mission.OutcomeRefused {
			t.Errorf("got %v", err)
		}
	}
	if shown, err := none.(publisher.Reader).Read(context.Background(), mission.Credentials{}, nil); err != nil || shown != nil {
		t.Errorf("one that can't be asked shows %v, %v", shown, err)
	}
	asked := publisher.Bounded(talked{shown: map[string][]mission.Shown{"cnt_1": {{Text: "Ch\u202eanged" + strings.Repeat("x", 20_000)}, {Same: true}}}})
	shown, err := asked.(publisher.Reader).Read(context.Background(), mission.Credentials{}, nil)
	if err != nil || len(shown["cnt_1"]) != 2 || !strings.HasPrefix(shown["cnt_1"][0].Text, "Changedx") || len(shown["cnt_1"][0].Text) > 10_000 {
		t.Errorf("shows %.100v, %v", shown, err)
	}
}
