// Package meta has what the adapters of Meta's platforms share: how its Graph APIs are called and
// what their errors mean, how tokens are exchanged and renewed, how containers become posts, and how
// insights are read (developers.facebook.com, pages of 2026).
package meta

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// clocksApart is how much a platform's clock may differ from ours.
const clocksApart = 5 * time.Minute

// API is a Graph API: its address, with the version.
type API struct {
	client publisher.Client
	base   string
}

// New returns the API at an address, which ends with its version.
func New(c publisher.Client, base string) API {
	return API{client: c, base: strings.TrimSuffix(base, "/")}
}

// Now returns the real time.
func (a API) Now() time.Time { return a.client.Now() }

// Get reads an object or a list. Errors: a *mission.PublishError; see ErrorOf.
func (a API) Get(ctx context.Context, c mission.Credentials, path string, q url.Values, into any) error {
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.base+path, http.NoBody)
	if err != nil {
		return fmt.Errorf("make a request: %w", err)
	}
	return a.do(req, c, into)
}

// Post sends a form. Errors: as Get's.
func (a API) Post(ctx context.Context, c mission.Credentials, path string, form url.Values, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return fmt.Errorf("make a request: %w", err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return a.do(req, c, into)
}

// Upload sends a form with a file, or a piece of one, as a field: size bytes of content, which are
// closed. It may take as long as the whole file may. Errors: as Get's, and those of reading content.
func (a API) Upload(
	ctx context.Context, c mission.Credentials, path string, fields url.Values, field string, f mission.File, content io.ReadCloser, size int64,
	into any,
) error {
	form, err := publisher.NewForm(fields, field, f.ContentType, content, size)
	if err != nil {
		_ = content.Close()
		return fmt.Errorf("make a form: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base+path, form)
	if err != nil {
		_ = content.Close()
		return fmt.Errorf("make a request: %w", err)
	}
	req.ContentLength = form.Length
	req.Header.Set("Content-Type", form.ContentType)
	req.Header.Set("Authorization", "Bearer "+c.AccessToken)
	response, err := a.client.Upload(req, publisher.UploadTime(f), c.RefreshToken)
	if err != nil {
		return err
	}
	return read(response, into)
}

// do makes a call with an account's token, which is in a header: addresses are logged.
func (a API) do(req *http.Request, c mission.Credentials, into any) error {
	req.Header.Set("Authorization", "Bearer "+c.AccessToken)
	response, err := a.client.Do(req, c.RefreshToken)
	if err != nil {
		return err
	}
	return read(response, into)
}

// read decodes a response, unless it is an error.
func read(response publisher.Response, into any) error {
	if !response.OK() {
		return fail(response)
	}
	if err := response.JSON(into); err != nil {
		return err
	}
	return nil
}

// ids matches the ids of objects. The form keeps them from having another meaning in an address.
var ids = regexp.MustCompile(`^[0-9]+(_[0-9]+)?$`)

// IsID reports whether a text may be the id of an object.
func IsID(text string) bool { return ids.MatchString(text) }

// Time is a point in time as the Graph API writes it.
type Time struct{ time.Time }

// UnmarshalJSON implements [json.Unmarshaler].
func (t *Time) UnmarshalJSON(data []byte) (err error) {
	text := strings.Trim(string(data), `"`)
	if t.Time, err = time.Parse("2006-01-02T15:04:05-0700", text); err != nil {
		t.Time, err = time.Parse(time.RFC3339, text)
	}
	return err
}

// List is a page of a list. It goes on after a cursor unless Next is "".
type List[T any] struct {
	Data   []T `json:"data"`
	Paging struct {
		Cursors struct {
			After string `json:"after"`
		} `json:"cursors"`
		Next string `json:"next"`
	} `json:"paging"`
}

// Pages reads a list page by page until see returns false, at most pages of them; whole reports
// whether the list or the search came to its end. The addresses that pages name aren't followed: they
// have the token.
func Pages[T any](
	ctx context.Context, a API, c mission.Credentials, path string, q url.Values, pages int, see func(T) bool,
) (whole bool, err error) {
	for range pages {
		var page List[T]
		if err := a.Get(ctx, c, path, q, &page); err != nil {
			return false, err
		}
		for _, each := range page.Data {
			if !see(each) {
				return true, nil
			}
		}
		if page.Paging.Next == "" {
			return true, nil
		}
		if page.Paging.Cursors.After == "" {
			return false, nil
		}
		q.Set("after", page.Paging.Cursors.After)
	}
	return false, nil
}

// Since returns from when on an account's posts may be the part: its first call. The times of a
// development clock that runs fast mean nothing to a platform.
func (a API) Since(p mission.Part) time.Time {
	if p.CalledAt.After(a.Now().Add(clocksApart)) {
		return time.Time{}
	}
	return p.CalledAt.Add(-clocksApart)
}

// Same reports whether two texts say the same, whatever is between their words.
func Same(a, b string) bool {
	return strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
}
