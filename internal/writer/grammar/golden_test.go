package grammar

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"missiond/internal/textlimit"
	"missiond/mission"
)

var update = flag.Bool("update", false, "write testdata/posts.golden anew, to be read by somebody")

// sample is a post of the golden file.
type sample struct {
	assignment mission.Assignment
	draft      mission.Draft
}

func (s sample) String() string {
	a := s.assignment
	return fmt.Sprintf("%s | %s | %s %s, %s", a.Brief.Brand.Name, a.Slot.Objective, a.Slot.Platform, s.draft.Format, a.Slot.Angle)
}

// samples are a mission's posts for each tenant: each objective from each angle, on
// the platforms in turn.
func samples(t *testing.T) (all [][]sample) {
	t.Helper()
	platforms := []mission.Platform{
		mission.Twitter, mission.LinkedIn, mission.Facebook, mission.Instagram, mission.Threads, mission.TikTok, mission.YouTube, mission.Pinterest,
		mission.Mastodon, mission.Bluesky,
	}
	for tenant, of := range tenants {
		opened, said := mission.TextSet{}, mission.TextSet{}
		var posts []sample
		for i, objective := range of.objectives {
			for j, angle := range mission.AllAngles() {
				n := i*len(mission.AllAngles()) + j
				caps, _ := mission.CapabilitiesOf(platforms[(tenant+n)%len(platforms)])
				a := mission.Assignment{
					Brief:    mission.Brief{MissionName: of.brand.Name, Description: of.description, Objectives: of.objectives, Brand: of.brand},
					Slot:     mission.Slot{Platform: caps.Platform, Format: caps.Formats[n/len(platforms)%len(caps.Formats)], Angle: angle, Objective: objective},
					Revision: 1, Seed: uint64(tenant*1_000_003) + uint64(n)<<16, UsedOpenings: opened, UsedTexts: said, LatestTexts: said,
				}
				a.Brief.Constraints.Tone = &of.tone
				d, err := New().Write(context.Background(), a)
				if err != nil {
					t.Fatal(err)
				}
				opened.Add(mission.Opening(d.Text))
				said.Add(d.Texts()...)
				posts = append(posts, sample{a, d})
			}
		}
		all = append(all, posts)
	}
	return all
}

// The posts of sixty objectives are as somebody read and approved them. After a
// change, write them anew with -update and read every line.
func TestPostsAreAsReviewed(t *testing.T) {
	var b strings.Builder
	for _, posts := range samples(t) {
		for _, p := range posts {
			b.WriteString("=== " + p.String() + "\n" + strings.Join(p.draft.Texts(), "\n---\n") + "\n")
		}
	}
	path := filepath.Join("testdata", "posts.golden")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the posts aren't those of %s: write them with -update, and read every line", path)
	}
}

// The tenants are at least sixty objectives.
func TestEnoughIsReviewed(t *testing.T) {
	n := 0
	for _, of := range tenants {
		n += len(of.objectives)
	}
	if n < 60 {
		t.Errorf("%d objectives are reviewed", n)
	}
}

var (
	// article is one, with the word behind it.
	article = regexp.MustCompile(`(?i)\b(an?) ([\p{L}\d]+)`)
	// asNoun is a verb where only a noun can stand: behind a preposition, in the
	// form that objectives begin with.
	asNoun = regexp.MustCompile(`(?i)\b(?:about|of|for|with|on|from) (?:sell|promote|increase|get|encourage|remind|teach|recruit|announce|introduce|attract|generate|reduce|become|celebrate|invite|convince|raise|explain|tell|hire)\b`)
	// vowels are words that sound otherwise than they begin.
	vowels = regexp.MustCompile(`(?i)^(?:[aeio]|un[a-z]|up|hour|honest|SEO|MP|old|8|11)`)
)

// broken returns what is wrong with a post in English by rules that a machine can
// check, or "".
func broken(p sample) string {
	for _, part := range p.draft.Texts() {
		for _, line := range strings.Split(part, "\n") {
			if what := brokenLine(line, p.assignment.Brief.Brand); what != "" {
				return fmt.Sprintf("%s: %q", what, line)
			}
		}
	}
	return brokenTag(p)
}

