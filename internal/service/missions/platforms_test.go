package missions_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/database"
	"missiond/internal/outbound"
	"missiond/internal/publisher"
	"missiond/internal/publisher/bluesky"
	"missiond/internal/publisher/bluesky/blueskytest"
	"missiond/internal/publisher/discord"
	"missiond/internal/publisher/discord/discordtest"
	"missiond/internal/publisher/facebook"
	"missiond/internal/publisher/facebook/facebooktest"
	"missiond/internal/publisher/ghost"
	"missiond/internal/publisher/ghost/ghosttest"
	"missiond/internal/publisher/instagram"
	"missiond/internal/publisher/instagram/instagramtest"
	"missiond/internal/publisher/linkcard"
	"missiond/internal/publisher/linkedin"
	"missiond/internal/publisher/linkedin/linkedintest"
	"missiond/internal/publisher/mastodon"
	"missiond/internal/publisher/mastodon/mastodontest"
	"missiond/internal/publisher/publishertest"
	"missiond/internal/publisher/router"
	"missiond/internal/publisher/telegram"
	"missiond/internal/publisher/telegram/telegramtest"
	"missiond/internal/publisher/threads"
	"missiond/internal/publisher/threads/threadstest"
	"missiond/internal/publisher/wordpress"
	"missiond/internal/publisher/wordpress/wordpresstest"
	"missiond/internal/publisher/x"
	"missiond/internal/publisher/x/xtest"
	"missiond/internal/seal"
	"missiond/internal/service/integrations"
	"missiond/internal/service/media"
	"missiond/internal/testkit"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

var (
	crashRuns = flag.Int("crash.runs", 0, "how many missions TestPlatformCrashes tries on each platform; 0 is for it to choose")
	crashSeed = flag.Uint64("crash.seed", 0, "the one mission that TestPlatformCrashes tries on each platform, as its failure names it; 0 is any")
)

// playedPlatform is a platform that a stub simulates, and its adapter.
type playedPlatform struct {
	name    mission.Platform
	stub    func(t *testing.T, now func() time.Time) publishertest.Stub
	adapter func(address string, c publisher.Client) publisher.Adapter
	input   func(c mission.Credentials) mission.ConnectInput
	// renews reports whether a request renews credentials; nil if none does.
	renews func(r *http.Request) bool
	// uploads reports whether a request uploads the picture of a link's card; nil if none does.
	uploads func(r *http.Request) bool
	// videosUndescribed reports whether videos have no alt text there.
	videosUndescribed bool
	// shown returns what readers of a site of articles see of a text, where it isn't the text itself; its
	// articles' addresses don't have their ids. It is nil elsewhere.
	shown func(text string) string
	// parts is the maximum number of parts of its threads.
	parts int
	// as is the kind of account or server, or "".
	as string
}

// cards reads the cards of links to this machine.
var cards = linkcard.NewReader(outbound.Rules{Local: true})

func byToken(c mission.Credentials) mission.ConnectInput {
	in := mission.ConnectInput{AccessToken: &c.AccessToken}
	if c.RefreshToken != "" {
		in.RefreshToken = &c.RefreshToken
	}
	if c.Server != "" {
		in.Server = &c.Server
	}
	return in
}

