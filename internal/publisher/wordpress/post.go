package wordpress

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/article"
	"missiond/mission"
)

// The states of posts: a future one is out once its date has come.
const (
	published = "publish"
	future    = "future"
)

// timeFormat is the format of times, which are in UTC where a field's name says so.
const timeFormat = "2006-01-02T15:04:05"

// newPost is the input of a post that is made. It has no date: with a clock ahead of the site's the
// post would only be scheduled.
type newPost struct {
	Title    string `json:"title"`
	Content  string `json:"content"`
	Slug     string `json:"slug"`
	Status   string `json:"status"`
	Tags     []int  `json:"tags,omitempty"`
	Featured int    `json:"featured_media,omitempty"`
}

// undated is the input that publishes a post now, whatever its date was.
type undated struct {
	Status string  `json:"status"`
	Date   *string `json:"date"`
}

// post is a post of the site.
type post struct {
	ID       int    `json:"id"`
	Status   string `json:"status"`
	Link     string `json:"link"`
	Date     string `json:"date_gmt"`
	Modified string `json:"modified_gmt"`
	Title    raw    `json:"title"`
	Content  raw    `json:"content"`
}

// raw is a text as it is stored.
type raw struct {
	Raw string `json:"raw"`
}

// postFields are those of a post that are read.
const postFields = "id,status,link,date_gmt,modified_gmt"

// Publish publishes a post under the part's slug, unless an earlier call did.
func (a *Adapter) Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	if p.Root != nil {
		return mission.Publication{}, unsendable("The platform takes no comments from the service")
	}
	if p.Again {
		found, ok, err := a.bySlug(ctx, c, p)
		if err != nil {
			return mission.Publication{}, inDoubt(err)
		}
		if ok {
			return a.out(ctx, c, found)
		}
	}
	n, err := a.written(ctx, c, p)
	if err != nil {
		return mission.Publication{}, publisher.Repeatable(err) // nothing is out by it
	}
	response, err := a.do(ctx, c, call{path: "/wp/v2/posts", query: url.Values{"_fields": {postFields}}, input: n})
	if err != nil {
		return mission.Publication{}, err
	}
	made, err := read(response)
	if err != nil {
		return mission.Publication{}, err
	}
	return a.out(ctx, c, made)
}

// written returns the post of a part, whose tags there are then on the site, as were its files just now:
// WordPress publishes a post without those that it doesn't have. What is removed between that look and
// the next call is missed, since nothing on a site can be made to wait.
func (a *Adapter) written(ctx context.Context, c mission.Credentials, p mission.Part) (newPost, error) {
	n := newPost{Slug: article.Slug(p), Status: published}
	var pictures []article.Picture
	for i, f := range p.Media {
		if i == 0 {
			id, _ := mediaID(f.Upload)
			n.Featured = id
			continue
		}
		pictures = append(pictures, article.Picture{URL: f.Upload.Address, Alt: f.Upload.AltText})
	}
	of := article.Of(p, pictures...)
	n.Title, n.Content = text.Replace(of.Title), inert.Replace(of.HTML)
	for _, name := range of.Tags {
		id, err := a.tag(ctx, c, name)
		if err != nil {
			return newPost{}, err
		}
		n.Tags = append(n.Tags, id)
	}
	return n, a.keeps(ctx, c, p.Media)
}

var (
	// text makes HTML of a title, which WordPress shows as it is.
	text = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	// inert keeps brackets from being shortcodes, by which a site's plugins do things.
	inert = strings.NewReplacer("[", "&#91;", "]", "&#93;")
)

// tag returns the id of a tag, which is made if there is none.
func (a *Adapter) tag(ctx context.Context, c mission.Credentials, name string) (int, error) {
	response, err := a.do(ctx, c, call{path: "/wp/v2/tags", query: url.Values{"_fields": {"id"}}, input: map[string]string{"name": name}})
	if p := problemOf(response); p.Code == "term_exists" && p.Data.TermID > 0 {
		return p.Data.TermID, nil
	}
	if err != nil {
		return 0, err
	}
	var made struct {
		ID int `json:"id"`
	}
	if err := response.JSON(&made); err != nil {
		return 0, err
	}
	if made.ID <= 0 {
		return 0, response.Malformed()
	}
	return made.ID, nil
}

// read returns the post of a response. Errors: malformed.
func read(response publisher.Response) (post, error) {
	var p post
	if err := response.JSON(&p); err != nil {
		return post{}, err
	}
	if p.ID <= 0 || p.Status == "" {
		return post{}, response.Malformed()
	}
	return p, nil
}

// out returns the publication of a post that the site has. One that is scheduled, as plugins do, is
// published now. Errors: refused if it isn't out, since only people there can publish it.
func (a *Adapter) out(ctx context.Context, c mission.Credentials, p post) (mission.Publication, error) {
	if p.Status == future {
		response, err := a.do(ctx, c, call{
			path: "/wp/v2/posts/" + strconv.Itoa(p.ID), query: url.Values{"_fields": {postFields}}, input: undated{Status: published},
		})
		if err != nil {
			return mission.Publication{}, lingering(err)
		}
		if p, err = read(response); err != nil {
			return mission.Publication{}, lingering(err)
		}
	}
	if p.Status != published {
		return mission.Publication{}, publisher.Response{Status: http.StatusOK}.Refused(
			publisher.CodeRefused, "The site has the article, but hasn't published it", "its status there is "+p.Status,
		)
	}
	return a.publication(p), nil
}

// lingering returns the error of a call for a post that the site has: it may yet come out, so that it is
// looked up before it is sent again.
func lingering(err error) error {
	var pe *mission.PublishError
	if errors.As(err, &pe) {
		e := *pe
		e.Outcome = mission.OutcomeUnknown
		return &e
	}
	return err
}

func (a *Adapter) publication(p post) mission.Publication {
	at, err := time.Parse(timeFormat, p.Date)
	if err != nil {
		at = a.client.Now()
	}
	return mission.Publication{PostID: strconv.Itoa(p.ID), URL: p.Link, PublishedAt: at.UTC()}
}

// bySlug returns the post of a part's slug, whatever its state; ok is false if there is none.
func (a *Adapter) bySlug(ctx context.Context, c mission.Credentials, p mission.Part) (found post, ok bool, err error) {
	response, err := a.do(ctx, c, call{path: "/wp/v2/posts", query: url.Values{
		"slug": {article.Slug(p)}, "status": {"any"}, "context": {"edit"}, "_fields": {postFields},
	}})
	if err != nil {
		return post{}, false, err
	}
	var all []post
	if err := response.JSON(&all); err != nil {
		return post{}, false, err
	}
	if all == nil || len(all) > 1 || len(all) == 1 && (all[0].ID <= 0 || all[0].Status == "") {
		return post{}, false, response.Malformed()
	}
	if len(all) == 0 {
		return post{}, false, nil
	}
	return all[0], true, nil
}

// Find looks for a post that is out under the part's slug.
func (a *Adapter) Find(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
	if p.Root != nil {
		return mission.Publication{}, false, mission.ErrUnknowable
	}
	found, ok, err := a.bySlug(ctx, c, p)
	if err != nil || !ok || found.Status != published {
		return mission.Publication{}, false, inDoubt(err)
	}
	return a.publication(found), true, nil
}
