package web

import (
	"bytes"
	"net/http"
)

// SignInPage is a page of the console's sign-in. With Path it is the development's, whose
// form is sent there.
type SignInPage struct {
	// Title and Text are shown, with a link if there is one.
	Title, Text, Link, LinkText string
	// Path is where the form is sent, Next the path that it leads to, Roles what one may
	// be, and Problem what is wrong with what was sent: Email and Role.
	Path, Next, Problem, Email, Role string
	Roles                            []string
	// Speed is how many times faster than real time the development's clock runs.
	Speed float64
}

// SignInStyle is the path of the pages' style.
const SignInStyle = ConsoleRoot + "signin.css"

// SignIn responds with a page of the sign-in.
func SignIn(w http.ResponseWriter, status int, p SignInPage) {
	var text bytes.Buffer
	if err := templates.ExecuteTemplate(&text, "signin.html", p); err != nil {
		panic("bug: the page signin.html: " + err.Error())
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", ConsolePolicy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes()) // fails only if the caller is gone
}

// SignInAssets returns a handler of the pages' style.
func SignInAssets() http.Handler { return load("signin.css") }
