package mastodon

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/oauth2"

	"missiond/internal/publisher"
	"missiond/mission"
)

// clientName is the service's name where an owner consents.
const clientName = "missiond"

// scopes are what the adapter's calls need.
var scopes = []string{"read:accounts", "read:statuses", "write:statuses"}

// Authorize registers an application with the server, for this grant alone:
// servers forget those that nobody used. It answers where the owner consents.
func (a *Adapter) Authorize(ctx context.Context, g mission.Grant) (string, mission.Grant, error) {
	form := url.Values{
		"client_name": {clientName}, "redirect_uris": {g.RedirectURL}, "scopes": {strings.Join(scopes, " ")},
	}
	if a.website != "" {
		form.Set("website", a.website)
	}
	answer, err := a.do(ctx, mission.Credentials{Server: g.Server}, call{method: http.MethodPost, path: "/api/v1/apps", form: form})
	if err != nil {
		return "", mission.Grant{}, err
	}
	var app struct {
		ClientID     string `json:"client_id"`
		ClientSecret string `json:"client_secret"`
	}
	if err := answer.JSON(&app); err != nil {
		return "", mission.Grant{}, err
	}
	if app.ClientID == "" || app.ClientSecret == "" {
		return "", mission.Grant{}, answer.Malformed()
	}
	g.ClientID, g.ClientSecret = app.ClientID, app.ClientSecret
	return config(g).AuthCodeURL(g.State, oauth2.S256ChallengeOption(g.Verifier)), g, nil
}

// Exchange answers the token that the owner's code stands for.
func (a *Adapter) Exchange(ctx context.Context, g mission.Grant, code string) (mission.Credentials, error) {
	ctx = context.WithValue(ctx, oauth2.HTTPClient, a.client.HTTP())
	token, err := config(g).Exchange(ctx, code, oauth2.VerifierOption(g.Verifier))
	if err != nil {
		return mission.Credentials{}, exchangeFailure(err, code, g.Verifier, g.ClientSecret)
	}
	granted := slices.Clone(scopes)
	if said, ok := token.Extra("scope").(string); ok && said != "" {
		granted = strings.Fields(said)
	}
	return mission.Credentials{
		Server: g.Server, AccessToken: token.AccessToken, Scopes: granted,
		ClientID: g.ClientID, ClientSecret: g.ClientSecret,
	}, nil
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

// exchangeFailure is the error of a code that wasn't exchanged. Whatever
// happened, no token was given.
func exchangeFailure(err error, secrets ...string) error {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) || refused.Response == nil {
		return unexchanged(err)
	}
	words := cmp.Or(refused.ErrorDescription, refused.ErrorCode)
	for _, secret := range secrets {
		if secret != "" {
			words = strings.ReplaceAll(words, secret, "…")
		}
	}
	answer := publisher.Answer{Status: refused.Response.StatusCode}
	if refused.ErrorCode == "invalid_grant" || refused.ErrorCode == "invalid_client" {
		return answer.Unauthorized(words)
	}
	if answer.OK() {
		return answer.Refused(publisher.CodeRefused, "The platform gave no token", words)
	}
	return notTaken(answer.Fail(words, 0))
}

// unexchanged is the error of a code to which no answer came that makes sense.
func unexchanged(err error) error {
	var call *url.Error
	if errors.As(err, &call) {
		return &mission.PublishError{Outcome: mission.OutcomeNotTaken, Failure: mission.Failure{
			Code: publisher.CodeUnreachable, Message: "The platform could not be reached.",
		}}
	}
	return notTaken(publisher.Answer{Status: http.StatusOK}.Malformed())
}

func notTaken(err error) error {
	var pe *mission.PublishError
	if errors.As(err, &pe) && pe.Outcome == mission.OutcomeUnknown {
		pe.Outcome = mission.OutcomeNotTaken
	}
	return err
}
