package discordtest

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"missiond/internal/publisher/publishertest"
)

// Limits of messages.
const (
	maxContent = 2000
	maxNonce   = 25
	// nonceKept is how long the stub remembers a nonce: "the past few minutes".
	nonceKept = 3 * time.Minute
)

// author returns whose messages the credentials make.
func (s *Stub) author() string {
	if s.Webhook {
		return WebhookID
	}
	return BotID
}

// execute posts a message by the webhook. Without wait the response has nothing. The caller holds
// the lock.
func (s *Stub) execute(w http.ResponseWriter, r *http.Request) {
	body, files, ok := s.read(w, r)
	switch {
	case !ok:
	case body.Nonce != nil || body.Enforced != nil:
		invalid(w, "nonce", "UNKNOWN", "Webhooks have no nonce.")
	case s.Channel == Forum:
		Refuse(w, http.StatusBadRequest, 220001, "Webhooks posted to forum channels must have a thread_name or thread_id")
	default:
		p := s.add(body, files)
		if r.URL.Query().Get("wait") != "true" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		send(w, http.StatusOK, s.written(p, false))
	}
}

// create posts a message by the bot, unless one has its nonce. The caller holds the lock.
func (s *Stub) create(w http.ResponseWriter, r *http.Request) {
	body, files, ok := s.read(w, r)
	switch {
	case !ok:
		return
	case s.Channel == Forum:
		Refuse(w, http.StatusBadRequest, 40058, "Cannot send a message in a forum channel")
		return
	case body.Nonce != nil && (*body.Nonce == "" || utf8.RuneCountInString(*body.Nonce) > maxNonce):
		invalid(w, "nonce", "BASE_TYPE_BAD_LENGTH", "Must be 25 or fewer in length.")
		return
	}
	if body.Nonce != nil && body.Enforced != nil && *body.Enforced {
		for _, p := range s.posts {
			if p.nonce == *body.Nonce && p.author == BotID && !p.deleted && s.Now().Sub(p.at) < nonceKept {
				send(w, http.StatusOK, s.written(p, true))
				return
			}
		}
	}
	send(w, http.StatusOK, s.written(s.add(body, files), true))
}

// add adds a message. The caller holds the lock.
func (s *Stub) add(body request, files []file) *stored {
	at := s.Now()
	p := &stored{Post: publishertest.Post{ID: s.snowflake(at), Text: body.Content}, author: s.author(), at: at, files: files}
	if body.Nonce != nil {
		p.nonce = *body.Nonce
	}
	s.posts = append(s.posts, p)
	var all []publishertest.File
	for i, f := range files {
		each := publishertest.File{Type: f.contentType, Size: int64(len(f.content)), Alt: f.description, Pieces: map[int][]byte{0: f.content}}
		s.Put(p.ID+"/"+strconv.Itoa(i), each)
		all = append(all, each)
	}
	s.Attach(p.ID, all...)
	return p
}

// show shows a message, to a webhook only its own. The caller holds the lock.
func (s *Stub) show(w http.ResponseWriter, id, by string) {
	p := s.post(id)
	if p == nil || by == WebhookID && p.author != by {
		Refuse(w, http.StatusNotFound, 10008, "Unknown Message")
		return
	}
	send(w, http.StatusOK, s.written(p, false))
}

// list lists messages, newest first: those that follow one, or the newest. The caller holds the
// lock.
func (s *Stub) list(w http.ResponseWriter, r *http.Request) {
	limit, err := strconv.Atoi(cmp.Or(r.URL.Query().Get("limit"), "50"))
	if err != nil || limit < 1 || limit > 100 {
		invalid(w, "limit", "NUMBER_TYPE_MAX", "int value should be less than or equal to 100.")
		return
	}
	after := r.URL.Query().Get("after")
	from, err := strconv.ParseInt(cmp.Or(after, "0"), 10, 64)
	if err != nil || from < 0 {
		invalid(w, "after", "NUMBER_TYPE_COERCE", "Value is not snowflake.")
		return
	}
	var found []*stored
	for _, p := range s.posts {
		if id, _ := strconv.ParseInt(p.ID, 10, 64); !p.deleted && !s.NoHistory && id > from {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b *stored) int {
		return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID))
	})
	if n := len(found) - limit; n > 0 && after != "" {
		found = found[:limit]
	} else if n > 0 {
		found = found[n:]
	}
	shown := []any{}
	for _, p := range slices.Backward(found) {
		shown = append(shown, s.written(p, s.ShowsNonces))
	}
	send(w, http.StatusOK, shown)
}

