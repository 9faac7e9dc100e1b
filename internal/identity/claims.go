package identity

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/golang-jwt/jwt/v5"

	"missiond/mission"
)

// pending is Clerk's status of a session that isn't complete yet (its session
// tokens' claim sts).
const pending = "pending"

// read checks a token's claims and returns the identity that they state.
func (p *Provider) read(claims jwt.MapClaims) (External, error) {
	validator := jwt.NewValidator(
		jwt.WithIssuer(p.config.Issuer), jwt.WithExpirationRequired(), jwt.WithIssuedAt(),
		jwt.WithLeeway(clockSkew), jwt.WithTimeFunc(p.now),
	)
	if err := validator.Validate(claims); err != nil {
		return External{}, err
	}
	if err := p.checkParties(claims); err != nil {
		return External{}, err
	}
	if claims["sts"] == pending {
		return External{}, errors.New("the session is pending")
	}
	who := External{
		Issuer: p.config.Issuer, Subject: text(claims, "sub"), SessionID: text(claims, p.config.SessionClaim),
		Name: text(claims, p.config.NameClaim), Organization: organization(claims),
	}
	if verified(claims) {
		who.Email = text(claims, p.config.EmailClaim)
	} else {
		who.Unverified = text(claims, p.config.EmailClaim)
	}
	if who.Subject == "" || who.SessionID == "" {
		return External{}, errors.New("the token has no subject or no session")
	}
	return who, who.check()
}

// verified reports whether the provider has verified the e-mail: it says so (some as a
// text), or says nothing of it, as Clerk's session tokens (OpenID Connect Core 1.0,
// section 5.1).
func verified(claims jwt.MapClaims) bool {
	said, ok := claims["email_verified"]
	return !ok || said == true || said == "true"
}

// check rejects identifiers that can't be stored, or that readers couldn't tell
// apart. What is only displayed, as a name, is cleaned where it is stored.
func (e External) check() error {
	ids := []string{e.Subject, e.SessionID}
	if e.Organization != nil {
		ids = append(ids, e.Organization.ID, e.Organization.Role)
	}
	for _, id := range ids {
		if id != mission.CleanLine(id) || strings.ContainsRune(id, utf8.RuneError) { // an invalid character, as JSON decoders leave it
			return errors.New("an identifier of the token isn't one line of visible characters")
		}
	}
	return nil
}

// checkParties checks for whom a token was issued: an aud must be one of ours (RFC
// 7519, section 4.1.3), and so must an azp, which a token for several audiences must
// have (OpenID Connect Core 1.0, section 3.1.3.7); one of the two claims must be there.
func (p *Provider) checkParties(claims jwt.MapClaims) error {
	audiences, err := claims.GetAudience()
	if err != nil {
		return err
	}
	ours := func(a string) bool { return slices.Contains(p.config.Audiences, a) }
	if len(audiences) > 0 && !slices.ContainsFunc(audiences, ours) {
		return errors.New("the token is for another audience")
	}
	azp, issued := claims["azp"]
	if party, _ := azp.(string); issued && !slices.Contains(p.config.Parties, party) && !ours(party) {
		return errors.New("the token was issued to another party")
	}
	if !issued && len(audiences) != 1 {
		return errors.New("the token names no authorized party, and no audience or several")
	}
	return nil
}

// text returns a claim that is a string; "" if it isn't one.
func text(claims map[string]any, name string) string {
	s, _ := claims[name].(string)
	return s
}

// organization reads Clerk's claims of both versions: o with id, slg and rol in
// version 2, org_id, org_slug and org_role in version 1
// (clerk.com/docs/guides/sessions/session-tokens).
func organization(claims jwt.MapClaims) *Organization {
	org := Organization{ID: text(claims, "org_id"), Slug: text(claims, "org_slug"), Role: text(claims, "org_role")}
	if o, ok := claims["o"].(map[string]any); ok {
		org = Organization{ID: text(o, "id"), Slug: text(o, "slg"), Role: text(o, "rol")}
	}
	if org.ID == "" {
		return nil
	}
	return &org
}
