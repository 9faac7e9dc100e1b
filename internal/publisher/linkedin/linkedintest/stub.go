// Package linkedintest plays LinkedIn for tests.
package linkedintest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

// Whom and what the stub knows: the operator's client, a member, an organization
// that the member acts for, and which versions are spoken.
const (
	ClientID     = "client-1"
	ClientSecret = "s3cret/+ &=="
	RedirectURL  = "https://missiond.example/callback"
	Person       = "urn:li:person:a-B_9"
	Organization = "urn:li:organization:2414183"
	Version      = "202607"
	Sunset       = "202507" // the last version that has ended
)

// Stub plays LinkedIn. What isn't as documented, it refuses.
type Stub struct {
	publishertest.Files
	publishertest.Followers

	mu      sync.Mutex
	n       int
	access  map[string]bool // whether it is good
	refresh map[string]bool
	codes   map[string]string // redirect URLs
	posts   []*stored
	// Account is that of credentials; "" for the member.
	Account string
	// Analytics reports whether the token has r_member_postAnalytics.
	Analytics bool
	// Listing reports whether the token has r_organization_social.
	Listing bool
	// Lag is how long a list doesn't show a new post.
	Lag time.Duration
	// NoArticles has it refuse cards of links.
	NoArticles bool
	// Now is LinkedIn's clock.
	Now func() time.Time
	// Handle, unless nil, handles a request instead; false declines it.
	Handle func(w http.ResponseWriter, r *http.Request) bool
	// Requests are the requests, oldest first.
	Requests []*http.Request
}

type stored struct {
	publishertest.Post
	author, commentary string
	at                 time.Time
	figures            mission.Metrics
	deleted            bool
	article            Article
}

// Articles returns the cards of the links of the posts, oldest first.
func (s *Stub) Articles() []Article {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Article, len(s.posts))
	for i, p := range s.posts {
		all[i] = p.article
	}
	return all
}

// New returns a LinkedIn without posts.
func New() *Stub {
	return &Stub{access: map[string]bool{}, refresh: map[string]bool{}, codes: map[string]string{}, Analytics: true, Listing: true, Now: time.Now}
}

// twinsKept is how long LinkedIn refuses the text of a post ("Wait 10 minutes for the
// duplicate restriction to expire").
const twinsKept = 10 * time.Minute

func (s *Stub) token(kind string) string {
	s.n++
	return fmt.Sprintf("%s-%d-c2VjcmV0", kind, s.n)
}

// Credentials implements [publishertest.Stub].
func (s *Stub) Credentials(string) mission.Credentials {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := mission.Credentials{AccountID: s.Account, AccessToken: s.token("access"), RefreshToken: s.token("refresh")}
	s.access[c.AccessToken], s.refresh[c.RefreshToken] = true, true
	return c
}

// Expire implements [publishertest.Stub].
func (s *Stub) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.access)
}

// Revoke implements [publishertest.Stub].
func (s *Stub) Revoke() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.access)
	clear(s.refresh)
}

// Publishes implements [publishertest.Stub].
func (s *Stub) Publishes(r *http.Request) bool {
	return r.Method == http.MethodPost && (r.URL.Path == "/rest/posts" || commented.MatchString(r.URL.EscapedPath()))
}

// RateLimited implements [publishertest.Stub].
func (s *Stub) RateLimited(w http.ResponseWriter, _ *http.Request, until time.Time) {
	w.Header().Set("Retry-After", strconv.Itoa(int(until.Sub(s.Now()).Seconds())+1))
	refuse(w, http.StatusTooManyRequests, 101, "Resource level throttle limit for calls to this resource is reached.")
}

// Posts implements [publishertest.Stub].
func (s *Stub) Posts() []publishertest.Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	var posts []publishertest.Post
	for _, p := range s.posts {
		if !p.deleted {
			posts = append(posts, p.Post)
		}
	}
	return posts
}

// React implements [publishertest.Stub].
func (s *Stub) React(id string, figures mission.Metrics) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.find(id); p != nil {
		p.figures = figures
	}
}

// Delete implements [publishertest.Stub].
func (s *Stub) Delete(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.find(id); p != nil {
		p.deleted = true
	}
}

// find returns a post that is there, or nil. The caller holds the lock.
func (s *Stub) find(urn string) *stored {
	i := slices.IndexFunc(s.posts, func(p *stored) bool { return p.ID == urn && !p.deleted })
	if i < 0 {
		return nil
	}
	return s.posts[i]
}

