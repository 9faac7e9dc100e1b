package threads

import (
	"context"
	"net/url"
	"strings"

	"missiond/internal/publisher/meta"
	"missiond/mission"
)

// Upload implements [publisher.Uploader]. Threads fetches files when their container is made.
func (*Adapter) Upload(_ context.Context, _ mission.Credentials, _ mission.File, u mission.Upload) (mission.Upload, error) {
	return meta.Upload(u), nil
}

// Prepare implements [publisher.Preparer].
func (a *Adapter) Prepare(ctx context.Context, c mission.Credentials, p mission.Part, u mission.Upload) (mission.Upload, error) {
	return a.containers.Prepare(ctx, c, p, u, meta.Draft{
		Quota: func(ctx context.Context) error { return a.quota(ctx, c, p) },
		Child: func(f mission.PartFile) url.Values {
			form := file(f)
			form.Set("is_carousel_item", "true")
			return form
		},
		Whole: func(children []string) url.Values { return whole(p, children) },
	})
}

// whole returns the container of a part.
func whole(p mission.Part, children []string) url.Values {
	form := url.Values{"media_type": {"TEXT"}}
	switch {
	case len(children) > 0:
		form = url.Values{"media_type": {"CAROUSEL"}, "children": {strings.Join(children, ",")}}
	case len(p.Media) > 0:
		form = file(p.Media[0])
	}
	form.Set("text", p.Text)
	if p.Parent != nil {
		form.Set("reply_to_id", p.Parent.PostID)
	}
	return form
}

// file returns the container of a file.
func file(f mission.PartFile) url.Values {
	form := url.Values{"media_type": {"IMAGE"}, "image_url": {f.Address}}
	if f.Kind == mission.MediaVideo {
		form = url.Values{"media_type": {"VIDEO"}, "video_url": {f.Address}}
	}
	if f.AltText != "" {
		form.Set("alt_text", f.AltText)
	}
	return form
}

// limits are how much a profile has published within a time, and how much it may. Replies have a quota of
// their own.
type limits struct {
	Posts   int            `json:"quota_usage"`
	Config  meta.Allowance `json:"config"`
	Replies int            `json:"reply_quota_usage"`
	Reply   meta.Allowance `json:"reply_config"`
}

// limits returns what Threads tells the profile; zero if it tells nothing.
func (a *Adapter) limits(ctx context.Context, c mission.Credentials) (l limits, err error) {
	var list meta.List[limits]
	q := url.Values{"fields": {"quota_usage,config,reply_quota_usage,reply_config"}}
	if err := a.api.Get(ctx, c, "/"+c.AccountID+"/threads_publishing_limit", q, &list); err != nil || len(list.Data) == 0 {
		return l, err
	}
	return list.Data[0], nil
}

// quota returns an error if the profile may publish no more.
func (a *Adapter) quota(ctx context.Context, c mission.Credentials, p mission.Part) error {
	l, err := a.limits(ctx, c)
	if err != nil {
		return err
	}
	if p.Parent != nil {
		return a.containers.Left(l.Replies, l.Reply, "replies")
	}
	return a.containers.Left(l.Posts, l.Config, "posts")
}

// Publish implements [publisher.Adapter].
func (a *Adapter) Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	return a.containers.PublishDraft(ctx, c, p)
}

// Find implements [publisher.Adapter].
func (a *Adapter) Find(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
	return a.containers.Find(ctx, c, p)
}
