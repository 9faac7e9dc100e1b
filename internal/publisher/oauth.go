package publisher

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"missiond/mission"
)

// OAuth exchanges codes and renews tokens at a platform (RFC 6749). Its errors are
// *mission.PublishError with the outcome not taken, since no post is involved.
type OAuth struct {
	Client Client
	Config *oauth2.Config
	// Reset is the header in which the platform says when a rate limit ends; "" if
	// that is Retry-After.
	Reset string
}

// grantErrors are the codes of RFC 6749, section 5.2, that reject a grant for good.
// X returns invalid_request for a refresh token that is used up.
var grantErrors = []string{"invalid_request", "invalid_grant", "invalid_scope"}

// clientErrors are the section's other codes: the platform rejects the client,
// which its operator can fix, and says nothing about the grant.
var clientErrors = []string{"invalid_client", "unauthorized_client", "unsupported_grant_type"}

// Exchange returns the credentials for an owner's code. verifier is the proof of
// RFC 7636, "" if the platform accepts none.
func (o OAuth) Exchange(ctx context.Context, code, verifier string) (mission.Credentials, error) {
	ctx = context.WithValue(ctx, oauth2.HTTPClient, o.Client.HTTP())
	var options []oauth2.AuthCodeOption
	if verifier != "" {
		options = append(options, oauth2.VerifierOption(verifier))
	}
	token, err := o.Config.Exchange(ctx, code, options...)
	if err != nil {
		return mission.Credentials{}, o.failed(ctx, err, code, verifier)
	}
	return o.withToken(mission.Credentials{Scopes: o.Config.Scopes}, token), nil
}

// Refresh returns credentials with a new access token. The refresh token is
// replaced if the platform returns another one, and otherwise retained. Errors:
// unauthorized also if there is no refresh token, or no client to use it.
func (o OAuth) Refresh(ctx context.Context, old mission.Credentials) (mission.Credentials, error) {
	if old.RefreshToken == "" || o.Config.ClientID == "" {
		return mission.Credentials{}, ended()
	}
	ctx = context.WithValue(ctx, oauth2.HTTPClient, o.Client.HTTP())
	token, err := o.Config.TokenSource(ctx, &oauth2.Token{RefreshToken: old.RefreshToken}).Token()
	if err != nil {
		return mission.Credentials{}, o.failed(ctx, err, old.RefreshToken, old.AccessToken)
	}
	return o.withToken(old, token), nil
}

// withToken returns credentials with a new token. Its expiry is computed from the
// client's clock, not the library's.
func (o OAuth) withToken(c mission.Credentials, token *oauth2.Token) mission.Credentials {
	c.AccessToken, c.ExpiresAt = token.AccessToken, nil
	if token.RefreshToken != "" {
		c.RefreshToken = token.RefreshToken
	}
	if token.ExpiresIn > 0 {
		at := o.Client.Now().Add(time.Duration(token.ExpiresIn) * time.Second).UTC().Truncate(time.Millisecond)
		c.ExpiresAt = &at
	}
	// RFC 6749 separates scopes by spaces, LinkedIn by commas.
	if text, ok := token.Extra("scope").(string); ok && text != "" && len(text) <= maxScopes {
		c.Scopes = strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
	}
	return c
}

// ended returns the error for credentials that can't be renewed.
func ended() error {
	return &mission.PublishError{
		Outcome: mission.OutcomeNotAccepted, Unauthorized: true,
		Failure: mission.Failure{Code: CodeUnauthorized, Message: "The credentials have ended, and only their owner can renew them."},
	}
}

// failed returns the error of a token endpoint; secrets are what the call was made
// with. A failure that the owner can't fix isn't unauthorized: the grant may well
// be good.
func (o OAuth) failed(ctx context.Context, err error, secrets ...string) error {
	var failed *oauth2.RetrieveError
	if !errors.As(err, &failed) || failed.Response == nil {
		return o.silent(ctx, err)
	}
	a := Response{
		Status: failed.Response.StatusCode, Header: failed.Response.Header, Body: failed.Body,
		now: o.Client.Now(), secrets: append(secrets, o.Config.ClientSecret),
	}
	words := failed.ErrorDescription
	if words == "" {
		words = failed.ErrorCode
	}
	limited := a.Status == http.StatusTooManyRequests
	busy := limited || a.Status >= http.StatusInternalServerError
	ours := busy || slices.Contains(clientErrors, failed.ErrorCode)
	if !ours && (a.Status == http.StatusUnauthorized || slices.Contains(grantErrors, failed.ErrorCode)) {
		return a.Unauthorized(words)
	}
	if limited {
		return a.Fail(words, a.Until(o.Reset))
	}
	return &mission.PublishError{
		Outcome: mission.OutcomeNotAccepted, RetryAfter: or(a.wait(0), unavailableFor),
		Failure: a.failure(CodeUnavailable, "The platform does not renew credentials for now", words),
	}
}

// silent returns the error of a token endpoint that returned no response, or one
// that makes no sense.
func (o OAuth) silent(ctx context.Context, err error) error {
	e := &mission.PublishError{
		Outcome: mission.OutcomeNotAccepted, RetryAfter: unavailableFor,
		Failure: mission.Failure{Code: CodeMalformed, Message: "The platform's response to a request for a token could not be understood."},
	}
	var unsent *url.Error
	if errors.As(err, &unsent) || ctx.Err() != nil {
		e.Failure = mission.Failure{Code: CodeUnreachable, Message: "The platform's token endpoint could not be reached."}
	}
	return e
}
