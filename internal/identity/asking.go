package identity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// ErrGone is a provider's definite word that somebody's session there is over, or
// that they are no longer in the organisation.
var ErrGone = errors.New("identity: the provider says that the session or the membership is over")

// Bounds of a question to the provider.
const (
	askLimit       = 3 * time.Second
	maxAnswer      = 256 << 10
	maxMemberships = 500
)

// Clerk asks Clerk's Backend API whether a session goes on
// (clerk.com/docs/reference/backend-api). It is safe for concurrent use.
type Clerk struct {
	base, secret string
	client       *http.Client
}

// NewClerk returns a Clerk that asks at a base address, such as
// https://api.clerk.com/v1, with the instance's secret key. Errors: an address that
// isn't https, or http on loopback.
func NewClerk(base, secret string) (*Clerk, error) {
	if err := checkAddress(base); err != nil {
		return nil, err
	}
	return &Clerk{base: strings.TrimSuffix(base, "/"), secret: secret, client: &http.Client{
		Timeout: askLimit, Transport: transport(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Asked is whom a provider is asked about.
type Asked struct {
	// SessionID is the provider's session, "" where it isn't known; Subject the
	// person; OrganizationID "" for a personal tenant.
	SessionID, Subject, OrganizationID string
}

// Ask returns the role that the person has in the organisation now, "" for a
// personal tenant. Errors: ErrGone where the provider says so; any other where
// it doesn't answer, or not so that it is understood.
func (c *Clerk) Ask(ctx context.Context, who Asked) (role string, err error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	if who.SessionID != "" {
		var session struct {
			Status string `json:"status"`
			UserID string `json:"user_id"`
		}
		if err := c.get(ctx, "/sessions/"+url.PathEscape(who.SessionID), &session); err != nil {
			return "", err
		}
		if session.Status == "" {
			return "", errors.New("identity: the provider's answer has no status")
		}
		if session.Status != "active" || session.UserID != who.Subject {
			return "", ErrGone
		}
	}
	if who.OrganizationID == "" {
		return "", nil
	}
	var memberships struct {
		Data []struct {
			Role         string `json:"role"`
			Organization struct {
				ID string `json:"id"`
			} `json:"organization"`
		} `json:"data"`
		TotalCount *int `json:"total_count"`
	}
	path := fmt.Sprintf("/users/%s/organization_memberships?limit=%d", url.PathEscape(who.Subject), maxMemberships)
	if err := c.get(ctx, path, &memberships); err != nil {
		return "", err
	}
	for _, m := range memberships.Data {
		if m.Organization.ID == who.OrganizationID {
			return m.Role, nil
		}
	}
	if memberships.TotalCount == nil || *memberships.TotalCount > len(memberships.Data) {
		return "", errors.New("identity: the provider's answer isn't the whole of it")
	}
	return "", ErrGone
}

// get reads what is at a path. What isn't there is gone.
func (c *Clerk) get(ctx context.Context, path string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+c.secret)
	req.Header.Set("Accept", "application/json")
	resp, err := c.client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	switch resp.StatusCode {
	case http.StatusOK:
		return json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(into)
	case http.StatusNotFound, http.StatusGone:
		return ErrGone
	}
	return fmt.Errorf("identity: the provider answers %d", resp.StatusCode)
}
