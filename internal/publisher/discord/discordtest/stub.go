// Package discordtest plays Discord (API v10) for tests.
package discordtest

import (
	"encoding/json"
	"fmt"
	"math"
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

// Whom and what the stub knows: a bot and a webhook in a channel of a server, and somebody else.
const (
	BotID     = "80351110224678912"
	WebhookID = "223704706495545344"
	OtherID   = "190320984123768832"
	ChannelID = "199737254929760256"
	GuildID   = "290926798626357999"
	// Avatar is the hash of the bot's and the webhook's picture.
	Avatar = "b004ec1740a63ca06ae2e14c5cee11f3"
)

// Prefix is where the API is on the stub's address.
const Prefix = "/api/v10"

// Types of channels.
const (
	Text         = 0
	DM           = 1
	Category     = 4
	Announcement = 5
	Forum        = 15
)

// Stub plays Discord. What isn't as documented, it refuses.
type Stub struct {
	publishertest.Files
	publishertest.Followers

	mu      sync.Mutex
	n       int
	tokens  map[string]bool // those of the bot and the webhook that are good
	deleted bool            // the webhook
	posts   []*stored
	// Webhook has credentials be a webhook's, else they are a bot's.
	Webhook bool
	// Channel is the type of the channel.
	Channel int
	// NoHistory takes the bot the permission to read the channel's history, Forbids all that a bot
	// needs to see the channel.
	NoHistory, Forbids bool
	// ShowsNonces has lists show the nonces of messages, which Discord need not.
	ShowsNonces bool
	// NoCrossposts has it refuse crossposts.
	NoCrossposts bool
	// Now is Discord's clock.
	Now func() time.Time
	// Handle, unless nil, handles a request instead; false declines it.
	Handle func(w http.ResponseWriter, r *http.Request) bool
	// Seen, unless nil, is told of each request that wasn't refused for its form, with its body of
	// JSON, and of what responds to it.
	Seen func(r *http.Request, body []byte, status int, response []byte)
}

type stored struct {
	publishertest.Post
	author, nonce string
	at, edited    time.Time
	likes         int
	deleted       bool
	crossposted   bool
	files         []file
}

// New returns a Discord whose channel has a message of somebody else.
func New() *Stub {
	s := &Stub{tokens: map[string]bool{}, Now: time.Now}
	s.Say(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), OtherID, "Hello!")
	return s
}

// Say has somebody post a message at a time, and returns its id.
func (s *Stub) Say(at time.Time, author, text string) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &stored{Post: publishertest.Post{ID: s.snowflake(at), Text: text}, author: author, at: at}
	s.posts = append(s.posts, p)
	return p.ID
}

// Empty removes all messages of the channel.
func (s *Stub) Empty() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.posts = nil
}

// snowflake returns the next id of a time. The caller holds the lock.
func (s *Stub) snowflake(at time.Time) string {
	const epoch, shift, counter = 1420070400000, 22, 4095
	s.n++
	return strconv.FormatInt((at.UnixMilli()-epoch)<<shift|int64(s.n&counter), 10)
}

// Credentials implements [publishertest.Stub].
func (s *Stub) Credentials(string) mission.Credentials {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	s.deleted = false
	token := fmt.Sprintf("3d89bb7572e0fb30d8128367b3b1b44f-%d_c2VjcmV0", s.n)
	if s.Webhook {
		s.tokens[token] = true
		return mission.Credentials{AccessToken: "https://discord.com/api/webhooks/" + WebhookID + "/" + token}
	}
	token = "ODAzNTExMTAyMjQ2Nzg5MTI.Gx." + token
	s.tokens[token] = true
	return mission.Credentials{AccessToken: token, AccountID: ChannelID}
}

// Expire implements [publishertest.Stub]: the bot's owner, or the webhook's, makes another token.
func (s *Stub) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.tokens)
}

// Revoke implements [publishertest.Stub]: the bot's token is reset, the webhook deleted.
func (s *Stub) Revoke() {
	s.Expire()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deleted = true
}

// Publishes implements [publishertest.Stub].
func (s *Stub) Publishes(r *http.Request) bool {
	return r.Method == http.MethodPost && (r.URL.Path == Prefix+"/channels/"+ChannelID+"/messages" || webhookPaths.MatchString(r.URL.Path))
}

// Uploads implements [publishertest.Stub]: files go with their message.
func (s *Stub) Uploads(*http.Request) bool { return false }

