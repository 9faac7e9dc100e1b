package mastodontest

import (
	"cmp"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"missiond/mission"
)

func (s *Stub) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil {
		limit = 20
	}
	shown := []map[string]any{}
	for _, p := range slices.Backward(s.statuses) {
		// Ids are numbers of one length here, so they compare as texts.
		if before := q.Get("max_id"); before != "" && p.ID >= before || p.Reblog && q.Get("exclude_reblogs") == "true" || p.By != "" {
			continue
		}
		if shown = append(shown, s.shown(r, p)); len(shown) == min(limit, 40) {
			break
		}
	}
	answerJSON(w, http.StatusOK, shown)
}

func (s *Stub) several(w http.ResponseWriter, r *http.Request) {
	ids, shown := r.URL.Query()["id[]"], []map[string]any{}
	if len(ids) > 20 {
		refuse(w, http.StatusUnprocessableEntity, "Validation failed: Too many statuses")
		return
	}
	for _, id := range ids {
		if p := s.status(id); p != nil {
			shown = append(shown, s.shown(r, p))
		}
	}
	answerJSON(w, http.StatusOK, shown)
}

func (s *Stub) one(w http.ResponseWriter, r *http.Request) {
	p := s.status(strings.TrimPrefix(r.URL.Path, "/api/v1/statuses/"))
	if p == nil {
		refuse(w, http.StatusNotFound, "Record not found")
		return
	}
	answerJSON(w, http.StatusOK, s.shown(r, p))
}

func (s *Stub) shown(r *http.Request, p *Status) map[string]any {
	var parent any
	if p.Parent != "" {
		parent = p.Parent
	}
	quotes := float64(int(p.Figures[mission.Shares]) / 2)
	shown := map[string]any{
		"id": p.ID, "created_at": p.At.UTC().Format("2006-01-02T15:04:05.000Z"), "in_reply_to_id": parent,
		"visibility": cmp.Or(p.Visibility, "public"), "language": cmp.Or(p.Language, "en"), "reblog": nil, "content": Markup(p.Text),
		"uri": "https://" + r.Host + "/users/ada/statuses/" + p.ID, "url": "https://" + r.Host + "/@ada/" + p.ID,
		"favourites_count": p.Figures[mission.Likes], "reblogs_count": p.Figures[mission.Shares] - quotes,
		"replies_count": p.Figures[mission.Comments], "quotes_count": quotes,
		"account": s.author(r, p),
	}
	if p.Edited {
		shown["edited_at"] = p.At.UTC().Add(time.Minute).Format("2006-01-02T15:04:05.000Z")
	}
	if s.Bare {
		delete(shown, "replies_count")
		delete(shown, "quotes_count")
		shown["reblogs_count"] = p.Figures[mission.Shares]
	}
	return shown
}

// entities are what Mastodon links: addresses, accounts with their server, and
// hashtags.
var entities = regexp.MustCompile(`(https?://[^\s<>"]+)|@(\w+)@([\w.-]+\w)|#(\w+)`)

// Markup is a text as Mastodon shows it.
func Markup(text string) string {
	var b strings.Builder
	at := 0
	for _, m := range entities.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(html.EscapeString(text[at:m[0]]))
		at = m[1]
		switch {
		case m[2] >= 0:
			b.WriteString(markLink(text[m[2]:m[3]]))
		case m[4] >= 0:
			fmt.Fprintf(&b, `<span class="h-card" translate="no"><a href="https://%s/@%s" class="u-url mention">@<span>%[2]s</span></a></span>`, text[m[6]:m[7]], text[m[4]:m[5]])
		default:
			fmt.Fprintf(&b, `<a href="https://example.social/tags/%s" class="mention hashtag" rel="tag">#<span>%[1]s</span></a>`, text[m[8]:m[9]])
		}
	}
	b.WriteString(html.EscapeString(text[at:]))
	paragraphs := strings.Split(b.String(), "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = "<p>" + strings.ReplaceAll(p, "\n", "<br />") + "</p>"
	}
	return strings.Join(paragraphs, "")
}

func markLink(address string) string {
	scheme, rest, _ := strings.Cut(address, "://")
	shown, hidden, class := rest, "", ""
	if runes := []rune(rest); len(runes) > 30 {
		shown, hidden, class = string(runes[:30]), string(runes[30:]), "ellipsis"
	}
	return fmt.Sprintf(`<a href="%s" target="_blank" rel="nofollow noopener noreferrer" translate="no"><span class="invisible">%s://</span><span class="%s">%s</span><span class="invisible">%s</span></a>`,
		html.EscapeString(address), scheme, class, html.EscapeString(shown), html.EscapeString(hidden))
}
