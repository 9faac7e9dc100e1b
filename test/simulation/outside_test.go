package simulation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"strconv"
	"strings"
	"time"

	"missiond/internal/publisher/bluesky/blueskytest"
	"missiond/internal/publisher/linkedin/linkedintest"
	"missiond/internal/publisher/mastodon/mastodontest"
	"missiond/internal/publisher/publishertest"
	"missiond/internal/publisher/x/xtest"
	"missiond/mission"
)

// Where the platforms and the receivers are.
const (
	linkedInHost = "127.0.0.1:9001"
	mastodonHost = "127.0.0.1:9002"
	blueskyHost  = "127.0.0.1:9003"
	xHost        = "127.0.0.1:9004"
	receiverURL  = "http://127.0.0.1:9100"
)

// site is a platform, and what connects an account there.
type site struct {
	platform mission.Platform
	host     string
	stub     publishertest.Stub
	// url returns the address of a post by its id.
	url func(id string) string
}

// connection is the body of the request that connects the account.
func (s site) connection() map[string]any {
	c := s.stub.Credentials("http://" + s.host)
	body := map[string]any{"platform": s.platform}
	for name, value := range map[string]string{
		"access_token": c.AccessToken, "refresh_token": c.RefreshToken, "account": c.AccountID,
		"server": c.Server, "identifier": c.Identifier, "app_password": c.Password,
	} {
		if value != "" {
			body[name] = value
		}
	}
	return body
}

// outside is all that instances call: the platforms and the receivers of webhooks. They
// live on when an instance dies.
type outside struct {
	s *sim
	// sites are the platforms whose accounts are connected; the sandbox is the others.
	sites []site
	// askable reports whether LinkedIn lists the account's posts.
	askable   bool
	receivers map[string]*receiver // by path
	// gone is until when a server is down that didn't answer.
	gone map[string]time.Time
	// doubled are the texts that a platform has taken twice by itself.
	doubled map[string]bool
	sent    []sentPost
}

// sentPost is a post that a platform took.
type sentPost struct {
	platform mission.Platform
	id, text string
	at       time.Time
	by       *instance
}

// lag is how long a list of LinkedIn's may not show a new post (mission.Lookup.Lag).
const lag = 2 * time.Minute

func newOutside(s *sim) *outside {
	o := &outside{s: s, receivers: map[string]*receiver{}, gone: map[string]time.Time{}, doubled: map[string]bool{}}
	linkedIn, mastodon := linkedintest.New(), mastodontest.New(s.t)
	linkedIn.Now, mastodon.Now = time.Now, time.Now
	// A member's posts can't be listed, an organization's may be.
	if o.askable = s.keyed("listing", 0).IntN(3) == 0; o.askable {
		linkedIn.Listing, linkedIn.Account = true, linkedintest.Organization
		linkedIn.Lag = time.Duration(s.keyed("lag", 0).IntN(3)) * lag / 2
	}
	o.sites = []site{
		{mission.LinkedIn, linkedInHost, linkedIn, func(id string) string { return "https://www.linkedin.com/feed/update/" + id + "/" }},
		{mission.Mastodon, mastodonHost, mastodon, func(id string) string { return "https://" + mastodonHost + "/@ada/" + id }},
	}
	if s.keyed("sites", 0).IntN(2) == 0 {
		bluesky, x := blueskytest.New(s.t), xtest.New()
		bluesky.Now, x.Now = time.Now, time.Now
		o.sites = append(o.sites,
			site{mission.Bluesky, blueskyHost, bluesky, func(id string) string {
				return "https://bsky.app/profile/" + blueskytest.DID + "/post/" + id[strings.LastIndex(id, "/")+1:]
			}},
			site{mission.Twitter, xHost, x, func(id string) string { return "https://x.com/ada/status/" + id }},
		)
	}
	return o
}

// find returns where a post is on its platform, "" if it isn't.
func (o *outside) find(p shownPost) string {
	for _, sent := range o.sent {
		if string(sent.platform) != p.Platform || !strings.HasPrefix(p.Text, sent.text) {
			continue
		}
		for _, at := range o.sites {
			if at.platform == sent.platform {
				return at.url(sent.id)
			}
		}
	}
	return ""
}

// recover ends what is wrong outside.
func (o *outside) recover() {
	for _, r := range o.receivers {
		r.calm = true
	}
}

// way is how an instance reaches what is outside.
type way struct {
	s          *sim
	of         *instance
	generation int
}

// Errors of calls.
var (
	errRefused = errors.New("dial tcp: connect: connection refused")
	errUnheard = errors.New("read tcp: connection reset by peer")
)

