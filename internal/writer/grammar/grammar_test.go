package grammar

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"missiond/internal/textlimit"
	"missiond/internal/topic"
	"missiond/mission"
)

func assignment(change func(a *mission.Assignment)) mission.Assignment {
	a := mission.Assignment{
		Brief: mission.Brief{MissionName: "Spring", Brand: mission.Brand{Name: "Acme"}},
		Slot: mission.Slot{
			Platform: mission.Twitter, Format: mission.FormatPost, Angle: mission.AngleTip, Objective: "Increase brand awareness",
		},
		Revision: 1,
	}
	if change != nil {
		change(&a)
	}
	return a
}

func write(t testing.TB, a mission.Assignment) mission.Draft {
	t.Helper()
	d, err := New().Write(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Whatever a tenant states, a draft is within its platform's limits, valid
// text without leftovers of the grammar, and the same each time.
func TestDraftsAreSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(mission.AllPlatforms()).Draw(t, "platform")
		caps, _ := mission.CapabilitiesOf(p)
		tone := rapid.SampledFrom([]string{"", "playful", "bold", "professional", "warm and friendly", "casual"}).Draw(t, "tone")
		a := assignment(func(a *mission.Assignment) {
			a.Slot.Platform, a.Slot.Format = p, rapid.SampledFrom(caps.Formats).Draw(t, "format")
			a.Slot.Angle = rapid.SampledFrom(append(mission.AllAngles(), "unheard of")).Draw(t, "angle")
			a.Slot.Objective = rapid.StringN(0, 500, -1).Draw(t, "objective")
			a.Brief.Constraints.Tone = &tone
			a.Brief.Brand = mission.Brand{Name: rapid.String().Draw(t, "brand"), Website: rapid.String().Draw(t, "website")}
			a.Instructions = rapid.SampledFrom([]string{"", "shorter", "no hashtags", "no emoji", "ask a question"}).Draw(t, "instructions")
			a.Seed, a.Revision = rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 9).Draw(t, "revision")
		})
		d, err := New().Write(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		if err := textlimit.Check(caps, d); err != nil {
			t.Fatalf("%q: %v", d.Text, err)
		}
		if !utf8.ValidString(d.Text) || strings.Contains(d.Text, "{}") && !strings.Contains(a.Slot.Objective+a.Brief.Brand.Name, "{}") {
			t.Fatalf("the text is %q", d.Text)
		}
		again, err := New().Write(context.Background(), a)
		if err != nil || again.Text != d.Text {
			t.Fatalf("the second time it is %q, %v", again.Text, err)
		}
	})
}

// A brief that was stored when more was allowed, or with more cashtags than X takes, is
// still written for.
func TestDraftsAreSendable(t *testing.T) {
	for _, objective := range []string{"Tell people of the b\u00adig \u202esale", "Compare $AAPL with $TSLA", "Show 👩\u200d💻\u200d at work"} {
		for _, p := range mission.AllPlatforms() {
			caps, _ := mission.CapabilitiesOf(p)
			d, err := New().Write(context.Background(), assignment(func(a *mission.Assignment) {
				a.Slot.Platform, a.Slot.Format, a.Slot.Objective = p, caps.Formats[len(caps.Formats)-1], objective
			}))
			if err == nil {
				err = textlimit.Check(caps, d)
			}
			if err != nil {
				t.Errorf("%s, %q: %q, %v", p, objective, d.Texts(), err)
			}
		}
	}
}

// Two hundred posts of a mission are nearly all different.
func TestPostsVary(t *testing.T) {
	for _, p := range mission.AllPlatforms() {
		seen := map[string]bool{}
		const posts = 200
		for i := range posts {
			seen[write(t, assignment(func(a *mission.Assignment) {
				a.Slot.Platform, a.Seed, a.Slot.Angle, a.Slot.Format = p, uint64(i), mission.AllAngles()[i%6], single(p)
			})).Text] = true
		}
		if len(seen) < posts*95/100 {
			t.Errorf("on %s only %d of %d posts differ", p, len(seen), posts)
		}
	}
}

