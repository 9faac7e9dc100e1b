// Package telegramtest plays Telegram's Bot API for tests, with a bot and a channel.
package telegramtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

// The bot, and the channel's id and name.
const (
	BotID     = 123456789
	ChannelID = -1001234567890
	Channel   = "acme_news"
)

// Stub plays the Bot API 10.1. What isn't as documented, and what the adapter has no reason to send, it refuses.
type Stub struct {
	publishertest.Files
	publishertest.Followers

	// Now is Telegram's clock.
	Now func() time.Time
	// Private is a channel without a name.
	Private bool
	// Type is that of the chat, "channel" unless it is set.
	Type string
	// Status is the bot's in the channel, and MayPost whether it may post there.
	Status  string
	MayPost bool
	// Handle, unless nil, handles a request of a method instead; false declines it.
	Handle func(w http.ResponseWriter, method string) bool

	mu     sync.Mutex
	n      int64
	tokens map[string]bool // whether it is good
	posts  []publishertest.Post
}

var _ publishertest.Stub = (*Stub)(nil)

// New returns a channel without messages.
func New() *Stub {
	return &Stub{Now: time.Now, Type: "channel", Status: "administrator", MayPost: true, tokens: map[string]bool{}}
}

// Credentials implements [publishertest.Stub].
func (s *Stub) Credentials(string) mission.Credentials {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	token := fmt.Sprintf("%d:AAE-%031d", BotID, s.n)
	s.tokens[token] = true
	c := mission.Credentials{AccessToken: token, AccountID: "@" + Channel}
	if s.Private {
		c.AccountID = strconv.Itoa(ChannelID)
	}
	return c
}

// Expire implements [publishertest.Stub]: the bot's owner revokes its token.
func (s *Stub) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.tokens)
}

// Revoke implements [publishertest.Stub].
func (s *Stub) Revoke() { s.Expire() }

// Publishes implements [publishertest.Stub].
func (s *Stub) Publishes(r *http.Request) bool { return strings.Contains(r.URL.Path, "/send") }

// Uploads implements [publishertest.Stub]: files come with their message.
func (s *Stub) Uploads(*http.Request) bool { return false }

// AsksAudience implements [publishertest.Audienced].
func (s *Stub) AsksAudience(r *http.Request) bool {
	return strings.HasSuffix(r.URL.Path, "/getChatMemberCount")
}

// RateLimited implements [publishertest.Stub].
func (s *Stub) RateLimited(w http.ResponseWriter, _ *http.Request, until time.Time) {
	seconds := int(until.Sub(s.Now()).Seconds()) + 1
	send(w, http.StatusTooManyRequests, map[string]any{
		"ok": false, "error_code": http.StatusTooManyRequests, "description": fmt.Sprintf("Too Many Requests: retry after %d", seconds),
		"parameters": map[string]any{"retry_after": seconds},
	})
}

// Posts implements [publishertest.Stub].
func (s *Stub) Posts() []publishertest.Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.posts)
}

// React implements [publishertest.Stub]: a bot isn't told.
func (s *Stub) React(string, mission.Metrics) {}

// Delete implements [publishertest.Stub].
func (s *Stub) Delete(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.posts = slices.DeleteFunc(s.posts, func(p publishertest.Post) bool { return p.ID == id })
}

func send(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// Refuse responds with an error, as the API does.
func Refuse(w http.ResponseWriter, status int, description string) {
	send(w, status, map[string]any{"ok": false, "error_code": status, "description": description})
}

func bad(w http.ResponseWriter, what string) { Refuse(w, http.StatusBadRequest, "Bad Request: "+what) }

func done(w http.ResponseWriter, result any) {
	send(w, http.StatusOK, map[string]any{"ok": true, "result": result})
}

// call matches the paths of calls, with a token's form.
var call = regexp.MustCompile(`^/bot([0-9]+:[A-Za-z0-9_-]{35})/([A-Za-z]+)$`)

// ServeHTTP responds to a request as the platform does.
func (s *Stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	path := call.FindStringSubmatch(r.URL.Path)
	switch {
	case path == nil:
		Refuse(w, http.StatusNotFound, "Not Found")
	case !s.tokens[path[1]]:
		Refuse(w, http.StatusUnauthorized, "Unauthorized")
	case s.Handle != nil && s.Handle(w, path[2]):
	case r.Method != http.MethodPost || r.URL.RawQuery != "" || r.Header.Get("Authorization") != "":
		bad(w, "the stub takes POST alone, with the parameters in the body and the token in the path")
	default:
		s.method(w, r, path[2])
	}
}

// method handles a call. The caller holds the lock.
func (s *Stub) method(w http.ResponseWriter, r *http.Request, method string) {
	known, ok := methods[method]
	if !ok {
		Refuse(w, http.StatusNotFound, "Not Found: method not found")
		return
	}
	in, wrong := parse(r, known)
	if wrong != "" {
		bad(w, wrong)
		return
	}
	if method != "getMe" && !s.isChat(in.parameters["chat_id"]) {
		bad(w, "chat not found")
		return
	}
	switch method {
	case "getMe":
		done(w, s.bot())
	case "getChat":
		chat := s.chat()
		chat["accent_color_id"], chat["max_reaction_count"] = 0, 11
		chat["photo"] = map[string]any{"small_file_id": "AQADAg", "big_file_id": "AQADAw"} // which only a token shows
		done(w, chat)
	case "getChatMemberCount":
		told := map[string]any{}
		s.Tell(told, "count")
		done(w, told["count"])
	case "getChatMember":
		s.member(w, in)
	default:
		s.post(w, method, in)
	}
}

func (s *Stub) bot() map[string]any {
	return map[string]any{"id": BotID, "is_bot": true, "first_name": "Acme", "username": "acme_bot"}
}

func (s *Stub) chat() map[string]any {
	chat := map[string]any{"id": ChannelID, "type": s.Type, "title": "Acme & Co."}
	if !s.Private {
		chat["username"] = Channel
	}
	return chat
}

// isChat reports whether a chat_id is the channel's.
func (s *Stub) isChat(id any) bool {
	if name, ok := id.(string); ok && name == "@"+Channel {
		return !s.Private
	}
	return fmt.Sprint(id) == strconv.Itoa(ChannelID)
}

func (s *Stub) member(w http.ResponseWriter, in input) {
	switch {
	case fmt.Sprint(in.parameters["user_id"]) != strconv.Itoa(BotID):
		bad(w, "invalid user_id specified")
	case s.Status == "left":
		done(w, map[string]any{"status": s.Status, "user": s.bot()})
	default:
		done(w, map[string]any{
			"status": s.Status, "user": s.bot(), "can_be_edited": false, "is_anonymous": true, "can_manage_chat": true,
			"can_delete_messages": true, "can_manage_video_chats": false, "can_restrict_members": false, "can_promote_members": false,
			"can_change_info": false, "can_invite_users": false, "can_post_stories": false, "can_edit_stories": false,
			"can_delete_stories": false, "can_post_messages": s.MayPost,
		})
	}
}