// crosspost shows a message to the channel's followers. The caller holds the lock.
func (s *Stub) crosspost(w http.ResponseWriter, r *http.Request, id string) {
	p := s.post(id)
	switch {
	case r.ContentLength > 0:
		invalid(w, "body", "UNKNOWN", "The stub takes no body here.")
	case p == nil:
		Refuse(w, http.StatusNotFound, 10008, "Unknown Message")
	case s.Channel != Announcement:
		Refuse(w, http.StatusBadRequest, 50024, "Cannot execute action on this channel type")
	case p.crossposted:
		Refuse(w, http.StatusBadRequest, 40033, "This message has already been crossposted.")
	case p.author != BotID || s.NoCrossposts:
		Refuse(w, http.StatusForbidden, 50013, "Missing Permissions")
	default:
		p.crossposted = true
		send(w, http.StatusOK, s.written(p, false))
	}
}

// me describes the bot.
func (s *Stub) me() map[string]any {
	me := userOf(BotID)
	delete(me, "primary_guild")
	me["mfa_enabled"], me["locale"], me["bot"] = true, "en-US", true
	return me
}

// userOf describes a user, or a webhook as one.
func userOf(id string) map[string]any {
	name := map[string]string{BotID: "acme-bot", WebhookID: "Acme's news", OtherID: "test"}[id]
	return map[string]any{
		"id": id, "username": name, "avatar": Avatar, "discriminator": "0000", "public_flags": 0, "flags": 0,
		"global_name": nil, "primary_guild": nil,
	}
}

// written is a message as Discord shows it.
func (s *Stub) written(p *stored, nonce bool) map[string]any {
	const second = "2006-01-02T15:04:05.000000-07:00"
	shown := map[string]any{
		"id": p.ID, "type": 0, "channel_id": ChannelID, "content": p.Text, "author": userOf(p.author), "timestamp": p.at.UTC().Format(second),
		"edited_timestamp": nil, "tts": false, "mention_everyone": false, "mentions": []any{}, "mention_roles": []any{},
		"embeds": []any{}, "components": []any{}, "pinned": false, "flags": 0,
	}
	if !p.edited.IsZero() {
		shown["edited_timestamp"] = p.edited.UTC().Format(second)
	}
	if p.crossposted {
		shown["flags"] = 1
	}
	if p.author == WebhookID {
		shown["webhook_id"] = WebhookID
	}
	if nonce && p.nonce != "" {
		shown["nonce"] = p.nonce
	}
	attachments := []any{}
	for i, f := range p.files {
		url := "https://cdn.discordapp.com/attachments/" + ChannelID + "/" + p.ID + strconv.Itoa(i) + "/" + f.name
		each := map[string]any{"id": p.ID + strconv.Itoa(i), "filename": f.name, "size": len(f.content), "url": url, "proxy_url": url, "content_type": f.contentType}
		if f.description != "" {
			each["description"] = f.description
		}
		attachments = append(attachments, each)
	}
	shown["attachments"] = attachments
	if p.likes > 0 {
		shown["reactions"] = reactions(p.likes)
	}
	return shown
}

// reactions are some of one emoji and one of another.
func reactions(n int) []any {
	of := func(emoji string, n int) map[string]any {
		return map[string]any{
			"emoji": map[string]any{"id": nil, "name": emoji}, "count": n, "count_details": map[string]any{"burst": 0, "normal": n},
			"burst_colors": []any{}, "me_burst": false, "me": false,
		}
	}
	if n == 1 {
		return []any{of("👍", n)}
	}
	return []any{of("👍", n-1), of("🎉", 1)}
}

// AsksAudience implements [publishertest.Audienced].
func (s *Stub) AsksAudience(r *http.Request) bool { return r.URL.Query().Get("with_counts") == "true" }
