// Package wordpress is the adapter of WordPress's REST API v2 (developer.wordpress.org/rest-api, of
// 2026-08-22): each tenant has a site of their own, and a user with an application password there.
package wordpress

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Adapter publishes on the site that the credentials name.
type Adapter struct{ client publisher.Client }

var (
	_ publisher.Uploader = (*Adapter)(nil)
	_ publisher.Reader   = (*Adapter)(nil)
)

// New returns an adapter that makes its calls with c.
func New(c publisher.Client) *Adapter { return &Adapter{client: c} }

// user is a user of a site.
type user struct {
	ID      int               `json:"id"`
	Name    string            `json:"name"`
	Slug    string            `json:"slug"`
	Link    string            `json:"link"`
	Avatars map[string]string `json:"avatar_urls"`
	// Capabilities are what the user may do.
	Capabilities map[string]bool `json:"capabilities"`
}

// avatarSize is the width of the picture of a user, one of those that WordPress makes.
const avatarSize = "96"

// Connect returns the user of the application password. Errors: unauthorized, also if the user may
// not publish.
func (a *Adapter) Connect(ctx context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	response, err := a.do(ctx, c, call{path: "/wp/v2/users/me", query: url.Values{"context": {"edit"}}})
	if err != nil {
		return mission.Account{}, mission.Credentials{}, err
	}
	var whose user
	if err := response.JSON(&whose); err != nil {
		return mission.Account{}, mission.Credentials{}, err
	}
	server, err := url.Parse(c.Server)
	if err != nil || whose.ID <= 0 || whose.Slug == "" || whose.Link == "" {
		return mission.Account{}, mission.Credentials{}, response.Malformed()
	}
	if !whose.Capabilities["publish_posts"] {
		return mission.Account{}, mission.Credentials{}, response.Unauthorized("the user may not publish posts there: an author or more may")
	}
	c.AccountID = strconv.Itoa(whose.ID)
	return mission.Account{
		ID: c.AccountID, Handle: whose.Slug + "@" + server.Host, Name: cmp.Or(strings.TrimSpace(whose.Name), whose.Slug), URL: whose.Link,
		AvatarURL: whose.Avatars[avatarSize],
	}, c, nil
}

// Refresh always fails: an application password doesn't expire, and only its user makes another.
func (a *Adapter) Refresh(context.Context, mission.Credentials) (mission.Credentials, error) {
	refused := publisher.Response{Status: http.StatusUnauthorized}
	return mission.Credentials{}, refused.Unauthorized("the site has removed the application password, and only its user can make another")
}

// call is a request to the API: a GET if it has neither input nor file.
type call struct {
	path  string
	query url.Values
	// input is sent as JSON unless it is nil, file as it is.
	input any
	file  *mission.File
}

// do makes a call and returns the response, and an error if that isn't OK. A site without
// permalinks has its API behind its front page: a call that finds none at /wp-json is made there.
func (a *Adapter) do(ctx context.Context, c mission.Credentials, k call) (publisher.Response, error) {
	response, err := a.at(ctx, c, k, strings.TrimRight(c.Server, "/")+"/wp-json"+k.path, k.query)
	if err == nil && response.Status == http.StatusNotFound && problemOf(response).Code == "" {
		query := url.Values{"rest_route": {k.path}}
		for name, values := range k.query {
			query[name] = values
		}
		response, err = a.at(ctx, c, k, strings.TrimRight(c.Server, "/")+"/", query)
	}
	if err != nil {
		return publisher.Response{}, err
	}
	if !response.OK() {
		return response, failure(response)
	}
	return response, nil
}

// at makes a call at an address.
func (a *Adapter) at(ctx context.Context, c mission.Credentials, k call, address string, query url.Values) (publisher.Response, error) {
	body, kind, err := k.content(ctx)
	if err != nil {
		return publisher.Response{}, err
	}
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		if file, ok := body.(io.Closer); ok {
			_ = file.Close()
		}
		return publisher.Response{}, unsendable("The site's address can't be called")
	}
	req.Header.Set("Accept", "application/json")
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	secret := base64.StdEncoding.EncodeToString([]byte(c.Identifier + ":" + c.Password))
	req.Header.Set("Authorization", "Basic "+secret)
	if k.file == nil {
		return a.client.Do(req, c.Password, secret)
	}
	req.ContentLength = k.file.Bytes
	req.Header.Set("Content-Disposition", `attachment; filename="`+publisher.FileName(k.file.ContentType)+`"`)
	return a.client.Upload(req, publisher.UploadTime(*k.file), c.Password, secret)
}

// content returns the body of a call, nil if it has none, and its type. Errors: refused; not accepted
// if it is a file that can't be read.
func (k call) content(ctx context.Context) (body io.Reader, kind string, err error) {
	switch {
	case k.file != nil:
		file, err := publisher.Open(ctx, *k.file)
		return file, k.file.ContentType, err
	case k.input != nil:
		encoded, err := json.Marshal(k.input)
		if err != nil {
			return nil, "", unsendable("The article can't be sent")
		}
		return bytes.NewReader(encoded), "application/json", nil
	}
	return nil, "", nil
}

func unsendable(why string) error {
	return publisher.Response{}.Refused(publisher.CodeRefused, why, "")
}

// problem is an error of WordPress.
type problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Data    struct {
		// Params are the parameters that are wrong, and TermID the tag that there is already.
		Params map[string]string `json:"params"`
		TermID int               `json:"term_id"`
	} `json:"data"`
}

// problemOf returns a response's problem; it is empty if the response isn't WordPress's.
func problemOf(a publisher.Response) problem {
	var p problem
	if json.Unmarshal(a.Body, &p) != nil {
		// PHP writes an empty list for a map without entries.
		var plain struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		}
		if json.Unmarshal(a.Body, &plain) != nil {
			return problem{}
		}
		return problem{Code: plain.Code, Message: plain.Message}
	}
	return p
}

// forbidden are the errors about a user who may not publish or upload; without a user their status
// is 401.
var forbidden = map[string]bool{
	"rest_cannot_create": true, "rest_cannot_publish": true, "rest_cannot_edit": true, "rest_forbidden": true,
	"rest_forbidden_context": true, "rest_cannot_view": true, "rest_cannot_assign_term": true,
}

// failure returns the error for a response that isn't OK. A site that doesn't know the user refuses
// the states of posts that it would only show to one, with 400. What it can't store, with 500, it
// never will.
func failure(a publisher.Response) error {
	p := problemOf(a)
	switch {
	case p.Code == "rest_upload_sideload_error", p.Code == "rest_upload_unknown_error":
		return a.Refused(publisher.CodeRefused, "The platform can't use the file", p.Message)
	case p.Code == "rest_invalid_param" && p.Data.Params["status"] != "", a.Status == http.StatusForbidden && forbidden[p.Code]:
		return a.Unauthorized(p.Message)
	case a.Status/100 == http.StatusMultipleChoices/100:
		return a.Refused(publisher.CodeRefused, "The site is at another address", a.Header.Get("Location"))
	}
	return a.Fail(p.Message, 0)
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
