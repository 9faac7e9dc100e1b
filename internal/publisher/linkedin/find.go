package linkedin

import (
	"context"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

const (
	// clocksApart is how much LinkedIn's clock may differ from ours.
	clocksApart = 5 * time.Minute
	// listed is how many posts one call lists, and lookPages how many calls look for one.
	listed    = 100
	lookPages = 10
	// idShift is how far the time is shifted in the numbers of posts' URNs: it is above their
	// lowest 22 bits, in Unix milliseconds. LinkedIn doesn't document that; the examples in
	// its reference, and everybody's posts, are made so.
	idShift = 22
)

// earliest is before any post whose URN has a time.
var earliest = time.Date(2012, 1, 1, 0, 0, 0, 0, time.UTC)

// madeAt returns when a post was made, by its URN; ok is false if the URN has no sensible
// time.
func (a *Adapter) madeAt(urn string) (at time.Time, ok bool) {
	n, err := strconv.ParseInt(urn[strings.LastIndexByte(urn, ':')+1:], 10, 64)
	if err != nil {
		return at, false
	}
	at = time.UnixMilli(n >> idShift)
	return at, at.After(earliest) && at.Before(a.client.Now().Add(clocksApart))
}

// since returns from when on the account's posts may be the part: its first call. The
// times of a development clock that runs fast mean nothing to LinkedIn.
func (a *Adapter) since(p mission.Part) time.Time {
	if p.CalledAt.After(a.client.Now().Add(clocksApart)) {
		return time.Time{}
	}
	return p.CalledAt.Add(-clocksApart)
}

// original returns the publication of a part that was sent again and that LinkedIn refused
// as a duplicate of a post. A post that was made before the part's first call isn't the
// part, which LinkedIn refuses because of it. Errors: refused; unknowable if it can't be
// told which it is.
func (a *Adapter) original(p mission.Part, urn string, response publisher.Response) (mission.Publication, error) {
	at, ok := a.madeAt(urn)
	switch {
	case !ok:
		return mission.Publication{}, &mission.PublishError{Outcome: mission.OutcomeUnknowable, Failure: mission.UnknownOutcome()}
	case at.Before(a.since(p)):
		return mission.Publication{}, duplicate(response)
	}
	made := a.publication(urn)
	made.PublishedAt = at.UTC()
	return made, nil
}

func duplicate(response publisher.Response) error {
	return response.Refused(publisher.CodeDuplicate, "The platform already has a post with this text", refusalOf(response).words())
}

// listedPost is a post in a list.
type listedPost struct {
	ID         string `json:"id"`
	Commentary string `json:"commentary"`
	// CreatedAt and ModifiedAt are in Unix milliseconds.
	CreatedAt  int64 `json:"createdAt"`
	ModifiedAt int64 `json:"lastModifiedAt"`
}

// Find implements [publisher.Adapter]. Organizations' posts are listed, if the token's
// scopes include it (r_organization_social), and compared by text and time. Errors:
// ErrInconclusive for posts that can't be listed; ErrUnknowable for a comment, which
// LinkedIn would take twice.
func (a *Adapter) Find(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, bool, error) {
	switch {
	case p.Root != nil:
		return mission.Publication{}, false, mission.ErrUnknowable
	case !strings.HasPrefix(c.AccountID, "urn:li:organization:"):
		return mission.Publication{}, false, mission.ErrInconclusive
	}
	since := a.since(p)
	for n := range lookPages {
		posts, err := a.list(ctx, c, n*listed)
		if err != nil {
			return mission.Publication{}, false, err
		}
		for _, each := range posts {
			if urns.MatchString(each.ID) && !time.UnixMilli(each.CreatedAt).Before(since) &&
				plainText(each.Commentary) == plainText(Escape(p.Text)) {
				found := a.publication(each.ID)
				found.PublishedAt = time.UnixMilli(each.CreatedAt).UTC()
				return found, true, nil
			}
		}
		if len(posts) < listed || time.UnixMilli(posts[len(posts)-1].ModifiedAt).Before(since) {
			return mission.Publication{}, false, nil
		}
	}
	return mission.Publication{}, false, &mission.PublishError{Outcome: mission.OutcomeUnknown, Failure: mission.Failure{
		Code: publisher.CodeUnavailable, Message: "The account has too many newer posts to tell whether this one is among them.",
	}}
}

// list returns a page of an organization's posts, the last modified first. Errors: also
// ErrInconclusive, without the scope.
func (a *Adapter) list(ctx context.Context, c mission.Credentials, start int) ([]listedPost, error) {
	target := "/rest/posts?author=" + within(c.AccountID) + "&q=author&count=" + strconv.Itoa(listed) +
		"&start=" + strconv.Itoa(start) + "&sortBy=LAST_MODIFIED"
	response, err := a.do(ctx, c, http.MethodGet, target, nil)
	if err != nil {
		return nil, err
	}
	if response.Status == http.StatusForbidden {
		return nil, mission.ErrInconclusive
	}
	var page struct {
		Elements []listedPost `json:"elements"`
	}
	return page.Elements, a.read(response, &page)
}

// templates matches hashtags as LinkedIn may return them.
var templates = regexp.MustCompile(`\{hashtag\|\\?[#＃]\|([^|{}]+)\}`)

// plainText returns what a commentary says, in the form in which texts are compared.
func plainText(commentary string) string {
	text := templates.ReplaceAllString(commentary, "#$1")
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && strings.IndexByte(reserved, text[i+1]) >= 0 {
			i++
		}
		b.WriteByte(text[i])
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
