package meta

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

const (
	// containerLife is how long a container lasts; the platforms say 24 hours.
	containerLife = 23 * time.Hour
	// settleWait is how long after a container was made it may be published, and lookWait how often
	// it is looked at ("We recommend waiting on average 30 seconds", "once per minute").
	settleWait = 30 * time.Second
	lookWait   = time.Minute
	// listed is how many posts a page lists, and lookPages how many pages are read to find one.
	listed    = 100
	lookPages = 5
)

// The states of containers.
const (
	stateFinished  = "FINISHED"
	statePublished = "PUBLISHED"
	stateWorking   = "IN_PROGRESS"
	stateExpired   = "EXPIRED"
	stateFailed    = "ERROR"
	// stateGone is that of one that the platform doesn't know (any more).
	stateGone = ""
)

// Containers are how posts are made on a platform: each file, and the post, is a container that
// nobody sees until it is published.
type Containers struct {
	API
	// Name is the platform's.
	Name string
	// Create and Publish are the edges of an account that take containers.
	Create, Publish string
	// State is the field of a container's state, Problem that of what is wrong with it.
	State, Problem string
	// Text is the field of a post's text.
	Text string
	// Lists returns the edge of an account that lists posts such as the part.
	Lists func(p mission.Part) string
	// Again reports whether a container whose processing failed for a reason may be made anew; one
	// that failed for another never succeeds.
	Again func(problem string) bool
}

// Draft is how the containers of a part are made.
type Draft struct {
	// Quota returns an error if the account may publish no more for now.
	Quota func(ctx context.Context) error
	// Child returns the container of one of several files, Whole the part's own.
	Child func(f mission.PartFile) url.Values
	Whole func(children []string) url.Values
}

// Upload returns a file as it is on a platform that fetches files when its container is made.
func Upload(u mission.Upload) mission.Upload {
	u.ID, u.State, u.Described = u.Hash, mission.UploadReady, true
	return u
}

// Prepare takes a part a step further, see [publisher.Preparer]: a container for each of several
// files, which the upload has as Tags, then for the part, which is its ID; then it waits until the
// platform is done. Sent counts the files that the platform is done with.
func (k Containers) Prepare(
	ctx context.Context, c mission.Credentials, p mission.Part, u mission.Upload, d Draft,
) (mission.Upload, error) {
	next, err := k.prepare(ctx, c, p, u, d)
	return next, publisher.Repeatable(err)
}

func (k Containers) prepare(
	ctx context.Context, c mission.Credentials, p mission.Part, u mission.Upload, d Draft,
) (mission.Upload, error) {
	u.Wait, u.Lasts = 0, 0
	if u.ID != "" {
		return k.look(ctx, c, u)
	}
	if u.State == mission.UploadNew {
		if err := k.reachable(p.Media); err != nil {
			return u, err
		}
		if err := d.Quota(ctx); err != nil {
			return u, err
		}
		u.State, u.Lasts = mission.UploadSending, containerLife
	}
	if len(p.Media) > 1 {
		if n := len(u.Tags); n < len(p.Media) {
			id, err := k.create(ctx, c, d.Child(p.Media[n]))
			u.Tags = append(slices.Clone(u.Tags), id)
			return u, err
		}
		if done, err := k.children(ctx, c, &u); err != nil || !done {
			return u, err
		}
	}
	id, err := k.create(ctx, c, d.Whole(u.Tags))
	u.ID, u.State, u.Wait, u.Lasts = id, mission.UploadProcessing, settleWait, containerLife
	return u, err
}

// reachable returns an error if the platform can't fetch a file.
func (k Containers) reachable(files []mission.PartFile) error {
	if slices.ContainsFunc(files, func(f mission.PartFile) bool { return f.Address == "" }) {
		return publisher.Response{}.Refused(
			publisher.CodeFileUnread, k.Name+" fetches the files of posts, and this service has no public address (--media-public-url)", "",
		)
	}
	return nil
}

