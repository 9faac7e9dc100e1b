// Package bluesky is the adapter of Bluesky, and of other servers of the AT
// Protocol (atproto.com): each account has a server of its own, its PDS, which
// receives all calls.
package bluesky

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"missiond/internal/publisher"
	"missiond/internal/publisher/linkcard"
	"missiond/mission"
)

// Adapter publishes in the repository of the credentials' account.
type Adapter struct {
	client publisher.Client
	cards  *linkcard.Reader
	video  string
}

var (
	_ publisher.Uploader  = (*Adapter)(nil)
	_ publisher.Reader    = (*Adapter)(nil)
	_ publisher.Audiences = (*Adapter)(nil)
)

// VideoService is the address of the service that prepares videos, for all servers.
const VideoService = "https://video.bsky.app"

// New returns an adapter that makes its calls with c. Posts with a link get the card that
// cards reads; with nil they get none.
func New(c publisher.Client, cards *linkcard.Reader) *Adapter {
	return &Adapter{client: c, cards: cards, video: VideoService}
}

// WithVideoService returns the adapter with a video service at another address.
func (a *Adapter) WithVideoService(address string) *Adapter {
	b := *a
	b.video = address
	return &b
}

// call is a call of a method (an XRPC, named by its NSID): a procedure if it has an
// input, JSON or bytes of a kind, or is marked as one, otherwise a query.
type call struct {
	server, method string
	procedure      bool
	query          url.Values
	input          any
	bytes          []byte
	kind           string
	file           *mission.File // sent instead of bytes
	token          string
	// secrets are what errors mustn't show besides the token.
	secrets []string
}

// do makes a call and returns the response, and an error if that isn't OK.
func (a *Adapter) do(ctx context.Context, k call) (publisher.Response, error) {
	address := strings.TrimRight(k.server, "/") + "/xrpc/" + k.method
	if len(k.query) > 0 {
		address += "?" + k.query.Encode()
	}
	body, kind, err := k.content(ctx)
	if err != nil {
		return publisher.Response{}, err
	}
	verb := http.MethodGet
	if k.procedure || k.input != nil || k.bytes != nil || k.file != nil {
		verb = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, verb, address, body)
	if err != nil {
		if file, ok := body.(io.Closer); ok {
			_ = file.Close()
		}
		return publisher.Response{}, unsendable("The server's address can't be called")
	}
	req.Header.Set("Accept", "application/json")
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	if k.token != "" {
		req.Header.Set("Authorization", "Bearer "+k.token)
	}
	send := a.client.Do
	if k.file != nil {
		req.ContentLength = k.file.Bytes
		send = func(req *http.Request, secrets ...string) (publisher.Response, error) {
			return a.client.Upload(req, publisher.UploadTime(*k.file), secrets...)
		}
	}
	response, err := send(req, k.secrets...)
	if err != nil {
		return publisher.Response{}, err
	}
	if !response.OK() {
		return response, failure(response)
	}
	return response, nil
}

// content returns the body of a call, and its type. Errors: refused; not accepted if it is a
// file that can't be read.
func (k call) content(ctx context.Context) (body io.Reader, kind string, err error) {
	switch {
	case k.input != nil:
		encoded, err := json.Marshal(k.input)
		if err != nil {
			return nil, "", unsendable("The post can't be sent")
		}
		return bytes.NewReader(encoded), "application/json", nil
	case k.file != nil:
		file, err := publisher.Open(ctx, *k.file)
		return file, k.file.ContentType, err
	}
	return bytes.NewReader(k.bytes), k.kind, nil
}

// with completes a call that is made in a session.
func (k call) with(c mission.Credentials) call {
	k.server, k.token, k.secrets = c.Server, c.AccessToken, []string{c.RefreshToken, c.Password}
	return k
}

func unsendable(why string) error {
	return publisher.Response{}.Refused(publisher.CodeRefused, why, "")
}

// problem is an error of the protocol: a name for programs, and a message.
type problem struct {
	Name  string `json:"error"`
	Words string `json:"message"`
}

// problemOf returns a response's problem; it is empty if the response isn't JSON.
func problemOf(a publisher.Response) problem {
	var p problem
	if err := json.Unmarshal(a.Body, &p); err != nil {
		return problem{}
	}
	return p
}

// The names of errors that the adapter handles.
const (
	recordNotFound     = "RecordNotFound"
	blobNotFound       = "BlobNotFound"
	invalidSwap        = "InvalidSwap"
	invalidRequest     = "InvalidRequest"
	authFactorRequired = "AuthFactorTokenRequired"
)

// credentialProblems are errors about the credentials or the account; most come
// with status 400.
var credentialProblems = map[string]bool{
	"ExpiredToken": true, "InvalidToken": true, "AuthenticationRequired": true, "AuthMissing": true,
	authFactorRequired: true, "AccountTakedown": true, "AccountDeactivated": true, "AccountSuspended": true,
	"AccountNotFound": true,
}

// failure returns the error for a response that isn't OK.
func failure(a publisher.Response) error {
	p := problemOf(a)
	words := cmp.Or(p.Words, p.Name)
	switch {
	case a.Status == http.StatusTooManyRequests:
		return a.Fail(words, a.Until("RateLimit-Reset"))
	case a.Status >= http.StatusInternalServerError || !credentialProblems[p.Name]:
		return a.Fail(words, 0)
	case p.Name == authFactorRequired:
		return a.Unauthorized("signing in needs a code that was sent by e-mail; an app password does without")
	default:
		return a.Unauthorized(words)
	}
}

// unauthorized reports whether an error is about the credentials.
func unauthorized(err error) bool {
	var pe *mission.PublishError
	return errors.As(err, &pe) && pe.Unauthorized
}

// inDoubt returns the error of a lookup that failed: the lookup was rejected, not
// the post, whose outcome is still unknown.
func inDoubt(err error) error {
	var pe *mission.PublishError
	if errors.As(err, &pe) && pe.Outcome == mission.OutcomeRefused {
		pe.Outcome = mission.OutcomeUnknown
	}
	return err
}