var playedPlatforms = []playedPlatform{
	{
		name: mission.Mastodon, parts: 3, input: byToken,
		stub: func(t *testing.T, now func() time.Time) publishertest.Stub {
			s := mastodontest.New(t)
			s.Now = now
			return s
		},
		adapter: func(_ string, c publisher.Client) publisher.Adapter { return mastodon.New(c, mastodon.Options{}) },
	},
	{
		name: mission.Mastodon, as: "without keys", parts: 3, input: byToken,
		stub: func(t *testing.T, now func() time.Time) publishertest.Stub {
			s := mastodontest.New(t)
			s.Now, s.Keyless = now, true
			return s
		},
		adapter: func(_ string, c publisher.Client) publisher.Adapter { return mastodon.New(c, mastodon.Options{}) },
	},
	{
		name: mission.Bluesky, parts: 3,
		input: func(c mission.Credentials) mission.ConnectInput {
			return mission.ConnectInput{Server: &c.Server, Identifier: &c.Identifier, AppPassword: &c.Password}
		},
		stub: func(t *testing.T, now func() time.Time) publishertest.Stub {
			s := blueskytest.New(t)
			s.Now = now
			return s
		},
		adapter: func(address string, c publisher.Client) publisher.Adapter {
			return bluesky.New(c, cards).WithVideoService(address)
		},
		renews:  func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "Session") },
		uploads: func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "uploadBlob") },
	},
	{
		name: mission.Twitter, parts: 3, input: byToken,
		stub: func(_ *testing.T, now func() time.Time) publishertest.Stub {
			s := xtest.New()
			s.Now = now
			return s
		},
		adapter: func(address string, c publisher.Client) publisher.Adapter {
			return x.New(c, x.Options{BaseURL: address, ClientID: xtest.ClientID, ClientSecret: xtest.ClientSecret})
		},
		renews: func(r *http.Request) bool { return r.URL.Path == "/2/oauth2/token" },
	},
	{
		name: mission.LinkedIn, parts: 1, input: byToken,
		stub: func(_ *testing.T, now func() time.Time) publishertest.Stub {
			s := linkedintest.New()
			s.Now = now
			return s
		},
		adapter: func(address string, c publisher.Client) publisher.Adapter {
			return linkedin.New(c, linkedin.Options{
				BaseURL: address, AuthURL: address + "/oauth/v2", Version: linkedintest.Version,
				ClientID: linkedintest.ClientID, ClientSecret: linkedintest.ClientSecret, Cards: cards,
			})
		},
		renews: func(r *http.Request) bool { return r.URL.Path == "/oauth/v2/accessToken" },
	},
	{
		name: mission.LinkedIn, as: "organisations", parts: 1, input: func(c mission.Credentials) mission.ConnectInput {
			in := byToken(c)
			in.Account = &c.AccountID
			return in
		},
		stub: func(_ *testing.T, now func() time.Time) publishertest.Stub {
			s := linkedintest.New()
			s.Now, s.Account = now, linkedintest.Organization
			return s
		},
		adapter: func(address string, c publisher.Client) publisher.Adapter {
			return linkedin.New(c, linkedin.Options{
				BaseURL: address, AuthURL: address + "/oauth/v2", Version: linkedintest.Version,
				ClientID: linkedintest.ClientID, ClientSecret: linkedintest.ClientSecret,
			})
		},
		renews: func(r *http.Request) bool { return r.URL.Path == "/oauth/v2/accessToken" },
	},
	{
		name: mission.WordPress, parts: 1, shown: publishertest.ArticleText,
		input: func(c mission.Credentials) mission.ConnectInput {
			return mission.ConnectInput{Server: &c.Server, Identifier: &c.Identifier, AppPassword: &c.Password}
		},
		stub: func(t *testing.T, now func() time.Time) publishertest.Stub {
			s := wordpresstest.New(t)
			s.Now = now
			return s
		},
		adapter: func(_ string, c publisher.Client) publisher.Adapter { return wordpress.New(c) },
	},
	{
		name: mission.Ghost, parts: 1, shown: publishertest.ArticleText, input: byToken,
		stub: func(t *testing.T, now func() time.Time) publishertest.Stub {
			s := ghosttest.New(t)
			s.Now = now
			return s
		},
		adapter: func(_ string, c publisher.Client) publisher.Adapter { return ghost.New(c) },
	},
	{
		name: mission.Instagram, parts: 1, videosUndescribed: true, input: byToken,
		stub: func(_ *testing.T, now func() time.Time) publishertest.Stub {
			s := instagramtest.New()
			s.Now = now
			return s
		},
		adapter: func(address string, c publisher.Client) publisher.Adapter {
			return instagram.New(c, instagram.Options{BaseURL: address})
		},
		uploads: func(r *http.Request) bool {
			return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/media")
		},
	},
	{
		name: mission.Threads, parts: 3, input: byToken,
		stub: func(_ *testing.T, now func() time.Time) publishertest.Stub {
			s := threadstest.New()
			s.Now = now
			return s
		},
		adapter: func(address string, c publisher.Client) publisher.Adapter {
			return threads.New(c, threads.Options{BaseURL: address})
		},
		uploads: func(r *http.Request) bool {
			return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/threads")
		},
	},
	{
		name: mission.Facebook, parts: 1, videosUndescribed: true, input: byToken,
		stub: func(_ *testing.T, now func() time.Time) publishertest.Stub {
			s := facebooktest.New()
			s.Now = now
			return s
		},
		adapter: func(address string, c publisher.Client) publisher.Adapter {
			return facebook.New(c, facebook.Options{BaseURL: address})
		},
	},
	{
		name: mission.Telegram, parts: 3, input: func(c mission.Credentials) mission.ConnectInput {
			return mission.ConnectInput{AccessToken: &c.AccessToken, Account: &c.AccountID}
		},
		stub: func(_ *testing.T, now func() time.Time) publishertest.Stub {
			s := telegramtest.New()
			s.Now = now
			return s
		},
		adapter: func(address string, c publisher.Client) publisher.Adapter {
			return telegram.New(c, telegram.Options{BaseURL: address})
		},
	},
	onDiscord("", func(*discordtest.Stub) {}),
	onDiscord("announcements", func(s *discordtest.Stub) { s.Channel = discordtest.Announcement }),
	onDiscord("webhooks", func(s *discordtest.Stub) { s.Webhook = true }),
}

// onDiscord is Discord with a kind of account.
func onDiscord(as string, set func(s *discordtest.Stub)) playedPlatform {
	return playedPlatform{
		name: mission.Discord, as: as, parts: 1,
		input: func(c mission.Credentials) mission.ConnectInput {
			in := byToken(c)
			if c.AccountID != "" {
				in.Account = &c.AccountID
			}
			return in
		},
		stub: func(_ *testing.T, now func() time.Time) publishertest.Stub {
			s := discordtest.New()
			s.Now = now
			set(s)
			return s
		},
		adapter: func(address string, c publisher.Client) publisher.Adapter {
			return discord.New(c, discord.Options{BaseURL: address + discordtest.Prefix, Website: "https://missiond.example"})
		},
	}
}

// sampled reports whether the gate has the platform's matrices of crashes and faults, of which it has one of each way to
// publish: files before the post, in containers, and with the post. The others are for the full suite.
func (p playedPlatform) sampled() bool {
	return p.as == "" && slices.Contains([]mission.Platform{mission.Mastodon, mission.Instagram, mission.Telegram}, p.name)
}