// create makes a container, and returns its id.
func (k Containers) create(ctx context.Context, c mission.Credentials, form url.Values) (string, error) {
	var made struct {
		ID string `json:"id"`
	}
	if err := k.Post(ctx, c, "/"+c.AccountID+"/"+k.Create, form, &made); err != nil {
		return "", err
	}
	if !IsID(made.ID) {
		return "", publisher.Response{}.Malformed()
	}
	return made.ID, nil
}

// children looks at the containers of files until one isn't done.
func (k Containers) children(ctx context.Context, c mission.Credentials, u *mission.Upload) (done bool, err error) {
	for int(u.Sent) < len(u.Tags) {
		seen, err := k.look(ctx, c, mission.Upload{ID: u.Tags[u.Sent]})
		if err != nil {
			return false, err
		}
		if seen.State != mission.UploadReady {
			u.Wait = seen.Wait
			return false, nil
		}
		u.Sent++
	}
	return true, nil
}

// look asks whether the platform is done with a container.
func (k Containers) look(ctx context.Context, c mission.Credentials, u mission.Upload) (mission.Upload, error) {
	state, problem, err := k.state(ctx, c, u.ID)
	if err != nil {
		return u, err
	}
	switch state {
	case stateFinished, statePublished:
		u.State = mission.UploadReady
	case stateWorking:
		u.State, u.Wait = mission.UploadProcessing, lookWait
	case stateFailed:
		if !k.Again(problem) {
			return u, publisher.Response{}.Refused(publisher.CodeRefused, k.Name+" can't use the post's files", problem)
		}
		return u, publisher.Response{}.FileGone(problem)
	case stateGone, stateExpired:
		return u, publisher.Response{}.FileGone(state)
	default:
		return u, publisher.Response{}.Malformed()
	}
	return u, nil
}

// state returns the state of a container, and what is wrong with it.
func (k Containers) state(ctx context.Context, c mission.Credentials, id string) (state, problem string, err error) {
	if !IsID(id) {
		return "", "", publisher.Response{}.Malformed()
	}
	var got map[string]any
	err = k.Get(ctx, c, "/"+id, url.Values{"fields": {k.State + "," + k.Problem}}, &got)
	if e, ok := ErrorOf(err); Missing(err) || ok && e.containerGone() {
		return stateGone, "", nil
	}
	if err != nil {
		return "", "", err
	}
	state, _ = got[k.State].(string)
	problem, _ = got[k.Problem].(string)
	if state == "" {
		return "", "", publisher.Response{}.Malformed()
	}
	return state, problem, nil
}

// PublishDraft publishes a part's container. The platform may say that it doesn't have one that was ready
// just now, which means that nothing is out; but not if an earlier call got no response.
func (k Containers) PublishDraft(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	if p.Draft.ID == "" {
		return mission.Publication{}, publisher.Response{}.FileGone("")
	}
	if p.Again {
		if found, ok, err := k.Find(ctx, c, p); ok || err != nil {
			return found, err
		}
	}
	var made struct {
		ID string `json:"id"`
	}
	err := k.Post(ctx, c, "/"+c.AccountID+"/"+k.Publish, url.Values{"creation_id": {p.Draft.ID}}, &made)
	if e, ok := ErrorOf(err); ok && e.containerGone() {
		return k.afterGone(ctx, c, p, err)
	}
	if err != nil {
		return mission.Publication{}, err
	}
	if !IsID(made.ID) {
		return mission.Publication{}, publisher.Response{}.Malformed()
	}
	var post listedPost
	if err := k.Get(ctx, c, "/"+made.ID, url.Values{"fields": {"id,permalink,timestamp"}}, &post); err != nil {
		return mission.Publication{}, unknown(err) // it is out; a lookup finds its address
	}
	return post.publication(), nil
}

