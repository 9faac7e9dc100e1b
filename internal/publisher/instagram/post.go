package instagram

import (
	"context"
	"net/url"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/meta"
	"missiond/mission"
)

// Upload implements [publisher.Uploader]. Instagram fetches files when their container is made.
func (*Adapter) Upload(_ context.Context, _ mission.Credentials, _ mission.File, u mission.Upload) (mission.Upload, error) {
	return meta.Upload(u), nil
}

// Prepare implements [publisher.Preparer].
func (a *Adapter) Prepare(ctx context.Context, c mission.Credentials, p mission.Part, u mission.Upload) (mission.Upload, error) {
	if len(p.Media) == 0 {
		return u, publisher.Response{}.Refused(publisher.CodeRefused, "Instagram takes no post without a picture or a video", "")
	}
	return a.containers.Prepare(ctx, c, p, u, meta.Draft{
		Quota: func(ctx context.Context) error { return a.quota(ctx, c) },
		Child: func(f mission.PartFile) url.Values {
			form := file(f, "VIDEO")
			form.Set("is_carousel_item", "true")
			return form
		},
		Whole: func(children []string) url.Values { return whole(p, children) },
	})
}

// whole returns the container of a part. Its label isn't allowed on the items of a carousel.
func whole(p mission.Part, children []string) url.Values {
	form := url.Values{"media_type": {"CAROUSEL"}, "children": {strings.Join(children, ",")}}
	if len(children) == 0 {
		form = file(p.Media[0], "REELS") // a single video is a reel
	}
	form.Set("caption", p.Text)
	if p.Labels.MadeWithAI {
		form.Set("is_ai_generated", "true")
	}
	return form
}

// file returns the container of a file; video is the type of one that plays. Only pictures have alt
// texts.
func file(f mission.PartFile, video string) url.Values {
	if f.Kind == mission.MediaVideo {
		return url.Values{"media_type": {video}, "video_url": {f.Address}}
	}
	form := url.Values{"image_url": {f.Address}}
	if f.AltText != "" {
		form.Set("alt_text", f.AltText)
	}
	return form
}

// limits are how many posts an account has published within a time, and how many it may.
type limits struct {
	Posts  int            `json:"quota_usage"`
	Config meta.Allowance `json:"config"`
}

// limits returns what Instagram tells the account, whose pages say 50 or 100 posts a day; zero if it tells
// nothing.
func (a *Adapter) limits(ctx context.Context, c mission.Credentials) (l limits, err error) {
	var list meta.List[limits]
	if err := a.api.Get(ctx, c, "/"+c.AccountID+"/content_publishing_limit", url.Values{"fields": {"config,quota_usage"}}, &list); err != nil || len(list.Data) == 0 {
		return l, err
	}
	return list.Data[0], nil
}

// quota returns an error if the account may publish no more.
func (a *Adapter) quota(ctx context.Context, c mission.Credentials) error {
	l, err := a.limits(ctx, c)
	if err != nil {
		return err
	}
	return a.containers.Left(l.Posts, l.Config, "posts")
}

// Publish implements [publisher.Adapter].
func (a *Adapter) Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	if p.Root != nil {
		return a.comment(ctx, c, p)
	}
	return a.containers.PublishDraft(ctx, c, p)
}

// comment publishes a first comment, or an answer to a comment, which have no addresses of their own.
// Instagram takes the same one twice.
func (a *Adapter) comment(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	path := "/" + p.Root.PostID + "/comments"
	if to, ok := meta.Answered(p); ok {
		path = "/" + to + "/replies"
	}
	var made struct {
		ID string `json:"id"`
	}
	err := a.api.Post(ctx, c, path, url.Values{"message": {p.Text}}, &made)
	switch {
	case meta.Permission(err): // other calls may still be allowed
		e, _ := meta.ErrorOf(err)
		return mission.Publication{}, publisher.Response{}.Refused(publisher.CodeRefused, "The platform doesn't let the account comment", e.Message)
	case err != nil:
		return mission.Publication{}, err
	case !meta.IsID(made.ID):
		return mission.Publication{}, publisher.Response{}.Malformed()
	}
	return mission.Publication{PostID: made.ID, URL: p.Root.URL, PublishedAt: a.api.Now().UTC().Truncate(time.Millisecond)}, nil
}

// Find implements [publisher.Adapter]. Errors: ErrUnknowable for a first comment.
func (a *Adapter) Find(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
	if to, ok := meta.Answered(p); ok {
		return a.findAnswer(ctx, c, p, to)
	}
	if p.Root != nil {
		return mission.Publication{}, false, mission.ErrUnknowable
	}
	return a.containers.Find(ctx, c, p)
}
