package posturl

import (
	"testing"

	"missiond/mission"
)

// Whatever form an address of Mastodon has, it isn't another account's.
func TestMastodonAccounts(t *testing.T) {
	i := mission.Integration{ID: "int_1", Platform: mission.Mastodon, Server: "https://social.example", Account: &mission.Account{ID: "116", Handle: "ada@social.example", URL: "https://social.example/@ada"}}
	for path, id := range map[string]string{
		"/@ada/109": "109", "/@Ada/109/": "109", "/@ada@social.example/109": "109", "/web/@ada/109": "109", "/deck/@ada/109": "109", "/%40ada/109": "109", "/@ada/statuses/01HZX": "01HZX",
		"/users/ada/statuses/109": "109", "/ap/users/116/statuses/109": "109", "/p/ada/109": "109", "/notice/AbCdEfGhIjKlMnOpQr": "AbCdEfGhIjKlMnOpQr", "/web/statuses/109": "109",
		"/objects/3b-4c": "", "/display/3b-4c": "", "/x/../@ada/109": "109", "/@ada/with_replies": "", "/@ada/media": "",
	} {
		if got, err := Parse(i, "https://social.example"+path); err != nil || got.PostID != id {
			t.Errorf("%s: got %q, %v", path, got.PostID, err)
		}
	}
	for _, path := range []string{
		"/@bob/109", "/@bob@other.example/109", "/@ada@other.example/109", "/web/@bob/109", "/deck/@bob/109", "/%40bob/109", "/@bob/statuses/01HZX", "/users/bob/statuses/109", "/users/bob/objects/3b",
		"/ap/users/117/statuses/109", "/p/bob/109", `/\@ada/109`, "/%5C@ada/109", "/./@bob/109", "//@bob/109", "/x/../@bob/109", "/@ada", "/@ada/", "/users/ada", "/", "",
	} {
		if got, err := Parse(i, "https://social.example"+path); mission.CodeOf(err) != mission.CodeInvalidRequest {
			t.Errorf("%s: got %+v, %v", path, got, err)
		}
	}
	i.Account = nil
	if got, err := Parse(i, "https://social.example/@bob/109"); err != nil || got.PostID != "109" {
		t.Errorf("without an account: got %+v, %v", got, err)
	}
}