// RoundTrip implements http.RoundTripper.
func (w *way) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
		_ = req.Body.Close()
	}
	p := &point{of: w.of, generation: w.generation, kind: atCall, text: strings.Join([]string{req.Method, req.URL.String(), req.Header.Get("Webhook-Id"), string(body)}, " "), cut: cutOf(req.Context())}
	if at := w.s.outside.site(req.URL.Host); at != nil {
		p.publishes = at.stub.Publishes(req)
	}
	v, err := w.s.park(req.Context(), p)
	switch {
	case err != nil:
		return nil, err
	case v == crashed:
		return nil, errDead
	case p.fault == faultRefused:
		return nil, errRefused
	}
	sent(req.Context())
	if p.fault == faultSilent {
		<-req.Context().Done()
		return nil, req.Context().Err()
	}
	resp := w.s.outside.answer(req, body, p)
	if p.fault == faultUnheard {
		w.s.outside.goAway(req.URL.Host, p.n)
		return nil, errUnheard
	}
	back := &point{of: w.of, generation: w.generation, kind: atAnswer, text: fmt.Sprint(resp.StatusCode, " of ", req.URL.Path)}
	if p.fault == faultLate {
		back.until = time.Now().Add(30 * time.Second)
	}
	switch v, err := w.s.park(req.Context(), back); {
	case err != nil:
		return nil, err
	case v == crashed:
		return nil, errDead
	}
	return resp, nil
}

// site returns the platform at a host; nil if there is none.
func (o *outside) site(host string) *site {
	for i := range o.sites {
		if o.sites[i].host == host {
			return &o.sites[i]
		}
	}
	return nil
}

// goAway has a platform that didn't answer be down, two times of three, for up to forty minutes.
func (o *outside) goAway(host string, n uint64) {
	if r := o.s.keyed("goes away", n); o.site(host) != nil && r.IntN(3) > 0 {
		o.s.mu.Lock()
		defer o.s.mu.Unlock()
		o.gone[host] = time.Now().Add(time.Duration(r.Int64N(int64(longOutage))))
	}
}

// sent tells the caller that its request was sent, as a transport does.
func sent(ctx context.Context) {
	trace := httptrace.ContextClientTrace(ctx)
	if trace == nil {
		return
	}
	if trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	if trace.WroteHeaders != nil {
		trace.WroteHeaders()
	}
	if trace.WroteRequest != nil {
		trace.WroteRequest(httptrace.WroteRequestInfo{})
	}
}

// answer has what is called answer.
func (o *outside) answer(req *http.Request, body []byte, p *point) *http.Response {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	rec := httptest.NewRecorder()
	if now := time.Now(); o.s.down(req.URL.Host, now) || !o.s.calm && now.Before(o.gone[req.URL.Host]) {
		rec.WriteHeader(http.StatusServiceUnavailable)
		return rec.Result()
	}
	switch p.fault {
	case faultBusy:
		rec.Header().Set("Retry-After", strconv.Itoa(int(o.s.keyed("busy", p.n).Int64N(600))))
		rec.WriteHeader(http.StatusServiceUnavailable)
		return rec.Result()
	case faultLimited:
		o.limited(rec, p.n)
		return rec.Result()
	default: // nothing is wrong with the response
	}
	again := func() *http.Request {
		r := req.Clone(context.Background())
		r.Header = http.Header{}
		for name, values := range req.Header { // a server reads names in any case
			r.Header[http.CanonicalHeaderKey(name)] = values
		}
		r.Body, r.RequestURI, r.RemoteAddr = io.NopCloser(bytes.NewReader(body)), req.URL.RequestURI(), "127.0.0.1:1"
		return r
	}
	if at := o.site(req.URL.Host); at != nil {
		o.post(rec, again, at, p)
	} else {
		o.receive(rec, req, body)
	}
	return rec.Result()
}

// limited responds that there were too many requests, in one of the forms that there are.
func (o *outside) limited(w http.ResponseWriter, n uint64) {
	r := o.s.keyed("limited", n)
	until := time.Now().Add(time.Duration(1+r.IntN(1800)) * time.Second)
	switch r.IntN(4) {
	case 0:
		w.Header().Set("Retry-After", strconv.Itoa(int(time.Until(until).Seconds())))
	case 1:
		w.Header().Set("Retry-After", until.UTC().Format(http.TimeFormat))
	case 2:
		w.Header().Set("X-RateLimit-Reset", until.UTC().Format(time.RFC3339))
	}
	w.WriteHeader(http.StatusTooManyRequests)
}

// post has a platform answer.
func (o *outside) post(rec *httptest.ResponseRecorder, again func() *http.Request, on *site, p *point) {
	stub := on.stub
	publishes := stub.Publishes(again())
	before := len(stub.Posts())
	stub.ServeHTTP(rec, again())
	if p.fault == faultTwice && publishes && rec.Code/100 == 2 {
		if r := again(); r.Header.Get("Idempotency-Key") == "" { // which would prevent it
			stub.ServeHTTP(httptest.NewRecorder(), r)
			posts := stub.Posts()
			if len(posts) > before+1 {
				o.doubled[posts[len(posts)-1].Text] = true
			}
		}
	}
	for _, post := range stub.Posts()[before:] {
		o.sent = append(o.sent, sentPost{on.platform, post.ID, post.Text, time.Now(), p.of})
		o.s.covered["posted on "+string(on.platform)]++
	}
}

