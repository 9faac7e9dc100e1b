package reviewpage

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"missiond/mission"
	"missiond/store"
)

//go:embed page.css
var style string

//go:embed page.html
var text string

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(style) }, //nolint:gosec // it is the program's own
}).Parse(text))

// policy lets the page have its own style, files of the service and forms to itself, and no
// script.
var policy = func() string {
	hash := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'; img-src 'self'; media-src 'self'; " +
		"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}()

// write responds with a page.
func write(w http.ResponseWriter, status int, name string, page any) {
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, name, page); err != nil {
		panic("bug: the page " + name + ": " + err.Error())
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes()) // fails only if the caller is gone
}

// message is a page that only says something, with the form that was sent, if one was.
type message struct {
	Title, Text string
	Sent        *sent
}

// sent is a form that wasn't carried out.
type sent struct {
	Path, ID, Revision, After, Action, Typed string
	Button                                   string // sends it again; "" for none
}

// review is the page of a link.
type review struct {
	Title, Mission, Name  string
	Zone                  string // of the times
	MayDecide, MayComment bool
	Most                  int // characters that the field of a post takes
	Until                 moment
	// Done is what was just done, Problem why nothing was; "" for neither.
	Done, Problem string
	Sent          *sent // what was typed for a post that isn't shown
	Posts         []post
	// Path is the page's, After its cursor, Next where the next page is; "" for none.
	Path, After, Next string
}

type post struct {
	ID, Title, After string
	Revision         int
	// Language is that of the mission's posts; "" if it isn't known.
	Language      string
	Slot, Expires *moment
	Late          bool // whether its slot has passed
	Parts         []part
	Links         []mission.ContentLink // where those lead whose addresses don't say it
	FirstComment  string
	Comments      []comment // the latest, in their order
	More          bool      // whether there are earlier ones
	Typed         string    // in a form that wasn't carried out
	Most          int       // characters that its field takes
}

type part struct {
	Text, Language string
	Files          []file
}

type file struct {
	URL, Alt      string
	Video         bool
	Width, Height int
}

type comment struct {
	Author, Text, About string
	At                  moment
}

// moment is a time in the mission's zone.
type moment time.Time

// String returns the time for people. Zones without an abbreviation have their distance from UTC.
func (m moment) String() string {
	zone := time.Time(m).Format("MST")
	if strings.HasPrefix(zone, "+") || strings.HasPrefix(zone, "-") {
		zone = time.Time(m).Format("UTC-07:00")
	}
	return time.Time(m).Format("Monday 2 January 2006, 15:04 ") + zone
}

// Machine returns the time for the datetime attribute.
func (m moment) Machine() string { return time.Time(m).Format(time.RFC3339) }

// show shows posts of a mission at a time.
type show struct {
	mission mission.Mission
	now     time.Time
}

func (s show) at(t time.Time) moment { return moment(t.In(s.mission.Constraints.Zone())) }

func (s show) atOf(t *time.Time) *moment {
	if t == nil {
		return nil
	}
	m := s.at(*t)
	return &m
}

// post returns a post as it is shown, with some of its comments, newest first; link returns the
// address of a file.
func (s show) post(c mission.Content, comments store.Listed[mission.ReviewComment], after string, link func(mission.PostMedia) string) post {
	p := post{
		ID: c.ID, Title: c.Platform.Name(), After: after, Revision: c.Revision, Slot: s.atOf(c.ScheduledAt), Expires: s.atOf(c.ExpiresAt),
		FirstComment: c.SentComment(), More: comments.More,
		Late: c.ScheduledAt != nil && !c.ScheduledAt.After(s.mission.Clock(s.now)),
	}
	if c.AccountHandle != "" {
		p.Title += ", @" + c.AccountHandle
	}
	if s.mission.Constraints.Language != nil {
		p.Language = *s.mission.Constraints.Language
	}
	for i, text := range c.SentTexts() {
		shown := part{Text: text, Language: p.Language}
		for _, m := range c.Media {
			if m.Part == i {
				shown.Files = append(shown.Files, file{URL: link(m), Alt: m.AltText, Video: m.Kind == mission.MediaVideo, Width: m.Width, Height: m.Height})
			}
		}
		p.Parts = append(p.Parts, shown)
	}
	p.Links = slices.DeleteFunc(c.Links(nil), func(l mission.ContentLink) bool { return l.Clicks == nil })
	for _, each := range slices.Backward(comments.List) {
		author := each.AuthorName
		if author == "" {
			author = "A member of the team"
		}
		p.Comments = append(p.Comments, comment{Author: author, Text: each.Text, About: about(c, each), At: s.at(each.CreatedAt)})
	}
	return p
}

// about returns what a comment on a post is about, in words; "" for the whole post as it is.
func about(c mission.Content, of mission.ReviewComment) string {
	if of.Revision != c.Revision {
		return "on an earlier text"
	}
	text, where := c.Text, ""
	if of.Part != nil && len(c.Parts) > 0 {
		text, where = c.Texts()[*of.Part], fmt.Sprintf("on part %d", *of.Part+1)
	}
	if of.Start == nil {
		return where
	}
	quoted := "on “" + string([]rune(text)[*of.Start:*of.End]) + "”"
	if where != "" {
		return where + ", " + quoted
	}
	return quoted
}

// address returns the address of a page of a link, with the id of the post to which something was just done.
func address(path, after, done string) string {
	q := url.Values{}
	if after != "" {
		q.Set("after", after)
	}
	if done != "" {
		q.Set("done", done)
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}
