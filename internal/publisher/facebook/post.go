package facebook

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"missiond/internal/links"
	"missiond/internal/publisher"
	"missiond/internal/publisher/meta"
	"missiond/mission"
)

// host begins the addresses of Pages and posts.
const host = "https://www.facebook.com/"

// Publish implements [publisher.Adapter]. A post is published at once: the service keeps the schedule.
func (a *Adapter) Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	switch {
	case p.Root != nil:
		return a.comment(ctx, c, p)
	case len(p.Media) == 1 && p.Media[0].Kind == mission.MediaVideo:
		return a.publishVideo(ctx, c, p)
	}
	form := url.Values{"message": {p.Text}}
	for i, f := range p.Media {
		if !meta.IsID(f.Upload.ID) {
			return mission.Publication{}, publisher.Response{}.FileGone("")
		}
		form.Set(fmt.Sprintf("attached_media[%d]", i), `{"media_fbid":"`+f.Upload.ID+`"}`)
	}
	if link := firstLink(p.Text); link != "" && len(p.Media) == 0 {
		form.Set("link", link)
	}
	id, err := a.create(ctx, c, c.AccountID+"/feed", form)
	if form.Has("link") && badLink(err) { // nothing is out; the text has the link all the same
		form.Del("link")
		id, err = a.create(ctx, c, c.AccountID+"/feed", form)
	}
	if err != nil {
		return a.refused(ctx, c, p, err)
	}
	return a.publication(id, a.api.Now()), nil
}

// refused returns what a call's error means for a part. Facebook refuses the text of the Page's last
// post: if that was published by an earlier call for the part, it is the part.
func (a *Adapter) refused(ctx context.Context, c mission.Credentials, p mission.Part, err error) (mission.Publication, error) {
	e, ok := meta.ErrorOf(err)
	switch {
	case !ok:
	case p.Again && e.Duplicate():
		if found, ok, lookErr := a.find(ctx, c, p); ok || lookErr != nil {
			return found, lookErr
		}
	case len(p.Media) > 0 && (meta.Missing(err) || meta.Invalid(err) && strings.Contains(e.Message, "attached_media")):
		if p.Again {
			return mission.Publication{}, publisher.Response{}.InDoubt(e.Message)
		}
		return mission.Publication{}, publisher.Response{}.FileGone(e.Message)
	}
	return mission.Publication{}, err
}

// create adds an object to an edge, and returns its id.
func (a *Adapter) create(ctx context.Context, c mission.Credentials, edge string, form url.Values) (string, error) {
	var made struct {
		ID string `json:"id"`
	}
	if err := a.api.Post(ctx, c, "/"+edge, form, &made); err != nil {
		return "", err
	}
	if !meta.IsID(made.ID) {
		return "", publisher.Response{}.Malformed()
	}
	return made.ID, nil
}

// publication returns that of a post.
func (a *Adapter) publication(id string, at time.Time) mission.Publication {
	return mission.Publication{PostID: id, URL: host + id, PublishedAt: at.UTC().Truncate(time.Millisecond)}
}

// firstLink returns the first link of a text, whose page Facebook shows as a card; "" if there is none.
func firstLink(text string) string {
	for _, l := range links.On(mission.Facebook, text) {
		return text[l.Start:l.End]
	}
	return ""
}

// Codes of links that Facebook can't show, as users report them.
const (
	codeLink = 1500
	subLink  = 1609005
)

func badLink(err error) bool {
	e, ok := meta.ErrorOf(err)
	return ok && (e.Code == codeLink || e.Subcode == subLink)
}

// comment publishes a first comment, or an answer to a comment. Facebook takes the same one twice.
func (a *Adapter) comment(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	id, err := a.create(ctx, c, commentedOn(p)+"/comments", url.Values{"message": {p.Text}})
	switch {
	case meta.Permission(err): // other calls may still be allowed
		e, _ := meta.ErrorOf(err)
		return mission.Publication{}, publisher.Response{}.Refused(publisher.CodeRefused, "The platform doesn't let the account comment", e.Message)
	case err != nil:
		return mission.Publication{}, err
	}
	return a.publication(id, a.api.Now()), nil
}

// Find implements [publisher.Adapter]: a video tells itself what became of it, other posts are looked
// for among the Page's by their text. Errors: ErrUnknowable for a comment that may not be read.
func (a *Adapter) Find(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
	if p.Root != nil {
		return a.findComment(ctx, c, p)
	}
	if u, ok := videoOf(p); ok {
		return a.findVideo(ctx, c, u.Token)
	}
	return a.find(ctx, c, p)
}

func (a *Adapter) find(ctx context.Context, c mission.Credentials, p mission.Part) (found mission.Publication, ok bool, err error) {
	type post struct {
		ID      string    `json:"id"`
		Message string    `json:"message"`
		Created meta.Time `json:"created_time"`
	}
	since := a.api.Since(p)
	q := url.Values{"fields": {"id,message,created_time"}, "limit": {fmt.Sprint(listed)}}
	if !since.IsZero() {
		q.Set("since", fmt.Sprint(since.Unix()))
	}
	whole, err := meta.Pages(ctx, a.api, c, "/"+c.AccountID+"/published_posts", q, lookPages, func(each post) bool {
		if each.Created.Before(since) {
			return false
		}
		if ok = meta.IsID(each.ID) && meta.Same(each.Message, p.Text); ok {
			found = a.publication(each.ID, each.Created.Time)
		}
		return !ok
	})
	if err == nil && !whole && !ok {
		err = meta.Undecided("The Page has too many newer posts to tell whether this one is among them.")
	}
	return found, ok, err
}
