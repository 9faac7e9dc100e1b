package simulation

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"missiond/mission"
)

// website is where both tenants' brands are at home.
const website = "https://www.example.com"

// colors are words that texts have, and brands ban.
var colors = []string{"amber", "beige", "cobalt", "denim", "ecru"}

// bans is what is known of a tenant's banned words.
type bans struct {
	sure []ban
	// ever are the words that a request has tried to ban.
	ever map[string]bool
	// underWay are the requests that change them; doubt is until when one may be carried out of
	// which nobody knows.
	underWay, tried int
	doubt           time.Time
}

// ban is a time in which words were certainly banned; its end is zero while it lasts.
type ban struct {
	words []string
	pauseSpan
}

// ban replaces the banned words of the tenant.
func (c *client) ban() {
	b := &c.tenant.bans
	words := []string{}
	for range c.r.IntN(3) {
		words = append(words, one(c.r, colors))
	}
	for _, w := range words {
		if b.ever == nil {
			b.ever = map[string]bool{}
		}
		b.ever[w] = true
	}
	slices.Sort(words)
	words = slices.Compact(words)
	if n := len(b.sure); n > 0 && b.sure[n-1].to.IsZero() {
		b.sure[n-1].to = time.Now()
	}
	b.underWay++
	b.tried++
	mine := b.tried
	a := c.do(http.MethodPut, "/v1/tenant", map[string]any{"brand": map[string]any{"banned_words": words}})
	b.underWay--
	switch now := time.Now(); {
	case a.outcome == unknown:
		b.doubt = now.Add(2 * time.Hour)
	case a.outcome == done && mine == b.tried && b.underWay == 0 && now.After(b.doubt):
		b.sure = append(b.sure, ban{words, pauseSpan{from: now}})
	}
}

// takesBack reports whether a ban may have taken back the approval of a post of the tenant's, which
// waits for review then.
func (p *people) takesBack(row *postRow) bool {
	for _, t := range p.tenants {
		for w := range t.bans.ever {
			if t.id == row.tenant && strings.Contains(row.body, w) {
				return true
			}
		}
	}
	return false
}

// extra returns what some texts by people have more: a color, and a link.
func (c *client) extra() string {
	text := ""
	if c.r.IntN(2) == 0 {
		text += " in " + one(c.r, colors)
	}
	if c.r.IntN(2) == 0 {
		text += fmt.Sprintf(" %s/by/hand?act=%d#there", website, c.p.acts)
	}
	return text
}

// colorOf returns the color that a writer's post is about: mostly one that isn't banned.
func colorOf(a mission.Assignment) string {
	at := int((a.Seed + uint64(a.Revision)) % uint64(len(colors)))
	for i := range colors {
		color := colors[(at+i)%len(colors)]
		if a.Seed%4 == 0 || !slices.Contains(a.Brief.Brand.BannedWords, color) {
			return color
		}
	}
	return colors[at]
}

// linkOf returns the link of a writer's post, if it has one.
func linkOf(a mission.Assignment) string {
	if a.Seed%2 == 0 || a.Brief.Brand.Website == "" {
		return ""
	}
	return fmt.Sprintf(" %s/post/%d", website, a.Slot.Position)
}

// checkBrand: what has a banned word doesn't go out.
func (a *audit) checkBrand() {
	bans := map[string][]ban{}
	for _, t := range a.people.tenants {
		bans[t.id] = t.bans.sure
	}
	for _, id := range sorted(a.posts) {
		p := a.posts[id]
		if p.status != "published" || !p.published.Valid {
			continue
		}
		for _, b := range bans[p.tenant] {
			within := p.published.Time.After(b.from.Add(underWay)) && (b.to.IsZero() || p.published.Time.Before(b.to.Add(-clockSlack)))
			has := slices.IndexFunc(b.words, func(word string) bool { return strings.Contains(p.body, " "+word) })
			a.hold(!within || has < 0, "nothing is published with a banned word", id, fmt.Sprintf("without %v", b.words), p.body)
			if within && len(b.words) > 0 {
				a.count("published under a ban")
			}
		}
	}
}

// sentLink is what is sent for a link of a post, as its row has it.
type sentLink struct {
	Part, Start, End   int
	Sent, Target, Code string
}

// sent returns a part of the post as its platform should have it.
func (p *postRow) sent(part int) string {
	text := p.body
	if len(p.parts) > 0 {
		text = p.parts[part]
	}
	for _, l := range slices.Backward(p.links) {
		if l.Part == part {
			text = text[:l.Start] + l.Sent + text[l.End:]
		}
	}
	return text
}

var addresses = regexp.MustCompile(`https?://\S+[^\s.]`)

// checkLinks: the links of a text that is out are those that its mission says, and lead where the
// post's text does.
func (a *audit) checkLinks(p *postRow, out string) {
	known := a.people.model.missions[p.mission]
	if known == nil {
		return
	}
	written := addresses.FindAllString(p.body, -1)
	for i, link := range addresses.FindAllString(out, -1) {
		want := written[i]
		if known.links {
			path, fragment, _ := strings.Cut(want, "#")
			mark := "?"
			if strings.Contains(path, "?") {
				mark = "&"
			}
			want = path + mark + "utm_source=" + p.platform + "&utm_content=" + p.id
			if fragment != "" {
				want += "#" + fragment
			}
		}
		if slices.Contains(known.tracks, p.platform) {
			at, err := url.Parse(link)
			code := strings.TrimPrefix(at.Path, "/l/")
			a.hold(err == nil && at.Host == "go.example.com" && len(code) == 16, "links are as missions say", p.id, "a tracked link", link)
			link = a.leads(code, p.id)
			a.count("tracked link out")
		}
		a.hold(link == want, "links are as missions say", p.id, want, link)
		a.count("link out")
	}
}

// leads returns where a tracked link of a post leads.
func (a *audit) leads(code, post string) (target string) {
	a.rows("SELECT target FROM tracked_links WHERE id = '"+code+"' AND content_id = '"+post+"'", func(scan func(...any)) { scan(&target) })
	return target
}
