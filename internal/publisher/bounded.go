package publisher

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"missiond/mission"
)

// Limits of what a platform returns, in characters.
const (
	maxID     = 255
	maxHandle = 320
	maxLabel  = 200
	maxLink   = 2048
	// maxScopes limits the scopes that a token endpoint returns, in bytes.
	maxScopes = 2000
	// maxUploadID limits what a platform calls a file, which on Bluesky is a reference, and
	// maxPieces the pieces in which it takes one, with an address and a tag each: 500 MB have
	// 120.
	maxUploadID = 1000
	maxPieces   = 200
	// maxToken limits a credential, in bytes.
	maxToken = 16 << 10
)

// Bounded returns an adapter that limits and cleans what the platform returns
// before anything is done with it: whoever runs a server chose it. A name that is
// too long is cut, and a picture's address that browsers mustn't load is dropped, as
// is a figure that can't be true; an id, a handle, an address or a token that is too
// long, or has invalid characters, makes the whole response malformed.
func Bounded(a Adapter) Adapter {
	if authorizer, ok := a.(Authorizer); ok {
		return boundedAuthorizer{bounded{a}, authorizer}
	}
	return bounded{a}
}

type bounded struct{ Adapter }

func (b bounded) Connect(ctx context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	account, stored, err := b.Adapter.Connect(ctx, c)
	if err != nil {
		return account, stored, err
	}
	account.Limits, account.Daily = account.Limits.Bounded(), min(max(account.Daily, 0), mission.MaxDailyPosts)
	account.Name, account.AvatarURL = Label(account.Name, maxLabel), picture(account.AvatarURL, stored.Server)
	if !plain(account.ID, maxID) || !plain(account.Handle, maxHandle) || !plain(account.URL, maxLink) || account.ID == "" {
		return mission.Account{}, mission.Credentials{}, Response{}.Malformed()
	}
	return account, stored, credentials(stored)
}

func (b bounded) Refresh(ctx context.Context, c mission.Credentials) (mission.Credentials, error) {
	renewed, err := b.Adapter.Refresh(ctx, c)
	if err != nil {
		return renewed, err
	}
	return renewed, credentials(renewed)
}

func (b bounded) Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	taken, err := b.Adapter.Publish(ctx, c, p)
	if err != nil {
		return taken, err
	}
	return publication(taken)
}

func (b bounded) Find(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
	found, ok, err := b.Adapter.Find(ctx, c, p)
	if err != nil || !ok {
		return found, ok, err
	}
	found, err = publication(found)
	return found, err == nil, err
}

func (b bounded) Measure(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string]mission.Metrics, error) {
	measured, err := b.Adapter.Measure(ctx, c, posts)
	for id, m := range measured {
		measured[id] = m.Bounded()
	}
	return measured, err
}

// maxShown limits what a platform shows of a part, in characters.
const maxShown = 10_000

// Read implements [Reader]; nothing is shown by a platform that can't be asked.
func (b bounded) Read(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string][]mission.Shown, error) {
	reader, ok := b.Adapter.(Reader)
	if !ok {
		return nil, nil
	}
	shown, err := reader.Read(ctx, c, posts)
	for _, parts := range shown {
		for i, s := range parts {
			if !s.Same {
				parts[i].Text = Prose(s.Text, maxShown)
			}
		}
	}
	return shown, err
}

// Upload implements [Uploader]. Errors: also refused, if the platform takes no files.
func (b bounded) Upload(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	uploader, ok := b.Adapter.(Uploader)
	if !ok {
		return mission.Upload{}, Response{}.Refused(CodeRefused, "The platform takes no files", "")
	}
	next, err := uploader.Upload(ctx, c, f, u)
	if err == nil && next.ID == "" {
		err = Repeatable(Response{}.Malformed())
	}
	return upload(next, err)
}

// Prepare implements [Preparer]. Errors: also refused, if the platform has no drafts.
func (b bounded) Prepare(ctx context.Context, c mission.Credentials, p mission.Part, u mission.Upload) (mission.Upload, error) {
	preparer, ok := b.Adapter.(Preparer)
	if !ok {
		return mission.Upload{}, Response{}.Refused(CodeRefused, "The platform has no drafts", "")
	}
	next, err := preparer.Prepare(ctx, c, p, u)
	if err == nil && next.ID == "" && next.State != mission.UploadSending { // its files come first
		err = Repeatable(Response{}.Malformed())
	}
	return upload(next, err)
}

