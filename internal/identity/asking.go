package identity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"missiond/internal/outbound"
)

// ErrGone is the provider's definite response that a session there has ended, or
// that the person is no longer a member of the organization.
var ErrGone = errors.New("identity: the provider says that the session or the membership is over")

// Limits of a call to the provider.
const (
	checkTimeout   = 3 * time.Second
	maxMemberships = 500
)

// Clerk checks with Clerk's Backend API whether a session is still active
// (clerk.com/docs/reference/backend-api). It is safe for concurrent use.
type Clerk struct {
	base, secret string
	client       *http.Client
}

// NewClerk returns a Clerk that calls a base address, such as
// https://api.clerk.com/v1, with the instance's secret key. Errors: if the address
// isn't https, or http on loopback.
func NewClerk(rules outbound.Rules, base, secret string) (*Clerk, error) {
	if err := CheckAddress(base); err != nil {
		return nil, err
	}
	return &Clerk{base: strings.TrimSuffix(base, "/"), secret: secret, client: NewClient(rules, checkTimeout)}, nil
}

// Login is the login of a person that a provider checks.
type Login struct {
	// SessionID is the provider's session, "" if it isn't known; Subject the
	// person; OrganizationID "" for a personal tenant.
	SessionID, Subject, OrganizationID string
}

// CheckLogin returns the role that the person now has in the organization, "" for a
// personal tenant. Errors: ErrGone if the provider says so; any other if it doesn't
// respond, or not in a known form.
func (c *Clerk) CheckLogin(ctx context.Context, who Login) (role string, err error) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
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
			return "", errors.New("identity: the provider's response has no status")
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
		return "", errors.New("identity: the provider's response is incomplete")
	}
	return "", ErrGone
}

// get reads the resource at a path. Errors: ErrGone if it doesn't exist.
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
		return json.NewDecoder(resp.Body).Decode(into)
	case http.StatusNotFound, http.StatusGone:
		return ErrGone
	}
	return fmt.Errorf("identity: the provider responded with %d", resp.StatusCode)
}
