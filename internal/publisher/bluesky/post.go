package bluesky

import (
	"context"
	"encoding/json"
	"net/url"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// collection is where an account's posts are, and the type of their records.
const collection = "app.bsky.feed.post"

// timeFormat is the format of times in records.
const timeFormat = "2006-01-02T15:04:05.000Z"

// post is a record of app.bsky.feed.post.
type post struct {
	Type      string  `json:"$type"`
	Text      string  `json:"text"`
	CreatedAt string  `json:"createdAt"`
	Facets    []facet `json:"facets,omitempty"`
	Reply     *reply  `json:"reply,omitempty"`
	// Langs are the languages of the text: at most three.
	Langs []string `json:"langs,omitempty"`
	// Embed is an embed, or a record's as it is.
	Embed json.RawMessage `json:"embed,omitempty"`
}

// reply is a post's position in a thread.
type reply struct {
	Root   reference `json:"root"`
	Parent reference `json:"parent"`
}

// reference identifies a version of a record.
type reference struct {
	URI string `json:"uri"`
	CID string `json:"cid"`
}

// put is putRecord's input. With a null swapRecord the record is created, but never
// replaced.
type put struct {
	Repo       string  `json:"repo"`
	Collection string  `json:"collection"`
	Key        string  `json:"rkey"`
	Validate   bool    `json:"validate"`
	Record     post    `json:"record"`
	SwapRecord *string `json:"swapRecord"`
}

// postOf returns a part as a record without its card. It is the same at every call,
// including its time, so that writing it again changes nothing; but for the accounts (see
// facets) that it mentions.
func postOf(p mission.Part, accounts map[string]string) post {
	record := post{Type: collection, Text: p.Text, CreatedAt: p.CalledAt.UTC().Format(timeFormat), Facets: facets(p.Text, accounts)}
	if p.Presentation.Language != "" {
		record.Langs = []string{p.Presentation.Language}
	}
	if p.Parent != nil {
		root := p.Root
		if root == nil {
			root = p.Parent
		}
		record.Reply = &reply{Root: referenceTo(root), Parent: referenceTo(p.Parent)}
	}
	return record
}

func referenceTo(p *mission.Publication) reference { return reference{URI: p.PostID, CID: p.Hash} }

// Publish creates the part's record under its key. If there already is a record, it
// is the part, or the part is refused. The card of its link, and the accounts that it
// mentions, may differ between calls: the first record that is made stays.
func (a *Adapter) Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	record := postOf(p, a.accounts(ctx, c, p.Text))
	var err error
	if len(p.Media) == 0 {
		record.Embed = a.card(ctx, c, p, record)
	} else if record.Embed, err = mediaOf(p.Media); err != nil {
		return mission.Publication{}, publisher.Response{}.FileGone("")
	}
	response, err := a.create(ctx, c, p, record)
	if len(p.Media) == 0 && refusedCard(record, err, response) {
		record.Embed = nil
		response, err = a.create(ctx, c, p, record)
	}
	if problemOf(response).Name == invalidSwap && !response.OK() {
		return a.taken(ctx, c, p, response)
	}
	if len(p.Media) > 0 && problemOf(response).Name == blobNotFound && !response.OK() {
		return mission.Publication{}, response.FileGone(problemOf(response).Words)
	}
	if err != nil {
		return mission.Publication{}, err
	}
	var made reference
	if err := response.JSON(&made); err != nil {
		return mission.Publication{}, err
	}
	if made.URI == "" || made.CID == "" {
		return mission.Publication{}, response.Malformed()
	}
	return publication(c, p, made, record), nil
}

// create creates a record under a part's key.
func (a *Adapter) create(ctx context.Context, c mission.Credentials, p mission.Part, record post) (publisher.Response, error) {
	return a.do(ctx, call{method: "com.atproto.repo.putRecord", input: put{
		Repo: c.AccountID, Collection: collection, Key: recordKey(p), Validate: true, Record: record,
	}}.with(c))
}

// taken returns the publication of a part whose key already has a record.
func (a *Adapter) taken(
	ctx context.Context, c mission.Credentials, p mission.Part, response publisher.Response,
) (mission.Publication, error) {
	h, ok, err := a.get(ctx, c, p)
	switch {
	case err != nil:
		return mission.Publication{}, err
	case !ok:
		// It was there, and isn't: someone is deleting it at this moment.
		return mission.Publication{}, response.Malformed()
	case !h.is(p):
		return mission.Publication{}, response.Refused(publisher.CodeRefused, "The account has another post under this post's key", "")
	}
	return publication(c, p, h.reference, h.Value), nil
}

// Find looks for the record under the part's key.
func (a *Adapter) Find(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
	h, ok, err := a.get(ctx, c, p)
	if err != nil || !ok || !h.is(p) {
		return mission.Publication{}, false, err
	}
	return publication(c, p, h.reference, h.Value), true, nil
}

// accountRecord is a record of the account.
type accountRecord struct {
	reference
	Value post `json:"value"`
}

// get returns the record under a part's key; ok is false if there is none.
func (a *Adapter) get(ctx context.Context, c mission.Credentials, p mission.Part) (h accountRecord, ok bool, err error) {
	response, err := a.do(ctx, call{method: "com.atproto.repo.getRecord", query: url.Values{
		"repo": {c.AccountID}, "collection": {collection}, "rkey": {recordKey(p)},
	}}.with(c))
	if problemOf(response).Name == recordNotFound && !response.OK() {
		return accountRecord{}, false, nil
	}
	if err != nil {
		return accountRecord{}, false, inDoubt(err)
	}
	if err := response.JSON(&h); err != nil {
		return accountRecord{}, false, err
	}
	if h.URI == "" || h.CID == "" {
		return accountRecord{}, false, response.Malformed()
	}
	return h, true, nil
}

// is reports whether a record is a part: its text, in its position.
func (h accountRecord) is(p mission.Part) bool {
	var at string
	if h.Value.Reply != nil {
		at = h.Value.Reply.Parent.URI
	}
	var want string
	if p.Parent != nil {
		want = p.Parent.PostID
	}
	return h.Value.Text == p.Text && at == want
}

func publication(c mission.Credentials, p mission.Part, of reference, record post) mission.Publication {
	at, err := time.Parse(time.RFC3339, record.CreatedAt)
	if err != nil {
		at = p.CalledAt
	}
	return mission.Publication{
		PostID: of.URI, Hash: of.CID, PublishedAt: at.UTC(),
		URL: profile(c.AccountID) + "/post/" + recordKey(p),
	}
}