// RateLimited implements [publishertest.Stub].
func (s *Stub) RateLimited(w http.ResponseWriter, _ *http.Request, until time.Time) {
	left := until.Sub(s.Now()).Seconds()
	h := w.Header()
	h.Set("Retry-After", strconv.Itoa(int(math.Ceil(left))))
	h.Set("X-RateLimit-Limit", "5")
	h.Set("X-RateLimit-Remaining", "0")
	h.Set("X-RateLimit-Reset", strconv.FormatFloat(float64(until.UnixMilli())/1000, 'f', 3, 64))
	h.Set("X-RateLimit-Reset-After", strconv.FormatFloat(left, 'f', 3, 64))
	h.Set("X-RateLimit-Bucket", "abcd1234")
	h.Set("X-RateLimit-Scope", "user")
	send(w, http.StatusTooManyRequests, map[string]any{"message": "You are being rate limited.", "retry_after": left, "global": false})
}

// ours reports whether a message is of the account.
func (s *Stub) ours(p *stored) bool { return p.author != OtherID && !p.deleted }

// Posts implements [publishertest.Stub].
func (s *Stub) Posts() []publishertest.Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	var posts []publishertest.Post
	for _, p := range s.posts {
		if s.ours(p) {
			posts = append(posts, p.Post)
		}
	}
	return posts
}

