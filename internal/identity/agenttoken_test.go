package identity

import "testing"

// A credential of an agent has one form, and is never taken for another.
func TestAgentCredentials(t *testing.T) {
	forms := map[string]func(string) bool{"key": IsKey, "code": IsAgentCode, "token": IsAgentToken, "refresh": IsAgentRefresh}
	for of, made := range map[string]string{"key": NewKey(), "code": NewAgentCode(), "token": NewAgentToken(), "refresh": NewAgentRefresh()} {
		for form, is := range forms {
			if is(made) != (form == of) {
				t.Errorf("%s has the form of a %s: %t", made, form, is(made))
			}
			if is(made[:len(made)-1]+"!") || is(made+"0") || is("") {
				t.Errorf("%s: another text has the form of a %s", made, form)
			}
		}
	}
}