// afterGone returns what became of a part whose container the platform doesn't have.
func (k Containers) afterGone(ctx context.Context, c mission.Credentials, p mission.Part, gone error) (mission.Publication, error) {
	if found, ok, err := k.listed(ctx, c, p); ok || err != nil {
		return found, unknown(err)
	}
	if p.Again {
		e, _ := ErrorOf(gone)
		return mission.Publication{}, publisher.Response{}.InDoubt(e.words())
	}
	return mission.Publication{}, gone
}

// Find looks for a part by its container. Only one that was published, or that the platform doesn't
// have any more, is looked for among the account's posts; a part without a container was never
// published.
func (k Containers) Find(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
	if p.Draft.ID == "" {
		return mission.Publication{}, false, nil
	}
	state, _, err := k.state(ctx, c, p.Draft.ID)
	if err != nil || state == stateFinished || state == stateWorking {
		return mission.Publication{}, false, err
	}
	found, ok, err := k.listed(ctx, c, p)
	if err == nil && !ok && state == statePublished {
		err = Undecided(k.Name + " says that the post is published, and doesn't list it yet.")
	}
	return found, ok, err
}

// listedPost is a post of an account.
type listedPost struct {
	ID        string `json:"id"`
	Text      string `json:"text"`
	Caption   string `json:"caption"`
	Permalink string `json:"permalink"`
	Timestamp Time   `json:"timestamp"`
	RepliedTo struct {
		ID string `json:"id"`
	} `json:"replied_to"`
}

func (l listedPost) publication() mission.Publication {
	return mission.Publication{PostID: l.ID, URL: l.Permalink, PublishedAt: l.Timestamp.UTC()}
}

// listed looks for a part among the account's latest posts, by its text, since its first call.
func (k Containers) listed(ctx context.Context, c mission.Credentials, p mission.Part) (found mission.Publication, ok bool, err error) {
	since := k.Since(p)
	fields := "id," + k.Text + ",permalink,timestamp"
	if p.Parent != nil {
		fields += ",replied_to"
	}
	q := url.Values{"fields": {fields}, "limit": {fmt.Sprint(listed)}}
	whole, err := Pages(ctx, k.API, c, "/"+c.AccountID+"/"+k.Lists(p), q, lookPages, func(l listedPost) bool {
		if l.Timestamp.Before(since) {
			return false
		}
		another := p.Parent != nil && l.RepliedTo.ID != p.Parent.PostID
		if ok = IsID(l.ID) && !another && Same(cmp.Or(l.Text, l.Caption), p.Text); ok {
			found = l.publication()
		}
		return !ok
	})
	if err == nil && !whole && !ok {
		err = Undecided("The account has too many newer posts to tell whether this one is among them.")
	}
	return found, ok, err
}

// Allowance is how many posts an account may publish within a time.
type Allowance struct {
	Total int `json:"quota_total"`
	// Seconds is that time.
	Seconds int `json:"quota_duration"`
}

// dailyLimit limits the call for an account's quota.
const dailyLimit = 3 * time.Second

// DailyPosts returns how many posts an account may publish in a day, as ask returns it; 0 if it isn't known.
func DailyPosts(ctx context.Context, ask func(ctx context.Context) (Allowance, error)) int {
	ctx, cancel := context.WithTimeout(ctx, dailyLimit)
	defer cancel()
	of, err := ask(ctx)
	if err != nil || time.Duration(of.Seconds)*time.Second != mission.QuotaSpan {
		return 0
	}
	return of.Total
}

// Left returns an error if used is all that an account is allowed of a kind of posts, such as
// "posts". The account's posts then wait.
func (k Containers) Left(used int, of Allowance, kind string) error {
	if of.Total <= 0 || used < of.Total {
		return nil
	}
	span := time.Duration(of.Seconds) * time.Second
	return Pause(publisher.Response{}, publisher.CodeRateLimited, fmt.Sprintf(
		"The account has published all %d %s that %s allows in %s; its posts wait", of.Total, kind, k.Name,
		strings.TrimSuffix(strings.TrimSuffix(span.String(), "0s"), "0m"),
	), "", quotaFor)
}
