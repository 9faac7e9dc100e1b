package app

import (
	"errors"
	"net/http"
	"net/url"

	"missiond/internal/identity"
	"missiond/internal/oauth"
)

// issuer returns the address of the authorization server for agents: the public URL, or the address of a development run.
// Without one there is no authorization server, since clients compare it byte for byte with what they were told. Errors: why
// there is none.
func (o PlatformOptions) issuer(c *Config) (string, error) {
	if o.PublicURL == "" && !c.Rules.Local {
		return "", errors.New("--public-url isn't set")
	}
	if err := identity.CheckAddress(c.PublicURL); err != nil {
		return "", err
	}
	if u, err := url.Parse(c.PublicURL); err != nil || u.Scheme+"://"+u.Host != c.PublicURL {
		return "", errors.New("--public-url has a path")
	}
	return c.PublicURL, nil
}

// handleAgents registers the authorization server for agents.
func (a *App) handleAgents(mux *http.ServeMux) {
	if a.Issuer == "" {
		return
	}
	o := oauth.Options{Agents: a.Agents, Address: a.Limits.Address}
	if a.Console != nil {
		o.ConsoleURL = a.Console.URL
	}
	oauth.New(o).Handle(mux.Handle)
}
