package checks

import (
	"strings"
	"testing"

	"missiond/internal/links"
	"missiond/mission"
)

func assignment(change func(a *mission.Assignment)) mission.Assignment {
	source := "https://press.test/study/"
	a := mission.Assignment{
		Brief: mission.Brief{
			MissionName: "Spring", Description: "We make lists for small teams, for 9 EUR a month.", Objectives: []string{"Sell the plan at $1,200.50"},
			Constraints: mission.Constraints{ExcludedTopics: []string{"politics"}},
			Brand:       mission.Brand{Name: "Acme", Website: "https://www.acme.test/about", BannedWords: []string{"revolutionary"}},
		},
		Slot:  mission.Slot{Platform: mission.Bluesky, Format: mission.FormatPost, Objective: "Increase brand awareness"},
		Facts: []mission.Fact{{Text: "Half of the teams, 50 %, save 30 EUR. It is guaranteed.", Source: &source}},
	}
	if change != nil {
		change(&a)
	}
	return a
}

func post(text string) mission.Draft { return mission.Draft{Format: mission.FormatPost, Text: text} }

// broken returns the rules that a draft breaks, with the messages.
func broken(b *Bar, d mission.Draft) (rules []string, messages string) {
	for _, f := range b.Check(d) {
		rules, messages = append(rules, string(f.Rule)), messages+f.Message+" "
	}
	return rules, messages
}