// Seed adds a post with figures, and returns its URN.
func (s *Stub) Seed(figures mission.Metrics) (urn string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &stored{Post: publishertest.Post{ID: s.urn()}, at: s.Now(), figures: figures}
	s.posts = append(s.posts, p)
	return p.ID
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

func refuse(w http.ResponseWriter, status, code int, message string) {
	send(w, status, map[string]any{"status": status, "serviceErrorCode": code, "message": message})
}

// ServeHTTP responds to a request as the platform does.
func (s *Stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Requests = append(s.Requests, r)
	if s.Handle != nil && s.Handle(w, r) {
		return
	}
	if r.URL.Path == "/oauth/v2/accessToken" {
		s.tokens(w, r)
		return
	}
	if strings.HasPrefix(r.URL.Path, videoPath) {
		s.putPiece(w, r) // by its address alone
		return
	}
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); !ok || !s.access[token] {
		refuse(w, http.StatusUnauthorized, 65600, "Invalid access token")
		return
	}
	if strings.HasPrefix(r.URL.Path, "/rest/") && !versioned(w, r) {
		return
	}
	if commented.MatchString(r.URL.EscapedPath()) {
		s.commenting(w, r)
		return
	}
	if s.Uploads(r) {
		s.upload(w, r)
		return
	}
	if strings.HasPrefix(r.URL.Path, networkSizes) {
		s.followers(w, r)
		return
	}
	switch r.Method + " " + r.URL.Path {
	case "GET /v2/userinfo":
		send(w, http.StatusOK, map[string]any{"sub": strings.TrimPrefix(Person, "urn:li:person:"), "name": "Ann Other", "given_name": "Ann", "picture": publishertest.Picture})
	case "POST /rest/posts":
		s.create(w, r)
	case "GET /rest/posts":
		s.list(w, r)
	case "GET /rest/organizationalEntityShareStatistics":
		s.organizationStatistics(w, r)
	case "GET /rest/memberCreatorPostAnalytics":
		s.memberAnalytics(w, r)
	default:
		refuse(w, http.StatusNotFound, 0, "No virtual resource found")
	}
}

func versioned(w http.ResponseWriter, r *http.Request) bool {
	requested := r.Header.Get("LinkedIn-Version")
	switch {
	case !regexp.MustCompile(`^20\d{4}$`).MatchString(requested):
		refuse(w, http.StatusBadRequest, 0, "A version must be present. Please specify a version by adding the LinkedIn-Version header.")
	case requested <= Sunset:
		refuse(w, http.StatusUpgradeRequired, 0, "Requested version "+requested+"01 is not active")
	case r.Header.Get("X-Restli-Protocol-Version") != "2.0.0":
		refuse(w, http.StatusBadRequest, 0, "Invalid query parameters passed to request")
	default:
		return true
	}
	return false
}

// create takes a post. The caller holds the lock.
func (s *Stub) create(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Author       *string `json:"author"`
		Commentary   *string `json:"commentary"`
		Visibility   *string `json:"visibility"`
		Distribution *struct {
			Feed     string    `json:"feedDistribution"`
			Targets  *[]string `json:"targetEntities"`
			Channels *[]string `json:"thirdPartyDistributionChannels"`
		} `json:"distribution"`
		Lifecycle *string  `json:"lifecycleState"`
		Reshares  bool     `json:"isReshareDisabledByAuthor"`
		Content   *content `json:"content"`
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(&body); err != nil || r.Header.Get("Content-Type") != "application/json" || r.URL.RawQuery != "" ||
		body.Author == nil || body.Commentary == nil || body.Visibility == nil || body.Distribution == nil || body.Lifecycle == nil {
		refuse(w, http.StatusUnprocessableEntity, 0, "ERROR :: a required field is missing or an unknown one is there")
		return
	}
	if *body.Visibility != "PUBLIC" || *body.Lifecycle != "PUBLISHED" || body.Distribution.Feed != "MAIN_FEED" || body.Distribution.Targets == nil || body.Distribution.Channels == nil {
		refuse(w, http.StatusUnprocessableEntity, 0, "ERROR :: a field has no value of its own")
		return
	}
	if *body.Author != Person && *body.Author != Organization {
		refuse(w, http.StatusForbidden, 100, "Not enough permissions to act as "+*body.Author)
		return
	}
	if utf8.RuneCountInString(*body.Commentary) > 3000 {
		refuse(w, http.StatusUnprocessableEntity, 0, "ERROR :: /commentary :: the length is more than the maximum of 3000")
		return
	}
	for _, p := range s.posts {
		if !p.deleted && p.author == *body.Author && p.commentary == *body.Commentary && s.Now().Sub(p.at) < twinsKept {
			send(w, http.StatusUnprocessableEntity, map[string]any{
				"errorDetailType": "com.linkedin.common.error.BadRequest", "status": 422,
				"message":      "com.linkedin.content.common.exception.BadRequestResponseException: Content is a duplicate of " + p.ID,
				"errorDetails": map[string]any{"inputErrors": []any{map[string]any{"description": "Duplicate post is detected", "input": map[string]any{}, "code": "DUPLICATE_POST"}}},
			})
			return
		}
	}
	files, ok := s.attachable(w, *body.Author, body.Content)
	if !ok {
		return
	}
	p := &stored{author: *body.Author, commentary: *body.Commentary, at: s.Now(), Post: publishertest.Post{ID: s.urn(), Text: Shown(*body.Commentary)}}
	if body.Content != nil && body.Content.Article != nil {
		p.article = *body.Content.Article
	}
	s.posts = append(s.posts, p)
	s.Attach(p.ID, files...)
	w.Header().Set("x-restli-id", p.ID)
	w.WriteHeader(http.StatusCreated)
}

