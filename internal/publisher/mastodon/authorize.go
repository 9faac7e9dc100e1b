package mastodon

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/oauth2"

	"missiond/internal/publisher"
	"missiond/mission"
)

// clientName is the service's name where an owner consents.
const clientName = "missiond"

// scopes are the scopes that the adapter's calls need.
var scopes = []string{"read:accounts", "read:statuses", "write:statuses"}

// Authorize registers an application with the server, for this grant alone, since
// servers remove applications that nobody uses. It returns the address at which the
// owner consents.
func (a *Adapter) Authorize(ctx context.Context, g mission.Grant) (string, mission.Grant, error) {
	form := url.Values{
		"client_name": {clientName}, "redirect_uris": {g.RedirectURL}, "scopes": {strings.Join(scopes, " ")},
	}
	if a.website != "" {
		form.Set("website", a.website)
	}
	response, err := a.do(ctx, mission.Credentials{Server: g.Server}, call{method: http.MethodPost, path: "/api/v1/apps", form: form})
	if err != nil {
		return "", mission.Grant{}, err
	}
	var app struct {
		ClientID     string `json:"client_id"`
		ClientSecret string `json:"client_secret"`
	}
	if err := response.JSON(&app); err != nil {
		return "", mission.Grant{}, err
	}
	if app.ClientID == "" || app.ClientSecret == "" {
		return "", mission.Grant{}, response.Malformed()
	}
	g.ClientID, g.ClientSecret = app.ClientID, app.ClientSecret
	return config(g).AuthCodeURL(g.State, oauth2.S256ChallengeOption(g.Verifier)), g, nil
}

// Exchange returns the token for the owner's code.
func (a *Adapter) Exchange(ctx context.Context, g mission.Grant, code string) (mission.Credentials, error) {
	flow := publisher.OAuth{Client: a.client, Config: config(g), Reset: resetHeader}
	c, err := flow.Exchange(ctx, code, g.Verifier)
	if err != nil {
		return mission.Credentials{}, err
	}
	c.Server, c.ClientID, c.ClientSecret = g.Server, g.ClientID, g.ClientSecret
	return c, nil
}

func config(g mission.Grant) *oauth2.Config {
	return &oauth2.Config{
		ClientID: g.ClientID, ClientSecret: g.ClientSecret, RedirectURL: g.RedirectURL, Scopes: scopes,
		Endpoint: oauth2.Endpoint{
			AuthURL: base(g.Server) + "/oauth/authorize", TokenURL: base(g.Server) + "/oauth/token",
			AuthStyle: oauth2.AuthStyleInParams,
		},
	}
}
