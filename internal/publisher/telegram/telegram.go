// Package telegram publishes in Telegram's channels (Bot API 10.1, core.telegram.org/bots/api of 2026-06-11), as
// a bot that its owner made an administrator there. A bot sees neither the channel's history nor its own posts,
// nor how often they are seen: nothing can be looked up or measured.
package telegram

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Options are what a deployment configures.
type Options struct {
	// BaseURL is the API's address; "" for https://api.telegram.org.
	BaseURL string
}

// Adapter is the adapter of Telegram's channels.
type Adapter struct {
	client publisher.Client
	base   string
}

var _ publisher.Uploader = (*Adapter)(nil)

// New returns the adapter of Telegram's channels.
func New(c publisher.Client, o Options) *Adapter {
	return &Adapter{client: c, base: strings.TrimSuffix(cmp.Or(o.BaseURL, "https://api.telegram.org"), "/")}
}

// Forms of a bot's token and of a channel, by its name or its id. A token is a part of the address of each call.
var (
	tokenForm   = regexp.MustCompile(`^[0-9]+:[A-Za-z0-9_-]+$`)
	channelForm = regexp.MustCompile(`^(?:@[A-Za-z][A-Za-z0-9_]{3,31}|-100[0-9]{1,16})$`)
)

// chat is the API's Chat.
type chat struct {
	ID       int64  `json:"id"`
	Type     string `json:"type"`
	Title    string `json:"title"`
	Username string `json:"username"`
}

// Connect implements [publisher.Adapter]: the account is the channel that the credentials name, as AccountID.
func (a *Adapter) Connect(ctx context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	if !channelForm.MatchString(c.AccountID) {
		return mission.Account{}, c, wrongChannel("The channel must be its name, such as @acme, or its id, such as -1001234567890")
	}
	var bot struct {
		ID int64 `json:"id"`
	}
	if err := a.ask(ctx, c, "getMe", map[string]any{}, &bot); err != nil {
		return mission.Account{}, c, err
	}
	var channel chat
	if err := a.ask(ctx, c, "getChat", map[string]any{"chat_id": chatID(c)}, &channel); err != nil {
		return mission.Account{}, c, aboutChannel(err)
	}
	if channel.Type != "channel" {
		return mission.Account{}, c, wrongChannel("It is not a channel but a " + publisher.Label(channel.Type, maxType))
	}
	var member struct {
		Status   string `json:"status"`
		MayWrite bool   `json:"can_post_messages"`
	}
	if err := a.ask(ctx, c, "getChatMember", map[string]any{"chat_id": channel.ID, "user_id": bot.ID}, &member); err != nil {
		return mission.Account{}, c, aboutChannel(err)
	}
	if member.Status != "administrator" || !member.MayWrite {
		return mission.Account{}, c, wrongChannel("The bot must be an administrator of the channel who may post messages")
	}
	c.AccountID = strconv.FormatInt(channel.ID, 10)
	account := mission.Account{ID: c.AccountID, Handle: channel.Username, Name: channel.Title}
	if channel.Username != "" {
		account.URL = "https://t.me/" + channel.Username
	}
	return account, c, nil
}

// maxType is how long the type of a chat may be in an error.
const maxType = 20

// chatID returns the channel of the credentials as the API wants it: a number, unless it is a name.
func chatID(c mission.Credentials) any {
	if id, err := strconv.ParseInt(c.AccountID, 10, 64); err == nil {
		return id
	}
	return c.AccountID
}

// Refresh always fails: tokens don't expire, and only the bot's owner can replace one.
func (*Adapter) Refresh(context.Context, mission.Credentials) (mission.Credentials, error) {
	refused := publisher.Response{Status: http.StatusUnauthorized}
	return mission.Credentials{}, refused.Unauthorized("the bot's token was revoked, and only its owner can get another from @BotFather")
}

// Find implements [publisher.Adapter].
func (*Adapter) Find(context.Context, mission.Credentials, mission.Part) (mission.Publication, bool, error) {
	return mission.Publication{}, false, mission.ErrUnknowable
}

// Measure implements [publisher.Adapter]: there is nothing to ask.
func (*Adapter) Measure(context.Context, mission.Credentials, []mission.Content) (map[string]mission.Metrics, error) {
	return nil, nil
}

// ask calls a method with JSON, and decodes its result into result.
func (a *Adapter) ask(ctx context.Context, c mission.Credentials, method string, parameters map[string]any, result any) error {
	body, err := json.Marshal(parameters)
	if err != nil {
		return publisher.Response{}.Refused(publisher.CodeRefused, "The post can't be sent", "")
	}
	req, err := a.request(ctx, c, method, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	response, err := a.client.Do(req, c.AccessToken)
	if err != nil {
		return err
	}
	return read(response, result)
}