func TestRules(t *testing.T) {
	two := 2
	cited := func(text string) mission.Draft {
		d := post(text)
		d.Facts = []mission.CitedFact{assignment(nil).Facts[0].Cited()}
		return d
	}
	for name, tt := range map[string]struct {
		draft  mission.Draft
		change func(a *mission.Assignment)
		want   string // the broken rules
	}{
		"nothing":                {draft: post("Small teams ship calmer with one shared list.")},
		"too long":               {draft: post(strings.Repeat("free ", 100)), want: "length"},
		"no words":               {draft: post("… !"), want: "length"},
		"one part":               {draft: mission.Draft{Format: mission.FormatThread, Text: "One.", Parts: []string{"One."}}, want: "length"},
		"placeholder":            {draft: post("Hello {{name}}, come in."), want: "leftovers"},
		"hidden":                 {draft: post("Small te\u200bams ship."), want: "hidden_characters"},
		"a tag":                  {draft: post("Small teams\U000e0041 ship."), want: "hidden_characters"},
		"override":               {draft: post("Small \u202eteams ship."), want: "hidden_characters"},
		"private":                {draft: post("Small \ue000teams ship."), want: "hidden_characters"},
		"unassigned":             {draft: post("Small \u0378teams ship."), want: "hidden_characters"},
		"a family and a flag":    {draft: post("Small teams 👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ☀️ ship.")},
		"Persian":                {draft: post("می\u200cخواهم این را بخوانم")},
		"Hindi":                  {draft: post("यह क्\u200dया है")},
		"Cyrillic in Latin":      {draft: post("Visit Аcme, the best."), want: "scripts"},
		"Greek in Latin":         {draft: post("Visit Αcme, it is good."), want: "scripts"},
		"Japanese":               {draft: post("iPhoneを買いました。カタカナとひらがな")},
		"a formula":              {draft: post("The value of Δt is small.")},
		"Russian and English":    {draft: post("Наш API уже готов, смотрите GitHub.")},
		"foreign link":           {draft: post("See https://evil.test/x now."), want: "links"},
		"own link":               {draft: post("See https://shop.acme.test/x now.")},
		"source":                 {draft: cited("See https://press.test/study. It helps.")},
		"beside the source":      {draft: post("See https://press.test/study/other now."), want: "links"},
		"account":                {draft: post("Ask @victim about it."), want: "accounts"},
		"Bitcoin":                {draft: post("Give to 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa today."), want: "money_addresses"},
		"Ethereum":               {draft: post("Give to 0x52908400098527886E0F7030069857D2E4169EE7 today."), want: "money_addresses"},
		"IBAN":                   {draft: post("Give to GB33 BUKB 2020 1555 5555 55 today."), want: "money_addresses"},
		"no IBAN":                {draft: post("Order GB33 BUKB 2020 1555 5555 56 today.")},
		"topic":                  {draft: post("All about POLITICS!"), want: "excluded_topics"},
		"banned":                 {draft: post("A #Revolutionary list."), want: "banned_words"},
		"required":               {draft: post("A list."), change: func(a *mission.Assignment) { a.Brief.Brand.RequiredWords = []string{"Acme"} }, want: "required_words"},
		"required and there":     {draft: post("A list of ACME's."), change: func(a *mission.Assignment) { a.Brief.Brand.RequiredWords = []string{"Acme"} }},
		"hashtags":               {draft: post("A list. #a #b #c"), change: func(a *mission.Assignment) { a.Brief.Brand.Hashtags.Max = &two }, want: "hashtags"},
		"two hashtags":           {draft: post("A list. #a #b"), change: func(a *mission.Assignment) { a.Brief.Brand.Hashtags.Max = &two }},
		"always":                 {draft: post("A list. #b"), change: func(a *mission.Assignment) { a.Brief.Brand.Hashtags.Always = []string{"#acme"} }, want: "hashtags"},
		"always there":           {draft: post("A list. #Acme"), change: func(a *mission.Assignment) { a.Brief.Brand.Hashtags.Always = []string{"#acme"} }},
		"always, decomposed":     {draft: post("A list. #Cafe\u0301"), change: func(a *mission.Assignment) { a.Brief.Brand.Hashtags.Always = []string{"#caf\u00e9"} }},
		"no emoji":               {draft: post("A list ✅."), change: func(a *mission.Assignment) { a.Brief.Brand.Emoji = mission.EmojiNone }, want: "emoji"},
		"a trademark":            {draft: post("A list™ ©."), change: func(a *mission.Assignment) { a.Brief.Brand.Emoji = mission.EmojiNone }},
		"few emoji":              {draft: post("A list ✅👨‍👩‍👧🇩🇪."), change: func(a *mission.Assignment) { a.Brief.Brand.Emoji = mission.EmojiFew }},
		"many emoji":             {draft: post("A list ✅👨‍👩‍👧🇩🇪👍🏽."), change: func(a *mission.Assignment) { a.Brief.Brand.Emoji = mission.EmojiFew }, want: "emoji"},
		"expired fact":           {draft: cited("A list."), change: func(a *mission.Assignment) { a.Facts = nil }, want: "facts"},
		"price of the mission":   {draft: post("Only 9 € a month, or 1.200,5 dollars.")},
		"price of a cited fact":  {draft: cited("It saves €30, that is 50%.")},
		"price of a silent fact": {draft: post("It saves €30."), want: "prices"},
		"other currency":         {draft: post("Only $9 a month."), want: "prices"},
		"other price":            {draft: post("Only 8 EUR a month."), want: "prices"},
		"percentage":             {draft: post("Save 20 percent."), want: "prices"},
		"Arabic digits":          {draft: post("وفر ٢٠٪ الآن"), want: "prices"},
		"years and counts":       {draft: post("In 2026 we are 12 people, and 3 of 4 like it.")},
		"promise":                {draft: post("It works, guaranteed."), want: "promises"},
		"money back":             {draft: post("Money-back for all."), want: "promises"},
		"promise of a fact":      {draft: cited("It works, guaranteed.")},
		"German":                 {draft: post("Das klappt garantiert."), want: "promises"},
		"feel free":              {draft: post("Feel free to ask.")},
		"fact, decomposed": {
			draft:  mission.Draft{Format: mission.FormatPost, Text: "It saves €30.", Facts: []mission.CitedFact{{Text: "A cafe\u0301 saves 30 EUR."}}},
			change: func(a *mission.Assignment) { a.Facts = []mission.Fact{{Text: "A caf\u00e9 saves 30 EUR."}} },
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := New(assignment(tt.change))
			if got, messages := broken(b, tt.draft); strings.Join(got, " ") != tt.want {
				t.Errorf("got %v, want %q: %s", got, tt.want, messages)
			}
			v := b.Verdict(tt.draft)
			first, bad := v.Broken()
			if len(v.Checks) != len(mission.AllRules()) || bad != (tt.want != "") || bad && string(first.Rule) != tt.want {
				t.Errorf("the verdict is %+v", v)
			}
		})
	}
}

