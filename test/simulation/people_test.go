package simulation

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"time"

	"missiond/internal/clock"
	"missiond/internal/database"
	"missiond/internal/service/accounts"
	"missiond/mission"
	"missiond/store"
)

// people are who calls the service: two tenants with several clients each, who do at any
// moment what they may and what they may not.
type people struct {
	s       *sim
	tenants []*tenant
	acts    uint64 // so far
	nextAct time.Time
	busy    int // acts under way
	model   *model
	// missionDays is the sum of the days that missions lasted.
	missionDays float64
	agreed      int // how many tenants' lists have been compared with the rows
}

// tenant is a tenant, and what its clients know.
type tenant struct {
	n        int
	id, key  string
	missions []string
	hooks    []*knownHook
	keys     []knownKey
	members  map[string]*member
	sessions []*session
	links    []knownLink
	pictures []string // the ids of those that Instagram's posts may have
	made     int      // names so far
	other    *tenant
	// hold is the tenant's hold; held reports whether one was ever tried.
	hold *missionModel
	held bool
	bans bans
}

type knownKey struct{ id, key string }

// knownLink is a review link that a client has made.
type knownLink struct {
	mission, path string
	decides       bool
}

// knownHook is an endpoint that a client has created.
type knownHook struct {
	id     string
	path   string
	events []string
	made   time.Time
	// changed is that something other than its creation was tried.
	changed bool
}

// actsADay is how many acts there are a day.
const actsADay = 40

// mostBusy is how many acts are under way at most.
const mostBusy = 6

func newPeople(s *sim) *people { return &people{s: s, model: newModel(s)} }

// arrive creates the tenants, before anything else happens.
func (p *people) arrive() {
	ctx := context.Background()
	db, err := store.OpenSQLite(p.s.path(), store.Options{Database: database.Options{Unsynced: true}})
	if err != nil {
		p.s.t.Fatal(err)
	}
	all := accounts.New(db, accounts.Options{Clock: clock.Real(), Real: clock.Real(), Secrets: p.s.secrets})
	if err := all.MaintainKeys(ctx); err != nil {
		p.s.t.Fatal(err)
	}
	for n := range 2 {
		who, _ := provider{}.Verify(ctx, tokenOf(n, viewer))
		made, key, err := all.CreateTenant(ctx, accounts.NewTenant{Name: fmt.Sprint("Tenant ", n), Origin: who.Origin(), Plan: mission.PlanEnterprise})
		if err != nil {
			p.s.t.Fatal(err)
		}
		t := &tenant{n: n, id: made.ID, key: key}
		t.hold = &missionModel{model: p.model, of: t, id: fmt.Sprint("hold of tenant ", n), can: map[string]bool{"free": true}}
		for n := range picturesOf {
			t.pictures = append(t.pictures, p.addPicture(db, t, picture(n)))
		}
		p.tenants = append(p.tenants, t)
	}
	p.tenants[0].other, p.tenants[1].other = p.tenants[1], p.tenants[0]
	if err := db.Close(); err != nil {
		p.s.t.Fatal(err)
	}
	p.nextAct = time.Now()
}

// addPicture adds a picture to a tenant, which was processed, and returns its id.
func (p *people) addPicture(db *store.DB, t *tenant, shows string) string {
	ctx, now := context.Background(), time.Now().UTC()
	m, err := mission.NewMedia(db.NewID(mission.PrefixMedia, now), mission.Principal{TenantID: t.id}, mission.TypeJPEG, mission.MediaInput{Description: &shows, AltText: &shows}, now)
	if err != nil {
		p.s.t.Fatal(err)
	}
	facts := mission.Media{
		Kind: mission.MediaImage, ContentType: mission.TypeJPEG, Width: 100, Height: 100, Hash: strings.Repeat("a", 64), Provenance: mission.Provenance{AI: mission.AINone},
		Variants: []mission.MediaVariant{{Platforms: mission.AllPlatforms(), Key: m.ID, Hash: m.ID, ContentType: mission.TypeJPEG, Bytes: 9, Width: 100, Height: 100}},
	}
	err = db.Tx(ctx, func(tx store.Tx) error {
		if err := tx.AddMedia(ctx, m); err != nil {
			return err
		}
		there := m
		there.Bytes, there.Stored, there.Original = 9, 18, m.ID
		arrived, err := there.Arrived(now)
		if err != nil {
			return err
		}
		if err := tx.SetMedia(ctx, m, arrived.Processed(facts, now)); err != nil {
			return err
		}
		return tx.DropSubjects(ctx, "", mission.TaskMedia, m.ID) // nothing is left to be done
	})
	if err != nil {
		p.s.t.Fatal(err)
	}
	return m.ID
}

// next returns when the next act is.
func (p *people) next() time.Time {
	if p.busy >= mostBusy {
		return time.Time{}
	}
	return p.nextAct
}

// choices returns what people may do now.
func (p *people) choices(now time.Time) []choice {
	if p.busy >= mostBusy || now.Before(p.nextAct) || p.s.over && len(p.rest()) == 0 {
		return nil
	}
	return []choice{{"act", func() { p.act(now) }}}
}

