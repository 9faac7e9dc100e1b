package discord

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"regexp"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Types of channels and webhooks (reference, "Channel Types", "Webhook Types").
const (
	channelDM           = 1
	channelGroup        = 3
	channelCategory     = 4
	channelAnnouncement = 5
	channelDirectory    = 14
	channelForum        = 15
	channelMedia        = 16

	webhookIncoming = 1
)

// scopeCrosspost says, among the scopes of an account, that its posts are crossposted: its channel is
// one of announcements, whose followers see nothing else.
const scopeCrosspost = "crosspost"

// hashes match the hashes of pictures.
var hashes = regexp.MustCompile(`^(?:a_)?[0-9a-f]{1,64}$`)

// avatar returns the address of a user's or webhook's picture, "" if it has none.
func avatar(id, hash string) string {
	if !snowflakes.MatchString(id) || !hashes.MatchString(hash) {
		return ""
	}
	return "https://cdn.discordapp.com/avatars/" + id + "/" + hash + ".png"
}

// channelAddress returns the address of a channel, or "" if it has none.
func channelAddress(guild, channel string) string {
	if !snowflakes.MatchString(guild) || !snowflakes.MatchString(channel) {
		return ""
	}
	return "https://discord.com/channels/" + guild + "/" + channel
}

// Connect implements [publisher.Adapter]. The account is the webhook whose URL the access token is,
// or the channel that AccountID names, of a bot. Discord doesn't tell a webhook what its channel is,
// so that a forum's is only refused when something is posted.
func (a *Adapter) Connect(ctx context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	to, err := placeOf(c)
	if err != nil {
		return mission.Account{}, c, err
	}
	if to.webhook != "" {
		return a.connectWebhook(ctx, to, c)
	}
	return a.connectChannel(ctx, to, c)
}

func (a *Adapter) connectWebhook(ctx context.Context, to place, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	var hook struct {
		ID      string `json:"id"`
		Type    int    `json:"type"`
		Guild   string `json:"guild_id"`
		Channel string `json:"channel_id"`
		Name    string `json:"name"`
		Avatar  string `json:"avatar"`
	}
	response, err := a.call(ctx, to, http.MethodGet, "/webhooks/"+to.webhook+"/"+to.token, nil, nil, &hook)
	if err != nil {
		return mission.Account{}, c, err
	}
	address := channelAddress(hook.Guild, hook.Channel)
	switch {
	case hook.ID != to.webhook:
		return mission.Account{}, c, response.Malformed()
	case hook.Type != webhookIncoming || address == "":
		return mission.Account{}, c, refuse("the webhook isn't one that posts to a channel of a server")
	}
	c.AccountID, c.Group, c.Scopes = hook.ID, hook.Guild, nil
	return mission.Account{
		ID: hook.ID, Name: cmp.Or(publisher.Label(hook.Name, maxName), "Webhook "+hook.ID), URL: address, AvatarURL: avatar(hook.ID, hook.Avatar),
	}, c, nil
}

// maxName is the longest name of a channel, a server or a webhook, in characters.
const maxName = 100

// user is the bot's own account.
type user struct {
	ID       string `json:"id"`
	Username string `json:"username"`
	Avatar   string `json:"avatar"`
}

// me returns the bot's own account.
func (a *Adapter) me(ctx context.Context, to place) (user, error) {
	var me user
	response, err := a.call(ctx, to, http.MethodGet, "/users/@me", nil, nil, &me)
	if err == nil && (!snowflakes.MatchString(me.ID) || me.Username == "") {
		err = response.Malformed()
	}
	return me, err
}

func (a *Adapter) connectChannel(ctx context.Context, to place, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	me, err := a.me(ctx, to)
	if err != nil {
		return mission.Account{}, c, err
	}
	var channel struct {
		ID    string `json:"id"`
		Type  int    `json:"type"`
		Guild string `json:"guild_id"`
		Name  string `json:"name"`
	}
	response, err := a.call(ctx, to, http.MethodGet, "/channels/"+to.channel, nil, nil, &channel)
	if err != nil {
		return mission.Account{}, c, err
	}
	if channel.ID != to.channel {
		return mission.Account{}, c, response.Malformed()
	}
	address := channelAddress(channel.Guild, channel.ID)
	if err := checkChannel(channel.Type, address); err != nil {
		return mission.Account{}, c, err
	}
	var guild struct {
		Name string `json:"name"`
	}
	if _, err = a.call(ctx, to, http.MethodGet, "/guilds/"+channel.Guild, url.Values{"with_counts": {"false"}}, nil, &guild); err != nil {
		return mission.Account{}, c, err
	}
	c.AccountID, c.Group, c.Scopes = mission.DiscordChannel+channel.ID, channel.Guild, nil
	if channel.Type == channelAnnouncement {
		c.Scopes = []string{scopeCrosspost}
	}
	name := "#" + cmp.Or(publisher.Label(channel.Name, maxName), channel.ID)
	if server := publisher.Label(guild.Name, maxName); server != "" {
		name += " in " + server
	}
	return mission.Account{ID: c.AccountID, Handle: me.Username, Name: name, URL: address, AvatarURL: avatar(me.ID, me.Avatar)}, c, nil
}

// checkChannel returns an error for a channel of a type that nothing can be posted to. Errors:
// refused.
func checkChannel(kind int, address string) error {
	switch kind {
	case channelForum, channelMedia:
		return refuse(forumWords)
	case channelDM, channelGroup, channelCategory, channelDirectory:
		return refuse("the channel isn't a text or announcement channel of a server")
	}
	if address == "" {
		return refuse("the channel isn't one of a server")
	}
	return nil
}