// Whatever ends a process or a connection before, in or after a platform's call, no
// text is published twice, and no post is stuck: it is published, complete, or has an
// error with the reason. That holds too between the upload of a picture and its post.
// Where a mission has two accounts, each has its own posts and
// measures no others, also if both have the same text, and what befalls one doesn't delay
// the other's posts.
func TestPlatformCrashes(t *testing.T) {
	testkit.SkipIfShort(t)
	runs := testkit.Size(3, 4, 50, 500)
	if *crashRuns > 0 {
		runs = *crashRuns
	}
	for _, p := range playedPlatforms {
		t.Run(strings.TrimSpace(string(p.name)+" "+p.as), func(t *testing.T) {
			t.Parallel()
			s := newStage(t, p)
			first := testkit.Seed(t)
			if *crashSeed != 0 {
				first, runs = *crashSeed, 1
			}
			start := time.Now()
			for i := range uint64(runs) {
				s.try(first + i)
				if t.Failed() {
					t.Fatalf("the seed is %d: -run %s -crash.seed %[1]d", first+i, t.Name())
				}
			}
			t.Logf("%d missions in %s, %d of them without a fault; outcomes of their posts: %v", runs, time.Since(start).Round(time.Millisecond), s.spared, s.ends)
			names := slices.Sorted(maps.Keys(s.befallen))
			for _, name := range names {
				t.Logf("%6d  %s", s.befallen[name], name)
			}
			if p.uploads != nil && runs > 20 && !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, string(uploads)) }) {
				t.Error("no upload had a fault")
			}
		})
	}
}

// fault is the fault of one request.
type fault string

const (
	crashBefore fault = "the process ends before the request"
	crashTaken  fault = "the process ends before the response"
	crashRead   fault = "the process ends before the response is stored"
	cutBefore   fault = "the connection is lost, nothing taken"
	cutTaken    fault = "the connection is lost after the request was taken"
	silent      fault = "no response, not accepted"
	silentTaken fault = "no response, but the request was accepted"
	garbled     fault = "a malformed response to an accepted request"
	limited     fault = "429"
	busy        fault = "503, nothing taken"
	busyTaken   fault = "503, but the request was taken"
	expired     fault = "the access token has expired"
	revoked     fault = "the credentials are revoked"

	crashStatement = "the process ends at a statement"
	limitedToday   = fault("429 for a day")
)

var faults = []fault{
	crashBefore, crashTaken, crashRead, cutBefore, cutTaken, silent, silentTaken, garbled, limited, busy, busyTaken, expired, revoked,
}

// doubtful are faults after which it is unknown whether a request was accepted.
var doubtful = []fault{crashBefore, crashTaken, crashRead, cutBefore, cutTaken, silent, silentTaken, garbled, busy, busyTaken}

// renewing are the faults that a request for new credentials can have.
var renewing = []fault{crashBefore, crashTaken, crashRead, cutBefore, cutTaken, silent, silentTaken, garbled, limited, busy, busyTaken}

// kind is a kind of request.
type kind string

const (
	publishes kind = "publish"
	renews    kind = "renew"
	uploads   kind = "upload"
	anything  kind = "call"
)

// strike is a fault of the n-th request of a kind, from 1, after the strike before
// it.
type strike struct {
	blow fault
	on   kind
	n    int
}

// trial is the scenario of one mission.
type trial struct {
	seed    uint64
	rng     *rand.Rand
	parts   []int // of each post
	strikes []strike
	// statement is the number of the statement before which the process ends, from 1; 0 is none.
	statement int64
	// lag is how many reads of X's timeline miss a new post.
	lag   int
	cents int64
	// after is the operation on the mission after the first strike, or the second if
	// late: "", "pause" or "complete". pause is the duration of the pause.
	after string
	late  bool
	pause time.Duration
	// reconnect is how long the tenant takes to connect the platform again.
	reconnect time.Duration
	// measured reports whether the trial runs until the posts' last measurements.
	measured bool
	// accounts is how many accounts of the platform the mission posts to: 1 or 2.
	accounts int
	// twins reports whether both accounts' posts have the same texts.
	twins bool
	// linked reports whether the posts have a link.
	linked bool
}

// plan generates a trial.
func (p playedPlatform) plan(seed uint64) trial {
	rng := rand.New(rand.NewPCG(seed, 1))
	r := trial{seed: seed, rng: rng, cents: 100}
	total := 0
	for range 1 + rng.IntN(2) {
		n := 1
		if rng.IntN(2) == 0 {
			n += rng.IntN(p.parts)
		}
		r.parts, total = append(r.parts, n), total+n
	}
	pick := func(from []fault) fault { return from[rng.IntN(len(from))] }
	at := 1 + rng.IntN(total)
	switch n := rng.IntN(100); {
	case n < 15:
		r.statement = 1 + rng.Int64N(160)
	case n < 60:
		r.strikes = []strike{{pick(faults), publishes, at}}
	case n < 80:
		r.strikes = []strike{{pick(doubtful), publishes, at}, {pick(faults), anything, 1 + rng.IntN(3)}}
	case p.renews != nil:
		r.strikes = []strike{{expired, publishes, at}, {pick(renewing), renews, 1}}
	default:
		r.strikes = []strike{{revoked, publishes, at}}
	}
	if p.name == mission.Twitter {
		if rng.IntN(3) == 0 {
			r.lag = 1 + rng.IntN(6)
		}
		if rng.IntN(6) == 0 {
			r.cents = 5 + rng.Int64N(20)
		}
	}
	switch n := rng.IntN(10); {
	case n < 2:
		r.after, r.pause = "pause", time.Duration(rng.IntN(180))*time.Minute
	case n < 4:
		r.after = "complete"
	}
	r.late = len(r.strikes) == 2 && rng.IntN(2) == 0
	if rng.IntN(2) == 0 {
		r.reconnect = time.Duration(rng.IntN(300)) * time.Minute
	}
	r.measured = rng.IntN(16) == 0
	r.accounts = 1 + rng.IntN(2)
	if r.accounts > len(r.parts) {
		r.parts = append(r.parts, 1)
	}
	if r.twins = r.accounts > 1 && rng.IntN(2) == 0; r.twins {
		r.parts[1] = r.parts[0]
	}
	if p.uploads != nil && rng.IntN(2) == 0 {
		r.linked = true
		r.strikes = []strike{{pick(faults), uploads, 1 + rng.IntN(len(r.parts))}}
		if rng.IntN(2) == 0 {
			r.strikes = append(r.strikes, strike{pick(doubtful), publishes, 1})
		}
	}
	return r
}

