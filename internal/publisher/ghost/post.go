package ghost

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/article"
	"missiond/mission"
)

// The states of articles. An article that is sent was only e-mailed.
const (
	draft     = "draft"
	published = "published"
	sent      = "sent"
)

// newPost is the input of a post that is made, or of one that is published with what it should have.
type newPost struct {
	Title    string `json:"title,omitempty"`
	Slug     string `json:"slug,omitempty"`
	HTML     string `json:"html,omitempty"`
	Status   string `json:"status"`
	Tags     []tag  `json:"tags,omitempty"`
	Image    string `json:"feature_image,omitempty"`
	ImageAlt string `json:"feature_image_alt,omitempty"`
	// UpdatedAt is the post's as it was read: Ghost refuses to change another state.
	UpdatedAt string `json:"updated_at,omitempty"`
}

type tag struct {
	Name string `json:"name"`
}

// post is a post of the site.
type post struct {
	ID          string     `json:"id"`
	Title       string     `json:"title"`
	HTML        string     `json:"html"`
	Status      string     `json:"status"`
	URL         string     `json:"url"`
	UpdatedAt   string     `json:"updated_at"`
	PublishedAt *time.Time `json:"published_at"`
}

// postFields are those of a post that are read.
const postFields = "id,title,status,url,updated_at,published_at"

// fromHTML has Ghost make its own form of a post's HTML.
var fromHTML = url.Values{"source": {"html"}}

// Publish makes a draft under the part's slug and publishes it. One that an earlier call made is
// published, and one that is out is the part: the slug is the part's own.
func (a *Adapter) Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	if p.Root != nil {
		return mission.Publication{}, unsendable("The platform takes no comments from the service")
	}
	found, ok, err := a.bySlug(ctx, c, p)
	if err != nil {
		if p.Again {
			return mission.Publication{}, inDoubt(err)
		}
		return mission.Publication{}, publisher.Repeatable(err)
	}
	if ok && found.out() {
		return a.publication(found), nil
	}
	change := newPost{Status: published}
	if ok {
		// It may have been made from other files.
		change = a.written(p)
		change.Slug, change.Status = "", published
	} else if found, err = a.make(ctx, c, p); err != nil {
		return mission.Publication{}, publisher.Repeatable(err) // nobody sees a draft
	}
	return a.release(ctx, c, p, found, change)
}

// written returns the post of a part, as a draft.
func (a *Adapter) written(p mission.Part) newPost {
	n := newPost{Slug: article.Slug(p), Status: draft}
	var pictures []article.Picture
	for i, f := range p.Media {
		if i == 0 {
			n.Image, n.ImageAlt = f.Upload.Address, f.Upload.AltText
			continue
		}
		pictures = append(pictures, article.Picture{URL: f.Upload.Address, Alt: f.Upload.AltText})
	}
	of := article.Of(p, pictures...)
	n.Title, n.HTML = of.Title, of.HTML
	for _, name := range of.Tags {
		n.Tags = append(n.Tags, tag{name})
	}
	return n
}

// make makes the draft of a part.
func (a *Adapter) make(ctx context.Context, c mission.Credentials, p mission.Part) (post, error) {
	response, err := a.do(ctx, c, call{method: http.MethodPost, path: "/posts/", query: fromHTML, input: posts[newPost]{[]newPost{a.written(p)}}})
	if err != nil {
		return post{}, err
	}
	return one(response)
}

// release publishes a post that isn't out, by one call.
func (a *Adapter) release(ctx context.Context, c mission.Credentials, p mission.Part, of post, change newPost) (mission.Publication, error) {
	change.UpdatedAt = of.UpdatedAt
	k := call{method: http.MethodPut, path: "/posts/" + url.PathEscape(of.ID) + "/", input: posts[newPost]{[]newPost{change}}}
	if change.HTML != "" {
		k.query = fromHTML
	}
	response, err := a.do(ctx, c, k)
	if problemOf(response).Code == "UPDATE_COLLISION" {
		return a.collided(ctx, c, p)
	}
	if err != nil {
		return mission.Publication{}, err
	}
	done, err := one(response)
	if err != nil {
		return mission.Publication{}, err
	}
	if !done.out() {
		return mission.Publication{}, response.Malformed()
	}
	return a.publication(done), nil
}

// collided returns the publication of a part whose post somebody, or an earlier call, changed while it
// was published. Errors: not accepted if it isn't out.
func (a *Adapter) collided(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	found, ok, err := a.Find(ctx, c, p)
	if err != nil || ok {
		return found, err
	}
	return mission.Publication{}, &mission.PublishError{Outcome: mission.OutcomeNotAccepted, Failure: mission.Failure{
		Code: publisher.CodeUnavailable, Message: "The article was changed on the site while it was published.",
	}}
}

// posts are posts in a request or a response.
type posts[T any] struct {
	Posts []T `json:"posts"`
}

// one returns the post of a response. Errors: malformed.
func one(response publisher.Response) (post, error) {
	var found posts[post]
	if err := response.JSON(&found); err != nil {
		return post{}, err
	}
	if len(found.Posts) != 1 || found.Posts[0].ID == "" {
		return post{}, response.Malformed()
	}
	return found.Posts[0], nil
}

// out reports whether readers have a post.
func (p post) out() bool { return p.Status == published || p.Status == sent }

// bySlug returns the post of a part's slug; ok is false if there is none.
func (a *Adapter) bySlug(ctx context.Context, c mission.Credentials, p mission.Part) (found post, ok bool, err error) {
	response, err := a.do(ctx, c, call{path: "/posts/slug/" + article.Slug(p) + "/", query: url.Values{"fields": {postFields}}})
	if response.Status == http.StatusNotFound && problemOf(response).Type == "NotFoundError" {
		return post{}, false, nil
	}
	if err != nil {
		return post{}, false, err
	}
	found, err = one(response)
	return found, err == nil, err
}

// Find looks for a post that is out under the part's slug.
func (a *Adapter) Find(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
	if p.Root != nil {
		return mission.Publication{}, false, mission.ErrUnknowable
	}
	found, ok, err := a.bySlug(ctx, c, p)
	if err != nil || !ok || !found.out() {
		return mission.Publication{}, false, inDoubt(err)
	}
	return a.publication(found), true, nil
}

func (a *Adapter) publication(of post) mission.Publication {
	at := a.client.Now()
	if of.PublishedAt != nil {
		at = *of.PublishedAt
	}
	return mission.Publication{PostID: of.ID, URL: of.URL, PublishedAt: at.UTC()}
}
