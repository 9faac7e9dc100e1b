package web

import (
	"bytes"
	"net/http"
)

// ConsentPage says who asks the owner of an account for access to it. Its form is sent to
// Action.
type ConsentPage struct {
	// Tenant is where the account will be connected, Member who asks; "" if unknown.
	Tenant, Member string
	// Platform is the account's, Server the host that is asked next.
	Platform, Server string
	// Rights are what the platform's own page asks for, and why; empty if that is one thing.
	Rights []string
	// Elsewhere is the tenant that the browser is signed in to if it is another one, else "".
	Elsewhere string
	Action    string
}

// consentPolicy lets the form go on to the platform, and from there wherever a consent that
// was given before leads: browsers apply form-action to redirects too. The page has no script
// and nobody's markup.
const consentPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'self' https: http:; frame-ancestors 'none'"

// Consent responds with the page.
func Consent(w http.ResponseWriter, p ConsentPage) {
	var text bytes.Buffer
	if err := templates.ExecuteTemplate(&text, "consent.html", p); err != nil {
		panic("bug: the page consent.html: " + err.Error())
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", consentPolicy)
	h.Set("Referrer-Policy", "same-origin") // the form says where it comes from
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(text.Bytes()) // fails only if the caller is gone
}
