package rest

import (
	"context"
	"time"

	"missiond/internal/identity"
	"missiond/internal/service/accounts"
	"missiond/mission"
)

const tagSession tag = "Session and identity"

// routeSessions registers the routes of sessions (interface, section 4).
func (a *API) routeSessions() {
	handleBody(a, tagSession.post(mission.OpLogin, "/v1/auth/login", "Log in with an identity provider's token").
		withExample(`{"clerk_token":"eyJhbGciOiJSUzI1NiIsImtpZCI6Imluc18xIn0.eyJzdWIiOiJ1c2VyXzEifQ.c2lnbmF0dXJl"}`), a.login)
	handle(a, tagSession.post(mission.OpRefresh, "/v1/auth/refresh", "Get the session's next token"), a.refresh)
	handle(a, tagSession.post(mission.OpLogout, "/v1/auth/logout", "End the session"), a.logout)
	handle(a, tagSession.get(mission.OpWhoami, "/v1/auth/whoami", "Get the caller"), a.whoami)
	handle(a, tagSession.get(mission.OpPreferences, "/v1/auth/preferences", "Read the caller's preferences"), a.readPreferences)
	handleBody(a, tagSession.put(mission.OpPrefer, "/v1/auth/preferences", "Update the caller's preferences").
		withExample(`{"review_emails":false}`), a.updatePreferences)
}

type loginBody struct {
	ClerkToken string `json:"clerk_token" doc:"A token from the identity provider" example:"eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c2VyXzEifQ.c2ln"`
}

// IssuedToken is a session's token.
type IssuedToken struct {
	Token     string    `json:"token" doc:"The session's token, a JWT" example:"eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c3JfMSJ9.c2ln"`
	ExpiresAt time.Time `json:"expires_at" doc:"Until when it is valid"`
}

type loggedIn struct {
	IssuedToken

	User   ShownUser   `json:"user"`
	Tenant ShownTenant `json:"tenant"`
}

// ShownUser is a user.
type ShownUser struct {
	ID    string  `json:"id" doc:"Its id" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	Email *string `json:"email" doc:"null if the identity provider doesn't report it" example:"ada@example.com"`
	Name  *string `json:"name" doc:"null if the identity provider doesn't report it" example:"Ada Lovelace"`
}

// ShownTenant is a tenant.
type ShownTenant struct {
	ID   string `json:"id" doc:"Its id" example:"tnt_01jnd2x6k8e4rvt0m7y3bqz5cg"`
	Name string `json:"name" doc:"What people call it" example:"Acme"`
}

func showUser(u mission.User) ShownUser {
	return ShownUser{ID: u.ID, Email: orNull(u.Email), Name: orNull(u.Name)}
}

// orNull returns nil for "".
func orNull[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}

func (a *API) login(ctx context.Context, _ mission.Principal, _ *RawText, in loginBody) (loggedIn, error) {
	i, err := a.accounts.Login(ctx, in.ClerkToken)
	return loggedIn{
		IssuedToken: showToken(i), User: showUser(i.User), Tenant: ShownTenant{ID: i.Tenant.ID, Name: i.Tenant.Name},
	}, err
}

func showToken(i accounts.Issued) IssuedToken {
	return IssuedToken{Token: i.Token, ExpiresAt: i.ExpiresAt}
}

// refreshParams has the token itself: a token may be fit for a refresh when it no
// longer authenticates.
type refreshParams struct {
	Authorization string `header:"Authorization" hidden:"true"`
}

func (a *API) refresh(ctx context.Context, _ mission.Principal, in *refreshParams) (IssuedToken, error) {
	credential, err := identity.Bearer(in.Authorization)
	if err != nil {
		return IssuedToken{}, mission.Unauthorized()
	}
	i, err := a.accounts.Refresh(ctx, credential)
	return showToken(i), err
}

type success struct {
	Success bool `json:"success" doc:"That the session ended: always true" example:"true"`
}

func (a *API) logout(ctx context.Context, p mission.Principal, _ *struct{}) (success, error) {
	err := a.accounts.Logout(ctx, p)
	return success{Success: err == nil}, err
}

type preferences struct {
	ReviewEmails bool `json:"review_emails" doc:"Whether the person gets e-mails about posts that wait for review" example:"true"`
}

func (a *API) readPreferences(ctx context.Context, p mission.Principal, _ *struct{}) (preferences, error) {
	found, err := a.accounts.Preferences(ctx, p)
	return preferences{ReviewEmails: found.ReviewEmails}, err
}

type preferencesBody struct {
	ReviewEmails *bool `json:"review_emails,omitempty" nullable:"false" doc:"Whether the person gets e-mails about posts that wait for review" example:"false"`
}

func (a *API) updatePreferences(ctx context.Context, p mission.Principal, _ *RawText, in preferencesBody) (preferences, error) {
	changed, err := a.accounts.UpdatePreferences(ctx, p, accounts.PreferencesInput{ReviewEmails: in.ReviewEmails})
	return preferences{ReviewEmails: changed.ReviewEmails}, err
}

type whoami struct {
	User struct {
		ShownUser

		Role mission.Role `json:"role" doc:"What the person may do" example:"editor"`
	} `json:"user"`
	Tenant struct {
		ShownTenant

		Slug string `json:"slug" doc:"Its short name; others may have the same" example:"acme"`
	} `json:"tenant"`
	AuthMethod mission.AuthMethod `json:"auth_method" doc:"How the caller showed who it is" example:"api_key"`
	Scopes     []mission.Scope    `json:"scopes" doc:"What it allows" example:"missions:read,missions:write"`
}

func (a *API) whoami(ctx context.Context, p mission.Principal, _ *struct{}) (whoami, error) {
	u, t, err := a.accounts.Whoami(ctx, p)
	w := whoami{AuthMethod: p.Method(), Scopes: p.Scopes}
	w.User.ShownUser, w.User.Role = showUser(u), u.Role
	w.Tenant.ShownTenant, w.Tenant.Slug = ShownTenant{ID: t.ID, Name: t.Name}, t.Slug
	return w, err
}