// Excluded topics never stand in a text; an objective that is one is refused.
func TestExcludedTopics(t *testing.T) {
	for seed := range uint64(100) {
		a := assignment(func(a *mission.Assignment) {
			a.Seed = seed
			a.Brief.Constraints.ExcludedTopics = []string{"calendar", "One Person", "tool"}
		})
		if i, name := topic.NewList(a.Brief.Constraints.ExcludedTopics).Find(write(t, a).Text); i >= 0 {
			t.Fatalf("a post mentions %q", name)
		}
	}
	_, err := New().Write(context.Background(), assignment(func(a *mission.Assignment) {
		a.Brief.Constraints.ExcludedTopics = []string{"Brand  Awareness"}
	}))
	var e *mission.Error
	if !errors.As(err, &e) || e.Param != "objectives" {
		t.Errorf("an objective that is an excluded topic returns %v", err)
	}
}

func TestWishes(t *testing.T) {
	with := func(instructions string, seed uint64) mission.Draft {
		return write(t, assignment(func(a *mission.Assignment) {
			tone := "playful"
			a.Seed, a.Instructions, a.Revision, a.Brief.Constraints.Tone = seed, instructions, 2, &tone
		}))
	}
	for seed := range uint64(50) {
		if text := with("No hashtags please", seed).Text; strings.Contains(text, "#") {
			t.Errorf("without hashtags: %q", text)
		}
		if text := with("a question, please", seed).Text; !strings.Contains(text, "?") {
			t.Errorf("with a question: %q", text)
		}
		for _, e := range phrases["emoji playful"] {
			if text := with("no emoji", seed).Text; strings.Contains(text, e) {
				t.Errorf("without emoji: %q", text)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := New().Write(ended, assignment(nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context returns %v", err)
	}
	for _, a := range []mission.Assignment{
		assignment(func(a *mission.Assignment) { a.Slot.Platform = "myspace" }),
		assignment(func(a *mission.Assignment) { a.Slot.Format = mission.FormatArticle }),
	} {
		if _, err := New().Write(context.Background(), a); mission.CodeOf(err) != mission.CodeInvalidRequest {
			t.Errorf("%s on %s returns %v", a.Slot.Format, a.Slot.Platform, err)
		}
	}
}

// No two posts of a mission open alike, however long it is and however its angles
// are chosen, whatever shapes its objectives have.
func TestOpeningsAreNeverShared(t *testing.T) {
	posts := 800
	if testing.Short() {
		posts = 200
	}
	for name, objectives := range map[string][]string{
		"all shapes": {"Sell our spring seed collection", "How to compost at home", "Get people to visit our shop", "We open on 3 May.", "Grow"},
		"lines only": {"We open on 3 May.", "Reduce no-shows", "Sourdough for all of us"},
		"one act":    {"Get people to visit our shop"},
	} {
		for _, angles := range [][]mission.Angle{mission.AllAngles(), {mission.AngleTip}} {
			t.Run(fmt.Sprintf("%s, %d angles", name, len(angles)), func(t *testing.T) {
				opened := mission.TextSet{}
				var latest [60]mission.Draft
				for n := range posts {
					said := mission.TextSet{}
					for _, d := range latest {
						said.Add(d.Texts()...)
					}
					a := assignment(func(a *mission.Assignment) {
						p := mission.AllPlatforms()[n%10]
						caps, _ := mission.CapabilitiesOf(p)
						a.Slot.Platform, a.Slot.Format, a.Slot.Angle = p, caps.Formats[n/10%len(caps.Formats)], angles[n%len(angles)]
						a.Slot.Objective, a.Brief.Objectives = objectives[n%len(objectives)], objectives
						a.Seed, a.UsedOpenings, a.UsedTexts, a.LatestTexts = 99+uint64(n)<<16, opened, said, said
					})
					d := write(t, a)
					if begins := mission.Opening(d.Text); opened.Has(begins) {
						t.Fatalf("post %d opens as one before: %q", n, begins)
					}
					opened.Add(mission.Opening(d.Text))
					if text, repeats := said.Repeats(d); repeats {
						t.Fatalf("post %d says again %q", n, text)
					}
					latest[n%len(latest)] = d
				}
			})
		}
	}
}

// The leads of a mission's posts come around before one is used again.
func TestLeadsTakeTurns(t *testing.T) {
	seen := map[string]int{}
	for n := range phrases["leads "+string(mission.AngleTip)] {
		d := write(t, assignment(func(a *mission.Assignment) { a.Seed, a.Slot.Objective = 12345+uint64(n)<<16, "Sell our seeds" }))
		lead, _, _ := strings.Cut(d.Text, ":")
		if at, again := seen[lead]; again {
			t.Errorf("post %d begins as post %d: %q", n, at, lead)
		}
		seen[lead] = n
	}
}

func TestRemark(t *testing.T) {
	for objective, plain := range map[string]bool{
		"Sell our spring seed collection": false, "Increase brand awareness": false, "Teach people how to compost at home": false,
		"Promote the Fête de la Musique": false, "Announce our Día de Muertos dinner": false, "Markenbekanntheit steigern": true,
		"Newsletter bewerben": true, "Vender más libros": true, "Mehr Follower gewinnen": true, "Aumentare le vendite": true,
		"Meer klanten": true, "Promote unsere Bäckerei": true, "Find nye kunder": true, "Promouvoir notre boutique": true, "Fler kunder": true, "Повысить узнаваемость": true, "増加": true, "زيادة المبيعات": true,
	} {
		f := New().Remark(mission.Brief{Objectives: []string{objective}})
		if (f != nil) != plain {
			t.Errorf("the remark on %q is %+v", objective, f)
		}
		if f != nil && (f.Code != mission.CodeWriterLanguage || !strings.Contains(f.Message, objective)) {
			t.Errorf("the remark on %q is %+v", objective, f)
		}
	}
	if f := New().Remark(mission.Brief{Objectives: []string{"SEO"}, Description: "We write about the craft of making websites."}); f != nil {
		t.Errorf("the description tells the language, and the remark is %+v", f)
	}
	if f := New().Remark(mission.Brief{Objectives: []string{"Mehr Kunden", "Mehr Gäste", "Meer klanten", "Fler kunder", "Sell our seeds"}}); f == nil || !strings.Contains(f.Message, "and 1 more") {
		t.Errorf("the remark on five is %+v", f)
	}
}

// What isn't English has no English around it.
func TestPlainWords(t *testing.T) {
	for n := range 20 {
		d := write(t, assignment(func(a *mission.Assignment) {
			tone := "playful"
			a.Brief.Constraints.Tone, a.Brief.Description = &tone, "Wir rösten Kaffee in Leipzig."
			a.Brief.Brand = mission.Brand{Name: "Sommer", Website: "https://sommer.example"}
			a.Slot.Format, a.Slot.Objective, a.Seed = mission.FormatThread, "Mehr Gäste am Sonntag", uint64(n)
		}))
		if want := "Mehr Gäste am Sonntag\n\nWir rösten Kaffee in Leipzig.\n\nSommer · https://sommer.example"; d.Text != want || d.Format != mission.FormatPost {
			t.Fatalf("the %s is %q", d.Format, d.Text)
		}
	}
}

// Each shape of objective, turned as its readers see it.
func TestObjectives(t *testing.T) {
	for objective, want := range map[string]string{
		"Sell our spring seed collection":                   "about our spring seed collection",
		"Promote our online courses to adult learners":      "about our online courses",
		"Sell more seed potatoes by Easter":                 "about seed potatoes",
		"Sell 200 tickets for the cake fair":                "to get tickets for the cake fair",
		"Launch a podcast about local history":              "about our podcast about local history",
		"Show how our cheese is made":                       "about how our cheese is made",
		"Promote cycling to work":                           "about cycling to work",
		"Sell our cheese & wine evening":                    "about our cheese & wine evening",
		"Promote our shop and increase sales":               "about our shop",
		"Increase brand awareness":                          "about BRAND",
		"INCREASE ONLINE SALES":                             "about BRAND",
		"Grow":                                              "about BRAND",
		"Drive traffic to https://acme.example/launch":      "about BRAND",
		"Attract new patients":                              "about BRAND",
		"Raise awareness of hearing loss among over-60s":    "about hearing loss",
		"Generate leads for our enterprise plan":            "about our enterprise plan",
		"Increase newsletter sign-ups":                      "to sign up for our newsletter",
		"Increase attendance at our Sunday service":         "to come to our Sunday service",
		"Get more people to visit our shop":                 "to visit our shop",
		"Remind patients to book their flu shot":            "to book your flu shot",
		"Invite people to our open evening on 5 May at 7pm": "to come to our open evening",
		"Encourage our members to bring a friend":           "to bring a friend",
		"Visit our stand at the fair":                       "to visit our stand at the fair",
		"Teach people how to compost at home":               "how to compost at home",
		"How to help your child with homework":              "how to help your child with homework",
		"Learn how to knit":                                 "how to knit",
		"Recruit volunteers for the dog shelter":            "We are looking for volunteers for the dog shelter.",
		"Hire my first apprentice":                          "I am looking for my first apprentice.",
		"Thank our volunteers for the new library":          "A big thank you to our volunteers for the new library.",
		"Celebrate International Women's Day":               "We are celebrating International Women's Day.",
		"Raise £50,000 for the town hall roof":              "Help us raise £50,000 for the town hall roof.",
		"Reduce no-shows":                                   "Our aim is to reduce no-shows.",
		"Reforest the valley":                               "Our aim is to reforest the valley.",
		"Remind parents that school starts on 2 September":  "School starts on 2 September.",
		"We are moving to the high street":                  "We are moving to the high street.",
		"Why is sleep important for children?":              "Why is sleep important for children?",
		"Please keep dogs on a lead":                        "Please keep dogs on a lead.",
		"Introduce Dr. Chen, our new dentist":               "Introducing Dr. Chen, our new dentist.",
		"Promote summer sale":                               "Today's topic: summer sale.",
		"Why we left Slack":                                 "Today's topic: why we left Slack.",
		"Market research for beginners":                     "On our list: market research for beginners.",
		"Launch party":                                      "On our list: launch party.",
		"Host families wanted":                              "On our list: host families wanted.",
		"Invite alumni back to campus":                      "Our aim is to invite alumni back to campus.",
		"Ask the council to fix the bridge":                 "Our aim is to ask the council to fix the bridge.",
		"Encourage people to be kind":                       "Our aim is to encourage people to be kind.",
		"Help patients understand their medication":         "Our aim is to help patients understand their medication.",
		"Cut food waste by half":                            "Our aim is to cut food waste by half.",
		"I want more followers":                             "to follow me",
		"Remind members that their fees are due":            "Your fees are due.",
		"Tell parents that teachers love their jobs":        "Our aim is to tell parents that teachers love their jobs.",
		"Teach our followers to bake bread":                 "how to bake bread",
		"Get customers to try our new menu":                 "to try our new menu",
		"Get visitors to stay longer":                       "to stay longer",
		"Bring more families to our farm":                   "to come to our farm",
		"Attract new members to the choir":                  "to join the choir",
		"Highlight our commitment to sustainability":        "about our commitment to sustainability",
		"Mental health awareness":                           "about mental health",
		"Raise autism awareness":                            "Today's topic: autism awareness.",
		"Increase brand awareness in Leeds":                 "about BRAND",
		"Promote myself as a coach":                         "about BRAND",
		"Sell more of our honey":                            "about our honey",
		"Vote for us":                                       "to vote for us",
		"Nominate us for the food awards":                   "to nominate us for the food awards",
		"Welcome our new vicar":                             "A warm welcome to our new vicar.",
		"Sell my paintings online":                          "about my paintings",
		"Tell customers they can pay online":                "You can pay online.",
		"We want more people to cycle":                      "to cycle",
		"Save the date: 5 May":                              "Save the date: 5 May.",
		"Spring sale: 20% off":                              "Spring sale: 20% off.",
		"Increase sales: more customers by Easter":          "about BRAND",
		"Donate": "to donate",
		"Sell “The Long Road”, our new novel": "Today's topic: “The Long Road”, our new novel.",
		"…": "about BRAND",
		"":  "about BRAND",
	} {
		alone := speaksAlone(objective)
		s := subjectOf(objective, "BRAND", alone)
		got := map[form]string{asLine: s.line, about: "about " + s.phrase, do: "to " + s.phrase, how: "how to " + s.phrase}[s.form]
		if got != want {
			t.Errorf("%q is %q, want %q", objective, got, want)
		}
	}
}

func TestHashtags(t *testing.T) {
	for objective, want := range map[string]string{
		"Sell our spring seed collection": "#SpringSeedCollection", "Promote our new bakery": "#Bakery", "Increase brand awareness": "", "Get people to visit our shop": "",
		"Promote our #cleanseas campaign": "", "Launch our app": "", "Announce the winners of the photo contest": "", "Drive traffic to https://acme.example/launch": "",
		"Show what we make": "", "Promote Anna's new novel": "",
	} {
		if got := hashtag(subjectOf(objective, "BRAND", false).tag); got != want {
			t.Errorf("the hashtag of %q is %q, want %q", objective, got, want)
		}
	}
	for name, want := range map[string]string{"Acme": "#Acme", "Hedgerow Seeds": "#HedgerowSeeds", "acme.example": "", "The": "", "2027": "", "Paws & Co": "", "A Very Long Name Indeed": ""} {
		if got := hashtag(brandTag(name)); got != want {
			t.Errorf("the hashtag of the brand %q is %q, want %q", name, got, want)
		}
	}
}

func TestFacts(t *testing.T) {
	got := facts("We sell seeds, since 1990. Target audience: allotment holders. Our goal is 500 orders. A shop in Kent. Acme ships on Mondays. Use a friendly tone. "+
		"See https://acme.example. We want to grow. We are struggling. Our main rival is Bell. We're a small team. Wir verkaufen auch Bücher. The garden is open.", "Acme")
	want := []string{"We sell seeds, since 1990.", "Acme: a shop in Kent.", "We're a small team.", "The garden is open."}
	if !slices.Equal(got, want) {
		t.Errorf("the facts are %q, want %q", got, want)
	}
}

// One person's posts say "I", also where only the description tells.
func TestOnePersonSpeaks(t *testing.T) {
	for description, alone := range map[string]bool{"I carve toys from beech.": true, "We carve toys.": false, "I carve toys. We sell them in York.": false, "": false} {
		a := assignment(func(a *mission.Assignment) { a.Brief.Description = description })
		caps, _ := mission.CapabilitiesOf(a.Slot.Platform)
		if newVoice(a, caps).alone != alone {
			t.Errorf("with %q it isn't %t that one person speaks", description, alone)
		}
	}
}

func FuzzWrite(f *testing.F) {
	f.Add("Increase brand awareness", "playful", "politics", uint64(1))
	f.Fuzz(func(t *testing.T, objective, tone, excluded string, seed uint64) {
		a := assignment(func(a *mission.Assignment) {
			a.Slot.Objective, a.Seed = strings.ToValidUTF8(objective, ""), seed
			a.Brief.Constraints.Tone, a.Brief.Constraints.ExcludedTopics = &tone, []string{excluded}
		})
		d, err := New().Write(context.Background(), a)
		if err == nil {
			caps, _ := mission.CapabilitiesOf(a.Slot.Platform)
			err = textlimit.Check(caps, d)
		} else if mission.CodeOf(err) == mission.CodeInvalidRequest {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

func ExampleWriter_Write() {
	d, err := New().Write(context.Background(), assignment(nil))
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(d.Text)
}

// single returns the format of a text on a platform that is published as one.
func single(p mission.Platform) mission.Format {
	caps, _ := mission.CapabilitiesOf(p)
	return caps.Single()
}
