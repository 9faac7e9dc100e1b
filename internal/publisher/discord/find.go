package discord

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

const (
	// clocksApart is how much Discord's clock may differ from ours.
	clocksApart = 5 * time.Minute
	// listed is how many messages one call lists, and lookPages how many calls look for one.
	listed    = 100
	lookPages = 10
	// epoch is when Discord's ids begin, in Unix milliseconds; the time is above their lowest 22 bits.
	epoch      = 1420070400000
	epochShift = 22
)

// snowflake returns the lowest id of a time.
func snowflake(at time.Time) string {
	return strconv.FormatInt(max(0, at.UnixMilli()-epoch)<<epochShift, 10)
}

// Find implements [publisher.Adapter]: it lists the channel's messages since the part's first call,
// and returns the bot's that is the part. One that wasn't crossposted is now. Errors: ErrUnknowable
// for a webhook, which can't list messages; ErrInconclusive without the permission to read the
// channel's history, and where nothing shows that there is one: Discord lists nothing then.
func (a *Adapter) Find(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
	to, err := placeOf(c)
	if err != nil {
		return mission.Publication{}, false, err
	}
	if to.webhook != "" {
		return mission.Publication{}, false, mission.ErrUnknowable
	}
	me, err := a.me(ctx, to)
	if err != nil {
		return mission.Publication{}, false, err
	}
	found, ok, err := a.find(ctx, to, me, p)
	if err != nil || !ok {
		return mission.Publication{}, false, err
	}
	a.crosspost(ctx, to, found)
	return a.publication(to, found), true, nil
}

func (a *Adapter) find(ctx context.Context, to place, me user, p mission.Part) (message, bool, error) {
	since, pages := p.CalledAt.Add(-clocksApart), lookPages
	query := url.Values{"limit": {strconv.Itoa(listed)}, "after": {snowflake(since)}}
	fast := p.CalledAt.After(a.client.Now().Add(clocksApart))
	if fast {
		// A development clock that runs fast: its times mean nothing to Discord.
		since, pages = time.Time{}, 1
		query.Del("after")
	}
	for n := range pages {
		list, err := a.list(ctx, to, query)
		if err != nil {
			return message{}, false, err
		}
		for _, m := range list {
			if m.sound() && m.is(p, me, since) {
				return m, true, nil
			}
		}
		switch {
		case n == 0 && len(list) == 0:
			return message{}, false, a.checkHistory(ctx, to)
		case len(list) < listed || fast:
			return message{}, false, nil
		}
		query.Set("after", list[0].ID) // the newest
	}
	return message{}, false, &mission.PublishError{Outcome: mission.OutcomeUnknown, Failure: mission.Failure{
		Code: publisher.CodeUnavailable, Message: "The channel has too many newer messages to tell whether this one is among them.",
	}}
}

// list lists messages of the channel, newest first: with after, those that follow it. Errors: also
// ErrInconclusive, without the permission.
func (a *Adapter) list(ctx context.Context, to place, query url.Values) ([]message, error) {
	var list []message
	response, err := a.call(ctx, to, http.MethodGet, to.messages(), query, nil, &list)
	if r, _ := refusalOf(response); response.Status == http.StatusForbidden && r.Code == codePermissions {
		return nil, mission.ErrInconclusive
	}
	return list, err
}

// checkHistory returns ErrInconclusive unless the channel shows a message at all: to a bot without
// the permission READ_MESSAGE_HISTORY it shows none.
func (a *Adapter) checkHistory(ctx context.Context, to place) error {
	list, err := a.list(ctx, to, url.Values{"limit": {"1"}})
	if err == nil && len(list) == 0 {
		return mission.ErrInconclusive
	}
	return err
}

// is reports whether a message is a part: by its nonce if that is shown, else by author, time, text
// and the number of files.
func (m message) is(p mission.Part, me user, since time.Time) bool {
	if nonce := number(m.Nonce); nonce != "" && nonce != "null" {
		return nonce == nonceOf(p) && m.Author.ID == me.ID
	}
	return m.Author.ID == me.ID && !m.At.Before(since) && plainText(m.Content) == plainText(p.Text) && len(m.Attachments) == len(p.Media)
}

// plainText returns a text in the form in which texts are compared: Discord drops white space around
// it.
func plainText(text string) string { return strings.TrimSpace(text) }

// gone reports whether an error is that Discord has no such message.
func gone(response publisher.Response, err error) bool {
	r, _ := refusalOf(response)
	var pe *mission.PublishError
	return errors.As(err, &pe) && response.Status == http.StatusNotFound && r.Code == codeUnknownMessage
}