func (r trial) String() string {
	return fmt.Sprintf("parts %v (linked %t), %d accounts (twins %t), strikes %v, statement %d, lag %d, %d cents, then %q (late %t) for %s, reconnected after %s",
		r.parts, r.linked, r.accounts, r.twins, r.strikes, r.statement, r.lag, r.cents, r.after, r.late, r.pause, r.reconnect)
}

// stage is the environment of one platform's trials: a database and a server that
// all of them share. It is the transport of the adapter's client.
type stage struct {
	t      *testing.T
	p      playedPlatform
	db     *store.DB
	faults *database.Faults
	keys   *seal.Keyring
	// servers have an account each.
	servers [2]*httptest.Server
	// site has a page with a picture.
	site   *httptest.Server
	client publisher.Client
	wire   *http.Transport

	w *world.World
	// connecting is the account that the tenant connects.
	connecting int
	// ids are the accounts' integrations.
	ids      []string
	trial    trial
	vault    *integrations.Service
	befallen map[string]int
	ends     map[string]int // outcomes of posts, by state or error code
	spared   int
	// answering is the reply that is being answered, or "".
	answering string

	mu      sync.Mutex
	stubs   []publishertest.Stub // of the accounts
	hit     map[string]bool      // the integrations' ids whose calls had faults
	via     string               // the integration's id of the call under way
	calling bool                 // Publish or Find is under way
	giveUp  func()
	seen    int // requests of the next strike's kind
	struck  int // strikes so far
	next    fault
	broken  bool // the process ends once the call is over
}

