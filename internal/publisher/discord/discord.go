// Package discord publishes in Discord's channels (API v10, docs.discord.com of 2026-08-06), by a
// webhook or as a bot.
package discord

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Options are Discord's address, and what the service says about itself there.
type Options struct {
	// BaseURL is the API's address; "" for https://discord.com/api/v10.
	BaseURL string
	// Website is the service's own address, which Discord wants in the user agent.
	Website string
	// Log is told when a message of an announcement channel couldn't be crossposted; nil discards.
	Log *slog.Logger
}

// Adapter is the adapter of Discord.
type Adapter struct {
	client  publisher.Client
	options Options
	agent   string
}

var (
	_ publisher.Uploader = (*Adapter)(nil)
	_ publisher.Reader   = (*Adapter)(nil)
)

// New returns the adapter of Discord.
func New(c publisher.Client, o Options) *Adapter {
	o.BaseURL = strings.TrimSuffix(cmp.Or(o.BaseURL, "https://discord.com/api/v10"), "/")
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	// The form is prescribed (reference, "User Agent"): others may be blocked.
	return &Adapter{client: c, options: o, agent: "DiscordBot (" + cmp.Or(o.Website, "https://localhost") + ", 1)"}
}

// Refresh always fails: tokens and webhooks don't expire, and only their owner can make others.
func (a *Adapter) Refresh(context.Context, mission.Credentials) (mission.Credentials, error) {
	refused := publisher.Response{Status: http.StatusUnauthorized}
	return mission.Credentials{}, refused.Unauthorized("only the channel's owner can give another token or webhook")
}

var (
	// webhookURLs match the URLs of webhooks, as each version of Discord's application copies them.
	webhookURLs = regexp.MustCompile(`^https://(?:(?:ptb|canary)\.)?discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/([0-9]{1,20})/([A-Za-z0-9_-]{1,200})/?$`)
	// snowflakes match Discord's ids.
	snowflakes = regexp.MustCompile(`^[0-9]{1,20}$`)
)

// place is where an account posts: through a webhook, or as a bot in a channel.
type place struct {
	// webhook is the webhook's id, token its own token or the bot's.
	webhook, token string
	// channel is the bot's, guild the server that it is in.
	channel, guild string
	// crossposts reports whether the channel is one of announcements.
	crossposts bool
}

// placeOf returns the place of credentials. Errors: refused.
func placeOf(c mission.Credentials) (place, error) {
	to := place{token: c.AccessToken, guild: c.Group, crossposts: slices.Contains(c.Scopes, scopeCrosspost)}
	if !strings.Contains(c.AccessToken, "/") {
		if to.channel = strings.TrimPrefix(c.AccountID, mission.DiscordChannel); !snowflakes.MatchString(to.channel) {
			return place{}, refuse("a bot posts to a channel, which its id must name")
		}
		return to, nil
	}
	named := webhookURLs.FindStringSubmatch(c.AccessToken)
	if named == nil {
		return place{}, refuse("a webhook's URL must be https://discord.com/api/webhooks/{id}/{token}, without a query")
	}
	to.webhook, to.token = named[1], named[2]
	return to, nil
}

func refuse(words string) error {
	return publisher.Response{}.Refused(publisher.CodeRefused, "The account can't be used", words)
}

// messages returns the path under which the place's messages are.
func (to place) messages() string {
	if to.webhook != "" {
		return "/webhooks/" + to.webhook + "/" + to.token + "/messages"
	}
	return "/channels/" + to.channel + "/messages"
}

// call makes a call with a body of JSON, unless that is nil, and reads the response into v, unless
// that is nil.
func (a *Adapter) call(ctx context.Context, to place, method, path string, query url.Values, body, v any) (publisher.Response, error) {
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return publisher.Response{}, errRequest
		}
		content = bytes.NewReader(encoded)
	}
	req, err := a.request(ctx, to, method, path, query, content)
	if err != nil {
		return publisher.Response{}, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	response, err := a.client.Do(req, to.token)
	return response, read(to, response, err, v)
}

// read reads a response into v, unless that is nil. Errors: err; fail's.
func read(to place, response publisher.Response, err error, v any) error {
	switch {
	case err != nil:
		return err
	case !response.OK():
		return fail(to, response)
	case v == nil:
		return nil
	}
	return response.JSON(v)
}

// errRequest is the error for a request that can't be made. Its cause isn't included: it may name
// the address, in which a webhook's token is.
var errRequest = errors.New("discord: the request can't be made")

// request returns a request with what all have.
func (a *Adapter) request(ctx context.Context, to place, method, path string, query url.Values, body io.Reader) (*http.Request, error) {
	address := a.options.BaseURL + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, errRequest
	}
	req.Header.Set("User-Agent", a.agent)
	if to.webhook == "" {
		req.Header.Set("Authorization", "Bot "+to.token)
	}
	return req, nil
}