// urn returns a new post's: LinkedIn gives both kinds. The time is above the lowest 22 bits
// of its number.
func (s *Stub) urn() string {
	s.n++
	return fmt.Sprintf("urn:li:%s:%d", []string{"share", "ugcPost"}[s.n%2], s.Now().UnixMilli()<<22|int64(s.n))
}

// Shown is what readers see of a commentary: at a reserved character that is
// neither escaped nor of a hashtag or an address, it ends.
func Shown(commentary string) string {
	var b strings.Builder
	runes := []rune(commentary)
	word := ""
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case r == '\\' && i+1 < len(runes) && strings.ContainsRune(`\|{}@[]()<>#*_~`, runes[i+1]):
			i++
			r = runes[i]
		case r == '#' && i+1 < len(runes) && (unicode.IsLetter(runes[i+1]) || unicode.IsDigit(runes[i+1])):
		case strings.ContainsRune("@#_~", r) && (strings.Contains(word, "http://") || strings.Contains(word, "https://")):
		case r == '_' && strings.Contains(word, "#"):
		case strings.ContainsRune(`\|{}@[]()<>#*_~`, r):
			return b.String()
		}
		b.WriteRune(r)
		if word += string(r); unicode.IsSpace(r) {
			word = ""
		}
	}
	return b.String()
}

var analytics = regexp.MustCompile(`^q=entity&entity=\((share|ugc):(urn%3Ali%3A(share|ugcPost)%3A\d+)\)&queryType=([A-Z_]+)&aggregation=TOTAL$`)

func (s *Stub) memberAnalytics(w http.ResponseWriter, r *http.Request) {
	requested := analytics.FindStringSubmatch(r.URL.RawQuery)
	kinds := map[string]mission.Metric{
		"IMPRESSION": mission.Impressions, "MEMBERS_REACHED": mission.Reach, "RESHARE": mission.Shares, "REACTION": mission.Likes, "COMMENT": mission.Comments,
	}
	if r.Header.Get("LinkedIn-Version") >= "202604" {
		kinds["LINK_CLICKS"], kinds["FOLLOWER_GAINED_FROM_CONTENT"] = mission.LinkClicks, mission.FollowersGained
	}
	switch {
	case requested == nil || (requested[1] == "share") != (requested[3] == "share") || kinds[requested[4]] == "":
		refuse(w, http.StatusBadRequest, 0, "Invalid query parameters passed to request: "+r.URL.RawQuery)
		return
	case !s.Analytics:
		refuse(w, http.StatusForbidden, 100, "Not enough permissions to access: memberCreatorPostAnalytics.FINDER-entity")
		return
	}
	urn, _ := url.QueryUnescape(requested[2])
	p := s.find(urn)
	if p == nil {
		refuse(w, http.StatusNotFound, 0, "Could not find "+urn)
		return
	}
	send(w, http.StatusOK, map[string]any{"elements": []any{map[string]any{"count": p.figures[kinds[requested[4]]], "metricType": requested[4], "targetEntity": map[string]string{requested[1]: urn}}}})
}