// receiver is an endpoint of a tenant's.
type receiver struct {
	path   string
	secret string // "" if it isn't known
	// moody refuses some events; calm doesn't any more.
	moody, calm bool
	letters     map[string]*letter // by event
	order       []string
}

// letter is what was received of one event.
type letter struct {
	body         string
	times, taken int
	wrong        []string
}

// receive has a receiver answer.
func (o *outside) receive(w *httptest.ResponseRecorder, req *http.Request, body []byte) {
	r := o.receivers[req.URL.Path]
	if r == nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	event := req.Header.Get("Webhook-Id")
	l := r.letters[event]
	if l == nil {
		l = &letter{body: string(body)}
		r.letters[event] = l
		r.order = append(r.order, event)
	}
	l.times++
	if l.body != string(body) {
		l.wrong = append(l.wrong, "it came with other bytes")
	}
	if r.secret != "" && !signed(r.secret, req.Header, body) {
		l.wrong = append(l.wrong, "its signature isn't the endpoint's")
	}
	status := http.StatusOK
	if r.moody && !r.calm {
		draw := o.s.keyed("mood "+r.path+event, uint64(l.times))
		status = []int{200, 200, 200, 200, 200, 200, 500, 404, 429, 302, 503, 400}[draw.IntN(12)]
		if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", strconv.Itoa(draw.IntN(4000)))
		}
		if status == http.StatusFound {
			w.Header().Set("Location", receiverURL+"/elsewhere")
		}
	}
	o.s.covered["received "+strconv.Itoa(status)]++
	if status == http.StatusOK {
		l.taken++
	}
	w.WriteHeader(status)
}

// signed reports whether a secret has signed a body (interface, section 6).
func signed(secret string, h http.Header, body []byte) bool {
	return slices.Contains(h.Values("X-SVC-Signature"), webhookSignature(secret, h.Get("X-SVC-Timestamp"), body))
}

// writer writes the posts: texts that there are only once.
type writer struct{ s *sim }

// writing is a writer as an instance has it.
type writing struct {
	*writer

	of         *instance
	generation int
}

// price is what a post costs: two cents, of which one is given back.
const price = 20_000

// Price implements missions.Writer.
func (*writing) Price(mission.Assignment) mission.Micros { return price }

// Remark implements missions.Writer.
func (*writing) Remark(mission.Brief) *mission.Failure { return nil }

// Write implements missions.Writer.
func (w *writing) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	p := &point{of: w.of, generation: w.generation, kind: atCall, text: fmt.Sprintf("write %d %d", a.Seed, a.Revision)}
	v, err := w.s.park(ctx, p)
	outage := func(err error) *mission.OutageError {
		return &mission.OutageError{Failure: mission.Failure{Code: mission.CodeWriterUnavailable, Message: "The writer is down."}, Err: err}
	}
	switch {
	case err != nil:
		return mission.Draft{}, err
	case v == crashed:
		return mission.Draft{}, errDead
	case p.fault == faultRefused, p.fault == faultBusy:
		return mission.Draft{}, outage(errRefused)
	case p.fault == faultLimited:
		e := outage(errRefused)
		e.RetryAfter = time.Duration(w.s.keyed("limited", p.n).IntN(1200)) * time.Second
		return mission.Draft{}, e
	case p.fault == faultTwice:
		return mission.Draft{Cost: price}, &mission.WritingError{Failure: mission.Failure{Code: mission.CodeWriterRefused, Message: "No."}}
	}
	text := fmt.Sprintf("%s %s in words %d of %d, revised %d.", a.Slot.Objective, a.Slot.Angle, a.Seed, a.Slot.Position, a.Revision)
	d := mission.Draft{Format: a.Slot.Format, Text: text, Cost: price / 2}
	if d.Format == mission.FormatThread {
		d.Parts = []string{text, "More of " + text}
		d.Text = strings.Join(d.Parts, "\n\n")
	}
	back := &point{of: w.of, generation: w.generation, kind: atAnswer, text: "written " + text}
	if p.fault == faultSilent || p.fault == faultLate || p.fault == faultUnheard {
		back.until = time.Now().Add(time.Duration(w.s.keyed("dawdle", p.n).Int64N(int64(90 * time.Second))))
	}
	switch v, err := w.s.park(ctx, back); {
	case err != nil:
		return mission.Draft{Cost: price / 2}, outage(err)
	case v == crashed:
		return mission.Draft{}, errDead
	}
	return d, nil
}
