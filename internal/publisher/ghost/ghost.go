// Package ghost is the adapter of Ghost's Admin API (docs.ghost.org/admin-api, of 2026-08-22): each
// tenant has a site of their own. Articles are made as drafts under a slug that the service chooses,
// and then published; e-mail is never sent.
package ghost

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"missiond/internal/publisher"
	"missiond/mission"
)

const (
	// apiPath is where the API is below a site's address, and apiVersion the one that is spoken.
	apiPath    = "/ghost/api/admin"
	apiVersion = "v6.0"
	// tokenLife is the longest life of a token that Ghost takes.
	tokenLife = 5 * time.Minute
)

// Adapter publishes on the site that the credentials name.
type Adapter struct{ client publisher.Client }

var (
	_ publisher.Uploader = (*Adapter)(nil)
	_ publisher.Reader   = (*Adapter)(nil)
)

// New returns an adapter that makes its calls with c.
func New(c publisher.Client) *Adapter { return &Adapter{client: c} }

// site is what Ghost says of a site, to everybody.
type site struct {
	Title string `json:"title"`
	URL   string `json:"url"`
	UUID  string `json:"site_uuid"`
	Icon  string `json:"icon"`
	Logo  string `json:"logo"`
}

// Connect returns the site once it has taken the key.
func (a *Adapter) Connect(ctx context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	if _, err := a.do(ctx, c, call{path: "/posts/", query: url.Values{"limit": {"1"}, "fields": {"id"}}}); err != nil {
		return mission.Account{}, mission.Credentials{}, err
	}
	response, err := a.do(ctx, c, call{path: "/site/"})
	if err != nil {
		return mission.Account{}, mission.Credentials{}, err
	}
	var found struct {
		Site site `json:"site"`
	}
	if err := response.JSON(&found); err != nil {
		return mission.Account{}, mission.Credentials{}, err
	}
	s := found.Site
	address, err := url.Parse(s.URL)
	if err != nil || address.Host == "" || address.Scheme != "https" && address.Scheme != "http" {
		return mission.Account{}, mission.Credentials{}, response.Malformed()
	}
	place := address.Host + strings.TrimRight(address.Path, "/")
	c.AccountID = cmp.Or(s.UUID, place)
	return mission.Account{
		ID: c.AccountID, Handle: place, Name: cmp.Or(strings.TrimSpace(s.Title), place), URL: s.URL, AvatarURL: cmp.Or(s.Icon, s.Logo),
	}, c, nil
}

// Refresh always fails: a key doesn't expire, and only the site's owner makes another.
func (a *Adapter) Refresh(context.Context, mission.Credentials) (mission.Credentials, error) {
	refused := publisher.Response{Status: http.StatusUnauthorized}
	return mission.Credentials{}, refused.Unauthorized("the site has removed the key, and only its owner can make another")
}

// call is a request to the API: a GET if it has no method.
type call struct {
	method, path string
	query        url.Values
	// input is sent as JSON unless it is nil.
	input any
	// form is sent instead, for the file of the size of which it is.
	form *publisher.Form
	file mission.File
}

// do makes a call and returns the response, and an error if that isn't OK.
func (a *Adapter) do(ctx context.Context, c mission.Credentials, k call) (publisher.Response, error) {
	token, secret, err := a.token(c)
	if err != nil {
		return publisher.Response{}, err
	}
	req, err := k.request(ctx, c.Server)
	if err != nil {
		return publisher.Response{}, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Accept-Version", apiVersion)
	req.Header.Set("Authorization", "Ghost "+token)
	var response publisher.Response
	if k.form != nil {
		response, err = a.client.Upload(req, publisher.UploadTime(k.file), c.AccessToken, secret)
	} else {
		response, err = a.client.Do(req, c.AccessToken, secret)
	}
	if err != nil {
		return publisher.Response{}, err
	}
	if !response.OK() {
		return response, failure(response)
	}
	return response, nil
}

// request returns the request of a call. Errors: refused.
func (k call) request(ctx context.Context, server string) (*http.Request, error) {
	address := strings.TrimRight(server, "/") + apiPath + k.path
	if len(k.query) > 0 {
		address += "?" + k.query.Encode()
	}
	var body io.Reader
	kind := ""
	switch {
	case k.form != nil:
		body, kind = k.form, k.form.ContentType
	case k.input != nil:
		encoded, err := json.Marshal(k.input)
		if err != nil {
			return nil, unsendable("The article can't be sent")
		}
		body, kind = bytes.NewReader(encoded), "application/json"
	}
	req, err := http.NewRequestWithContext(ctx, cmp.Or(k.method, http.MethodGet), address, body)
	if err != nil {
		if k.form != nil {
			_ = k.form.Close()
		}
		return nil, unsendable("The site's address can't be called")
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	if k.form != nil {
		req.ContentLength = k.form.Length
	}
	return req, nil
}

func unsendable(why string) error {
	return publisher.Response{}.Refused(publisher.CodeRefused, why, "")
}

// token returns a token for one call, made with the account's Admin API key: an id and a secret in
// hexadecimal digits, with a colon between them. Errors: unauthorized if the key isn't one.
func (a *Adapter) token(c mission.Credentials) (token, secret string, err error) {
	id, secret, _ := strings.Cut(c.AccessToken, ":")
	key, err := hex.DecodeString(secret)
	if err != nil || id == "" || len(key) == 0 {
		refused := publisher.Response{Status: http.StatusUnauthorized}
		return "", "", refused.Unauthorized("an Admin API key has an id, a colon and a secret in hexadecimal digits")
	}
	now := a.client.Now()
	t := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
		"iat": now.Unix(), "exp": now.Add(tokenLife).Unix(), "aud": "/admin/",
	})
	t.Header["kid"] = id
	if token, err = t.SignedString(key); err != nil {
		return "", "", unsendable("The key can't be used")
	}
	return token, secret, nil
}

// problem is an error of Ghost.
type problem struct {
	Message string `json:"message"`
	Context string `json:"context"`
	Type    string `json:"type"`
	Code    string `json:"code"`
}

// problemOf returns a response's first problem; it is empty if the response isn't Ghost's.
func problemOf(a publisher.Response) problem {
	var p struct {
		Errors []problem `json:"errors"`
	}
	if json.Unmarshal(a.Body, &p) != nil || len(p.Errors) == 0 {
		return problem{}
	}
	return p.Errors[0]
}

// words returns Ghost's own message.
func (p problem) words() string {
	if p.Context != "" && p.Message != "" {
		return strings.TrimRight(p.Message, ".") + ": " + p.Context
	}
	return cmp.Or(p.Context, p.Message)
}

// failure returns the error for a response that isn't OK. Ghost refuses a key's token with 400 or
// 401, and with 403 what the key's integration may not do.
func failure(a publisher.Response) error {
	p := problemOf(a)
	switch {
	case p.Code == "INVALID_JWT", p.Type == "NoPermissionError" && a.Status == http.StatusForbidden:
		return a.Unauthorized(p.words())
	case a.Status/100 == http.StatusMultipleChoices/100:
		return a.Refused(publisher.CodeRefused, "The site is at another address", a.Header.Get("Location"))
	}
	return a.Fail(p.words(), 0)
}

// inDoubt returns the error of a lookup that failed: the lookup was refused, not the post, whose
// outcome is still unknown.
func inDoubt(err error) error {
	var pe *mission.PublishError
	if errors.As(err, &pe) && pe.Outcome == mission.OutcomeRefused {
		e := *pe
		e.Outcome = mission.OutcomeUnknown
		return &e
	}
	return err
}