// act begins an act.
func (p *people) act(now time.Time) {
	p.acts++
	r := p.s.keyed("act", p.acts)
	p.nextAct = now.Add(time.Duration(r.Int64N(int64(2 * 24 * time.Hour / actsADay))))
	c := &client{p: p, s: p.s, r: r, tenant: p.tenants[r.IntN(len(p.tenants))], name: fmt.Sprint("act ", p.acts)}
	if p.s.over {
		m := p.rest()[0]
		p.nextAct = now.Add(time.Minute)
		m.tried++
		if m == m.of.hold {
			p.begin(c.release)
			return
		}
		c.tenant = m.of
		p.begin(func() { c.finish(m) })
		return
	}
	name, do := c.draw()
	if !p.s.happens(fmt.Sprintf("act %d %s", p.acts, name)) {
		return
	}
	p.s.count("act " + name)
	p.s.trace.line("%s act %d of tenant %d: %s", p.s.now(), p.acts, c.tenant.n, name)
	p.begin(do)
}

func (p *people) begin(do func()) {
	p.busy++
	p.s.spawn(do, func() { p.busy-- })
}

// rest returns what has to be ended by somebody, and isn't: holds, which keep missions that nobody
// knows from their ends, and missions.
func (p *people) rest() (rest []*missionModel) {
	left := func(m *missionModel, unended bool) {
		if unended && len(m.pending) == 0 && m.tried < 8 {
			rest = append(rest, m)
		}
	}
	for _, t := range p.tenants {
		left(t.hold, t.held && t.hold.closure(t.hold.can)["held"])
	}
	for _, id := range p.model.order {
		m := p.model.missions[id]
		left(m, m.unended())
	}
	return rest
}

// client is who acts.
type client struct {
	p      *people
	s      *sim
	r      *rand.Rand
	tenant *tenant
	name   string
}

// draw returns an act and its name.
func (c *client) draw() (name string, do func()) {
	if c.p.acts <= 2 {
		c.tenant = c.p.tenants[c.p.acts-1]
		return "connect", c.connect
	}
	if len(c.tenant.missions) == 0 {
		return "create", c.create
	}
	all := []struct {
		name   string
		weight int
		do     func()
	}{
		{"create", 14, c.create},
		{"start", 3, func() { c.change("start") }},
		{"pause", 6, func() { c.change("pause") }},
		{"resume", 9, func() { c.change("resume") }},
		{"complete", 2, func() { c.change("complete") }},
		{"delete", 3, func() { c.change("delete") }},
		{"update", 5, c.update},
		{"retry", 3, c.retry},
		{"hold", 1, c.hold},
		{"release", 4, c.release},
		{"ban", 1, c.ban},
		{"review", 16, c.review},
		{"link", 2, c.link},
		{"by link", 5, c.byLink},
		{"comment", 3, c.comment},
		{"reply", 8, c.reply},
		{"edit", 6, c.edit},
		{"reschedule", 5, func() { c.onPost("reschedule", nil) }},
		{"cancel", 3, func() { c.onPost("cancel", nil) }},
		{"reopen", 4, func() { c.onPost("reopen", nil) }},
		{"settle", 3, c.settle},
		{"post", 5, c.post},
		{"import", 2, c.imports},
		{"hook", 3, c.hook},
		{"change hook", 3, c.changeHook},
		{"key", 3, c.keys},
		{"login", 2, c.login},
		{"session", 5, c.inSession},
		{"look", 4, c.look},
		{"foreign", 3, c.foreign},
	}
	sum := 0
	for _, a := range all {
		sum += a.weight
	}
	x := c.r.IntN(sum)
	for _, a := range all {
		if x -= a.weight; x < 0 {
			return a.name, a.do
		}
	}
	panic("bug: the weights don't add up")
}

// outcome is what a client knows about a request.
type outcome int

const (
	unknown  outcome = iota // it was done, or not
	done                    // and holds
	declined                // nothing was done
)

// answer is the answer to a request.
type answer struct {
	outcome outcome
	status  int // 0 if there was none
	body    []byte
}

// read decodes the answer.
func (a answer) read(v any) { _ = json.Unmarshal(a.body, v) }

