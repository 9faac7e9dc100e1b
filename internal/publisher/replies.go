package publisher

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"missiond/mission"
)

// Replier is an adapter whose platform shows what people reply to posts, or comment on them.
type Replier interface {
	Adapter
	// Replies returns a page of the replies to a published post, at any depth, without the
	// account's own and without those that not everybody may see. A post that the platform no
	// longer has has none, and its page isn't Whole. An adapter makes one call, or as many as a
	// page takes. Errors: as those of Measure; a read that is refused isn't tried again soon.
	Replies(ctx context.Context, c mission.Credentials, q mission.ReplyQuery) (mission.ReplyPage, error)
}

// Hider is an adapter whose platform hides a reply to an account's post from its readers.
type Hider interface {
	Adapter
	// Hide hides a reply. It may be repeated: a reply that is hidden, or gone, is hidden. Errors:
	// refused if the platform will never hide it, else not accepted; never unknown.
	Hide(ctx context.Context, c mission.Credentials, r mission.Reply) error
}

// Bounds of a reply's author, in characters.
const (
	maxAuthorID = 500
	// maxCursor bounds where a read continues, in characters.
	maxCursor = 500
	// maxGone bounds the ids of replies that are gone in a page.
	maxGone = 1000
)

// Replies implements [Replier]. Texts are cut and cleaned, addresses that browsers mustn't open
// are dropped, and so are times that nobody can have written at; a reply without a valid id is left out, as is what the account itself wrote. Errors:
// also refused, if replies can't be read there.
func (b bounded) Replies(ctx context.Context, c mission.Credentials, q mission.ReplyQuery) (mission.ReplyPage, error) {
	replier, ok := b.Adapter.(Replier)
	if !ok {
		return mission.ReplyPage{}, Response{}.Refused(CodeRefused, "The platform's replies can't be read", "")
	}
	page, err := replier.Replies(ctx, c, q)
	if err != nil {
		return mission.ReplyPage{}, err
	}
	if !plain(page.Cursor, maxCursor) || !plain(page.Mark, maxCursor) {
		return mission.ReplyPage{}, Response{}.Malformed()
	}
	var kept []mission.FoundReply
	for _, r := range page.Replies[:min(len(page.Replies), mission.MaxReplies)] {
		if r, ok := reply(r); ok && (r.Author.ID == "" || r.Author.ID != c.AccountID) {
			kept = append(kept, r)
		}
	}
	page.Whole = page.Whole && len(page.Replies) <= mission.MaxReplies
	page.Replies = kept
	page.Gone = slices.DeleteFunc(slices.Clone(page.Gone[:min(len(page.Gone), maxGone)]), func(id string) bool { return id == "" || !plain(id, maxID) })
	page.Charged = max(page.Charged, 0)
	return page, nil
}

// Hide implements [Hider]. Errors: also refused, if the platform hides no replies.
func (b bounded) Hide(ctx context.Context, c mission.Credentials, r mission.Reply) error {
	hider, ok := b.Adapter.(Hider)
	if !ok {
		return Response{}.Refused(CodeRefused, "The platform hides no replies", "")
	}
	return Repeatable(hider.Hide(ctx, c, r))
}

// reply returns a reply as it is stored; ok is false if its id is invalid.
func reply(r mission.FoundReply) (kept mission.FoundReply, ok bool) {
	if r.ID == "" || !plain(r.ID, maxID) || !plain(r.Hash, maxID) {
		return mission.FoundReply{}, false
	}
	if !plain(r.ParentID, maxID) {
		r.ParentID = ""
	}
	if !plain(r.Author.ID, maxAuthorID) {
		r.Author.ID = ""
	}
	if !plain(r.Author.Handle, maxHandle) {
		r.Author.Handle = ""
	}
	r.Author.Handle = strings.TrimPrefix(r.Author.Handle, "@")
	r.Author.Name = Label(r.Author.Name, maxLabel)
	r.Author.URL, r.URL = webPage(r.Author.URL), webPage(r.URL)
	r.Text = Prose(r.Text, mission.MaxReplyText)
	if year := r.PublishedAt.UTC().Year(); year < 1970 || year > 9999 { // Postgres and JSON have no such times
		r.PublishedAt = time.Time{}
	}
	return r, true
}

// webPage returns an address that a browser may open, or "".
func webPage(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || !plain(address, maxLink) || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return address
}

// Prose returns a text that anybody wrote, of several lines, without characters that can't be
// stored, are invisible or change the writing direction, cut to most characters.
func Prose(text string, most int) string {
	const enough = 16 // bytes for each character that is retained: the rest isn't read
	text = strings.ToValidUTF8(text[:min(len(text), enough*most)], "")
	text = mission.WithoutHidden(mission.Tidy(strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && r != '\r' && r < ' ' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, text)))
	runes := []rune(text)
	return strings.TrimSpace(string(runes[:min(len(runes), most)]))
}