func brokenLine(line string, brand mission.Brand) string {
	fields := strings.Fields(line)
	if len(fields) == 0 || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "– ") {
		return ""
	}
	for i := 1; i < len(fields); i++ {
		if bare(fields[i]) != "" && strings.EqualFold(fields[i], fields[i-1]) {
			return "a word stands twice"
		}
	}
	if first, _ := utf8.DecodeRuneInString(strings.TrimLeft(line, `“"`)); unicode.IsLower(first) && !strings.HasPrefix(line, brand.Name) {
		return "it begins with a small letter"
	}
	text := strings.TrimRightFunc(line, func(r rune) bool { return r == ' ' || r > 0x2100 })
	if last := fields[len(fields)-1]; !strings.ContainsAny(text[len(text)-1:], ".!?") && !isLink(last) && text != "" {
		return "it has no end"
	}
	for _, m := range article.FindAllStringSubmatch(line, -1) {
		if strings.EqualFold(m[1], "an") != vowels.MatchString(m[2]) {
			return "the article is wrong"
		}
	}
	if m := asNoun.FindString(line); m != "" {
		return "a verb is taken for a noun"
	}
	if strings.Contains(line, "{}") || strings.Contains(line, "  ") || strings.Contains(line, "..") || strings.Contains(line, " .") || strings.Contains(line, " ,") {
		return "the parts show"
	}
	return ""
}

var tagged = regexp.MustCompile(`(?:^|\s)#(\S+)`)

func brokenTag(p sample) string {
	site := strings.ToLower(p.assignment.Slot.Objective + " " + p.assignment.Brief.Brand.Website)
	for _, m := range tagged.FindAllStringSubmatch(p.draft.Text, -1) {
		tag := strings.ToLower(m[1])
		switch {
		case functionWords[tag], verbs[tag] != noVerb, strings.HasPrefix(tag, "http"), strings.HasPrefix(tag, "www"):
			return "the hashtag is no noun: " + tag
		case strings.Contains(site, "//"+tag) && !strings.EqualFold(m[1], strings.ReplaceAll(p.assignment.Brief.Brand.Name, " ", "")):
			return "the hashtag is a part of an address: " + tag
		case strings.ContainsFunc(tag, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }):
			return "the hashtag has other characters: " + tag
		}
	}
	return ""
}

// The reviewed posts keep the rules that a machine can check.
func TestPostsKeepTheRules(t *testing.T) {
	for _, posts := range samples(t) {
		opened := map[string]string{}
		for _, p := range posts {
			a := p.assignment
			caps, _ := mission.CapabilitiesOf(a.Slot.Platform)
			if err := textlimit.Check(caps, p.draft); err != nil {
				t.Errorf("%s: %v", p, err)
			}
			if !english(a.Brief, a.Slot.Objective) {
				continue // its own words are soon used up
			}
			if what := broken(p); what != "" {
				t.Errorf("%s: %s", p, what)
			}
			begins := strings.ToLower(mission.Opening(p.draft.Text))
			if other, twice := opened[begins]; twice {
				t.Errorf("%s opens as %s: %q", p, other, begins)
			}
			opened[begins] = p.String()
		}
	}
}

// What the tenant says of itself is in the posts.
func TestBrandIsUsed(t *testing.T) {
	for i, posts := range samples(t) {
		var all strings.Builder
		for _, p := range posts {
			all.WriteString(p.draft.Text + "\n")
		}
		of := tenants[i]
		for _, want := range append(facts(of.description, of.brand.Name), of.brand.Name, of.brand.Website) {
			if !strings.Contains(all.String(), want) {
				t.Errorf("no post of %s says %q", of.brand.Name, want)
			}
		}
	}
}

// Every lead goes with every core, whoever the tenant is.
func TestEveryOpeningKeepsTheRules(t *testing.T) {
	brand := mission.Brand{Name: "Acme"}
	for _, s := range []subject{
		{form: asLine, line: "We open on 3 May."}, {form: about, phrase: "our spring seeds"}, {form: do, phrase: "visit our shop"}, {form: how, phrase: "knit"},
	} {
		for _, alone := range []bool{false, true} {
			v := &voice{subject: s, name: brand.Name, alone: alone, slot: mission.Slot{Angle: mission.AngleTip}}
			n, seen := 0, map[string]bool{}
			for o := range v.openings(7) {
				if what := brokenLine(o.text, brand); what != "" {
					t.Errorf("%s: %q", what, o.text)
				}
				if mission.Opening(o.text) != o.text && !strings.Contains(o.text, "? ") {
					t.Errorf("%q is more than an opening", o.text)
				}
				n, seen[o.text] = n+1, true
			}
			if n != len(seen) || n < 1300 {
				t.Errorf("%d openings, %d of them different", n, len(seen))
			}
		}
	}
}
