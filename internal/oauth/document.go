package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"missiond/internal/outbound"
	"missiond/mission"
)

// Bounds of the documents that describe clients: their length, how long one is used, how long one that can't be read isn't
// asked for again, how many are stored, and how many are read at a time.
const (
	maxDocument    = 5 << 10 // bytes
	documentLimit  = 5 * time.Second
	documentLife   = 15 * time.Minute
	failureLife    = time.Minute
	maxDocuments   = 1000
	documentReads  = 8
	documentHeader = 8 << 10 // bytes
)

// Documents read the documents that describe clients (OAuth Client ID Metadata Document), through a client that connects
// to public addresses only and follows no redirect. They are safe for concurrent use.
type Documents struct {
	rules  outbound.Rules
	client *http.Client
	now    func() time.Time
	turns  chan struct{}

	mu    sync.Mutex
	known map[string]read
}

// read is the result of a read.
type read struct {
	client mission.OAuthClient
	err    error
	until  time.Time
}

// NewDocuments returns Documents. o has the limits and the TLS of the client, of which those that are 0 are set.
func NewDocuments(rules outbound.Rules, o outbound.Options, now func() time.Time) *Documents {
	o.Call, o.Connect, o.Wait, o.Header, o.Body = documentLimit, documentLimit, documentLimit, documentHeader, maxDocument
	return &Documents{rules: rules, client: rules.Client(o), now: now, turns: make(chan struct{}, documentReads), known: map[string]read{}}
}

// Close closes the client's connections.
func (d *Documents) Close() { d.client.CloseIdleConnections() }

// Client returns the client that the document at an address describes. Errors: *mission.AgentRefusal;
// service_unavailable if too many are read at the time.
func (d *Documents) Client(ctx context.Context, address string) (mission.OAuthClient, error) {
	if err := checkDocumentAddress(address); err != nil {
		return mission.OAuthClient{}, err
	}
	if r, ok := d.remembered(address); ok {
		return r.client, r.err
	}
	select {
	case d.turns <- struct{}{}:
		defer func() { <-d.turns }()
	default:
		return mission.OAuthClient{}, &mission.Error{Code: mission.CodeServiceUnavailable, RetryAfter: 1, Message: "Too many clients' documents are being read; try again."}
	}
	c, err := d.Read(ctx, address)
	if ctx.Err() != nil {
		return c, ctx.Err() // the caller left: that says nothing about the document
	}
	life := documentLife
	if err != nil {
		life = failureLife
	}
	d.remember(address, read{c, err, d.now().Add(life)})
	return c, err
}

func (d *Documents) remembered(address string) (r read, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r, ok = d.known[address]
	return r, ok && d.now().Before(r.until)
}

// remember stores the result of a read. If there are too many, those that have expired are dropped, and all if that isn't
// enough.
func (d *Documents) remember(address string, r read) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.known) >= maxDocuments {
		now := d.now()
		for a, old := range d.known {
			if !now.Before(old.until) {
				delete(d.known, a)
			}
		}
		if len(d.known) >= maxDocuments {
			clear(d.known)
		}
	}
	d.known[address] = r
}

func refuseDocument(text string) error {
	return mission.Refuse(mission.RefusedClient, "client_id", text)
}

// checkDocumentAddress returns a refusal unless an address has the form of a client's id: https, with a path that has no
// dots as parts, and without a user name, a query or a fragment.
func checkDocumentAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.ContainsFunc(address, unfit) || u.Path == "" || u.Path == "/" ||
		strings.TrimSuffix(u.Path, "/") != path.Clean(u.Path) {
		return refuseDocument("The client's id must be the https address of a document, with a path, and without a query.")
	}
	return nil
}

// unfit reports whether a client's address may not have a character.
func unfit(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`#?\`, r) }

// Read reads the document at an address, which Client has checked, past what is remembered. Errors: *mission.AgentRefusal.
func (d *Documents) Read(ctx context.Context, address string) (c mission.OAuthClient, err error) {
	if err := d.rules.Check(ctx, "client_id", address); err != nil {
		return c, refuseDocument("The client's document is at an address that can't be read.")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return c, refuseDocument("The client's document is at an address that can't be read.")
	}
	req.Header.Set("Accept", "application/json")
	resp, err := d.client.Do(req)
	if err != nil {
		return c, refuseDocument("The client's document can't be read.")
	}
	defer func() { _ = resp.Body.Close() }()
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if resp.StatusCode != http.StatusOK || err != nil || kind != "application/json" && !strings.HasSuffix(kind, "+json") {
		return c, refuseDocument("The client's document isn't there as JSON.")
	}
	text, err := io.ReadAll(resp.Body)
	if errors.Is(err, outbound.ErrTooLong) {
		return c, refuseDocument("The client's document is longer than 5 KiB.")
	}
	if err != nil {
		return c, refuseDocument("The client's document can't be read.")
	}
	return readDocument(address, text)
}

// readMetadata reads what a client says of itself. Members that aren't known are ignored (RFC 7591, section 2).
func readMetadata(text []byte) (m clientMetadata, err error) {
	if json.Unmarshal(text, &m) != nil {
		return m, mission.Refuse(mission.RefusedMetadata, "", "The client's metadata isn't a JSON object with the members of RFC 7591.")
	}
	return m, m.fits()
}

// readDocument returns the client that a document describes.
func readDocument(address string, text []byte) (c mission.OAuthClient, err error) {
	m, err := readMetadata(text)
	var own struct {
		ID     string `json:"client_id"`
		Secret any    `json:"client_secret"`
	}
	switch {
	case err != nil || json.Unmarshal(text, &own) != nil:
		return c, refuseDocument("The client's document has no metadata that can be used.")
	case own.ID != address:
		return c, refuseDocument("The client's document is another client's.")
	case own.Secret != nil || m.AuthMethod != "" && m.AuthMethod != "none" && m.AuthMethod != "private_key_jwt":
		return c, refuseDocument("A client that a document describes can have no secret.")
	}
	c = mission.OAuthClient{ID: address, Name: mission.CleanClientName(m.Name, m.RedirectURIs), RedirectURIs: m.RedirectURIs}
	if c.Check() != nil {
		return c, refuseDocument("The client's document has redirect URIs that can't be used.")
	}
	return c, nil
}