func newStage(t *testing.T, p playedPlatform) *stage {
	t.Helper()
	s := &stage{t: t, p: p, faults: &database.Faults{}, befallen: map[string]int{}, ends: map[string]int{}}
	s.db = testkit.SQLite(t, store.Options{Timing: world.Timing, Database: database.Options{Faults: s.faults}})
	var err error
	if s.keys, err = seal.Parse(seal.NewKey()); err != nil {
		t.Fatal(err)
	}
	s.wire = &http.Transport{}
	for n := range s.servers {
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(n, w, r) }))
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		server.Start()
		s.servers[n] = server
	}
	s.site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/v1/content/") { // a post's file
			w.Header().Set("Content-Type", mission.TypeJPEG)
			_, _ = io.WriteString(w, "a picture")
			return
		}
		if r.URL.Path == "/a.png" {
			_, _ = io.WriteString(w, "\x89PNG\r\n\x1a\n"+strings.Repeat("\x00", 92))
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<title>Less is more</title><meta property="og:image" content="/a.png">`)
	}))
	t.Cleanup(func() {
		cards.Close()
		s.site.Close()
		s.wire.CloseIdleConnections()
		for _, server := range s.servers {
			server.Close()
		}
	})
	s.client = publisher.NewClient(&http.Client{Transport: s}, func() time.Time { return s.w.Clock.Now() })
	return s
}

// RoundTrip sends a request, or not: a process that ends in a call ends here.
func (s *stage) RoundTrip(r *http.Request) (*http.Response, error) {
	b := s.strikes(r)
	if b == crashBefore {
		s.w.Crash()
	}
	resp, err := s.wire.RoundTrip(r)
	if b == crashTaken {
		if err == nil {
			_ = resp.Body.Close()
		}
		s.w.Crash()
	}
	return resp, err
}

// strikes returns the fault of a request, and counts the request.
func (s *stage) strikes(r *http.Request) fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.calling || s.struck == len(s.trial.strikes) {
		return ""
	}
	next, stub := s.trial.strikes[s.struck], s.stubOf(r)
	if next.on == publishes && !stub.Publishes(r) || next.on == renews && !s.p.renews(r) || next.on == uploads && !s.p.uploads(r) {
		return ""
	}
	if s.seen++; s.seen < next.n {
		return ""
	}
	s.seen, s.struck, s.hit[s.via] = 0, s.struck+1, true
	on := string(next.on)
	if next.on == anything && stub.Publishes(r) {
		on = string(publishes)
	}
	s.befallen[on+": "+string(next.blow)]++
	switch next.blow {
	case crashRead:
		s.broken = true
	case expired:
		stub.Expire()
	case revoked:
		stub.Revoke()
	default:
		s.next = next.blow
	}
	return next.blow
}

// stubOf returns the stub that a request is sent to.
func (s *stage) stubOf(r *http.Request) publishertest.Stub {
	n := slices.IndexFunc(s.servers[:], func(server *httptest.Server) bool { return strings.HasSuffix(server.URL, "//"+r.URL.Host) })
	return s.stubs[n]
}

// serve handles a request to the server of an account.
func (s *stage) serve(account int, w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	b, stub, giveUp := s.next, s.stubs[account], s.giveUp
	s.next = ""
	now := s.w.Clock.Now()
	s.mu.Unlock()
	switch b {
	case limited:
		stub.RateLimited(w, r, now.Add(7*time.Minute))
		return
	case limitedToday:
		stub.RateLimited(w, r, now.Add(24*time.Hour))
		return
	case busy:
		http.Error(w, "<html>busy</html>", http.StatusServiceUnavailable)
		return
	case cutBefore:
		panic(http.ErrAbortHandler)
	case silent:
		_, _ = io.Copy(io.Discard, r.Body)
		giveUp()
		<-r.Context().Done()
		return
	case cutTaken, silentTaken, garbled, busyTaken:
		stub.ServeHTTP(httptest.NewRecorder(), r)
	default:
		stub.ServeHTTP(w, r)
		return
	}
	switch b {
	case silentTaken:
		_, _ = io.Copy(io.Discard, r.Body) // or the server doesn't notice that the client has left
		giveUp()
		<-r.Context().Done()
	case garbled:
		_, _ = io.WriteString(w, "<!doctype html><p>Welcome!")
	case busyTaken:
		http.Error(w, "<html>busy</html>", http.StatusServiceUnavailable)
	default:
		panic(http.ErrAbortHandler)
	}
}

// struckPublisher is a process's publisher, whose calls end with the process.
type struckPublisher struct {
	world.Publisher

	s *stage
}

// call makes a call of the publisher. A call of a platform that doesn't respond fails
// at once, without the time-out, whose deadline isn't on the adapters' clock.
func (p struckPublisher) call(ctx context.Context, via *mission.Integration, do func(ctx context.Context)) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	p.s.mu.Lock()
	p.s.calling, p.s.giveUp, p.s.via = true, cancel, via.ID
	p.s.mu.Unlock()
	broken := false
	func() {
		defer func() {
			p.s.mu.Lock()
			defer p.s.mu.Unlock()
			broken, p.s.broken, p.s.calling = p.s.broken, false, false
		}()
		do(ctx)
	}()
	if broken {
		p.s.w.Crash()
	}
}

func (p struckPublisher) Publish(ctx context.Context, via *mission.Integration, part mission.Part) (got mission.Publication, err error) {
	p.call(ctx, via, func(ctx context.Context) { got, err = p.Publisher.Publish(ctx, via, part) })
	return got, err
}

func (p struckPublisher) Prepare(ctx context.Context, via *mission.Integration, part mission.Part, u mission.Upload) (next mission.Upload, err error) {
	p.call(ctx, via, func(ctx context.Context) { next, err = p.Publisher.Prepare(ctx, via, part, u) })
	return next, err
}

func (p struckPublisher) Find(ctx context.Context, via *mission.Integration, part mission.Part) (got mission.Publication, ok bool, err error) {
	p.call(ctx, via, func(ctx context.Context) { got, ok, err = p.Publisher.Find(ctx, via, part) })
	return got, ok, err
}

func (p struckPublisher) Measure(ctx context.Context, via *mission.Integration, posts []mission.Content) (map[string]mission.Metrics, error) {
	for _, c := range posts {
		if c.IntegrationID != via.ID {
			p.s.t.Errorf("%s, published through %s, is measured through %s", c.ID, c.IntegrationID, via.ID)
		}
	}
	return p.Publisher.Measure(ctx, via, posts)
}

// severalServers are the adapters of accounts that have a server each, by its address.
type severalServers struct {
	adapters map[string]publisher.Adapter
	// connecting returns the server of the account that is being connected.
	connecting func() string
}

func (a severalServers) Connect(ctx context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	server := a.connecting()
	account, c, err := a.adapters[server].Connect(ctx, c)
	account.ID += " at " + server
	c.Server = server
	return account, c, err
}

func (a severalServers) Refresh(ctx context.Context, c mission.Credentials) (mission.Credentials, error) {
	renewed, err := a.adapters[c.Server].Refresh(ctx, c)
	renewed.Server = c.Server
	return renewed, err
}

func (a severalServers) Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	return a.adapters[c.Server].Publish(ctx, c, p)
}

func (a severalServers) Upload(ctx context.Context, c mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	return a.adapters[c.Server].(publisher.Uploader).Upload(ctx, c, f, u)
}

func (a severalServers) Prepare(ctx context.Context, c mission.Credentials, p mission.Part, u mission.Upload) (mission.Upload, error) {
	return a.adapters[c.Server].(publisher.Preparer).Prepare(ctx, c, p, u)
}

func (a severalServers) Find(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
	return a.adapters[c.Server].Find(ctx, c, p)
}

func (a severalServers) Measure(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string]mission.Metrics, error) {
	return a.adapters[c.Server].Measure(ctx, c, posts)
}

func (a severalServers) Replies(ctx context.Context, c mission.Credentials, q mission.ReplyQuery) (mission.ReplyPage, error) {
	return a.adapters[c.Server].(publisher.Replier).Replies(ctx, c, q)
}

// numbered writes posts of a given number of parts each, all different.
type numbered struct {
	world.PlainWriter

	trial trial
	site  string
}

func (n numbered) Write(_ context.Context, a mission.Assignment) (mission.Draft, error) {
	var parts []string
	number := a.Slot.Position
	if n.trial.twins {
		number = 0
	}
	for i := range n.trial.parts[number] {
		text := fmt.Sprintf("Number %d, part %d of %x: less & <more>, naïve #%s%s", number, i, n.trial.seed, "go", world.Words(uint64(number*10+i)))
		if n.trial.linked {
			text += " " + n.site + "/page"
		}
		parts = append(parts, text)
	}
	if len(parts) == 1 {
		caps, _ := mission.CapabilitiesOf(a.Slot.Platform)
		return mission.Draft{Format: caps.Single(), Text: parts[0]}, nil
	}
	return mission.Draft{Format: mission.FormatThread, Text: strings.Join(parts, "\n\n"), Parts: parts}, nil
}

// try runs the trial of a seed.
func (s *stage) try(seed uint64) {
	s.t.Helper()
	s.set(s.p.plan(seed))
	one, posts := 1, len(s.trial.parts)
	m := s.w.Create(func(in *mission.CreateInput) {
		in.Platforms, in.DurationDays, in.Constraints.PostsPerDay = []mission.Platform{s.p.name}, &one, &posts
		in.MediaIDs = s.pictures()
		if s.trial.accounts > 1 {
			in.IntegrationIDs, in.Constraints.PostingTimes = s.ids, []string{"12:00", "12:02"} // while the other's fault lasts
		}
		if s.p.name == mission.Twitter {
			in.Constraints.BudgetCents = &s.trial.cents
		}
	})
	befell := s.live(m.ID)
	if !befell {
		s.spared++
	}
	s.audit(m.ID)
	if s.t.Failed() {
		s.t.Log(s.trial)
		return
	}
	s.w.Must(s.w.Missions.DeleteMission(context.Background(), s.w.Tenant, m.ID))
	if _, waits, err := s.db.NextDispatch(context.Background()); waits || err != nil {
		s.t.Errorf("tasks are left (%v)", err)
	}
}

// pictures adds pictures for the mission's posts, if its platform takes none without, and returns their
// ids.
func (s *stage) pictures() []string {
	s.t.Helper()
	if caps, _ := mission.CapabilitiesOf(s.p.name); !caps.Media.Required {
		return nil
	}
	s.w.Parts.Media = media.New(s.db, media.Options{Clock: s.w.Clock, Real: s.w.Clock, Secrets: s.keys, PublicURL: s.site.URL})
	var ids []string
	for n := range 4 { // none is used twice within days
		ids = append(ids, addPicture(s.w, fmt.Sprintf("Bicycle %d", n)).ID)
	}
	s.w.Must(s.db.Tx(context.Background(), func(tx store.Tx) error { // which nothing is left to be done for
		return tx.DropSubjects(context.Background(), "", mission.TaskMedia, ids...)
	}))
	return ids
}

// set creates a new world for a trial: a tenant whose platform is connected, on a
// platform without posts.
func (s *stage) set(r trial) {
	s.t.Helper()
	w := world.New(s.t, s.db)
	w.WithoutSandbox()
	w.Writer = numbered{trial: r, site: s.site.URL}
	w.Must(s.db.Tx(context.Background(), func(tx store.Tx) error { // its posts link there
		t, err := tx.LockTenant(context.Background(), w.Tenant.TenantID)
		if err != nil {
			return err
		}
		t.Brand.Website = s.site.URL
		return tx.SetTenant(context.Background(), t, tx.AuditEntry(w.Tenant, mission.AuditTenantUpdated, t.ID, nil, w.Clock.Now()))
	}))
	s.mu.Lock()
	s.w, s.trial = w, r
	s.stubs, s.ids, s.hit, s.seen, s.struck, s.next, s.broken = nil, nil, map[string]bool{}, 0, 0, "", false
	several := severalServers{adapters: map[string]publisher.Adapter{}, connecting: func() string { return s.servers[s.connecting].URL }}
	for n := range r.accounts {
		stub := s.p.stub(s.t, w.Clock.Now)
		if onX, ok := stub.(*xtest.Stub); ok {
			onX.Lag = r.lag
		}
		s.stubs = append(s.stubs, stub)
		several.adapters[s.servers[n].URL] = s.p.adapter(s.servers[n].URL, s.client)
	}
	s.mu.Unlock()
	adapters := map[mission.Platform]publisher.Adapter{s.p.name: several}
	s.vault = integrations.New(s.db, integrations.Options{
		Clock: w.Clock, Real: w.Clock, Secrets: s.keys, Rules: outbound.Rules{Local: true}, Adapters: adapters,
	})
	w.Parts.Publisher = struckPublisher{router.New(s.vault, adapters, nil, slog.New(slog.DiscardHandler)), s}
	for n := range s.stubs {
		s.ids = append(s.ids, s.connect(n))
	}
}

// connect connects an account for the tenant, and returns its integration's id.
func (s *stage) connect(account int) string {
	s.t.Helper()
	s.connecting = account
	in := s.p.input(s.stubs[account].Credentials(s.servers[account].URL))
	in.Platform = s.p.name
	got, err := s.vault.Connect(context.Background(), s.w.Tenant, in)
	s.w.Must(err)
	return got.Integration.ID
}

// live runs until no task is left, and reports whether a strike concerned the
// mission. After a crash the process starts again; the tenant connects the platform
// again if necessary, and pauses or completes the mission.
func (s *stage) live(id string) (befell bool) {
	s.t.Helper()
	var resume, reconnect time.Time
	tended := false
	left := s.trial.statement
	w := s.w
	for range 10_000 {
		for tasks := w.Due(); len(tasks) > 0; tasks = w.Due() {
			for _, t := range tasks {
				crashed := s.crashes(t, &left)
				fell := s.fell()
				befell = befell || crashed || fell > 0
				if !tended && befell && (!s.trial.late || fell == 2) {
					tended = true
					resume = s.afterwards(id)
				}
				if crashed {
					w.ExpireLeases()
					s.faults.Later(time.Minute) // the lease of a renewal expires, too
					break
				}
			}
		}
		next, ok, err := w.DB.NextDispatch(context.Background())
		w.Must(err)
		now := w.Clock.Now()
		switch {
		case s.tend(id, &resume, &reconnect), ok && !next.After(now):
		case !resume.IsZero() && (!ok || resume.Before(next)):
			w.Clock.Advance(resume.Sub(now))
		case !reconnect.IsZero() && (!ok || reconnect.Before(next)):
			w.Clock.Advance(reconnect.Sub(now))
		case !ok, !s.trial.measured && s.settled(id):
			return befell
		default:
			w.Clock.Advance(next.Sub(now))
		}
	}
	s.t.Errorf("the mission never ends")
	return befell
}

// settled reports whether the mission's posts are final. It ends the mission if it
// hasn't ended.
func (s *stage) settled(id string) bool {
	s.t.Helper()
	posts, m := s.contents(id), s.w.Mission(id)
	if m.Status == mission.StatusPaused || m.Status == mission.StatusActive && len(posts) < len(s.trial.parts) ||
		slices.ContainsFunc(posts, func(c mission.Content) bool { return !c.Settled() }) ||
		s.answering != "" && !reply(s.w, s.answering).Answer.Settled() {
		return false
	}
	if m.Status == mission.StatusActive {
		_, err := s.w.Missions.CompleteMission(context.Background(), s.w.Tenant, id)
		s.w.Must(err)
	}
	return true
}

func (s *stage) contents(id string) []mission.Content {
	s.t.Helper()
	part, err := s.db.Contents(context.Background(), s.w.Tenant.TenantID, store.ContentFilter{MissionID: id}, store.Page{Limit: 100})
	s.w.Must(err)
	return part.List
}

// fell returns the number of strikes so far.
func (s *stage) fell() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.struck
}

// crashes runs a task, and reports whether the process ended in it; left is the
// number of statements until the process ends.
func (s *stage) crashes(t mission.Task, left *int64) (crashed bool) {
	before := s.faults.Statements()
	// Measuring has goroutines of its own, which aren't the process.
	counts := *left > 0 && t.Type != mission.TaskMissionMeasure && t.Type != mission.TaskStageAnalytics
	if counts {
		s.faults.Arm(*left, func() {
			s.befallen[crashStatement]++
			s.w.Crash()
		})
	}
	crashed = s.w.Crashes(func() { s.w.Run(t.ID) })
	s.faults.Disarm()
	if counts {
		*left -= s.faults.Statements() - before
	}
	return crashed
}

// afterwards does the tenant's operation on the mission after the first strike; it
// returns when a pause is to end.
func (s *stage) afterwards(id string) (resume time.Time) {
	s.t.Helper()
	change, want := s.w.Missions.PauseMission, mission.StatusPaused
	switch s.trial.after {
	case "":
		return resume
	case "complete":
		change, want = s.w.Missions.CompleteMission, mission.StatusCompleted
	default:
		resume = s.w.Clock.Now().Add(s.trial.pause + time.Minute)
	}
	for wait := 20 * time.Millisecond; s.w.Mission(id).Status == mission.StatusActive; wait *= 2 {
		// It would wait for a process that has ended.
		ctx, cancel := context.WithTimeout(context.Background(), wait)
		_, err := change(ctx, s.w.Tenant, id)
		cancel()
		if code := mission.CodeOf(err); err != nil && code != mission.CodeServiceUnavailable && !errors.Is(err, context.DeadlineExceeded) {
			s.t.Fatal(err)
		}
	}
	if s.w.Mission(id).Status != want {
		return time.Time{} // the mission had ended
	}
	return resume
}

// tend resumes the mission and connects an account again, each at its time, and
// reports whether it did so.
func (s *stage) tend(id string, resume, reconnect *time.Time) (did bool) {
	s.t.Helper()
	now := s.w.Clock.Now()
	if !resume.IsZero() && !resume.After(now) {
		*resume = time.Time{}
		_, err := s.w.Missions.ResumeMission(context.Background(), s.w.Tenant, id)
		s.w.Must(err)
		did = true
	}
	if s.fell() == 0 {
		return did
	}
	part, err := s.vault.Integrations(context.Background(), s.w.Tenant, store.Page{Limit: 10})
	s.w.Must(err)
	if len(part.List) != len(s.ids) {
		s.t.Fatalf("got the tenant's integrations %+v", part.List)
	}
	needing := slices.IndexFunc(part.List, func(i mission.Integration) bool { return i.Status != mission.IntegrationConnected })
	switch {
	case needing < 0:
		*reconnect = time.Time{}
	case reconnect.IsZero():
		*reconnect = now.Add(s.trial.reconnect)
	}
	if !reconnect.IsZero() && !reconnect.After(now) {
		*reconnect = time.Time{}
		id := part.List[needing].ID
		if got := s.connect(slices.Index(s.ids, id)); got != id {
			s.t.Errorf("connected again, %s became %s", id, got)
		}
		did = true
	}
	return did
}

// audit checks the result of a trial's mission.
func (s *stage) audit(id string) {
	s.t.Helper()
	var posts []publishertest.Post // on both accounts
	for _, stub := range s.stubs {
		times := map[string]int{}
		for _, p := range stub.Posts() {
			if times[p.Text]++; times[p.Text] == 2 {
				s.t.Errorf("%q is on the account twice", p.Text)
			}
		}
		posts = append(posts, stub.Posts()...)
	}
	if other := slices.IndexFunc(posts, func(p publishertest.Post) bool { return count(posts, p.Text) > 1 }); other >= 0 && !s.trial.twins {
		s.t.Errorf("%q is on both accounts", posts[other].Text)
	}
	m := s.w.Mission(id)
	list := s.contents(id)
	counts, there := mission.ContentCounts{}, 0
	for _, c := range list {
		counts = counts.Plus(mission.Moved("", c.Status))
		there += s.post(m, c, s.stubs[max(slices.Index(s.ids, c.IntegrationID), 0)].Posts())
		s.delayed(c)
	}
	if there != len(posts) {
		s.t.Errorf("got %d posts on the platform, of which %d are of the contents", len(posts), there)
	}
	if m.Status != mission.StatusCompleted || m.Counts != counts {
		s.t.Errorf("got the mission %s with %+v; its contents amount to %+v", m.Status, m.Counts, counts)
	}
	if s.trial.after != "complete" && len(list) != len(s.trial.parts) {
		s.t.Errorf("got %d posts, want %d", len(list), len(s.trial.parts))
	}
	if s.p.name == mission.Twitter && (m.Spent > mission.Micros(s.trial.cents)*mission.MicrosPerCent || m.Spent < mission.Micros(len(posts))*15_000) {
		s.t.Errorf("got %d of %d cents spent for %d posts", m.Spent/mission.MicrosPerCent, s.trial.cents, len(posts))
	}
	if m.Reserved != 0 {
		s.t.Errorf("got %d micros reserved, want 0", m.Reserved)
	}
	events := map[mission.EventType]int{}
	for _, e := range s.w.Events(id) {
		events[e]++
	}
	if events[mission.EventContentCreated] != len(list) || events[mission.EventContentPublished] != counts.Published {
		s.t.Errorf("got events of %d written and %d published posts, want %d and %d", events[mission.EventContentCreated], events[mission.EventContentPublished], len(list), counts.Published)
	}
}

// count returns how many posts have a text.
func count(posts []publishertest.Post, text string) (n int) {
	for _, p := range posts {
		if p.Text == text {
			n++
		}
	}
	return n
}

// delayed checks that a post of an account without faults of its own wasn't late.
func (s *stage) delayed(c mission.Content) {
	s.t.Helper()
	if s.trial.after != "" || s.trial.statement > 0 || s.hit[c.IntegrationID] || c.PublishedAt == nil {
		return
	}
	if late := c.PublishedAt.Sub(*c.ScheduledAt); late > 3*time.Minute {
		s.t.Errorf("%s is %s late, although its account %s had no fault; those with one are %v", c.ID, late, c.IntegrationID, s.hit)
	}
}

// post checks a content against the platform's posts, and returns how many of its
// parts are published.
func (s *stage) post(m mission.Mission, c mission.Content, posts []publishertest.Post) (there int) {
	s.t.Helper()
	parent := ""
	for i, text := range c.Texts() {
		at := slices.IndexFunc(posts, func(p publishertest.Post) bool { return p.Text == s.p.sees(text) })
		if at < 0 {
			continue
		}
		if posts[at].Parent != parent || there != i {
			s.t.Errorf("part %d of %s replies to %q, want %q", i, c.ID, posts[at].Parent, parent)
		}
		there++
		parent = posts[at].ID
		known := i < len(c.Published)
		if known && c.Published[i].PostID != parent {
			s.t.Errorf("part %d of %s is %s, and stored as %s", i, c.ID, parent, c.Published[i].PostID)
		}
		if i > 0 || !known {
			continue
		}
		if c.PlatformPostID == nil || *c.PlatformPostID != parent || c.PlatformURL == nil || s.p.shown == nil && !strings.Contains(*c.PlatformURL, parent[strings.LastIndex(parent, "/")+1:]) {
			s.t.Errorf("%s is %s on the platform, and stored as %v at %v", c.ID, parent, c.PlatformPostID, c.PlatformURL)
		}
	}
	end := string(c.Status)
	if c.Error != nil {
		end += " (" + c.Error.Code + ")"
	}
	s.ends[end]++
	if why := s.unsettled(m, c, there); why != "" {
		s.t.Errorf("%s, with %d of its %d parts on the platform and %d stored, is %s: %s", c.ID, there, len(c.Texts()), len(c.Published), end, why)
	}
	return there
}

// sees returns what readers see of a text.
func (p playedPlatform) sees(text string) string {
	if p.shown == nil {
		return text
	}
	return p.shown(text)
}

// unsettled returns what is wrong with a post's final state, or "". there is how many
// of its parts are on the platform.
func (s *stage) unsettled(m mission.Mission, c mission.Content, there int) string {
	if c.Status != mission.ContentFailed && c.Status != mission.ContentCanceled && c.Status != mission.ContentUnknown && c.Error != nil {
		return "it has an error"
	}
	ended := s.trial.after == "complete"
	switch c.Status {
	case mission.ContentPublished:
		if there != len(c.Texts()) || len(c.Published) != there {
			return "it isn't whole"
		}
	case mission.ContentCanceled:
		if there > 0 || !ended {
			return "nothing of it should be there, of a mission that was ended"
		}
	case mission.ContentFailed:
		known := there == len(c.Published)
		switch c.Error.Code {
		case mission.CodeBudgetExhausted:
			if !known || m.Constraints.BudgetCents == nil || s.trial.cents == 100 {
				return "the budget was enough"
			}
		case mission.CodeMissionEnded:
			if !known || there == 0 || !ended {
				return "the mission wasn't ended halfway"
			}
		default:
			return c.Error.Message
		}
	case mission.ContentUnknown:
		// LinkedIn names a member's post only for ten minutes, and no connected account is
		// looked up without a budget.
		// Nothing is ever told of a webhook's posts, nor of Telegram's.
		blind := s.p.name == mission.LinkedIn && s.p.as == "" || s.p.name == mission.Discord && s.p.as == "webhooks" || s.p.name == mission.Telegram
		poor := s.p.name == mission.Twitter && s.trial.cents < 100
		if !c.AwaitsPerson() || !blind && !poor {
			return "it could have been known"
		}
	default:
		return "it isn't settled"
	}
	return ""
}
