package mission

import (
	"errors"
	"testing"
)

// A bot posts to a channel that is named, a webhook to its own.
func TestConnectDiscord(t *testing.T) {
	const hook, bot = "https://discord.com/api/webhooks/1/a", "a.b.c"
	for name, tt := range map[string]struct{ token, account, param string }{
		"a webhook":                     {hook, "", ""},
		"a webhook with a channel":      {hook, "199737254929760256", "account"},
		"a bot":                         {bot, " 199737254929760256 ", ""},
		"a bot without a channel":       {bot, "", "account"},
		"a bot with a channel's name":   {bot, "#news", "account"},
		"a bot with an id that's long":  {bot, "199737254929760256000", "account"},
		"a bot with the account's form": {bot, "channel:199737254929760256", "account"},
		"nothing":                       {"", "199737254929760256", "access_token"},
	} {
		in := ConnectInput{Platform: Discord, AccessToken: &tt.token}
		if tt.account != "" {
			in.Account = &tt.account
		}
		auth, c, err := in.Read()
		switch {
		case tt.param == "" && (err != nil || auth != IntegrationToken || c.AccessToken != tt.token):
			t.Errorf("%s: got %s, %v", name, auth, err)
		case tt.param != "":
			if e := (*Error)(nil); !errors.As(err, &e) || e.Param != tt.param || e.Code != CodeInvalidRequest {
				t.Errorf("%s: got %v", name, err)
			}
		}
	}
	bots, hooks := Integration{Platform: Discord, Account: &Account{ID: DiscordChannel + "1"}}, Integration{Platform: Discord, Account: &Account{ID: "1"}}
	if LookupOf(&bots).Kind != LookupByText || LookupOf(&hooks) != (Lookup{Kind: LookupNone}) {
		t.Errorf("the lookups are %+v and %+v", LookupOf(&bots), LookupOf(&hooks))
	}
}