// Crossposted returns the ids of the messages that were crossposted.
func (s *Stub) Crossposted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for _, p := range s.posts {
		if p.crossposted {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// Edit implements [publishertest.Editor].
func (s *Stub) Edit(id, text string) {
	s.change(id, func(p *stored) { p.Text, p.edited = text, s.Now() })
}

// React implements [publishertest.Stub].
func (s *Stub) React(id string, figures mission.Metrics) {
	s.change(id, func(p *stored) { p.likes = int(figures[mission.Likes]) })
}

// Delete implements [publishertest.Stub].
func (s *Stub) Delete(id string) { s.change(id, func(p *stored) { p.deleted = true }) }

func (s *Stub) change(id string, do func(p *stored)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.post(id); p != nil {
		do(p)
	}
}

// post returns a message, nil if there is none. The caller holds the lock.
func (s *Stub) post(id string) *stored {
	i := slices.IndexFunc(s.posts, func(p *stored) bool { return p.ID == id && !p.deleted })
	if i < 0 {
		return nil
	}
	return s.posts[i]
}

// Refuse responds with an error of Discord.
func Refuse(w http.ResponseWriter, status, code int, message string) {
	send(w, status, map[string]any{"code": code, "message": message})
}

// invalid refuses a form, with what is wrong with a field, whose path has dots.
func invalid(w http.ResponseWriter, path, code, message string) {
	var tree any = map[string]any{"_errors": []any{map[string]any{"code": code, "message": message}}}
	for _, name := range slices.Backward(strings.Split(path, ".")) {
		tree = map[string]any{name: tree}
	}
	send(w, http.StatusBadRequest, map[string]any{"code": 50035, "message": "Invalid Form Body", "errors": tree})
}

func send(w http.ResponseWriter, status int, body any) {
	encoded, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(encoded)
}

var (
	agents       = regexp.MustCompile(`^DiscordBot \(https?://[^ ,()]+, [0-9.]+\)$`)
	webhookPaths = regexp.MustCompile(`^` + Prefix + `/webhooks/([0-9]+)/([A-Za-z0-9_-]+)$`)
	hookMessages = regexp.MustCompile(`^` + Prefix + `/webhooks/([0-9]+)/([A-Za-z0-9_-]+)/messages/([0-9]+)$`)
	botMessages  = regexp.MustCompile(`^` + Prefix + `/channels/([0-9]+)/messages/([0-9]+)(/crosspost)?$`)
)

// ServeHTTP responds to a request as the platform does.
func (s *Stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Handle != nil && s.Handle(w, r) {
		return
	}
	if !agents.MatchString(r.Header.Get("User-Agent")) {
		w.WriteHeader(http.StatusForbidden) // Discord's edge
		_, _ = w.Write([]byte("<html>error code: 1010</html>"))
		return
	}
	if s.Seen != nil {
		seen := &recorder{ResponseWriter: w}
		w = seen
		body := peek(r)
		defer func() { s.Seen(r, body, seen.status, seen.body) }()
	}
	if strings.HasPrefix(r.URL.Path, Prefix+"/webhooks/") {
		s.serveWebhook(w, r)
		return
	}
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bot ")
	if !ok || !s.tokens[token] {
		Refuse(w, http.StatusUnauthorized, 0, "401: Unauthorized")
		return
	}
	s.serveBot(w, r)
}

// only refuses other parameters than those named.
func only(w http.ResponseWriter, r *http.Request, names ...string) bool {
	for name, values := range r.URL.Query() {
		if !slices.Contains(names, name) || len(values) != 1 {
			invalid(w, name, "UNKNOWN", "The stub takes no such parameter.")
			return false
		}
	}
	return true
}

// serveWebhook handles a webhook's request. The caller holds the lock.
func (s *Stub) serveWebhook(w http.ResponseWriter, r *http.Request) {
	named := webhookPaths.FindStringSubmatch(r.URL.Path)
	message := ""
	if named == nil {
		if named = hookMessages.FindStringSubmatch(r.URL.Path); named != nil {
			message = named[3]
		}
	}
	switch {
	case named == nil:
		Refuse(w, http.StatusNotFound, 0, "404: Not Found")
	case s.deleted || named[1] != WebhookID:
		Refuse(w, http.StatusNotFound, 10015, "Unknown Webhook")
	case !s.tokens[named[2]]:
		Refuse(w, http.StatusUnauthorized, 50027, "Invalid Webhook Token")
	case message != "" && r.Method == http.MethodGet:
		if only(w, r) {
			s.show(w, message, WebhookID)
		}
	case message == "" && r.Method == http.MethodGet:
		if only(w, r) {
			send(w, http.StatusOK, map[string]any{
				"id": WebhookID, "type": 1, "guild_id": GuildID, "channel_id": ChannelID, "name": "Acme's news",
				"avatar": Avatar, "application_id": nil, "token": named[2],
			})
		}
	case message == "" && r.Method == http.MethodPost:
		if only(w, r, "wait") {
			s.execute(w, r)
		}
	default:
		Refuse(w, http.StatusMethodNotAllowed, 0, "405: Method Not Allowed")
	}
}

// serveBot handles a bot's request. The caller holds the lock.
func (s *Stub) serveBot(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.Path, Prefix)
	named := botMessages.FindStringSubmatch(r.URL.Path)
	if named != nil && named[1] != ChannelID || strings.HasPrefix(path, "/channels/") && !strings.HasPrefix(path+"/", "/channels/"+ChannelID+"/") {
		Refuse(w, http.StatusNotFound, 10003, "Unknown Channel")
		return
	}
	if s.Forbids && strings.HasPrefix(path, "/channels/") {
		Refuse(w, http.StatusForbidden, 50001, "Missing Access")
		return
	}
	switch {
	case r.Method == http.MethodGet && path == "/users/@me":
		if only(w, r) {
			send(w, http.StatusOK, s.me())
		}
	case r.Method == http.MethodGet && path == "/guilds/"+GuildID:
		if only(w, r, "with_counts") {
			guild := map[string]any{"id": GuildID, "name": "Acme"}
			if r.URL.Query().Get("with_counts") == "true" {
				guild["approximate_presence_count"] = 1
				s.Tell(guild, "approximate_member_count")
			}
			send(w, http.StatusOK, guild)
		}
	case r.Method == http.MethodGet && path == "/channels/"+ChannelID:
		if only(w, r) {
			s.describe(w)
		}
	case path == "/channels/"+ChannelID+"/messages" && r.Method == http.MethodGet:
		if only(w, r, "after", "limit") {
			s.list(w, r)
		}
	case path == "/channels/"+ChannelID+"/messages" && r.Method == http.MethodPost:
		if only(w, r) {
			s.create(w, r)
		}
	case named != nil && named[3] == "" && r.Method == http.MethodGet:
		if only(w, r) {
			s.show(w, named[2], BotID)
		}
	case named != nil && named[3] != "" && r.Method == http.MethodPost:
		if only(w, r) {
			s.crosspost(w, r, named[2])
		}
	default:
		Refuse(w, http.StatusNotFound, 0, "404: Not Found")
	}
}

// describe describes the channel. The caller holds the lock.
func (s *Stub) describe(w http.ResponseWriter) {
	if s.Channel == DM {
		send(w, http.StatusOK, map[string]any{"id": ChannelID, "type": DM, "flags": 0, "last_message_id": nil, "recipients": []any{}})
		return
	}
	send(w, http.StatusOK, map[string]any{"id": ChannelID, "type": s.Channel, "flags": 0, "guild_id": GuildID, "name": "news", "position": 1})
}