// once sends a request to one of the instances.
func (c *client) once(method, path string, body any, key string) answer {
	var alive []*instance
	for _, i := range c.s.instances {
		if i.alive() {
			alive = append(alive, i)
		}
	}
	if len(alive) == 0 {
		return answer{}
	}
	i := alive[c.r.IntN(len(alive))]
	text := []byte{}
	contentType := "application/json"
	switch b := body.(type) {
	case nil:
	case string:
		text, contentType = []byte(b), "text/csv"
	case url.Values: // of the review page
		text, contentType = []byte(b.Encode()), "application/x-www-form-urlencoded"
	default:
		text, _ = json.Marshal(body)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second) // Cut off: a client that gives up, in the simulated time.
	defer cancel()
	gone := false
	ctx = context.WithValue(ctx, actKey{}, c.name)
	ctx = context.WithValue(ctx, cutKey{}, context.CancelFunc(func() { gone = true; cancel() }))
	req := httptest.NewRequestWithContext(ctx, method, path, bytes.NewReader(text))
	_, form := body.(url.Values)
	if !form {
		req.Header.Set("Authorization", "Bearer "+c.tenant.key)
	}
	if len(text) > 0 {
		req.Header.Set("Content-Type", contentType)
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	rec, generation := httptest.NewRecorder(), i.generation
	aborted := serve(i.handler, rec, req)
	if aborted || gone || i.generation != generation || !i.alive() {
		return answer{} // the connection broke, perhaps with the process
	}
	a := answer{status: rec.Code, body: rec.Body.Bytes()}
	c.s.trace.line("%s %s %s: %d %.200s", c.s.now(), method, path, a.status, a.body)
	c.s.count(fmt.Sprintf("%s %s: %d", method, pattern(path), a.status))
	var e struct {
		Error  struct{ Code, Message string }
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	unread := json.Unmarshal(a.body, &e) != nil
	if len(e.Errors) > 0 { // GraphQL's
		e.Error.Code, e.Error.Message = e.Errors[0].Extensions.Code, e.Errors[0].Message
		a.status = statuses[e.Error.Code]
	}
	switch {
	case a.status/100 == 2, form && a.status == http.StatusSeeOther:
		a.outcome = done
		return a
	case form && a.status < http.StatusInternalServerError: // a page
		a.outcome = declined
		return a
	case form && a.status == http.StatusServiceUnavailable && !c.s.plan.calm:
		return a
	case unread || a.status == 0 || e.Error.Code == "" || e.Error.Message == "":
		c.s.found("errors have their shape", method+" "+path, "an error with a code and a message", fmt.Sprintf("%d %s", a.status, a.body))
	case a.status == http.StatusInternalServerError:
		c.s.found("no request fails within", method+" "+pattern(path), "another status", string(a.body))
	case a.status == http.StatusServiceUnavailable:
		if c.s.plan.calm {
			c.s.found("nothing is unavailable without a fault", method+" "+pattern(path), "another status", string(a.body))
		}
	case strings.Contains(e.Error.Message, "Idempotency-Key"):
	default:
		a.outcome = declined
	}
	return a
}

// statuses are those of REST by the codes that both APIs have (decisions, "Conventions").
var statuses = map[string]int{
	"invalid_request": http.StatusBadRequest, "unauthorized": http.StatusUnauthorized, "forbidden": http.StatusForbidden, "not_found": http.StatusNotFound,
	"conflict": http.StatusConflict, "rate_limit_exceeded": http.StatusTooManyRequests, "internal_error": http.StatusInternalServerError,
	"service_unavailable": http.StatusServiceUnavailable,
}

// serve has a handler respond, and reports whether it has broken the response off.
func serve(h http.Handler, rec *httptest.ResponseRecorder, req *http.Request) (aborted bool) {
	defer func() {
		if p := recover(); p == http.ErrAbortHandler { //nolint:errorlint,err113 // a panic's value
			aborted = true
		} else if p != nil {
			panic(p)
		}
	}()
	h.ServeHTTP(patient{rec}, req)
	return false
}

// patient is a response to a client that always reads on.
type patient struct{ *httptest.ResponseRecorder }

// SetReadDeadline is what http.ResponseController calls.
func (patient) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline is what http.ResponseController calls.
func (patient) SetWriteDeadline(time.Time) error { return nil }

// cutKey is the key of what cuts a request off, in its context.
type cutKey struct{}

func cutOf(ctx context.Context) context.CancelFunc {
	cut, _ := ctx.Value(cutKey{}).(context.CancelFunc)
	return cut
}

// pattern returns a path without its ids.
func pattern(path string) string {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if _, id, ok := strings.Cut(part, "_"); ok && len(id) == 26 {
			parts[i] = ":id"
		}
	}
	return strings.Join(parts, "/")
}

// do sends a request until its outcome is known: one without a key is sent once.
func (c *client) do(method, path string, body any) answer {
	key := ""
	if method == http.MethodPost && c.r.IntN(3) > 0 {
		key = fmt.Sprintf("key-%d-%d", c.p.acts, c.r.Uint64())
	}
	a := c.once(method, path, body, key)
	for range 12 {
		if key == "" || a.outcome != unknown {
			break
		}
		pause(time.Duration(1+c.r.IntN(60)) * time.Second)
		a = c.once(method, path, body, key)
	}
	if key != "" && a.outcome == done && c.r.IntN(4) == 0 {
		c.s.count("repeated")
		if again := c.once(method, path, body, key); again.outcome != unknown && (again.status != a.status || !bytes.Equal(again.body, a.body)) {
			c.s.found("a key repeats its answer", method+" "+path, string(a.body), fmt.Sprintf("%d %s", again.status, again.body))
		}
	}
	return a
}

// twins sends two requests with one key at the same time, which have one effect.
func (c *client) twins(path string, body any) answer {
	key := fmt.Sprintf("twin-%d-%d", c.p.acts, c.r.Uint64())
	other := make(chan answer, 1)
	twin := &client{p: c.p, s: c.s, tenant: c.tenant, r: rand.New(rand.NewPCG(c.r.Uint64(), 2))}
	go func() {
		pause(time.Millisecond + 7)
		other <- twin.once(http.MethodPost, path, body, key)
	}()
	a := c.once(http.MethodPost, path, body, key)
	b := <-other
	if a.outcome == done && b.outcome == done && !bytes.Equal(a.body, b.body) {
		c.s.found("twins have one answer", path, string(a.body), string(b.body))
	}
	for range 12 {
		if a.outcome != unknown {
			break
		}
		pause(time.Duration(1+c.r.IntN(60)) * time.Second)
		a = c.once(http.MethodPost, path, body, key)
	}
	return a
}

// pause waits in the simulation's time.
func pause(d time.Duration) { _ = clock.Sleep(context.Background(), d) }

// one returns one of a list.
func one[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// connect connects the platforms.
func (c *client) connect() {
	for _, at := range c.s.outside.sites {
		body := at.connection()
		for range 5 {
			if c.do(http.MethodPost, "/v1/integrations", body).outcome == done {
				break
			}
			pause(time.Minute)
		}
	}
	for range 5 {
		if c.do(http.MethodPut, "/v1/tenant", map[string]any{"brand": map[string]any{"website": website}}).outcome == done {
			break
		}
		pause(time.Minute)
	}
}

// create creates a mission.
func (c *client) create() {
	c.tenant.made++
	name := fmt.Sprintf("Mission %d of tenant %d", c.tenant.made, c.tenant.n)
	m := &missionModel{of: c.tenant, name: name, days: 1 + c.r.IntN(4), approval: c.r.IntN(3) == 0}
	constraints := map[string]any{"posts_per_day": 1 + c.r.IntN(3), "require_approval": m.approval}
	if c.r.IntN(4) == 0 {
		constraints["budget_cents"] = 2 + c.r.IntN(12)
	}
	platforms := c.s.outside.platforms()
	first, on := c.r.IntN(len(platforms)), []string{}
	if c.s.outside.favorite > 0 {
		first = c.s.outside.favorite
	}
	for i := range 1 + c.r.IntN(3) {
		on = append(on, platforms[(first+i)%len(platforms)])
	}
	if c.r.IntN(3) == 0 {
		first := c.r.IntN(24 * 60) // the other one is another
		second := (first + 1 + c.r.IntN(24*60-1)) % (24 * 60)
		constraints["posting_times"] = []string{fmt.Sprintf("%02d:%02d", first/60, first%60), fmt.Sprintf("%02d:%02d", second/60, second%60)}
		constraints["timezone"] = one(c.r, []string{"UTC", "Europe/Berlin", "America/New_York", "Pacific/Auckland"})
	}
	body := map[string]any{
		"name": name, "objectives": []string{"Show what holds", "Tell what doesn't"}, "platforms": on, "constraints": constraints,
		"duration_days": m.days, "kpis": []map[string]any{{"metric": "likes", "target": 1 + c.r.IntN(50)}},
	}
	if slices.Contains(on, string(mission.Instagram)) {
		body["media_ids"] = c.tenant.some(c.r)
	}
	c.plan(m, body)
	m.can = map[string]bool{"draft": true}
	switch c.r.IntN(10) {
	case 0:
	case 1:
		m.starts = time.Now().Add(time.Duration(1+c.r.IntN(40)) * time.Hour)
		body["starts_at"] = m.starts.UTC().Format(time.RFC3339Nano)
	default:
		body["start_immediately"] = true
		m.can = map[string]bool{"active": true}
	}
	var a answer
	if c.r.IntN(5) == 0 {
		a = c.twins("/v1/missions", body)
	} else {
		a = c.do(http.MethodPost, "/v1/missions", body)
	}
	if a.outcome == declined {
		if a.status != http.StatusTooManyRequests {
			c.s.found("missions are created", name, "a mission", fmt.Sprintf("%d %s", a.status, a.body))
		}
		return
	}
	if a.outcome == unknown {
		return
	}
	var made struct {
		ID     string
		Name   string
		EndsAt *time.Time `json:"ends_at"`
	}
	a.read(&made)
	if made.Name != name {
		c.s.found("missions are created", name, "its name", string(a.body))
		return
	}
	m.id = made.ID
	if made.EndsAt != nil {
		m.ends = *made.EndsAt
	} else {
		m.ends = m.earliestEnd(time.Now())
	}
	c.p.model.add(m)
	c.tenant.missions = append(c.tenant.missions, m.id)
}

// plan adds dates, autonomy and what becomes of links to a mission.
func (c *client) plan(m *missionModel, body map[string]any) {
	if c.r.IntN(2) == 0 {
		m.links, m.tracks = true, []string{}
		if on, _ := body["platforms"].([]string); c.r.IntN(2) == 0 {
			m.tracks = on[:1]
		}
		body["links"] = map[string]any{"utm": map[string]any{"source": "{platform}", "content": "{content_id}"}, "track": m.tracks}
	}
	if m.approval && c.r.IntN(2) == 0 {
		m.needs = 1 + c.r.IntN(3)
		body["autonomy"] = map[string]any{"earned": map[string]any{"after": m.needs, "share": one(c.r, []float64{0.5, 1})}}
	}
	if c.r.IntN(3) == 0 {
		from := time.Now().Add(time.Duration(c.r.IntN(72)) * time.Hour).UTC()
		m.blackout = pauseSpan{from: from, to: from.Add(time.Duration(1+c.r.IntN(8)) * time.Hour)}
		body["blackouts"] = []map[string]any{{"starts_at": from.Format(time.RFC3339Nano), "ends_at": m.blackout.to.Format(time.RFC3339Nano)}}
	}
	if c.r.IntN(4) == 0 {
		body["events"] = []map[string]any{{"name": "Fair", "starts_on": time.Now().Add(time.Duration(c.r.IntN(96)) * time.Hour).Format(time.DateOnly), "kind": "other"}}
	}
}

// mine returns one of the tenant's missions, a late one more often.
func (c *client) mine() *missionModel {
	n := len(c.tenant.missions)
	at := n - 1 - c.r.IntN(min(n, 8))
	return c.p.model.missions[c.tenant.missions[at]]
}

// change changes the state of a mission, whatever it is.
func (c *client) change(op string) { c.changeOf(c.mine(), op) }

func (c *client) changeOf(m *missionModel, op string) {
	ch, began := m.begin(op), time.Now()
	var a answer
	switch {
	case c.r.IntN(3) == 0:
		a = c.mutate(op, m.id)
	case op == "delete":
		a = c.do(http.MethodDelete, "/v1/missions/"+m.id, nil)
	default:
		a = c.do(http.MethodPost, "/v1/missions/"+m.id+"/"+op, nil)
	}
	var got struct {
		Status string
		Ends   *time.Time `json:"ends_at"`
		Later  *time.Time `json:"adjusted_ends_at"`
	}
	a.read(&got)
	for _, t := range []*time.Time{got.Ends, got.Later} {
		if t != nil && a.outcome == done {
			m.ends = *t
		}
	}
	if end := m.earliestEnd(began); op == "start" && a.outcome != declined && got.Ends == nil && end.Before(m.ends) {
		m.ends = end // it had a later start, and may have been started now
	}
	m.end(ch, a)
}

// mutate is changeOf's request in GraphQL, in REST's terms.
func (c *client) mutate(op, id string) answer {
	field, shown := op+"Mission", "mission { status }"
	if op == "delete" {
		shown = "deletedId"
	}
	return c.do(http.MethodPost, "/graphql", map[string]any{
		"query": "mutation($id: ID!) { " + field + "(id: $id) { " + shown + " } }", "variables": map[string]any{"id": id},
	})
}

// hold puts one of the tenants on hold: the states of the other's missions stay exactly known.
func (c *client) hold() {
	c.tenant = c.p.tenants[1]
	c.tenant.held = true
	ch := c.tenant.hold.begin("hold")
	c.tenant.hold.end(ch, c.do(http.MethodPost, "/v1/tenant/hold", map[string]any{"reason": fmt.Sprint("Crisis ", c.p.acts)}))
}

// release releases that tenant.
func (c *client) release() {
	c.tenant = c.p.tenants[1]
	ch := c.tenant.hold.begin("release")
	c.tenant.hold.end(ch, c.do(http.MethodDelete, "/v1/tenant/hold", nil))
}

// finish ends a mission once the days are over.
func (c *client) finish(m *missionModel) {
	states := sorted(m.closure(m.can))
	switch {
	case slices.Contains(states, "draft"):
		c.changeOf(m, "delete")
	case slices.Contains(states, "paused") && c.r.IntN(2) == 0:
		c.changeOf(m, "resume")
	default:
		c.changeOf(m, "complete")
	}
}

// update changes what a mission states.
func (c *client) update() {
	m := c.mine()
	m.updated = true
	body := map[string]any{}
	switch c.r.IntN(3) {
	case 0:
		body["description"] = fmt.Sprint("Description ", c.p.acts)
	case 1:
		body["constraints"] = map[string]any{"posts_per_day": 1 + c.r.IntN(3)}
	case 2:
		body["duration_days"] = 1 + c.r.IntN(5)
		m.ends = time.Time{} // any time from now on, until it is known
	}
	a := c.do(http.MethodPut, "/v1/missions/"+m.id, body)
	if a.outcome == declined && a.status == http.StatusNotFound {
		m.mayBe("gone", "an update")
	}
}

// retry runs a failed job again.
func (c *client) retry() {
	m := c.mine()
	if a := c.do(http.MethodPost, "/v1/missions/"+m.id+"/retry", nil); a.status == http.StatusNotFound {
		m.mayBe("gone", "a retry")
	}
}

// shownPost is what the API shows of a post.
type shownPost struct {
	ID, Status, Text, Platform string
	MissionID                  string `json:"mission_id"`
	Revision                   int
	ScheduledAt                *time.Time `json:"scheduled_at"`
	Links                      []struct {
		URL  string
		Sent string `json:"sent_url"`
	}
}

// sent returns the text as its platform has it.
func (p shownPost) sent() string {
	text := p.Text
	for _, l := range p.Links {
		text = strings.ReplaceAll(text, l.URL, l.Sent)
	}
	return text
}

// some returns posts in a state, or with "" in any, of one of the tenant's missions, or of all if it has none.
func (c *client) some(status string) []shownPost {
	if list := c.posts(c.mine(), status); len(list) > 0 {
		return list
	}
	return c.posts(nil, status)
}

// posts returns some posts of one of the tenant's missions, or with nil of all.
func (c *client) posts(m *missionModel, status string) []shownPost {
	path := "/v1/content?limit=50"
	if m != nil {
		path += "&mission_id=" + m.id
	}
	if status != "" {
		path += "&status=" + status
	}
	a := c.once(http.MethodGet, path, nil, "")
	var list struct{ Data []shownPost }
	if a.outcome == done {
		a.read(&list)
		for _, p := range list.Data {
			if m != nil && p.MissionID != m.id {
				c.s.found("lists show what was asked for", m.id, "its posts", p.MissionID)
			}
		}
	}
	return list.Data
}

// review decides about a post that waits for it.
func (c *client) review() {
	m := c.mine()
	list := c.posts(m, "pending_review")
	if len(list) == 0 {
		list = c.posts(m, "")
	}
	if len(list) == 0 {
		return
	}
	op := one(c.r, []string{"approve", "approve", "approve", "reject", "regenerate"})
	c.actOn(one(c.r, list), op, nil)
}

// link makes a review link.
func (c *client) link() {
	m := c.mine()
	decides, path, key := c.r.IntN(3) > 0, "/v1/missions/"+m.id+"/review_links", fmt.Sprint("link-", c.p.acts)
	body := map[string]any{"name": fmt.Sprint("Client ", c.p.acts), "expires_in_hours": 1 + c.r.IntN(72), "may_decide": decides}
	a := c.once(http.MethodPost, path, body, key)
	for _, s := range c.tenant.sessions { // with which the key is another one
		if b := c.as(s.token).once(http.MethodPost, path, body, key); a.outcome == done && b.outcome == done && bytes.Equal(a.body, b.body) {
			c.s.found("an answer is its caller's alone", path, "another link", string(b.body))
		}
	}
	var made struct{ URL string }
	a.read(&made)
	if at, err := url.Parse(made.URL); a.outcome == done && err == nil {
		c.tenant.links = append(c.tenant.links, knownLink{mission: m.id, path: at.Path, decides: decides})
	}
}

// byLink decides about a post, or comments on it, with a review link.
func (c *client) byLink() {
	if len(c.tenant.links) == 0 {
		return
	}
	l := one(c.r, c.tenant.links)
	list := c.posts(c.p.model.missions[l.mission], "pending_review")
	if len(list) == 0 {
		return
	}
	p, op := one(c.r, list), one(c.r, []string{"approve", "approve", "reject", "comment"})
	form := url.Values{"content": {p.ID}, "revision": {fmt.Sprint(p.Revision)}, "action": {op}}
	if op == "comment" {
		form.Set("text", fmt.Sprintf("By link in act %d.", c.p.acts))
		c.once(http.MethodPost, l.path, form, "")
		return
	}
	known := c.p.model.post(p.ID, p.MissionID)
	ch := known.begin(op)
	a := c.once(http.MethodPost, l.path, form, "")
	if a.outcome == done && !l.decides {
		c.s.found("a link decides only if it may", l.path, "403", a.status)
	}
	if a.outcome == done {
		a.status = http.StatusOK
	} else if a.outcome == declined { // whatever its page says
		a.status = http.StatusConflict
	}
	known.end(ch, a, p)
}

// comment comments on a post.
func (c *client) comment() {
	list := c.posts(c.mine(), "")
	if len(list) == 0 {
		return
	}
	p, text := one(c.r, list), fmt.Sprintf("Comment of act %d.", c.p.acts)
	a := c.do(http.MethodPost, "/v1/content/"+p.ID+"/comments", map[string]any{"text": text})
	var made struct{ ID string }
	a.read(&made)
	if a.outcome == done {
		c.p.model.comments[made.ID] = knownComment{p.ID, text}
	}
}

// edit writes a post's text anew.
func (c *client) edit() {
	if list := c.some(""); len(list) > 0 {
		p := one(c.r, list)
		text := fmt.Sprintf("Edited by act %d%s.", c.p.acts, c.extra())
		c.actOn(p, "edit", map[string]any{"text": text})
	}
}

// onPost does something with a post, whatever its state.
func (c *client) onPost(op string, body map[string]any) {
	status := ""
	if op == "reopen" {
		status = one(c.r, []string{"failed", "expired", "canceled"})
	}
	list := c.some(status)
	if len(list) == 0 && c.r.IntN(4) == 0 {
		list = c.some("")
	}
	if len(list) == 0 {
		return
	}
	if op == "reschedule" {
		body = map[string]any{"scheduled_at": time.Now().Add(time.Duration(1+c.r.IntN(30*60)) * time.Minute).UTC().Format(time.RFC3339)}
	}
	c.actOn(one(c.r, list), op, body)
}

// settle says what became of a post whose outcome nobody could find out: most people look at
// the platform before.
func (c *client) settle() {
	list := c.posts(c.mine(), "unknown")
	if len(list) == 0 {
		return
	}
	p := one(c.r, list)
	body := map[string]any{"publish_again": true}
	if c.r.IntN(5) > 0 {
		if url := c.s.outside.find(p); url != "" {
			body = map[string]any{"published_url": url}
		}
	} else {
		c.s.outside.wanted(p)
	}
	c.s.count("settled")
	c.actOn(p, "settle", body)
}

// actOn does something with a post, and now and then something else then.
func (c *client) actOn(p shownPost, op string, body map[string]any) {
	known := c.p.model.post(p.ID, p.MissionID)
	ch := known.begin(op)
	var a answer
	if op == "edit" {
		a = c.do(http.MethodPut, "/v1/content/"+p.ID, body)
	} else {
		var sent any
		if body != nil {
			sent = body
		}
		a = c.do(http.MethodPost, "/v1/content/"+p.ID+"/"+op, sent)
	}
	var shown shownPost
	a.read(&shown)
	known.end(ch, a, shown)
	if a.outcome != done || c.r.IntN(3) > 0 {
		return
	}
	switch next := one(c.r, []string{"edit", "edit", "approve", "reject", "cancel", "reopen"}); next {
	case "edit":
		c.actOn(p, next, map[string]any{"text": fmt.Sprintf("Edited again by act %d%s.", c.p.acts, c.extra())})
	default:
		c.actOn(p, next, nil)
	}
}

// post writes a post by hand.
func (c *client) post() {
	m := c.mine()
	on := one(c.r, c.s.outside.platforms())
	body := map[string]any{
		"mission_id": m.id, "platform": on, "text": fmt.Sprintf("By hand in act %d of tenant %d%s.", c.p.acts, c.tenant.n, c.extra()),
	}
	if on == string(mission.Instagram) {
		body["media"] = []map[string]any{{"media_id": one(c.r, c.tenant.pictures)}}
	}
	if c.r.IntN(2) == 0 {
		body["scheduled_at"] = time.Now().Add(time.Duration(1+c.r.IntN(30*60)) * time.Minute).UTC().Format(time.RFC3339)
	}
	a := c.do(http.MethodPost, "/v1/content", body)
	if a.outcome == done {
		var made shownPost
		a.read(&made)
		c.p.model.made[made.ID] = fmt.Sprint(body["text"])
	}
}

// imports imports posts.
func (c *client) imports() {
	m := c.mine()
	var b strings.Builder
	b.WriteString("platform,text,scheduled_at\n")
	n := 1 + c.r.IntN(6)
	for i := range n {
		at := time.Now().Add(time.Duration(1+c.r.IntN(30*60)) * time.Minute).UTC().Format(time.RFC3339)
		fmt.Fprintf(&b, "pinterest,Row %d of import %d of tenant %d.,%s\n", i, c.p.acts, c.tenant.n, at)
	}
	c.do(http.MethodPost, "/v1/content/import?partial=true&mission_id="+m.id, b.String())
}

var someEvents = [][]string{
	{"content.published", "mission.completed", "pipeline.job_completed"},
	{"mission.created", "mission.started", "mission.paused", "mission.resumed", "mission.completed"},
	{"content.created", "content.approved", "content.rejected", "content.scheduled", "content.published", "content.failed"},
}

// hook creates an endpoint.
func (c *client) hook() {
	if len(c.tenant.hooks) >= 6 {
		return
	}
	h := &knownHook{path: fmt.Sprintf("/%d/%d", c.tenant.n, c.p.acts), events: one(c.r, someEvents)}
	r := &receiver{path: h.path, moody: c.r.IntN(2) == 0, letters: map[string]*letter{}}
	c.s.mu.Lock()
	c.s.outside.receivers[h.path] = r
	c.s.mu.Unlock()
	a := c.do(http.MethodPost, "/v1/webhooks", map[string]any{"url": receiverURL + h.path, "events": h.events})
	if a.outcome != done {
		return
	}
	var made struct{ ID, Secret string }
	a.read(&made)
	h.id, r.secret, h.made = made.ID, made.Secret, time.Now()
	c.tenant.hooks = append(c.tenant.hooks, h)
}

// changeHook does something with an endpoint.
func (c *client) changeHook() {
	if len(c.tenant.hooks) == 0 {
		return
	}
	h := one(c.r, c.tenant.hooks)
	switch c.r.IntN(5) {
	case 0:
		h.changed = true
		if a := c.do(http.MethodPost, "/v1/webhooks/"+h.id+"/rotate_secret", nil); a.outcome != declined {
			c.s.mu.Lock()
			c.s.outside.receivers[h.path].secret = "" // the receiver takes both
			c.s.mu.Unlock()
		}
	case 1:
		c.do(http.MethodPost, "/v1/webhooks/"+h.id+"/test", nil)
	case 2:
		c.do(http.MethodPost, "/v1/webhooks/"+h.id+"/replay", map[string]any{"since": time.Now().Add(-2 * time.Hour).UTC().Format(time.RFC3339)})
	case 3:
		h.changed = true
		c.do(http.MethodPut, "/v1/webhooks/"+h.id, map[string]any{"enabled": c.r.IntN(3) > 0})
	case 4:
		if c.r.IntN(3) == 0 {
			h.changed = true
			c.do(http.MethodDelete, "/v1/webhooks/"+h.id, nil)
		}
	}
}

// keys makes, rotates and revokes API keys: a revoked one is refused at once.
func (c *client) keys() {
	if len(c.tenant.keys) == 0 || c.r.IntN(3) == 0 {
		a := c.do(http.MethodPost, "/v1/auth/keys", map[string]any{"name": fmt.Sprint("Key ", c.p.acts)})
		if a.outcome == done {
			var made struct{ ID, Key string }
			a.read(&made)
			c.tenant.keys = append(c.tenant.keys, knownKey{made.ID, made.Key})
		}
		return
	}
	at := c.r.IntN(len(c.tenant.keys))
	k := c.tenant.keys[at]
	c.tenant.keys = slices.Delete(slices.Clone(c.tenant.keys), at, at+1)
	a := c.do(http.MethodDelete, "/v1/auth/keys/"+k.id, nil)
	if a.outcome != done {
		return
	}
	if a := c.as(k.key).once(http.MethodGet, "/v1/missions?limit=1", nil, ""); a.outcome == done {
		c.s.found("a revoked key is refused", k.id, "401", fmt.Sprint(a.status))
	}
}

// look reads lists and views.
func (c *client) look() {
	m := c.mine()
	for _, path := range []string{
		"/v1/missions?limit=5", "/v1/missions/" + m.id + "/status", "/v1/events?limit=5", "/v1/analytics?mission_id=" + m.id,
		"/v1/notifications?limit=5", "/v1/usage", "/v1/missions/" + m.id + "?expand=content",
	} {
		a := c.once(http.MethodGet, path, nil, "")
		filtered := a.status == http.StatusBadRequest && strings.Contains(path, "mission_id=")
		if a.outcome == declined && a.status != http.StatusNotFound && !filtered {
			c.s.found("what exists can be read", pattern(path), "200, or 404 once it is deleted", fmt.Sprintf("%d %s", a.status, a.body))
		}
	}
	states := m.closure(m.can)
	a := c.once(http.MethodGet, "/v1/missions/"+m.id, nil, "")
	after := m.closure(m.can)
	var shown struct{ Status string }
	a.read(&shown)
	if a.status == http.StatusNotFound {
		shown.Status = "gone"
	}
	if a.outcome != unknown && !states[shown.Status] && !after[shown.Status] {
		c.s.found("a mission is in a state that it can be in", m.id, fmt.Sprint(sorted(states)), shown.Status)
	}
}

// strange asks for records of another tenant by their ids, in REST and as nodes in GraphQL.
func (c *client) strange() {
	for _, kind := range []struct{ table, path string }{
		{"events", "/v1/events/"}, {"integrations", "/v1/integrations/"}, {"contents", "/v1/content/"}, {"jobs", ""}, {"webhooks", "/v1/webhooks/"},
	} {
		var ids []string
		c.s.rows("SELECT id FROM "+kind.table+" WHERE tenant_id = '"+c.tenant.other.id+"' ORDER BY id DESC LIMIT 20", func(scan func(...any)) {
			id := ""
			scan(&id)
			ids = append(ids, id)
		})
		if len(ids) == 0 {
			continue
		}
		id := one(c.r, ids)
		if kind.path != "" {
			if a := c.once(http.MethodGet, kind.path+id, nil, ""); a.outcome != unknown && a.status != http.StatusNotFound {
				c.s.found("tenants are sealed", "GET "+kind.path, "404", fmt.Sprintf("%d %s", a.status, a.body))
			}
		}
		a := c.once(http.MethodPost, "/graphql", map[string]any{
			"query": "query($id: ID!) { node(id: $id) { id __typename } }", "variables": map[string]any{"id": id},
		}, "")
		var shown struct {
			Data struct{ Node *struct{ ID string } }
		}
		if a.read(&shown); a.outcome == done && shown.Data.Node != nil {
			c.s.found("tenants are sealed", "node of "+kind.table, "null", string(a.body))
		}
	}
}

// foreign asks for what another tenant has.
func (c *client) foreign() {
	c.strange()
	if len(c.tenant.other.missions) == 0 {
		return
	}
	id := one(c.r, c.tenant.other.missions)
	for _, q := range [][2]string{
		{http.MethodGet, "/v1/missions/" + id}, {http.MethodGet, "/v1/missions/" + id + "/status"}, {http.MethodPost, "/v1/missions/" + id + "/pause"},
		{http.MethodDelete, "/v1/missions/" + id},
	} {
		if a := c.once(q[0], q[1], nil, ""); a.outcome != unknown && a.status != http.StatusNotFound {
			c.s.found("tenants are sealed", q[0]+" "+pattern(q[1]), "404", fmt.Sprintf("%d %s", a.status, a.body))
		}
	}
	if a := c.once(http.MethodGet, "/v1/content?limit=50&mission_id="+id, nil, ""); a.outcome == done {
		var list struct{ Data []shownPost }
		a.read(&list)
		if len(list.Data) > 0 {
			c.s.found("tenants are sealed", "GET /v1/content", "no posts of another tenant's", len(list.Data))
		}
	}
	for _, h := range c.tenant.other.hooks {
		if a := c.once(http.MethodGet, "/v1/webhooks/"+h.id+"/deliveries", nil, ""); a.outcome != unknown && a.status != http.StatusNotFound {
			c.s.found("tenants are sealed", "GET deliveries", "404", fmt.Sprint(a.status))
		}
	}
	for _, p := range sorted(c.p.model.posts) {
		if m := c.p.model.missions[c.p.model.posts[p].mission]; m == nil || m.of != c.tenant.other || c.r.IntN(5) > 0 {
			continue
		}
		if a := c.once(http.MethodGet, "/v1/content/"+p, nil, ""); a.outcome != unknown && a.status != http.StatusNotFound {
			c.s.found("tenants are sealed", "GET /v1/content/:id", "404", fmt.Sprintf("%d %s", a.status, a.body))
		}
		if a := c.once(http.MethodPost, "/v1/content/"+p+"/approve", nil, ""); a.outcome != unknown && a.status != http.StatusNotFound {
			c.s.found("tenants are sealed", "POST approve", "404", fmt.Sprintf("%d %s", a.status, a.body))
		}
	}
}
