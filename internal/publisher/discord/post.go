package discord

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// newMessage is what is posted.
type newMessage struct {
	Content  string   `json:"content"`
	Mentions mentions `json:"allowed_mentions"`
	// Nonce has Discord return a bot's message that has it, for a few minutes, instead of making
	// another. Webhooks have none.
	Nonce       string       `json:"nonce,omitempty"`
	Enforced    bool         `json:"enforce_nonce,omitempty"`
	Attachments []attachment `json:"attachments,omitempty"`
}

// mentions are what a message may call people by: nothing, since a text may have been written by
// anybody.
type mentions struct {
	Parse []string `json:"parse"`
}

// attachment describes a file of a message: ID is its number in the form.
type attachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	Description string `json:"description,omitempty"`
}

// message is a message as Discord shows it.
type message struct {
	ID      string `json:"id"`
	Channel string `json:"channel_id"`
	Content string `json:"content"`
	Author  struct {
		ID string `json:"id"`
	} `json:"author"`
	At          time.Time         `json:"timestamp"`
	Edited      *time.Time        `json:"edited_timestamp"`
	Flags       int               `json:"flags"`
	Attachments []json.RawMessage `json:"attachments"`
	Nonce       json.RawMessage   `json:"nonce"`
	Reactions   []struct {
		Count *float64 `json:"count"`
	} `json:"reactions"`
}

// nonceLength is how many characters of a part's hash are its nonce; Discord takes 25.
const nonceLength = 24

// nonceOf returns the nonce of a part.
func nonceOf(p mission.Part) string {
	sum := sha256.Sum256([]byte(p.Key()))
	return hex.EncodeToString(sum[:])[:nonceLength]
}

// bodyOf returns what is posted for a part.
func bodyOf(to place, p mission.Part) newMessage {
	m := newMessage{Content: p.Text, Mentions: mentions{Parse: []string{}}}
	if to.webhook == "" {
		m.Nonce, m.Enforced = nonceOf(p), true
	}
	for i, f := range p.Media {
		m.Attachments = append(m.Attachments, attachment{
			ID: strconv.Itoa(i), Filename: publisher.FileName(f.ContentType), Description: f.AltText,
		})
	}
	return m
}

// Publish implements [publisher.Adapter]. Discord doesn't say for how long it remembers a nonce, so
// that nothing is built on it. In a channel of announcements the message is crossposted afterwards.
func (a *Adapter) Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	if p.Parent != nil {
		return mission.Publication{}, publisher.Response{}.Refused(publisher.CodeRefused, "Discord takes no comments from the service", "")
	}
	to, err := placeOf(c)
	if err != nil {
		return mission.Publication{}, err
	}
	path, query := to.messages(), url.Values(nil)
	if to.webhook != "" {
		// Without wait a message that is lost gives no error.
		path, query = strings.TrimSuffix(path, "/messages"), url.Values{"wait": {"true"}}
	}
	var made message
	var response publisher.Response
	if len(p.Media) > 0 {
		response, err = a.sendForm(ctx, to, path, query, p, &made)
	} else {
		response, err = a.call(ctx, to, http.MethodPost, path, query, bodyOf(to, p), &made)
	}
	if err != nil {
		return mission.Publication{}, err
	}
	if !made.sound() {
		return mission.Publication{}, response.Malformed()
	}
	a.crosspost(ctx, to, made)
	return a.publication(to, made), nil
}

// sound reports whether the message has what it is found by.
func (m message) sound() bool {
	return snowflakes.MatchString(m.ID) && snowflakes.MatchString(m.Channel)
}

func (a *Adapter) publication(to place, m message) mission.Publication {
	if m.At.IsZero() {
		m.At = a.client.Now()
	}
	address := channelAddress(to.guild, m.Channel)
	if address != "" {
		address += "/" + m.ID
	}
	return mission.Publication{PostID: m.ID, URL: address, PublishedAt: m.At.UTC().Truncate(time.Millisecond)}
}

// crossposted is the flag of a message that its channel's followers see.
const crossposted = 1 << 0

// crosspost shows a message of an announcement channel to its followers. The message is out, whatever
// becomes of that: a failure is only logged, and people can still publish the message in Discord.
func (a *Adapter) crosspost(ctx context.Context, to place, m message) {
	if !to.crossposts || m.Flags&crossposted != 0 {
		return
	}
	response, err := a.call(ctx, to, http.MethodPost, to.messages()+"/"+m.ID+"/crosspost", nil, nil, nil)
	if r, _ := refusalOf(response); err != nil && r.Code != codeCrossposted {
		a.options.Log.WarnContext(ctx, "discord: crosspost a message", "channel", m.Channel, "message", m.ID, "error", err)
	}
}
