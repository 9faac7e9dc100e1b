package app

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"sync"

	"missiond/graph/endpoint"
	"missiond/internal/clock"
	"missiond/internal/console"
	"missiond/internal/devenv"
	"missiond/internal/identity"
	"missiond/internal/outbound"
	"missiond/web"
)

// ConsoleOptions are the console's client of the identity provider.
type ConsoleOptions struct {
	IDPClientID     string `name:"idp-client-id" help:"The console's client id at the identity provider of --idp-issuer. Without it nobody can sign in to the console."`
	IDPClientSecret string `name:"idp-client-secret" help:"The secret of --idp-client-id; a public client has none."`
	ConsoleURL      string `name:"console-url" help:"Where browsers find the service, such as https://console.example.com: the identity provider sends people back to <URL>/console/callback." placeholder:"URL"`
}

// provider returns the console's client of the identity provider, and adds what its
// tokens are for to the accepted audiences; nil without one.
func (o ConsoleOptions) provider(i *IdentityOptions, rules outbound.Rules) (*console.Provider, error) {
	if o.IDPClientID == "" {
		return nil, nil
	}
	if i.IDPIssuer == "" || o.ConsoleURL == "" {
		return nil, errors.New("--idp-client-id needs --idp-issuer and --console-url")
	}
	if err := console.CheckURL(o.ConsoleURL); err != nil {
		return nil, fmt.Errorf("--console-url: %w", err)
	}
	i.IDPAudience = append(i.IDPAudience, o.IDPClientID)
	return &console.Provider{
		Issuer: i.IDPIssuer, ClientID: o.IDPClientID, ClientSecret: o.IDPClientSecret, URL: o.ConsoleURL,
		Rules: rules,
	}, nil
}

// signIn returns the console's sign-in with the identity provider.
func (a *App) signIn(p *console.Provider) *console.SignIn {
	cookies := &console.Cookies{Sessions: a.Accounts}
	if p != nil {
		cookies.Origin = p.URL
	}
	return &console.SignIn{Cookies: cookies, Provider: p, Clock: clock.Real(), Log: a.Log}
}

// devSignIn returns the console's sign-in of a development run, where anyone may be
// anyone, at an address; with dev nil, that of another provider. speed is the clock's.
func (a *App) devSignIn(dev *identity.DevProvider, p *console.Provider, at net.Addr, speed float64) *console.SignIn {
	s := a.signIn(p)
	_, s.Cookies.DevPort, _ = net.SplitHostPort(at.String()) // a listener's
	if dev != nil {
		s.Dev, s.DevOrganization, s.DevSpeed = dev, devenv.DemoOrganization, speed
	}
	return s
}

// consoleDocuments returns the console's documents by their ids. They are read once.
var consoleDocuments = sync.OnceValue(func() map[string]string {
	known, err := endpoint.ReadDocuments(bytes.NewReader(web.ConsoleDocuments()))
	if err != nil {
		panic("bug: the console's documents: " + err.Error())
	}
	return known
})