// upload returns an upload as it is recorded; it may have no id. Errors: err; malformed.
func upload(next mission.Upload, err error) (mission.Upload, error) {
	if err != nil {
		return mission.Upload{}, err
	}
	next.Wait = max(0, min(next.Wait, maxWait))
	wrong := func(text string) bool { return !plain(text, 2*maxLink) }
	if !plain(next.ID, maxUploadID) || wrong(next.Address) || wrong(next.Token) ||
		len(next.Tags)+len(next.Later) > maxPieces || slices.ContainsFunc(slices.Concat(next.Tags, next.Later), wrong) {
		return mission.Upload{}, Repeatable(Response{}.Malformed())
	}
	return next, nil
}

// Audience implements [Audiences]; it returns nothing of a platform that reports nothing of accounts.
func (b bounded) Audience(ctx context.Context, c mission.Credentials, since string) (mission.Audience, error) {
	audiences, ok := b.Adapter.(Audiences)
	if !ok {
		return mission.Audience{}, nil
	}
	a, err := audiences.Audience(ctx, c, since)
	if err != nil {
		return mission.Audience{}, err
	}
	return a.Bounded(since), nil
}

type boundedAuthorizer struct {
	bounded

	authorizer Authorizer
}

func (b boundedAuthorizer) Authorize(ctx context.Context, g mission.Grant) (string, mission.Grant, error) {
	address, completed, err := b.authorizer.Authorize(ctx, g)
	if err == nil && !(plain(address, 2*maxLink) && plain(completed.ClientID, maxToken) && plain(completed.ClientSecret, maxToken)) {
		return "", mission.Grant{}, Response{}.Malformed()
	}
	return address, completed, err
}

func (b boundedAuthorizer) Exchange(ctx context.Context, g mission.Grant, code string) (mission.Credentials, error) {
	c, err := b.authorizer.Exchange(ctx, g, code)
	if err != nil {
		return c, err
	}
	return c, credentials(c)
}

// credentials returns an error if a platform's tokens or scopes are invalid.
func credentials(c mission.Credentials) error {
	sound := plain(c.AccessToken, maxToken) && plain(c.RefreshToken, maxToken)
	if !sound || slices.ContainsFunc(c.Scopes, func(s string) bool { return !plain(s, maxLabel) }) {
		return Response{}.Malformed()
	}
	return nil
}

// publication returns a platform's publication. A post without a valid id can't be
// found again; its address is for people, and may be dropped.
func publication(p mission.Publication) (mission.Publication, error) {
	if p.PostID == "" || !plain(p.PostID, maxID) || !plain(p.Hash, maxID) {
		return mission.Publication{}, Response{}.Malformed()
	}
	if !plain(p.URL, maxLink) {
		p.URL = ""
	}
	return p, nil
}

// picture returns the address of an account's picture, or "" unless it is https. It may
// be http from a server that is called by http itself, which only development allows.
func picture(address, server string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || !plain(address, maxLink) {
		return ""
	}
	if u.Scheme == "https" || u.Scheme == "http" && strings.HasPrefix(server, "http://") {
		return address
	}
	return ""
}

// plain reports whether a text is valid, without spaces or invisible characters,
// and at most most characters long.
func plain(text string, most int) bool {
	return len(text) <= 4*most && utf8.ValidString(text) && utf8.RuneCountInString(text) <= most &&
		!strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || hidden(r) })
}

// Label returns a text that anybody wrote as a name on one line, without characters that
// are invisible or change the writing direction, cut to most characters.
func Label(text string, most int) string {
	const enough = 16 // bytes for each character that is retained: the rest isn't read
	runes := []rune(seen(text[:min(len(text), enough*most)]))
	return strings.TrimSpace(string(runes[:min(len(runes), most)]))
}

// seen returns a text on one line, without characters that are invisible or change
// the writing direction.
func seen(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case hidden(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	return strings.Join(strings.Fields(text), " ")
}

// hidden reports whether r is a control, format or private-use character, or not a
// character at all. Joiners are among them: names can be read without.
func hidden(r rune) bool { return unicode.Is(unicode.C, r) || r == utf8.RuneError }
