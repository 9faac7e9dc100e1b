package publisher

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"missiond/mission"
)

// Bounds of what a platform says, in characters.
const (
	maxID     = 255
	maxHandle = 320
	maxLabel  = 200
	maxLink   = 2048
	// maxScopes bounds what a token endpoint says of scopes, in bytes.
	maxScopes = 2000
	// maxToken bounds a credential.
	maxToken = 16 << 10
)

// Bounded returns an adapter whose platform's words are bounded and cleaned
// before anything is done with them: whoever runs a server chose them. A name is
// cut; an id, a handle, an address or a token that is longer than any, or has
// characters that don't belong there, makes the whole answer malformed.
func Bounded(a Adapter) Adapter {
	if authorizer, ok := a.(Authorizer); ok {
		return boundedAuthorizer{bounded{a}, authorizer}
	}
	return bounded{a}
}

type bounded struct{ Adapter }

func (b bounded) Connect(ctx context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	account, kept, err := b.Adapter.Connect(ctx, c)
	if err != nil {
		return account, kept, err
	}
	account.Name = label(account.Name)
	if !plain(account.ID, maxID) || !plain(account.Handle, maxHandle) || !plain(account.URL, maxLink) || account.ID == "" {
		return mission.Account{}, mission.Credentials{}, Answer{}.Malformed()
	}
	return account, kept, credentials(kept)
}

func (b bounded) Refresh(ctx context.Context, c mission.Credentials) (mission.Credentials, error) {
	kept, err := b.Adapter.Refresh(ctx, c)
	if err != nil {
		return kept, err
	}
	return kept, credentials(kept)
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

type boundedAuthorizer struct {
	bounded

	authorizer Authorizer
}

func (b boundedAuthorizer) Authorize(ctx context.Context, g mission.Grant) (string, mission.Grant, error) {
	address, kept, err := b.authorizer.Authorize(ctx, g)
	if err == nil && !(plain(address, 2*maxLink) && plain(kept.ClientID, maxToken) && plain(kept.ClientSecret, maxToken)) {
		return "", mission.Grant{}, Answer{}.Malformed()
	}
	return address, kept, err
}

func (b boundedAuthorizer) Exchange(ctx context.Context, g mission.Grant, code string) (mission.Credentials, error) {
	c, err := b.authorizer.Exchange(ctx, g, code)
	if err != nil {
		return c, err
	}
	return c, credentials(c)
}

// credentials returns an error where a platform's tokens or scopes are none.
func credentials(c mission.Credentials) error {
	sound := plain(c.AccessToken, maxToken) && plain(c.RefreshToken, maxToken)
	if !sound || slices.ContainsFunc(c.Scopes, func(s string) bool { return !plain(s, maxLabel) }) {
		return Answer{}.Malformed()
	}
	return nil
}

// publication returns what a platform took. A post without a sound id can't be
// found again; its address is for people, and can be left out.
func publication(p mission.Publication) (mission.Publication, error) {
	if p.PostID == "" || !plain(p.PostID, maxID) || !plain(p.Hash, maxID) {
		return mission.Publication{}, Answer{}.Malformed()
	}
	if !plain(p.URL, maxLink) {
		p.URL = ""
	}
	return p, nil
}

// plain reports whether a text is valid, without spaces or characters that
// aren't seen, and at most so long.
func plain(text string, most int) bool {
	return len(text) <= 4*most && utf8.ValidString(text) && utf8.RuneCountInString(text) <= most &&
		!strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || hidden(r) })
}

// label returns a name on one line, cut to its bound.
func label(text string) string {
	const enough = 16 // bytes for each character that is kept: the rest isn't looked at
	runes := []rune(seen(text[:min(len(text), enough*maxLabel)]))
	return strings.TrimSpace(string(runes[:min(len(runes), maxLabel)]))
}

// seen returns a text on one line, without characters that aren't seen or turn
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

// hidden reports whether r is a control or a format character, private, or not
// a character at all. A joiner is one of those too: names without it are read
// all the same.
func hidden(r rune) bool { return unicode.Is(unicode.C, r) || r == utf8.RuneError }
