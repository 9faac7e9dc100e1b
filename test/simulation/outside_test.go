package simulation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"strconv"
	"strings"
	"time"

	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

// receiverURL is where the receivers are.
const receiverURL = "http://127.0.0.1:9100"

// outside is all that instances call: the platforms and the receivers of webhooks. They
// live on when an instance dies.
type outside struct {
	s *sim
	// sites are the platforms whose accounts are connected; the sandbox is the others.
	sites []site
	// asked are the texts of strangers' replies, by platform and id.
	asked map[string]string
	// favorite is the index in platforms of one that all missions are for; 0 if there is none.
	favorite  int
	receivers map[string]*receiver // by path
	// gone is what servers do that didn't answer, by host.
	gone map[string]overload
	// doubled are the texts that a platform has taken twice by itself.
	doubled map[string]bool
	// again are those of which a person has said that they aren't out.
	again map[string]bool
	sent  []sentPost
}

// overload is what a server does that had too much to do.
type overload struct {
	until  time.Time
	limits bool // by 429
}

// sentPost is a post that a platform took.
type sentPost struct {
	platform mission.Platform
	id, text string
	at       time.Time
	by       *instance
}

func newOutside(s *sim) *outside {
	o := &outside{s: s, receivers: map[string]*receiver{}, gone: map[string]overload{}, doubled: map[string]bool{}, again: map[string]bool{}, asked: map[string]string{}}
	o.sites = makeSites(s)
	// LinkedIn needs most care: most of its accounts can't be asked, and a text may be sent twice for
	// ten minutes only. So it is the favorite in a quarter of the runs, any in another one.
	switch r := s.keyed("favorite", 0); r.IntN(4) {
	case 0:
		o.favorite = 1
	case 1:
		o.favorite = 1 + r.IntN(len(o.sites))
	}
	return o
}

// platforms are those that missions are for: the connected ones, and one of the sandbox's.
func (o *outside) platforms() []string {
	names := []string{"pinterest"}
	for _, s := range o.sites {
		names = append(names, string(s.platform))
	}
	return names
}

// on returns a platform by its name; nil if it is the sandbox's.
func (o *outside) on(p string) *site {
	for i := range o.sites {
		if string(o.sites[i].platform) == p {
			return &o.sites[i]
		}
	}
	return nil
}

// find returns where a post is on its platform, "" if it isn't.
func (o *outside) find(p shownPost) string {
	at := o.on(p.Platform)
	for _, sent := range o.sent {
		if at != nil && at.platform == sent.platform && strings.HasPrefix(at.shown(p.sent()), sent.text) {
			return at.url(sent.id)
		}
	}
	return ""
}

// wanted records that people want a post to be sent again, wherever it is.
func (o *outside) wanted(p shownPost) {
	text := p.sent()
	if at := o.on(p.Platform); at != nil {
		text = at.shown(text)
	}
	o.doubled[text], o.again[text] = true, true
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
	p := &point{of: w.of, generation: w.generation, kind: atCall, text: strings.Join([]string{req.Method, req.URL.String(), req.Header.Get("Webhook-Id"), string(body)}, " "), who: whoOf(req.Context()), goroutine: goroutine(), cut: cutOf(req.Context())}
	if at := w.s.outside.site(req.URL.Host); at != nil {
		p.publishes = at.stub.Publishes(req)
		p.favored = p.publishes && w.s.outside.favors(at)
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
	back := &point{of: w.of, generation: w.generation, kind: atAnswer, text: fmt.Sprint(resp.StatusCode, " of ", req.URL.Path), who: p.who, goroutine: p.goroutine}
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

// favors reports whether all missions of the run are for the platform.
func (o *outside) favors(on *site) bool { return o.favorite > 0 && &o.sites[o.favorite-1] == on }

// goAway has a platform that didn't answer be down or, in runs for one platform, limit all calls, two
// times of three, for up to forty minutes.
func (o *outside) goAway(host string, n uint64) {
	if r := o.s.keyed("goes away", n); o.site(host) != nil && r.IntN(3) > 0 {
		o.s.mu.Lock()
		defer o.s.mu.Unlock()
		o.gone[host] = overload{time.Now().Add(time.Duration(r.Int64N(int64(longOutage)))), o.favorite > 0 && r.IntN(2) == 0}
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
	now, gone := time.Now(), o.gone[req.URL.Host]
	away := !o.s.calm && now.Before(gone.until)
	if away && gone.limits {
		o.limited(rec, p.n)
		o.s.covered["server limits all calls"]++
		return rec.Result()
	}
	if away || o.s.down(req.URL.Host, now) {
		if r := o.s.keyed("down", p.n); r.IntN(2) == 0 {
			rec.Header().Set("Retry-After", strconv.Itoa(r.IntN(900)))
		}
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
	before := map[string]bool{}
	for _, post := range stub.Posts() {
		before[post.ID] = true
	}
	out := func() (posts []publishertest.Post) { // a draft that is published is not the newest
		for _, post := range stub.Posts() {
			if !before[post.ID] {
				posts = append(posts, post)
			}
		}
		return posts
	}
	stub.ServeHTTP(rec, again())
	if p.fault == faultTwice && publishes && rec.Code/100 == 2 {
		if r := again(); r.Header.Get("Idempotency-Key") == "" { // which would prevent it
			stub.ServeHTTP(httptest.NewRecorder(), r)
			if posts := out(); len(posts) > 1 {
				o.doubled[posts[len(posts)-1].Text] = true
			}
		}
	}
	for _, post := range out() {
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

// Supply implements missions.Writer.
func (*writing) Supply(mission.Brief, []mission.Fact) int { return math.MaxInt }

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
	text := fmt.Sprintf("%s %s in %s words %d of %d, revised %d%s.", a.Slot.Objective, a.Slot.Angle, colorOf(a), a.Seed, a.Slot.Position, a.Revision, linkOf(a))
	if on := w.s.outside.on(string(a.Slot.Platform)); on != nil && on.shown("") != "" { // articles, which have a title
		text = fmt.Sprintf("Article %d of %d\n\n%s", a.Slot.Position, a.Seed, text)
	}
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