// What a post may lead to, beside links, is what the brief names.
func TestStrangers(t *testing.T) {
	brief := namesIn("Thank @Ann_B and @acme@mastodon.social, write of $ACME, call +49 30 1234567, give to bitcoin:bc1qacme.", "On Bluesky we are @acme.bsky.social.")
	for text, want := range map[string]bool{
		// Hits.
		"Ask @victim": true, "@victim": true, "(@victim)": true, "cc @Ann_Bee": true, "＠victim": true, "@ann.b": true, "Hi @ann_b@evil.example": true, "\"@victim\"": true,
		"Buy $SCAM now": true, "$scam": true, "Up: $BRK.A!": true, "＄SCAM": true,
		"Call 555-123-4567": true, "(555) 123-4567": true, "1-800-555-0100": true, "800.555.0100": true, "+1 555 010 9999": true, "+15550109999": true, "0049 30 7654321": true, "030 7654321": true, "(030) 765 43 21": true, "0800 7654321": true, "＋１５５５０１０９９９９": true,
		"bitcoin:bc1qevil": true, "Pay ethereum:0xabc": true, "tel:5550109": true, "mailto:me": true, "javascript:alert(1)": true, "BITCOIN:BC1QEVIL": true, "foocoin:bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkf": true,
		// What the brief names.
		"Thanks, @ann_b!": false, "By @ACME@mastodon.social.": false, "@acme.bsky.social says hi": false, "$acme is up": false, "Call 030 1234567 or +49 (30) 1234567.": false, "bitcoin:bc1qacme": false,
		// False alarms.
		"Meet @ 5 pm": false, "work@home": false, "We pay $5, US$10 and $1.5k": false, "A$AP": false, "$variable_name": false, "100 $": false,
		"On 2026-11-21": false, "21.11.2026": false, "01.02.2026 10.30": false, "05/06/2026 at 07:00": false, "From 2019-2025": false, "1,000,000 people": false, "1 000 000 people": false, "10:00-18:00": false, "Room 030": false, "+50 people": false, "Call 112": false,
		"Tip: water them": false, "Note:this works": false, "re:invent": false, "Score 3:1": false, "data: what we know": false, "The file: a story": false, "Pros:\ncons": false,
	} {
		_, rest := links.Anywhere(brief.without(text))
		got := brief.account(rest) != "" || brief.strangeTap(rest) || brief.money(rest) != ""
		if got != want {
			t.Errorf("%q: %v, want a stranger: %v", text, got, want)
		}
	}
}

func TestLinks(t *testing.T) {
	home := homeOf("https://www.Acme.com/about")
	for text, want := range map[string]bool{
		"See https://acme.com.": false, "See http://ACME.com/x?y=evil.com,": false, "(https://shop.acme.com/a)": false, "acme.com/x": false,
		"www.acme.com": false, "Node.js and e.g. others, etc. Version 2.0.1 at 9.30": false, "Wait...what": false, "U.S. news": false, "https://acme.com…": false,
		"https://evil.com": true, "HTTPS://EVIL.COM": true, "http://evil.com/acme.com": true, "https://acme.com@evil.com": true, "https://acme.com:x@evil.com/": true,
		"https://acme.com.evil.com": true, "https://notacme.com": true, "notacme.com": true, "bit.ly/x": true, "mail me@evil.com": true, "ftp://acme.com": true,
		`https://acme.com\@evil.com`: true, "https:/evil.com": true, "//evil.com": true, "[here](https://evil.com)": true, "https://acme.com/x,evil.com": false,
		"https://1.2.3.4/x": true, "http://[::1]/": true, "ｅｖｉｌ．ｃｏｍ": true, "e\u200dvil.co\u200dm": true, "пример.рф": true, "javascript://acme.com/%0aalert(1)": true,
		"evil.com:8080": true, "https://": true, "xn--e1afmkfd.xn--p1ai": true,
	} {
		if hosts, _ := links.Anywhere(text); foreign(hosts, home) != want {
			t.Errorf("%q is foreign: %v, it leads to %q", text, !want, hosts)
		}
	}
	for website, want := range map[string]site{
		"": {}, "no address": {}, "https://www.com": {"www.com", true}, "https://me.github.io/x": {"me.github.io", true}, "https://github.io": {"github.io", false},
		"https://www.co.uk": {"www.co.uk", true}, "https://acme.com:8443": {"acme.com", true}, "https://www.acme.com.": {"acme.com", true}, "https://münchen.de": {"xn--mnchen-3ya.de", true},
	} {
		if got := homeOf(website); got != want {
			t.Errorf("the home of %q is %+v, want %+v", website, got, want)
		}
	}
	if !foreign([]string{"acme.com"}, site{}) || foreign(nil, site{}) {
		t.Error("without a website, links pass")
	}
}

func TestLeftovers(t *testing.T) {
	for text, want := range map[string]bool{
		"Read [link]": true, "[Your Name] here": true, "[insert figure]": true, "Hi {{name}}": true, "${brand} rocks": true, "<your company>": true, "Lorem ipsum dolor": true, "```go": true,
		"[1] A footnote": false, "[sic]": false, "a < b > c": false, "f(x) {y}": false, "[Update] News": false, "$5 {off}": false, "The [linked] list": false, "`code`": false,
	} {
		if got := leftover.MatchString(text); got != want {
			t.Errorf("%q has a leftover: %v", text, got)
		}
	}
}
